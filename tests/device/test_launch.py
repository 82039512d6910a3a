"""Launching: when an app is up, and what a launch is not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pytest_apex.device.device import Device
from pytest_apex.device.examining.failure import failure_of
from pytest_apex.device.expect import expect
from pytest_apex.errors import CheckFailed
from pytest_apex.settings import App, Settings
from pytest_apex.testing import virtual_device
from pytest_apex.verify.judge import judge

SMALL = """
app: com.example.small
name: Small
start: only
screens:
  only:
    title: Small
    controls:
      - {role: text, text: Hello}
"""


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Device]:
    path = tmp_path / "small.yaml"
    path.write_text(SMALL, "utf-8")
    with virtual_device(tmp_path / "run", f"virtual:{path}", app="com.example.small") as device:
        yield device


def test_a_first_screen_with_two_words_is_up_at_once(small: Device) -> None:
    assert small.context.backend.clock.now() < 5
    expect(small.find("Hello")).to_be_visible()


def test_a_first_screen_with_one_word_is_up_after_its_grace(tmp_path: Path) -> None:
    path = tmp_path / "tiny.yaml"
    path.write_text(SMALL.replace("    title: Small\n", ""), "utf-8")
    with virtual_device(tmp_path / "run", f"virtual:{path}", app="com.example.small") as device:
        assert device.context.settings.timeouts.launch > 15
        assert device.context.backend.clock.now() < 15


def test_a_first_screen_that_stays_blank_at_rest_is_a_defect_of_the_app(tmp_path: Path) -> None:
    path = tmp_path / "empty.yaml"
    path.write_text(SMALL + "faults:\n  blank: {screen: only}\n", "utf-8")
    with virtual_device(tmp_path / "run", f"virtual:{path}?fault=blank") as device:
        with pytest.raises(CheckFailed, match="its window showed nothing within 30") as raised:
            device.launch("com.example.small")
        verdict = judge(device.examine(failure_of(raised.value), raised.value))
    assert verdict.kind == "visual.blank", verdict


def test_what_is_missing_right_after_a_launch_was_not_led_away_from(small: Device) -> None:
    with pytest.raises(CheckFailed) as raised:
        expect(small.find("Nothing like it")).to_be_visible(timeout=0.5)
    verdict = judge(small.examine(failure_of(raised.value), raised.value))
    assert verdict.kind == "functional.missing_element"


def test_soft_failures_tell_their_lines_together(small: Device) -> None:
    for name in ("One", "Two"):
        expect.soft(small.find(name)).to_be_visible(timeout=0.2)
    with pytest.raises(
        CheckFailed, match=r"2 soft checks failed\n1\. .*test_launch\.py:\d+\n2\. .*test_launch\.py:\d+"
    ):
        small.raise_soft()
    small.raise_soft()


def test_each_soft_failure_tells_what_it_saw(small: Device) -> None:
    expect.soft(small.find("Nowhere")).to_be_visible(timeout=0.2)
    expect.soft(small.find("Hello")).to_have_text("Bye", timeout=0.2)
    with pytest.raises(CheckFailed) as raised:
        small.raise_soft()
    lines = raised.value.seen.splitlines()
    assert lines[0].startswith('1. "Small" (text at ')
    assert lines[1:] == ["2. its text is 'Hello'"]


@pytest.mark.parametrize(("policy", "camera"), [("allow", "deny"), ("report", "allow")])
def test_a_permission_of_its_own(tmp_path: Path, policy: str, camera: str, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings(app=App(permissions=policy, permission_of={"camera": camera}))
    given: list[tuple[str, bool]] = []
    with virtual_device(tmp_path, settings=settings) as device:
        backend = device.context.backend
        monkeypatch.setattr(backend, "set_permission", lambda _app, name, grant: given.append((name, grant)))
        device.launch("com.example.notes")
    all_first = [("*", True)] if policy == "allow" else []
    assert given == [*all_first, ("camera", camera == "allow")]
