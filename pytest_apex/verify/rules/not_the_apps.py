"""Rule 3: is it the test's own mistake?"""

from __future__ import annotations

from pytest_apex.model.case import Case
from pytest_apex.verify.rules.base import Rule, Ruling
from pytest_apex.verify.rules.facts import headline

#: A mistake of pytest-apex: nobody else is blamed for it.
INTERNAL = "unsure.internal_error"
_KINDS = {
    "config": "test.config",
    "target_ambiguous": "test.ambiguous",
    "capability": "test.capability",
    "refused": "test.refused",
    "target_stale": "test.refused",
}
_ANSWERS = {
    "test.config": "an option, marker or argument is wrong",
    "test.ambiguous": "several controls fit what the test asked for",
    "test.capability": "the device can't do what the test asked for",
    "test.refused": "the act was refused before anything was sent",
    "test.error": "the test went past a limit of its own",
    "test.setup": "a fixture of the test is set up wrongly",
}


def ask(case: Case) -> Ruling:
    """Errors that are neither an assertion nor about the app; a plain `assert` that asked the device nothing."""
    failure = case.failure
    kind = failure.kind if failure.kind.startswith("test.") else _KINDS.get(failure.type, "")
    if kind:
        return _yes(kind, _ANSWERS.get(kind, "the check says so"), headline(case))
    if failure.kind == INTERNAL:
        return _yes(INTERNAL, "pytest-apex itself failed", f"{headline(case)}; please report it, with this traceback")
    if failure.type == "error":
        return _error(case)
    if failure.type == "target_disabled" and failure.because:
        reason = f"{headline(case)}: its form is incomplete ({failure.because}); fill it in first"
        return _yes("test.disabled", "the control is rightly disabled", reason, failure.because)
    if failure.type == "assertion" and not case.read_since_action:
        reason = f"{headline(case)}: the test asserted this without reading from the device since its last action"
        return _yes("test.assertion", "the assertion read nothing from the device", reason)
    return Ruling("no: the question was put to the app")


def _error(case: Case) -> Ruling:
    failure = case.failure
    name = failure.exception or "an error"
    where = f" at {failure.source}" if failure.source else ""
    said = headline(case)
    told = said if said.startswith(name) else f"{name}: {said}"
    if not case.device_used:
        return _yes("test.setup", f"{name} before the device was touched", f"{told}{where}, before the device was used")
    return _yes("test.error", f"{name} is neither an assertion nor of the device", f"{told}{where}")


def _yes(kind: str, answer: str, reason: str, *evidence: str) -> Ruling:
    return Ruling(f"yes: {answer}", evidence, kind, reason)


RULE = Rule("not the app's", "Is it a mistake of the test, its set-up or its configuration?", ask)
