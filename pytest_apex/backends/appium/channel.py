"""Requests to one session, and what is known of one that failed.

A touch that is sent twice is a touch too many: what acts is sent once, and its failure says whether it can have been
done. What only looks is asked again within its time, where the connection broke or a proxy answered in its place; never
where the server was silent.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from pytest_apex.backends.appium.trouble import named, says_device_server_dead, says_session_gone
from pytest_apex.backends.appium.wire import Broken, Refused, Transport, value_of
from pytest_apex.backends.uiautomator2.channel import MaybeDone, NotSent
from pytest_apex.clock import Clock
from pytest_apex.errors import DriverDead

#: Between two tries of a request that only looks, in seconds.
_AGAIN_S = 0.25
_PROXY = "the Appium server died, or a proxy before it answers in its place"


class Channel:
    """One session. `session` is its id; `device` names it in errors."""

    def __init__(self, transport: Transport, device: str, session: str, clock: Clock) -> None:
        self._send = transport
        self.device = device
        self.session = session
        self._clock = clock
        #: Whether what can't be reached may come back in a moment: not after a wait in vain, until it answers again.
        self.patient = True
        #: Requests that were made, for whoever measures.
        self.requests = 0

    # Requests

    def act(self, path: str, body: Mapping[str, Any], timeout: float, tried: str) -> Any:
        """A POST that does something, sent once. Raises `NotSent` where it surely was not done, `MaybeDone` where it
        may have been, and what `trouble.named` makes of a refusal."""
        try:
            return self._once("POST", path, body, timeout)
        except Broken as error:
            if error.kind == "unreachable":
                raise self._not_sent(tried, str(error), "the Appium server is not there") from error
            silent = error.kind == "silent"
            raise self._maybe_done(tried, str(error), "the server hangs" if silent else _PROXY) from error
        except Refused as error:
            if says_session_gone(error):
                raise self._not_sent(tried, str(error), "the session is over: appium:newCommandTimeout") from error
            if says_device_server_dead(error):
                likely = "the UiAutomator2 server or WebDriverAgent on the device crashed"
                raise self._maybe_done(tried, str(error), likely) from error
            raise named(self.device, error, tried) from error

    def look(self, method: str, path: str, body: Mapping[str, Any] | None = None, *, timeout: float, tried: str) -> Any:
        """A request that only looks. Raises `DriverDead` and what `trouble.named` makes of a refusal."""
        try:
            return self.look_plain(method, path, body, timeout=timeout, tried=tried)
        except Refused as error:
            raise named(self.device, error, tried) from error

    def look_plain(
        self, method: str, path: str, body: Mapping[str, Any] | None = None, *, timeout: float, tried: str
    ) -> Any:
        """The same with a refusal as it came, as `Refused`, for whoever knows what it means."""
        ends = self._clock.now() + timeout
        while True:
            left = ends - self._clock.now()
            try:
                return self._once(method, path, body, max(left, 0.1))
            except Broken as error:
                if error.kind == "silent" or not self.patient or self._clock.now() + _AGAIN_S >= ends:
                    raise self._dead(tried, error) from error
            self._clock.sleep(_AGAIN_S)

    def end(self, timeout: float) -> None:
        """End the session, asked once: where that fails, it is over already, or nobody is left to end it."""
        with suppress(Broken, Refused):
            self._once("DELETE", "", None, timeout)

    def is_there(self, timeout: float) -> str:
        """ "" when the server answers at its address; else what it says instead."""
        try:
            value = value_of(self._send("GET", "/status", None, timeout))
        except Broken as error:
            return str(error)
        except Refused:
            return ""  # a farm that has no such command is one that answers
        return "" if not isinstance(value, dict) or value.get("ready", True) else str(value.get("message") or value)

    def _once(self, method: str, path: str, body: Mapping[str, Any] | None, timeout: float) -> Any:
        self.requests += 1
        data = None if body is None else json.dumps(body).encode()
        value = value_of(self._send(method, f"/session/{self.session}{path}", data, timeout))
        self.patient = True
        return value

    # Words

    def _not_sent(self, tried: str, seen: str, likely: str) -> NotSent:
        return NotSent(
            f"{self.device} can't be reached: {tried} was not done",
            seen=seen,
            likely=likely,
            cure="nothing was done on the device; see what is told of the recovery",
        )

    def _maybe_done(self, tried: str, seen: str, likely: str) -> MaybeDone:
        return MaybeDone(
            f"{self.device} did not confirm {tried}: maybe done",
            seen=seen,
            likely=likely,
            cure="it is never sent twice: what is on the screen now tells whether it was done",
        )

    def _dead(self, tried: str, error: Broken) -> DriverDead:
        return DriverDead(
            f"the Appium server of {self.device} does not answer: {tried}",
            seen=str(error),
            likely="it hangs, or what it runs on the device does"
            if error.kind == "silent"
            else "the server died"
            if error.kind == "unreachable"
            else _PROXY,
            cure="it is tried once more; if it stays so, start the server anew",
        )
