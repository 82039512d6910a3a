"""pytest-apex: on-device UI verification that says what kind of failure it is.

Public names are resolved on first use, so that importing the plugin loads nothing heavy.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pytest_apex.backends.attach import attach as attach
    from pytest_apex.device.device import Device as Device
    from pytest_apex.device.expect import expect as expect
    from pytest_apex.device.locator import Locator as Locator
    from pytest_apex.errors import ApexError as ApexError
    from pytest_apex.gestures.humanize import humanize as humanize
    from pytest_apex.gestures.language import format_commands as format_commands
    from pytest_apex.gestures.language import parse_commands as parse_commands
    from pytest_apex.gestures.personas import HumanizeConfig as HumanizeConfig
    from pytest_apex.model.snapshot import Snapshot as Snapshot
    from pytest_apex.model.step import Step as Step
    from pytest_apex.model.verdict import Category as Category
    from pytest_apex.model.verdict import Finding as Finding
    from pytest_apex.model.verdict import Outcome as Outcome
    from pytest_apex.model.verdict import Verdict as Verdict
    from pytest_apex.records import read_crash_evidence as read_crash_evidence
    from pytest_apex.verify.checks import find_defects as find_defects
    from pytest_apex.verify.judge import judge as judge
    from pytest_apex.vision.match import ImageComparison as ImageComparison
    from pytest_apex.vision.match import compare_images as compare_images

__version__ = "0.1.0"

_HOME = {
    "attach": "pytest_apex.backends.attach",
    "ApexError": "pytest_apex.errors",
    "Device": "pytest_apex.device.device",
    "Locator": "pytest_apex.device.locator",
    "expect": "pytest_apex.device.expect",
    "HumanizeConfig": "pytest_apex.gestures.personas",
    "format_commands": "pytest_apex.gestures.language",
    "humanize": "pytest_apex.gestures.humanize",
    "parse_commands": "pytest_apex.gestures.language",
    "Category": "pytest_apex.model.verdict",
    "Finding": "pytest_apex.model.verdict",
    "Outcome": "pytest_apex.model.verdict",
    "Snapshot": "pytest_apex.model.snapshot",
    "Step": "pytest_apex.model.step",
    "Verdict": "pytest_apex.model.verdict",
    "find_defects": "pytest_apex.verify.checks",
    "judge": "pytest_apex.verify.judge",
    "ImageComparison": "pytest_apex.vision.match",
    "compare_images": "pytest_apex.vision.match",
    "read_crash_evidence": "pytest_apex.records",
}

__all__ = [
    "ApexError",
    "Category",
    "Device",
    "Finding",
    "HumanizeConfig",
    "ImageComparison",
    "Locator",
    "Outcome",
    "Snapshot",
    "Step",
    "Verdict",
    "__version__",
    "attach",
    "compare_images",
    "expect",
    "find_defects",
    "format_commands",
    "humanize",
    "judge",
    "parse_commands",
    "read_crash_evidence",
]


def __getattr__(name: str) -> Any:
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME})
