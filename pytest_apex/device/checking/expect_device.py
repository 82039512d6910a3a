"""Checks on the device as a whole."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from pytest_apex.backends.abilities import ShowsToasts, Toast
from pytest_apex.device.checking.expect_base import Checks, Text, shown, whole
from pytest_apex.device.checking.waiting import Answer, Question
from pytest_apex.device.context import Context
from pytest_apex.device.doors import door
from pytest_apex.hierarchy.near import alike
from pytest_apex.model.snapshot import Snapshot


class _Device(Protocol):
    """The device, as far as its checks ask it."""

    @property
    def context(self) -> Context: ...


class DeviceChecks(Checks):
    """Checks on the device as a whole."""

    def __init__(self, device: _Device, soft: bool) -> None:
        super().__init__(device.context, soft)

    def to_have_toast(self, text: Text, *, timeout: float | None = None) -> None:
        """A toast said exactly this (or what a pattern matches as a whole) since the last step began, also if it is
        gone by now. `CapabilityMissing` on a device without toasts."""
        claim = f"a toast {shown(text)}"
        reader = door(self._ctx, ShowsToasts, "toast", "show toasts")

        def ask(_: Snapshot) -> Answer:
            toasts = self._toasts(reader)
            near = tuple(toast.text for toast in toasts if isinstance(text, str) and alike(text, toast.text))
            holds = any(whole(text, toast.text) for toast in toasts)
            return Answer(holds, _told(toasts), "functional.missing_element", near_misses=near)

        self._check(Question(claim, ask, target=claim), timeout)

    def not_to_have_toast(self, text: Text, *, timeout: float | None = None) -> None:
        """No toast has said this since the last step began."""
        claim = f"no toast {shown(text)}"
        reader = door(self._ctx, ShowsToasts, "toast", "show toasts")

        def ask(_: Snapshot) -> Answer:
            toasts = self._toasts(reader)
            found = any(whole(text, toast.text) for toast in toasts)
            return Answer(not found, _told(toasts), "functional.wrong_state", sure=found)

        self._check(Question(claim, ask, target=claim), timeout)

    def _toasts(self, reader: ShowsToasts) -> Sequence[Toast]:
        """Those since the last step began; before the first one, since the test did."""
        last, events = self._ctx.last_act, self._ctx.watch.processes
        began = events[0].at if events else 0.0
        return reader.toasts(last.step.started if last is not None else began)


def _told(toasts: Sequence[Toast]) -> str:
    """What there was instead."""
    said = ", ".join(repr(toast.text) for toast in toasts)
    return f"since the step began: {said}" if said else "no toast since the step began"
