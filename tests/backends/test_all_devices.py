"""What `--device=all` stands for."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from pytest_apex.backends.choice import without_all
from pytest_apex.backends.uiautomator2 import connecting
from pytest_apex.errors import ConfigError, DeviceLost


@pytest.mark.parametrize(
    ("devices", "behind_appium", "named"),
    [
        (["all"], None, ("R58M", "R59M")),
        (["all"], (), ("R58M", "R59M")),
        (["all"], ("0000-1", "0000-2"), ("0000-1", "0000-2")),
        (["0000-2", "all"], ("0000-1", "0000-2"), ("0000-2", "0000-1")),
        (["R58M"], ("0000-1",), ("R58M",)),
    ],
)
def test_all_is_what_adb_has_or_what_the_capabilities_name(
    devices: Sequence[str],
    behind_appium: Sequence[str] | None,
    named: tuple[str, ...],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(connecting, "all_usable", lambda: (["R58M", "R59M"], []))
    assert without_all(devices, behind_appium) == (named, ())


@pytest.mark.parametrize("error", [ConfigError("none", cure="plug it in"), DeviceLost("no adb", cure="plug it in")])
@pytest.mark.parametrize(("behind_appium", "cure"), [(None, "plug it in"), ((), "name each device")])
def test_without_any_the_cure_is_that_of_the_way(
    error: ConfigError, behind_appium: Sequence[str] | None, cure: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none() -> None:
        raise type(error)(error.tried, cure=error.cure)

    monkeypatch.setattr(connecting, "all_usable", none)
    with pytest.raises(type(error)) as raised:
        without_all(["all"], behind_appium)
    assert cure in raised.value.cure
