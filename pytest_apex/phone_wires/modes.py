"""What can go wrong between a computer and a phone, as states that can be switched on."""

from __future__ import annotations

from enum import Enum

from pytest_apex.errors import ConfigError
from pytest_apex.marked_yaml import nearest


class Mode(str, Enum):
    """`offline` breaks the connection and takes no new one; `unauthorized` asks for a signature for ever;
    `driver_killed` ends the uiautomator server, once; `driver_hung` lets it take requests and answer none; `slow`
    answers everything late; `reboot` is gone for some seconds and comes back with all apps stopped;
    `storage_full` leaves no byte free; `screen_off` turns the screen off, once; `locked` shows
    a lock screen that can be dismissed, `passcode` one that can't."""

    OFFLINE = "offline"
    UNAUTHORIZED = "unauthorized"
    DRIVER_KILLED = "driver_killed"
    DRIVER_HUNG = "driver_hung"
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
