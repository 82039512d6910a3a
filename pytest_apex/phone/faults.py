"""Faults of an app: each changes the app before it is installed. Those of the phone are in `troubles`.

The app file says where a fault sits (`faults: {dead_button: {control: save}}`). The last group is innocent: what looks
like trouble and is none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from pytest_apex.phone import parts, troubles
from pytest_apex.phone.edits import controls_of, edit_control, edit_screen, edit_taps, set_tap
from pytest_apex.phone.fault import KNOWN_FAULTS, Fault, change, hooks
from pytest_apex.phone.parts import AppFile, Control, Effect, Place, Quirk, ScreenPart
from pytest_apex.phone.template import Condition, parse, plain


def _loads_take(app: AppFile, place: Place, ms: float | None) -> AppFile:
    def longer(effect: Effect) -> Effect:
        return replace(effect, ms=ms) if isinstance(effect, parts.Load) else effect

    return edit_taps(app, place.control, longer)


def _quirk(app: AppFile, place: Place, quirk: Quirk) -> AppFile:
    return edit_control(app, place.control, lambda control: replace(control, quirk=quirk))


# Faults of an app


@change("control")
def dead_button(app: AppFile, place: Place) -> AppFile:
    """A tap does nothing at all."""
    return set_tap(app, place.control)


@change("control", "to")
def wrong_destination(app: AppFile, place: Place) -> AppFile:
    """The control opens another screen than it should."""

    def elsewhere(effect: Effect) -> Effect:
        return parts.Goto(place.to) if isinstance(effect, parts.Goto) else effect

    return edit_taps(app, place.control, elsewhere)


@change("control", "item")
def missing_data(app: AppFile, place: Place) -> AppFile:
    """A list leaves out one of its rows."""
    return _quirk(app, place, Quirk(item=place.item, skip=True))


@change("control", "text")
def wrong_value(app: AppFile, place: Place) -> AppFile:
    """A text shows something that is not so."""
    return edit_control(app, place.control, lambda control: replace(control, text=parse(place.text)))


@change("control")
def endless_load(app: AppFile, place: Place) -> AppFile:
    """What the control starts to load never arrives."""
    return _loads_take(app, place, None)


@change("control")
def covered_button(app: AppFile, place: Place) -> AppFile:
    """A transparent layer over the control takes its touches."""
    return _quirk(app, place, Quirk(cover=True))


@change("control", "by")
def text_overlap(app: AppFile, place: Place) -> AppFile:
    """A text stands `by` dp too high, on the text above it."""
    return _quirk(app, place, Quirk(dy=-place.by))


@change("control", takes=("by",))
def cut_label(app: AppFile, place: Place) -> AppFile:
    """A label shows only a share (`by`, a half if not given) of its text, cut within a letter."""
    return _quirk(app, place, Quirk(cut=place.by or 0.5))


@change("control", "by")
def off_screen(app: AppFile, place: Place) -> AppFile:
    """A control sticks out of the screen by being `by` dp too far right."""
    return _quirk(app, place, Quirk(dx=place.by))


@change("control", "color")
def wrong_color(app: AppFile, place: Place) -> AppFile:
    """A control has another background colour than it should."""
    return edit_control(app, place.control, lambda control: replace(control, background=place.color))


@change("control", "item", "by")
def misaligned(app: AppFile, place: Place) -> AppFile:
    """One row of a list is `by` dp out of line. `control` is the row's control inside the list."""
    return _quirk(app, place, Quirk(dx=place.by, item=place.item))


@change("screen")
def blank(app: AppFile, place: Place) -> AppFile:
    """A screen shows nothing, though the app lives."""
    return edit_screen(
        app,
        place.screen,
        lambda screen: ScreenPart(name=screen.name, scroll=False, on_open=screen.on_open, transition=screen.transition),
    )


@change("control", takes=("text",))
def unresolved_text(app: AppFile, place: Place) -> AppFile:
    """A text shows the name of what should stand there."""
    return edit_control(app, place.control, lambda control: replace(control, text=plain(place.text or "{{user.name}}")))


