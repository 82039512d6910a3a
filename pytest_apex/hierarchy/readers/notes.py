"""What was odd about a source, collected while it is read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence


class Notes:
    """Sentences in the order in which they came up; each once. What comes up at many nodes is counted."""

    def __init__(self) -> None:
        self._lines: dict[str, int] = {}

    def add(self, line: str) -> None:
        self._lines.setdefault(line, 0)

    def count(self, line: str, times: int = 1) -> None:
        """`line` has a `{}` for how often it came up; nothing is noted for 0 times."""
        if times:
            self._lines[line] = self._lines.get(line, 0) + times

    def take(self, other: Notes) -> None:
        """Add what another one has."""
        for line, times in other._lines.items():
            self._lines[line] = self._lines.get(line, 0) + times

    def lines(self) -> tuple[str, ...]:
        return tuple(line.format(times) if times else line for line, times in self._lines.items())


def note_repeated_ids(notes: Notes, identifiers: Sequence[str]) -> None:
    """Ids that are no identity: rows of a list share them, for instance."""
    given = [identifier for identifier in identifiers if identifier]
    if len(given) == len(set(given)):
        return
    repeated = [(name, times) for name, times in Counter(given).most_common() if times > 1]
    name, times = repeated[0]
    count = "1 id occurs" if len(repeated) == 1 else f"{len(repeated)} ids occur"
    notes.add(f"{count} more than once ({name[:80]}: {times} times)")
