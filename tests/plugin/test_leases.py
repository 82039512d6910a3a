"""A device that a backend knows by name: there before the first test, or said so once; and one process's at a time."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable

import pytest

from pytest_apex.leases import lease
from pytest_apex.leases.lease import Lease

Project = Callable[..., pytest.RunResult]

#: Phones of a lab: the built-in one, by names that only `lab:one` and `lab:two` have.
CONFTEST = """
    from pytest_apex.backends import virtual
    from pytest_apex.backends.base import BackendSpec
    from pytest_apex.errors import ConfigError

    def pytest_apex_backends(config):
        return BackendSpec("lab", "conftest:connect", claims=("lab",), identify="conftest:names")

    def connect(spec, settings):
        return virtual.connect("virtual:app.yaml", settings)

    def names(spec, settings):
        if spec not in ("lab:one", "lab:two"):
            raise ConfigError(f"the phone {spec} is not connected", cure="plug it in")
        return (spec, "boot of " + spec)
"""
#: Two tests that must never overlap: each leaves a file behind while it runs.
TESTS = """
    import pathlib, time
    import pytest

    @pytest.mark.parametrize("n", range(4))
    def test_it(device, n):
        busy = pathlib.Path("busy")
        busy.touch(exist_ok=False)
        time.sleep(0.1)
        busy.unlink()
"""
UNIT = "    def test_unit(): pass\n"


@pytest.fixture(autouse=True)
def _own_folder(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path_factory.mktemp("leases")
    monkeypatch.setattr(lease, "lease_folder", lambda: folder)
    monkeypatch.setenv("TMPDIR", str(folder))  # of workers, which are processes of their own


@pytest.fixture
def lab(small: Project) -> Project:
    def run(tests: str, *arguments: str, plugins: tuple[str, ...] = ()) -> pytest.RunResult:
        return small({"conftest.py": CONFTEST, "test_it.py": tests}, *arguments, plugins=plugins)

    return run


def refused(result: pytest.RunResult) -> str:
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert " passed" not in result.stdout.str()
    return result.stderr.str()


def test_a_phone_that_is_not_there_is_one_usage_error_before_the_first_test(lab: Project) -> None:
    text = refused(lab(TESTS + UNIT, "--device=lab:none"))
    assert text.splitlines()[0] == "ERROR: apex: the phone lab:none is not connected"


def test_unit_tests_do_not_ask_whether_it_is_there(lab: Project) -> None:
    lab(TESTS + UNIT, "--device=lab:none", "-k", "unit").assert_outcomes(passed=1, deselected=4)


def test_under_xdist_who_names_it_on_the_command_line_is_told_at_once(lab: Project) -> None:
    text = refused(lab(TESTS + UNIT, "--device=lab:none,lab:one", "-n2", plugins=("xdist",)))
    assert text.count("is not connected") == 1


def test_under_xdist_another_one_is_left_to_the_tests_that_use_it(
    lab: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("APEX_DEVICE", "lab:none")
    result = lab(TESTS + UNIT, "-n2", plugins=("xdist",))
    result.assert_outcomes(passed=1, errors=4)
    assert result.ret == pytest.ExitCode.USAGE_ERROR


@pytest.mark.parametrize("name", ["lab:one", "boot of lab:one"])
def test_a_phone_that_another_run_has_is_one_usage_error_that_names_it(lab: Project, name: str) -> None:
    other = Lease([name])
    other.take(0)
    text = refused(lab(TESTS, "--device=lab:one", "--apex-launch-timeout=0.5"))
    assert text.startswith("ERROR: apex: the device lab:one is in use")
    assert f"by process {os.getpid()}" in text
    lab(TESTS, "--device=lab:two").assert_outcomes(passed=4)
    other.release()
    lab(TESTS, "--device=lab:one").assert_outcomes(passed=4)


def test_a_phone_that_comes_free_is_had_and_who_waits_is_told(lab: Project) -> None:
    other = Lease(["lab:one"])
    other.take(0)
    timer = threading.Timer(1.3, other.release)
    timer.start()
    result = lab(TESTS, "--device=lab:one")
    timer.join()
    result.assert_outcomes(passed=4)
    assert "apex: waiting for the device lab:one, which is in use by process" in result.stdout.str()


def test_it_is_free_after_the_run_also_of_one_that_failed_to_connect(lab: Project) -> None:
    lab(TESTS, "--device=lab:one").assert_outcomes(passed=4)
    Lease(["lab:one"]).take(0)


def test_processes_that_are_more_than_the_phones_share_them_test_by_test(lab: Project) -> None:
    lab(TESTS, "--device=lab:one", "-n3", plugins=("xdist",)).assert_outcomes(passed=4)