@change("control")
def crash_on_tap(app: AppFile, place: Place) -> AppFile:
    """A tap raises an exception that nobody catches."""
    message = (
        "Attempt to invoke virtual method 'java.lang.String java.lang.Object.toString()' on a null object reference"
    )
    return set_tap(app, place.control, parts.Crash("java.lang.NullPointerException", plain(message)))


@change("control")
def anr(app: AppFile, place: Place) -> AppFile:
    """A tap blocks the main thread."""
    return set_tap(app, place.control, parts.Hang())


@change("control")
def silent_exit(app: AppFile, place: Place) -> AppFile:
    """A tap makes the process end itself, without a word."""
    return set_tap(app, place.control, parts.Exit(0))


@change("control", takes=("text",))
def error_dialog(app: AppFile, place: Place) -> AppFile:
    """A tap fails, and the app says so in a dialog."""
    close = Control("button", id="close_error", text=plain("OK"), style="plain", on={"tap": (parts.Dismiss(),)})
    text = plain(place.text or "Something went wrong. Try again later.")
    dialog = parts.DialogPart("fault", plain("Error"), text, (close,))
    app = replace(app, dialogs={**app.dialogs, dialog.name: dialog})
    return set_tap(app, place.control, parts.ShowDialog(dialog.name))


@change("control")
def native_crash(app: AppFile, place: Place) -> AppFile:
    """A tap leads to a fault in native code."""
    return set_tap(app, place.control, parts.Signal())


@hooks("control")
class AnrNoDialog(Fault):
    """A tap blocks the main thread, and the system tells of it in the log alone."""

    hides_dialogs = True

    def change_app(self, app: AppFile) -> AppFile:
        return set_tap(app, self.place.control, parts.Hang())


@change("control")
def low_memory_kill(app: AppFile, place: Place) -> AppFile:
    """After a tap memory runs out, and the system kills the app in front."""
    return set_tap(app, place.control, parts.Reclaim())


@change("control")
def endless_animation(app: AppFile, place: Place) -> AppFile:
    """A control slides to and fro for ever."""
    return _quirk(app, place, Quirk(slide=True))


# Innocent


@change("control", takes=("ms",), innocent=True)
def slow_load(app: AppFile, place: Place) -> AppFile:
    """What the control starts to load takes long (8 seconds if not given), with a progress sign."""
    return _loads_take(app, place, place.ms or 8000)


@change("control", innocent=True)
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


@change("data", innocent=True)
def empty_list(app: AppFile, place: Place) -> AppFile:
    """There is nothing in a list, and the app says so."""
    return replace(app, data={**app.data, place.data: []})


@change("control", innocent=True)
def ticking_clock(app: AppFile, place: Place) -> AppFile:
    """A text shows the running time."""
    clock = parse("{now|clock}")
    app = edit_control(app, place.control, lambda control: replace(control, text=clock))
    return replace(app, screens={name: replace(screen, ticks=True) for name, screen in app.screens.items()})


@change("control", innocent=True)
def blinking_caret(app: AppFile, place: Place) -> AppFile:
    """The caret of a field blinks while it has the focus."""
    return _quirk(app, place, Quirk(blink=True))


@change("control", innocent=True)
def video(app: AppFile, place: Place) -> AppFile:
    """Moving pictures run in an image for ever."""
    return _quirk(app, place, Quirk(video=True))


@change("screen", "permission", innocent=True)
def permission_dialog(app: AppFile, place: Place) -> AppFile:
    """A screen asks for a permission when it opens, unless it has been answered before."""
    ask = parts.Ask(place.permission)
    return edit_screen(app, place.screen, lambda screen: replace(screen, on_open=(ask, *screen.on_open)))


def placed(faults: Mapping[str, Place]) -> str:
    """The faults that an app file places, for messages."""
    return ", ".join(sorted(faults)) or "none"


__all__ = ["KNOWN_FAULTS", "placed", "troubles"]
