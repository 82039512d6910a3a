"""Toasts: UiAutomator2's tree holds one for a few seconds after it was shown, so each look notes it."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_apex.backends.abilities import Toast
from pytest_apex.model.snapshot import Snapshot

_CLASS = "android.widget.Toast"
#: The server drops it 3.5 s after it was shown (`NotificationListener.java`): what is seen later is another.
_LASTS_S = 3.5
_KEPT = 200


class Toasts:
    def __init__(self) -> None:
        self._seen: list[Toast] = []
        self._last = 0.0

    def note(self, snapshot: Snapshot) -> None:
        for node in snapshot.nodes:
            if node.class_name != _CLASS:
                continue
            at, newest = snapshot.taken_at, self._seen[-1] if self._seen else None
            known = newest is not None and newest.text == node.text and at - self._last < _LASTS_S
            self._last = at
            if not known:
                self._seen = [*self._seen[-_KEPT:], Toast(node.text, at, node.window.app)]

    def since(self, at: float) -> Sequence[Toast]:
        return [toast for toast in self._seen if toast.at >= at]
