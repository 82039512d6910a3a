"""The page source: element by element as the server's `AccessibilityNodeInfoDumper` writes it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pytest_apex.model.node import NodeState
from pytest_apex.phone.phone import Phone
from pytest_apex.phone_wires.uia2.command import Command
from pytest_apex.phone_wires.uiautomator.nodes import Seen
from pytest_apex.phone_wires.webdriver.xml import element_lines

#: How long a toast is told of (TOAST_CLEAR_TIMEOUT of `NotificationListener`, seconds).
TOAST_S = 3.5
_S = NodeState
_FLAGS = (
    ("checkable", _S.CHECKABLE),
    ("checked", _S.CHECKED),
    ("clickable", _S.CLICKABLE),
    ("enabled", _S.ENABLED),
    ("focusable", _S.FOCUSABLE),
    ("focused", _S.FOCUSED),
    ("long-clickable", _S.LONG_CLICKABLE),
    ("password", _S.PASSWORD),
    ("scrollable", _S.SCROLLABLE),
    ("selected", _S.SELECTED),
)
_NO_NAME = re.compile(r"[$@#&]")
_BAD_NAME = re.compile(r"[^\w.-]", re.ASCII)


@dataclass(frozen=True, slots=True)
class Source:
    """`seen` are its elements in document order, from the second on: None for one that is no node (a toast)."""

    xml: str
    seen: Sequence[Seen | None]


def source(command: Command, phone: Phone) -> Source:
    """What the session's settings let be seen, at this moment."""
    screen = phone.screen()
    root = [("index", "0"), ("class", "hierarchy"), ("rotation", str(screen.rotation // 90)),
            ("width", str(round(screen.size.width))), ("height", str(round(screen.size.height)))]  # fmt: skip
    lines = [
        "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>",
        *element_lines("hierarchy", root, 0, open=True),
    ]
    found: list[Seen | None] = []
    deepest = int(command.session.settings["snapshotMaxDepth"])
    for top in command.roots(phone):
        _write(top, deepest, lines, found)
    for number, (app, text) in enumerate(toasts(command, phone)):
        told = [("index", str(number + 1)), ("package", app), ("class", "android.widget.Toast"), ("text", text),
                ("displayed", "true")]  # fmt: skip
        lines += element_lines("android.widget.Toast", told, 1)
        found.append(None)
    return Source("\n".join([*lines, "</hierarchy>"]), found)


def toasts(command: Command, phone: Phone) -> list[tuple[str, str]]:
    """App and text of the last toast, while it is told of."""
    if command.session.settings["enableNotificationListener"] is not True:
        return []
    since = max(command.session.since, phone.clock.now() - TOAST_S)
    return [(toast.app, toast.text) for toast in phone.machine.shade.toasts if toast.at >= since][-1:]


def _write(root: Seen, deepest: int, lines: list[str], found: list[Seen | None]) -> None:
    waiting: list[tuple[Seen, bool]] = [(root, False)]
    while waiting:
        seen, done = waiting.pop()
        tag = tag_of(seen.node.class_name)
        if done:
            lines += element_lines(tag, (), seen.depth + 1, close=True)
            continue
        found.append(seen)
        children = seen.children() if seen.depth + 1 < deepest else []
        lines += element_lines(tag, attributes(seen), seen.depth + 1, open=bool(children))
        if children:
            waiting.append((seen, True))
            waiting.extend((child, False) for child in reversed(children))


def tag_of(class_name: str) -> str:
    """A class as a tag of XML."""
    name = _BAD_NAME.sub("", _NO_NAME.sub(".", class_name))
    return name if name[:1].isalpha() else "android.view.View"


def bounds_text(seen: Seen) -> str:
    left, top, right, bottom = seen.bounds
    return f"[{left},{top}][{right},{bottom}]"


def attributes(seen: Seen) -> list[tuple[str, str]]:
    """All attributes of an element that it has; of those without a value only the text is told."""
    node = seen.node
    told = [
        ("index", str(seen.index)),
        ("package", seen.package),
        ("class", node.class_name),
        ("text", seen.text),
        *((name, value) for name, value in (("content-desc", node.label), ("resource-id", node.identifier)) if value),
        *((name, "true" if seen.flag(state) else "false") for name, state in _FLAGS),
        ("bounds", bounds_text(seen)),
        ("displayed", "true" if seen.flag(_S.VISIBLE) else "false"),
        ("a11y-important", "true"),
        ("screen-reader-focusable", "false"),
        ("drawing-order", str(seen.index + 1 if seen.depth else 0)),
        ("showing-hint", "true" if node.hint and not node.text else "false"),
        ("text-entry-key", "false"),
        ("dismissable", "false"),
        ("a11y-focused", "false"),
        ("heading", "false"),
        ("live-region", "1" if seen.flag(_S.LIVE) else "0"),
        ("context-clickable", "false"),
        ("content-invalid", "true" if seen.flag(_S.INVALID) else "false"),
    ]
    return [*told, ("hint", node.hint)] if node.hint else told
