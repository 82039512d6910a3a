"""What an app file says, as frozen values. Lengths are in dp (Android) or points (Apple), times in milliseconds."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeAlias

from pytest_apex.phone.template import Condition, Template

#: Roles that an app file may use; `space` is a gap that no tree shows.
CONTROL_ROLES = (
    "text", "button", "link", "text_field", "checkbox", "switch", "image", "icon", "progress", "list", "cell", "group",
    "card", "space",
)  # fmt: skip
CONTAINERS = frozenset({"list", "cell", "group", "card"})
#: What a control can answer to. `submit` is the enter key in a text field, `change` a switch or check box that turned
#: or a field that was typed into.
GESTURES = (
    "tap",
    "double_tap",
    "long_press",
    "swipe_left",
    "swipe_right",
    "swipe_up",
    "swipe_down",
    "pinch_open",
    "pinch_close",
    "twist_left",
    "twist_right",
    "submit",
    "change",
)
TEXT_STYLES = ("headline", "title", "body", "label", "caption")
BUTTON_STYLES = ("primary", "outlined", "plain", "chip", "floating")
TRANSITIONS = ("slide", "fade", "none")


# What a gesture does


@dataclass(frozen=True, slots=True)
class Goto:
    screen: str


@dataclass(frozen=True, slots=True)
class Back:
    """Leave the screen; on the first one, the app goes to the background."""


@dataclass(frozen=True, slots=True)
class SetValues:
    values: tuple[tuple[str, Template], ...]


@dataclass(frozen=True, slots=True)
class Toggle:
    name: str


@dataclass(frozen=True, slots=True)
class Reset:
    """Variables back to what the app file gives them."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Append:
    to: str
    item: tuple[tuple[str, Template], ...]
    first: bool = False


@dataclass(frozen=True, slots=True)
class Remove:
    """Take the items out of a list whose fields equal the texts of `where`."""

    source: str
    where: tuple[tuple[str, Template], ...]


@dataclass(frozen=True, slots=True)
class Load:
    """Wait for `ms` (None: for ever), then go on. `cover` shows a progress sign over the screen; `flag` names a
    variable that is true meanwhile; `offline` is done instead without a network (None: it needs none)."""

    ms: float | None
    then: tuple[Effect, ...] = ()
    cover: bool = True
    flag: str = ""
    offline: tuple[Effect, ...] | None = None


@dataclass(frozen=True, slots=True)
class ShowDialog:
    name: str


@dataclass(frozen=True, slots=True)
class Dismiss:
    """Close the app's own dialog."""


@dataclass(frozen=True, slots=True)
class Toast:
    text: Template


@dataclass(frozen=True, slots=True)
class Notify:
    """A notification in the shade; `then` is what a tap on it does in the app."""

    title: Template
    text: Template | None = None
    then: tuple[Effect, ...] = ()


@dataclass(frozen=True, slots=True)
class WriteLog:
    """A line of the log; standard output has the tag `System.out`."""

    text: Template
    level: str = "I"
    tag: str = ""


@dataclass(frozen=True, slots=True)
class Ask:
    """Ask for a permission unless it was granted or denied before."""

    permission: str
    then: tuple[Effect, ...] = ()
    denied: tuple[Effect, ...] = ()


@dataclass(frozen=True, slots=True)
class Choose:
    when: Condition
    then: tuple[Effect, ...] = ()
    otherwise: tuple[Effect, ...] = ()


@dataclass(frozen=True, slots=True)
class OpenApp:
    app: str


@dataclass(frozen=True, slots=True)
class Crash:
    """An exception that nobody catches."""

    exception: str
    message: Template


@dataclass(frozen=True, slots=True)
class Hang:
    """The main thread never returns."""


@dataclass(frozen=True, slots=True)
class Exit:
    """The process ends itself."""

    status: int = 0


@dataclass(frozen=True, slots=True)
class Signal:
    """A fault in native code: the process dies of SIGSEGV. App files can't say this."""


@dataclass(frozen=True, slots=True)
class Reclaim:
    """The system kills the process, though it is in front, because memory runs out. App files can't say this."""


Effect: TypeAlias = (
    Goto | Back | SetValues | Toggle | Reset | Append | Remove | Load | ShowDialog | Dismiss | Toast | Notify | WriteLog
    | Ask | Choose | OpenApp | Crash | Hang | Exit | Signal | Reclaim
)  # fmt: skip


# What is on a screen


