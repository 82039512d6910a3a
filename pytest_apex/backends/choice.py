"""Which backend drives a device, told from what was given as `--device`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from pytest_apex.backends.base import BackendSpec
from pytest_apex.errors import ApexError, ConfigError

#: The backends that pytest-apex brings along.
OURS = (
    BackendSpec("virtual", "pytest_apex.backends.virtual:connect", claims=("virtual",)),
    BackendSpec(
        "uiautomator2",
        "pytest_apex.backends.uiautomator2.connecting:connect",
        extra="uiautomator2",
        identify="pytest_apex.backends.uiautomator2.connecting:identify",
    ),
    BackendSpec(
        "appium",
        "pytest_apex.backends.appium.connecting:connect",
        extra="Appium-Python-Client",
        identify="pytest_apex.backends.appium.connecting:identify",
    ),
    BackendSpec("replay", "pytest_apex.backends.replay:connect", claims=("replay",)),
)
#: What drives a device that no backend claims for its own.
USUAL = "uiautomator2"

#: What helps wherever a device is missing.
VIRTUAL = "--device=virtual runs on the built-in phone"


def choose(device: str, wanted: str, offered: Mapping[str, BackendSpec]) -> BackendSpec:
    """The backend that drives `device`; `wanted` is a backend's name or `auto`. Raises `ConfigError`."""
    names = ", ".join(sorted(offered)) or "none"
    if wanted != "auto" and wanted not in offered:
        raise ConfigError(f"there is no backend {wanted!r}", seen=f"backends: {names}", cure="--apex-backend=auto")
    claimed = claimant(device, offered)
    if claimed is not None:
        return claimed
    usual = offered.get(USUAL if wanted == "auto" else wanted)
    if usual is not None:
        return usual
    raise ConfigError(
        f"no backend for the device {device!r}",
        seen=f"backends: {names}",
        likely="a real device needs a backend that speaks to it (adb, WebDriver)",
        cure=f"{VIRTUAL}; or install a plugin that brings a backend for it",
    )


def claimant(device: str, offered: Mapping[str, BackendSpec]) -> BackendSpec | None:
    """The backend whose own this device surely is: `virtual?fault=anr` belongs to whoever claims `virtual`."""
    head = re.split(r"[:?]", device, maxsplit=1)[0]
    return next((spec for spec in offered.values() if head in spec.claims), None)


def without_all(
    devices: Sequence[str], behind_appium: Sequence[str] | None = None
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The devices with every phone that adb has in the place of `all`, each named once; and what was left out of them,
    in words. Of an Appium server nobody can tell what it has: there `all` is what its capabilities name, if they name
    any. Raises `ConfigError` when there is none, `DeviceProblem` when there is no adb."""
    if "all" not in devices:
        return tuple(devices), ()
    from pytest_apex.backends.uiautomator2.connecting import all_usable

    try:
        usable, left_out = (list(behind_appium), []) if behind_appium else all_usable()
    except ApexError as error:
        if behind_appium is not None:
            error.cure = "name each device: --device=UDID --device=UDID; or all of them under apex:devices"
        raise
    named = [one for device in devices for one in (usable if device == "all" else [device])]
    return tuple(dict.fromkeys(named)), tuple(left_out)


def connected_phones() -> list[str]:
    """Phones that adb has now, in words; none where its server does not run, which is not started for that."""
    from pytest_apex.backends.uiautomator2.adb import AdbServer, AdbTrouble

    try:
        return [str(one) for one in AdbServer().devices(start=False)]
    except (AdbTrouble, ConfigError):
        return []


__all__ = ["OURS", "USUAL", "VIRTUAL", "choose", "claimant", "connected_phones", "without_all"]
