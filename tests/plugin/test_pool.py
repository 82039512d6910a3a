"""Several devices: a pool in which each test goes to one that fits, or each test on each device."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pytest_apex.testing import results_of

Project = Callable[..., pytest.RunResult]

BOTH = "--device=virtual,virtual?platform=ios"
TESTS = """
import pytest

@pytest.mark.platforms("ios")
def test_on_ios(device):
    assert device.info.platform == "ios"

def test_on_any(device):
    device.tap("Go")

@pytest.mark.platforms("watchos")
def test_on_a_watch(device):
    pass
"""


def ran(pytester: pytest.Pytester) -> dict[str, tuple[str, str]]:
    """Outcome and device of each test."""
    return {
        record["test"].rpartition("::")[2]: (record["outcome"], record["device"])
        for record in results_of(pytester.path)
    }


def test_a_test_goes_to_a_device_that_fits(small: Project, pytester: pytest.Pytester) -> None:
    result = small(TESTS, BOTH, "-rs")
    result.assert_outcomes(passed=2, skipped=1)
    told = ran(pytester)
    assert told["test_on_ios"] == ("passed", "virtual?platform=ios")
    assert told["test_on_any"] == ("passed", "virtual")
    reason = "needs watchos; virtual is android; needs watchos; virtual?platform=ios is ios"
    assert reason in result.stdout.str()


def test_in_each_process_too(small: Project, pytester: pytest.Pytester) -> None:
    small(TESTS, BOTH, "-n2", plugins=("xdist",)).assert_outcomes(passed=2, skipped=1)
    assert ran(pytester)["test_on_ios"] == ("passed", "virtual?platform=ios")


def test_with_one_device_it_is_skipped(small: Project) -> None:
    result = small(TESTS, "-rs")
    result.assert_outcomes(passed=1, skipped=2)
    assert "needs ios; virtual is android" in result.stdout.str()


@pytest.mark.parametrize("workers", [(), ("-n2",)], ids=["alone", "two workers"])
def test_each_test_on_each_device(small: Project, pytester: pytest.Pytester, workers: tuple[str, ...]) -> None:
    result = small(TESTS, BOTH, "--apex-each-device", *workers, plugins=("xdist",) if workers else ())
    result.assert_outcomes(passed=3, skipped=3)
    told = ran(pytester)
    assert told["test_on_any[virtual]"] == ("passed", "virtual")
    assert told["test_on_any[virtual?platform=ios]"] == ("passed", "virtual?platform=ios")
    assert told["test_on_ios[virtual]"][0] == "skipped"
    assert told["test_on_ios[virtual?platform=ios]"][0] == "passed"
    assert "in use: each process uses one" not in result.stdout.str()


def test_a_lost_device_has_no_deputy_there(small: Project, pytester: pytest.Pytester) -> None:
    goes = "".join(f"def test_{name}(device):\n    device.tap('Go')\n    device.find('Done').text\n" for name in "ab")
    small(goes, "--device=virtual?fault=device_lost,virtual", "--apex-each-device").assert_outcomes(
        passed=2, failed=1, errors=1
    )
    assert {device for outcome, device in ran(pytester).values() if outcome == "passed"} == {"virtual"}


def test_other_tests_and_other_ways_to_a_device_run_once(small: Project) -> None:
    conftest = """
    import pytest

    @pytest.fixture(scope="session")
    def apex_backend(apex_backend):
        return apex_backend
    """
    files = {"test_it.py": "def test_it(device):\n    pass\n\ndef test_unit():\n    pass\n", "conftest.py": conftest}
    small(files, BOTH, "--apex-each-device").assert_outcomes(passed=2)
    small({**files, "conftest.py": ""}, BOTH, "--apex-each-device").assert_outcomes(passed=3)


def test_the_ini_file_says_it_as_well(small: Project) -> None:
    ini = "[pytest]\napex_app = com.example.small\napex_device = virtual,virtual?seed=2\napex_each_device = {}\n"
    test = "def test_it(device):\n    pass\n"
    small({"test_it.py": test, "pytest.ini": ini.format("on")}).assert_outcomes(passed=2)
    small({"test_it.py": test, "pytest.ini": ini.format("off")}).assert_outcomes(passed=1)
    assert small({"test_it.py": test, "pytest.ini": ini.format("x")}).ret == pytest.ExitCode.USAGE_ERROR
