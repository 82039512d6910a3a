"""Getting the phone back: once, with what was done for it in words, or with the cause by its name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pytest_apex.backends.uiautomator2.adb import AdbTrouble
from pytest_apex.backends.uiautomator2.handset import Handset
from pytest_apex.backends.uiautomator2.system import ASK_LOCK, is_locked
from pytest_apex.backends.uiautomator2.trouble import absent, found_on_wifi, is_address, no_server, unusable
from pytest_apex.clock import Clock
from pytest_apex.errors import DeviceLost, DeviceProblem

_LOOK_S = 0.25
ASK_BOOT = "cat /proc/sys/kernel/random/boot_id"
ASK_BOOTED = "getprop sys.boot_completed"
ASK_SPACE = "df -k /data"
#: With less than this free, Android itself begins to fail: megabytes.
LOW_SPACE_MB = 100


@dataclass(frozen=True, slots=True)
class Back:
    """What was done, and whether the phone has started anew meanwhile."""

    said: tuple[str, ...]
    rebooted: bool


def wait_for_phone(phone: Handset, clock: Clock, boot: str) -> Back:
    """Until adb has the phone and its system is up; `boot` is its boot id as it was. Raises `DeviceLost` by the
    cause's name."""
    said: list[str] = []
    started = clock.now()
    state = _state(phone)
    while state != "device" or not phone.answers():
        if clock.now() - started > phone.limits.back:
            raise _still_gone(phone)
        _help(phone, state, said)
        clock.sleep(_LOOK_S)
        state = _state(phone)
    if clock.now() - started > _LOOK_S / 2:
        said.append(f"adb has the phone again after {clock.now() - started:.1f} s")
    now = phone.ask([ASK_BOOT], phone.limits.back)[0].line
    rebooted = bool(boot and now and now != boot)
    if rebooted:
        _wait_until(phone, clock, lambda: phone.ask([ASK_BOOTED])[0].line == "1")
        said.append("the phone was rebooted")
    return Back(tuple(said), rebooted)


def _state(phone: Handset) -> str:
    """As adb lists it. The server itself is started when it does not run."""
    try:
        return phone.state()
    except DeviceLost:
        return "no adb server"


def _help(phone: Handset, state: str, said: list[str]) -> None:
    """What can be done from here for a phone that adb does not have; tried again and again until it is back."""
    server, serial = phone.server, phone.serial
    try:
        if (is_address(serial) or found_on_wifi(serial)) and state in ("absent", "offline"):
            server.disconnect(serial)
            told = server.connect(serial, phone.limits.back)
            if "connected to" in told and "failed" not in told:
                said.append(f"adb connect {serial}")
        elif state == "offline" and "adb reconnect offline" not in said:
            server.query("host:reconnect-offline", phone.limits.shell)
            said.append("adb reconnect offline")
    except AdbTrouble:
        return  # looked at again, and named, by the caller


def _still_gone(phone: Handset) -> DeviceProblem:
    try:
        devices = phone.server.devices()
    except AdbTrouble as trouble:
        return no_server(trouble)
    mine = next((listed for listed in devices if listed.serial == phone.serial), None)
    if mine is None:
        return absent(phone.serial, devices)
    return unusable(mine) or phone.silent("whether it is there")


def _wait_until(phone: Handset, clock: Clock, holds: Callable[[], bool]) -> None:
    started = clock.now()
    while not holds():
        if clock.now() - started > phone.limits.boot:
            raise DeviceLost(
                f"the phone {phone.serial} was rebooted and its system does not come up",
                seen=f"no sys.boot_completed within {phone.limits.boot:g} s",
                likely="it waits for its passcode, or hangs while it starts",
                cure="unlock it, or start it once more",
            )
        clock.sleep(_LOOK_S)


def free_mb(text: str) -> int | None:
    """Megabytes that are free, from `ASK_SPACE`; None where it does not tell."""
    for line in reversed(text.splitlines()):
        words = line.split()
        numbers = [word for word in words[1:] if word.isdecimal()]
        if len(numbers) >= 3:
            return int(numbers[2]) // 1024
    return None


def what_hinders(phone: Handset) -> str:
    """What about the phone itself may keep a server from working, in words; "" if nothing is to be seen."""
    space, lock = phone.ask([ASK_SPACE, ASK_LOCK])
    free = free_mb(space.text)
    found = []
    if free is not None and free < LOW_SPACE_MB:
        found.append(f"its storage is full ({free} MB free)")
    if is_locked(lock.text):
        found.append("its screen is locked")
    return ", ".join(found)
