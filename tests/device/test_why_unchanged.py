"""An act without effect says the one cause that applies."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_apex.device.acting import effect
from pytest_apex.device.context import LastAct
from pytest_apex.device.expect import expect
from pytest_apex.model.action import LongPress, Press, Swipe, Tap
from pytest_apex.model.change import Change
from pytest_apex.model.geometry import Point, Rect
from pytest_apex.model.look import Settled
from pytest_apex.model.node import NodeState
from pytest_apex.model.step import Step

CAUSES = ("off screen", "disabled", "covered", "stale tree", "no effect")


def cause(note: str) -> str:
    """The cause in a note; there has to be exactly one."""
    found = [word for word in CAUSES if f"{word}:" in note]
    assert len(found) == 1, note
    return found[0]


def test_truly_no_effect(seeing: Any) -> None:
    device = seeing()
    step = device.tap(device.find(id="dead"))
    assert step.effect == "none"
    assert cause(step.note) == "no effect"


def test_an_act_with_an_effect_says_nothing(seeing: Any) -> None:
    device = seeing()
    step = device.tap(device.find(id="more"))
    assert (step.effect, step.note) == ("changed", "")


def test_a_disabled_control_by_its_coordinates(seeing: Any) -> None:
    device = seeing()
    point = device.find(id="off").box.center
    (step,) = device.perform(f"t {point.x} {point.y}")
    assert cause(step.note) == "disabled"
    assert '"Off" (button' in step.note


def test_waiting_has_no_effect_and_no_cause(seeing: Any) -> None:
    step = seeing().wait(0.2)
    assert not any(f"{word}:" in step.note for word in CAUSES)


def test_a_key_without_effect_has_no_place(seeing: Any) -> None:
    device = seeing()
    assert effect.why_unchanged(device.context, Press("enter"), None, device.snapshot()).startswith("no effect:")


@pytest.mark.parametrize("action", [Tap(Point(500, 10)), Swipe(Point(-3, 10), Point(50, 10)), LongPress(Point(5, 900))])
def test_off_the_screen(seeing: Any, action: Any) -> None:
    device = seeing()
    assert effect.why_unchanged(device.context, action, None, device.snapshot()).startswith("off screen:")


def test_covered_since(seeing: Any, part: Any, as_snapshot: Any) -> None:
    """Nothing lay over it when it was found; now a layer takes the touch."""
    button = part("button", (10, 60, 190, 100), "Save", states=int(usual() | NodeState.CLICKABLE))
    veil = part("other", (0, 50, 200, 120), "Veil", states=int(usual() | NodeState.OPAQUE_TO_TOUCH))
    label = part("text", (0, 50, 200, 120), "Veil")
    before, covered, beside = as_snapshot([button]), as_snapshot([button, veil]), as_snapshot([button, label])
    tap, node, ctx = Tap(Point(100, 80)), before.nodes[1], seeing().context
    why = effect.why_unchanged(ctx, tap, node, covered)
    assert cause(why) == "covered"
    assert '"Veil"' in why
    assert cause(effect.why_unchanged(ctx, tap, node, beside)) == "no effect"


def usual() -> NodeState:
    return NodeState.ENABLED | NodeState.VISIBLE


@pytest.mark.parametrize(
    ("role", "regions", "in_tree", "expected"),
    [
        ("button", [Rect(0, 50, 200, 120)], False, "stale tree"),
        ("button", [Rect(0, 300, 200, 400)], False, "no effect"),  # the picture changed elsewhere
        ("button", [Rect(0, 50, 200, 120)], True, "no effect"),  # the tree followed
        ("image", [Rect(0, 50, 200, 120)], False, "no effect"),  # pictures change without a word in the tree
    ],
)
def test_a_tree_that_lags_behind(
    seeing: Any, part: Any, as_snapshot: Any, role: str, regions: list[Rect], in_tree: bool, expected: str
) -> None:
    shown = [part(role, (10, 60, 190, 100), "Save")]
    before, after = as_snapshot(shown), as_snapshot(shown, "look-2")
    change = Change("a", "b", appeared=("x",) if in_tree else (), pixel_ratio=0.3, regions=tuple(regions))
    ctx = seeing().context
    ctx.last_act = LastAct(Step("step-001", "tap", "tap x", settled_before=Settled(before, 0, 1), change=change))
    why = effect.why_unchanged(ctx, Tap(Point(100, 80)), after.nodes[1], after)
    assert cause(why) == expected


def test_a_nameless_layer_by_its_coordinates(seeing: Any) -> None:
    """What lies at a point is the layer itself; meant is what is under it. It stands beside what else is noted."""
    device = seeing("fault=covered_button")
    point = device.find(id="more").box.center
    (step,) = device.perform(f"t {point.x} {point.y}")
    assert step.effect == "none"
    assert cause(step.note) == "covered"
    assert step.note.startswith(f"{point}")
    assert '"More" (button' in step.note
    expect(device.find(id="badge")).to_have_text("1")
