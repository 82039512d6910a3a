"""The phone with all that tools ask of it beside its screen: files, packages, properties, settings, the uiautomator
server. Everything else comes from the one `phone.Phone` behind it."""

from __future__ import annotations

import random
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field

from pytest_apex.model.action import Track
from pytest_apex.model.snapshot import Picture
from pytest_apex.phone.log import EPOCH
from pytest_apex.phone.parts import AppFile
from pytest_apex.phone.phone import Phone
from pytest_apex.phone_wires.files import Files
from pytest_apex.phone_wires.journal import Journal
from pytest_apex.phone_wires.pace import Pace
from pytest_apex.phone_wires.playing import play
from pytest_apex.phone_wires.programs import Programs
from pytest_apex.phone_wires.settings_store import default_settings, properties
from pytest_apex.vision.canvas import rect

#: The keyboard of the system, and the one that uiautomator2's helper app brings.
SYSTEM_IME = "com.google.android.inputmethod.latin/com.android.inputmethod.latin.LatinIME"
HELPER_APP = "com.github.uiautomator"
HELPER_IME = "com.github.uiautomator/.AdbKeyboard"
#: Where uiautomator2 puts its server.
SERVER_JAR = "/data/local/tmp/u2.jar"
SERVER_PORT = 9008
#: The server of Appium's UiAutomator2 driver: its packages and port.
APPIUM_SERVER, APPIUM_TEST, APPIUM_PORT = "io.appium.uiautomator2.server", "io.appium.uiautomator2.server.test", 6790
#: The helper app of Appium's driver, and the keyboards in it.
APPIUM_SETTINGS = "io.appium.settings"
APPIUM_IMES = ("io.appium.settings/.UnicodeIME", "io.appium.settings/.AppiumIME")
_LOCK_COLOR = (18, 24, 32)


@dataclass(slots=True)
class Package:
    """An installed package: where its APK lies, its version, when it came (seconds of the phone)."""

    app_id: str
    path: str
    version: str
    code: int
    installed_at: float
    updated_at: float


@dataclass(slots=True)
class Server:
    """The uiautomator server on the phone: `run` counts its starts, 0 pid means that it does not run."""

    pid: int = 0
    run: int = 0
    hung: bool = False
    toast: str | None = None
    toasts_since: float = 0.0
    idle_limit_s: float = 0.0
    objects: dict[str, object] = field(default_factory=dict)


class Handset:
    """All threads share it; whoever reads or changes the phone does so inside `pace.held()`."""

    def __init__(self, phone: Phone, pace: Pace, journal: Journal, serial: str, seed: int = 0) -> None:
        self.pace = pace
        self.journal = journal
        self.serial = serial
        self.files = Files(self.today)
        self.settings = default_settings()
        self.server = Server()
        self.appium = Server()
        self.packages: dict[str, Package] = {}
        self.imes = {SYSTEM_IME}
        self.programs = Programs(60_000)
        #: The lock screen: "", `swipe` or `passcode`.
        self.lock = ""
        self.slow_s = 0.0
        #: Whether the helper app of Appium's driver runs.
        self.settings_app = False
        #: The line from which on `logcat` shows the log.
        self.log_cleared = 0
        self._random = random.Random(seed)
        self.boot_id = ""
        self.booted_at = 0.0
        self._phone = phone
        self.boot()
        self.files.made["/proc/sys/kernel/random/boot_id"] = lambda: f"{self.boot_id}\n".encode()
        self.files.made["/proc/uptime"] = lambda: f"{self.uptime():.2f} {self.uptime() * 3:.2f}\n".encode()

    # Time

    def today(self) -> int:
        """Seconds since 1970 on the phone."""
        return int(EPOCH.timestamp() + self._phone.clock.now())

    def uptime(self) -> float:
        return self._phone.clock.now() - self.booted_at + 30.0

    def boot(self) -> None:
        """The phone has started: a boot id that no other start of any phone has, no server."""
        self.boot_id = str(uuid.uuid4())
        self.booted_at = self._phone.clock.now()
        self.server = Server(run=self.server.run)
        self.appium = Server(run=self.appium.run)
        self.settings_app = False

    # What it is

    @property
    def properties(self) -> Mapping[str, str]:
        return properties(self._phone.platform, self.serial)

    def new_pid(self) -> int:
        return self._random.randrange(40_000, 60_000)

    @property
    def awake(self) -> bool:
        """Whether the screen is on."""
        return self._phone.machine.awake

    def wake(self, on: bool) -> None:
        with self.pace.held() as phone:
            phone.machine.set_awake(on)

    def picture(self) -> Picture:
        """What the screen shows; nothing of an app while it is locked."""
        with self.pace.held() as phone:
            if self.lock and self.awake:
                glass = phone.stage.glass
                size = (glass.width, glass.height)
                return phone.renderer.drawn(phone.renderer.picture((rect((0, 0, *size), _LOCK_COLOR),), size))
            # Drawn under the lock: threads share what was drawn before.
            return phone.renderer.drawn(phone.frame())

    # Packages

    def add_package(self, app: AppFile, apk: bytes, now: float) -> bool:
        """Keep the APK of an app that is on the phone; False when the disk is full."""
        before = self.packages.get(app.id)
        path = before.path if before else f"/data/app/~~{self._token()}==/{app.id}-{self._token()}==/base.apk"
        if not self.files.write(path, apk, system=True):
            return False
        since = before.installed_at if before else now
        self.packages[app.id] = Package(app.id, path, app.version, version_code(app.version), since, now)
        if app.id == HELPER_APP:
            self.imes.add(HELPER_IME)
        if app.id == APPIUM_SETTINGS:
            self.imes.update(APPIUM_IMES)
        return True

    def remove_package(self, app_id: str) -> None:
        package = self.packages.pop(app_id, None)
        if package is not None:
            self.files.remove(package.path)
        gone = {HELPER_APP: (HELPER_IME,), APPIUM_SETTINGS: APPIUM_IMES}.get(app_id, ())
        self.imes.difference_update(gone)
        if self.ime in gone:
            self.ime = SYSTEM_IME

    def _token(self) -> str:
        letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"
        return "".join(self._random.choice(letters) for _ in range(22))

    @property
    def ime(self) -> str:
        """The keyboard in use."""
        return self.settings["secure"].get("default_input_method", SYSTEM_IME)

    @ime.setter
    def ime(self, name: str) -> None:
        self.settings["secure"]["default_input_method"] = name

    # Fingers

    def play(self, track: Track) -> None:
        play(track, self.pace, self.journal, locked=bool(self.lock))

    def finger(self, kind: str, x: float, y: float) -> None:
        """One event of a finger, now."""
        with self.pace.held() as phone:
            at = self.pace.real_time(phone.clock.now())
            self.journal.add(at, "touch", kind, 0, x, y)
            if not self.lock:
                phone.pointer(kind, x, y)


def version_code(version: str) -> int:
    """A version code made of the version that people read: 2.14.3 → 21403."""
    numbers = [int(part) for part in version.split(".")[:3] if part.isdecimal() and len(part) < 5]
    while len(numbers) < 3:
        numbers.append(0)
    return max(1, numbers[0] * 10_000 + numbers[1] * 100 + numbers[2])
