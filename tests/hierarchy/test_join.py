"""Trees of several apps as one: each node says what it said, of its own window."""

from __future__ import annotations

from pytest_apex.hierarchy.join import joined
from pytest_apex.model.geometry import Rect
from pytest_apex.model.snapshot import Tree, TreeBuilder, Window


def tree_of(app: str, left: float, rows: int) -> Tree:
    builder = TreeBuilder()
    builder.window(Window(0, app, bounds=Rect(left, 0, left + 100, 200), focused=True))
    builder.open("list", (left, 0, left + 100, 200), identifier=f"{app} list")
    for row in range(rows):
        builder.leaf("button", (left, row * 20, left + 100, row * 20 + 20), text=f"{app} {row}", actions=(f"{row}",))
    return builder.build(lambda index: {"app": app, "index": str(index)})


def test_each_node_is_the_same_one_in_the_joined_tree() -> None:
    parts = [tree_of("one", 0, 2), tree_of("two", 100, 3), tree_of("three", 200, 0)]
    whole = joined(parts, "two")
    assert len(whole) == sum(map(len, parts))
    index = 0
    for part in parts:
        for node in (part.node(at) for at in range(len(part))):
            same = whole.node(index)
            assert (same.text, same.identifier, same.role, same.bounds, same.actions) == (
                node.text, node.identifier, node.role, node.bounds, node.actions,
            )  # fmt: skip
            assert (same.window.app, dict(same.raw)) == (node.window.app, dict(node.raw))
            assert [child.text for child in same.children] == [child.text for child in node.children]
            assert (same.parent is None) == (node.parent is None)
            index += 1


def test_the_windows_are_numbered_anew_and_one_app_has_the_focus() -> None:
    whole = joined([tree_of("one", 0, 1), tree_of("two", 100, 1)], "one")
    assert [(window.index, window.app, window.focused) for window in whole.windows] == [
        (0, "one", True),
        (1, "two", False),
    ]
    assert [whole.node(at).window.index for at in range(len(whole))] == [0, 0, 1, 1]


def test_one_tree_stays_as_it_is() -> None:
    tree = tree_of("one", 0, 3)
    assert joined([tree], "one") == tree
