"""The words of `docs/migration.md` are there."""

from __future__ import annotations

import re
from pathlib import Path

from pytest_apex.device.app import AppFacet
from pytest_apex.device.device import Device
from pytest_apex.device.locator import Locator


def missing_words(text: str) -> list[str]:
    """Words of ours in the right column of the table that nothing has."""
    ours = [line.split("|")[2] for line in text.splitlines() if line.startswith("| `")]
    missing = []
    for words in ours:
        for path in re.findall(r"device\.((?:app\.)?\w+)", words):
            owner: type = AppFacet if path.startswith("app.") else Device
            if not hasattr(owner, path.removeprefix("app.")):
                missing.append(f"device.{path}")
        called = re.findall(r"device\.find\([^)]*\)\.(\w+)", words)
        missing += [f"Locator.{name}" for name in called if not hasattr(Locator, name)]
    return missing


def test_each_word_is_there(root: Path) -> None:
    text = (root / "docs" / "migration.md").read_text("utf-8")
    assert text.count("\n| `") > 20
    assert missing_words(text) == []


def test_a_word_that_is_not_there_is_found() -> None:
    assert missing_words("| `d.fly()` | `device.fly()`, `device.app.soar()`, `device.find(id=1).sink()` |") == [
        "device.fly", "device.app.soar", "Locator.sink",
    ]  # fmt: skip
