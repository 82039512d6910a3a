"""The indexed state of the screen, whose numbers are pinned to the look that they were read from."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_apex.device import arguments
from pytest_apex.device.context import Context
from pytest_apex.device.locator import Locator
from pytest_apex.device.looking.known import Known, OnScreen
from pytest_apex.errors import TargetNotFound
from pytest_apex.hierarchy.names import in_words
from pytest_apex.hierarchy.state import index_state
from pytest_apex.model.manual import Irreversible, MatchedManual
from pytest_apex.model.node import Node
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.model.target import By, Pinned, Target
from pytest_apex.verify.sight import oddities

#: So many acts that can't be undone are listed.
_ACTS = 12


def about(known: Known, snapshot: Snapshot) -> list[str]:
    """What the manual of the app in front says of it: by what it was found, its summary, what can't be undone. One that
    would be for it, but for its mistakes, the version or the language, is told with them."""
    found = known.search(snapshot.app.id, snapshot)
    if not isinstance(found, MatchedManual):
        return [str(found)] if known.library is not None and (found.rejected or found.left_out) else []
    manual = found.manual
    lines = [str(found), *(f"  {line}" for line in manual.summary.splitlines() if line.strip())]
    acts = [f"{item} ({_tier(item)})" for item in manual.irreversible]
    lines += [f"  can't be undone: {', '.join(acts[:_ACTS])}{' …' if len(acts) > _ACTS else ''}"] if acts else []
    shown = OnScreen(manual, snapshot.app.id, snapshot)
    names = [control.name for control in manual.controls if shown.nodes(control)]
    lines += [f"  its names for what is here: {', '.join(names)}"] if names else []
    return [*lines, *(f"  note: {note}" for note in found.notes)]


def _tier(item: Irreversible) -> str:
    """With how far it can be checked, where that is not always."""
    tier = str(item.tier).replace("_", " ")
    return f"{tier}, checked where a test declares it" if item.what == "intent" else tier


def _notes(snapshot: Snapshot) -> list[str]:
    return [f"note: {note}" for note in oddities(snapshot)]


class State:
    """What `device.state()` returns. `state[7]` is the control with that number: a locator that works as long as it is
    the same control, and raises `TargetStale` once it is gone or means something else.
    """

    def __init__(self, context: Context, snapshot: Snapshot) -> None:
        self._ctx = context
        self.snapshot = snapshot
        indexed = index_state(snapshot, "\n".join([*about(context.known, snapshot), *_notes(snapshot)]))
        self.text = indexed.text
        self.nodes: tuple[Node, ...] = indexed.nodes

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<state of {self.snapshot.app.id or 'the screen'}: {len(self.nodes)} controls>"

    def __len__(self) -> int:
        """How many controls have a number."""
        return len(self.nodes)

    def __iter__(self) -> Iterator[Locator]:
        return (self[number] for number in range(len(self.nodes)))

    def __getitem__(self, number: int) -> Locator:
        """The control with this number, from 0 on. Raises `TargetNotFound` for a number that nothing has."""
        arguments.whole(number, "device.state()[…]")
        if not 0 <= number < len(self.nodes):
            known = f"0 to {len(self.nodes) - 1}" if self.nodes else "none: the screen has no control"
            raise TargetNotFound(
                f"nothing has the number {number} in this state",
                seen=f"numbers: {known}",
                likely="the number is from another screen, or from an earlier look at this one",
                cure="print(device.state()) shows the numbers",
            )
        node = self.nodes[number]
        pinned = Pinned(self.snapshot, node.index, f"[{number}] {in_words(node)}")
        return Locator(self._ctx, Target((By("control", pinned),)))
