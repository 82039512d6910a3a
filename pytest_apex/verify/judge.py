"""What kind of failure it is: the rubric's rules asked one after the other. The first that holds decides."""

from __future__ import annotations

from pytest_apex.model.case import Case
from pytest_apex.model.verdict import Category, Outcome, RuleAnswer, Verdict
from pytest_apex.verify import timing
from pytest_apex.verify.rules import RULES, Rule, Ruling
from pytest_apex.verify.rules.facts import headline, needs
from pytest_apex.verify.rules.reads import read_by


def judge(case: Case) -> Verdict:
    """The verdict on one failure, with every rule that was asked and its answer.

    A function of the case alone: a stored one gives the same verdict. A category is never guessed: where no rule
    holds the outcome is unsure, the category None and the kind `unsure.<what was missing>`.
    """
    if case.failure.type == "skipped":
        return Verdict(Outcome.NOT_RUN, reason=headline(case))
    answers: list[RuleAnswer] = []
    notes: list[str] = []
    for rule in RULES:
        ruling = rule.ask(case)
        answers.append(_answer(rule, ruling, case))
        notes.extend(ruling.notes)
        if ruling.holds:
            return Verdict(
                outcome=_outcome(ruling.kind),
                category=category_of(ruling.kind),
                kind=ruling.kind,
                reason=ruling.reason,
                rules=tuple(answers),
                suspect=ruling.suspect,
                notes=tuple(dict.fromkeys(notes)),
                cure=timing.cure(case, ruling.kind),
            )
    missing, reason = _missing(case)
    return Verdict(
        Outcome.UNSURE, None, f"unsure.{missing}", reason, rules=tuple(answers), notes=tuple(dict.fromkeys(notes))
    )


def category_of(kind: str) -> Category | None:
    """The category that a dotted kind begins with; None for `test.` and `unsure.`."""
    word = kind.partition(".")[0]
    return Category(word) if word in {category.value for category in Category} else None


def weight(phase: str, verdict: Verdict) -> tuple[bool, bool]:
    """The least one decides where several phases of an attempt failed: crash before call before set-up and
    tear-down."""
    return (verdict.category is not Category.CRASH, phase != "call")


def _outcome(kind: str) -> Outcome:
    unsure = category_of(kind) is Category.TRANSIENT or kind.startswith("unsure.")
    return Outcome.UNSURE if unsure else Outcome.FAIL


def _answer(rule: Rule, ruling: Ruling, case: Case) -> RuleAnswer:
    """The answer with the evidence that speaks for it; where it names none, with all that the rule read."""
    evidence = ruling.evidence or read_by(rule.name, case)
    return RuleAnswer(rule.name, rule.question, ruling.answer, evidence, ruling.holds)


def _missing(case: Case) -> tuple[str, str]:
    """What was missing for a verdict, and the sentence that says so."""
    kind = case.failure.kind
    if kind.startswith("unsure."):
        return kind.removeprefix("unsure."), headline(case)
    if needs(case) == "process":
        return "no_process", f"{headline(case)}; nobody could tell whether the app's process lives"
    if case.now is None:
        return "no_capture", f"{headline(case)}; the device gave no fresh look, so that nobody knows what was on screen"
    return "no_rule", f"{headline(case)}; none of the rules says what kind of failure {kind or case.failure.type!r} is"