@dataclass(frozen=True, slots=True)
class Quirk:
    """What a fault does to one control; app files can't say this.

    `item` limits it to one row of the list that the control is in, or names the row that `skip` leaves out. `dx` and
    `dy` move it away from its place, `cut` shows only this share of its text's width, `cover` lays a transparent
    layer over it, `slide` moves it to and fro for ever, `video` lets moving pictures run in an image, `blink` lets the
    caret of a field blink.
    """

    dx: float = 0.0
    dy: float = 0.0
    cut: float = 0.0
    item: int | None = None
    skip: bool = False
    cover: bool = False
    slide: bool = False
    video: bool = False
    blink: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Control:
    """One control, or a group of them. `None` means: as usual for the role."""

    role: str
    id: str = ""
    text: Template | None = None
    label: Template | None = None
    hint: Template | None = None
    value: Template | None = None
    style: str = ""
    icon: str = ""
    color: str = ""
    background: str = ""
    width: float | None = None
    height: float | None = None
    fill: bool | None = None
    row: bool = False
    gap: float | None = None
    padding: float | None = None
    align: str = ""
    grow: bool = False
    lines: int = 0
    controls: tuple[Control, ...] = ()
    items: str = ""
    item_name: str = "item"
    scroll: bool = False
    bind: str = ""
    password: bool = False
    required: bool = False
    live: bool = False
    format: str = ""
    max_length: int = 0
    actions: Mapping[str, tuple[Effect, ...]] = field(default_factory=dict)
    visible_when: Condition | None = None
    enabled_when: Condition | None = None
    selected_when: Condition | None = None
    invalid_when: Condition | None = None
    on: Mapping[str, tuple[Effect, ...]] = field(default_factory=dict)
    quirk: Quirk | None = None
    #: Worked out once: asked at every look.
    slides: bool = field(init=False)

    def __post_init__(self) -> None:
        own = self.quirk is not None and self.quirk.slide
        object.__setattr__(self, "slides", own or any(child.slides for child in self.controls))


@dataclass(frozen=True, slots=True, eq=False)
class ScreenPart:
    """A screen: a toolbar, content that may scroll, a bar at the bottom and a floating button."""

    name: str
    title: Template | None = None
    up: bool = False
    toolbar: tuple[Control, ...] = ()
    controls: tuple[Control, ...] = ()
    scroll: bool = True
    padding: float = 16
    gap: float = 12
    align: str = ""
    bottom: tuple[Control, ...] = ()
    floating: Control | None = None
    on_open: tuple[Effect, ...] = ()
    transition: str = "slide"
    #: Whether a text on it shows the running time.
    ticks: bool = False
    #: Whether a fault makes a control on it move for ever.
    slides: bool = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "slides", any(control.slides for control in self.controls))


@dataclass(frozen=True, slots=True, eq=False)
class DialogPart:
    name: str
    title: Template
    text: Template | None
    buttons: tuple[Control, ...]


@dataclass(frozen=True, slots=True)
class Link:
    """A deep link as the file writes it. `pattern` matches its whole URL, the parts in braces as named groups; `then`
    may read those."""

    url: str
    pattern: re.Pattern[str]
    then: tuple[Effect, ...] = ()


@dataclass(frozen=True, slots=True)
class ScreenSize:
    """Pixels of the picture, and pixels a dp."""

    width: int = 540
    height: int = 1200
    density: float = 1.5


@dataclass(frozen=True, slots=True)
class Place:
    """Where a fault sits, with what it needs to know (see `phone.fault`)."""

    control: str = ""
    screen: str = ""
    to: str = ""
    text: str = ""
    color: str = ""
    permission: str = ""
    data: str = ""
    item: int = 0
    by: float = 0.0
    ms: float = 0.0
    seconds: float = 0.0

    FIELDS: ClassVar[tuple[str, ...]] = (
        "control", "screen", "to", "text", "color", "permission", "data", "item", "by", "ms", "seconds",
    )  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class AppFile:
    """One app: identity, look, data, screens, dialogs, and where the faults sit."""

    id: str
    name: str
    version: str
    start: str
    screens: Mapping[str, ScreenPart]
    activity: str = ".MainActivity"
    size: ScreenSize = ScreenSize()
    colors: Mapping[str, tuple[int, int, int]] = field(default_factory=dict)
    dark_colors: Mapping[str, tuple[int, int, int]] = field(default_factory=dict)
    dark_when: Condition | None = None
    icon: str = "note"
    launch_ms: float = 400
    animation_ms: float = 250
    data: Mapping[str, Any] = field(default_factory=dict)
    stored: tuple[str, ...] = ()
    saved: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()
    on_start: tuple[Effect, ...] = ()
    dialogs: Mapping[str, DialogPart] = field(default_factory=dict)
    faults: Mapping[str, Place] = field(default_factory=dict)
    file: str = ""
    #: SHA-256 of the file's text, in hexadecimal.
    digest: str = ""
