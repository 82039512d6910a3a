"""Several workers: one seed, one run folder, one list of results, written by the controller."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from pytest_apex.evidence.journal import read_journal
from pytest_apex.testing import last_run, results_of

Project = Callable[..., pytest.RunResult]

TESTS = """
import pytest

@pytest.mark.parametrize("n", range(4))
def test_each(device, apex_settings, apex_lease, n):
    device.tap("Go")
    print(f"SEED={apex_settings.touch.seed} LEASE={apex_lease.device}@{apex_lease.holder}")
    assert device.find("Done").text == "no"
"""


def test_two_workers(small: Project, pytester: pytest.Pytester) -> None:
    result = small(TESTS, "-n2", plugins=("xdist",))
    result.assert_outcomes(failed=4)
    text = result.stdout.str()
    seeds = {word for word in text.split() if word.startswith("SEED=")}
    assert len(seeds) == 1
    assert f"seed={next(iter(seeds)).removeprefix('SEED=')} (random)" in text
    assert "functional" in text
    assert "4 defects of the app" in text
    assert len(list((pytester.path / ".apex" / "runs").iterdir())) == 1
    records = results_of(pytester.path)
    assert {record["test"] for record in records} == {f"test_it.py::test_each[{n}]" for n in range(4)}
    assert {record["kind"] for record in records} == {"functional.assertion"}
    folder = last_run(pytester.path)
    for record in records:
        assert any(line.get("verb") == "tap" for line in read_journal(folder / record["folder"] / "steps.jsonl"))
    assert [device["id"] for device in json.loads((folder / "run.json").read_text("utf-8"))["devices"]] == ["virtual"]


def test_workers_take_the_devices_in_turn(small: Project) -> None:
    result = small(TESTS, "-n2", "--device=virtual,virtual?platform=ios", plugins=("xdist",))
    text = result.stdout.str()
    assert "LEASE=virtual@gw0" in text
    assert "LEASE=virtual?platform=ios@gw1" in text
    assert "devices, " not in text


def test_devices_that_nobody_uses_are_told(small: Project) -> None:
    result = small(TESTS, "--device=virtual,virtual?platform=ios", "-k", "0")
    assert "apex: 2 devices, 1 in use: each process uses one; -n 2 uses all" in result.stdout.str()


def test_a_wrong_device_is_told_once_before_any_worker_begins(small: Project) -> None:
    result = small(TESTS, "-n1", "--device=virtual?fault=gremlins", plugins=("xdist",))
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert (result.stdout.str() + result.stderr.str()).count("unknown fault 'gremlins'") == 1
    assert "Traceback" not in result.stdout.str()
