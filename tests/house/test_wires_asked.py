"""The tests of the real wires are run by those who ask for them, and the others are told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

LEFT_OUT = "not run: tests/wire, nobody asked for it (--wire)"
#: All rooms whose names begin otherwise are left aside, and most files of this one, for speed.
NOTHING_ELSE = ("--ignore-glob=tests/[!w]*", "--ignore-glob=tests/wire/test_[!c]*")


@pytest.mark.parametrize(
    ("arguments", "asked"),
    [
        (("tests",), False),
        (("tests", "--wire"), True),
        (("tests/wire",), True),
        (("tests/wire/test_chromium_touch.py::test_a_touch_by_a_script_is_not_trusted",), True),
    ],
)
def test_only_those_who_ask_collect_them(arguments: tuple[str, ...], asked: bool, root: Path, shell: Any) -> None:
    done = shell.pytest("--collect-only", "-q", *NOTHING_ELSE, *arguments, cwd=root)
    assert ("::test_a_touch_by_a_script_is_not_trusted" in done.stdout, LEFT_OUT in done.stdout) == (asked, not asked)
