"""Why a verdict is what it is: in three lines, and in full; and what to try when timing is the suspect."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_apex.model.case import HarnessEvent
from pytest_apex.model.verdict import Outcome, RuleAnswer, Verdict
from pytest_apex.verify.judge import judge
from pytest_apex.verify.rules import RULES
from pytest_apex.verify.rules.reads import READS, read_by


def test_each_rule_says_what_it_reads() -> None:
    assert list(READS) == [rule.name for rule in RULES]
    assert read_by("a rule of others", None) == ()  # type: ignore[arg-type]


def test_every_answer_has_its_evidence(make: Any) -> None:
    """All nine were asked, and each tells what it saw; only what has nothing to read is silent."""
    verdict = judge(make.case(make.check(), harness=(HarnessEvent(11.0, "driver_dead", "gone", recovered=True),)))
    answers = {answer.rule: answer for answer in verdict.rules}
    assert list(answers) == [rule.name for rule in RULES]
    assert answers["crash"].evidence == ("pid 100 before, pid 100 now", "records since 10.0 s: none")
    assert answers["harness"].evidence[0] == "driver_dead (recovered) at 11.0 s"
    assert answers["in the way"].evidence == (
        "in front: com.example.notes",
        "windows: application of com.example.notes",
    )
    assert answers["no effect"].evidence == ('step-004 tap "Add": effect changed',)
    assert answers["visual"].evidence == ("asked for functional.wrong_value",)
    assert all(answer.question for answer in verdict.rules)
    assert [rule for rule, answer in answers.items() if not answer.evidence] == ["expected"]


def test_three_lines(make: Any) -> None:
    verdict = judge(make.case(make.failure(), last_touch=make.touch(effect="none", repeated=True)))
    assert verdict.why == (
        "no effect: yes: two touches changed nothing",
        'step-004 tap "Add" changed nothing: tree, pixels, focus, log and process',
        "touched once more, to no avail",
    )


def test_what_was_ruled_out_fills_the_third_line() -> None:
    rules = (RuleAnswer("crash", "?", "no: it lives"), RuleAnswer("harness", "?", "yes: gone", ("two\nlines",), True))
    assert Verdict(Outcome.UNSURE, rules=rules).why == ("harness: yes: gone", "two lines", "ruled out: crash")


def test_where_no_rule_decided_it_says_who_could_not_tell() -> None:
    rules = (
        RuleAnswer("crash", "?", "no: it lives"), RuleAnswer("expected", "?", "noted, decides nothing"),
        RuleAnswer("no effect", "?", "not decided: seen once"), RuleAnswer("functional", "?", "can't tell: no look"),
    )  # fmt: skip
    assert Verdict(Outcome.UNSURE, rules=rules).why == (
        "no rule decided", "no effect: not decided: seen once", "functional: can't tell: no look",
    )  # fmt: skip
    assert Verdict(Outcome.PASS).why == ()


# When timing is the suspect


@pytest.mark.parametrize(
    ("facts", "kind"),
    [
        ({"explicit_timeout": 2.0, "waited_s": 2.0}, "transient.loading"),
        ({"timeout_name": "--apex-load-timeout 20 s", "waited_s": 20.0}, "functional.stuck_loading"),
    ],
)
def test_loading_says_where_a_log_line_would_tell(make: Any, facts: dict[str, Any], kind: str) -> None:
    verdict = judge(make.case(make.check(**facts), now=make.look(make.page(make.spinner()))))
    assert verdict.kind == kind
    assert verdict.cure.startswith("a temporary log line in the app (Log.d) where the work behind progress at 120, 220")
    assert verdict.cure.endswith("device.app.log then tells whether it takes long or never ends")
    assert 'after step-004 tap "Add"' in verdict.cure


def test_movement_names_what_moves(make: Any) -> None:
    verdict = judge(make.case(make.check(), unsettled=make.moving("animating", "banner at 1, 2"), platform="ios"))
    assert verdict.kind == "transient.animating"
    assert "(os_log) where the work behind banner at 1, 2 begins" in verdict.cure


def test_a_short_time_out_of_the_test(make: Any) -> None:
    verdict = judge(make.case(make.check(explicit_timeout=0.5, waited_s=0.5, target='"Total"')))
    assert 'where the app shows "Total"' in verdict.cure
    assert verdict.cure.endswith("if it comes later than timeout=0.5, the test looks too early")


@pytest.mark.parametrize("timeout", [None, 30.0])
def test_no_word_where_time_was_enough(make: Any, timeout: float | None) -> None:
    assert judge(make.case(make.check(explicit_timeout=timeout))).cure == ""


def test_no_word_where_something_else_is_the_cause(make: Any) -> None:
    crashed = judge(make.case(make.check(explicit_timeout=0.5), pid_now=0))
    assert (crashed.kind, crashed.cure) == ("crash.process_died", "")
