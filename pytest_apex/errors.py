"""Every error of the product, as a tree.

    ApexError
    ├── ConfigError               a wrong option, marker or argument            test.config
    │   ├── SizesDiffer           two pictures that can't be compared: nothing is resized
    │   └── FileMistakes          all mistakes of one file, each with its place
    │       ├── AppFileError      an app of the built-in phone
    │       └── ManualError       an app manual
    ├── SourceError               a hierarchy, picture or log that can't be read
    ├── ComparatorBroken          pictures can't be compared on this machine
    ├── CommandError              a text of the command language
    ├── DeviceProblem
    │   ├── BackendMissing        a package or program that a backend needs
    │   ├── DeviceLost            the device is gone
    │   ├── DriverDead            the driver on the device is gone, the device answers
    │   ├── TextLost              what was typed arrived otherwise, or in part
    │   ├── StorageFull           no room on the device
    │   ├── CapabilityMissing     the device can't do it                        test.capability
    │   └── LeaseUnavailable      every device that fits is in use
    ├── AppDied                   the app under test died during a step
    ├── ActionRefused             the guard, or an act that makes no sense now  test.refused
    ├── TargetProblem
    │   ├── TargetNotFound, TargetAmbiguous, TargetObscured, TargetOffScreen, TargetDisabled, TargetStale, NoEffect
    ├── ScreenUnsettled           the screen never came to rest
    └── CheckFailed               an `expect` that does not hold; also an AssertionError

Each message has four parts: what was tried, what was seen, the likely cause, what to do.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_apex.model.case import Failure
    from pytest_apex.model.look import Obscured, Unsettled
    from pytest_apex.model.node import Node
    from pytest_apex.model.target import Target


#: What no terminal shows and not every file or wire takes: controls but line ends and tabs, halves of a pair.
_UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


def printable(text: str) -> str:
    """The text with what can't be printed escaped as in Python: `\\x1b`, `\\ud800`."""
    return _UNPRINTABLE.sub(lambda found: repr(found[0])[1:-1], text)


def _indented(lines: str) -> str:
    return lines.replace("\n", "\n           ")


class ApexError(Exception):
    """Base of all errors of pytest-apex.

    `tried` is one sentence; `seen`, `likely` and `cure` may be empty; `look_at` names the stored evidence.
    `failure_type` is the type that a `Failure` made of it has (see `model.case.FAILURE_TYPES`).
    """

    failure_type = "error"
    unsettled: Unsettled | None = None
    """The last look, where the screen was not at rest when the error was raised."""

    def __init__(self, tried: str, *, seen: str = "", likely: str = "", cure: str = "", look_at: str = "") -> None:
        self.tried = tried
        self.seen = seen
        self.likely = likely
        self.cure = cure
        self.look_at = look_at
        super().__init__(tried)

    def __str__(self) -> str:
        return printable(self._told())

    def _told(self) -> str:
        parts = (("seen", self.seen), ("likely", self.likely), ("try", self.cure), ("look at", self.look_at))
        lines = [self.tried]
        lines.extend(f"  {name + ':':<8} {_indented(text)}" for name, text in parts if text)
        return "\n".join(lines)

    def __reduce__(self) -> tuple[object, ...]:
        # Errors cross process borders under pytest-xdist; attributes that don't pickle are left behind.
        return (_revive, (type(self), {k: v for k, v in self.__dict__.items() if isinstance(v, str)}))


def _revive(kind: type[ApexError], parts: dict[str, str]) -> ApexError:
    error = kind.__new__(kind)
    Exception.__init__(error, parts.get("tried", ""))
    error.__dict__.update(parts)
    return error


class ConfigError(ApexError):
    """A wrong option, marker, argument or file: the test's or the project's mistake, never the app's."""

    failure_type = "config"


class SizesDiffer(ConfigError):
    """Two pictures of different sizes are to be compared; nothing is ever resized."""


class ComparatorBroken(ApexError):
    """The comparison of pictures failed on a pair whose answer is known: nothing that it says can be relied upon."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """One mistake in a file; line and column count from 1."""

    file: str
    line: int
    column: int
    path: str
    what: str

    def __str__(self) -> str:
        at = f"{self.path}: " if self.path else ""
        return f"{self.file}:{self.line}:{self.column}  {at}{self.what}"


class FileMistakes(ConfigError):
    """All mistakes of one file, in the order of their lines."""

    noun = "file"

    def __init__(self, file: str, mistakes: Sequence[Mistake], *, cure: str = "") -> None:
        self.mistakes = tuple(sorted(mistakes, key=lambda item: (item.line, item.column)))
        count = f"{len(self.mistakes)} mistakes" if len(self.mistakes) != 1 else "a mistake"
        lines = "\n".join(str(item) for item in self.mistakes)
        super().__init__(f"{self.noun} {file} has {count}\n{lines}", cure=cure)


class AppFileError(FileMistakes):
    """An app file of the built-in phone."""

    noun = "app file"


class ManualError(FileMistakes):
    """An app manual."""

    noun = "manual"


class SourceError(ApexError):
    """A hierarchy, picture or log that can't be read; says what it looks like instead."""


