"""What can go wrong between a computer and a phone, as states that can be switched on."""

from __future__ import annotations

from enum import Enum

from pytest_apex.errors import ConfigError
from pytest_apex.marked_yaml import nearest


class Mode(str, Enum):
    """`offline` breaks the connection and takes no new one; `unauthorized` asks for a signature for ever;
    `driver_killed` ends the servers of uiautomator2 and Appium, once; `driver_hung` lets them take requests and answer
    none; `session_expired` makes Appium's server forget its session, once; `slow`
    answers everything late; `reboot` is gone for some seconds and comes back with all apps stopped;
    `storage_full` leaves no byte free; `screen_off` turns the screen off, once; `locked` shows
    a lock screen that can be dismissed, `passcode` one that can't."""

    OFFLINE = "offline"
    UNAUTHORIZED = "unauthorized"
    DRIVER_KILLED = "driver_killed"
    DRIVER_HUNG = "driver_hung"
    SESSION_EXPIRED = "session_expired"
    SLOW = "slow"
    REBOOT = "reboot"
    STORAGE_FULL = "storage_full"
    SCREEN_OFF = "screen_off"
    LOCKED = "locked"
    PASSCODE = "passcode"


MODES = tuple(mode.value for mode in Mode)


def mode_of(name: str) -> Mode:
    """Raises `ConfigError` for an unknown one."""
    if name not in MODES:
        raise ConfigError(f"unknown mode {name!r}{nearest(name, MODES)}", seen=f"known: {', '.join(MODES)}")
    return Mode(name)
