"""Trees of several apps on one screen as one tree."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, chain

from pytest_apex.model.snapshot import Tree, Window


def joined(trees: Sequence[Tree], in_front: str) -> Tree:
    """Trees of one screen, bottom to top, as one. The windows of the app `in_front` have the focus, and no others."""
    starts = [0, *accumulate(len(tree) for tree in trees)]
    first_windows = [0, *accumulate(len(tree.windows) for tree in trees)]
    boxes = array("d")
    for tree in trees:
        boxes.extend(tree.boxes)
    windows = (window for tree in trees for window in tree.windows)

    def raw(index: int) -> Mapping[str, str]:
        at = max(at for at in range(len(trees)) if starts[at] <= index)
        return trees[at].raw(index - starts[at])

    return Tree(
        parents=tuple(
            above + start if above >= 0 else above
            for tree, start in zip(trees, starts, strict=False)
            for above in tree.parents
        ),
        ends=_moved([tree.ends for tree in trees], starts),
        roles=tuple(chain.from_iterable(tree.roles for tree in trees)),
        classes=tuple(chain.from_iterable(tree.classes for tree in trees)),
        texts=tuple(chain.from_iterable(tree.texts for tree in trees)),
        labels=tuple(chain.from_iterable(tree.labels for tree in trees)),
        identifiers=tuple(chain.from_iterable(tree.identifiers for tree in trees)),
        values=tuple(chain.from_iterable(tree.values for tree in trees)),
        hints=tuple(chain.from_iterable(tree.hints for tree in trees)),
        states=tuple(chain.from_iterable(tree.states for tree in trees)),
        window_of=_moved([tree.window_of for tree in trees], first_windows),
        boxes=boxes,
        windows=tuple(_numbered(window, at, in_front) for at, window in enumerate(windows)),
        actions={
            index + start: actions
            for tree, start in zip(trees, starts, strict=False)
            for index, actions in tree.actions.items()
        },
        raw=raw,
    )


def _moved(columns: Sequence[Sequence[int]], starts: Sequence[int]) -> tuple[int, ...]:
    return tuple(value + start for column, start in zip(columns, starts, strict=False) for value in column)


def _numbered(window: Window, at: int, in_front: str) -> Window:
    return replace(window, index=at, focused=window.app == in_front)
