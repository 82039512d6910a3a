"""A failing phase of a test → its verdict, and what the report of that phase then says."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from pytest_apex.device.device import Device
from pytest_apex.device.examining.failure import failure_of, root_of
from pytest_apex.errors import ApexError
from pytest_apex.evidence.cases import JudgedFailure
from pytest_apex.model.case import Case, Failure
from pytest_apex.model.verdict import Outcome, Verdict
from pytest_apex.plugin.asserted import asks_step
from pytest_apex.plugin.attempts import Failed, LiveAttempt
from pytest_apex.plugin.tracebacks import is_users, users_line
from pytest_apex.plugin.values import ALWAYS_FAIL
from pytest_apex.verify.judge import judge

#: What pytest-timeout says when it ends a test.
_TOO_LONG = re.compile(r"Timeout \(>([\d.]+)\s?s\) from pytest-timeout")


def judged(attempt: LiveAttempt, error: BaseException | None, phase: str, fail_on: frozenset[str]) -> Failed:
    """Judge one failing phase, while the device is still as it was. Without an error it passed against its xfail."""
    if error is None:
        return Failed(phase, Verdict(Outcome.FAIL, None, "test.xpass", "the test passed, though its xfail is strict"))
    verdict, case = _verdict(attempt, error, phase)
    group = group_of(verdict)
    return Failed(phase, verdict, group not in (*ALWAYS_FAIL, "") and group not in fail_on, case)


def _verdict(attempt: LiveAttempt, error: BaseException, phase: str) -> tuple[Verdict, Case | None]:
    """The verdict on what may be stored of the failure, so that the stored one gives it again."""
    error = root_of(error)
    try:
        failure = _failure(error, phase)
        if attempt.device is None:
            case = Case(failure=failure, device_used=False)
        else:
            _note_asserted(attempt.device, failure, error)
            case = attempt.device.examine(failure, error)
        stored = _storable(attempt, case)
        return judge(stored or case), stored
    except Exception as trouble:  # noqa: BLE001 - a judge that breaks must not break the run; it is said in the verdict
        reason = f"the failure could not be judged: {type(trouble).__name__}: {trouble}"
        return Verdict(Outcome.UNSURE, None, "unsure.judge_error", reason), None


def _note_asserted(device: Device, failure: Failure, error: BaseException) -> None:
    """An assertion about what the last act did asks the device, as one about what was read since does."""
    last = device.context.last_act
    if failure.type == "assertion" and last is not None and asks_step(error.__traceback__, last.step.id):
        device.context.read_since_act = True


def _storable(attempt: LiveAttempt, case: Case) -> Case | None:
    """The case without secrets; None when nothing may be stored of it, which is noted."""
    if attempt.recorder is None:
        return None
    try:
        return attempt.recorder.masked(case)
    except ApexError as error:
        attempt.missing(f"evidence is missing: {error.tried}")
        return None


def judged_as_stored(attempt: LiveAttempt) -> list[JudgedFailure]:
    """The failures of an attempt that ends, as they are stored: what became known as a secret since is masked too, and
    what that changes is judged again."""
    stored: list[JudgedFailure] = []
    for at, failed in enumerate(attempt.failures):
        case = _storable(attempt, failed.case) if failed.case is not None else None
        if case is not None and case is not failed.case:
            attempt.failures[at] = failed = failed._replace(case=case, verdict=judge(case))
        redactor = attempt.recorder.redactor if attempt.recorder is not None else None
        verdict = redactor.value(failed.verdict) if redactor is not None else failed.verdict
        stored.append(JudgedFailure(failed.phase, case, None if case is not None else verdict))
    return stored


def _failure(error: BaseException, phase: str) -> Failure:
    """The failure in facts. Only this side knows that `pytest.fail()` asserts, and which line is the user's."""
    failure = failure_of(error, phase)
    if isinstance(error, pytest.fail.Exception):
        failure = _of_pytest(failure, str(error), users_line(error.__traceback__))
    told = failure.source if is_users(failure.source) else ""
    return replace(failure, source=users_line(error.__traceback__) or told)


def _of_pytest(failure: Failure, said: str, line: str) -> Failure:
    """`pytest.fail()` asserts; pytest-timeout and pytest itself raise the same error and mean something else."""
    too_long = _TOO_LONG.search(said)
    if too_long:
        text = f"pytest-timeout: the test took longer than {float(too_long[1]):g} s{f' at {line}' if line else ''}"
        return replace(failure, type="error", kind="test.error", message=text)
    if said.startswith("async def functions are not natively supported"):
        told = said.partition("\n")[0].rstrip(".")
        text = f"{told}: nothing of the test ran; install a plugin such as pytest-asyncio"
        return replace(failure, type="error", kind="test.config", message=text)
    if said.startswith("ScopeMismatch"):
        text = f"{said.partition('. ')[0]}; a device lives for one test: ask for it in a fixture of function scope"
        return replace(failure, type="error", kind="test.setup", message=text)
    return replace(failure, type="assertion", kind="functional.assertion")


def group_of(verdict: Verdict) -> str:
    """Which word of `--apex-fail-on` a verdict belongs to; empty for the test's own mistakes."""
    if verdict.category is not None:
        return verdict.category.value
    return "unsure" if verdict.kind.startswith("unsure") else ""


def tell_in_report(
    report: pytest.TestReport, failed: Failed, evidence: str, text: Callable[[str], str], *, style: str = "auto"
) -> None:
    """Put the verdict into the report of the failing phase: prefix, section, and the outcome if it is left out.
    `style` is that of `--tb`."""
    verdict = failed.verdict
    lines = [text(str(verdict)), *(f"  {text(line)}" for line in verdict.why)]
    lines += [f"  try: {text(verdict.cure)}"] if verdict.cure else []
    lines += [f"  suspect: {verdict.suspect}"] if verdict.suspect else []
    lines += [f"  evidence: {evidence}"] if evidence else []
    if verdict.outcome is Outcome.UNSURE:
        report.apex_unsure = True  # type: ignore[attr-defined]
    if style == "line" and isinstance(report.longrepr, str):
        report.longrepr = _Line(verdict.prefix + report.longrepr)
    else:
        _add(report, verdict.prefix, "\n".join(lines))
    if failed.left_out:
        report.outcome = "skipped"
        report.wasxfail = f"not judged: {verdict.kind}: {text(verdict.reason)}"


class _Line(str):
    """A failure without a traceback under `--tb=line`: pytest would write the text, and then its beginning as the line
    that was asked for."""

    def toterminal(self, _writer: object) -> None:
        """Nothing: the line alone is written."""


def _add(report: pytest.TestReport, prefix: str, section: str) -> None:
    longrepr: Any = report.longrepr
    if isinstance(longrepr, str):
        report.longrepr = f"{prefix}{longrepr}\n{' apex verdict '.center(76, '-')}\n{section}"
        return
    if getattr(longrepr, "reprcrash", None) is not None:
        longrepr.reprcrash.message = prefix + longrepr.reprcrash.message
    if hasattr(longrepr, "addsection"):
        longrepr.addsection("apex verdict", section)
