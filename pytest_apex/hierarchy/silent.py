"""Apps that show much and tell little, and the switch that makes them tell more."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_apex.hierarchy.visible import Box, visible_boxes
from pytest_apex.model.node import NodeState
from pytest_apex.model.snapshot import Snapshot

#: From so many visible nodes on, a tree of which hardly anything can be read hides something.
_BIG = 50
#: Lines of a state that are next to nothing.
_NOTHING = 3
#: From this share of the app's area on, a view that tells nothing matters.
_LARGE = 0.5

_VISIBLE = int(NodeState.VISIBLE)

#: A part of the class names of a toolkit's views, and how its apps are made to describe what is in them.
_SWITCHES = (
    (
        "flutter",
        "Flutter describes its screen only with semantics on: call SemanticsBinding.instance.ensureSemantics() in the "
        "app under test",
    ),
    (
        "compose",
        "Compose passes test tags on as ids with Modifier.semantics { testTagsAsResourceId = true }; give what is to "
        "be found a testTag or contentDescription",
    ),
    (
        "webview",
        "a WebView tells its page only when it may be inspected: WebView.setWebContentsDebuggingEnabled(true), on iOS "
        "isInspectable = true",
    ),
)


def advice(snapshot: Snapshot, told: Sequence[int]) -> str:
    """What to switch on in an app whose tree says next to nothing; "" where enough is told.

    `told` are the nodes that a state has a line for. Either a big tree folds to nearly nothing, or a view
    that is known to keep its content to itself fills most of the screen and tells nothing.
    """
    tree = snapshot.tree
    silent = _silent_view(snapshot, told)
    if silent:
        return f"note: most of the screen tells nothing. {silent}"
    if len(told) >= _NOTHING:
        return ""
    bars = {window.index for window in tree.windows if window.kind in ("status_bar", "keyboard")}
    visible = sum(
        1 for state, window in zip(tree.states, tree.window_of, strict=True) if state & _VISIBLE and window not in bars
    )
    if visible < _BIG:
        return ""
    known = next((how for part, how in _SWITCHES if any(part in name.lower() for name in set(tree.classes))), "")
    how = known or "give its controls ids, or labels for accessibility"
    return f"note: {visible} nodes, but next to nothing to read. {how}"


def _silent_view(snapshot: Snapshot, told: Sequence[int]) -> str:
    tree = snapshot.tree
    suspects = {name: how for name in set(tree.classes) for part, how in _SWITCHES if part in name.lower()}
    if not suspects:
        return ""
    boxes, area = visible_boxes(tree, snapshot.screen.bounds), snapshot.screen.app_area.area
    for index, name in enumerate(tree.classes):
        box = boxes[index]
        if name not in suspects or box is None or not tree.states[index] & _VISIBLE or not area:
            continue
        if (box[2] - box[0]) * (box[3] - box[1]) < area * _LARGE or tree.texts[index] or tree.labels[index]:
            continue
        # What is told of the same part of the screen may stand beside it in the tree as well as in it.
        if sum(1 for other in told if other != index and _is_in(boxes[other], box)) < _NOTHING:
            return suspects[name]
    return ""


def _is_in(inner: Box | None, outer: Box) -> bool:
    if inner is None or inner == outer:
        return False
    return inner[0] >= outer[0] and inner[1] >= outer[1] and inner[2] <= outer[2] and inner[3] <= outer[3]
