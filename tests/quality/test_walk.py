"""The random clean walk, short; `python tests/quality/walk.py` is the long one."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from pytest_apex.settings import Settings, Touch
from pytest_apex.testing import virtual_device


@pytest.mark.parametrize("seed", [11, 12])
def test_no_verdict_against_anybody(quality: Callable[[str], ModuleType], tmp_path: Path, seed: int) -> None:
    module = quality("walk")
    with virtual_device(tmp_path, app=module.APP, settings=Settings(touch=Touch(seed=seed))) as device:
        done = module.walk(device, 60, random.Random(seed))
    assert done.verdicts == []
    assert done.steps == 60
    assert len(done.verbs) > 2
