"""The words that scripted cases are written in, and the stage they play on: one phone, one app, one fault."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from case_faults import LOOKS, CasePhone, broken_comparator, broken_search

from pytest_apex import Device, expect
from pytest_apex.backends.virtual import read_app
from pytest_apex.device.baselines import Baselines
from pytest_apex.evidence.recorder import Recorder
from pytest_apex.evidence.redact import Redactor
from pytest_apex.evidence.store import Store
from pytest_apex.manual.winners import shelve
from pytest_apex.manual_files import in_folder
from pytest_apex.phone.fault import Elsewhere
from pytest_apex.phone.log import Who
from pytest_apex.phone.parts import AppFile, Place
from pytest_apex.phone.phone import Phone
from pytest_apex.settings import App, Keep, Settings, Touch

ROOT = Path(__file__).parents[2]
APPS = {
    "notes": "examples/notes_app/app.yaml",
    "gallery": "fixtures/virtual_apps/gallery.yaml",
    "market": "fixtures/virtual_apps/market.yaml",
    "shop": "fixtures/virtual_apps/shop.yaml",
    "trips": "fixtures/virtual_apps/trips.yaml",
}
#: Installed beside each app.
BESIDE = ("fixtures/virtual_apps/share_sheet.yaml",)
PLATFORMS = ("android", "ios")
#: How fast the app's screens come and go: milliseconds of a launch, of a transition.
PACES = {"quick": (150.0, 0.0), "slow": (3000.0, 900.0)}
_MODES = ("allow", "deny", "once", "manual", "wordless", "sightless", "skewed")
MANUALS = Path(__file__).parent / "cases" / "manuals"
_NUMBERS = frozenset({"item", "by", "ms", "seconds"})
_KEPT: dict[str, AppFile] = {}


@dataclass(frozen=True)
class Stage:
    """Where a case plays. `phone` is words: a platform, a pace (`quick`, `slow`), `allow` or `deny` for permissions,
    `once` for no second touch, what a phone keeps to itself (see `CasePhone`), `manual` for the manuals beside
    the tables, `seed=N`; `fault` is a name and its place (`dead_button control=add`), or empty."""

    app: str
    phone: str
    fault: str = ""

    def problems(self) -> list[str]:
        """What can't be read of it."""
        words = [word for word in self.phone.split() if not word.startswith("seed=")]
        unknown = [word for word in words if word not in (*PLATFORMS, *PACES, *_MODES)]
        wrong = [f"unknown word of a phone: {word}" for word in unknown]
        return wrong if self.app in APPS else [*wrong, f"unknown app {self.app}"]


def _installed(name: str) -> AppFile:
    if name not in _KEPT:
        _KEPT[name] = read_app(ROOT / name)
    return _KEPT[name]


def _placed(fault: str) -> tuple[str, Place]:
    name, *pairs = shlex.split(fault)
    facts: dict[str, Any] = {}
    for pair in pairs:
        key, _, value = pair.partition("=")
        facts[key] = (int(value) if key == "item" else float(value)) if key in _NUMBERS else value
    return name, Place(**facts)


def _phone(stage: Stage, seed: int) -> Phone:
    words = stage.phone.split()
    app = _installed(APPS[stage.app])
    for word in words:
        if word in PACES:
            launch_ms, animation_ms = PACES[word]
            app = replace(app, launch_ms=launch_ms, animation_ms=animation_ms)
    name = ""
    if stage.fault:
        name, place = _placed(stage.fault)
        app = LOOKS[name](app, place) if name in LOOKS else replace(app, faults={name: place})
        name = "" if name in LOOKS else name
    platform = next((word for word in words if word in PLATFORMS), "android")
    others = [replace(_installed(other), faults={}) for other in BESIDE]
    return Phone([app, *others], platform=platform, fault=name or None, seed=seed)


def _settings(stage: Stage, seed: int) -> Settings:
    words = stage.phone.split()
    policy = next((word for word in words if word in ("allow", "deny")), "report")
    return Settings(
        app=App(permissions=policy),
        touch=Touch(seed=seed, repeat="once" not in words),
        keep=Keep(policy="never"),
    )


