"""Screens that change by themselves: what comes late is scrolled to, and a live price is no effect of a touch."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from pytest_apex.device.device import Device
from pytest_apex.device.examining.failure import failure_of
from pytest_apex.device.expect import expect
from pytest_apex.errors import CheckFailed, TargetNotFound, TargetProblem
from pytest_apex.model.verdict import Category
from pytest_apex.testing import virtual_device
from pytest_apex.verify.judge import judge

APP = """
app: com.example.late
name: Late
start: home
data:
  busy: false
  price: "19.99"
  added: []
  rows: []
  all: [One, Two, Three, Four, Five, Six, Seven, Eight, Nine, Ten, Eleven, Twelve]
faults: {lost_touch: {control: add}, dead_button: {control: add}}
screens:
  home:
    title: Late
    on_open: [{load: 2500, flag: busy, then: [{set: {rows: "{all}", price: "17.49"}}]}]
    controls:
      - {role: text, id: price, text: "Now {price}"}
      - {role: text, id: added, text: "Added: {added|count}"}
      - {role: button, id: add, text: Add, on_tap: {append: added, item: {at: add}}}
      - role: list
        id: rows
        items: rows
        as: row
        controls: [{role: cell, height: 90, controls: [{role: text, text: "{row}"}]}]
"""
On = Callable[..., Device]


@pytest.fixture
def on(tmp_path: Path) -> Iterator[On]:
    with ExitStack() as stack:

        def make(app: str = APP, options: str = "") -> Device:
            file = tmp_path / "app.yaml"
            file.write_text(app, "utf-8")
            return stack.enter_context(virtual_device(tmp_path, f"virtual:{file}?{options}", app="com.example.late"))

        yield make


@pytest.mark.parametrize("platform", ["android", "ios"])
def test_a_list_that_is_filled_while_it_is_scrolled(on: On, platform: str) -> None:
    device = on(options=f"platform={platform}")
    device.find("Twelve").scroll_into_view()
    expect(device.find("Twelve")).to_be_visible()


def test_what_never_comes_is_waited_for_once(on: On) -> None:
    device = on()
    clock = device.context.backend.clock
    began = clock.now()
    with pytest.raises(TargetNotFound):
        device.find("Thirteen").scroll_into_view()
    assert clock.now() - began < 40


@pytest.mark.parametrize("platform", ["android", "ios"])
@pytest.mark.parametrize(("swipes", "suspect"), [(1, "test"), (20, "")], ids=["too few", "to the end"])
def test_a_search_that_its_own_limit_ends_is_not_held_against_the_app(
    on: On, platform: str, swipes: int, suspect: str
) -> None:
    device = on(options=f"platform={platform}")
    with pytest.raises(TargetProblem) as raised:
        device.find("Twelve" if suspect else "Zebra").scroll_into_view(max_swipes=swipes)
    verdict = judge(device.examine(failure_of(raised.value), raised.value))
    assert (verdict.category, verdict.suspect) == (Category.FUNCTIONAL, suspect)
    assert ("limit of 1 swipe ended the search" in verdict.reason) == bool(suspect)
    assert ("max_swipes=5" in str(raised.value)) == bool(suspect)


def _live_price(device: Device) -> None:
    device.context.live_regions = lambda look: [node.bounds for node in look.nodes if node.text.startswith("Now ")]


TICKING = APP.replace('rows: "{all}", ', "")


def test_a_live_price_is_no_late_effect_of_a_lost_touch(on: On) -> None:
    device = on(TICKING, "fault=lost_touch")
    _live_price(device)
    assert device.tap("Add").effect == "none"
    expect(device.find(id="added")).to_have_text("Added: 1")
    assert any(note.startswith("transient.missed_touch") for note in device.context.notes)


def test_a_dead_button_beside_a_live_price_has_no_effect(on: On) -> None:
    device = on(TICKING, "fault=dead_button")
    _live_price(device)
    device.tap("Add")
    with pytest.raises(CheckFailed):
        expect(device.find(id="added")).to_have_text("Added: 1")
    last = device.context.last_act
    assert last is not None
    assert (last.repeated, last.step.effect) == (True, "none")


def test_what_is_not_known_to_live_may_be_the_touchs_doing(on: On) -> None:
    device = on(TICKING, "fault=lost_touch")
    device.tap("Add")
    with pytest.raises(CheckFailed):
        expect(device.find(id="added")).to_have_text("Added: 1")
    assert any(note.endswith("not touched again") for note in device.context.notes)
