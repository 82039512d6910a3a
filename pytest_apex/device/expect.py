"""`expect(…)`: checks that wait by themselves and say what was tried, seen, likely, and what to try."""

from __future__ import annotations

from typing import Any, overload

from pytest_apex.device.app import AppFacet
from pytest_apex.device.checking.expect_device import DeviceChecks
from pytest_apex.device.checking.expect_locator import LocatorChecks
from pytest_apex.device.checking.expect_screen import AppChecks, ScreenChecks
from pytest_apex.device.checking.expect_step import StepChecks
from pytest_apex.device.device import Device
from pytest_apex.device.facets import ScreenFacet
from pytest_apex.device.locator import Locator
from pytest_apex.errors import ConfigError
from pytest_apex.model.step import Step


class Expect:
    """`expect(device.find("Save")).to_be_visible()`; `expect.soft(…)` collects, and raises at the end of the test."""

    @overload
    def __call__(self, subject: Locator) -> LocatorChecks: ...
    @overload
    def __call__(self, subject: ScreenFacet) -> ScreenChecks: ...
    @overload
    def __call__(self, subject: AppFacet) -> AppChecks: ...
    @overload
    def __call__(self, subject: Step) -> StepChecks: ...
    @overload
    def __call__(self, subject: Device) -> DeviceChecks: ...
    def __call__(self, subject: Any) -> Any:
        return self._checks(subject, soft=False)

    @overload
    def soft(self, subject: Locator) -> LocatorChecks: ...
    @overload
    def soft(self, subject: ScreenFacet) -> ScreenChecks: ...
    @overload
    def soft(self, subject: AppFacet) -> AppChecks: ...
    @overload
    def soft(self, subject: Step) -> StepChecks: ...
    @overload
    def soft(self, subject: Device) -> DeviceChecks: ...
    def soft(self, subject: Any) -> Any:
        """The same checks; a failure is kept, the test goes on, and all are raised together at its end."""
        return self._checks(subject, soft=True)

    def _checks(self, subject: Any, *, soft: bool) -> Any:
        makers: tuple[tuple[type, Any], ...] = (
            (Locator, LocatorChecks),
            (ScreenFacet, ScreenChecks),
            (AppFacet, AppChecks),
            (Step, StepChecks),
            (Device, DeviceChecks),
        )
        for kind, checks_of in makers:
            if isinstance(subject, kind):
                return checks_of(subject, soft)
        raise ConfigError(
            f"expect() can't check a {type(subject).__name__}",
            seen=repr(subject)[:120],
            cure='expect(device.find("…")), expect(device.screen), expect(device.app), expect(device) or '
            "expect(step); "
            "for plain values use assert",
        )


expect = Expect()
