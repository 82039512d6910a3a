"""`expect(step)`: what a step may change, and that nothing else did."""

from __future__ import annotations

import re
from typing import Any

import pytest

from pytest_apex.device.examining.failure import failure_of
from pytest_apex.device.expect import expect
from pytest_apex.device.looking import changes
from pytest_apex.device.looking.changes import May
from pytest_apex.errors import CheckFailed, ConfigError, TargetAmbiguous, TargetNotFound
from pytest_apex.model.action import Tap
from pytest_apex.model.geometry import Point, Rect
from pytest_apex.model.look import Settled, Unsettled
from pytest_apex.model.node import NodeState
from pytest_apex.model.step import Step
from pytest_apex.verify.judge import judge

CLOCK = NodeState.ENABLED | NodeState.VISIBLE | NodeState.LIVE


def failed(check: Any) -> CheckFailed:
    with pytest.raises(CheckFailed) as caught:
        check()
    return caught.value


# --- on the phone ---------------------------------------------------------------------------------------------------


def test_only_the_badge(seeing: Any) -> None:
    """While a clock ticks beside it."""
    device = seeing()
    step = device.tap(device.find(id="more"))
    expect(step).to_change_only("badge")
    expect(step).to_change_only(device.find(id="badge"))
    expect(step).to_change_only("Wi-Fi", re.compile("^[12]$"))


def test_it_prints_itself_in_one_line(seeing: Any) -> None:
    """As a failing `assert` shows it."""
    step = seeing().tap("More")
    assert repr(step) == f'<{step.id} tap "More": {step.change}>'
    assert repr(step.after) == f"<snapshot {step.after.id} of com.example.seeing: {len(step.after)} nodes>"


def test_something_else_changed_as_well(seeing: Any) -> None:
    device = seeing()
    step = device.tap(device.find(id="both"))
    error = failed(lambda: expect(step).to_change_only("badge"))
    assert error.seen == '"wifi" (switch) checked: False → True'
    assert error.tried == f"expected {step.id} tap id='both' to change only \"badge\""
    assert error.failure.kind == "functional.wrong_state"
    assert judge(device.examine(failure_of(error), error)).kind == "functional.wrong_state"
    expect(step).to_change_only("badge", "wifi")
    expect(step).to_change_only("badge", "network")  # what is in a row may change with the row


def test_nothing(seeing: Any) -> None:
    device = seeing()
    expect(device.tap(device.find(id="dead"))).to_change_nothing()
    error = failed(lambda: expect(device.tap(device.find(id="more"))).to_change_nothing())
    assert error.seen == "\"1\" (text) text: '1' → '2'"


def test_pixels_alone(seeing: Any) -> None:
    device = seeing()
    step = device.tap(device.find(id="shade"))
    error = failed(lambda: expect(step).to_change_only("badge"))
    assert error.failure.kind == "visual.changed"
    assert error.failure.needs == "picture"
    assert "pixels changed in" in error.seen
    assert judge(device.examine(failure_of(error), error)).kind == "visual.changed"


def test_scrolling_and_another_screen(seeing: Any) -> None:
    device = seeing()
    swiped = device.swipe("up")
    assert re.match(r"scrolled: scroll at 180, 428 down by \d+(;|$)", str(swiped.change))
    scrolled = failed(lambda: expect(swiped).to_change_only("badge"))
    assert re.search(r"scrolled down by \d+$", scrolled.seen, re.MULTILINE)
    device.swipe("down")
    opened = failed(lambda: expect(device.tap(device.find(id="settings"))).to_change_nothing())
    assert opened.seen.startswith("another screen is shown\n")
    assert opened.seen.count("\n") <= 8


def test_a_name_that_nothing_has_and_one_that_two_have(seeing: Any) -> None:
    device = seeing()
    step = device.tap(device.find(id="more"))
    with pytest.raises(TargetNotFound, match="no control fits") as caught:
        expect(step).to_change_only("Feedbak")
    assert "Feedback" in str(caught.value.near_misses[0])
    with pytest.raises(TargetAmbiguous):
        expect(step).to_change_only(device.find(role="switch"))
    with pytest.raises(ConfigError):
        expect(step).to_change_only()
    with pytest.raises(ConfigError):
        expect(step).to_change_only(5)


def test_softly_and_on_record(seeing: Any) -> None:
    device = seeing()
    step = device.tap(device.find(id="more"))
    expect.soft(step).to_change_nothing()
    assert len(device.soft_failures) == 1
    with pytest.raises(CheckFailed, match="to change nothing"):
        device.raise_soft()
    assert not device.context.last_act.confirmed
    expect(step).to_change_only("badge")
    assert device.context.last_act.confirmed


