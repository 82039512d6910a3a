"""Faults by name: each changes the app before it is installed, or answers one of the phone's few hooks.

The app file says where a fault sits (`faults: {dead_button: {control: save}}`). The first group are faults of an app,
the second trouble of a device, the third innocent: what looks like trouble and is none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial

from pytest_apex.model.snapshot import Tree, TreeBuilder, Window
from pytest_apex.phone import parts
from pytest_apex.phone.edits import controls_of, edit_control, edit_screen, edit_taps, set_tap
from pytest_apex.phone.parts import AppFile, Control, Effect, Place, Quirk, ScreenPart
from pytest_apex.phone.template import Condition, parse, plain


@dataclass(frozen=True, slots=True)
class Outage:
    """The device is gone for `seconds`, or for ever (None)."""

    seconds: float | None


class Fault:
    """No fault: every hook leaves things as they are. `place` is what the app file says."""

    #: Whether traces of a stopped process reach the log long after its end.
    late_traces = False

    def __init__(self, place: Place) -> None:
        self.place = place
        #: Controls whose next tap is lost.
        self.lost: set[str] = set()

    def change_app(self, app: AppFile) -> AppFile:
        """The app as it is installed."""
        return app

    def screen_opened(self, screen: str) -> Outage | None:
        """An app shows another screen. May take the device away."""

    def see_tree(self, tree: Tree) -> Tree:
        """The tree as it leaves the phone."""
        return tree

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


def _fault(
    *needs: str, takes: tuple[str, ...] = (), innocent: bool = False
) -> Callable[[Callable[[AppFile, Place], AppFile]], None]:
    """Register a change of the app under the function's name."""

    def register(change: Callable[[AppFile, Place], AppFile]) -> None:
        class Changed(Fault):
            def change_app(self, app: AppFile) -> AppFile:
                return change(app, self.place)

        name = change.__name__
        KNOWN_FAULTS[name] = FaultKind(name, needs, takes, innocent, Changed)

    return register


def _hooked(*needs: str, takes: tuple[str, ...] = (), innocent: bool = False) -> Callable[[type[Fault]], type[Fault]]:
    """Register a class that answers hooks, under its name in snake case."""

    def register(kind: type[Fault]) -> type[Fault]:
        name = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in kind.__name__).lstrip("_")
        KNOWN_FAULTS[name] = FaultKind(name, needs, takes, innocent, kind)
        return kind

    return register


def _loads_take(app: AppFile, place: Place, ms: float | None) -> AppFile:
    def longer(effect: Effect) -> Effect:
        return replace(effect, ms=ms) if isinstance(effect, parts.Load) else effect

    return edit_taps(app, place.control, longer)


def _quirk(app: AppFile, place: Place, quirk: Quirk) -> AppFile:
    return edit_control(app, place.control, lambda control: replace(control, quirk=quirk))


# Faults of an app


@_fault("control")
def dead_button(app: AppFile, place: Place) -> AppFile:
    """A tap does nothing at all."""
    return set_tap(app, place.control)


@_fault("control", "to")
def wrong_destination(app: AppFile, place: Place) -> AppFile:
    """The control opens another screen than it should."""

    def elsewhere(effect: Effect) -> Effect:
        return parts.Goto(place.to) if isinstance(effect, parts.Goto) else effect

    return edit_taps(app, place.control, elsewhere)


@_fault("control", "item")
def missing_data(app: AppFile, place: Place) -> AppFile:
    """A list leaves out one of its rows."""
    return _quirk(app, place, Quirk(item=place.item, skip=True))


@_fault("control", "text")
def wrong_value(app: AppFile, place: Place) -> AppFile:
    """A text shows something that is not so."""
    return edit_control(app, place.control, lambda control: replace(control, text=parse(place.text)))


@_fault("control")
def endless_load(app: AppFile, place: Place) -> AppFile:
    """What the control starts to load never arrives."""
    return _loads_take(app, place, None)


@_fault("control")
def covered_button(app: AppFile, place: Place) -> AppFile:
    """A transparent layer over the control takes its touches."""
    return _quirk(app, place, Quirk(cover=True))


@_fault("control", "by")
def text_overlap(app: AppFile, place: Place) -> AppFile:
    """A text stands `by` dp too high, on the text above it."""
    return _quirk(app, place, Quirk(dy=-place.by))


@_fault("control", takes=("by",))
def cut_label(app: AppFile, place: Place) -> AppFile:
    """A label shows only a share (`by`, a half if not given) of its text, cut within a letter."""
    return _quirk(app, place, Quirk(cut=place.by or 0.5))


@_fault("control", "by")
def off_screen(app: AppFile, place: Place) -> AppFile:
    """A control sticks out of the screen by being `by` dp too far right."""
    return _quirk(app, place, Quirk(dx=place.by))


@_fault("control", "color")
def wrong_color(app: AppFile, place: Place) -> AppFile:
    """A control has another background colour than it should."""
    return edit_control(app, place.control, lambda control: replace(control, background=place.color))


