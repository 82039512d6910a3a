"""What this machine and its Android phones need before a test can run, as values: `pytest-apex doctor` prints them."""

from __future__ import annotations

import math
import re
import shlex
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from pytest_apex.backends.uiautomator2 import helper
from pytest_apex.backends.uiautomator2.adb import AdbServer, AdbTrouble, Listed, adb_program
from pytest_apex.backends.uiautomator2.connecting import find, listed_devices, names_of
from pytest_apex.backends.uiautomator2.front import ASK_AWAKE, is_awake
from pytest_apex.backends.uiautomator2.handset import Handset
from pytest_apex.backends.uiautomator2.limits import Limits
from pytest_apex.backends.uiautomator2.recovery import ASK_SPACE, LOW_SPACE_MB, free_mb
from pytest_apex.backends.uiautomator2.shell import Answer
from pytest_apex.backends.uiautomator2.system import ASK_LOCK, is_locked
from pytest_apex.backends.uiautomator2.trouble import no_server, unusable
from pytest_apex.errors import ApexError, DeviceProblem

#: The oldest Android that the server of uiautomator2 runs on.
OLDEST_SDK = 21
_ANIMATIONS = ("window_animation_scale", "transition_animation_scale", "animator_duration_scale")
ASK_PHONE = (
    "getprop ro.build.version.sdk",
    "settings get global development_settings_enabled",
    helper.ASK_DIGEST,
    ASK_AWAKE,
    ASK_LOCK,
    ASK_SPACE,
    *(f"settings get global {name}" for name in _ANIMATIONS),
)
#: How long a look may take without a longer wait, in seconds; the longest waits that are proposed.
_LOOK_S, _MOST_SLOW = 1.0, 10.0
_CLIENT_VERSION = re.compile(r"Android Debug Bridge version \d+\.\d+\.(\d+)")


@dataclass(frozen=True, slots=True)
class Finding:
    """`level`: `ok`, `warn` (tests run, and may suffer) or `wrong` (they don't); `cure` is the one thing to do."""

    where: str
    what: str
    level: str
    seen: str
    cure: str = ""


#: Who uses a phone that is known by these names, in words; "" for nobody.
Holder: TypeAlias = "Callable[[Sequence[str]], str]"


def nobody(_names: Sequence[str]) -> str:
    return ""


_MARKS = {"ok": "ok", "warn": "hint", "wrong": "WRONG"}


def as_lines(findings: Iterable[Finding]) -> Iterator[str]:
    """Findings for the terminal, each place named once."""
    where = ""
    for finding in findings:
        if finding.where != where:
            where = finding.where
            yield where
        yield f"  {_MARKS[finding.level]:<6} {finding.what}: {finding.seen}"
        if finding.cure:
            yield f"         try: {finding.cure}"


def examine(
    server: AdbServer, limits: Limits, wanted: Sequence[str] = (), holder: Holder = nobody
) -> Iterator[Finding]:
    """All that can be told, machine first; ends where nothing more can be seen. `wanted` are entries of `--device`,
    which are connected where that is needed; without them, all phones that adb has are looked at. `holder` says who
    uses a phone now, by its names."""
    program = check_program()
    yield program
    if program.level == "wrong":
        return
    try:
        version, devices = server.version(), server.devices()
    except AdbTrouble as trouble:
        yield of_error("this machine", "adb server", no_server(trouble))
        return
    yield check_versions(version, _client_version(program.seen))
    if wanted and "all" not in wanted:
        for spec in wanted:
            yield from _check_wanted(server, spec, limits, holder)
        return
    if not devices:
        cure = "plug one in with USB debugging on, or --device=virtual for the built-in phone"
        yield Finding("this machine", "phones", "warn", "adb lists none", cure)
    for listed in devices:
        yield from check_listed(server, listed, limits, holder)


def _check_wanted(server: AdbServer, spec: str, limits: Limits, holder: Holder) -> Iterator[Finding]:
    try:
        serial = find(server, spec)
        listed = next((one for one in listed_devices(server) if one.serial == serial), Listed(serial, "offline"))
    except ApexError as error:
        yield of_error(spec, "connection", error)
    else:
        yield from check_listed(server, listed, limits, holder)


def check_program() -> Finding:
    try:
        return Finding("this machine", "adb", "ok", adb_program())
    except AdbTrouble as trouble:
        return of_error("this machine", "adb", no_server(trouble))


def check_versions(server: int, client: int) -> Finding:
    """Two adbs of different protocols end each other's server again and again."""
    if not client or server == client:
        return Finding("this machine", "adb server", "ok", f"protocol {server}")
    return Finding(
        "this machine",
        "adb server",
        "wrong",
        f"the server that runs speaks protocol {server}, this adb {client}",
        "adb kill-server; let every tool use the same adb (ADBUTILS_ADB_PATH, or the first on the PATH)",
    )


