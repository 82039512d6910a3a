"""Hooks for others. A conftest or plugin implements them like any pytest hook; a misspelt name stops the run.

A pack that should also load without pytest-apex marks its functions `@pytest.hookimpl(optionalhook=True)`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pytest_apex.backends.base import BackendSpec
    from pytest_apex.model.geometry import Rect
    from pytest_apex.model.snapshot import Snapshot
    from pytest_apex.model.step import Step
    from pytest_apex.reports.base import Sink
    from pytest_apex.verify.checks import Check


@pytest.hookspec
def pytest_apex_backends(config: pytest.Config) -> Iterable[BackendSpec]:
    """Offer new kinds of devices.

    Called once a process, before the first device is connected. All answers count; of two backends with one name the
    one registered last wins, so that a project can replace ours. `factory` is text and is imported when a device is
    connected; the callable takes one entry of `--device` and the `Settings`. Prove a backend by subclassing
    `pytest_apex.testing.BackendContract`.

    :param config: pytest's configuration.
    :return: one `BackendSpec` for each kind of device.

    Example, in a conftest or plugin::

        from pytest_apex.backends.base import BackendSpec


        def pytest_apex_backends(config):
            return [
                BackendSpec(
                    name="desk",
                    factory="desk_robot.backend:connect",
                    claims=("desk",),  # --device=desk:left is surely ours
                    extra="desk-robot",
                )
            ]
    """
    raise NotImplementedError


@pytest.hookspec
def pytest_apex_checks(config: pytest.Config) -> Iterable[Check]:
    """Offer new visual or structural checks for `expect(device.screen).to_have_no_defects()`.

    Called for each test that uses a device, so that a check in a folder's conftest holds for the tests of that folder
    only. All answers count; each check runs beside the built-in ones. A check that raises is reported as unsure, with
    its error.

    :param config: pytest's configuration.
    :return: objects with `name`, `claim`, `kind`, `applies(snapshot)` and `run(snapshot)`.

    Example, in a conftest or plugin::

        from pytest_apex import Finding, Outcome
        from pytest_apex.model.verdict import CheckResult


        class NoBeta:
            name, claim, kind = "beta", "no text says beta", "visual.beta"
            applies = staticmethod(lambda snapshot: True)

            def run(self, snapshot):
                bad = [str(node) for node in snapshot.nodes if "(beta)" in node.text.lower()]
                found = tuple(Finding("beta", self.kind, f"{node} says beta", nodes=(node,)) for node in bad)
                return CheckResult(self.name, self.claim, Outcome.FAIL if found else Outcome.PASS, found)


        def pytest_apex_checks(config):
            return [NoBeta()]
    """
    raise NotImplementedError


@pytest.hookspec
def pytest_apex_sinks(config: pytest.Config) -> Iterable[Sink]:
    """Offer new reports.

    Called once in every process, before its first device test. Under pytest-xdist each worker tells its reports of
    the steps and attempts that it runs; the controller's are only opened and closed. All answers count. A report that
    raises is left out from then on and named at the end of the run; it never fails a test.

    :param config: pytest's configuration.
    :return: objects with `open(run)`, `step(attempt_key, step)`, `attempt(attempt, steps)` and `close()`.

    Example, in a conftest or plugin::

        import os
        from pathlib import Path


        class Ticker:
            def open(self, run):
                self.path = Path(run.folder, f"ticker-{os.getpid()}.txt")

            def step(self, attempt_key, step):
                with self.path.open("a", encoding="utf-8") as file:
                    print(attempt_key, step, file=file)

            def attempt(self, attempt, steps):
                print(attempt.test, attempt.verdict, len(steps))

            def close(self):
                pass


        def pytest_apex_sinks(config):
            return [Ticker()]
    """
    raise NotImplementedError


@pytest.hookspec
def pytest_apex_manual_dirs(config: pytest.Config) -> Iterable[str]:
    """Offer app manuals that an installed package brings along.

    Called once a process, when its first device test needs manuals. All answers count, sorted. A project's own
    `manuals/` and `--apex-manuals` go before them, file by file. Only what is named is read: no other folder of a
    package, nothing outside of it. A package that needs no code for this declares an entry point in the group
    `pytest_apex.manuals` instead, such as `shop = "acme_shop:manuals"`.

    :param config: pytest's configuration.
    :return: `package:folder` for each, the import name of a package and a folder in it.

    Example, in a conftest or plugin::

        def pytest_apex_manual_dirs(config):
            return ["acme_shop:manuals", "acme_bank:data/manuals"]
    """
    raise NotImplementedError


@pytest.hookspec
def pytest_apex_step_started(item: pytest.Item, step_id: str) -> None:
    """Watch: a step is about to act. Its `intent` is on disk; nothing was sent yet.

    Called before each act. Nothing is returned. An error that is raised here fails the test, as any other error in
    it.

    :param item: the test.
    :param step_id: the step's id, such as `step-007`.

    Example, in a conftest or plugin::

        import time


        started = {}


        def pytest_apex_step_started(item, step_id):
            started[item.nodeid, step_id] = time.monotonic()
    """


@pytest.hookspec
def pytest_apex_step_finished(item: pytest.Item, step: Step) -> None:
    """Watch: a step is over, its `done` line is on disk.

    Called after each act, also after one that failed its check. Nothing is returned. An error that is raised here
    fails the test, as any other error in it.

    :param item: the test.
    :param step: what was done, and what was seen before and after.

    Example, in a conftest or plugin::

        slow = []


        def pytest_apex_step_finished(item, step):
            if step.took_ms > 2000:
                slow.append(f"{item.nodeid} {step}: {step.took_ms:.0f} ms")


        def pytest_terminal_summary(terminalreporter):
            for line in slow:
                terminalreporter.write_line(line)
    """


@pytest.hookspec
def pytest_apex_redact(snapshot: Snapshot) -> Sequence[Rect] | None:
    """Hide private pixels before anything is stored.

    Called for each capture that is kept. All answers count: every rectangle of every answer is blacked out, besides
    password fields and the values of `apex_redact`. Rectangles are in the units of the tree. A hook that raises keeps
    the picture from being stored.

    :param snapshot: the capture, with its tree.
    :return: rectangles to black out, or None.

    Example, in a conftest or plugin::

        def pytest_apex_redact(snapshot):
            return [
                node.bounds
                for node in snapshot.nodes
                if node.role == "image" and node.identifier.endswith("/avatar")
            ]
    """
    raise NotImplementedError