@contextmanager
def playing(stage: Stage, folder: Path) -> Iterator[tuple[Device, Callable[[], None]]]:
    """A device for one case, and what starts its app: the launch itself may be what fails."""
    seed = next((int(word[5:]) for word in stage.phone.split() if word.startswith("seed=")), 1)
    settings = _settings(stage, seed)
    phone = _phone(stage, seed)
    recorder = Recorder(folder, Store(folder), Redactor(()), "never")
    backend = CasePhone(phone)
    backend.words = frozenset(stage.phone.split())
    manuals = shelve(in_folder(MANUALS, MANUALS.name)) if "manual" in stage.phone.split() else None
    device = Device(backend, settings, recorder, test="case", manuals=manuals)
    try:
        yield device, lambda: device.start(phone.machine.apps[0].id)
    finally:
        device.finish()
        recorder.close(failed=False)


class Words:
    """What a case says, one short word each. `find` takes a text, or an id with `#` before it."""

    def __init__(self, device: Device) -> None:
        self.device = device

    def names(self) -> dict[str, Any]:
        """Everything that a case may name."""
        own = (name for name in dir(self) if not name.startswith("_") and name != "names")
        return {**{name: getattr(self, name) for name in own}, "expect": expect, "app": self.device.app}

    def find(self, what: str) -> Any:
        return self.device.find(id=what[1:]) if what.startswith("#") else self.device.find(what)

    def tap(self, *what: str) -> None:
        """One after the other."""
        for item in what:
            self.find(item).tap()

    def fill(self, *pairs: str) -> None:
        """`fill("#name", "Ada", "#street", "Hill 3")`."""
        for field, text in zip(pairs[::2], pairs[1::2], strict=True):
            self.find(field).fill(text)

    def see(self, *what: str, **more: Any) -> None:
        for item in what:
            expect(self.find(item)).to_be_visible(**more)

    def gone(self, what: str, **more: Any) -> None:
        expect(self.find(what)).to_be_hidden(**more)

    def says(self, what: str, text: str, **more: Any) -> None:
        expect(self.find(what)).to_have_text(text, **more)

    def looks_right(self, **more: Any) -> None:
        expect(self.device.screen).to_have_no_defects(**more)

    def runs(self) -> None:
        expect(self.device.app).to_be_running()

    def back(self) -> None:
        self.device.press("back")

    def see_in(self, place: str, what: str, **more: Any) -> None:
        expect(self.find(place).find(what)).to_be_visible(**more)

    def enabled(self, what: str, **more: Any) -> None:
        expect(self.find(what)).to_be_enabled(**more)

    def disabled(self, what: str) -> None:
        expect(self.find(what)).to_be_disabled()

    def checked(self, what: str) -> None:
        expect(self.find(what)).to_be_checked()

    def colored(self, what: str, color: str) -> None:
        expect(self.find(what)).to_have_color(color)

    def inside(self, what: str, place: str, **more: Any) -> None:
        expect(self.find(what)).to_be_within(self.find(place), **more)

    def approve(self, name: str) -> None:
        """What is shown becomes the approved picture."""
        self._match(name, "all")

    def as_approved(self, name: str, **more: Any) -> None:
        self._match(name, "none", **more)

    def _match(self, name: str, update: str, **more: Any) -> None:
        context = self.device.context
        context.baselines = Baselines(context.recorder._folder / "approved", update)
        expect(self.device.screen).to_match(name, **more)

    def hide_keyboard(self) -> None:
        """Android: the back key; iOS: the return key."""
        if any(window.kind == "keyboard" for window in self.device.snapshot().windows):
            self.device.press("back" if self.device.info.platform == "android" else "enter")

    # Ways through the apps

    def sign_in(self) -> None:
        """Notes: to the list."""
        self.fill("#email", "ada@example.com", "#password", "correct horse")
        self.tap("Log in")
        self.see("Welcome, Ada")

    def enter(self) -> None:
        """The market: to its list, which is still empty."""
        self.fill("#user", "ada", "#password", "correct horse")
        self.tap("#sign_in")
        self.see("#tabs")

    def write(self, title: str, text: str) -> None:
        """Notes: a new note, saved."""
        self.tap("New note")
        self.fill("#title", title, "#body", text)
        self.tap("Save")

    def buy(self, *goods: str) -> None:
        """The shop: goods into the cart, back on the shelf after each."""
        for name in goods:
            self.tap(name, "Add to cart")
            self.says("#so_far", "In the cart: 1") if name == goods[0] else None
            self.tap("Navigate up")

    def order(self) -> None:
        """The shop: one bread, the form filled, everything but the last tap."""
        self.tap("Bread", "Add to cart", "Navigate up", "To the cart", "Check out")
        self.fill("#name", "Ada", "#street", "Hill 3")
        self.tap("#terms")
        self.hide_keyboard()

    def search(self) -> None:
        """Trips: the trains of a search."""
        self.fill("#origin", "Bergen", "#target", "Oslo")
        self.tap("Find trains")
        self.see("Bergen to Oslo")

    # What happens around the app, unasked

    def _phone(self) -> Phone:
        phone: Phone = self.device.raw
        return phone

    def _who(self, app: str, pid: int = 4711) -> Who:
        return Who(app, app.rpartition(".")[2].title(), ".MainActivity", pid, 10150)

    def other_app_killed(self, app: str = "com.example.music") -> None:
        """The system takes the memory of another app."""
        phone = self._phone()
        phone.log.reclaimed(phone.clock.now(), self._who(app), 900)

    def other_app_crashes(self, app: str = "com.example.music", name: str = "Music") -> None:
        self._phone().machine.trouble_elsewhere(Elsewhere("crash", app, name))

    def launcher_freezes(self) -> None:
        home = self._phone().platform.launcher
        self._phone().machine.trouble_elsewhere(Elsewhere("frozen", home, "Pixel Launcher"))

    def crash_of_last_week(self) -> None:
        """Old lines come to the log late, with the pid that the app has now."""
        phone, app = self._phone(), self.device.app.id
        pid = phone.app_state(app)[1]
        for text in ("FATAL EXCEPTION: main", f"Process: {app}, PID: {pid}", "java.lang.IllegalStateException: old"):
            phone.log.add(phone.clock.now(), f"02-23 09:41:00.000 {pid:5d} {pid:5d} E AndroidRuntime: {text}")

    def app_leaves(self) -> None:
        """The app goes to the background by itself."""
        process = self._phone().machine.front
        assert process is not None
        self._phone().machine.leave(process)

    def app_dies(self) -> None:
        """The app crashes by itself, between two steps."""
        process = self._phone().machine.front
        assert process is not None
        self._phone().machine.crash(process, "java.lang.IllegalStateException", "out of the blue")

    def other_app_crashes_again_and_again(self, app: str = "com.example.music", name: str = "Music") -> None:
        """Each time its dialog is closed, there is the next one."""
        machine = self._phone().machine
        if machine.dialog is None:
            machine.trouble_elsewhere(Elsewhere("crash", app, name))
        machine.timeline.after(0.02, lambda: self.other_app_crashes_again_and_again(app, name))

    def other_app_comes(self) -> None:
        """Another app comes in front, unasked."""
        self._phone().activate(_installed(BESIDE[0]).id)

    def stopped_from_outside(self) -> None:
        """Another tool ends the app."""
        self._phone().stop(self.device.app.id)

    def screen_goes_off(self) -> None:
        self._phone().set_awake(False)

    def goes_offline(self) -> None:
        """The phone loses its network."""
        self._phone().machine.set_online(False)

    def restarts(self, seconds: float = 2.0) -> None:
        """The phone starts anew: it is gone for a while, and comes back with its home screen."""
        self._backend.restarted = True
        self._phone().stop(self.device.app.id)
        self.unplug(seconds)

    def refuses(self, *what: str) -> None:
        """From now on the phone tells nothing of that: `looks`, `processes`."""
        self._backend.refuses = frozenset(what)

    def refuses_then(self, *what: str) -> None:
        """The same, once the test has failed."""
        self._backend.refuses_then = frozenset(what)

    def _broken(self, how: Callable[[], AbstractContextManager[None]], then: Callable[[], None]) -> None:
        with how():
            then()

    def without_comparator(self, then: Callable[[], None]) -> None:
        self._broken(broken_comparator, then)

    def with_broken_search(self, then: Callable[[], None]) -> None:
        self._broken(broken_search, then)

    @property
    def _backend(self) -> CasePhone:
        backend = self.device.context.backend
        assert isinstance(backend, CasePhone)
        return backend

    def driver_dies(self) -> None:
        """The driver dies, and can be started again."""
        self._phone().machine.driver.alive = False

    def unplug(self, seconds: float) -> None:
        """The phone is gone for so long."""
        machine = self._phone().machine
        machine.connected = False
        machine.timeline.after(seconds, machine._reconnect)


def check_text(text: str, names: Sequence[str] = ()) -> str:
    """Why a case's text is no Python, or ""."""
    try:
        compile(text, "case", "exec")
    except SyntaxError as error:
        return f"{error.msg} at column {error.offset}: {text}"
    return ""
