"""Settling on the built-in phone, short; `python tests/quality/settling.py` is the long one."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from types import ModuleType


def test_never_early_and_hardly_late(quality: Callable[[str], ModuleType], tmp_path: Path) -> None:
    module = quality("settling")
    chance = random.Random(7)
    cases = [module.run_one(tmp_path, chance) for _ in range(8)]
    assert [case for case in cases if not case.settled or not 0 <= case.late_ms <= module.LATEST_MS] == []
    assert {case.kind for case in cases} == {"slide", "fade"}
