"""The measuring commands of the Android wire, in small: see them for what they hold."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.bench

QUALITY = Path(__file__).parents[1] / "quality"


def run(command: str, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, str(QUALITY / command), *arguments],
        capture_output=True, text=True, timeout=900, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_bad_line_makes_no_act_twice() -> None:
    assert "none twice" in run("wire_faults.py", "--count", "60", "--seed", "5")


def test_driving_costs_less_than_a_plain_script() -> None:
    assert "our driver" in run("bench_android.py", "--rounds", "10")
