"""Facts of one run, for `run.json` and the heads of reports."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pytest_apex.model.screen import DeviceInfo


@dataclass(frozen=True, slots=True)
class RunInfo:
    """`folder` is the run's folder; `options` maps each option that is not default to (value, origin); both as text.
    `manuals` are the app manuals that were used so far, in words."""

    folder: str
    started: str
    seed: int
    devices: tuple[DeviceInfo, ...] = ()
    options: Mapping[str, tuple[str, str]] = field(default_factory=dict, hash=False)
    version: str = ""
    manuals: tuple[str, ...] = ()
