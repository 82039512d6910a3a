"""Hit points: where a finger lands, or who keeps it from landing."""

from __future__ import annotations

import random
from typing import Any

import pytest

from pytest_apex.hierarchy.free import largest_free
from pytest_apex.hierarchy.hit import find_hit
from pytest_apex.model.geometry import Insets, Point, Rect, Size
from pytest_apex.model.look import Hit, Obscured
from pytest_apex.model.node import NodeState
from pytest_apex.model.screen import Screen
from pytest_apex.model.snapshot import AppInFront, Snapshot, TreeBuilder, Window

TAP = NodeState.CLICKABLE


def hit_of(snapshot: Snapshot, index: int) -> Hit:
    found = find_hit(snapshot, snapshot.nodes[index])
    assert isinstance(found, Hit), found
    return found


def refusal_of(snapshot: Snapshot, index: int) -> Obscured:
    found = find_hit(snapshot, snapshot.nodes[index])
    assert isinstance(found, Obscured), found
    return found


def test_the_middle_of_a_free_control_in_whole_units(shot: Any, node: Any) -> None:
    snapshot = shot(node("button", (10, 20, 51, 41), more=TAP))
    hit = hit_of(snapshot, 0)
    assert hit.point == Point(30, 30)
    assert hit.area == Rect(10, 20, 51, 41)


def test_a_list_under_a_frame_is_touched_beside_it(shot: Any, node: Any) -> None:
    """Its middle is the frame's."""
    rows = node("list", (0, 341, 1080, 446), identifier="chips", more=NodeState.SCROLLABLE | TAP)
    frame = node("group", (436, 341, 583, 446), more=TAP)
    wide = shot(rows, frame, size=Size(1080, 2400))
    hit = hit_of(wide, 0)
    assert rows_hold(hit.point, 0, 436) or rows_hold(hit.point, 583, 1080)
    over = node("group", (0, 341, 1080, 446), label="Banner", more=TAP)
    refusal = refusal_of(shot(rows, over, size=Size(1080, 2400)), 0)
    assert "Banner" in str(refusal.by)


def rows_hold(point: Point, left: float, right: float) -> bool:
    return left < point.x < right and 341 < point.y < 446


def test_a_sliver_between_whole_units_is_touched_in_its_middle(shot: Any, node: Any) -> None:
    assert hit_of(shot(node("button", (10.25, 20, 10.75, 40), more=TAP)), 0).point == Point(10.5, 30)


def test_the_larger_free_part_beside_a_later_control(shot: Any, node: Any) -> None:
    snapshot = shot(node("list", (0, 0, 100, 20), more=TAP), node("button", (0, 0, 40, 20), more=TAP))
    assert hit_of(snapshot, 0).area == Rect(40, 0, 100, 20)


@pytest.mark.parametrize("state", [TAP, NodeState.EDITABLE, NodeState.OPAQUE_TO_TOUCH, NodeState.CHECKABLE])
def test_a_later_control_that_takes_touches_covers(shot: Any, node: Any, state: NodeState) -> None:
    snapshot = shot(node("button", (10, 10, 50, 50), more=TAP), node("other", (0, 0, 90, 90), more=state, label="veil"))
    refusal = refusal_of(snapshot, 0)
    assert (refusal.why, refusal.by) == ("covered", snapshot.nodes[1])
    assert 'covered by "veil"' in str(refusal)


@pytest.mark.parametrize(
    ("role", "more", "less"),
    [
        ("text", NodeState(0), NodeState(0)),  # only drawn: the touch goes through
        ("scroll", NodeState.SCROLLABLE, NodeState(0)),  # Compose lists it after the bars drawn over it
        ("button", TAP, NodeState.VISIBLE),  # not there
    ],
)
def test_what_takes_no_touch_does_not_cover(shot: Any, node: Any, role: str, more: Any, less: Any) -> None:
    snapshot = shot(node("button", (10, 10, 50, 50), more=TAP), node(role, (0, 0, 90, 90), more=more, less=less))
    assert hit_of(snapshot, 0).point == Point(30, 30)


