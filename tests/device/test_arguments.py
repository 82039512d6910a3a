"""Wrong arguments are the test's mistake: told at once, with nothing looked at or sent."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pytest_apex.device.device import Device
from pytest_apex.device.examining.failure import failure_of
from pytest_apex.device.expect import expect
from pytest_apex.errors import ActionRefused, ApexError, CheckFailed, ConfigError
from pytest_apex.testing import virtual_device
from pytest_apex.verify.judge import judge

APP = "com.example.notes"


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Device]:
    with virtual_device(tmp_path_factory.mktemp("run"), app=APP) as device:
        yield device


WRONG: dict[str, Callable[[Device], Any]] = {
    "wait inf": lambda device: device.wait(math.inf),
    "wait nan": lambda device: device.wait(math.nan),
    "wait huge": lambda device: device.wait(1e300),
    "wait text": lambda device: device.wait("x"),  # type: ignore[arg-type]
    "wait less than nothing": lambda device: device.wait(-1),
    "contain nothing": lambda device: expect(device.find(id="email")).to_contain_text(""),
    "contain not nothing": lambda device: expect(device.find(id="email")).not_to_contain_text(""),
    "tap with a repeat of 1": lambda device: device.tap("Sign in", repeat=1),  # type: ignore[arg-type]
    "type a secret of words": lambda device: device.type("a", secret="no"),  # type: ignore[arg-type]
    "fill a secret of words": lambda device: device.find(id="email").fill("a", secret="no"),  # type: ignore[arg-type]
    "swipe nowhere": lambda device: device.find("Nowhere").swipe("sideways"),
    "swipe a list": lambda device: device.find("Nowhere").swipe(["up"]),  # type: ignore[arg-type]
    "type None": lambda device: device.type(None),  # type: ignore[arg-type]
    "type bytes": lambda device: device.type(b"x"),  # type: ignore[arg-type]
    "fill number": lambda device: device.find(id="email").fill(5),  # type: ignore[arg-type]
    "find nothing": lambda device: device.find(),
    "find number": lambda device: device.find(5),  # type: ignore[arg-type]
    "find empty": lambda device: device.find(""),
    "find bytes pattern": lambda device: device.find(re.compile(b"x")),  # type: ignore[arg-type]
    "find one number as a point": lambda device: device.find(point=(1,)),  # type: ignore[arg-type]
    "find text as a point": lambda device: device.find(point="ab"),  # type: ignore[arg-type]
    "find nan": lambda device: device.find(point=(math.nan, 3)),
    "find exact": lambda device: device.find("A", exact="maybe"),  # type: ignore[arg-type]
    "find within": lambda device: device.find("A", within="B"),  # type: ignore[arg-type]
    "nth": lambda device: device.find("A").nth("a"),  # type: ignore[arg-type]
    "point off the screen": lambda device: device.find(point=(-5, 99999)).tap(),
    "press a list": lambda device: device.press(["back"]),  # type: ignore[arg-type]
    "launch args": lambda device: device.launch(args="abc"),  # type: ignore[arg-type]
    "launch args numbers": lambda device: device.launch(args=[1]),  # type: ignore[list-item]
    "launch env": lambda device: device.launch(env="x"),  # type: ignore[arg-type]
    "drag to": lambda device: device.find("Sign in").drag_to("x"),  # type: ignore[arg-type]
    "hold": lambda device: device.tap("Log in", hold_ms=-1),
    "purpose": lambda device: device.tap("Log in", purpose=5),  # type: ignore[arg-type]
    "outcome": lambda device: device.press("back", expected_outcome=None),  # type: ignore[arg-type]
    "swipe": lambda device: device.swipe("sideways"),
    "duration": lambda device: device.swipe("up", duration_ms=0),
    "orientation": lambda device: device.set_orientation("sideways"),
    "condition": lambda device: bool(device.find("Nope")),
    "timeout inf": lambda device: expect(device.find("Nope")).to_be_visible(timeout=math.inf),
    "timeout text": lambda device: expect(device.find("Nope")).to_be_visible(timeout="x"),  # type: ignore[arg-type]
    "timeout zero": lambda device: expect(device.find("Nope")).to_be_visible(timeout=0),
    "text number": lambda device: expect(device.find("Sign in")).to_have_text(1),  # type: ignore[arg-type]
    "text list": lambda device: expect(device.find("Sign in")).to_contain_text(["x"]),  # type: ignore[arg-type]
    "count text": lambda device: expect(device.find("Sign in")).to_have_count("3"),  # type: ignore[arg-type]
    "count not": lambda device: expect(device.find("Sign in")).not_to_have_count(-1),
    "count below nothing": lambda device: expect(device.find("Sign in")).to_have_count(-1),
    "colour number": lambda device: expect(device.find("Log in")).to_have_color(5),  # type: ignore[arg-type]
    "colour word": lambda device: expect(device.find("Log in")).to_have_color("blueish"),
    "tolerance": lambda device: expect(device.find("Log in")).to_have_color("#0057B8", tolerance=-1),
    "expect a number": lambda device: expect(5),  # type: ignore[call-overload]
}


@pytest.mark.parametrize("name", WRONG)
def test_each_is_the_tests_own_and_costs_no_time(shared: Device, name: str) -> None:
    clock = shared.context.backend.clock
    began, state = clock.now(), shared.context.backend.app_state(APP)
    with pytest.raises(ConfigError) as raised:
        WRONG[name](shared)
    assert clock.now() - began < 1.0
    assert shared.context.backend.app_state(APP) == state
    assert judge(shared.examine(failure_of(raised.value), raised.value)).kind == "test.config"


def test_filling_what_is_no_field_touches_nothing(tmp_path: Path) -> None:
    with virtual_device(tmp_path, "virtual?fault=crash_on_tap", app=APP) as device:
        before = device.snapshot()
        with pytest.raises(ActionRefused, match="takes no text"):
            device.find(id="forgot").fill("x")
        assert device.snapshot().tree == before.tree


def test_a_state_that_a_control_can_not_have_is_the_tests_mistake(shared: Device) -> None:
    with pytest.raises(CheckFailed) as raised:
        expect(shared.find("Sign in")).to_be_checked(timeout=0.3)
    assert judge(shared.examine(failure_of(raised.value), raised.value)).kind == "test.config"


def test_a_device_kept_past_its_test(tmp_path: Path) -> None:
    with virtual_device(tmp_path, app=APP) as device:
        kept = device.find("Log in")
    for use in (kept.is_visible, kept.tap, device.snapshot, lambda: device.press("back")):
        with pytest.raises(ApexError, match="can't be used any more"):
            use()


def test_a_death_that_the_test_catches_stays_on_record(tmp_path: Path) -> None:
    with virtual_device(tmp_path, "virtual?fault=silent_exit", app=APP) as device:
        device.find(id="email").fill("ada@example.com")
        device.find(id="password").fill("x")
        device.tap("Log in")
        device.tap("Settings")
        with pytest.raises(ApexError, match="died"):
            device.tap("Log out")
        assert any(note.startswith(f"crash: {APP} died") for note in device.context.notes)
