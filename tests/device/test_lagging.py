"""A tree that does not follow its picture, from the act to the verdict; and the touch at an estimated point."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pytest_apex.device.baselines import Baselines
from pytest_apex.device.device import Device
from pytest_apex.device.examining.failure import failure_of
from pytest_apex.device.expect import expect
from pytest_apex.errors import CheckFailed
from pytest_apex.model.verdict import Outcome, Verdict
from pytest_apex.testing import virtual_device
from pytest_apex.verify.judge import judge

APP = Path(__file__).parent / "lag_app.yaml"
On = Callable[..., Device]


@pytest.fixture
def shift(tmp_path: Path) -> Iterator[On]:
    """`shift("fault=stale_tree", seconds=1.5)`: a device with the app in front."""
    with ExitStack() as stack:

        def make(options: str = "", seconds: float = 0.0) -> Device:
            app = tmp_path / "app.yaml"
            late = f", seconds: {seconds}" if seconds else ""
            app.write_text(
                APP.read_text("utf-8").replace("stale_tree: {screen: letter}", f"stale_tree: {{screen: letter{late}}}"),
                "utf-8",
            )
            spec = f"virtual:{app}?{options}".rstrip("?")
            return stack.enter_context(virtual_device(tmp_path, spec, app="com.example.shift"))

        yield make


def freeze(device: Device) -> None:
    """From now on the driver tells the tree of this moment, whatever the phone shows."""
    backend: Any = device.context.backend
    take, tree = backend.capture, backend.capture().tree
    backend.capture = lambda: replace(take(), tree=tree)


def verdict_on(device: Device, ask: Callable[[], None]) -> Verdict:
    with pytest.raises(CheckFailed) as caught:
        ask()
    return judge(device.examine(failure_of(caught.value), caught.value))


def test_a_stale_tree_is_named_and_decides(shift: On) -> None:
    device = shift("fault=stale_tree")
    step = device.tap("Open")
    assert "stale tree:" in step.note
    assert step.effect == "changed"  # the picture did
    assert [(event.what, event.recovered) for event in device.context.watch.harness] == [("stale_tree", False)]
    verdict = verdict_on(device, lambda: expect(device.find("Answer the letter")).to_be_visible())
    assert (verdict.kind, verdict.outcome) == ("transient.harness.stale_tree", Outcome.UNSURE)


def test_nothing_holds_on_a_stale_tree(shift: On) -> None:
    """The button is in the tree, and nobody sees it: unsure is never green."""
    device = shift("fault=stale_tree")
    device.tap("Open")
    verdict = verdict_on(device, lambda: expect(device.find("Keep it")).to_be_visible())
    assert verdict.kind == "transient.harness.stale_tree"
    verdict = verdict_on(device, lambda: expect(device.screen).to_have_no_defects())
    assert verdict.kind == "transient.harness.stale_tree"
    expect(device.app).to_be_running()  # the process needs no tree


def test_nothing_holds_on_a_blind_tree(shift: On, tmp_path: Path) -> None:
    """That something is hidden is what every blind tree says; and none is approved."""
    device = shift("fault=blind_tree")
    device.context.baselines = Baselines(tmp_path / "approved", "all")
    device.tap("Open")
    for ask in (
        lambda: expect(device.find("Keep it")).to_be_hidden(timeout=1),
        lambda: expect(device.find("Keep it")).to_have_count(0, timeout=1),
        lambda: expect(device.find("Keep it")).not_to_have_count(1, timeout=1),
        lambda: expect(device.screen).to_match_tree("letter", timeout=1),
        lambda: expect(device.screen).to_have_no_defects(timeout=1),
    ):
        verdict = verdict_on(device, ask)
        assert (verdict.kind, verdict.outcome) == ("transient.harness.blind_tree", Outcome.UNSURE)
    assert not (tmp_path / "approved").exists()
    assert device.snapshot().notes[0].startswith("blind tree:")
    assert "note: blind tree:" in str(device.state())


def test_a_black_picture_answers_no_question_about_colours(shift: On) -> None:
    device = shift("fault=secure_picture")
    device.tap("Open")
    answer = device.find("Answer the letter")
    expect(answer).to_be_visible()  # the tree is as good as ever
    for ask in (
        lambda: expect(answer).to_have_color("#000000", timeout=1),
        lambda: expect(device.screen).to_have_no_defects(timeout=1),
    ):
        assert verdict_on(device, ask).kind == "transient.harness.secure_image"
    assert device.snapshot().notes[0].startswith("secure picture:")


def test_a_usual_screen_has_no_note(shift: On) -> None:
    device = shift()
    assert device.snapshot().notes == ()
    assert "note:" not in str(device.state())
    expect(device.find("Answer the letter")).to_be_hidden()


def test_it_is_still_known_after_a_further_act(shift: On) -> None:
    device = shift("fault=stale_tree")
    device.tap("Open")
    step = device.perform("t 5 790")[0]
    assert "stale tree:" in step.note
    assert "no effect" not in step.note
    verdict = verdict_on(device, lambda: expect(device.find("Answer the letter")).to_be_visible(timeout=1))
    assert verdict.kind == "transient.harness.stale_tree"


def test_a_tree_that_is_late_is_waited_for(shift: On) -> None:
    device = shift("fault=stale_tree", seconds=1.5)
    step = device.tap("Open")
    assert "the tree followed" in step.note
    assert step.change is not None
    assert step.change.navigated
    expect(device.find("Answer the letter")).to_be_visible()
    assert [event.recovered for event in device.context.watch.harness] == [True]
    assert device.context.notes[0].startswith("harness.stale_tree:")


def test_it_is_over_once_another_screen_opens(shift: On) -> None:
    device = shift("fault=stale_tree")
    device.tap("Open")
    assert device.context.eyes.lag
    device.press("back")
    assert not device.context.eyes.lag
    expect(device.find("Keep it")).to_be_visible()


def test_a_tree_that_follows_is_no_trouble(shift: On) -> None:
    device = shift()
    for word in ("Show", "Open", "Answer the letter"):
        step = device.tap(word)
        assert "tree" not in step.note
    assert device.context.watch.harness == []


def test_a_failure_on_a_tree_that_stopped_following_since_the_act(shift: On) -> None:
    """The app went on by itself."""
    device = shift()
    device.tap("Soon")
    freeze(device)
    verdict = verdict_on(device, lambda: expect(device.find("Answer the letter")).to_be_visible(timeout=4))
    assert verdict.kind == "transient.harness.stale_tree"


# --- the one second touch at an estimated point --------------------------------------------------------------------


def test_the_second_touch_goes_where_the_picture_shows_the_control(shift: On) -> None:
    device = shift()
    freeze(device)
    device.tap("Show")  # pushes all down, in the picture alone
    first = device.tap("Keep it")
    assert first.effect == "none"
    assert "estimated" not in first.note
    assert first.hit is not None
    with pytest.raises(CheckFailed):
        expect(device.find("Kept")).to_be_visible()
    last = device.context.last_act
    assert last is not None
    assert last.step.hit is not None
    assert last.step.hit.why.startswith("estimated: found in the picture at")
    assert last.step.note.startswith("estimated:")
    assert last.step.hit.point.y > first.hit.area.bottom
    assert last.step.effect == "changed"
    assert any("missed_touch" in note and "estimated" in note for note in device.context.notes)


def test_where_the_tree_is_right_nothing_is_estimated(shift: On) -> None:
    for options, word in (("", "Nothing at all"), ("fault=lost_touch", "Keep it")):
        device = shift(options)
        first = device.tap(word)
        assert first.effect == "none"
        if word == "Keep it":
            expect(device.find("Kept")).to_be_visible()
        else:
            with pytest.raises(CheckFailed):
                expect(device.find("Kept")).to_be_visible()
        again = device.context.last_act
        assert again is not None
        assert again.step.named.endswith("(again)")
        assert again.step.hit is not None
        assert first.hit is not None
        assert again.step.hit.area == first.hit.area
        assert "estimated" not in again.step.note


def test_a_control_whose_look_nobody_knows_is_touched_where_the_tree_says(shift: On) -> None:
    device = shift()
    freeze(device)
    device.tap("Show")
    device.context.eyes.rested.clear()
    device.tap("Keep it")
    device.context.eyes.rested.clear()
    with pytest.raises(CheckFailed):
        expect(device.find("Kept")).to_be_visible()
    last = device.context.last_act
    assert last is not None
    assert "estimated" not in last.step.note