def test_an_earlier_control_and_the_one_around_it_do_not_cover(shot: Any, node: Any) -> None:
    snapshot = shot(
        node("other", (0, 0, 90, 90), more=TAP),
        node("cell", (0, 0, 90, 90), node("button", (10, 10, 50, 50), more=TAP), more=TAP),
    )
    assert hit_of(snapshot, 2).point == Point(30, 30)


def test_a_row_is_touched_beside_the_button_in_it(shot: Any, node: Any) -> None:
    row = node(
        "cell", (0, 0, 100, 20), node("text", (0, 0, 50, 20)), node("button", (40, 0, 100, 20), more=TAP), more=TAP
    )
    assert hit_of(shot(row), 0).area == Rect(0, 0, 40, 20)


def test_a_container_filled_by_its_own_controls_is_touched_through_them(shot: Any, node: Any) -> None:
    row = node("cell", (0, 0, 100, 20), node("button", (0, 0, 100, 20), more=TAP), more=TAP)
    hit = hit_of(shot(row), 0)
    assert hit.point == Point(50, 10)
    assert "its own controls" in hit.why


def test_a_scrolling_container_clips(shot: Any, node: Any) -> None:
    inside = node("button", (0, 40, 100, 80), more=TAP)
    assert hit_of(shot(node("scroll", (0, 0, 100, 50), inside)), 1).area == Rect(0, 40, 100, 50)
    assert hit_of(shot(node("group", (0, 0, 100, 50), inside)), 1).area == Rect(0, 40, 100, 80)


def test_off_the_screen_says_where_to_scroll(shot: Any, node: Any) -> None:
    below = node("button", (0, 240, 100, 280), more=TAP)
    refusal = refusal_of(shot(node("list", (0, 0, 100, 200), below, label="Rows")), 1)
    assert (refusal.why, refusal.how) == ("off_screen", 'scroll down in "Rows" (list at 50, 100)')
    assert "nothing around it scrolls" in refusal_of(shot(below), 0).how


def test_no_area_hidden_and_remote_are_told_apart(shot: Any, node: Any) -> None:
    snapshot = shot(
        node("button", (50, 10, 10, 50)),
        node("button", (0, 0, 0, 0), less=NodeState.VISIBLE),
        node("button", (0, 0, 50, 50), less=NodeState.VISIBLE),
        node("other", (0, 0, 50, 50), node("button", (0, 0, 50, 50)), more=NodeState.REMOTE),
        node("button", (float("nan"), 0, 50, float("inf"))),
    )
    whys = [refusal_of(snapshot, index).why for index in range(6)]
    assert whys == ["no_area", "no_area", "hidden", "remote", "remote", "no_area"]


@pytest.mark.parametrize(
    ("kind", "bounds", "covered"),
    [
        ("dialog", Rect(20, 150, 80, 190), True),  # modal: takes the touches beside it too
        ("keyboard", Rect(0, 0, 100, 100), True),
        ("application", Rect(0, 0, 100, 200), True),
        ("toast", Rect(0, 0, 100, 200), False),  # lets touches through
        ("keyboard", Rect(0, 100, 100, 200), False),
    ],
)
def test_later_windows(shot: Any, node: Any, kind: str, bounds: Rect, covered: bool) -> None:
    snapshot = shot(
        Window(0, "com.example.notes", bounds=Rect(0, 0, 100, 200)),
        node("button", (10, 10, 50, 50), more=TAP),
        Window(0, "com.android.settings", kind=kind, bounds=bounds),
        node(
            "group",
            (bounds.left, bounds.top, bounds.right, bounds.bottom),
            node("text", (30, 160, 50, 170), text="Allow?"),
        ),
    )
    if not covered:
        assert hit_of(snapshot, 0).point == Point(30, 30)
        return
    refusal = refusal_of(snapshot, 0)
    assert refusal.why == "covered"
    assert refusal.by is not None
    assert refusal.by.window.app == "com.android.settings"
    assert (refusal.how == "hide the keyboard") is (kind == "keyboard")


