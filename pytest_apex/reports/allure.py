"""The Allure report: verdicts, steps and pictures in what allure-pytest writes, and nothing secret in any of it.

The only module that imports Allure; import it when `--alluredir` is given, not before.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Sequence
from pathlib import Path, PurePosixPath
from typing import Any
from uuid import uuid4

import allure_commons
from allure_commons.model2 import (
    Attachment,
    Label,
    Parameter,
    Status,
    StatusDetails,
    TestResult,
    TestStepResult,
)

from pytest_apex.evidence.own_words import SUSPECT_LINE
from pytest_apex.evidence.redact import Redactor
from pytest_apex.model.run import RunInfo
from pytest_apex.model.step import Step
from pytest_apex.model.verdict import Artifact, Attempt, Category, Outcome
from pytest_apex.reports.allure_files import write_metadata
from pytest_apex.reports.allure_mask import mask_item, mask_texts_sent
from pytest_apex.reports.junit import properties
from pytest_apex.reports.results import LEFT_OUT, key_of

#: Categories that are defects of the app.
_DEFECTS = (Category.FUNCTIONAL, Category.VISUAL, Category.CRASH)
#: Tests with an attempt that did not pass are remembered, in case they are run again; the oldest are forgotten.
_REMEMBERED = 1000


class AllureReport:
    """Completes what allure-pytest writes; a `Sink`, and a plugin of Allure's own plugin manager.

    `attempt` is told of an attempt before pytest's `pytest_runtest_logfinish` for it is over; allure-pytest writes the
    result at the end of that hook. Attempts of one test are results of their own with one history id: Allure shows the
    last, with the earlier ones as its retries. `worker` says that this is a worker of pytest-xdist: categories and
    environment are the controller's.
    """

    def __init__(self, run_dir: Path, results_dir: Path, redactor: Redactor, *, worker: bool = False) -> None:
        self._results_dir = results_dir
        self._redactor = redactor
        self._worker = worker
        self._run: RunInfo | None = None
        self._attachments = _Attachments(run_dir)
        self._current: tuple[Attempt, Sequence[Step]] | None = None
        self._earlier: OrderedDict[str, list[Attempt]] = OrderedDict()
        self._undo: Callable[[], None] | None = None

    def register(self) -> None:
        """Join Allure's plugins; from now on nothing secret reaches the results folder."""
        allure_commons.plugin_manager.register(self, f"apex-{id(self)}")
        self._undo = mask_texts_sent(allure_commons.plugin_manager, self._redactor)

    def unregister(self) -> None:
        """Leave them. May be called twice."""
        if self._undo is not None:
            allure_commons.plugin_manager.unregister(self)
            self._undo()
            self._undo = None

    # As a sink

    def open(self, run: RunInfo) -> None:
        self._run = run
        self._write_metadata()

    def step(self, attempt_key: str, step: Step) -> None:
        """Steps are written with their result."""

    def attempt(self, attempt: Attempt, steps: Sequence[Step]) -> None:
        self._current = (attempt, tuple(steps))

    def close(self) -> None:
        # Once more: with --clean-alluredir each worker of pytest-xdist empties the folder when it starts.
        self._write_metadata()

    def _write_metadata(self) -> None:
        if self._run is not None and not self._worker:
            write_metadata(self._results_dir, self._run, self._redactor)

    # As a plugin of Allure

    @allure_commons.hookimpl(tryfirst=True)
    def report_result(self, result: TestResult) -> None:
        """Complete a result with the verdict of its attempt, before it is written."""
        current = self._current
        if current is not None and self._is_of(result, current[0].test):
            self._current = None
            attempt, steps = current
            earlier = self._earlier.get(key_of(attempt), [])
            set_verdict(result, attempt, earlier)
            set_device(result, attempt, earlier)
            self._add_evidence(result, attempt, steps)
            self._remember(attempt)
        mask_item(result, self._redactor)

    @allure_commons.hookimpl(tryfirst=True)
    def report_container(self, container: Any) -> None:
        """Fixtures: their errors may name what they typed."""
        mask_item(container, self._redactor)

    @allure_commons.hookimpl(tryfirst=True)
    def report_globals(self, globals_item: Any) -> None:
        mask_item(globals_item, self._redactor)

    @staticmethod
    def _is_of(result: TestResult, nodeid: str) -> bool:
        """Whether a result is of the test with this id. allure-pytest names tests `package.module.Class#function`."""
        if result.fullName is None:
            return True  # its set-up did not get far enough to be named
        module, _, rest = nodeid.partition("[")[0].partition("::")
        package = module.rpartition(".")[0].replace("/", ".") if "." in module else module
        name = str(result.fullName)
        return name.startswith(package) and name.endswith(f"#{rest.rpartition('::')[2]}")

    def _add_evidence(self, result: TestResult, attempt: Attempt, steps: Sequence[Step]) -> None:
        for step in steps:
            shown = step_result(step)
            for artifact in step.evidence:
                self._attachments.add(shown, artifact)
            _put(result.steps, shown)
        told = {step.id for step in steps}
        for artifact in attempt.evidence:
            if artifact.step not in told:
                self._attachments.add(result, artifact)

    def _remember(self, attempt: Attempt) -> None:
        if attempt.verdict.outcome is not Outcome.PASS:
            self._earlier.setdefault(key_of(attempt), []).append(attempt)
            while len(self._earlier) > _REMEMBERED:
                self._earlier.popitem(last=False)


