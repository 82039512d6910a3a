"""An attribute that nothing has is refused, in words that name the verb."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from pytest_apex import Device, expect
from pytest_apex.errors import CheckFailed, ConfigError
from pytest_apex.testing import virtual_device


@pytest.fixture
def device(tmp_path: Path) -> Iterator[Device]:
    with virtual_device(tmp_path) as made:
        yield made


@pytest.mark.parametrize(
    ("owner", "name", "cure"),
    [
        ("device", "orientation", r"call set_orientation\(…\)"),
        ("device", "screen", "it is read only"),
        ("device", "tap", "it is read only"),
        ("find", "value", r"call set_value\(…\)"),
        ("find", "txt", "Locator has no attribute"),
        ("app", "installed", "AppFacet has no attribute"),
        ("screen", "size", "ScreenFacet has no attribute"),
        ("expect", "timeout", "LocatorChecks has no attribute"),
    ],
)
def test_it_is_refused(device: Device, owner: str, name: str, cure: str) -> None:
    made = {
        "device": device, "find": device.find("Save"), "app": device.app, "screen": device.screen,
        "expect": expect(device.find("Save")),
    }[owner]  # fmt: skip
    with pytest.raises(ConfigError, match=f"{name} of .*can't be set") as refused:
        setattr(made, name, "x")
    assert re.search(cure, str(refused.value))


def test_a_count_and_its_opposite(device: Device) -> None:
    device.launch("com.example.notes")
    expect(device.find("Sign in")).to_have_count(1)
    expect(device.find("Sign in")).not_to_have_count(2)
    with pytest.raises(CheckFailed, match="not to fit 1 controls") as failed:
        expect(device.find("Sign in")).not_to_have_count(1, timeout=0.1)
    assert failed.value.seen == "1 controls fit"


def test_what_can_be_set_is_set(device: Device) -> None:
    device.clipboard = "x"
    assert device.clipboard == "x"


def test_who_derives_a_class_has_attributes_of_its_own(device: Device) -> None:
    class Mine(Device):
        user = ""

    mine = Mine.__new__(Mine)
    mine.user = "Ada"
    assert mine.user == "Ada"
