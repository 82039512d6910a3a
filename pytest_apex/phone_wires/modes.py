"""What can go wrong between a computer and a phone, as states that can be switched on."""

from __future__ import annotations

from enum import Enum


class Mode(str, Enum):
    """`offline` breaks the connection and takes no new one; `unauthorized` asks for a signature for ever;
    `driver_killed` ends the uiautomator server, once; `driver_hung` lets it take requests and answer none; `slow`
    answers everything late; `reboot` is gone for some seconds and comes back with all apps stopped."""

    OFFLINE = "offline"
    UNAUTHORIZED = "unauthorized"
    DRIVER_KILLED = "driver_killed"
    DRIVER_HUNG = "driver_hung"
    SLOW = "slow"
    REBOOT = "reboot"


MODES = tuple(mode.value for mode in Mode)
