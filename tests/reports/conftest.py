"""Attempts to report on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pytest_apex.model.geometry import Size
from pytest_apex.model.run import RunInfo
from pytest_apex.model.screen import DeviceInfo, Screen
from pytest_apex.model.verdict import Attempt, Category, Outcome, RuleAnswer, Verdict

NODEID = "tests/test_notes.py::test_save"


@pytest.fixture
def attempt() -> Callable[..., Attempt]:
    """An attempt that passed, or that failed with a kind: `attempt("functional.no_effect")`."""

    def make(kind: str = "", reason: str = "", *, test: str = NODEID, n: int = 1, **more: Any) -> Attempt:
        first = kind.partition(".")[0]
        category = Category(first) if first in {item.value for item in Category} else None
        unsure = first in ("unsure", "transient")
        result = Outcome.UNSURE if unsure else Outcome.FAIL if kind else Outcome.PASS
        verdict = {name: more.pop(name) for name in ("suspect", "notes", "rules", "cure") if name in more}
        return Attempt(
            test=test,
            n=n,
            outcome=more.pop("outcome", "failed" if kind else "passed"),
            verdict=Verdict(result, category, kind, reason or (kind and "it does not"), **verdict),
            device=more.pop("device", "virtual"),
            folder=more.pop("folder", ""),
            **more,
        )

    return make


@pytest.fixture
def rules() -> tuple[RuleAnswer, ...]:
    return (
        RuleAnswer("crash", "did the app die?", "no"),
        RuleAnswer(
            "no effect", "did the touch change anything?", "nothing changed", ("step-002", "touched twice"), True
        ),
    )


@pytest.fixture
def run_info(tmp_path) -> RunInfo:
    device = DeviceInfo(
        "virtual", "android", "Built-in phone", "14", Screen(Size(540, 1200)), tags=frozenset({"b", "a"})
    )
    options = {"timeout": ("10", "command line"), "redact": ("sesame", "pyproject.toml")}
    return RunInfo(str(tmp_path / "run"), "2026-11-30T14:25:30Z", 7, (device,), options, "0.1.0")
