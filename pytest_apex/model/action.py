"""What is meant: gestures, keys and text as values. Points are in the units of the tree, times in milliseconds.

A compiler (`pytest_apex.gestures.compile`) makes a `Track` of the pointer gestures: what a finger really does.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, TypeAlias

from pytest_apex.model.geometry import Point

#: Defaults of the contract.
LONG_PRESS_MS = 1200
DOUBLE_TAP_MS = 80
SWIPE_MS = 500
FLING_MS = 100


@dataclass(frozen=True, slots=True)
class Tap:
    """Touch and lift. `hold_ms` = 0 leaves the length of the touch to the platform's usual tap."""

    verb: ClassVar[str] = "tap"
    at: Point
    hold_ms: int = 0


@dataclass(frozen=True, slots=True)
class DoubleTap:
    """Two touches; `interval_ms` is the pause between them, from the first touch up to the second touch down."""

    verb: ClassVar[str] = "double_tap"
    at: Point
    interval_ms: int = DOUBLE_TAP_MS


@dataclass(frozen=True, slots=True)
class LongPress:
    verb: ClassVar[str] = "long_press"
    at: Point
    duration_ms: int = LONG_PRESS_MS


@dataclass(frozen=True, slots=True)
class Swipe:
    """One finger from `start` to `end`, by way of the points in `via`; the finger moves, the content follows.

    A finger that rests at the end for `rest_ms` leaves the content where it is; from 100 ms on, nothing flies on.
    """

    verb: ClassVar[str] = "swipe"
    start: Point
    end: Point
    duration_ms: int = SWIPE_MS
    via: tuple[Point, ...] = ()
    rest_ms: int = 0


@dataclass(frozen=True, slots=True)
class Fling:
    """A swipe that is still fast when the finger lifts, so that the content goes on by itself."""

    verb: ClassVar[str] = "fling"
    start: Point
    end: Point
    duration_ms: int = FLING_MS


@dataclass(frozen=True, slots=True)
class Drag:
    """Press, hold, move slowly, release."""

    verb: ClassVar[str] = "drag"
    start: Point
    end: Point
    hold_ms: int = 800
    move_ms: int = 1000


@dataclass(frozen=True, slots=True)
class Pinch:
    """Two fingers on a line through `center`, `span` apart at the start and `span * scale` at the end.

    `scale` over 1 opens (zooms in), under 1 closes; `angle` is the line's, in degrees from the x axis.
    """

    verb: ClassVar[str] = "pinch"
    center: Point
    scale: float
    span: float
    duration_ms: int = 600
    angle: float = 45.0


@dataclass(frozen=True, slots=True)
class Twist:
    """Two fingers, `span` apart, turn around `center` by `degrees`; clockwise is positive, as on the screen."""

    verb: ClassVar[str] = "twist"
    center: Point
    degrees: float
    span: float
    duration_ms: int = 600


@dataclass(frozen=True, slots=True)
class Frame:
    """Where each finger is; None for one that is lifted. `to_next_ms` leads to the next frame, or to the lifting."""

    points: tuple[Point | None, ...]
    to_next_ms: int


@dataclass(frozen=True, slots=True)
class Fingers:
    """Several fingers by key frames. A finger that comes back after it was lifted is a new touch."""

    verb: ClassVar[str] = "multi_touch"
    frames: tuple[Frame, ...]


@dataclass(frozen=True, slots=True)
class Press:
    """A button or key by name (`back`, `home`, `power`, `volume_up`, `enter` …), held for `hold_ms`."""

    verb: ClassVar[str] = "press"
    key: str
    hold_ms: int = 0


@dataclass(frozen=True, slots=True)
class TypeText:
    """Text for the focused field; a `secret` one never leaves this value in readable form."""

    verb: ClassVar[str] = "type"
    text: str = field(repr=False)
    secret: bool = False


@dataclass(frozen=True, slots=True)
class Wait:
    verb: ClassVar[str] = "wait"
    seconds: float


@dataclass(frozen=True, slots=True)
class Orient:
    """One of `ORIENTATIONS`."""

    verb: ClassVar[str] = "orientation"
    name: str


@dataclass(frozen=True, slots=True)
class Crown:
    """watchOS: turn the crown by so many full turns; the sign is the direction."""

    verb: ClassVar[str] = "crown"
    turns: float


@dataclass(frozen=True, slots=True)
class Remote:
    """tvOS: a button of the remote: up, down, left, right, select, menu, playpause, home."""

    verb: ClassVar[str] = "remote"
    button: str


@dataclass(frozen=True, slots=True)
class Secondary:
    """A further action that a control offers by name, as the actions menu of a screen reader does (Android's custom
    accessibility actions, Apple's custom actions)."""

    verb: ClassVar[str] = "secondary_action"
    name: str


Pointer: TypeAlias = Tap | DoubleTap | LongPress | Swipe | Fling | Drag | Pinch | Twist | Fingers
Action: TypeAlias = Pointer | Press | TypeText | Wait | Orient | Crown | Remote | Secondary


@dataclass(frozen=True, slots=True)
class Sample:
    """Where a finger is, `t_ms` after the start of the gesture."""

    t_ms: float
    x: float
    y: float
    pressure: float = 1.0


@dataclass(frozen=True, slots=True)
class Stroke:
    """One contact of one finger: down at the first sample, up at the last."""

    finger: int
    samples: tuple[Sample, ...]


@dataclass(frozen=True, slots=True)
class Track:
    """What the fingers do, as timed samples. `verb` names the gesture meant; `seed` replays a humanized one exactly;
    `note` says in what it differs from what was asked for."""

    verb: str
    strokes: tuple[Stroke, ...]
    humanized: bool = False
    seed: int | None = None
    note: str = ""

    @property
    def duration_ms(self) -> float:
        return max((stroke.samples[-1].t_ms for stroke in self.strokes), default=0.0)

    @property
    def points(self) -> tuple[Point, ...]:
        return tuple(Point(sample.x, sample.y) for stroke in self.strokes for sample in stroke.samples)


@dataclass(frozen=True, slots=True)
class Receipt:
    """The backend's word that an action was carried out; times are seconds on the device's clock."""

    started: float
    ended: float
    command: str = ""