def check_listed(server: AdbServer, listed: Listed, limits: Limits, holder: Holder = nobody) -> Iterator[Finding]:
    wrong = unusable(listed)
    if wrong is not None:
        yield of_error(str(listed), "connection", wrong)
        return
    yield Finding(str(listed), "connection", "ok", "adb has it")
    if user := holder(names_of(server, listed.serial, limits)):
        yield Finding(
            str(listed), "use", "warn", f"in use by {user}", "wait for its end: a phone is one run's at a time"
        )
    phone = Handset(server, listed.serial, limits)
    try:
        yield from check_phone(str(listed), listed.serial, phone.ask(ASK_PHONE))
        yield check_speed(str(listed), min(_picture_s(phone), _picture_s(phone)))
    except DeviceProblem as error:
        yield of_error(str(listed), "shell", error)


def check_phone(where: str, serial: str, answers: Sequence[Answer]) -> list[Finding]:
    """What the answers to `ASK_PHONE` say of a phone."""
    sdk, developer, digest, awake, lock, space, *animations = answers
    return [
        _check_system(where, sdk.line),
        _check_developer(where, developer.line),
        _check_server(where, digest.text),
        _check_screen(where, awake.text, lock.text),
        _check_space(where, free_mb(space.text)),
        _check_animations(where, serial, [answer.line for answer in animations]),
    ]


def _picture_s(phone: Handset) -> float:
    """How long a picture takes, which is the slowest part of a look."""
    began = time.monotonic()
    with phone.open("exec:screencap -p", phone.limits.look, "taking a picture") as stream:
        stream.read_all()
    return time.monotonic() - began


def check_speed(where: str, picture_s: float) -> Finding:
    """A screen is called settled after three looks and more, within 5 s: a second for each is what that leaves. For a
    phone that takes longer, the factor that gives it as much."""
    seen = f"a picture takes {picture_s:.1f} s"
    if picture_s <= _LOOK_S:
        return Finding(where, "speed", "ok", seen)
    factor = min(math.ceil(2 * picture_s / _LOOK_S) / 2, _MOST_SLOW)
    return Finding(where, "speed", "warn", f"{seen}: waits may be too short for it", f"--apex-slow={factor:g}")


def of_error(where: str, what: str, error: ApexError) -> Finding:
    why = error.likely or ", ".join(error.seen.splitlines())
    return Finding(where, what, "wrong", f"{error.tried}: {why}", error.cure)


def _check_system(where: str, sdk: str) -> Finding:
    if sdk.isdecimal() and int(sdk) < OLDEST_SDK:
        seen = f"API {sdk}; the server of uiautomator2 needs {OLDEST_SDK}"
        return Finding(where, "Android", "wrong", seen, "a phone with a newer Android")
    return Finding(where, "Android", "ok", f"API {sdk}" if sdk else "it does not tell its version")


def _check_developer(where: str, told: str) -> Finding:
    if told == "0":
        cure = "Settings, About phone: tap the build number seven times; then USB debugging in the developer options"
        return Finding(where, "developer options", "warn", "off: adb may go at the next restart", cure)
    return Finding(where, "developer options", "ok", "on")


def _check_server(where: str, told: str) -> Finding:
    try:
        there = helper.digest(helper.jar()) in told
    except ApexError as error:
        return of_error(where, "driver", error)
    return Finding(where, "driver", "ok", "installed" if there else "not there: put there when it is first used")


def _check_screen(where: str, awake: str, lock: str) -> Finding:
    if is_locked(lock):
        cure = "unlock it; a test phone is best without a screen lock, and with 'Stay awake' in the developer options"
        return Finding(where, "screen", "wrong", "locked", cure)
    if not is_awake(awake):
        cure = "device.wake() in a test, or 'Stay awake' in the developer options"
        return Finding(where, "screen", "warn", "off", cure)
    return Finding(where, "screen", "ok", "on and unlocked")


def _check_space(where: str, free: int | None) -> Finding:
    if free is not None and free < LOW_SPACE_MB:
        return Finding(where, "storage", "wrong", f"{free} MB free", "free some space on the phone")
    return Finding(where, "storage", "ok", f"{free} MB free" if free is not None else "it does not tell")


def _check_animations(where: str, serial: str, scales: Sequence[str]) -> Finding:
    moving = [name for name, scale in zip(_ANIMATIONS, scales, strict=True) if _is_on(scale)]
    if not moving:
        return Finding(where, "animations", "ok", "off")
    # One shell for all, and the phone by its name: without it, adb refuses where there are several.
    settings = "; ".join(f"settings put global {name} 0" for name in moving)
    command = f"adb -s {shlex.quote(serial)} shell '{settings}'"
    return Finding(where, "animations", "warn", "on: every step waits until they are over", command)


def _is_on(scale: str) -> bool:
    """`null` is a scale that was never changed: 1."""
    try:
        return float(scale) != 0
    except ValueError:
        return True


def _client_version(program: str) -> int:
    """The protocol of an adb program; 0 where it does not tell."""
    try:
        done = subprocess.run(
            [program, "version"], stdin=subprocess.DEVNULL, capture_output=True, timeout=10, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return 0
    found = _CLIENT_VERSION.search(done.stdout.decode(errors="replace"))
    return int(found[1]) if found else 0