class CommandError(ApexError):
    """A text of the command language that does not parse; nothing of it was done. `column` counts from 1."""

    failure_type = "config"

    def __init__(self, text: str, column: int, expected: str, found: str) -> None:
        self.column = column
        super().__init__(
            f"can't read the command at column {column}: expected {expected}, found {found}",
            seen=_excerpt(text, column),
            cure="nothing was sent; correct the command",
        )


def _excerpt(text: str, column: int) -> str:
    """The text around a column, on one line, and a mark below it; what can't be printed as a question mark."""
    begins = max(column - 80, 0)
    shown = "".join(letter if letter.isprintable() else "?" for letter in text[begins : begins + 120])
    return f"{shown}\n{' ' * (column - begins - 1)}^"


class DeviceProblem(ApexError):
    """Trouble with the device or its driver, not with the app."""

    failure_type = "device_problem"


class BackendMissing(DeviceProblem):
    """A package or program that the backend needs is not installed."""

    failure_type = "config"


class DeviceLost(DeviceProblem):
    """The device is gone: unplugged, switched off, offline."""

    failure_type = "device_lost"


class DeviceRestarted(DeviceProblem):
    """The device was gone and has started anew: it can be used again, and every app on it has ended."""

    failure_type = "device_restarted"


class DriverDead(DeviceProblem):
    """The driver on the device does not answer, though the device does."""

    failure_type = "driver_dead"


class TextLost(DeviceProblem):
    """What was typed did not arrive as it was, and that is not what the app makes of it; it is never typed again."""

    failure_type = "text_lost"


class ScreenLocked(DeviceProblem):
    """The lock screen is shown and only its user can take it away: passcode, pattern or fingerprint."""

    failure_type = "screen_locked"


class StorageFull(DeviceProblem):
    """The device has no room left for what it was given."""

    failure_type = "storage_full"


class CapabilityMissing(DeviceProblem):
    """The device can't do what was asked; names what it can."""

    failure_type = "capability"


class LeaseUnavailable(DeviceProblem):
    """Every device that fits is in use."""

    failure_type = "config"


class AppDied(ApexError):
    """The app under test died during a step, and not by the test's own doing."""

    failure_type = "app_died"


class ActionRefused(ApexError):
    """Refused before anything was sent: by the guard, or because the act makes no sense now."""

    failure_type = "refused"


class TargetProblem(ApexError):
    """The control that was asked for can't be used. `target` is what was asked for. `because` is what explains it, if
    anything does: the incomplete field of a disabled control, the test's own limit that ended a search."""

    target: Target | None = None
    because: str = ""


class TargetNotFound(TargetProblem):
    """No control fits. `near_misses` are the nodes that nearly do."""

    failure_type = "target_not_found"
    near_misses: tuple[Node, ...] = ()


class TargetAmbiguous(TargetProblem):
    """Several controls fit. `candidates` holds them."""

    failure_type = "target_ambiguous"
    candidates: tuple[Node, ...] = ()


class TargetObscured(TargetProblem):
    """The control is there, but something lies over it. `obscured` says what."""

    failure_type = "target_obscured"
    obscured: Obscured | None = None


class TargetOffScreen(TargetObscured):
    """The control is outside the visible screen."""

    failure_type = "target_off_screen"


class TargetDisabled(TargetProblem):
    """The control is disabled."""

    failure_type = "target_disabled"


class NoEffect(TargetProblem):
    """The control was touched, and did not do what an act goes on from, such as take the focus."""

    failure_type = "no_effect"


class TargetStale(TargetProblem):
    """An index or element of an earlier capture that is gone or means something else now."""

    failure_type = "target_stale"


class ScreenUnsettled(ApexError):
    """The screen never came to rest. `unsettled` holds the last look and what still moves."""

    failure_type = "unsettled"


class CheckFailed(ApexError, AssertionError):
    """A check that does not hold. `failure` is what the judge reads."""

    failure_type = "check"
    failure: Failure | None = None
