"""The phone itself: what a finger does to it and what it shows."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_apex.errors import CapabilityMissing, ConfigError
from pytest_apex.marked_yaml import nearest
from pytest_apex.model.action import Track
from pytest_apex.model.geometry import Insets, Size
from pytest_apex.model.screen import ORIENTATIONS, Screen
from pytest_apex.model.snapshot import AppInFront, Tree
from pytest_apex.phone.fault import Fault
from pytest_apex.phone.faults import KNOWN_FAULTS, placed
from pytest_apex.phone.hand import Hand
from pytest_apex.phone.log import Log, moment
from pytest_apex.phone.machine import Machine
from pytest_apex.phone.parts import AppFile, Place
from pytest_apex.phone.platforms import PLATFORMS, Platform
from pytest_apex.phone.services import Services
from pytest_apex.phone.stage import FRAMES_PER_S, Shown, Stage
from pytest_apex.phone.stranger import StrangersHand
from pytest_apex.phone.surface import Surface, Touched, TreeWriter
from pytest_apex.phone.system import Glass
from pytest_apex.phone.timeline import Timeline
from pytest_apex.phone.touch import THRESHOLDS, Gesture, Thresholds
from pytest_apex.vision import canvas
from pytest_apex.vision.canvas import Display, DrawnPicture, Renderer, Stamp
from pytest_apex.vision.canvas import rect as canvas_rect

_KEYSTROKE_S = 0.03
_PRESS_S = 0.05
_TURN_S = 0.3
_CROWN_S = 0.2
_ROTATIONS = {"portrait": 0, "landscape_left": 90, "portrait_upside_down": 180, "landscape_right": 270}


def _install(apps: Sequence[AppFile], name: str | None) -> tuple[list[AppFile], Fault]:
    """The apps as the fault changes them, and the fault."""
    if name is None:
        return list(apps), Fault(Place())
    if name not in KNOWN_FAULTS:
        raise ConfigError(
            f"unknown fault {name!r}{nearest(name, KNOWN_FAULTS)}",
            seen=f"known: {', '.join(sorted(KNOWN_FAULTS))}",
        )
    for app in apps:
        if name in app.faults:
            fault = KNOWN_FAULTS[name].make(app.faults[name])
            fault.app = app.id
            return [fault.change_app(item) if item is app else item for item in apps], fault
    needs = ", ".join(f"{key}: …" for key in KNOWN_FAULTS[name].needs)
    raise ConfigError(
        f"the fault {name!r} has no place in {', '.join(app.file or app.id for app in apps)}",
        seen="; ".join(f"placed in {app.file or app.id}: {placed(app.faults)}" for app in apps),
        cure=f"say in the app file where it sits: faults: {{{name}: {{{needs}}}}}",
    )


@dataclass(slots=True)
class Scene:
    """The windows of one moment, and what was made of them so far."""

    key: tuple[Any, ...]
    surfaces: list[Surface]
    spins: bool
    tree: Tree | None = None
    #: What each node of the tree was made of.
    sources: Sequence[Touched] = ()
    display: tuple[int, Display] | None = None


class Phone:
    """A phone with some apps installed. Nothing happens but in its own time (`clock`).

    `fault` is the name of a fault that an app file places. The same seed gives the same process ids, and with the same
    calls the same pictures, trees and log, byte for byte. Raises `ConfigError` for an unknown platform or fault, or one
    that no app file places.
    """

    def __init__(
        self, apps: Sequence[AppFile], *, platform: str = "android", fault: str | None = None, seed: int = 0
    ) -> None:
        if platform not in PLATFORMS:
            raise ConfigError(f"unknown platform {platform!r}{nearest(platform, PLATFORMS)}")
        if not apps:
            raise ConfigError("a phone without an app", cure="give at least one app file")
        self.platform: Platform = PLATFORMS[platform]
        installed, kind = _install(apps, fault)
        self.machine = Machine(installed, self.platform, kind, seed)
        self.services = Services(self.machine)
        #: How it tells touches apart; set it before the first touch.
        self.limits: Thresholds = THRESHOLDS.get(platform, THRESHOLDS["ios"])
        self.renderer = Renderer()
        self.orientation = "portrait"
        self._hand = Hand(self)
        #: Touches that no tool sent.
        self.stranger = StrangersHand(self)
        self.machine.on_stranger = self.stranger.tap
        self._size = self.platform.screen(self.machine.apps[0].size)
        self.stage = self._make_stage()
        self._scene: Scene | None = None

    @property
    def clock(self) -> Timeline:
        return self.machine.timeline

    @property
    def log(self) -> Log:
        return self.machine.log

    @property
    def connected(self) -> bool:
        """Whether the phone answers at all."""
        return self.machine.connected

    @property
    def driver_alive(self) -> bool:
        """Whether what looks and touches for the tools is there."""
        return self.machine.driver.alive

    def restart_driver(self) -> bool:
        """Start the driver again; False if it dies at once."""
        driver = self.machine.driver
        driver.alive = driver.alive or not driver.lasts
        return driver.alive

    @property
    def mute(self) -> bool:
        """Whether the app in front hangs and can't tell what it shows. Whoever asks for the tree waits in vain."""
        front = self.machine.front
        return self.machine.fault.hides_dialogs and front is not None and front.blocked_at is not None

    # What it shows

    def _make_stage(self) -> Stage:
        width, height = self._size.width, self._size.height
        if self.orientation.startswith("landscape"):
            width, height = height, width
        glass = Glass(self.platform, width, height, self._size.density)
        return Stage(glass, self._hand.owners)

    @property
    def unit(self) -> float:
        """Pixels of the picture a unit of the tree."""
        return self._size.density if self.platform.points else 1.0

    def screen(self) -> Screen:
        """The screen as the tree measures it."""
        glass, unit = self.stage.glass, self.unit
        top, bottom = (glass.px(bar) / unit for bar in self.platform.bars)
        return Screen(
            size=Size(glass.width / unit, glass.height / unit),
            density=glass.density,
            scale=unit,
            rotation=_ROTATIONS[self.orientation],
            insets=Insets(0, top, 0, bottom),
            orientation=self.orientation,
            awake=self.machine.awake,
        )

    def scene(self) -> Scene:
        """The windows of this moment; the same object while nothing changes."""
        key, machine = self._scene_key(), self.machine
        if self._scene is None or self._scene.key != key:
            clock = f"{moment(self.clock.now()):%H:%M}"
            shade = machine.shade.notifications if machine.shade.open else None
            surfaces = self.stage.surfaces(
                Shown(machine.apps, machine.front, machine.dialog, machine.keyboard_share, clock, shade, machine.online)
            )
            self._scene = Scene(key, surfaces, any(surface.spins for surface in surfaces))
        return self._scene

    def _scene_key(self) -> tuple[Any, ...]:
        """Equal keys: equal windows."""
        machine, front, frame, second = self.machine, self.machine.front, 0, 0
        if front is not None and front.page is not None:
            part = front.page.part
            moving = front.transition is not None or front.fling is not None or part.slides
            frame = int(front.now() * FRAMES_PER_S) if moving else 0
            second = int(front.now()) if part.ticks else 0
        process = (front.pid, front.version) if front is not None else (0, 0)
        minute = int(self.clock.now() // 60)
        return machine.version, *process, frame, second, machine.keyboard_share, minute, self.orientation

    def tree(self) -> Tree:
        """The hierarchy of all windows at this moment; the same object while nothing changes."""
        scene = self.scene()
        if scene.tree is None:
            writer = TreeWriter(self.platform, self.unit)
            scene.sources = writer.sources
            silent = self.machine.front.pid if self.mute and self.machine.front is not None else None
            for surface in scene.surfaces:
                if surface.in_tree and surface.window.pid != silent:
                    writer.add(surface)
            scene.tree = writer.build()
        return self.machine.fault.see_tree(scene.tree, self.clock.now())

    def frame(self) -> DrawnPicture:
        """The picture at this moment, drawn when its pixels are asked for; the same object while nothing changes."""
        scene, glass, front = self.scene(), self.stage.glass, self.machine.front
        if not self.machine.awake:
            black = canvas.rect((0, 0, glass.width, glass.height), (0, 0, 0))
            return self.renderer.picture((black,), (glass.width, glass.height))
        now = front.now() if front is not None else self.clock.now()
        number = int(now * FRAMES_PER_S) if scene.spins else 0
        if scene.display is None or scene.display[0] != number:
            stamps = [stamp for surface in scene.surfaces for stamp in self._stamps(surface, number)]
            handle = self.stage.handle()
            scene.display = (number, (*stamps, handle) if handle else tuple(stamps))
        return self.renderer.picture(scene.display[1], (glass.width, glass.height))

    def _stamps(self, surface: Surface, frame: int) -> list[Stamp]:
        """One window's part of the picture: black where its screen is secure."""
        glass, front = self.stage.glass, self.machine.front
        screen = (0, 0, glass.width, glass.height)
        page = front.page if front is not None and surface.window.pid == front.pid else None
        if page is not None and self.machine.fault.is_secure(page.part.name):
            return [canvas_rect(screen, (0, 0, 0))]
        return surface.stamps(glass.density, frame, screen)

    def in_front(self) -> AppInFront:
        """The app that owns the window in front: that of a dialog of the system, else the app, else the home screen."""
        dialog, front = self.machine.dialog, self.machine.front
        if dialog is not None:
            return AppInFront(self.platform.permissions_app if dialog.kind == "permission" else self.platform.system)
        if front is None:
            return AppInFront(self.platform.launcher, label="Home")
        app = front.app
        return AppInFront(app.id, front.pid, app.name, f"{app.id}/{app.activity}", app.version)

    # Input

    def touch(self, track: Track) -> None:
        """Play a gesture, sample by sample, in the phone's time; ends when the last finger is up."""
        self._need("tap")
        self._hand.play(track)

    def pointer(self, kind: str, x: float, y: float, finger: int = 0) -> None:
        """One event of a finger, now: `down`, `move` or `up`; for those who send a gesture bit by bit."""
        self._need("tap")
        self._hand.event(kind, finger, x, y)

    @property
    def recognised(self) -> deque[Gesture]:
        """What the last touches were taken for, in pixels of the picture; a scroll is told once, with all its way.
        May be cleared."""
        return self._hand.recognised

    def turn_crown(self, turns: float) -> None:
        """Turn the crown by full turns. As XCTest has it, a positive number is an upward gesture: it shows what is
        below."""
        self._need("crown")
        self.clock.sleep(_CROWN_S)
        self._hand.turn_crown(turns)

    def do_action(self, index: int, name: str) -> None:
        """Do a secondary action of the node with this index in the tree of this moment."""
        self._need("secondary_actions")
        self.clock.sleep(_PRESS_S)
        self.tree()
        sources = self.scene().sources
        if index < len(sources):
            self._hand.do_action(sources[index], name)

    def hide_keyboard(self) -> None:
        """Let the keyboard go, whatever its keys do; the field keeps the focus."""
        self._need("hide_keyboard")
        self.clock.sleep(_PRESS_S)
        self.machine.show_keyboard(False)

    def set_awake(self, awake: bool) -> None:
        """Switch the screen on or off."""
        self._need("wake")
        self.clock.sleep(_PRESS_S)
        self.machine.set_awake(awake)

    def type_text(self, text: str) -> bool:
        """Type into the focused field, a keystroke at a time, until it loses the focus; False if there is none (nothing
        was typed)."""
        self._need("type")
        field = self._hand.focused_field
        if field is None:
            return False
        for letter in text:
            self.clock.sleep(_KEYSTROKE_S)
            if not self._hand.key_into(field, letter):
                break
        return True

    def clear_text(self) -> bool:
        """Empty the focused field; False if there is none."""
        self._need("type")
        self.clock.sleep(_KEYSTROKE_S)
        return self._hand.edit(lambda _text: "")

    def edit_text(self, change: Callable[[str], str]) -> bool:
        """Change the text of the focused field at once, as a paste or accessibility does; False if there is none."""
        return self._hand.edit(change)

    def press(self, key: str, hold_ms: float = 0) -> None:
        """Press a key of the device; raises `CapabilityMissing` for one that it has not."""
        if key not in self.platform.keys:
            raise CapabilityMissing(
                f"this {self.platform.name} device has no key {key!r}",
                cure=f"it has {', '.join(sorted(self.platform.keys))}",
            )
        self.clock.sleep(max(hold_ms / 1000, _PRESS_S))
        self._hand.press(key)

    def rotate(self, name: str) -> None:
        """Turn the device (`model.screen.ORIENTATIONS`); lying flat changes nothing on the screen."""
        self._need("orientation")
        if name not in ORIENTATIONS:
            raise ConfigError(f"unknown orientation {name!r}{nearest(name, ORIENTATIONS)}")
        if name in _ROTATIONS and name != self.orientation:
            self.orientation = name
            if self.machine.front is not None:
                self.machine.front.stop_moving()
            self.stage = self._make_stage()
        self.clock.sleep(_TURN_S)

    def _need(self, capability: str) -> None:
        if capability not in self.platform.capabilities:
            raise CapabilityMissing(
                f"a {self.platform.name} device can't do {capability!r}",
                cure=f"it can {', '.join(sorted(self.platform.capabilities))}",
            )

    # Apps

    def launch(self, app_id: str, args: Sequence[str] = (), env: Mapping[str, str] | None = None) -> int:
        """Start an app, or bring it to the front if it runs; returns its pid at once."""
        return self.machine.launch(app_id, args, env)

    def activate(self, app_id: str) -> None:
        """Bring an app to the front, starting it if need be."""
        self.machine.launch(app_id)

    def stop(self, app_id: str) -> None:
        """End the app from outside; nothing happens if it does not run."""
        self.machine.stop(app_id)

    def clear_data(self, app_id: str) -> None:
        """Stop the app and forget what it stored, and its permissions."""
        self.machine.clear_data(app_id)

    def set_permission(self, app_id: str, permission: str, grant: bool) -> None:
        """Grant or deny; `*` means every permission."""
        self.machine.set_permission(app_id, permission, grant)

    def app_state(self, app_id: str) -> tuple[str, int]:
        """`not_installed`, `not_running`, `background` or `foreground`, and the pid (0 without a process)."""
        return self.machine.app_state(app_id)

    def log_text(self) -> str:
        """The whole log, in the platform's own format."""
        return self.log.from_time(0.0)

    def exit_info(self, app_id: str) -> str:
        """Why the app's processes ended, as `dumpsys activity exit-info` prints it."""
        return self.log.exit_info(app_id)

    def crash_texts(self, app_id: str, since: float = 0.0) -> list[str]:
        """All that the phone wrote down about ends of the app's processes: log and exit records, or crash reports."""
        return self.log.crash_texts(app_id, since)
