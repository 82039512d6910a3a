"""The judge as a whole: order, record, and laws that hold for every case."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from pytest_apex.model.case import FAILURE_TYPES, CrashRecord, HarnessEvent, LastTouch
from pytest_apex.model.verdict import Category, Outcome
from pytest_apex.verify.judge import judge
from pytest_apex.verify.rules import RULES

NAMES = [
    "crash", "harness", "not the app's", "in the way", "expected", "not settled", "no effect", "visual", "functional",
]  # fmt: skip


def test_the_rules_and_their_order() -> None:
    assert [rule.name for rule in RULES] == NAMES
    assert all(rule.question.endswith("?") for rule in RULES)


def test_all_rules_asked_are_recorded_up_to_the_one_that_decides(make: Any) -> None:
    verdict = judge(make.case())
    assert [answer.rule for answer in verdict.rules] == NAMES
    assert [answer.decided for answer in verdict.rules] == [False] * 8 + [True]
    early = judge(make.case(pid_now=0))
    assert [answer.rule for answer in early.rules] == ["crash"]
    assert early.why[0] == "crash: yes: its process is gone"


def test_rules_that_do_not_hold_say_no(make: Any) -> None:
    for answer in judge(make.case()).rules[:-1]:
        assert answer.answer.startswith(("no", "nothing to note"))


def test_each_earlier_rule_wins_over_the_later_ones(make: Any) -> None:
    """All at once, then one after the other taken away."""
    now = make.look(make.page(make.spinner()), make.permission_dialog(), front="com.android.permissioncontroller")
    layers: list[tuple[str, dict[str, Any]]] = [
        ("crash.process_died", {"pid_now": 0}),
        ("transient.harness.stale_tree", {"harness": (HarnessEvent(12.0, "stale_tree"),)}),
        ("transient.blocked", {"now": now, "in_front": "com.android.permissioncontroller"}),
        ("transient.animating", {"unsettled": make.moving()}),
        ("functional.no_effect", {"last_touch": make.touch(effect="none", repeated=True)}),
        ("functional.missing_element", {}),
    ]
    for at, (kind, _) in enumerate(layers):
        facts: dict[str, Any] = {}
        for _, more in layers[at:]:
            facts.update(more)
        assert judge(make.case(**facts)).kind == kind


SITUATIONS: dict[str, list[dict[str, Any]]] = {
    "pid": [{}, {"pid_now": 0}, {"pid_now": None}],
    "records": [{}, {"records": (CrashRecord("com.example.notes", 100, "anr", "stuck", 12.0),)}],
    "harness": [{}, {"harness": (HarnessEvent(12.0, "device_lost", "usb"),)}],
    "touch": [{}, {"last_touch": None}, {"last_touch": LastTouch("s", "tap", "t", "none", True, True)}],
    "used": [{}, {"device_used": False, "read_since_action": False, "before": None, "now": None, "app": "", "pid": 0}],
}


@pytest.mark.parametrize("type", FAILURE_TYPES)
def test_laws_for_every_type_of_failure(make: Any, type: str) -> None:
    usual = make.case(make.failure(type))
    for parts in product(*SITUATIONS.values()):
        facts: dict[str, Any] = {}
        for part in parts:
            facts.update(part)
        case = replace(usual, **facts)
        verdict = judge(case)
        word = verdict.kind.partition(".")[0]
        assert judge(case) == verdict
        assert (verdict.category.value if verdict.category else None) == (
            word if word in [category.value for category in Category] else None
        )
        assert verdict.reason
        assert sum(answer.decided for answer in verdict.rules) == (word not in ("unsure", ""))
        assert (verdict.outcome is Outcome.FAIL) == (word in ("functional", "visual", "crash", "test"))


@pytest.mark.parametrize("type", ["config", "capability", "refused", "error", "target_ambiguous", "target_stale"])
def test_the_tests_mistakes_are_never_counted_against_the_app(make: Any, type: str) -> None:
    for now in (make.look(), make.look(picture="blank"), make.look(make.page(make.own_dialog("Error 500"))), None):
        verdict = judge(make.case(make.failure(type), now=now, last_touch=make.touch(effect="none", repeated=True)))
        assert verdict.category is None
