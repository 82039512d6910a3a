"""Several reports as one."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_apex.model.run import RunInfo
from pytest_apex.model.step import Step
from pytest_apex.model.verdict import Attempt
from pytest_apex.reports.base import Sink, Sinks


class Told:
    def __init__(self, breaks_at: str = "") -> None:
        self.calls: list[str] = []
        self._breaks_at = breaks_at

    def _note(self, call: str) -> None:
        self.calls.append(call)
        if call == self._breaks_at:
            raise ZeroDivisionError("oh")

    def open(self, run: RunInfo) -> None:
        self._note("open")

    def step(self, attempt_key: str, step: Step) -> None:
        self._note(f"step {attempt_key} {step.id}")

    def attempt(self, attempt: Attempt, steps: Sequence[Step]) -> None:
        self._note(f"attempt {attempt.n} {len(steps)}")

    def close(self) -> None:
        self._note("close")


def everything(sinks: Sinks, run: RunInfo, attempt: Attempt) -> None:
    step = Step("step-001", "tap", "tap")
    sinks.open(run)
    sinks.step("t#1", step)
    sinks.attempt(attempt, [step])
    sinks.close()


def test_all_reports_are_told_everything(run_info, attempt) -> None:
    reports = [Told(), Told()]
    everything(Sinks(reports, print), run_info, attempt())
    assert reports[0].calls == reports[1].calls == ["open", "step t#1 step-001", "attempt 1 1", "close"]
    assert isinstance(reports[0], Sink)


def test_a_broken_report_is_told_of_once_and_left_out(run_info, attempt) -> None:
    broken, sound = Told(breaks_at="step t#1 step-001"), Told()
    said: list[str] = []
    everything(Sinks([broken, sound], said.append), run_info, attempt())
    assert said == ["the report Told broke and is left out: ZeroDivisionError: oh"]
    assert broken.calls == ["open", "step t#1 step-001"]
    assert len(sound.calls) == 4
