"""What a report has to be able to do, and the group that feeds several of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, runtime_checkable

from pytest_apex.model.run import RunInfo
from pytest_apex.model.step import Step
from pytest_apex.model.verdict import Attempt


@runtime_checkable
class Sink(Protocol):
    """A report. It is told of the run, each step as it is done, each attempt when its verdict is made, and the end."""

    def open(self, run: RunInfo) -> None:
        """The run begins, or more of it is known (its devices): may be called again."""

    def step(self, attempt_key: str, step: Step) -> None:
        """A step is done. `attempt_key` names its attempt, as `attempt_key()` does. Its texts and pictures may hold
        secrets still: what is written of it must pass a `Redactor`."""

    def attempt(self, attempt: Attempt, steps: Sequence[Step]) -> None:
        """An attempt is over. Everything in it is free of secrets; `steps` are the last ones, with their evidence."""

    def close(self) -> None:
        """The run is over."""


def attempt_key(test: str, n: int) -> str:
    """The name of an attempt: `tests/test_notes.py::test_save#1`."""
    return f"{test}#{n}"


class Sinks:
    """Several reports as one. One that breaks is told of once, through `warn`, and left out from then on: a report
    never fails a test."""

    def __init__(self, sinks: Sequence[Sink], warn: Callable[[str], None]) -> None:
        self._sinks = list(sinks)
        self._warn = warn

    def open(self, run: RunInfo) -> None:
        self._each(lambda sink: sink.open(run))

    def step(self, attempt_key: str, step: Step) -> None:
        self._each(lambda sink: sink.step(attempt_key, step))

    def attempt(self, attempt: Attempt, steps: Sequence[Step]) -> None:
        self._each(lambda sink: sink.attempt(attempt, steps))

    def close(self) -> None:
        self._each(lambda sink: sink.close())

    def _each(self, tell: Callable[[Sink], None]) -> None:
        for sink in tuple(self._sinks):
            self._tell(sink, tell)

    def _tell(self, sink: Sink, tell: Callable[[Sink], None]) -> None:
        try:
            tell(sink)
        except Exception as error:  # noqa: BLE001 - a report may be anybody's, and may fail in any way
            self._sinks.remove(sink)
            self._warn(f"the report {type(sink).__name__} broke and is left out: {type(error).__name__}: {error}")
