"""The built-in phone as a device: `virtual`, `virtual:APP.yaml`, `virtual?fault=NAME&platform=ios&seed=7`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path
from typing import TypeVar

from pytest_apex.backends.abilities import ForeignTouch, Progress, Toast
from pytest_apex.backends.base import AppState, LogLines
from pytest_apex.clock import Clock
from pytest_apex.errors import ActionRefused, ConfigError, DeviceLost, DriverDead
from pytest_apex.hierarchy.match import match
from pytest_apex.marked_yaml import MAX_BYTES, nearest
from pytest_apex.model.action import Receipt, Track
from pytest_apex.model.case import CrashRecord
from pytest_apex.model.node import Node
from pytest_apex.model.screen import PLATFORMS, DeviceInfo, TouchLimits
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.phone.app import load_app
from pytest_apex.phone.faults import KNOWN_FAULTS
from pytest_apex.phone.log import EPOCH
from pytest_apex.phone.parts import AppFile
from pytest_apex.phone.phone import Phone
from pytest_apex.phone.services import package_digest
from pytest_apex.settings import Settings

_T = TypeVar("_T")

#: What a look costs in the phone's own time: seconds for the tree, then for the picture.
TREE_S, PICTURE_S = 0.020, 0.010
#: How long `recover` waits for a phone that is gone, and how often it looks.
RECOVER_S, RECOVER_EVERY_S = 5.0, 0.25
#: How long the driver takes to start again.
DRIVER_START_S = 2.0
#: How long the tree of an app that hangs is waited for (AOSP: AccessibilityInteractionClient, 5 s).
MUTE_S = 5.0
#: The largest file that the built-in phone takes.
_FILE_LIMIT = 64 * 2**20
#: How an installed package calls the demo app that it carries.
_DEMO = "notes_app.yaml"


@dataclass(frozen=True, slots=True)
class VirtualSpec:
    """One `--device` entry that begins with `virtual`, taken apart. `also` are further apps to install."""

    app: str = ""
    fault: str = ""
    platform: str = "android"
    seed: int | None = None
    also: tuple[str, ...] = ()


def parse_spec(spec: str) -> VirtualSpec:
    """Take `virtual[:APP.yaml][?fault=NAME&platform=NAME&seed=N&with=OTHER.yaml]` apart.

    Raises `ConfigError` with all that is wrong."""
    head, _, query = spec.partition("?")
    name, colon, app = head.partition(":")
    wrong: list[str] = []
    if name != "virtual":
        wrong.append(f"it begins with {name!r}, not with virtual")
    if colon and not app.strip():
        wrong.append("no app file after the colon")
    values, also = _read_query(query, wrong)
    platform = values.get("platform", "android")
    if platform not in PLATFORMS:
        wrong.append(f"unknown platform {platform!r}{nearest(platform, PLATFORMS)}")
    fault = values.get("fault", "")
    if fault and fault not in KNOWN_FAULTS:
        wrong.append(f"unknown fault {fault!r}{nearest(fault, KNOWN_FAULTS)}")
    seed = values.get("seed", "")
    if seed and not seed.isdecimal():
        wrong.append(f"the seed {seed!r} is not a whole number")
    if wrong:
        raise _wrong(spec, "\n".join(wrong))
    return VirtualSpec(app, fault, platform, int(seed) if seed else None, tuple(also))


def _read_query(query: str, wrong: list[str]) -> tuple[dict[str, str], list[str]]:
    """The keys after `?`, and the further apps; mistakes are added to `wrong`."""
    values: dict[str, str] = {}
    also: list[str] = []
    for part in query.split("&") if query else ():
        key, sign, value = part.partition("=")
        if not sign or not value:
            wrong.append(f"{part!r} is not KEY=VALUE")
        elif key == "with":
            also.append(value)
        elif key not in ("fault", "platform", "seed"):
            wrong.append(f"unknown key {key!r}; known: fault, platform, seed, with")
        elif key in values:
            wrong.append(f"{key!r} stands there twice")
        else:
            values[key] = value
    return values, also


def _wrong(spec: str, seen: str) -> ConfigError:
    return ConfigError(
        f"can't read the device {spec!r}",
        seen=seen,
        cure="virtual, virtual:APP.yaml or 'virtual?fault=NAME&platform=ios&seed=7' (quoted: ? and & are the shell's)",
    )


def read_app(path: Path) -> AppFile:
    """An app file from disk; raises `ConfigError` when it can't be read, `AppFileError` with its mistakes."""
    data = _read(path, "app file", "give the path of an app.yaml: --device=virtual:APP.yaml")
    return load_app(data, str(path))


def _read(path: Path, what: str, cure: str = "give the path of a file", limit: int = MAX_BYTES) -> bytes:
    """The first bytes of a file, one more than `limit` at most; raises `ConfigError` when it can't be read."""
    try:
        with path.open("rb") as file:
            return file.read(limit + 1)
    except OSError as error:
        raise ConfigError(f"can't read the {what} {path}", seen=error.strerror or str(error), cure=cure) from error


