"""What a fault is: its hooks into app and phone, and the table of all that can be placed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pytest_apex.model.snapshot import Tree
from pytest_apex.phone.parts import AppFile, Place


@dataclass(frozen=True, slots=True)
class Outage:
    """The device, or only the driver on it, is gone for `seconds`, or for ever (None). A driver comes back when it is
    started again, not by itself."""

    seconds: float | None
    driver: bool = False


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """Another app crashes (`crash`) or freezes (`frozen`) behind the one in front, and the system tells of it."""

    kind: str
    app: str
    name: str
    after_s: float = 0.5


@dataclass(frozen=True, slots=True)
class Stranger:
    """Somebody else's finger taps a control of the app in front."""

    control: str
    after_s: float = 0.5


class Fault:
    """No fault: every hook leaves things as they are. `place` is what the app file says."""

    #: Seconds after which the system ends an app that left the front; None: it never does by itself.
    ends_in_background: float | None = None
    #: Whether traces of a stopped process reach the log long after its end.
    late_traces = False
    #: Whether the system shows no dialog about an app that hangs; then nobody can tell what the app shows either.
    hides_dialogs = False

    def __init__(self, place: Place) -> None:
        self.place = place
        #: Id of the app that the fault sits in.
        self.app = ""
        #: Controls whose next tap is lost.
        self.lost: set[str] = set()
        #: The screen whose pictures are black.
        self.secure = ""

    def change_app(self, app: AppFile) -> AppFile:
        """The app as it is installed."""
        return app

    def screen_opened(self, screen: str) -> Outage | Elsewhere | Stranger | None:
        """An app shows another screen. May take the device away, bring a dialog up, or somebody's finger."""

    def see_tree(self, tree: Tree, now: float) -> Tree:  # noqa: ARG002
        """The tree as it leaves the phone; `now` is seconds on its clock."""
        return tree

    def is_secure(self, screen: str) -> bool:
        """Whether pictures of this screen of an app are black."""
        return bool(screen) and screen == self.secure

    def typed(self, _control: str, letter: str) -> str:
        """What arrives of a keystroke in a field."""
        return letter

    def swallows(self, control: str) -> bool:
        """Whether a tap on this control is lost."""
        if control in self.lost:
            self.lost.discard(control)
            return True
        return False


@dataclass(frozen=True, slots=True)
class FaultKind:
    """A fault that can be placed. `needs` and `takes` name the fields of its place; an innocent one is no defect."""

    name: str
    needs: tuple[str, ...]
    takes: tuple[str, ...]
    innocent: bool
    make: Callable[[Place], Fault]


KNOWN_FAULTS: dict[str, FaultKind] = {}


def change(
    *needs: str, takes: tuple[str, ...] = (), innocent: bool = False
) -> Callable[[Callable[[AppFile, Place], AppFile]], None]:
    """Register a change of the app under the function's name."""

    def register(made: Callable[[AppFile, Place], AppFile]) -> None:
        class Changed(Fault):
            def change_app(self, app: AppFile) -> AppFile:
                return made(app, self.place)

        name = made.__name__
        KNOWN_FAULTS[name] = FaultKind(name, needs, takes, innocent, Changed)

    return register


def hooks(*needs: str, takes: tuple[str, ...] = (), innocent: bool = False) -> Callable[[type[Fault]], type[Fault]]:
    """Register a class that answers hooks, under its name in snake case."""

    def register(kind: type[Fault]) -> type[Fault]:
        name = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in kind.__name__).lstrip("_")
        KNOWN_FAULTS[name] = FaultKind(name, needs, takes, innocent, kind)
        return kind

    return register
