"""What is known about an app, as frozen values. `pytest_apex.manual` reads them from files and asks them.

Rectangles are in thousandths of the app's window: `Rect(0, 0, 1000, 1000)` is all of it. `where` names the place in the
file: `manuals/notes.yaml:14:3`.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from datetime import date

from pytest_apex.model.geometry import Rect
from pytest_apex.model.target import Target


class Tier(str, enum.Enum):
    """How far an act that can't be undone may be taken: refused unless the test's marker or `--apex-allow` says so;
    unless both do; never by the tool."""

    NORMAL = "normal"
    CRITICAL = "critical"
    HAND_OFF = "hand_off"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, slots=True)
class Place:
    """Where something stands in a file; line and column count from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Identity:
    """The app in front, as far as the device tells. "" is not known."""

    bundle_id: str = ""
    process_name: str = ""
    display_name: str = ""
    version: str = ""
    locale: str = ""

    def __str__(self) -> str:
        named = (
            ("bundle id", self.bundle_id),
            ("process name", self.process_name),
            ("display name", self.display_name),
            ("version", self.version),
            ("locale", self.locale),
        )
        return ", ".join(f"{name} {value!r}" for name, value in named if value) or "no app in front"


@dataclass(frozen=True, slots=True)
class Match:
    """Which apps a manual is for: any of the names, in the range of versions (`>=1.2,<3`), in one of the locales. ""
    and () allow all."""

    bundle_ids: tuple[str, ...] = ()
    process_names: tuple[str, ...] = ()
    display_names: tuple[str, ...] = ()
    versions: str = ""
    locales: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Shown:
    """What is on a screen: all of `shows`, none of `hides`. Without both it holds on none."""

    shows: tuple[Target, ...] = ()
    hides: tuple[Target, ...] = ()


@dataclass(frozen=True, slots=True)
class ManualScreen:
    name: str
    shown: Shown
    where: Place


@dataclass(frozen=True, slots=True)
class ManualControl:
    """A control by the manual's name: the first of `targets` that fits is meant (id, then label, then text); `region`
    is the last resort. `aliases` are further names."""

    name: str
    targets: tuple[Target, ...]
    aliases: tuple[str, ...]
    region: Rect | None
    where: Place


@dataclass(frozen=True, slots=True)
class Interruption:
    """Something that comes over any screen, and what makes it go: a tap, or a key. `tap` may be the manual's name of a
    control; one of `tap` and `press` is given."""

    name: str
    appears: Shown
    tap: Target | None
    press: str
    reason: str
    where: Place


@dataclass(frozen=True, slots=True)
class LiveRegion:
    """What moves by itself: a control, or a part of the window."""

    name: str
    target: Target | None
    region: Rect | None
    where: Place


@dataclass(frozen=True, slots=True)
class ExpectedBehaviour:
    """Known behaviour that is no failure. `kind` is the kind of finding that it explains (`visual.truncated`, or
    `visual`); "" explains none and only notes `what`. `appears` without anything holds on every screen. `until` is the
    last day it counts."""

    name: str
    what: str
    appears: Shown
    kind: str
    reason: str
    versions: str
    until: date | None
    where: Place


@dataclass(frozen=True, slots=True)
class EnvironmentScreen:
    """A screen that means trouble around the app: the test server is down."""

    name: str
    appears: Shown
    reason: str
    where: Place


@dataclass(frozen=True, slots=True)
class Irreversible:
    """An act that can't be undone, as written: `what:value`. `what` is `key`, `region`, `intent` or `control`; `keys`
    is the combination in its normal order (see `key_combination`), `region` the part of the window. `checked` says how
    far the tool can tell that an act is this one."""

    tier: Tier
    what: str
    value: str
    keys: tuple[str, ...]
    region: Rect | None
    checked: str
    where: Place

    def __str__(self) -> str:
        return f"{self.what}:{self.value}"


@dataclass(frozen=True, slots=True)
class FlowStep:
    """One step. `verb` is one of `STEP_VERBS`; what else it has:

    tap, double_tap, long_press (`seconds`), scroll_to, expect, expect_not: `target`
    type: `text`, into `target` if given, `secret`
    press: `text` is the key
    swipe: `text` is the direction, on `target` if given
    wait: `seconds`
    perform: `text` in the command language
    flow: `text` is the other flow's name
    hand_over: `text` for the person, until `target` is shown, at most `seconds`
    when: `steps`, done if `needs` holds

    `purpose` is the intent that it declares.
    """

    verb: str
    where: Place
    target: Target | None = None
    text: str = ""
    seconds: float | None = None
    secret: bool = False
    purpose: str = ""
    needs: Needs | None = None
    steps: tuple[FlowStep, ...] = ()


