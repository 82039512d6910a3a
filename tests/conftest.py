"""What tests of several rooms use."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture(scope="session")
def quality() -> Callable[[str], ModuleType]:
    """`quality("walk")` is the command `tests/quality/walk.py` as a module."""

    def load(name: str) -> ModuleType:
        spec = importlib.util.spec_from_file_location(f"apex_{name}", Path(__file__).parent / "quality" / f"{name}.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module  # dataclasses look their module up
        spec.loader.exec_module(module)
        return module

    return load
