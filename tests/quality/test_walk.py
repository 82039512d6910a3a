"""The random clean walk, short; `python tests/quality/walk.py` is the long one."""

from __future__ import annotations

import importlib.util
import random
import sys
from pathlib import Path

import pytest

from pytest_apex.settings import Settings, Touch
from pytest_apex.testing import virtual_device


@pytest.mark.parametrize("seed", [11, 12])
def test_no_verdict_against_anybody(tmp_path: Path, seed: int) -> None:
    spec = importlib.util.spec_from_file_location("apex_walk", Path(__file__).with_name("walk.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    with virtual_device(tmp_path, app=module.APP, settings=Settings(touch=Touch(seed=seed))) as device:
        done = module.walk(device, 60, random.Random(seed))
    assert done.verdicts == []
    assert done.steps == 60
    assert len(done.verbs) > 2
