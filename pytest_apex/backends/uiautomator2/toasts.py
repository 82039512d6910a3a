"""Toasts: the server keeps the last one, without its time. It is taken from there before each act, so that what it
keeps later was shown since."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pytest_apex.backends.abilities import Toast
from pytest_apex.clock import Clock
from pytest_apex.errors import ActionRefused, DeviceProblem

_KEPT = 200
#: The names in front of a toast's text that some systems add: `[Saved]`.
_BRACKETS = "[]"


class Toasts:
    """`ask(method)` is a call of the server that only looks."""

    def __init__(self, ask: Callable[[str], Any], clock: Clock) -> None:
        self._ask = ask
        self._clock = clock
        self._since = clock.now()
        self._seen: list[Toast] = []

    def before_act(self) -> None:
        """Take what was shown since the last act. A server that does not answer is the act's to tell."""
        try:
            self._take()
        except (DeviceProblem, ActionRefused):
            return
        finally:
            self._since = self._clock.now()

    def since(self, at: float) -> Sequence[Toast]:
        self._take()
        return [toast for toast in self._seen if toast.at >= at]

    def _take(self) -> None:
        told = self._ask("getLastToast")
        if not told:
            return
        text = str(told)
        if text[:1] + text[-1:] == _BRACKETS:
            text = text[1:-1]
        self._seen = [*self._seen[-_KEPT:], Toast(text, self._since)]
        self._ask("clearLastToast")
