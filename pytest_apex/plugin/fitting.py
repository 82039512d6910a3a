"""Whether a test can run on a device, by its markers `platforms`, `gestures` and `requires`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from pytest_apex.plugin.markers import meaning_of

if TYPE_CHECKING:
    from pytest_apex.model.screen import DeviceInfo


def misfit(item: pytest.Item, info: DeviceInfo, capabilities: frozenset[str]) -> str:
    """Why the test can't run on this device; empty when it can. Raises `ConfigError` for a wrong marker."""
    platforms = meaning_of(item, "platforms")
    if platforms and info.platform not in platforms:
        return f"needs {' or '.join(platforms)}; {info.id} is {info.platform}"
    missing = [name for name in meaning_of(item, "gestures") or () if name not in capabilities]
    if missing:
        return f"needs the gesture {', '.join(missing)}, which {info.id} ({info.platform}) has not"
    wants = meaning_of(item, "requires") or {}
    if wants.get("os") and not version_fits(wants["os"], info.os_version):
        return f"needs {info.platform} {wants['os']}; {info.id} has {info.os_version}"
    width = info.screen.size.width / info.dp
    if wants.get("min_width_dp") and width < wants["min_width_dp"]:
        return f"needs a screen {wants['min_width_dp']:g} dp wide; {info.id} has {width:g}"
    if wants.get("tag") and wants["tag"] not in info.tags:
        return f"needs a device with the tag {wants['tag']!r}; {info.id} has {', '.join(sorted(info.tags)) or 'none'}"
    return ""


def version_fits(wanted: str, version: str) -> bool:
    """Whether `14.1` fits `>=13`; compared number by number, as far as `wanted` goes for `==`."""
    operator, number = re.fullmatch(r"(>=|<=|==|>|<)\s*([\d.]+)", wanted).groups()  # type: ignore[union-attr]
    want = [int(part) for part in number.split(".")]
    have = [int(part) for part in re.findall(r"\d+", version)] or [0]
    length = max(len(want), len(have))
    padded = [part + [0] * (length - len(part)) for part in (have, want)]
    if operator == "==":
        return padded[0][: len(want)] == want
    return {">=": padded[0] >= padded[1], "<=": padded[0] <= padded[1],
            ">": padded[0] > padded[1], "<": padded[0] < padded[1]}[operator]  # fmt: skip
