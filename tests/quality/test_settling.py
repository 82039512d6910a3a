"""Settling on the built-in phone, short; `python tests/quality/settling.py` is the long one."""

from __future__ import annotations

import importlib.util
import random
import sys
from pathlib import Path


def test_never_early_and_hardly_late(tmp_path: Path) -> None:
    spec = importlib.util.spec_from_file_location("apex_settling", Path(__file__).with_name("settling.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    chance = random.Random(7)
    cases = [module.run_one(tmp_path, chance) for _ in range(8)]
    assert [case for case in cases if not case.settled or not 0 <= case.late_ms <= module.LATEST_MS] == []
    assert {case.kind for case in cases} == {"slide", "fade"}
