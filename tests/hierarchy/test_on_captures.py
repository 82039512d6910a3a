"""Real trees: each can be shown, approved, compared and pointed at, and none gets a note it does not deserve."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from pytest_apex.errors import SourceError
from pytest_apex.hierarchy import readers
from pytest_apex.hierarchy.approved import approved_text, differences
from pytest_apex.hierarchy.diff import NodeDiff, TreeDiff, diff, node_diff
from pytest_apex.hierarchy.state import index_state
from pytest_apex.model.snapshot import Snapshot

CAPTURES = Path(__file__).parents[2] / "fixtures" / "captures"


def read(file: Path) -> Snapshot | None:
    try:
        return readers.read(file)
    except SourceError:
        return None


@pytest.fixture(scope="module")
def captures() -> dict[str, Snapshot]:
    """All that are hierarchies; some are there to be refused."""
    found = {file.parent.name: read(file) for file in sorted(CAPTURES.glob("*/tree.*"))}
    good = {name: snapshot for name, snapshot in found.items() if snapshot is not None}
    assert len(good) > 20
    return good


def test_a_capture_and_itself(captures: dict[str, Snapshot]) -> None:
    for name, snapshot in captures.items():
        again = readers.read(next(CAPTURES.glob(f"{name}/tree.*")))
        assert node_diff(snapshot, again) == NodeDiff(), name
        assert differences(approved_text(snapshot), approved_text(again)) == [], name


def test_one_and_the_next(captures: dict[str, Snapshot]) -> None:
    for one, other in pairwise(captures.values()):
        change = diff(one, other)
        assert change != TreeDiff(), (one, other)
        assert differences(approved_text(one), approved_text(other))


def test_states_read_well(captures: dict[str, Snapshot]) -> None:
    for name, snapshot in captures.items():
        state = index_state(snapshot)
        assert "note:" not in state.text, name
        assert "_NS:" not in state.text, name
        assert max(map(len, state.text.split("\n"))) < 1000, name
        assert len(state.hits) == len(state.nodes) < max(len(snapshot), 1)
