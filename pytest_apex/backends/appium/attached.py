"""An Appium driver that a suite uses already, as a backend beside it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from pytest_apex.backends.appium.backend import AppiumBackend
from pytest_apex.backends.appium.channel import Channel
from pytest_apex.backends.appium.connection import NATIVE, Connection
from pytest_apex.backends.appium.limits import Limits
from pytest_apex.backends.appium.session import Session, running_session
from pytest_apex.clock import RealClock
from pytest_apex.errors import ActionRefused, CapabilityMissing, ConfigError, DeviceProblem, DriverDead

_KEPT = 200
#: What is told of a command's arguments: never a text, which may be a password.
_TOLD = (int, float)
#: But how an element was looked for.
_FINDS = frozenset({"findElement", "findElements", "findChildElement", "findChildElements"})
_SWITCH, _QUIT = "switchToContext", "quit"
#: Whether an app runs after a command (True: it does).
_RUNS = {
    "mobile: terminateApp": False, "mobile: clearApp": False, "mobile: removeApp": False, "mobile: killApp": False,
    "mobile: activateApp": True, "mobile: launchApp": True,
}  # fmt: skip


class AttachedBackend(AppiumBackend):
    """Notes what goes through the suite's own driver. `context` is the one that the suite has switched to: our looks
    are at the app itself, and the suite's next command finds its own again."""

    def __init__(self, connection: Connection, name: str, driver: Any, context: str = NATIVE) -> None:
        super().__init__(connection, name)
        self._context = context
        self._outside: list[str] = []
        self._apps: list[tuple[str, bool]] = []
        self._driver = driver
        self._was_quit = False
        self._before = driver.execute
        driver.execute = self._passed_on

    def outside(self) -> Sequence[str]:
        """What the suite's own driver asked since this was last asked."""
        told, self._outside = self._outside, []
        return told

    def apps_outside(self) -> Sequence[tuple[str, bool]]:
        told, self._apps = self._apps, []
        return told

    def recover(self) -> str:
        if self._was_quit:
            raise DriverDead(
                f"the suite itself quit its driver of {self.name}, before its failure was looked at",
                seen="driver.quit() was called in the test",
                cure="quit it in a fixture after the yield, in tearDown, or at the end of the run",
            )
        return super().recover()

    def close(self) -> None:
        if self._driver.__dict__.get("execute") == self._passed_on:
            del self._driver.execute
        super().close()

    def _passed_on(self, command: str, params: Any = None) -> Any:
        __tracebackhide__ = True
        given = params if isinstance(params, dict) else {}
        script = given.get("script")
        words = str(script) if isinstance(script, str) and script.startswith("mobile:") else command
        arguments = _arguments(given)
        app = str(arguments.get("appId") or arguments.get("bundleId") or "")
        told = [app] if app else [f"{given.get('using')}={given.get('value')}"] if command in _FINDS else []
        told += [f"{name}={value:g}" for name, value in arguments.items() if _is_number(value)]
        self._outside = [*self._outside[-_KEPT:], " ".join([words, *told])]
        if command not in (_SWITCH, _QUIT):
            self._back_to_the_suites_context()
        answer = self._before(command, params)
        if command == _SWITCH:
            self._context = str(given.get("name") or NATIVE)
            self._connection.in_web = self._context != NATIVE
        self._was_quit |= command == _QUIT
        if app and words in _RUNS:
            self._apps = [*self._apps[-_KEPT:], (app, _RUNS[words])]
            (self._beside.came if _RUNS[words] else self._beside.left)(app)
        return answer

    def _back_to_the_suites_context(self) -> None:
        if self._context == NATIVE or self._connection.in_web:
            return
        with suppress(DeviceProblem, ActionRefused):  # the command itself then says what is wrong
            self._connection.enter_web(self._context)


def _arguments(given: dict[str, Any]) -> dict[str, Any]:
    args = given.get("args")
    return args[0] if isinstance(args, (list, tuple)) and args and isinstance(args[0], dict) else given


def _is_number(value: object) -> bool:
    return isinstance(value, _TOLD) and not isinstance(value, bool)


def attach_to(driver: Any) -> AttachedBackend:
    """A backend beside a running session, which is never ended from here. Raises `DeviceProblem`, `ConfigError`."""
    session = running_session(driver)
    name = session.fact("udid", "deviceUDID") or "appium"
    limits = Limits()
    context = _context_of(session, name, limits)
    return AttachedBackend(Connection(session, name, limits, None, context != NATIVE), name, driver, context)


def _context_of(session: Session, name: str, limits: Limits) -> str:
    """The context that the suite is in: one question before all others, of which each would wait for a server that is
    gone."""
    channel = Channel(session.transport, name, session.id, RealClock())
    try:
        told = channel.look("GET", "/context", timeout=limits.ping, tried="attaching to the session")
    except DriverDead as error:
        raise ConfigError(
            f"can't attach to the session on {name}",
            seen=error.seen,
            likely="the driver was quit, its session ended for want of commands, or the server is gone",
            cure="attach to a driver that is in use",
        ) from error
    except (ActionRefused, CapabilityMissing):
        return NATIVE  # a driver without contexts answers
    return told if isinstance(told, str) and told else NATIVE