def test_a_dialog_inside_the_window_covers_what_is_beside_it_but_not_its_own_button(shot: Any, node: Any) -> None:
    snapshot = shot(
        node("button", (0, 0, 20, 20), more=TAP),
        node("alert", (20, 80, 80, 120), node("button", (30, 90, 50, 110), more=TAP), label="Sure?"),
        node("button", (60, 150, 90, 180), more=TAP),
    )
    assert refusal_of(snapshot, 0).by == snapshot.nodes[1]
    assert hit_of(snapshot, 2).point == Point(40, 100)
    assert hit_of(snapshot, 3).point == Point(75, 165)


def test_system_bars_are_avoided_where_another_part_is_free(shot: Any, node: Any) -> None:
    bars = Insets(0, 20, 0, 20)
    tall = shot(node("list", (0, 0, 100, 60), more=TAP), insets=bars)
    assert hit_of(tall, 0).area == Rect(0, 20, 100, 60)
    under = shot(node("button", (0, 0, 100, 20), more=TAP), insets=bars)
    assert hit_of(under, 0).point == Point(50, 10)


def test_an_unknown_screen_clips_nothing(shot: Any, node: Any) -> None:
    snapshot = shot(Window(0, "app"), node("button", (300, 500, 340, 520), more=TAP), size=Size(0, 0))
    assert hit_of(snapshot, 0).point == Point(320, 510)


def test_a_chain_of_ten_thousand_and_a_wall_of_tiles(shot: Any) -> None:
    chain = TreeBuilder()
    for _ in range(10_000):
        chain.open("button", (0, 0, 100, 200), states=int(NodeState.VISIBLE | TAP))
    deep = Snapshot("s", 0.0, chain.build(), Screen(Size(100, 200)), AppInFront("a"))
    assert {hit_of(deep, index).point for index in (0, 5_000, 9_999)} == {Point(50, 100)}

    tiles = TreeBuilder()
    tiles.open("group", (0, 0, 1000, 2000), states=int(NodeState.VISIBLE | TAP))
    for at in range(5_000):
        x, y = at % 50 * 20, at // 50 * 20
        tiles.leaf("button", (x, y, x + 20, y + 20 - (at == 4_321)), states=int(NodeState.VISIBLE | TAP))
    flat = Snapshot("s", 0.0, tiles.build(), Screen(Size(1000, 2000)), AppInFront("a"))
    assert all(
        hit_of(flat, at + 1).point == Point(at % 50 * 20 + 10, at // 50 * 20 + (9 if at == 4_321 else 10))
        for at in range(5_000)
    )
    assert hit_of(flat, 0).area == Rect(420, 1739, 440, 1740)


# --- the largest free rectangle -------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(20))
def test_the_largest_free_rectangle_is_the_largest(seed: int) -> None:
    rng = random.Random(seed)
    size = 9
    for _ in range(10):
        covers = []
        for _ in range(rng.randrange(0, 7)):
            left, top = rng.randrange(0, size), rng.randrange(0, size)
            covers.append((left, top, left + rng.randrange(0, 5), top + rng.randrange(0, 5)))
        free = {(x, y) for x in range(size) for y in range(size)}
        free -= {(x, y) for c in covers for x in range(c[0], c[2]) for y in range(c[1], c[3])}
        spans = [(a, b) for a in range(size) for b in range(a + 1, size + 1)]
        best = max(
            (
                (right - left) * (bottom - top)
                for left, right in spans
                for top, bottom in spans
                if all((x, y) in free for x in range(left, right) for y in range(top, bottom))
            ),
            default=0,
        )
        found = largest_free((0, 0, size, size), covers)
        area = 0 if found is None else (found[2] - found[0]) * (found[3] - found[1])
        assert area == best


def test_many_covers_leave_the_one_gap(shot: Any) -> None:
    covers = [(x, y, x + 1, y + 1) for x in range(40) for y in range(40) if (x, y) != (17, 23)]
    assert largest_free((0, 0, 40, 40), covers) == (17, 23, 18, 24)
    assert largest_free((0, 0, 40, 40), [*covers, (17, 23, 18, 24)]) is None