#: What a step of a flow can do.
STEP_VERBS = (
    "tap", "double_tap", "long_press", "scroll_to", "type", "press", "swipe", "wait", "perform", "flow", "hand_over",
    "expect", "expect_not", "when",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Needs:
    """A precondition: one of these screens of the manual (any, if none is named), and what must be on it."""

    screens: tuple[str, ...] = ()
    shown: Shown = Shown()


@dataclass(frozen=True, slots=True)
class ManualFlow:
    """Named steps. `needs` must hold before the first one. No flow leads into itself."""

    name: str
    needs: Needs
    steps: tuple[FlowStep, ...]
    where: Place


@dataclass(frozen=True, slots=True)
class Manual:
    """One manual. `name` is the file's without its ending, `source` the file as it was found; `warnings` are what is
    odd about it, each with its place."""

    name: str
    source: str
    match: Match
    summary: str = ""
    screens: tuple[ManualScreen, ...] = ()
    controls: tuple[ManualControl, ...] = ()
    interruptions: tuple[Interruption, ...] = ()
    live_regions: tuple[LiveRegion, ...] = ()
    expected: tuple[ExpectedBehaviour, ...] = ()
    environment: tuple[EnvironmentScreen, ...] = ()
    irreversible: tuple[Irreversible, ...] = ()
    flows: tuple[ManualFlow, ...] = ()
    body: str = ""
    warnings: tuple[str, ...] = ()

    def flow(self, name: str) -> ManualFlow | None:
        return next((flow for flow in self.flows if flow.name == name), None)

    def __str__(self) -> str:
        return f"{self.name} ({self.source})"


@dataclass(frozen=True, slots=True)
class MatchedManual:
    """The manual of the app in front, and by what it was found: `bundle id`, `process name`, `display name` or
    `marker`; `value` is the name that both have. A display name is `weak`: another app may have the same. `notes` say
    what could not be told, such as the app's version."""

    manual: Manual
    by: str
    value: str
    weak: bool = False
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        weak = ", which is weak: another app may have the same" if self.weak else ""
        return f"manual {self.manual}, by {self.by} {self.value!r}{weak}"


@dataclass(frozen=True, slots=True)
class NoManual:
    """No manual is for the app in front: what was looked for, the manuals known, those that would be for it if they had
    no mistakes (each with its mistakes), those left out for version or locale, and how to make one."""

    looked_for: Identity
    known: tuple[str, ...] = ()
    rejected: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    cure: str = ""

    def __str__(self) -> str:
        known = ", ".join(self.known[:20]) + (f" and {len(self.known) - 20} more" if len(self.known) > 20 else "")
        lines = [f"no manual for {self.looked_for}", f"known: {known or 'none'}", *self.left_out, *self.rejected]
        return "\n  ".join([*lines, f"try: {self.cure}"] if self.cure else lines)


#: Other names of keys and their usual one.
_KEY_NAMES = {
    "control": "ctrl", "command": "cmd", "meta": "cmd", "super": "cmd", "win": "cmd", "windows": "cmd", "⌘": "cmd",
    "option": "alt", "opt": "alt", "⌥": "alt", "⇧": "shift", "⌃": "ctrl",
    "return": "enter", "⏎": "enter", "↩": "enter", "esc": "escape", "del": "delete", "spacebar": "space",
}  # fmt: skip
_MODIFIERS = ("ctrl", "alt", "shift", "cmd", "fn")


def key_combination(text: str) -> tuple[str, ...]:
    """The keys of `Cmd+Enter` in their normal order, modifiers first: `("cmd", "enter")`. Order, case and the usual
    other names (`return`, `command`) do not matter. Empty for what is no combination: a key left out (`cmd+`), the same
    twice."""
    names = [_KEY_NAMES.get(name, name) for part in text.split("+") if (name := "_".join(part.casefold().split()))]
    if len(names) != text.count("+") + 1 or len(set(names)) != len(names):
        return ()
    rank = {name: at for at, name in enumerate(_MODIFIERS)}
    return tuple(sorted(names, key=lambda name: (rank.get(name, len(rank)), name)))