@_fault("control", "item", "by")
def misaligned(app: AppFile, place: Place) -> AppFile:
    """One row of a list is `by` dp out of line. `control` is the row's control inside the list."""
    return _quirk(app, place, Quirk(dx=place.by, item=place.item))


@_fault("screen")
def blank(app: AppFile, place: Place) -> AppFile:
    """A screen shows nothing, though the app lives."""
    return edit_screen(
        app,
        place.screen,
        lambda screen: ScreenPart(name=screen.name, scroll=False, on_open=screen.on_open, transition=screen.transition),
    )


@_fault("control", takes=("text",))
def unresolved_text(app: AppFile, place: Place) -> AppFile:
    """A text shows the name of what should stand there."""
    return edit_control(app, place.control, lambda control: replace(control, text=plain(place.text or "{{user.name}}")))


@_fault("control")
def crash_on_tap(app: AppFile, place: Place) -> AppFile:
    """A tap raises an exception that nobody catches."""
    message = (
        "Attempt to invoke virtual method 'java.lang.String java.lang.Object.toString()' on a null object reference"
    )
    return set_tap(app, place.control, parts.Crash("java.lang.NullPointerException", plain(message)))


@_fault("control")
def anr(app: AppFile, place: Place) -> AppFile:
    """A tap blocks the main thread."""
    return set_tap(app, place.control, parts.Hang())


@_fault("control")
def silent_exit(app: AppFile, place: Place) -> AppFile:
    """A tap makes the process end itself, without a word."""
    return set_tap(app, place.control, parts.Exit(0))


@_fault("control")
def endless_animation(app: AppFile, place: Place) -> AppFile:
    """A control slides to and fro for ever."""
    return _quirk(app, place, Quirk(slide=True))


# Trouble of the device


@_hooked("screen")
class DeviceLost(Fault):
    """From the moment the screen opens, the device is gone."""

    def screen_opened(self, screen: str) -> Outage | None:
        return Outage(None) if screen == self.place.screen else None


@_hooked("screen")
class BlindTree(Fault):
    """From the moment the screen opens, every tree is one empty node, beside a full picture."""

    _blind = False

    def screen_opened(self, screen: str) -> Outage | None:
        self._blind = self._blind or screen == self.place.screen
        return None

    def see_tree(self, tree: Tree) -> Tree:
        if not self._blind or not tree.windows:
            return tree
        bounds = tree.windows[0].bounds
        builder = TreeBuilder()
        builder.window(Window(0, "android", bounds=bounds))
        builder.leaf("other", bounds, class_name="android.view.View")
        return builder.build()


# Innocent


@_hooked("screen", takes=("seconds",), innocent=True)
class Reconnect(Fault):
    """When the screen opens for the first time, the device is gone for `seconds` (2 if not given)."""

    _done = False

    def screen_opened(self, screen: str) -> Outage | None:
        if screen != self.place.screen or self._done:
            return None
        self._done = True
        return Outage(self.place.seconds or 2.0)


@_hooked("control", innocent=True)
class LostTouch(Fault):
    """One tap on the control is lost, once."""

    def __init__(self, place: Place) -> None:
        super().__init__(place)
        self.lost = {place.control}


@_hooked(innocent=True)
class RestartByTest(Fault):
    """When a test stops the app, the traces of its death reach the log late, after the next start."""

    late_traces = True


@_fault("control", takes=("ms",), innocent=True)
def slow_load(app: AppFile, place: Place) -> AppFile:
    """What the control starts to load takes long (8 seconds if not given), with a progress sign."""
    return _loads_take(app, place, place.ms or 8000)


@_fault("control", innocent=True)
def disabled_until_complete(app: AppFile, place: Place) -> AppFile:
    """A button is disabled until every text field of its screen is filled."""
    for screen in app.screens.values():
        controls = controls_of(screen)
        if any(control.id == place.control for control in controls):
            filled = Condition(tuple(control.bind for control in controls if control.role == "text_field"))
            return edit_control(app, place.control, partial(_enabled_when, filled))
    return app


def _enabled_when(condition: Condition, control: Control) -> Control:
    return replace(control, enabled_when=condition)


@_fault("data", innocent=True)
def empty_list(app: AppFile, place: Place) -> AppFile:
    """There is nothing in a list, and the app says so."""
    return replace(app, data={**app.data, place.data: []})


@_fault("control", innocent=True)
def ticking_clock(app: AppFile, place: Place) -> AppFile:
    """A text shows the running time."""
    clock = parse("{now|clock}")
    app = edit_control(app, place.control, lambda control: replace(control, text=clock))
    return replace(app, screens={name: replace(screen, ticks=True) for name, screen in app.screens.items()})


@_fault("screen", "permission", innocent=True)
def permission_dialog(app: AppFile, place: Place) -> AppFile:
    """A screen asks for a permission when it opens, unless it has been answered before."""
    ask = parts.Ask(place.permission)
    return edit_screen(app, place.screen, lambda screen: replace(screen, on_open=(ask, *screen.on_open)))


def placed(faults: Mapping[str, Place]) -> str:
    """The faults that an app file places, for messages."""
    return ", ".join(sorted(faults)) or "none"