# --- on scripted looks ----------------------------------------------------------------------------------------------


def step_of(before: Any, after: Any, *, moving: bool = False) -> Step:
    looks: dict[str, Any] = {
        "settled_before": Settled(before, 0, 1),
        "settled_after": Unsettled(after, 9, 9, "animating", ("card",)) if moving else Settled(after, 0, 1),
    }
    return Step("step-001", "tap", "tap x", action=Tap(Point(1, 1)), **looks)


def test_pixels_outside_of_what_may_change(part: Any, still: Any, as_snapshot: Any) -> None:
    badge = part("text", (100, 200, 140, 230), "1", "#112233", identifier="badge")
    other = part("text", (100, 200, 140, 230), "2", "#aabbcc", identifier="badge")
    near = part("image", (140, 200, 160, 230), color="#00ff00")  # touches the badge
    redrawn = part("image", (140, 200, 160, 230), color="#00ee00")
    before = as_snapshot([*still, badge, near])
    expect(step_of(before, as_snapshot([*still, other, near]))).to_change_only("badge")
    error = failed(lambda: expect(step_of(before, as_snapshot([*still, other, redrawn]))).to_change_only("badge"))
    assert error.failure.kind == "visual.changed"
    assert [finding.box for finding in error.failure.findings] == [Rect(141, 200, 160, 230)]


def test_what_lives_by_itself(part: Any, still: Any, as_snapshot: Any) -> None:
    def show(text: str, color: str, states: NodeState = CLOCK) -> Any:
        return as_snapshot([*still, part("text", (100, 200, 180, 230), text, color, states=int(states))])

    expect(step_of(show("Sync 1 of 3", "#111111"), show("Sync 2 of 3", "#222222"))).to_change_nothing()
    expect(step_of(show("12:01", "#111111", CLOCK), show("12:02", "#222222", CLOCK))).to_change_nothing()
    plain = NodeState.ENABLED | NodeState.VISIBLE
    twin = step_of(show("Sync 1 of 3", "#111111", plain), show("Sync 2 of 3", "#222222", plain))
    assert failed(lambda: expect(twin).to_change_nothing()).failure.kind == "functional.wrong_state"


def test_a_row_that_repeats_the_words_of_what_is_in_it(part: Any, as_snapshot: Any) -> None:
    """iOS writes the labels of a row's parts into the row's own label."""
    from pytest_apex.model.geometry import Size
    from pytest_apex.model.screen import Screen
    from pytest_apex.model.snapshot import AppInFront, Snapshot, TreeBuilder

    def row(count: str, name: str = "Inbox") -> Snapshot:
        builder = TreeBuilder()
        builder.open("cell", (0, 0, 100, 40), label=f"{name}, {count} unread", identifier="row")
        builder.leaf("text", (0, 0, 50, 40), text=name)
        builder.leaf("text", (50, 0, 100, 40), text=f"{count} unread", identifier="badge")
        return Snapshot("s", 0.0, builder.build(), Screen(Size(100, 40)), AppInFront("a"))

    before, after, renamed = row("3"), row("4"), row("4", "Spam")
    may = May((before.nodes[2],), (after.nodes[2],))
    assert changes.changed_controls(before, after, may) == []
    may = May((before.nodes[2],), (renamed.nodes[2],))
    assert len(changes.changed_controls(before, renamed, may)) == 2


def test_a_screen_that_was_not_at_rest_and_a_step_without_looks(still: Any, part: Any, as_snapshot: Any) -> None:
    moving = step_of(as_snapshot(still), as_snapshot([*still, part("card", (0, 200, 50, 250), "Promo")]), moving=True)
    error = failed(lambda: expect(moving).to_change_nothing())
    assert error.unsettled is not None
    assert "not at rest" in error.likely
    with pytest.raises(ConfigError, match="no looks"):
        expect(Step("step-001", "tap", "tap x")).to_change_nothing()


def test_without_a_picture_nobody_can_tell(still: Any, as_snapshot: Any) -> None:
    from dataclasses import replace

    look = replace(as_snapshot(still), picture=None)
    assert failed(lambda: expect(step_of(look, look)).to_change_nothing()).failure.kind == "unsure.no_picture"


@pytest.mark.parametrize("name", ["", 5, None, ["badge"], b"badge", re.compile(b"badge")])
def test_what_is_no_name_is_refused_in_the_words_of_the_check(seeing: Any, name: Any) -> None:
    device = seeing()
    step = device.tap(device.find(id="more"))
    with pytest.raises(ConfigError, match=r"to_change_only\(\) takes names"):
        expect(step).to_change_only("badge", name)
