"""Faults by name: each changes the app before it is installed, or answers one of the phone's few hooks.

The app file says where a fault sits (`faults: {dead_button: {control: save}}`). The first group are faults of an app, the
second trouble of a device, the third innocent: what looks like trouble and is none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Protocol

from pytest_apex.model.geometry import Rect
from pytest_apex.model.snapshot import Tree, TreeBuilder, Window
from pytest_apex.phone import parts
from pytest_apex.phone.parts import AppFile, Control, Effect, Place, Quirk, ScreenPart
from pytest_apex.phone.template import Condition, parse, plain


class PhoneLink(Protocol):
    """What a fault may do to the phone."""

    def disconnect(self, seconds: float | None) -> None:
        """The device is gone for `seconds`, or for ever (None)."""

    def write_late_death(self, app: str, pid: int) -> None:
        """The traces of a stopped process, written to the log well after its end."""


class Fault:
    """No fault: every hook leaves things as they are. `place` is what the app file says."""

    def __init__(self, place: Place) -> None:
        self.place = place

    def change_app(self, app: AppFile) -> AppFile:
        """The app as it is installed."""
        return app

    def swallows_tap(self, control: str) -> bool:
        """Whether a tap on this control is lost."""
        return False

    def screen_opened(self, phone: PhoneLink, screen: str) -> None:
        """The app shows another screen."""

    def see_tree(self, tree: Tree, bounds: Rect) -> Tree:
        """The tree as it leaves the phone."""
        return tree

    def app_stopped(self, phone: PhoneLink, app: str, pid: int) -> None:
        """Someone outside stopped the app."""


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


# Changing an app


def _edit(control: Control, wanted: str, change: Callable[[Control], Control]) -> Control:
    inner = tuple(_edit(child, wanted, change) for child in control.controls)
    if any(new is not old for new, old in zip(inner, control.controls, strict=True)):
        control = replace(control, controls=inner)
    return change(control) if control.id == wanted else control


def edit_control(app: AppFile, wanted: str, change: Callable[[Control], Control]) -> AppFile:
    """The app with every control of this id changed."""

    def all_of(controls: tuple[Control, ...]) -> tuple[Control, ...]:
        return tuple(_edit(control, wanted, change) for control in controls)

    screens = {
        name: replace(
            screen,
            toolbar=all_of(screen.toolbar),
            controls=all_of(screen.controls),
            bottom=all_of(screen.bottom),
            floating=_edit(screen.floating, wanted, change) if screen.floating else None,
        )
        for name, screen in app.screens.items()
    }
    dialogs = {name: replace(dialog, buttons=all_of(dialog.buttons)) for name, dialog in app.dialogs.items()}
    return replace(app, screens=screens, dialogs=dialogs)


def edit_screen(app: AppFile, wanted: str, change: Callable[[ScreenPart], ScreenPart]) -> AppFile:
    return replace(app, screens={**app.screens, wanted: change(app.screens[wanted])})


def edit_effects(effects: tuple[Effect, ...], change: Callable[[Effect], Effect]) -> tuple[Effect, ...]:
    """Effects with each one, the inner ones too, changed."""

    def inside(effect: Effect) -> Effect:
        if isinstance(effect, parts.Load):
            return replace(effect, then=edit_effects(effect.then, change))
        if isinstance(effect, parts.Ask):
            return replace(effect, then=edit_effects(effect.then, change), denied=edit_effects(effect.denied, change))
        if isinstance(effect, parts.Choose):
            return replace(
                effect, then=edit_effects(effect.then, change), otherwise=edit_effects(effect.otherwise, change)
            )
        return effect

    return tuple(change(inside(effect)) for effect in effects)


def _edit_taps(app: AppFile, wanted: str, change: Callable[[Effect], Effect]) -> AppFile:
    return edit_control(
        app,
        wanted,
        lambda control: replace(
            control, on={gesture: edit_effects(effects, change) for gesture, effects in control.on.items()}
        ),
    )


def _on_tap(app: AppFile, wanted: str, *effects: Effect) -> AppFile:
    """The app in which a tap on the control does this and nothing else."""
    return edit_control(app, wanted, lambda control: replace(control, on={**control.on, "tap": effects}))


def _loads_take(app: AppFile, place: Place, ms: float | None) -> AppFile:
    def longer(effect: Effect) -> Effect:
        return replace(effect, ms=ms) if isinstance(effect, parts.Load) else effect

    return _edit_taps(app, place.control, longer)


def _quirk(app: AppFile, place: Place, quirk: Quirk) -> AppFile:
    return edit_control(app, place.control, lambda control: replace(control, quirk=quirk))


# Faults of an app


@_fault("control")
def dead_button(app: AppFile, place: Place) -> AppFile:
    """A tap does nothing at all."""
    return _on_tap(app, place.control)


@_fault("control", "to")
def wrong_destination(app: AppFile, place: Place) -> AppFile:
    """The control opens another screen than it should."""

    def elsewhere(effect: Effect) -> Effect:
        return parts.Goto(place.to) if isinstance(effect, parts.Goto) else effect

    return _edit_taps(app, place.control, elsewhere)


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
    return _on_tap(app, place.control, parts.Crash("java.lang.NullPointerException", plain(message)))


@_fault("control")
def anr(app: AppFile, place: Place) -> AppFile:
    """A tap blocks the main thread."""
    return _on_tap(app, place.control, parts.Hang())


@_fault("control")
def silent_exit(app: AppFile, place: Place) -> AppFile:
    """A tap makes the process end itself, without a word."""
    return _on_tap(app, place.control, parts.Exit(0))


@_fault("control")
def endless_animation(app: AppFile, place: Place) -> AppFile:
    """A control slides to and fro for ever."""
    return _quirk(app, place, Quirk(slide=True))


# Trouble of the device


@_hooked("screen")
class DeviceLost(Fault):
    """From the moment the screen opens, the device is gone."""

    def screen_opened(self, phone: PhoneLink, screen: str) -> None:
        if screen == self.place.screen:
            phone.disconnect(None)


@_hooked("screen")
class BlindTree(Fault):
    """From the moment the screen opens, every tree is one empty node, beside a full picture."""

    _blind = False

    def screen_opened(self, phone: PhoneLink, screen: str) -> None:
        self._blind = self._blind or screen == self.place.screen

    def see_tree(self, tree: Tree, bounds: Rect) -> Tree:
        if not self._blind:
            return tree
        builder = TreeBuilder()
        builder.window(Window(0, "android", bounds=bounds))
        builder.leaf("other", bounds, class_name="android.view.View")
        return builder.build()


# Innocent


@_hooked("screen", takes=("seconds",), innocent=True)
class Reconnect(Fault):
    """When the screen opens for the first time, the device is gone for `seconds` (2 if not given)."""

    _done = False

    def screen_opened(self, phone: PhoneLink, screen: str) -> None:
        if screen == self.place.screen and not self._done:
            self._done = True
            phone.disconnect(self.place.seconds or 2.0)


@_hooked("control", innocent=True)
class LostTouch(Fault):
    """One tap on the control is lost, once."""

    _done = False

    def swallows_tap(self, control: str) -> bool:
        if control != self.place.control or self._done:
            return False
        self._done = True
        return True


@_hooked(innocent=True)
class RestartByTest(Fault):
    """When a test stops the app, the traces of its death reach the log late, after the next start."""

    def app_stopped(self, phone: PhoneLink, app: str, pid: int) -> None:
        phone.write_late_death(app, pid)


@_fault("control", takes=("ms",), innocent=True)
def slow_load(app: AppFile, place: Place) -> AppFile:
    """What the control starts to load takes long (8 seconds if not given), with a progress sign."""
    return _loads_take(app, place, place.ms or 8000)


@_fault("control", innocent=True)
def disabled_until_complete(app: AppFile, place: Place) -> AppFile:
    """A button is disabled until every text field of its screen is filled."""
    for screen in app.screens.values():
        controls = list(_walk(screen))
        if any(control.id == place.control for control in controls):
            binds = tuple(control.bind for control in controls if control.role == "text_field")
            return edit_control(
                app, place.control, lambda control, filled=binds: replace(control, enabled_when=Condition(filled))
            )
    return app


def _walk(screen: ScreenPart) -> list[Control]:
    found: list[Control] = []
    waiting = [*screen.toolbar, *screen.controls, *screen.bottom, *([screen.floating] if screen.floating else [])]
    while waiting:
        control = waiting.pop()
        found.append(control)
        waiting.extend(control.controls)
    return found


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
