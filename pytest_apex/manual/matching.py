"""Which manual is for the app in front: by bundle id, then process name, then display name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from pytest_apex.manual.versions import fits
from pytest_apex.model.manual import Identity, Manual, Match, MatchedManual, NoManual
from pytest_apex.model.snapshot import Snapshot

#: How to make a manual where there is none.
DRAFT = "pytest-apex capture --manual {app} writes a first one from what is on the screen"


class _Way(NamedTuple):
    """One way in which a name that the device tells may be one that a manual claims."""

    by: str
    told: Callable[[Identity], str]
    claimed: Callable[[Match], Sequence[str]]
    note: str = ""
    weak: bool = False


_OTHERWISE = "the device tells it as the display name"
#: From the surest to the weakest. Some devices tell no more than a display name, and that may be any of the three.
_WAYS = (
    _Way("bundle id", lambda who: who.bundle_id, lambda match: match.bundle_ids),
    _Way("process name", lambda who: who.process_name, lambda match: match.process_names),
    _Way("bundle id", lambda who: who.display_name, lambda match: match.bundle_ids, _OTHERWISE),
    _Way("process name", lambda who: who.display_name, lambda match: match.process_names, _OTHERWISE),
    _Way("display name", lambda who: who.display_name, lambda match: match.display_names, weak=True),
)


def identity_of(snapshot: Snapshot) -> Identity:
    """The app in front as a snapshot tells it. Android's main process is called as the package."""
    app = snapshot.app
    process = app.id if snapshot.platform == "android" else ""
    return Identity(app.id, process, app.label, app.version, snapshot.screen.locale)


def find_manual(manuals: Sequence[Manual], who: Identity) -> MatchedManual | None:
    """The first manual, in the given order, that is for this app in the surest way that any is."""
    for way in _WAYS:
        told = way.told(who)
        for manual in manuals if told else ():
            if _same(told, way.claimed(manual.match)) and not left_out(manual.match, who):
                notes = tuple(note for note in (way.note, _untold(manual.match, who)) if note)
                return MatchedManual(manual, way.by, told, way.weak, notes)
    return None


def claims(match: Match, who: Identity) -> str:
    """By what a manual would be for this app if neither version nor locale mattered; "" if by nothing."""
    return next((way.by for way in _WAYS if way.told(who) and _same(way.told(who), way.claimed(match))), "")


def left_out(match: Match, who: Identity) -> str:
    """Why a manual that claims this app is not for it: its version or the locale; "" if it is."""
    if fits(match.versions, who.version) is False:
        return f"it is for versions {match.versions}, the app is {who.version}"
    if match.locales and who.locale and not any(_speaks(who.locale, locale) for locale in match.locales):
        return f"it is for {', '.join(match.locales)}, the device speaks {who.locale}"
    return ""


def nothing(manuals: Sequence[Manual], who: Identity, rejected: Iterable[str] = (), *, named: str = "") -> NoManual:
    """That no manual is for this app, with all that helps. `rejected` are those that would be, with their mistakes;
    `named` is the one that was asked for by name."""
    out = [
        f"{manual}: {why}" for manual in manuals if claims(manual.match, who) and (why := left_out(manual.match, who))
    ]
    if named:
        out.insert(0, f"a manual named {named!r} was asked for")
    return NoManual(
        who,
        tuple(sorted(manual.name for manual in manuals)),
        tuple(rejected),
        tuple(out),
        DRAFT.format(app=who.bundle_id or who.display_name or "APP"),
    )


def _same(told: str, claimed: Iterable[str]) -> bool:
    wanted = told.strip().casefold()
    return any(name.casefold() == wanted for name in claimed)


def _untold(match: Match, who: Identity) -> str:
    if match.versions and fits(match.versions, who.version) is None:
        return f"for versions {match.versions}; the device does not tell the app's version"
    return ""


def _speaks(locale: str, wanted: str) -> bool:
    """`de-AT` is `de` and `de-AT`; `de` is not `de-AT`."""
    have = locale.replace("_", "-").casefold().split("-")
    want = wanted.casefold().split("-")
    return have[: len(want)] == want
