"""Changing one control, one screen or some effects in a frozen app."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from pytest_apex.phone.parts import AppFile, Ask, Choose, Control, Effect, Load, ScreenPart


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
    """Effects with each one changed, the inner ones too."""

    def inside(effect: Effect) -> Effect:
        if isinstance(effect, Load):
            return replace(effect, then=edit_effects(effect.then, change))
        if isinstance(effect, Ask):
            denied = edit_effects(effect.denied, change)
            return replace(effect, then=edit_effects(effect.then, change), denied=denied)
        if isinstance(effect, Choose):
            otherwise = edit_effects(effect.otherwise, change)
            return replace(effect, then=edit_effects(effect.then, change), otherwise=otherwise)
        return effect

    return tuple(change(inside(effect)) for effect in effects)


def edit_taps(app: AppFile, wanted: str, change: Callable[[Effect], Effect]) -> AppFile:
    """The app with all effects of a control changed."""

    def changed(control: Control) -> Control:
        return replace(control, on={kind: edit_effects(effects, change) for kind, effects in control.on.items()})

    return edit_control(app, wanted, changed)


def set_tap(app: AppFile, wanted: str, *effects: Effect) -> AppFile:
    """The app in which a tap on the control does this and nothing else."""
    return edit_control(app, wanted, lambda control: replace(control, on={**control.on, "tap": effects}))


def controls_of(screen: ScreenPart) -> list[Control]:
    """All controls of a screen, inner ones too."""
    found: list[Control] = []
    waiting = [*screen.toolbar, *screen.controls, *screen.bottom, *([screen.floating] if screen.floating else [])]
    while waiting:
        control = waiting.pop()
        found.append(control)
        waiting.extend(control.controls)
    return found
