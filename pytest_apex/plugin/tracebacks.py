"""Tracebacks that end at the test's own line: what happens inside of pytest-apex is not what its user looks for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pluggy
import pytest

_OURS = Path(__file__).parents[1]
_MACHINERY = (_OURS, Path(pluggy.__file__).parent, Path(pytest.Item.runtest.__code__.co_filename).parent)


def _inside(entry: Any, *folders: Path) -> bool:
    return any(folder in Path(str(entry.path)).parents for folder in folders)


def trim(excinfo: pytest.ExceptionInfo[BaseException]) -> bool:
    """Leave out our own frames. Returns whether none of the user's remain: then the message alone is worth showing."""
    foreign = excinfo.traceback.filter(lambda entry: not _inside(entry, _OURS))
    if all(_inside(entry, *_MACHINERY) for entry in foreign):
        return True
    excinfo.traceback = foreign
    return False
