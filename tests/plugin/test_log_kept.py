"""The log of the app under test is kept with a failure, from the failing act on, and with nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Project = Callable[..., pytest.RunResult]


def logs(pytester: pytest.Pytester) -> list[tuple[dict[str, Any], str]]:
    """What was kept as log, as told in the results and as it is on disk."""
    latest = pytester.path / ".apex" / "latest"
    run = latest if latest.is_dir() else Path(latest.read_text(encoding="utf-8").strip())
    records = [json.loads(line) for line in (run / "results.jsonl").read_text(encoding="utf-8").splitlines()]
    kept = [artifact for record in records for artifact in record["evidence"] if artifact["kind"] == "log"]
    return [(artifact, (run / artifact["path"]).read_text(encoding="utf-8")) for artifact in kept]


CRASHES = "def test_it(device):\n    device.tap('Stay')\n    device.press('back')\n    device.tap('Go')\n"


def test_a_crash_comes_with_its_stack(small: Project, pytester: pytest.Pytester) -> None:
    small(CRASHES, "--device=virtual?fault=crash_on_tap")
    ((artifact, text),) = logs(pytester)
    assert artifact["caption"] == "log of com.example.small since the last act"
    assert "FATAL EXCEPTION" in text
    assert "Displayed com.example.small" not in text  # it was launched two acts before


def test_a_test_that_passes_keeps_none(small: Project, pytester: pytest.Pytester) -> None:
    small(CRASHES)
    assert logs(pytester) == []


def test_what_is_secret_is_masked_in_it(small: Project, pytester: pytest.Pytester) -> None:
    small(CRASHES, "--device=virtual?fault=crash_on_tap", "-o", "apex_redact=FATAL")
    ((artifact, text),) = logs(pytester)
    assert artifact["redacted"]
    assert "FATAL" not in text
