"""From the state of the phone to the windows on its screen, bottom to top."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pytest_apex.model.node import NodeState
from pytest_apex.model.snapshot import Window
from pytest_apex.phone import system
from pytest_apex.phone.boxes import Box, Frame
from pytest_apex.phone.pages import Page, Transition
from pytest_apex.phone.parts import AppFile, Control
from pytest_apex.phone.process import Process
from pytest_apex.phone.screens import lay_screen
from pytest_apex.phone.shade import Notification
from pytest_apex.phone.surface import Surface, Touched
from pytest_apex.phone.system import Glass
from pytest_apex.phone.template import plain
from pytest_apex.vision import canvas
from pytest_apex.vision.canvas import Stamp

#: A control that slides for ever goes this far (dp) and back in this time (s).
_SLIDE_DP, _SLIDE_S = 28.0, 1.6
FRAMES_PER_S = 60
_HANDLE = (128, 130, 134)


@dataclass(frozen=True, slots=True)
class SystemDialog:
    """A dialog of the system about a process: `kind` is crash, frozen or permission."""

    kind: str
    app: AppFile
    permission: str = ""


@dataclass(frozen=True, slots=True)
class Shown:
    """What is on the screen. `apps` are those installed, `keyboard` is how much of it is up, 0 to 1; `shade` holds the
    notifications while their shade is down."""

    apps: Sequence[AppFile]
    front: Process | None
    dialog: SystemDialog | None
    keyboard: float
    clock: str
    shade: tuple[Notification, ...] | None = None
    online: bool = True


@dataclass(frozen=True, slots=True)
class Owners:
    """Who answers to touches."""

    app: Callable[[Touched, str], None]
    dialog: Callable[[Touched, str], None]
    launcher: Callable[[Touched, str], None]
    keys: Callable[[Touched, str], None]
    bar: Callable[[Touched, str], None]
    shade: Callable[[Touched, str], None]


def ease(share: float) -> float:
    """Fast first, slow at the end, as content moves on phones."""
    share = min(1.0, max(0.0, share))
    return 1 - (1 - share) ** 2


class Stage:
    """Builds surfaces for one screen size."""

    def __init__(self, glass: Glass, owners: Owners) -> None:
        self.glass = glass
        self._owners = owners
        self._keys = system.keyboard_keys(glass)
        self._layout = glass.layout

    def surfaces(self, shown: Shown) -> list[Surface]:
        """All windows, bottom to top. Under a dialog of the system, the others are drawn but not in the tree."""
        glass, owners, front = self.glass, self._owners, shown.front
        found: list[Surface] = []
        if front is None:
            found.append(system.launcher(glass, shown.apps, owners.launcher, shown.dialog is None))
        else:
            found += self._app(front, shown)
        if shown.keyboard > 0:
            found.append(system.keyboard(glass, self._keys, shown.keyboard, owners.keys))
        if front is not None and front.toast is not None:
            found.append(system.toast(glass, front.app.id, front.pid, front.toast[0]))
        if shown.dialog is not None:
            for surface in found:
                surface.in_tree = False
            found.append(self._system_dialog(shown.dialog))
        elif shown.shade is not None:
            for surface in found:
                surface.in_tree = False
            found.append(system.shade(glass, shown.shade, owners.shade))
        light = front is None or (front.app.dark_when is not None and front.app.dark_when.holds(front.scope))
        light = light and shown.shade is None
        bar = system.status_bar(glass, shown.clock, light, owners.bar, shown.online)
        return [*found, bar] if bar is not None else found

    def handle(self) -> Stamp | None:
        """The mark at the lower edge by which a finger leaves an app; drawn over everything, in no tree."""
        glass, bar = self.glass, self.glass.px(self.glass.platform.bars[1])
        if not bar:
            return None
        width, height = glass.px(108), glass.px(4)
        left, top = (glass.width - width) // 2, glass.height - (bar + height) // 2
        return canvas.rounded((left, top, left + width, top + height), _HANDLE, height // 2)

    def page(self, process: Process, page: Page, keyboard: float) -> Box:
        """The boxes of a page; `keyboard` is how much of it is up, 0 to 1."""
        glass = self.glass
        scrolls = dict(page.scrolls)
        if process.fling is not None:
            scrolls[process.fling.key] = process.fling.offset(process.now())
        frame = Frame(glass.density, process.scope, process.focus, scrolls, glass.px(slide_dp(process.now())))
        bars = (glass.px(glass.platform.bars[0]), glass.px(glass.platform.bars[1]))
        floor = glass.height - round(glass.px(glass.platform.keyboard) * keyboard)
        root = lay_screen(page.part, frame, (glass.width, glass.height), bars, floor)
        if page.covers:
            root.children.append(self._cover(root, bars))
        return root

    def _app(self, process: Process, shown: Shown) -> list[Surface]:
        app, theme = process.app, process.theme
        free = shown.dialog is None
        if process.page is None:
            return [self._splash(process)]
        boxes = self.page(process, process.page, shown.keyboard)
        window = Window(0, app.id, "application", app.name, pid=process.pid, focused=free and not process.dialog,
                        activity=f"{app.id}/{app.activity}")  # fmt: skip
        surface = Surface(window, boxes, theme, self._owners.app, background="background")
        if process.transition is not None:
            self._in_transition(surface, process, process.transition)
        found = [surface]
        if process.dialog:
            found.append(self._app_dialog(process, free))
        return found

    def _in_transition(self, surface: Surface, process: Process, transition: Transition) -> None:
        share = ease((process.now() - transition.started) / transition.seconds)
        before = self.page(process, transition.before, 0.0)
        surface.behind = Surface(surface.window, before, surface.theme, background="background")
        if transition.kind == "fade":
            surface.opacity = round(share, 3)
        else:
            away = round(self.glass.width * (1 - share))
            surface.dx = away if transition.forward else -away

    def _splash(self, process: Process) -> Surface:
        app, glass = process.app, self.glass
        root = glass.box("window", 0, glass.height)
        side = glass.px(96)
        icon = Control("image", icon=app.icon, width=96, height=96, background="primary", color="on_primary")
        made = self._layout.place(icon, process.scope, "splash", (0, 0, side, side), wrap=False)
        for box in made:
            box.move((glass.width - side) // 2, (glass.height - side) // 2)
        root.children = made
        window = Window(0, app.id, "application", f"Splash Screen {app.id}", pid=process.pid, focused=True)
        return Surface(window, root, process.theme, self._owners.bar, background="background")

    def _cover(self, root: Box, bars: tuple[int, int]) -> Box:
        """A progress sign over the page that takes the touches meanwhile."""
        glass = self.glass
        top = next((box.bottom for box in root.children if box.role == "toolbar"), bars[0])
        cover = glass.box("other", top, glass.height - bars[1], key="loading")
        cover.states |= int(NodeState.OPAQUE_TO_TOUCH)
        card = Control("card", padding=20, controls=(Control("progress", id="progress", label=plain("Loading")),))
        made = self._layout.place(card, system.NO_SCOPE, "loading", (0, 0, glass.width, glass.height), wrap=True)
        middle = (glass.width // 2, (cover.top + cover.bottom) // 2)
        for box in made:
            box.move(middle[0] - box.width // 2, middle[1] - box.height // 2)
        cover.children = made
        return cover

    def _app_dialog(self, process: Process, free: bool) -> Surface:
        part, app = process.app.dialogs[process.dialog], process.app
        message_id = "" if self.glass.platform.points else "android:id/message"
        controls = [Control("text", id="alertTitle", text=part.title, style="title")]
        if part.text is not None:
            controls.append(Control("text", id=message_id, text=part.text))
        controls.append(Control("group", row=True, align="end", controls=part.buttons))
        window = Window(0, app.id, "dialog", process.scope.text(part.title), pid=process.pid, focused=free)
        return system.dialog(
            self.glass, window, process.theme, self._owners.app, controls, process.scope, process.focus
        )

    def _system_dialog(self, dialog: SystemDialog) -> Surface:
        glass, name = self.glass, dialog.app.name
        platform = glass.platform
        if dialog.kind == "permission":
            controls = system.permission_controls(platform, name, dialog.permission)
            return system.system_dialog(glass, platform.permissions_app, "Permission", self._owners.dialog, controls)
        controls = system.crash_controls(name) if dialog.kind == "crash" else system.frozen_controls(name)
        title = "Application Error" if dialog.kind == "crash" else "Application Not Responding"
        return system.system_dialog(glass, platform.system, f"{title}: {dialog.app.id}", self._owners.dialog, controls)


def slide_dp(now: float) -> float:
    """Where a sliding control is: to and fro."""
    share = now % _SLIDE_S / _SLIDE_S
    return _SLIDE_DP * (2 * share if share < 0.5 else 2 - 2 * share)
