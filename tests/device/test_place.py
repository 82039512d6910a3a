"""What a bare coordinate lands on: window, app and smallest control, or a refusal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from pytest_apex.device.acting.place import resolve
from pytest_apex.errors import ActionRefused
from pytest_apex.model.geometry import Point, Rect, Size
from pytest_apex.model.node import NodeState
from pytest_apex.model.screen import Screen
from pytest_apex.model.snapshot import AppInFront, Snapshot, TreeBuilder, Window

USUAL = NodeState.ENABLED | NodeState.VISIBLE
APP = "com.example.app"


def look(build: Callable[[TreeBuilder], None], screen: Screen | None = None) -> Snapshot:
    builder = TreeBuilder()
    build(builder)
    return Snapshot("look-1", 0.0, builder.build(), screen or Screen(Size(200, 400)), AppInFront(APP))


def page(builder: TreeBuilder, app: str = APP) -> None:
    """A page with a card that holds a label, and a button."""
    builder.window(Window(0, app, title="Page", bounds=Rect(0, 0, 200, 400)))
    builder.open("window", (0, 0, 200, 400))
    builder.open("card", (10, 10, 190, 100), states=int(USUAL | NodeState.CLICKABLE), identifier="card")
    builder.leaf("text", (20, 20, 100, 40), text="Label")
    builder.close()
    builder.leaf("button", (10, 200, 190, 240), text="Save", states=int(USUAL | NodeState.CLICKABLE))
    builder.close()


@pytest.mark.parametrize(
    ("x", "y", "role"),
    [
        (25, 25, "text"),
        (20, 20, "text"),
        (100, 25, "card"),  # right and bottom edges belong to what comes next
        (150, 90, "card"),
        (11, 201, "button"),
        (5, 300, "window"),
        (0, 0, "window"),
        (199.5, 399.5, "window"),
    ],
)
def test_the_smallest_control_at_the_point(x: float, y: float, role: str) -> None:
    place = resolve(look(page), Point(x, y))
    assert place.node is not None
    assert place.node.role == role
    assert (place.window.title, place.window.app) == ("Page", APP)
    assert place.hit is not None
    assert place.hit.point == Point(x, y)


def test_it_says_in_words_what_is_there() -> None:
    place = resolve(look(page), Point(25, 25))
    assert str(place) == "25, 25 is \"Label\" (text at 60, 30) in window 'Page' of com.example.app"
    assert place.named == ' on "Label" (text at 60, 30)'


def test_of_equal_ones_the_innermost() -> None:
    def build(builder: TreeBuilder) -> None:
        page(builder)
        builder.open("group", (10, 300, 60, 340))
        builder.leaf("image", (10, 300, 60, 340))
        builder.close()

    node = resolve(look(build), Point(20, 320)).node
    assert node is not None
    assert node.role == "image"


def test_an_invisible_control_is_not_there() -> None:
    def build(builder: TreeBuilder) -> None:
        page(builder)
        builder.leaf("button", (20, 20, 30, 30), text="Ghost", states=int(NodeState.ENABLED))

    node = resolve(look(build), Point(25, 25)).node
    assert node is not None
    assert node.text == "Label"


def test_the_free_part_around_the_point_is_known() -> None:
    place = resolve(look(page), Point(25, 25))
    assert place.area == Rect(20, 20, 100, 40)
    assert place.hit is not None
    assert place.hit.area == place.area


def test_the_free_part_keeps_clear_of_the_controls_inside() -> None:
    def build(builder: TreeBuilder) -> None:
        page(builder)
        builder.open("cell", (0, 300, 200, 360), states=int(USUAL | NodeState.CLICKABLE))
        builder.leaf("switch", (150, 310, 190, 350), states=int(USUAL | NodeState.CLICKABLE))
        builder.leaf("text", (10, 310, 60, 330), text="Wi-Fi")
        builder.close()

    assert resolve(look(build), Point(148, 330)).area == Rect(0, 300, 150, 360)
    assert resolve(look(build), Point(195, 330)).area == Rect(190, 300, 200, 360)
    assert resolve(look(build), Point(160, 305)).area == Rect(0, 300, 200, 310)


def test_the_free_part_keeps_clear_of_what_lies_over_a_half() -> None:
    def build(builder: TreeBuilder) -> None:
        page(builder)
        builder.window(Window(0, "com.example.keys", "keyboard", bounds=Rect(0, 220, 200, 400)))
        builder.leaf("keyboard", (0, 220, 200, 400))

    assert resolve(look(build), Point(100, 210)).area == Rect(10, 200, 190, 220)


def test_under_a_transparent_cover_no_area_is_known() -> None:
    def build(builder: TreeBuilder) -> None:
        page(builder)
        builder.leaf("other", (0, 150, 200, 400), states=int(USUAL | NodeState.OPAQUE_TO_TOUCH))

    place = resolve(look(build), Point(20, 210))
    assert place.node is not None
    assert place.node.text == "Save"
    assert place.area is None
    assert place.hit is not None
    assert place.hit.area.is_empty


@pytest.mark.parametrize("point", [Point(200, 10), Point(10, 400), Point(-0.5, 10), Point(10, -1), Point(5000, 5000)])
def test_outside_the_screen(point: Point) -> None:
    with pytest.raises(ActionRefused) as caught:
        resolve(look(page), point)
    assert caught.value.tried == f"can't touch {point}: it is outside the screen"
    assert caught.value.seen == "the screen is 200×400 (portrait)"


def test_a_screen_of_unknown_size_has_no_outside() -> None:
    assert resolve(look(page, Screen(Size(0, 0))), Point(25, 25)).node is not None


def test_a_sleeping_screen() -> None:
    snapshot = look(page, Screen(Size(200, 400), awake=False))
    with pytest.raises(ActionRefused, match="can't touch 25, 25: the screen is asleep"):
        resolve(snapshot, Point(25, 25))


def test_a_sleeping_screen_is_told_in_the_text_form() -> None:
    for awake in (True, False):
        snapshot = look(page)
        snapshot = replace(snapshot, screen=replace(snapshot.screen, awake=awake))
        assert Snapshot.from_text(snapshot.to_text()).screen == snapshot.screen


def test_no_window_at_all() -> None:
    with pytest.raises(ActionRefused) as caught:
        resolve(look(lambda builder: None), Point(25, 25))
    assert caught.value.tried == "can't touch 25, 25: no window of a known app is there"
    assert caught.value.seen == "no window at all"


def test_a_window_of_nobody_knows_whom() -> None:
    with pytest.raises(ActionRefused) as caught:
        resolve(look(lambda builder: page(builder, app="")), Point(25, 25))
    assert caught.value.seen == "windows: Page of ? [0,0][200,400]"


def test_beside_the_only_window() -> None:
    def build(builder: TreeBuilder) -> None:
        builder.window(Window(0, APP, "system", "Question", bounds=Rect(20, 100, 180, 300)))
        builder.leaf("dialog", (20, 100, 180, 300))

    assert resolve(look(build), Point(25, 150)).window.title == "Question"
    with pytest.raises(ActionRefused, match="no window of a known app"):
        resolve(look(build), Point(5, 150))


def over(kind: str) -> Callable[[TreeBuilder], None]:
    def build(builder: TreeBuilder) -> None:
        page(builder)
        builder.window(Window(0, "com.example.other", kind, "Over", bounds=Rect(0, 190, 200, 260)))
        builder.leaf("other", (0, 190, 200, 260))

    return build


@pytest.mark.parametrize("kind", ["application", "keyboard", "system", "status_bar", "dialog"])
def test_the_topmost_window_is_touched(kind: str) -> None:
    place = resolve(look(over(kind)), Point(100, 220))
    assert place.window.app == "com.example.other"
    assert place.node is not None
    assert place.node.role == "other"


def test_a_toast_lets_the_touch_through() -> None:
    place = resolve(look(over("toast")), Point(100, 220))
    assert place.window.app == APP
    assert place.node is not None
    assert place.node.text == "Save"


def test_beside_a_dialog_the_dialog_takes_the_touch() -> None:
    place = resolve(look(over("dialog")), Point(25, 25))
    assert place.window.app == "com.example.other"
    assert (place.node, place.hit, place.named) == (None, None, "")
    assert str(place) == "25, 25 is nothing listed in window 'Over' of com.example.other"


def test_beside_any_other_window_the_one_below_is_touched() -> None:
    assert resolve(look(over("keyboard")), Point(25, 25)).window.app == APP


def test_a_window_without_bounds_is_where_its_controls_are() -> None:
    def build(builder: TreeBuilder) -> None:
        page(builder)
        builder.window(Window(0, "com.example.other", "system"))
        builder.leaf("button", (10, 10, 50, 50), text="Float")

    assert resolve(look(build), Point(25, 25)).window.app == "com.example.other"
    assert resolve(look(build), Point(100, 220)).window.app == APP