class _Attachments:
    """Copies stored files into the results folder, each once, however many steps show it."""

    def __init__(self, run_dir: Path) -> None:
        self._run_dir = run_dir
        self._names: dict[str, str] = {}

    def add(self, item: Any, artifact: Artifact) -> None:
        """Attach a stored file to a result or step. One that is gone is said to be missing."""
        name = self._names.get(artifact.path)
        if name is None:
            source = self._run_dir / artifact.path
            if not source.is_file():
                item.parameters.append(Parameter(name="missing evidence", value=artifact.path))
                return
            name = f"{uuid4()}-attachment{PurePosixPath(artifact.path).suffix}"
            allure_commons.plugin_manager.hook.report_attached_file(source=str(source), file_name=name)
            self._names[artifact.path] = name
        item.attachments.append(
            Attachment(name=artifact.caption or artifact.kind, source=name, type=artifact.media_type)
        )


def status_of(attempt: Attempt) -> str | None:
    """Allure's status for a verdict; None leaves what pytest's outcome gave. What `--apex-fail-on` left out, and what a
    test expects to fail, is skipped."""
    verdict = attempt.verdict
    if verdict.outcome in (Outcome.PASS, Outcome.NOT_RUN) or attempt.outcome in ("passed", "skipped"):
        return None
    if attempt.outcome == "xfailed":
        return str(Status.SKIPPED)
    return str(Status.FAILED if verdict.category in _DEFECTS else Status.BROKEN)


def set_verdict(result: TestResult, attempt: Attempt, earlier: Sequence[Attempt]) -> None:
    """Status, message and labels. A pass after an attempt that failed is marked flaky."""
    status = status_of(attempt)
    if status is not None:
        details = result.statusDetails or StatusDetails()
        details.message = message_of(attempt, details.message or "")
        result.status, result.statusDetails = status, details
    elif earlier and attempt.outcome == "passed":
        result.statusDetails = result.statusDetails or StatusDetails()
        result.statusDetails.flaky = True
        result.statusDetails.message = "\n".join(
            (f"passed at attempt {attempt.n}", *(f"attempt {one.n}: {one.verdict}" for one in earlier))
        )
    result.labels.extend(Label(name=name, value=value) for name, value in properties(attempt))


def message_of(attempt: Attempt, original: str) -> str:
    """What a failing result begins with: `[functional.no_effect] ` and the reason, then why, then the test's own
    error."""
    verdict = attempt.verdict
    left_out = attempt.facts.get(LEFT_OUT, "")
    lines = [
        f"{verdict.prefix}{verdict.reason}".rstrip(),
        *verdict.why,
        f"try: {verdict.cure}" if verdict.cure else "",
        SUSPECT_LINE if verdict.suspect else "",
        f"not judged: left out by --apex-fail-on ({left_out})" if left_out else "",
    ]
    said = "\n".join(line for line in lines if line)
    return f"{said}\n\n{original}".strip() if original and original not in said else said


def set_device(result: TestResult, attempt: Attempt, earlier: Sequence[Attempt]) -> None:
    """The device as a parameter, and in the history: one test on two devices is two stories. A test that is run again
    on another device goes on with the story it began: Allure 2 reads the history id, Allure 3 makes its own of the
    parameters."""
    if not attempt.device or any(parameter.name == "device" for parameter in result.parameters):
        return
    first = earlier[0].device if earlier else attempt.device
    if first == attempt.device:
        result.parameters.append(Parameter(name="device", value=first))
    else:
        result.parameters.append(Parameter(name="device", value=first, mode="hidden"))
        result.parameters.append(Parameter(name="ran on", value=attempt.device, excluded=True))
    if result.historyId:
        result.historyId = hashlib.md5(f"{result.historyId}/{first}".encode(), usedforsecurity=False).hexdigest()


def step_result(step: Step) -> TestStepResult:
    """A step as Allure shows it, with the host's times."""
    began, ended = step.wall or (0.0, 0.0)
    named = (
        ("target", str(step.target) if step.target is not None else ""),
        ("purpose", step.purpose),
        ("expected_outcome", step.expected_outcome),
        ("change", str(step.change) if step.change is not None else ""),
        ("source", str(step.source) if step.source is not None else ""),
    )
    return TestStepResult(
        id=step.id,
        name=f"{step.id} {step.named or step.verb}",
        status=_status_of_step(step),
        statusDetails=StatusDetails(message=step.note) if step.note else None,
        stage="finished",
        parameters=[Parameter(name=name, value=value) for name, value in named if value],
        start=round(began * 1000),
        stop=round(ended * 1000),
    )


def _status_of_step(step: Step) -> str:
    outcomes = {check.outcome for check in step.checks}
    if Outcome.FAIL in outcomes:
        return str(Status.FAILED)
    return str(Status.BROKEN if Outcome.UNSURE in outcomes else Status.PASSED)


def _put(steps: list[TestStepResult], shown: TestStepResult) -> None:
    """Among `steps` in order of time; inside the test's own `allure.step` that was open meanwhile."""
    around = next((step for step in steps if not step.id and _encloses(step, shown)), None)
    while around is not None:
        steps = around.steps
        around = next((step for step in steps if not step.id and _encloses(step, shown)), None)
    steps.append(shown)
    steps.sort(key=lambda step: step.start or 0)


def _encloses(step: TestStepResult, shown: TestStepResult) -> bool:
    return bool(step.start and step.stop and step.start <= shown.start and shown.stop <= step.stop)