def demo_app() -> AppFile:
    """The demo app: from the installed package, else from the examples beside it."""
    packed = resources.files("pytest_apex") / "_data" / _DEMO
    if packed.is_file():
        return load_app(packed.read_bytes(), _DEMO)
    return read_app(Path(__file__).parents[2] / "examples" / "notes_app" / "app.yaml")


def connect(spec: str, settings: Settings) -> VirtualBackend:
    """Switch on a phone as `spec` describes it. The app is the one named there, else `apex_virtual_app`, else the demo.
    Raises `ConfigError`."""
    asked = parse_spec(spec)
    path = asked.app or settings.devices.virtual_app
    apps = [read_app(Path(path)) if path else demo_app(), *(read_app(Path(other)) for other in asked.also)]
    seed = settings.touch.seed if asked.seed is None else asked.seed
    phone = Phone(apps, platform=asked.platform, fault=asked.fault or None, seed=seed)
    return VirtualBackend(phone, spec)


class VirtualBackend:
    """A `Backend` over one `Phone`; every call costs time of the phone's clock, none of the host's."""

    def __init__(self, phone: Phone, spec: str = "virtual") -> None:
        self.name = "virtual"
        self._phone = phone
        self._spec = spec
        self._captures = 0

    @property
    def clock(self) -> Clock:
        return self._phone.clock

    @property
    def capabilities(self) -> frozenset[str]:
        return self._phone.platform.capabilities

    @property
    def keys(self) -> frozenset[str]:
        return self._phone.platform.keys

    @property
    def raw(self) -> Phone:
        return self._phone

    def info(self) -> DeviceInfo:
        phone = self._phone
        screen = phone.screen()
        return DeviceInfo(
            id=self._spec,
            platform=phone.platform.name,
            model=phone.platform.model,
            os_version=phone.platform.os_version,
            screen=screen,
            dp=1.0 if phone.platform.points else screen.density,
            touch=TouchLimits(
                round(phone.limits.long_press), round(phone.limits.double_tap_min), round(phone.limits.double_tap_max)
            ),
        )

    def capture(self) -> Snapshot:
        self._check_driver()
        phone, clock = self._phone, self._phone.clock
        taken_at, app, screen, tree = clock.now(), phone.in_front(), phone.screen(), phone.tree()
        clock.sleep(MUTE_S if phone.mute else TREE_S)
        picture = phone.frame()
        clock.sleep(PICTURE_S)
        self._check_driver()
        self._captures += 1
        return Snapshot(
            id=f"virtual-{self._captures}",
            taken_at=taken_at,
            tree=tree,
            screen=screen,
            app=app,
            picture=picture,
            skew_ms=TREE_S * 1000,
            source="virtual",
            platform=phone.platform.name,
        )

    def perform(self, track: Track) -> Receipt:
        return self._do(f"{track.verb} along {len(track.points)} points", lambda: self._phone.touch(track))

    def type_text(self, text: str) -> Receipt:
        def type_it() -> None:
            if not self._phone.type_text(text):
                raise self._no_field()

        return self._do("type", type_it)

    def clear_text(self) -> Receipt:
        def clear() -> None:
            if not self._phone.clear_text():
                raise self._no_field()

        return self._do("clear the field", clear)

    def _no_field(self) -> ActionRefused:
        return ActionRefused(
            "typing needs a focused text field",
            seen=f"no field has the focus; in front: {self._phone.in_front().id}",
            cure="tap the field first",
        )

    def press(self, key: str, hold_ms: int = 0) -> Receipt:
        return self._do(f"press {key}", lambda: self._phone.press(key, hold_ms))

    def do_action(self, node: Node, name: str) -> Receipt:
        tree = self._ask(self._phone.tree)
        index = match(node.tree, tree).to[node.index] if node.tree is not tree else node.index
        if index < 0 or name not in tree.node(index).actions:
            raise ActionRefused(f"{node} offers no action {name!r} any more", likely="the screen has changed since")
        return self._do(f"action {name}", lambda: self._phone.do_action(index, name))

    def hide_keyboard(self) -> Receipt:
        return self._do("hide the keyboard", self._phone.hide_keyboard)

    def wake(self) -> None:
        self._ask(lambda: self._phone.set_awake(True))

    def sleep(self) -> None:
        self._ask(lambda: self._phone.set_awake(False))

    def turn_crown(self, turns: float) -> Receipt:
        return self._do(f"crown {turns:g}", lambda: self._phone.turn_crown(turns))

    def set_orientation(self, name: str) -> Receipt:
        return self._do(f"orientation {name}", lambda: self._phone.rotate(name))

    def launch(self, app: str, args: Sequence[str] = (), env: Mapping[str, str] | None = None) -> int:
        return self._ask(lambda: self._phone.launch(app, args, env))

    def activate(self, app: str) -> None:
        self._ask(lambda: self._phone.activate(app))

    def stop(self, app: str) -> None:
        self._ask(lambda: self._phone.stop(app))

    def clear_data(self, app: str) -> None:
        self._ask(lambda: self._phone.clear_data(app))

    def set_permission(self, app: str, permission: str, grant: bool) -> None:
        self._ask(lambda: self._phone.set_permission(app, permission, grant))

    # What only some devices can do: see `abilities`

    def install(self, package: Path, *, keep_data: bool = True, progress: Progress | None = None) -> str:
        data, services = _read(package, "package"), self._phone.services
        return self._ask(lambda: services.install(data, package.name, keep_data=keep_data, progress=progress))

    def uninstall(self, app: str) -> None:
        self._ask(lambda: self._phone.services.uninstall(app))

    def app_version(self, app: str) -> str:
        return self._ask(lambda: self._phone.services.version(app))

    def installed_digest(self, app: str) -> str:
        return self._ask(lambda: self._phone.services.digest(app))

    def package_digest(self, package: Path) -> str:
        return package_digest(_read(package, "package"), package.name)

    def app_ids(self) -> Sequence[str]:
        return self._ask(lambda: tuple(app.id for app in self._phone.machine.apps))

    def permissions(self, app: str) -> Mapping[str, bool]:
        return self._ask(lambda: self._phone.services.permissions(app))

    def restore_permissions(self, app: str, before: Mapping[str, bool]) -> None:
        self._ask(lambda: self._phone.services.restore_permissions(app, before))

    def kill_in_background(self, app: str) -> None:
        self._ask(lambda: self._phone.services.kill_in_background(app))

    def clipboard(self) -> str:
        return self._ask(self._phone.services.clipboard)

    def set_clipboard(self, text: str) -> None:
        self._ask(lambda: self._phone.services.set_clipboard(text))

    def open_url(self, url: str, app: str = "") -> None:
        self._ask(lambda: self._phone.services.open_url(url, app))

    def toasts(self, since: float) -> Sequence[Toast]:
        shown = self._ask(lambda: self._phone.services.toasts(since))
        return [Toast(toast.text, toast.at, toast.app) for toast in shown]

    def foreign_touches(self, since: float) -> Sequence[ForeignTouch]:
        return [ForeignTouch(one.at, one.place) for one in self._phone.stranger.touches if one.at > since]

    def open_notifications(self) -> None:
        self._ask(self._phone.services.open_notifications)

    def network(self) -> bool:
        return self._ask(self._phone.services.network)

    def set_network(self, on: bool) -> None:
        self._ask(lambda: self._phone.services.set_network(on))

    def push(self, source: Path, target: str) -> None:
        data = _read(source, "file", limit=_FILE_LIMIT)
        if len(data) > _FILE_LIMIT:
            raise ConfigError(f"{source} is too large for the built-in phone", seen=f"over {_FILE_LIMIT:,} bytes")
        self._ask(lambda: self._phone.services.push(target, data))

    def pull(self, source: str, target: Path) -> None:
        target.write_bytes(self._ask(lambda: self._phone.services.pull(source)))

    def app_state(self, app: str) -> AppState:
        return AppState(app, *self._ask(lambda: self._phone.app_state(app)))

    def app_in_front(self) -> str:
        return self._ask(lambda: self._phone.in_front().id)

    def log(self, since: int = 0) -> LogLines:
        log = self._phone.log
        return self._ask(lambda: LogLines(log.from_line(since) if since >= 0 else "", log.count))

    def records(self, app: str, since: float) -> Sequence[CrashRecord]:
        from pytest_apex.records import log_seconds, read_crash_texts

        texts = self._ask(lambda: self._phone.crash_texts(app, since))
        zero = log_seconds(EPOCH.month, EPOCH.day, EPOCH.hour, EPOCH.minute) or 0.0
        found = read_crash_texts(texts, app=app, since=zero + since)
        return [replace(record, at=None if record.at is None else record.at - zero) for record in found]

    def recover(self) -> str:
        phone, started = self._phone, self._phone.clock.now()
        while not phone.connected and phone.clock.now() - started < RECOVER_S:
            phone.clock.sleep(RECOVER_EVERY_S)
        self._check()
        if not phone.driver_alive:
            phone.clock.sleep(DRIVER_START_S)
            phone.restart_driver()
            self._check_driver()
            return "the driver was started again"
        return f"the phone answers after {phone.clock.now() - started:.1f} s"

    def close(self) -> None:
        """Nothing to let go of."""

    def _check(self) -> None:
        if not self._phone.connected:
            raise DeviceLost(
                "the built-in phone is gone",
                seen=f"no answer since {self._phone.clock.now():.1f} s on its clock",
                likely="the fault that is switched on: device_lost or reconnect",
            )

    def _check_driver(self) -> None:
        """What looks and touches needs the driver; apps and logs answer without it."""
        self._check()
        if not self._phone.driver_alive:
            raise DriverDead(
                "the driver on the built-in phone is dead",
                seen="instrumentation process is not running (probably crashed)",
                likely="the fault that is switched on: driver_dead or driver_restart",
            )

    def _ask(self, what: Callable[[], _T]) -> _T:
        self._check()
        return what()

    def _do(self, command: str, act: Callable[[], None]) -> Receipt:
        self._check_driver()
        started = self._phone.clock.now()
        act()
        self._check_driver()
        return Receipt(started, self._phone.clock.now(), command)
