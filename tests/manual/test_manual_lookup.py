"""Asking a manual about a screen: each answer, and the screen on which it is another."""

from __future__ import annotations

from datetime import date

import pytest

from pytest_apex.manual import lookup
from pytest_apex.manual.load import load_manual
from pytest_apex.model.geometry import Rect, Size
from pytest_apex.model.manual import Manual
from pytest_apex.model.screen import Screen
from pytest_apex.model.snapshot import AppInFront, Snapshot, TreeBuilder, Window

APP = "com.example.notes"
SCREEN = Screen(Size(400, 800))
#: The app's window, below the status bar.
WINDOW = Rect(0, 50, 400, 800)


def manual(text: str) -> Manual:
    return load_manual(f"match: {{bundleId: {APP}}}\n{text}", "manuals/notes.yaml")


def screen(*texts: str, ids: tuple[str, ...] = ()) -> Snapshot:
    """A screen with these texts, one below the other, and icons with these ids."""
    builder = TreeBuilder()
    builder.window(Window(0, APP, bounds=WINDOW, focused=True))
    builder.open("group", WINDOW)
    for row, text in enumerate(texts):
        builder.leaf("text", Rect(0, 100 + 40 * row, 200, 130 + 40 * row), text=text)
    for row, identifier in enumerate(ids):
        builder.leaf("button", Rect(200, 100 + 40 * row, 400, 130 + 40 * row), identifier=identifier)
    return Snapshot("s", 0, builder.build(), SCREEN, AppInFront(APP, 1, "Notes", version="1.4"))


def names(nodes: object) -> list[str]:
    return [node.text or node.identifier for node in nodes]  # type: ignore[attr-defined]


CONTROLS = "controls: {save: {id: [save, saveButton], label: S, text: Save, aliases: [keep it]}}"


@pytest.mark.parametrize(
    ("shown", "meant"),
    [
        (screen("Save", ids=("save",)), ["save"]),  # the surest way first
        (screen("Save", ids=("saveButton",)), ["saveButton"]),
        (screen("Save", ids=("other",)), ["Save"]),
        (screen("Cancel", ids=("other",)), []),
    ],
)
def test_a_name_means_what_the_first_of_its_ways_finds(shown: Snapshot, meant: list[str]) -> None:
    (control,) = manual(CONTROLS).controls
    assert names(lookup.nodes_of(control, shown)) == meant


@pytest.mark.parametrize(
    ("word", "name"), [("save", "save"), ("SAVE", "save"), ("Keep  it", "save"), ("sav", ""), ("", "")]
)
def test_a_control_is_called_by_its_name_or_alias_in_any_case(word: str, name: str) -> None:
    found = lookup.control_called(manual(CONTROLS), word)
    assert (found.name if found else "") == name


SCREENS = """
screens:
  saving: {shows: [Saving, {id: progress}]}
  editor: {id: title, hides: Saving}
  any: {hides: Locked}
"""


@pytest.mark.parametrize(
    ("shown", "name"),
    [
        (screen("Saving", ids=("progress",)), "saving"), (screen("Saving", ids=("title",)), "any"),
        (screen(ids=("title",)), "editor"), (screen("Locked"), ""), (screen(), "any"),
    ],
)  # fmt: skip
def test_the_first_screen_that_fits_is_the_one(shown: Snapshot, name: str) -> None:
    found = lookup.screen_of(manual(SCREENS), shown)
    assert (found.name if found else "") == name


def test_an_interruption_is_seen_where_it_appears() -> None:
    known = manual("interruptions: {rating: {appears: Enjoying?, tap: Later}, tip: {appears: {id: tip}, press: back}}")
    seen = [lookup.interruption_in(known, shown) for shown in (screen("Enjoying?"), screen(ids=("tip",)), screen("x"))]
    assert [one.name if one else "" for one in seen] == ["rating", "tip", ""]


def test_trouble_around_the_app_is_seen_where_it_appears() -> None:
    known = manual("environment: {down: {shows: Maintenance, hides: Retry, reason: the server is down}}")
    found = lookup.environment_in(known, screen("Maintenance"))
    assert found is not None
    assert found.reason == "the server is down"
    assert lookup.environment_in(known, screen("Maintenance", "Retry")) is None


EXPECTED = """
expected:
  always: {what: a, reason: r, kind: visual}
  there: {what: b, reason: r, kind: visual.truncated, shows: Storage}
  old: {what: c, reason: r, kind: visual.truncated, until: 2026-01-31}
  early: {what: d, reason: r, kind: visual.truncated, versions: "<1.4"}
  other: {what: e, reason: r, kind: functional}
  noted: {what: f, reason: r}
"""


def known_on(shown: Snapshot, day: str = "2026-06-01", version: str = "1.4") -> tuple[list[str], list[str]]:
    known = lookup.expected_for(manual(EXPECTED), shown, today=date.fromisoformat(day), version=version)
    return [one.name for one in known.counts], [f"{one.name}: {why}" for one, why in known.not_counting]


def test_known_behaviour_on_a_screen() -> None:
    assert known_on(screen("Storage"))[0] == ["always", "there", "other", "noted"]
    assert known_on(screen("x"))[0] == ["always", "other", "noted"]


def test_what_counts_no_longer_says_so() -> None:
    assert known_on(screen("x"))[1] == [
        "old: it expired on 2026-01-31", "early: it is for versions <1.4, the app is 1.4",
    ]  # fmt: skip
    assert known_on(screen("x"), day="2026-01-31")[0] == ["always", "old", "other", "noted"]
    assert known_on(screen("x"), version="1.3")[0] == ["always", "early", "other", "noted"]


def test_a_version_that_is_not_known_counts_for_nothing() -> None:
    assert known_on(screen("x"), version="")[1][1] == ("early: it is for versions <1.4, and the app's is not known")


@pytest.mark.parametrize(
    ("region", "window", "box"),
    [
        (Rect(0, 0, 1000, 1000), WINDOW, WINDOW),
        (Rect(500, 0, 1000, 100), Rect(0, 0, 2000, 1000), Rect(1000, 0, 2000, 100)),
        (Rect(0, 0, 500, 500), Rect(100, 200, 300, 400), Rect(100, 200, 200, 300)),
        (Rect(900, 900, 1200, 1200), Rect(0, 0, 1000, 1000), Rect(900, 900, 1000, 1000)),
    ],
)  # fmt: skip
def test_a_region_in_the_units_of_the_tree(region: Rect, window: Rect, box: Rect) -> None:
    assert lookup.to_rect(region, window) == box
