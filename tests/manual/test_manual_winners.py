"""Of several manuals, which counts: the same on every machine, and every loser is told."""

from __future__ import annotations

import random
from itertools import combinations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pytest_apex.manual.versions import fits
from pytest_apex.manual.winners import ManualFile, Shelf, shelve
from pytest_apex.model.manual import Identity, MatchedManual

law = settings(max_examples=100, derandomize=True, deadline=None)

APP = "match: {bundleId: com.example.a}"


def file(rank: int, name: str, text: str = APP) -> ManualFile:
    return ManualFile(rank, name, f"{rank}/{name}", text.encode())


def sources(shelf: Shelf) -> list[str]:
    return [manual.source for manual in shelf.manuals]


def test_a_file_hides_one_of_the_same_name_further_down() -> None:
    shelf = shelve([file(2, "a.yaml"), file(0, "a.yaml"), file(1, "b.yaml", "match: {bundleId: b}")])
    assert sources(shelf) == ["0/a.yaml", "1/b.yaml"]
    assert list(map(str, shelf.losers)) == ["2/a.yaml is not used: 0/a.yaml has the same name, and comes first"]


@pytest.mark.parametrize("other", ["a.md", "A.yaml", "A\u0301.yaml"])
def test_a_name_is_the_same_with_another_ending_case_or_form(other: str) -> None:
    first = "\u00c1.yaml" if len(other) == 7 else "a.yaml"
    text = f"---\n{APP}\n---\n" if other.endswith(".md") else APP
    shelf = shelve([file(1, other, text), file(0, first)])
    assert sources(shelf) == [f"0/{first}"]
    assert [loser.loser for loser in shelf.losers] == [f"1/{other}"]


def test_a_file_with_mistakes_never_hides_a_good_one() -> None:
    shelf = shelve([file(0, "a.yaml", f"{APP}\nx: 1"), file(1, "a.yaml")])
    assert sources(shelf) == ["1/a.yaml"]
    assert [one.file.shown for one in shelf.rejected] == ["0/a.yaml"]
    assert shelf.losers == ()


def test_a_file_that_was_not_read_is_rejected_with_the_reason() -> None:
    shelf = shelve([ManualFile(0, "a.yaml", "0/a.yaml", refused="is a pipe, not a file")])
    assert [str(one) for one in shelf.rejected[0].error.mistakes] == ["0/a.yaml:1:1  is a pipe, not a file"]


def test_of_very_many_mistakes_the_first_are_told() -> None:
    (rejected,) = shelve(
        [file(0, "a.yaml", f"{APP}\ncontrols: {{{', '.join(f'c{n}: {{}}' for n in range(60))}}}")]
    ).rejected
    lines = rejected.told("is left out: it has").splitlines()
    assert lines[0] == "0/a.yaml is left out: it has 60 mistakes:"
    assert lines[-1].strip() == "and 10 more, which pytest-apex check tells"
    assert len(lines) == 52


def test_two_that_claim_one_app_are_told_with_winner_and_loser() -> None:
    shelf = shelve([file(1, "a.yaml"), file(0, "z.yaml", "match: {bundleId: [COM.example.A, b]}")])
    assert list(map(str, shelf.losers)) == [
        "1/a.yaml is not used for bundle id 'com.example.a': 0/z.yaml claims it too, and comes first"
    ]
    answer = shelf.find(Identity("com.example.a"))
    assert isinstance(answer, MatchedManual)
    assert answer.manual.source == "0/z.yaml"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("match: {bundleId: a}", "match: {processName: a}"),
        ("match: {bundleId: a, version: '<2'}", "match: {bundleId: a, version: '>=2'}"),
        ("match: {bundleId: a, locale: de}", "match: {bundleId: a, locale: fr}"),
        ("match: {bundleId: a, version: '<2'}", "match: {bundleId: a}"),
    ],
)
def test_two_that_have_each_their_turn_are_no_losers(one: str, other: str) -> None:
    assert shelve([file(0, "a.yaml", one), file(0, "b.yaml", other)]).losers == ()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("match: {bundleId: a, version: '<2'}", "match: {bundleId: a, version: '>1'}"),
        ("match: {bundleId: a, locale: de}", "match: {bundleId: a, locale: de-AT}"),
        ("match: {processName: a}", "match: {processName: A}"),
        ("match: {displayName: a}", "match: {displayName: [b, a]}"),
    ],
)
def test_two_that_meet_are_told(one: str, other: str) -> None:
    (loser,) = shelve([file(0, "a.yaml", one), file(0, "b.yaml", other)]).losers
    assert (loser.loser, loser.winner) == ("0/b.yaml", "0/a.yaml")


