"""Several manuals at hand: which of them counts, and what became of the others.

A file is checked before its name is given out, so that one with mistakes never shadows a good one. Of two files with
one name that of the nearer source counts; within a source they are sorted, so that every machine gets the same answer.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from pytest_apex.errors import ManualError
from pytest_apex.manual.load import is_prose, load_manual, match_in, wrong
from pytest_apex.manual.matching import claims, find_manual, nothing
from pytest_apex.manual.versions import overlap
from pytest_apex.model.manual import Identity, Manual, Match, MatchedManual, NoManual

#: So many mistakes of one file are told in a run.
MOST_TOLD = 50


@dataclass(frozen=True, slots=True)
class ManualFile:
    """A file as it was found. `file` is its name, `shown` what mistakes call it; `refused` says why it was not read.
    `rank` is that of its source: 0 is the nearest."""

    rank: int
    file: str
    shown: str
    data: bytes = b""
    refused: str = ""

    @property
    def name(self) -> str:
        return key_of(PurePath(self.file).stem)

    @property
    def order(self) -> tuple[object, ...]:
        return (self.rank, self.name, self.file, self.shown)


def key_of(name: str) -> str:
    """What manuals are told apart by: the file's name without its ending, in any case."""
    return unicodedata.normalize("NFC", name).casefold()


@dataclass(frozen=True, slots=True)
class Loser:
    """A manual without mistakes that gave way to another: the files, and why. With `claim`, only for that app."""

    loser: str
    winner: str
    claim: str = ""

    def __str__(self) -> str:
        if self.claim:
            return f"{self.loser} is not used for {self.claim}: {self.winner} claims it too, and comes first"
        return f"{self.loser} is not used: {self.winner} has the same name, and comes first"


@dataclass(frozen=True, slots=True)
class Rejected:
    """A file with mistakes, which keep it out."""

    file: ManualFile
    error: ManualError

    def told(self, how: str) -> str:
        """Its mistakes, a line each; `how` leads to their number: `is left out: it has`."""
        mistakes = self.error.mistakes
        count = f"{len(mistakes)} mistakes" if len(mistakes) != 1 else "a mistake"
        lines = [f"{self.file.shown} {how} {count}:", *map(str, mistakes[:MOST_TOLD])]
        if len(mistakes) > MOST_TOLD:
            lines.append(f"and {len(mistakes) - MOST_TOLD} more, which pytest-apex check tells")
        return "\n    ".join(lines)

    def would_be_for(self, who: Identity) -> str:
        """By what it would be for this app; "" if by nothing. Where nothing of it can be read, its text tells."""
        match = match_in(self.file.data, self.file.shown)
        if match is not None:
            by = claims(match, who)
            return f"would be for it by {by}, but has" if by else ""
        text = self.file.data.decode("utf-8", "replace").casefold()
        names = (who.bundle_id, who.display_name)
        named = next((name for name in names if name and name.casefold() in text), "")
        return f"may be for it, as {named!r} stands in it, but has" if named else ""


@dataclass(frozen=True, slots=True)
class Shelf:
    """All manuals of a run. `manuals` are those that count, in the order in which they are asked; `losers` gave way,
    `rejected` have mistakes, and `skipped` are texts that lie beside them."""

    manuals: tuple[Manual, ...] = ()
    losers: tuple[Loser, ...] = ()
    rejected: tuple[Rejected, ...] = ()
    skipped: tuple[str, ...] = ()

    @property
    def warnings(self) -> tuple[str, ...]:
        return tuple(line for manual in self.manuals for line in manual.warnings)

    def find(self, who: Identity, named: str = "") -> MatchedManual | NoManual:
        """The manual of an app; the one called `named`, if a name is given."""
        if named:
            return self._called(key_of(named), who, named)
        found = find_manual(self.manuals, who)
        if found is not None:
            return found
        rejected = (one.told(how) for one in self.rejected if (how := one.would_be_for(who)))
        return nothing(self.manuals, who, rejected)

    def _called(self, name: str, who: Identity, named: str) -> MatchedManual | NoManual:
        for manual in self.manuals:
            if key_of(manual.name) == name:
                return MatchedManual(manual, "marker", named)
        rejected = (one.told("is called so, but has") for one in self.rejected if one.file.name == name)
        return nothing(self.manuals, who, rejected, named=named)


def shelve(files: Iterable[ManualFile]) -> Shelf:
    """All files checked, then names given out. The order in which they come does not matter."""
    named: dict[str, tuple[int, Manual]] = {}
    losers: list[Loser] = []
    rejected: list[Rejected] = []
    skipped: list[str] = []
    for file in sorted(files, key=lambda one: one.order):
        if not file.refused and is_prose(file.file, file.data):
            skipped.append(file.shown)
            continue
        try:
            if file.refused:
                raise wrong(file.shown, file.refused)
            manual = load_manual(file.data, file.shown)
        except ManualError as error:
            rejected.append(Rejected(file, error))
            continue
        if file.name in named:
            losers.append(Loser(file.shown, named[file.name][1].source))
        else:
            named[file.name] = (file.rank, manual)
    # A manual for some versions or languages goes before one for all of the same source.
    order = sorted(named.items(), key=lambda item: (item[1][0], -_limits(item[1][1].match), item[0]))
    ranked = [ranked for _, ranked in order]
    return Shelf(tuple(manual for _, manual in ranked), (*losers, *_contested(ranked)), tuple(rejected), tuple(skipped))


def _limits(match: Match) -> int:
    return bool(match.versions) + bool(match.locales)


def _contested(ranked: Sequence[tuple[int, Manual]]) -> Iterator[Loser]:
    """Those that claim an app which another claims before them. A manual for all versions beside one for some of them,
    from the same source, is no loser: each has its turn."""
    first: dict[tuple[str, str], list[tuple[int, Manual]]] = {}
    for rank, manual in ranked:
        for claim in _claims(manual.match):
            for other_rank, other in first.setdefault(claim, []):
                by_turns = rank == other_rank and _limits(manual.match) != _limits(other.match)
                if not by_turns and _meet(manual.match, other.match):
                    yield Loser(manual.source, other.source, f"{claim[0]} {claim[1]!r}")
                    break
            first[claim].append((rank, manual))


def _claims(match: Match) -> list[tuple[str, str]]:
    groups = (
        ("bundle id", match.bundle_ids), ("process name", match.process_names), ("display name", match.display_names),
    )  # fmt: skip
    return list(dict.fromkeys((noun, name.casefold()) for noun, names in groups for name in names))


def _meet(one: Match, other: Match) -> bool:
    """Whether there is a version and a locale that both are for."""
    if not overlap(one.versions, other.versions):
        return False
    if not one.locales or not other.locales:
        return True
    wide = [locale.casefold().split("-") for locale in one.locales]
    narrow = [locale.casefold().split("-") for locale in other.locales]
    return any(a[: len(b)] == b or b[: len(a)] == a for a in wide for b in narrow)
