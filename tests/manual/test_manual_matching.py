"""Which manual is for the app in front, by what, and what is said where there is none."""

from __future__ import annotations

import pytest

from pytest_apex.manual.matching import identity_of
from pytest_apex.manual.winners import ManualFile, Shelf, shelve
from pytest_apex.model.geometry import Size
from pytest_apex.model.manual import Identity, MatchedManual, NoManual
from pytest_apex.model.screen import Screen
from pytest_apex.model.snapshot import AppInFront, Snapshot, TreeBuilder

NOTES = Identity("com.example.notes", "notes", "My Notes", "1.4", "de-AT")


def shelf(**files: str) -> Shelf:
    return shelve(ManualFile(0, f"{name}.yaml", f"manuals/{name}.yaml", text.encode()) for name, text in files.items())


def found(who: Identity, **files: str) -> MatchedManual:
    answer = shelf(**files).find(who)
    assert isinstance(answer, MatchedManual), answer
    return answer


def none(who: Identity, **files: str) -> NoManual:
    answer = shelf(**files).find(who)
    assert isinstance(answer, NoManual), answer
    return answer


@pytest.mark.parametrize(
    ("claim", "by", "value"),
    [
        ("bundleId: com.example.notes", "bundle id", "com.example.notes"),
        ("bundleId: COM.EXAMPLE.Notes", "bundle id", "com.example.notes"),
        ("bundleId: [a, com.example.notes]", "bundle id", "com.example.notes"),
        ("processName: Notes", "process name", "notes"),
        ("bundleId: my notes", "bundle id", "My Notes"),
        ("processName: my notes", "process name", "My Notes"),
        ("displayName: my notes", "display name", "My Notes"),
    ],
)
def test_by_what_a_manual_is_found(claim: str, by: str, value: str) -> None:
    answer = found(NOTES, a=f"match: {{{claim}}}")
    assert (answer.by, answer.value, answer.weak) == (by, value, by == "display name")


def test_the_surest_way_wins_whatever_the_order_of_files() -> None:
    files = {
        "a": "match: {displayName: My Notes}", "b": "match: {processName: notes}",
        "c": "match: {bundleId: com.example.notes}",
    }  # fmt: skip
    assert found(NOTES, **files).manual.name == "c"
    del files["c"]
    assert found(NOTES, **files).manual.name == "b"


def test_a_bundle_id_told_as_the_display_name_says_so() -> None:
    assert found(NOTES, a="match: {bundleId: my notes}").notes == ("the device tells it as the display name",)


def test_a_display_name_is_called_weak() -> None:
    assert "weak" in str(found(NOTES, a="match: {displayName: My Notes}"))
    assert "weak" not in str(found(NOTES, a="match: {processName: notes}"))


@pytest.mark.parametrize(
    ("limit", "fits"),
    [
        ("version: '>=1.4'", True), ("version: '<1.4'", False), ("locale: de", True), ("locale: de-AT", True),
        ("locale: DE_at", True), ("locale: de-CH", False), ("locale: [fr, de]", True), ("locale: d", None),
    ],
)  # fmt: skip
def test_only_for_some_versions_and_languages(limit: str, fits: bool | None) -> None:
    answer = shelf(a=f"match: {{bundleId: com.example.notes, {limit}}}").find(NOTES)
    assert isinstance(answer, MatchedManual) is bool(fits)
    if fits is False:
        assert "manuals/a.yaml" in str(answer)
        assert "it is for" in str(answer)


def test_a_version_that_the_device_does_not_tell_is_noted() -> None:
    answer = found(Identity("a"), a="match: {bundleId: a, version: '<2'}")
    assert answer.notes == ("for versions <2; the device does not tell the app's version",)


def test_one_for_some_versions_goes_before_one_for_all() -> None:
    files = {"a": "match: {bundleId: com.example.notes}", "z": "match: {bundleId: com.example.notes, version: '<2'}"}
    assert found(NOTES, **files).manual.name == "z"
    assert found(Identity("com.example.notes", version="2.1"), **files).manual.name == "a"
    assert shelf(**files).losers == ()


def test_no_match_says_what_was_looked_for_what_is_known_and_how_to_make_one() -> None:
    answer = none(NOTES, b="match: {bundleId: b}", a="match: {bundleId: a}")
    assert str(answer) == (
        "no manual for bundle id 'com.example.notes', process name 'notes', display name 'My Notes', version '1.4', "
        "locale 'de-AT'\n"
        "  known: a, b\n"
        "  try: pytest-apex capture --manual com.example.notes writes a first one from what is on the screen"
    )


def test_a_manual_that_would_be_for_it_is_named_with_its_mistakes() -> None:
    answer = none(NOTES, a="match: {bundleId: com.example.notes}\ncontrls: {}", b="match: {bundleId: b}\ncontrls: {}")
    assert answer.rejected == (
        "manuals/a.yaml would be for it by bundle id, but has a mistake:\n"
        '    manuals/a.yaml:2:1  unknown key "contrls"; did you mean "controls"?',
    )


def test_a_manual_that_is_no_yaml_may_be_for_it_by_its_text() -> None:
    answer = none(NOTES, a="match: {bundleId: Com.Example.Notes", b="match: {bundleId: com.example.other")
    (line,) = answer.rejected
    assert line.startswith("manuals/a.yaml may be for it, as 'com.example.notes' stands in it, but has a mistake:")


def test_a_rejected_manual_is_named_by_a_match_whose_other_half_is_wrong() -> None:
    answer = none(NOTES, a="match: {bundleId: com.example.notes, locale: ?}")
    assert len(answer.rejected) == 1


def test_a_manual_asked_for_by_name() -> None:
    known = shelf(a="match: {bundleId: a}", Bad="match: {bundleId: b}\nx: 1")
    answer = known.find(NOTES, "A")
    assert isinstance(answer, MatchedManual)
    assert (answer.manual.name, answer.by, answer.value) == ("a", "marker", "A")
    missing = known.find(NOTES, "bad")
    assert isinstance(missing, NoManual)
    assert "a manual named 'bad' was asked for" in str(missing)
    assert "manuals/Bad.yaml is called so, but has a mistake" in str(missing)


@pytest.mark.parametrize(("platform", "process"), [("android", "com.example.a"), ("ios", "")])
def test_the_identity_that_a_snapshot_tells(platform: str, process: str) -> None:
    snapshot = Snapshot("s", 0, TreeBuilder().build(), Screen(Size(10, 10), locale="fr-CA"),
                        AppInFront("com.example.a", 1, "A", version="2"), platform=platform)  # fmt: skip
    assert identity_of(snapshot) == Identity("com.example.a", process, "A", "2", "fr-CA")


def test_an_app_that_tells_nothing_has_no_manual() -> None:
    assert "no app in front" in str(none(Identity(), a="match: {bundleId: a}"))
