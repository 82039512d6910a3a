"""Severities, groups, known defects and palettes of a look for defects."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_apex.errors import ConfigError
from pytest_apex.model.geometry import Rect
from pytest_apex.model.node import NodeState
from pytest_apex.model.verdict import CheckResult, Finding, Outcome
from pytest_apex.verify.checks import KnownDefect, Policy, check_defects, find_defects, known_at, policy_of, rule_names

CLICK = NodeState.VISIBLE | NodeState.ENABLED | NodeState.CLICKABLE


def broken(make: Any) -> Any:
    """A placeholder, and a button that sticks out."""
    return make.look(
        make.page(make.N("text", "{{name}}"), make.N("button", "Share", (150, 200, 280, 260), states=CLICK))
    )


def rules(answer: CheckResult) -> list[tuple[str, str]]:
    return [(finding.rule, finding.severity) for finding in answer.findings]


def test_a_severity_of_its_own(make: Any) -> None:
    look = broken(make)
    assert rules(check_defects(look)) == [("unresolved_text", "fail"), ("off_screen", "fail")]
    answer = check_defects(look, policy=policy_of(rules={"unresolved_text": "warn", "off_screen": "off"}))
    assert rules(answer) == [("unresolved_text", "warn")]
    assert answer.outcome is Outcome.PASS


def test_accessibility_is_off_by_default(make: Any) -> None:
    look = make.look(make.page(make.N("button", "", (20, 60, 40, 80), states=CLICK), make.N("text", "Title")))
    assert find_defects(look) == []
    found = {(finding.rule, finding.severity) for finding in find_defects(look, accessibility=True)}
    assert found == {("touch_target", "warn"), ("missing_label", "warn")}
    assert {finding.rule for finding in find_defects(look, rules={"touch_target": "warn"})} == {"touch_target"}


def test_a_group_has_a_severity_and_its_rules_may_differ(make: Any) -> None:
    look = make.look(make.page(make.N("button", "", (20, 60, 40, 80), states=CLICK), make.N("text", "Title")))
    found = find_defects(look, rules={"missing_label": "off", "accessibility": "fail"})
    assert [(finding.rule, finding.severity) for finding in found] == [("touch_target", "fail")]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"overlapp": "off"}, "'overlap' is meant"),
        ({"overlap": "loud"}, "one of fail, warn, off"),
        (["overlap"], "takes the severity of each rule"),
    ],
)
def test_rules_that_can_not_be_meant(make: Any, given: Any, words: str) -> None:
    with pytest.raises(ConfigError) as error:
        find_defects(make.look(), rules=given)
    assert words in str(error.value)


@pytest.mark.parametrize("given", ["#FFFFFF", 5, ["blueish"], [5], [], ()])
def test_palettes_that_can_not_be_meant(make: Any, given: Any) -> None:
    with pytest.raises(ConfigError):
        find_defects(make.look(), palette=given)


def test_known_defects_are_left_out_and_listed(make: Any) -> None:
    look = broken(make)
    button = next(node for node in look.nodes if node.text == "Share")
    known = known_at([button], "reported")
    assert known is not None
    answer = check_defects(look, policy=Policy(known=(known,)))
    assert rules(answer) == [("unresolved_text", "fail")]
    assert len(answer.known) == 1
    assert answer.known[0].endswith("(reported)")


@pytest.mark.parametrize(
    ("known", "covered"),
    [
        (KnownDefect(), True),
        (KnownDefect(rule="overlap"), True),
        (KnownDefect(rule="blank"), False),
        (KnownDefect(kind="visual"), True),
        (KnownDefect(kind="visual.overlap"), True),
        (KnownDefect(kind="visual.over"), False),
        (KnownDefect(nodes=frozenset({"a"})), True),
        (KnownDefect(nodes=frozenset({"b"})), False),
        (KnownDefect(boxes=(Rect(0, 0, 50, 50),)), True),
        (KnownDefect(boxes=(Rect(0, 0, 20, 20),)), False),
        (KnownDefect(rule="blank", nodes=frozenset({"a"})), False),
    ],
)
def test_what_a_known_defect_covers(known: KnownDefect, covered: bool) -> None:
    finding = Finding("overlap", "visual.overlap", "a and c", nodes=("a", "c"), box=Rect(10, 10, 40, 40))
    assert known.covers(finding) is covered


def test_controls_that_are_not_there_excuse_nothing() -> None:
    assert known_at([], "whatever") is None


def test_rules_of_others_have_names_too() -> None:
    class Brand:
        name, claim, kind = "brand", "the logo is there", "visual.brand"

    assert "brand" in rule_names([Brand()])  # type: ignore[list-item]
