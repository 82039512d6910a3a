"""Remembering what was worked out of a tree."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from functools import update_wrapper
from threading import Lock
from typing import Concatenate, ParamSpec, TypeVar

from pytest_apex.model.snapshot import Tree

P = ParamSpec("P")
R = TypeVar("R")

#: Trees a function remembers: those before and after a step, and a few looks while waiting.
KEPT = 6


def per_tree(function: Callable[Concatenate[Tree, P], R]) -> Callable[Concatenate[Tree, P], R]:
    """Remember the results of a function of a tree, for the trees used last.

    A tree has no cheap hash, so its identity is the key; the tree is held with the result, and the identity stays
    unique. Further arguments must be hashable and positional.
    """
    kept: OrderedDict[tuple[object, ...], tuple[Tree, R]] = OrderedDict()
    lock = Lock()

    def remembered(tree: Tree, /, *args: P.args, **kwargs: P.kwargs) -> R:
        key = (id(tree), *args, *kwargs.items())
        with lock:
            found = kept.get(key)
            if found is not None:
                kept.move_to_end(key)
                return found[1]
        result = function(tree, *args, **kwargs)
        with lock:
            kept[key] = (tree, result)
            while len(kept) > KEPT:
                kept.popitem(last=False)
        return result

    update_wrapper(remembered, function)
    return remembered
