"""Which backend drives a device, told from what was given as `--device`."""

from __future__ import annotations

import re
from collections.abc import Mapping

from pytest_apex.backends.base import BackendSpec
from pytest_apex.errors import ConfigError

#: The backends that pytest-apex brings along.
OURS = (BackendSpec("virtual", "pytest_apex.backends.virtual:connect", claims=("virtual",)),)

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
    if wanted != "auto":
        return offered[wanted]
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
