"""The command language: gestures, buttons and text on one line.

    t 100 200                    tap               b h                       button: home, power, volume up, down
    t 100 200 1.2                press for 1.2 s   w 0.3                     wait
    d 100 200                    double tap        orientation landscapeLeft
    t 100 800 f 100 200 0.4      swipe             c -0.5                    watchOS: turn the crown
    drag 100 200 100 800 1 1.5   drag and drop     r select                  tvOS: remote
    mt [100 200, 300 400] 0.5 [150 250, 250 350] 0.1      several fingers, by key frames
    sender keyboard kbd Hello\\u{000A}                     type text, all that follows

Coordinates are in the units of the tree, times in seconds. What stands in brackets in the contract's table may be left
out and has the defaults of `model.action` then. `parse_commands` and `format_commands` are each other's inverse.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pytest_apex.errors import CommandError, ConfigError
from pytest_apex.gestures.limits import MOST_FINGERS
from pytest_apex.gestures.reader import MAX_CHARS, Reader
from pytest_apex.gestures.spelling import write_ms, write_number, write_text
from pytest_apex.model.action import (
    SWIPE_MS,
    Action,
    Crown,
    DoubleTap,
    Drag,
    Fingers,
    Frame,
    LongPress,
    Orient,
    Press,
    Remote,
    Swipe,
    Tap,
    TypeText,
    Wait,
)
from pytest_apex.model.geometry import Point
from pytest_apex.model.screen import ORIENTATIONS

__all__ = ["BUTTONS", "MAX_CHARS", "REMOTE", "format_commands", "parse_commands"]

BUTTONS = {
    "h": "home", "p": "power", "u": "volume_up", "d": "volume_down",
    "c": "crown", "s": "side", "a": "action",
}  # fmt: skip
REMOTE = ("up", "down", "left", "right", "select", "menu", "playpause", "home")
#: `portraitUpsideDown` → `portrait_upside_down`.
_ORIENTATIONS = {name[0] + name.title().replace("_", "")[1:]: name for name in sorted(ORIENTATIONS)}
_LETTERS = {key: letter for letter, key in BUTTONS.items()}
_CAMEL = {name: camel for camel, name in _ORIENTATIONS.items()}


def parse_commands(text: str) -> list[Action]:
    """The actions of a command text, in order; none for a text without a command.

    Raises `CommandError`, with the column and what was expected there, for a text that is not right as a whole, or
    longer than `MAX_CHARS`; and nothing else, whatever the text.
    """
    reader = Reader(text)
    actions: list[Action] = []
    while reader.word:
        read = _COMMANDS.get(reader.word)
        if read is None:
            raise reader.wrong(f"a command ({', '.join(_COMMANDS)})")
        reader.take()
        actions.append(read(reader))
    return actions


def format_commands(actions: Iterable[Action]) -> str:
    """The actions as a command text. It reads back as the same actions; a long press as a tap held as long.

    Raises `ConfigError` for an action that the language can't say in full, or not at that place.
    """
    listed = _listed(actions)
    texts = [_written(action, number) for number, action in enumerate(listed, 1)]
    for number, action in enumerate(listed[:-1], 1):
        if isinstance(action, TypeText):
            raise _unwritable(action, number, "typing has to be the last action: all that follows is text")
    text = " ".join(texts)
    if len(text) > MAX_CHARS:
        raise ConfigError(
            f"can't write {len(listed)} actions as one command text",
            seen=f"{len(text)} characters, of at most {MAX_CHARS}",
            cure="several texts",
        )
    return text


def _listed(actions: object) -> list[Action]:
    if isinstance(actions, Iterable) and not isinstance(actions, (str, bytes, Mapping)):
        return list(actions)
    raise ConfigError(
        "format_commands() takes a list of actions",
        seen=repr(actions)[:120],
        cure='format_commands(parse_commands("t 1 2"))',
    )


# Reading


def _read_tap(reader: Reader) -> Action:
    at = reader.point()
    if reader.take_if("f"):
        end = reader.point("X2", "Y2")
        return Swipe(at, end, reader.time_if("DURATION", least=1) or SWIPE_MS)
    return Tap(at, reader.time_if("HOLD") or 0)


def _read_drag(reader: Reader) -> Action:
    drag = Drag(reader.point("X1", "Y1"), reader.point("X2", "Y2"))
    hold = reader.time_if("HOLD")
    if hold is None:
        return drag
    return replace(drag, hold_ms=hold, move_ms=reader.time_if("MOVE", least=1) or drag.move_ms)


def _read_fingers(reader: Reader) -> Action:
    frames: list[Frame] = []
    reader.take_one_of(("[",))
    while not frames or reader.take_if("["):
        frames.append(Frame(_read_frame(reader, least=0 if frames else 1), reader.time("T")))
    return _padded(Fingers(tuple(frames)))


def _read_frame(reader: Reader, least: int) -> tuple[Point | None, ...]:
    """`x y, x y]`: a place for each finger, or nothing; with at least so many fingers."""
    points: list[Point | None] = []
    while True:
        points.append(None if reader.word in (",", "]") else reader.point())
        if reader.word == "]" and sum(point is not None for point in points) < least:
            raise reader.wrong("X Y of a finger")
        if len(points) > MOST_FINGERS:
            raise reader.wrong(f"at most {MOST_FINGERS} fingers")
        if reader.take_one_of((",", "]")) == "]":
            return tuple(points)


def _read_press(reader: Reader) -> Action:
    key = BUTTONS[reader.take_one_of(tuple(BUTTONS))]
    return Press(key, reader.time_if("HOLD") or 0)


def _read_typing(reader: Reader) -> Action:
    reader.take_one_of(("keyboard",))
    reader.take_one_of(("kbd",))
    return TypeText(reader.rest("TEXT"))


_COMMANDS: dict[str, Callable[[Reader], Action]] = {
    "t": _read_tap,
    "d": lambda reader: DoubleTap(reader.point()),
    "drag": _read_drag,
    "mt": _read_fingers,
    "b": _read_press,
    "sender": _read_typing,
    "w": lambda reader: Wait(reader.time("SECONDS") / 1000),
    "orientation": lambda reader: Orient(_ORIENTATIONS[reader.take_one_of(tuple(_ORIENTATIONS))]),
    "c": lambda reader: Crown(reader.number("TURNS")),
    "r": lambda reader: Remote(reader.take_one_of(REMOTE)),
}


def _padded(fingers: Fingers) -> Fingers:
    """As many places in each frame as there are fingers; a place behind them says nothing."""
    rows = [frame.points for frame in fingers.frames]
    count = max((n for row in rows for n, point in enumerate(row, 1) if point is not None), default=0)
    padded = (tuple(row[n] if n < len(row) else None for n in range(count)) for row in rows)
    return Fingers(tuple(replace(frame, points=row) for frame, row in zip(fingers.frames, padded, strict=True)))


# Writing


def _written(action: Action, number: int) -> str:
    """The command of one action: the one that reads back as it."""
    text = _spelt(action)
    meant = _as_read(action)
    try:
        read = parse_commands(text)
    except CommandError as error:
        raise _unwritable(action, number, error.tried.partition(": ")[2]) from None
    if read != [meant]:
        raise _unwritable(action, number, f"it would read back as {', '.join(map(repr, read))}")
    return text


def _as_read(action: Action) -> Action:
    """The action as the language knows it."""
    match action:
        case LongPress(at=at, duration_ms=duration):
            return Tap(at, duration)
        case Fingers():
            return _padded(action)
    return action


def _spelt(action: Action) -> str:
    match action:
        case Tap(at=at, hold_ms=ms) | LongPress(at=at, duration_ms=ms):
            return f"t {_place(at)}{_unless(0, ms)}"
        case DoubleTap(at=at):
            return f"d {_place(at)}"
        case Swipe(start=start, end=end, duration_ms=ms):
            return f"t {_place(start)} f {_place(end)}{_unless(SWIPE_MS, ms)}"
        case Drag(start=start, end=end):
            usual = Drag(start, end)
            move = _unless(usual.move_ms, action.move_ms)
            hold = f" {write_ms(action.hold_ms)}" if move else _unless(usual.hold_ms, action.hold_ms)
            return f"drag {_place(start)} {_place(end)}{hold}{move}"
        case Fingers(frames=frames):
            return "mt " + " ".join(f"[{_slots(frame.points)}] {write_ms(frame.to_next_ms)}" for frame in frames)
        case Press(key=key, hold_ms=ms):
            return f"b {_LETTERS.get(key, key)}{_unless(0, ms)}"
        case TypeText(text=text):
            return f"sender keyboard kbd {write_text(text)}"
        case Wait(seconds=seconds):
            return f"w {write_number(seconds)}"
        case Orient(name=name):
            return f"orientation {_CAMEL.get(name, name)}"
        case Crown(turns=turns):
            return f"c {write_number(turns)}"
        case Remote(button=button):
            return f"r {button}"
    return str(getattr(action, "verb", "?"))


def _place(point: Point) -> str:
    return f"{write_number(point.x)} {write_number(point.y)}"


def _slots(points: Sequence[Point | None]) -> str:
    count = max((n for n, point in enumerate(points, 1) if point is not None), default=0)
    return ", ".join("" if point is None else _place(point) for point in points[:count])


def _unless(usual: int, ms: int) -> str:
    """A time at the end of a command, left out where it is the usual one."""
    return "" if ms == usual else f" {write_ms(ms)}"


def _unwritable(action: Any, number: int, seen: str) -> ConfigError:
    return ConfigError(
        f"can't write action {number}, {str(getattr(action, 'verb', repr(action)))[:120]}, as a command",
        seen=seen,
        cure="do it by a verb of the device: the command language has no words for it",
    )