def test_a_general_one_that_is_nearer_leaves_nothing_to_a_special_one() -> None:
    shelf = shelve([file(0, "a.yaml"), file(1, "b.yaml", "match: {bundleId: com.example.a, version: '<2'}")])
    assert [loser.loser for loser in shelf.losers] == ["1/b.yaml"]


# The law

_WORDS = st.sampled_from(["com.example.a", "com.example.b", "A", "b"])
_MATCHES = st.fixed_dictionaries(
    {},
    optional={
        "bundleId": st.lists(_WORDS, min_size=1, max_size=2),
        "processName": _WORDS,
        "displayName": _WORDS,
        "version": st.sampled_from(["'<2'", "'>=2'", "'1'"]),
        "locale": st.sampled_from(["de", "fr", "de-AT"]),
    },
)
_TEXTS = st.builds(
    lambda match, wrong: f"match: {match}{wrong}".replace("\"'", "'").replace("'\"", "'"),
    _MATCHES,
    st.sampled_from(["", "", "", "\nx: 1", "\ncontrols: ["]),
)
_FILES = st.lists(
    st.tuples(st.integers(0, 3), st.sampled_from(["a.yaml", "A.yaml", "b.yaml", "a.md", "c.yaml"]), _TEXTS),
    max_size=8, unique_by=lambda one: one[:2],
).map(lambda rows: [file(rank, name, f"---\n{text}\n---\n" if name.endswith(".md") else text)
                    for rank, name, text in rows])  # fmt: skip
_WHO = st.builds(
    Identity, st.sampled_from(["com.example.a", "com.example.b", "com.example.c", ""]), _WORDS, _WORDS,
    st.sampled_from(["", "1.2", "2.0", "3"]), st.sampled_from(["", "de-AT", "fr-CA", "en"]),
)  # fmt: skip


@law
@given(_FILES, st.randoms(use_true_random=False), _WHO)
def test_the_winner_is_the_same_in_any_order_of_files(
    files: list[ManualFile], rng: random.Random, who: Identity
) -> None:
    shuffled = list(files)
    rng.shuffle(shuffled)
    one, other = shelve(files), shelve(shuffled)
    assert (one.manuals, one.losers) == (other.manuals, other.losers)
    assert one.find(who) == other.find(who)


@law
@given(_FILES)
def test_every_file_is_used_or_told(files: list[ManualFile]) -> None:
    shelf = shelve(files)
    rejected = {one.file.shown for one in shelf.rejected}
    by_name = {loser.loser for loser in shelf.losers if not loser.claim}
    assert sorted([*sources(shelf), *rejected, *by_name]) == sorted(one.shown for one in files)
    assert all(loser.winner in sources(shelf) for loser in shelf.losers)
    kept = {manual.name.casefold() for manual in shelf.manuals}
    assert len(kept) == len(shelf.manuals)


@law
@given(_FILES, _WHO)
def test_a_manual_that_would_be_found_alone_is_the_winner_or_a_told_loser_or_has_its_own_turn(
    files: list[ManualFile], who: Identity
) -> None:
    """Whoever is passed over for an app in the same way as the winner is among the losers for it, unless winner and
    loser take turns by version or locale. A device that tells neither can't say whose turn it is."""
    assume(who.version and who.locale)
    shelf = shelve(files)
    answer = shelf.find(who)
    if not isinstance(answer, MatchedManual):
        return
    told = {(loser.loser, loser.winner) for loser in shelf.losers}
    for manual in shelf.manuals:
        alone = Shelf((manual,)).find(who)
        if manual is answer.manual or not isinstance(alone, MatchedManual):
            continue
        if (alone.by, alone.value) != (answer.by, answer.value):
            continue  # found in a weaker way
        limited, general = answer.manual.match, manual.match
        turns = (bool(limited.versions) + bool(limited.locales)) > (bool(general.versions) + bool(general.locales))
        assert any(loser == manual.source for loser, _ in told) or turns


@law
@given(_FILES)
def test_losers_name_apps_that_both_claim(files: list[ManualFile]) -> None:
    shelf = shelve(files)
    matches = {manual.source: manual.match for manual in shelf.manuals}
    for loser in shelf.losers:
        if loser.claim:
            one, other = matches[loser.loser], matches[loser.winner]
            shared = [set(map(str.casefold, a)) & set(map(str.casefold, b)) for a, b in (
                (one.bundle_ids, other.bundle_ids), (one.process_names, other.process_names),
                (one.display_names, other.display_names),
            )]  # fmt: skip
            assert any(shared)
            meet = (fits(one.versions, v) and fits(other.versions, v) for v in ("0", "1", "2", "3"))
            assert any(meet)


def test_the_property_can_fail() -> None:
    """The order of the files alone would give another winner."""
    files = [file(0, "b.yaml"), file(0, "a.yaml")]
    assert files[0].shown != shelve(files).manuals[0].source
    assert len(list(combinations(files, 2))) == len(shelve(files).losers)
