"""What is odd about one look at the screen, in words: a tree or a picture that can't be relied upon."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pytest_apex.errors import SourceError
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.verify.lag import lag_in
from pytest_apex.verify.pictures import fits, is_black, is_blind, leaves

#: A screen may well change between tree and picture if they were taken farther apart, in milliseconds.
_APART = 1000.0


def noted(look: Snapshot) -> Snapshot:
    """The look, with what is odd about it among its notes; a picture that can't be decoded is one of these oddities."""
    try:
        kinds = {note.partition(":")[0] for note in look.notes}
        found = tuple(note for note in oddities(look) if note.partition(":")[0] not in kinds)
    except SourceError as error:
        found = (f"{error.tried}: {error.seen}",)
    return replace(look, notes=(*look.notes, *found)) if found else look


def oddities(look: Snapshot) -> Iterator[str]:
    """A blind or stale tree, a black picture or none, picture and tree in different orientations, a long time between
    them; a line each, and nothing about a look that can be relied upon."""
    if abs(look.skew_ms) > _APART:
        when = "after" if look.skew_ms > 0 else "before"
        yield f"the picture was taken {abs(look.skew_ms) / 1000:.1f} s {when} the tree"
    if look.picture is None:
        yield "no picture was taken"
        return
    if is_turned(look):
        yield f"turned: a picture of {look.picture.size} beside a tree of {look.screen.size}"
    elif is_blind(look):
        yield f"blind tree: {len(look)} nodes that say nothing beside a picture that shows something"
    elif is_black(look):
        yield f"secure picture: black beside a tree of {len(leaves(look))} controls"
    else:
        lag = lag_in(look)
        if lag is not None:
            yield f"stale tree: {lag.words}"


def is_turned(look: Snapshot) -> bool:
    """Whether picture and tree fit each other only if one of them is turned by a quarter."""
    if look.picture is None or fits(look):
        return False
    size, screen = look.picture.size, look.screen
    if min(size.width, size.height, screen.size.width, screen.size.height) <= 0:
        return False
    wide, high = size.height / screen.size.width, size.width / screen.size.height
    return abs(wide - high) <= 0.03 * wide and size.width != size.height
