"""A session in use: its requests, its clock, what its driver can do, and how it comes back when it is gone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timezone
from typing import Any

from pytest_apex.backends.appium.channel import Channel
from pytest_apex.backends.appium.family import BY_SHELL, Family, family_of, live
from pytest_apex.backends.appium.limits import Limits
from pytest_apex.backends.appium.session import Session, as_lost
from pytest_apex.backends.appium.trouble import app_that_died, named, says_not_up_yet
from pytest_apex.backends.appium.wire import Refused
from pytest_apex.backends.uiautomator2.channel import NotSent
from pytest_apex.backends.uiautomator2.clock import PhoneClock
from pytest_apex.errors import ActionRefused, ApexError, ConfigError, DeviceLost, DeviceProblem, DriverDead

#: How often a server that is gone is looked for, in seconds.
_LOOK_S = 0.25
#: The driver tells whole seconds: half of one is what its clock may be wrong by.
_TOLD_S = 0.5
_STAMP = "MM-DD HH:mm:ss"
#: The context that is no web page.
NATIVE = "NATIVE_APP"


class Connection:
    """`reopen` opens a session like this one, None where it is a suite's own."""

    def __init__(
        self, session: Session, name: str, limits: Limits, reopen: Callable[[], Session] | None, in_web: bool = False
    ) -> None:
        self.limits = limits
        self.clock = PhoneClock()
        #: Whether the session is in the context of a web view.
        self.in_web = in_web
        #: By app, the last source that was asked for covers, and the nodes that are some.
        self.covers: dict[str, tuple[str, tuple[int, ...]]] = {}
        self._reopen = reopen
        self.session = session
        self.channel = Channel(session.transport, name, session.id, self.clock)
        self.family: Family = family_of(session.told)
        self.scripts = self._ask_scripts()
        self.capabilities = live(self.family, self.scripts, session.told)
        self.may_shell = "shell" in self.capabilities and self._ask_shell()
        if not self.may_shell:
            self.capabilities -= BY_SHELL
        self._set_clock()

    # Requests

    def act(self, path: str, body: Mapping[str, Any], tried: str, lasting_ms: float = 0.0, limit: float = 0.0) -> Any:
        """What does something, sent once; where it surely did not arrive, the session is brought back and gets it
        then."""
        self.leave_web()
        timeout = (limit or self.limits.act) + lasting_ms / 1000
        try:
            return self.channel.act(path, body, timeout, tried)
        except NotSent:
            self.recover()
            return self.channel.act(path, body, timeout, tried)
        except DriverDead as error:
            raise self._device_gone() or error from error

    def mobile(self, script: str, arguments: Mapping[str, Any], tried: str = "", **how: float) -> Any:
        """An execute method of the driver that does something."""
        return self.act("/execute/sync", {"script": script, "args": [dict(arguments)]}, tried or script, **how)

    def look(self, path: str, tried: str, body: Mapping[str, Any] | None = None) -> Any:
        """A GET, or with a body a POST that may be sent twice."""
        return self._named(path, body, tried)

    def ask(self, script: str, arguments: Mapping[str, Any] | None = None, tried: str = "") -> Any:
        """An execute method that only looks."""
        return self._named("/execute/sync", {"script": script, "args": [dict(arguments or {})]}, tried or script)

    def _named(self, path: str, body: Mapping[str, Any] | None, tried: str) -> Any:
        try:
            return self.refused_or(path, body, tried)
        except Refused as error:
            problem = named(self.channel.device, error, tried)
            gone = self._device_gone() if isinstance(problem, DriverDead) else None
            raise gone or problem from error

    def _device_gone(self) -> DeviceLost | None:
        """Why what runs on the device does not answer: the device itself is gone, by what the server's machine sees of
        it. None where that is not so, or nobody can tell."""
        if "mobile: getDeviceTime" not in self.scripts:
            return None
        asked = {"script": "mobile: getDeviceTime", "args": []}
        try:
            self.channel.look_plain(
                "POST", "/execute/sync", asked, timeout=self.limits.ping, tried="asking for the time"
            )
        except Refused as error:
            problem = named(self.channel.device, error, "it does not answer, and neither does its driver")
            return problem if isinstance(problem, DeviceLost) else None
        except DriverDead:
            return None
        return None

    def ask_or(self, default: Any, script: str, arguments: Mapping[str, Any] | None = None) -> Any:
        """The same, where the driver may not be able to."""
        try:
            return self.ask(script, arguments)
        except (ActionRefused, DeviceProblem):
            return default

    def refused_or(self, path: str, body: Mapping[str, Any] | None, tried: str) -> Any:
        """A look whose refusal means something: raises `Refused` as it came.

        WebDriverAgent shows nothing any more once the app that it started has died, until it is told that this one is
        not to run: then it shows what is in front (`FBSession.m`).
        """
        self.leave_web()
        method = "GET" if body is None else "POST"
        limit = self.limits.look if self.channel.patient else self.limits.ping
        try:
            return self.channel.look_plain(method, path, body, timeout=limit, tried=tried)
        except Refused as error:
            app = app_that_died(error)
            if not app:
                raise
        ended = {"script": "mobile: terminateApp", "args": [{"bundleId": app}]}
        self.channel.act("/execute/sync", ended, self.limits.act, f"letting go of {app}, which died")
        return self.channel.look_plain(method, path, body, timeout=limit, tried=tried)

    # Contexts

    def enter_web(self, context: str) -> None:
        """Switch the session to a web view, until `leave_web` or the next request of ours."""
        self.act("/context", {"name": context}, f"switch to {context}", limit=self.limits.app)
        self.in_web = True

    def leave_web(self) -> None:
        """Back to the app itself: nothing happens if the session is there."""
        if self.in_web:
            self.in_web = False
            self.act("/context", {"name": NATIVE}, "switch back to the app")

    def _ask_scripts(self) -> frozenset[str]:
        """The execute methods that the driver has; none where the server can't tell."""
        try:
            told = self.refused_or("/appium/extensions", None, "asking for the driver's commands")
        except (Refused, DriverDead):
            return frozenset()
        found: set[str] = set()
        waiting = [told]
        while waiting:
            value = waiting.pop()
            if isinstance(value, dict):
                found.update(name for name in value if str(name).startswith("mobile:"))
                waiting.extend(value.values())
        return frozenset(found)

    def _ask_shell(self) -> bool:
        """Whether the server allows shell commands. Its list of commands has them also where it does not."""
        return str(self.ask_or("", "mobile: shell", {"command": "echo", "args": ["apex"]})).strip() == "apex"

    def offers(self, script: str) -> bool:
        """Whether the driver has an execute method; where it can't tell, it is taken to have its family's."""
        return script in self.scripts or (not self.scripts and self.family.driver in ("uiautomator2", "xcuitest"))

    def _set_clock(self) -> None:
        before = self.clock.now()
        told = self.ask_or("", "mobile: getDeviceTime", {"format": _STAMP}) if self.scripts else ""
        if not self.clock.set_by(f"{told}.500", before, self.clock.now()):
            # A device that can't tell: its logs are taken to have the time of this machine.
            self.clock.set_by(f"{datetime.now(timezone.utc).astimezone():%m-%d %H:%M:%S.%f}", before, before)
        self.clock.error_s += _TOLD_S

    # Back again

    def recover(self) -> str:
        """The server, then the session; what was done, in words. Raises `DeviceProblem` by the cause's name."""
        said = self._wait_for_server()
        if self._answers():
            return "; ".join([*said, "the session answers again"])
        if self._reopen is None:
            raise DriverDead(
                f"the suite's own session on {self.channel.device} is over",
                seen="neither its tree nor its window is to be had",
                likely="the driver was quit, or what it runs on the device died",
                cure="open it anew in the suite's fixture for each test, or let pytest-apex open it: --appium-url",
            )
        self.channel.end(self.limits.act)
        self.session = self._opened_again(self._reopen)
        self.channel.session = self.session.id
        self.scripts = self._ask_scripts()
        self._set_clock()
        return "; ".join([*said, "a new session was opened"])

    def _opened_again(self, open_one: Callable[[], Session]) -> Session:
        """A new session; what is gone is waited for. Raises `DeviceLost` or `DriverDead`."""
        started = self.clock.now()
        while True:
            try:
                return open_one()
            except ConfigError as error:
                if not says_not_up_yet(error.seen) or self.clock.now() - started > self.limits.back:
                    raise as_lost(error) from error
            self.clock.sleep(_LOOK_S)

    def _wait_for_server(self) -> list[str]:
        started = self.clock.now()
        while wrong := self.channel.is_there(self.limits.ping):
            if not self.channel.patient or self.clock.now() - started > self.limits.back:
                self.channel.patient = False
                raise DriverDead(
                    f"the Appium server of {self.channel.device} is gone",
                    seen=wrong,
                    likely="its process ended, or the network to it",
                    cure="start it again: appium server",
                )
            self.clock.sleep(_LOOK_S)
        waited = self.clock.now() - started
        return [f"the server is back after {waited:.1f} s"] if waited > _LOOK_S else []

    def _answers(self) -> bool:
        """Whether the session and what it runs on the device do."""
        try:
            self.channel.look("GET", "/window/rect", timeout=self.limits.ping, tried="asking for the window")
        except ApexError:
            return False
        return True

    def close(self) -> None:
        if self._reopen is not None:
            self.channel.end(self.limits.act)
