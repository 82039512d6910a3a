"""Toasts: the server keeps the last one, without its time. It is taken from there before each act, so that what it
keeps later was shown since."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_apex.backends.abilities import Toast
from pytest_apex.backends.uiautomator2.channel import Channel
from pytest_apex.backends.uiautomator2.rpc import RpcError
from pytest_apex.clock import Clock
from pytest_apex.errors import DriverDead

_KEPT = 200
#: The names in front of a toast's text that some systems add: `[Saved]`.
_BRACKETS = "[]"


class Toasts:
    def __init__(self, channel: Channel, clock: Clock, limit: float) -> None:
        self._channel = channel
        self._clock = clock
        self._limit = limit
        self._since = clock.now()
        self._seen: list[Toast] = []

    def before_act(self) -> None:
        """Take what was shown since the last act. A server that does not answer is the act's to tell."""
        try:
            self._take()
        except (DriverDead, RpcError):
            return
        finally:
            self._since = self._clock.now()

    def since(self, at: float) -> Sequence[Toast]:
        self._take()
        return [toast for toast in self._seen if toast.at >= at]

    def _take(self) -> None:
        told = self._channel.look("getLastToast", timeout=self._limit)
        if not told:
            return
        text = str(told)
        if text[:1] + text[-1:] == _BRACKETS:
            text = text[1:-1]
        self._seen = [*self._seen[-_KEPT:], Toast(text, self._since)]
        self._channel.look("clearLastToast", timeout=self._limit)
