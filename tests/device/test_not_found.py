"""What is said of a control that nothing fits: where it is, and how to come to it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pytest_apex.device.acting import find
from pytest_apex.device.targets import make_target
from pytest_apex.model.geometry import Insets, Rect, Size
from pytest_apex.model.node import NodeState
from pytest_apex.model.screen import Screen
from pytest_apex.model.snapshot import AppInFront, Snapshot, TreeBuilder, Window

ENABLED = int(NodeState.ENABLED)
USUAL = int(NodeState.ENABLED | NodeState.VISIBLE)


def screen(save: tuple[float, float, float, float], *, scrolls: bool = True) -> Snapshot:
    """A page of 200×400 with a button that the platform calls invisible, as Apple's do of what is below the fold."""
    builder = TreeBuilder()
    builder.window(Window(0, "com.example.page", bounds=Rect(0, 0, 200, 400), focused=True))
    builder.open("window", (0, 0, 200, 400))
    builder.open("scroll", (0, 50, 200, 400), states=USUAL | (int(NodeState.SCROLLABLE) if scrolls else 0))
    builder.leaf("text", (10, 60, 190, 90), text="Top")
    builder.leaf("button", save, text="Save", states=ENABLED)
    return Snapshot(
        "s", 0.0, builder.build(), Screen(Size(200, 400), insets=Insets()), AppInFront("com.example.page"),
        platform="ios",
    )  # fmt: skip


def test_off_the_screen_says_where_to_scroll() -> None:
    error = find.not_found(make_target("Save"), screen((10, 700, 190, 740)))
    assert error.likely == '"Save" (button at 100, 720) is in the tree, but not visible (it is off the screen)'
    assert error.cure.startswith("scroll down in ")
    assert "scroll_to" in error.cure
    assert "use 'Save'" not in error.cure


def test_on_the_screen_and_hidden_is_not_to_be_scrolled_to() -> None:
    error = find.not_found(make_target("Save"), screen((10, 100, 190, 140)))
    assert error.likely == '"Save" (button at 100, 120) is in the tree, but not visible'
    assert "not visible: do first what shows it" in error.cure


def test_scrolled_away_the_test_forgot_to_scroll_hidden_the_app_does_not_show_it() -> None:
    def near(box: tuple[float, float, float, float], **criteria: Any) -> list[str]:
        return [node.name for node in find.not_found(make_target(**criteria), screen(box)).near_misses]

    below, shown = (10, 700, 190, 740), (10, 100, 190, 140)
    for words in ({"text": "Save"}, {"role": "button"}, {"xpath": "//*[@label='Save' or @text='Save']"}):
        assert near(below, **words) == ["Save"]
        assert near(shown, **words) == []


def test_a_row_further_down_that_is_asked_for_by_its_number() -> None:
    builder = TreeBuilder()
    builder.window(Window(0, "com.example.page", bounds=Rect(0, 0, 200, 400), focused=True))
    builder.open("list", (0, 0, 200, 400), states=USUAL | int(NodeState.SCROLLABLE))
    for row in range(6):
        box = (0, row * 100, 200, row * 100 + 100)
        builder.leaf("cell", box, label=f"Row {row}", identifier="row", states=USUAL if row < 4 else ENABLED)
    look = Snapshot("s", 0.0, builder.build(), Screen(Size(200, 400)), AppInFront("com.example.page"), platform="ios")
    assert [node.name for node in find.not_found(make_target(id="row", nth=4), look).near_misses] == ["Row 4"]
    assert find.not_found(make_target(id="row", nth=9), look).near_misses == ()


def test_a_page_that_scrolls_may_have_it_further_down() -> None:
    there = screen((10, 700, 190, 740))
    assert "scroll_to" in find.not_found(make_target("Wholly other"), there).cure
    short = screen((10, 700, 190, 740), scrolls=False)
    assert find.not_found(make_target("Wholly other"), short).cure == "device.state() lists what is there"


def test_a_screen_that_is_off_is_said_first() -> None:
    there = screen((10, 700, 190, 740))
    off = replace(there, screen=replace(there.screen, awake=False))
    for words in ("Save", "top", "Wholly other"):
        error = find.not_found(make_target(words), off)
        assert error.likely.startswith("the screen is off")
        assert "wake()" in error.cure
        assert "screen is off" not in find.not_found(make_target(words), there).likely


def test_a_near_miss_that_is_seen_is_named() -> None:
    assert find.not_found(make_target("top"), screen((10, 700, 190, 740))).cure.startswith("use 'Top'")


def test_on_a_device(seeing: Any) -> None:
    device = seeing("platform=ios")
    error = find.not_found(make_target("Fourteen"), device.snapshot())
    assert "off the screen" in error.likely
    device.scroll_to("Fourteen").tap()
