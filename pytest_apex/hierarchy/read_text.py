"""Reading the text form that `hierarchy.text` writes."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from pytest_apex.errors import SourceError
from pytest_apex.hierarchy.element_types import ROLE_OF
from pytest_apex.hierarchy.escape import unescaped
from pytest_apex.hierarchy.text import ABSENT, FLAGS, RULER
from pytest_apex.model.geometry import Insets, Rect, Size
from pytest_apex.model.node import NodeState
from pytest_apex.model.screen import Screen
from pytest_apex.model.snapshot import AppInFront, Snapshot, TreeBuilder, Window

_INDENT = re.compile(r" *(?:\((\d+)\) )?")
_PART = re.compile(
    r"(?:(?P<key>[A-Za-z][A-Za-z ]*): )?"
    r"(?:'(?P<text>(?:[^'\\]|\\.)*)'|\{(?P<numbers>[^{}]*(?:\{[^{}]*\}[^{}]*)*)\}|(?P<bare>[^,'{}]+))(?:, |$)"
)
_APP = "Application bundle identifier: "
_STATES = dict(FLAGS)
_ABSENT = dict(ABSENT)


def is_ours(source: str) -> bool:
    return source.startswith("Device orientation: ") and "\nScreen: {" in source[:200]


@dataclass(slots=True)
class _Line:
    """The parts of one line: what stands alone, words and numbers by key."""

    alone: list[str] = field(default_factory=list)
    words: dict[str, list[str]] = field(default_factory=dict)
    numbers: dict[str, list[float]] = field(default_factory=dict)

    def word(self, key: str) -> str:
        return self.words.get(key, [""])[0]

    def number(self, key: str, otherwise: float = 0.0) -> float:
        return float(self.words[key][0]) if key in self.words else otherwise

    def frame(self) -> Rect:
        x, y, width, height = self.numbers[""]
        right, bottom = self.numbers.get("corner", (x + width, y + height))
        return Rect(x, y, right, bottom)


def read(source: str) -> Snapshot:
    """Raises `SourceError` with the number of the line that does not fit."""
    builder = TreeBuilder()
    heads: dict[str, _Line] = {}
    app, pid = "", 0
    for at, text in enumerate(source.split("\n"), start=1):
        try:
            if not text or text == RULER:
                continue
            if text.startswith(_APP):
                app = unescaped(text.removeprefix(_APP))
            elif text.startswith("Application, "):
                pid = int(_parts(text).number("pid"))
            elif not text.startswith(" "):
                title, _, rest = text.partition(": ")
                heads[title] = _parts(rest)
            else:
                _add(builder, text, app, pid)
        except (ValueError, KeyError, IndexError, OverflowError) as error:
            raise SourceError(
                f"line {at} of the hierarchy in text form can't be read", seen=f"{text[:160]}\n{error}"
            ) from error
    return _snapshot(heads, builder)


def _add(builder: TreeBuilder, text: str, app: str, pid: int) -> None:
    """A window (one level below its application) or a node."""
    indent = _INDENT.match(text)
    depth = int(indent[1]) if indent and indent[1] else len(text) - len(text.lstrip(" "))
    line = _parts(text[indent.end() if indent else 0 :])
    if depth == 1:
        builder.window(
            Window(
                0, app, line.word("kind"), line.word("title"), line.frame(), pid, "Focused" in line.alone,
                line.word("activity"),
            )
        )  # fmt: skip
        return
    if not 0 <= depth - 2 <= builder.depth:
        raise ValueError("it is indented deeper than the line before allows")
    while builder.depth > depth - 2:
        builder.close()
    states = NodeState.ENABLED | NodeState.VISIBLE
    for flag in line.alone[1:]:
        states = states & ~_ABSENT[flag] if flag in _ABSENT else states | _STATES[flag]
    builder.open(
        line.word("role") or ROLE_OF[line.alone[0]], line.frame(), text=line.word("text"), label=line.word("label"),
        identifier=line.word("identifier"), value=line.word("value"), hint=line.word("placeholder"),
        class_name=line.word("class"), states=int(states), actions=tuple(line.words.get("action", ())),
    )  # fmt: skip


def _parts(text: str) -> _Line:
    line = _Line()
    at = 0
    while at < len(text):
        part = _PART.match(text, at)
        if part is None:
            raise ValueError(f"column {at + 1}: a name, a flag, {{numbers}} or 'words' expected")
        at = part.end()
        key = part["key"] or ""
        if part["numbers"] is not None:
            line.numbers[key] = [float(item) for item in re.findall(r"[^{}, ]+", part["numbers"])]
        elif part["text"] is not None:
            line.words.setdefault(key, []).append(unescaped(part["text"]))
        elif key:
            line.words.setdefault(key, []).append(part["bare"])
        else:
            line.alone.append(part["bare"])
    return line


def _snapshot(heads: dict[str, _Line], builder: TreeBuilder) -> Snapshot:
    try:
        about = heads["Snapshot"]
        return Snapshot(
            id=about.word(""),
            taken_at=about.number("taken at"),
            tree=builder.build(),
            screen=_screen(heads["Screen"]),
            app=_front(heads["In front"]),
            skew_ms=about.number("skew ms"),
            source=about.word("source"),
            notes=tuple(about.words.get("note", ())),
            platform=about.word("platform"),
        )
    except (ValueError, KeyError, TypeError, OverflowError) as error:
        raise SourceError("the head of the hierarchy in text form can't be read", seen=str(error)) from error


def _front(line: _Line) -> AppInFront:
    return AppInFront(
        line.word(""), int(line.number("pid")), line.word("label"), line.word("activity"), line.word("version")
    )


def _screen(line: _Line) -> Screen:
    left, top, right, bottom = line.numbers["insets"]
    return Screen(
        size=Size(*line.numbers[""]),
        density=line.number("density", 1.0),
        scale=line.number("scale", 1.0),
        rotation=int(line.number("rotation")),
        insets=Insets(left, top, right, bottom),
        orientation=line.word("orientation"),
        font_scale=line.number("font scale", 1.0),
        locale=line.word("locale"),
        dark="Dark" in line.alone,
        awake="Asleep" not in line.alone,
    )
