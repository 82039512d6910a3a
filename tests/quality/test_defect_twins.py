"""Each rule has its twins in `fixtures/defects`: it finds its defect on the one, and nothing is found on the other."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

HERE = Path(__file__).resolve().parent
if str(HERE) not in sys.path:
    sys.path.insert(0, str(HERE))

from drawn_page import read_page  # noqa: E402

from pytest_apex.verify.checks import find_defects, rule_names  # noqa: E402

TWINS = HERE.parents[1] / "fixtures" / "defects"


def found(path: Path) -> list[tuple[str, str]]:
    text = path.read_text("utf-8")
    palette: Any = yaml.safe_load(text).get("palette", [])
    findings = find_defects(read_page(text).capture(), palette=palette or None, accessibility=True)
    return [(finding.kind.partition(".")[2], finding.severity) for finding in findings]


@pytest.mark.parametrize("rule", rule_names())
def test_the_rule_finds_its_defect_alone(rule: str) -> None:
    warns = rule in ("touch_target", "contrast", "duplicate_label", "missing_label")
    assert found(TWINS / rule / "bad.yaml") == [(rule, "warn" if warns else "fail")]


@pytest.mark.parametrize("rule", rule_names())
def test_nothing_is_found_on_its_twin(rule: str) -> None:
    assert found(TWINS / rule / "clean.yaml") == []


def test_every_folder_belongs_to_a_rule() -> None:
    assert {path.name for path in TWINS.iterdir() if path.is_dir()} == set(rule_names())
