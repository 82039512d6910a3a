"""Remembering what was worked out of a tree."""

from __future__ import annotations

from typing import Any

from pytest_apex.hierarchy.memo import KEPT, per_tree
from pytest_apex.model.snapshot import Tree


def test_each_tree_and_argument_is_worked_out_once_and_old_ones_are_let_go(shot: Any, node: Any) -> None:
    asked: list[tuple[Tree, int]] = []

    @per_tree
    def size(tree: Tree, plus: int) -> int:
        asked.append((tree, plus))
        return len(tree) + plus

    trees = [shot(*(node("text", (0, 0, 1, 1)) for _ in range(n))).tree for n in range(KEPT + 1)]
    assert [size(trees[2], 1), size(trees[2], 1), size(trees[2], 5)] == [3, 3, 7]
    assert len(asked) == 2
    assert [size(tree, 1) for tree in trees] == [n + 1 for n in range(KEPT + 1)]
    size(trees[-1], 1)
    assert len(asked) == 2 + KEPT  # one was known, and the last is still kept
    size(trees[0], 1)
    assert asked[-1][0] is trees[0]  # the first had to go


def test_equal_trees_are_not_mixed_up(shot: Any, node: Any) -> None:
    @per_tree
    def itself(tree: Tree) -> Tree:
        return tree

    one, other = shot(node("text", (0, 0, 1, 1))).tree, shot(node("text", (0, 0, 1, 1))).tree
    assert one == other
    assert itself(one) is one
    assert itself(other) is other
