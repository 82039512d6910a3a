"""A connected phone: its shell, its server, its clock, and how they come back when they are gone."""

from __future__ import annotations

import socket
from collections.abc import Callable
from typing import Any, TypeVar

from pytest_apex.backends.uiautomator2 import facts, fingers, helper, keys, recovery
from pytest_apex.backends.uiautomator2.apps import Apps
from pytest_apex.backends.uiautomator2.channel import Channel, MaybeDone, NotSent
from pytest_apex.backends.uiautomator2.clock import ASK_TIME, PhoneClock
from pytest_apex.backends.uiautomator2.facts import Changing, Fixed
from pytest_apex.backends.uiautomator2.handset import Handset
from pytest_apex.backends.uiautomator2.helper import Helper
from pytest_apex.backends.uiautomator2.logs import PhoneLog
from pytest_apex.backends.uiautomator2.looking import Look, Looker
from pytest_apex.backends.uiautomator2.rpc import RpcError
from pytest_apex.backends.uiautomator2.toasts import Toasts
from pytest_apex.errors import ActionRefused, CapabilityMissing, DeviceProblem, DeviceRestarted, DriverDead

_T = TypeVar("_T")
_NO_SUCH_CALL = -32601


class Connection:
    """Connects on being made. Raises `DeviceProblem`."""

    def __init__(self, phone: Handset) -> None:
        self.phone = phone
        self.clock = PhoneClock()
        self._port = 0
        #: Whether a gesture that is told event by event has a finger on the screen.
        self.finger_down = False
        self.channel = Channel(self._dial, phone.serial, phone.limits.ping, phone.need_answer)
        self.helper = Helper(phone, self.channel, self.clock)
        self.fixed, self.changing, digest = self._ask_all()
        sdk = self.fixed.sdk
        self.holds_keys = sdk >= keys.HOLD_SDK and keys.holds_keys(phone.run(keys.ASK_HOLD).text)
        self.apps = Apps(phone, self.clock, sdk)
        self.log = PhoneLog(phone, self.clock, sdk)
        self.toasts = Toasts(self.ask, self.clock)
        self._looker = Looker(phone, self.channel, self.clock, sdk)
        self._port = phone.forward(f"tcp:{helper.PORT}")
        try:
            self._explained(lambda: self.helper.ensure(digest))
        except DeviceProblem:
            self.close()
            raise

    # Calls

    def act(self, method: str, *params: Any, lasting_ms: float = 0.0) -> Any:
        """A call that does something, sent once; when the server surely did not get it, the server is brought back and
        gets it then. Raises `DriverDead`, `DeviceLost`, `ActionRefused`, `CapabilityMissing`."""
        limit = self.phone.limits.act + lasting_ms / 1000
        try:
            return self._answered(lambda: self.channel.act(method, *params, timeout=limit))
        except NotSent:
            self.recover()
            return self._answered(lambda: self.channel.act(method, *params, timeout=limit))

    def act_on(self, method: str, *params: Any, lasting_ms: float = 0.0) -> Any:
        """The same within something that has begun: without the first half, the second makes no sense."""
        limit = self.phone.limits.act + lasting_ms / 1000
        try:
            return self._answered(lambda: self.channel.act(method, *params, timeout=limit))
        except NotSent as error:
            raise MaybeDone(
                f"{error.tried}, in the middle of a gesture: maybe done",
                seen=error.seen,
                likely=error.likely,
                cure="it is never sent twice: what is on the screen now tells whether it was done",
            ) from error

    def ready(self) -> None:
        """Have the server answer before something that must keep its time."""
        try:
            self.channel.ready()
        except NotSent:
            self.recover()
            self.channel.ready()

    def ask(self, method: str, *params: Any) -> Any:
        """A call that only looks. Raises `DriverDead`, `DeviceLost`, `ActionRefused`, `CapabilityMissing`."""
        return self._answered(lambda: self.channel.look(method, *params, timeout=self.phone.limits.look))

    def look(self) -> Look:
        return self._looker.look()

    def _answered(self, call: Callable[[], _T]) -> _T:
        try:
            return call()
        except RpcError as error:
            raise self._of_server(error) from error
        except DriverDead as error:
            self._raise_if_gone()
            raise error

    def _of_server(self, error: RpcError) -> DeviceProblem | ActionRefused:
        if error.code == _NO_SUCH_CALL:
            return CapabilityMissing(
                f"the server on {self.phone.serial} has no call {error.method}",
                seen=error.message,
                likely="another version of the server runs there, started by another tool",
                cure="end that tool, or: pip install -U uiautomator2",
            )
        return ActionRefused(
            f"the phone refuses {error.method}",
            seen=error.message or "it gives no reason",
            likely="Android or the app does not allow it now",
            cure="see what the phone says",
        )

    def _raise_if_gone(self) -> None:
        """The phone's own loss is the cause of its server's."""
        state = self.phone.state()
        if state != "device":
            self.phone.run("true", self.phone.limits.shell)

    # Back again

    def recover(self) -> str:
        """The phone, its forwarded port, its server and its clock; what was done, in words. Raises `DeviceProblem` by
        the cause's name, and `DeviceRestarted` for a phone that is back and has started anew: what was meant for the
        app that was in front must not be sent to what is there now."""
        self.channel.close()
        back = recovery.wait_for_phone(self.phone, self.clock, self.fixed.boot)
        said = list(back.said)
        self._renew_port()
        said.append(self._explained(self.helper.ensure))
        self._let_go()
        self.fixed, self.changing, _ = self._ask_all()
        if back.rebooted:
            self.apps.forget()
            self.log.restart()
            raise DeviceRestarted(
                f"the phone {self.phone.serial} was restarted, and the app with it",
                seen="; ".join(said),
                likely="its power was gone, its system broke down, or somebody restarted it",
                cure="run the test again",
            )
        return "; ".join(said)

    def look_for_restart(self) -> None:
        """Raises `DeviceRestarted` if the phone has started anew since it was connected, once each time."""
        boot = self.phone.ask([recovery.ASK_BOOT])[0].line
        if boot and self.fixed.boot and boot != self.fixed.boot:
            self.recover()

    def _let_go(self) -> None:
        """A finger that a broken gesture left on the screen is taken away, without an effect."""
        if not self.finger_down:
            return
        self.finger_down = False
        try:
            self.channel.act("injectInputEvent", fingers.CANCEL, 0, 0, 0, timeout=self.phone.limits.act)
        except (DriverDead, RpcError):
            return  # the next touch ends it as well

    def _renew_port(self) -> None:
        """A forwarded port goes with adb's server, and with a phone that was away."""
        if self.channel.ping():
            return
        if self._port:
            self.phone.remove_forward(self._port)
        self._port = self.phone.forward(f"tcp:{helper.PORT}")

    def _explained(self, start: Callable[[], str]) -> str:
        """What about the phone keeps its server from starting is named, where that can be seen."""
        try:
            return start()
        except (DriverDead, ActionRefused) as error:
            hindered = recovery.what_hinders(self.phone)
            if hindered:
                error.seen = f"{error.seen}; {hindered}".strip("; ")
            if isinstance(error, ActionRefused):
                raise DriverDead(error.tried, seen=error.seen, likely=error.likely, cure=error.cure) from error
            raise

    def close(self) -> None:
        self.channel.close()
        self.helper.close()
        if self._port:
            self.phone.remove_forward(self._port)
            self._port = 0

    def _dial(self, timeout: float) -> socket.socket:
        if not self._port:
            raise ConnectionRefusedError("no port is forwarded to the server")
        sock = socket.create_connection((self.phone.server.host, self._port), timeout)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return sock

    # Facts

    def _ask_all(self) -> tuple[Fixed, Changing, str]:
        """All facts in one call; what the digest of the server on the phone is told there as well."""
        before = self.clock.now()
        time_told = self.phone.ask([ASK_TIME])[0].line
        self.clock.set_by(time_told, before, self.clock.now())
        count = len(facts.ASK_FIXED)
        answers = self.phone.ask([*facts.ASK_FIXED, *facts.ASK_CHANGING, helper.ASK_DIGEST])
        return facts.read_fixed(answers[:count]), facts.read_changing(answers[count:-1]), answers[-1].text

    def ask_changing(self) -> Changing:
        self.changing = facts.read_changing(self.phone.ask(facts.ASK_CHANGING))
        return self.changing
