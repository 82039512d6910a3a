"""The columns of a tree while a reader still works on them."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from pytest_apex.model.geometry import Rect
from pytest_apex.model.snapshot import Tree, Window


@dataclass(slots=True)
class Columns:
    """As `model.snapshot.Tree`, but open to changes; `raw` takes an index."""

    parents: list[int]
    ends: list[int]
    roles: list[str]
    classes: list[str]
    texts: list[str]
    labels: list[str]
    identifiers: list[str]
    values: list[str]
    hints: list[str]
    states: list[int]
    boxes: array[float]
    raw: Callable[[int], Mapping[str, str]]

    def __len__(self) -> int:
        return len(self.parents)

    def rect(self, index: int) -> Rect:
        return Rect(*self.boxes[index * 4 : index * 4 + 4])

    @property
    def tops(self) -> list[int]:
        """The nodes without a parent."""
        found = []
        index = 0
        while index < len(self.parents):
            found.append(index)
            index = self.ends[index]
        return found

    def reordered(self, tops: Sequence[int]) -> Columns:
        """The same trees, one after the other in another order of their topmost nodes."""
        order = [index for top in tops for index in range(top, self.ends[top])]
        places = {old: new for new, old in enumerate(order)}
        raw = self.raw
        return Columns(
            parents=[places.get(self.parents[old], -1) for old in order],
            ends=[new + self.ends[old] - old for new, old in enumerate(order)],
            roles=[self.roles[old] for old in order],
            classes=[self.classes[old] for old in order],
            texts=[self.texts[old] for old in order],
            labels=[self.labels[old] for old in order],
            identifiers=[self.identifiers[old] for old in order],
            values=[self.values[old] for old in order],
            hints=[self.hints[old] for old in order],
            states=[self.states[old] for old in order],
            boxes=array("d", (edge for old in order for edge in self.boxes[old * 4 : old * 4 + 4])),
            raw=lambda index: raw(order[index]),
        )

    def tree(self, windows: Sequence[Window], window_of: Sequence[int]) -> Tree:
        return Tree(
            parents=tuple(self.parents), ends=tuple(self.ends), roles=tuple(self.roles), classes=tuple(self.classes),
            texts=tuple(self.texts), labels=tuple(self.labels), identifiers=tuple(self.identifiers),
            values=tuple(self.values), hints=tuple(self.hints), states=tuple(self.states),
            window_of=tuple(window_of), boxes=self.boxes, windows=tuple(windows), raw=self.raw,
        )  # fmt: skip
