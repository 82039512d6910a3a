"""No device given: one message and exit code 4, or skips with one reason; unit tests never notice."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Project = Callable[..., pytest.RunResult]

UNITS = "import pytest\n\n@pytest.mark.parametrize('n', range(50))\ndef test_unit(n): pass\n"
DEVICES = "import pytest\n\n@pytest.mark.parametrize('n', range(5))\ndef test_device(device, n): pass\n"
FILES = {"test_units.py": UNITS, "test_devices.py": DEVICES}


def test_default_is_one_usage_error_before_the_first_test(project: Project) -> None:
    result = project(FILES)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    text = result.stderr.str()
    assert text.splitlines()[0] == "ERROR: apex: 5 selected tests use a device, and no device was given"
    assert "--device=virtual runs on the built-in phone" in text
    assert 'leave them out: -m "not apex", or apex_no_device = skip' in text
    assert "passed" not in result.stdout.str()


def test_left_out_by_the_marker(project: Project) -> None:
    project(FILES, "-m", "not apex").assert_outcomes(passed=50, deselected=5)


def test_only_selected_tests_count(project: Project) -> None:
    project(FILES, "-k", "unit").assert_outcomes(passed=50, deselected=5)
    assert "1 selected test uses a device" in project(FILES, "-k", "device and 3").stderr.str()


def test_skip_gives_one_reason(project: Project) -> None:
    result = project({**FILES, "pytest.ini": "[pytest]\napex_no_device = skip\n"}, "-rs")
    result.assert_outcomes(passed=50, skipped=5)
    skips = [line for line in result.outlines if line.startswith("SKIPPED")]
    assert len(skips) == 1
    assert "[5]" in skips[0]
    assert "no device was given: --device=virtual runs on the built-in phone" in skips[0]


def test_collecting_needs_no_device(project: Project) -> None:
    assert project(FILES, "--collect-only").ret == 0
    assert project(FILES, "--setup-plan").ret == 0


def test_under_xdist_each_fails_in_short_the_whole_is_said_once_and_the_code_is_4(project: Project) -> None:
    result = project(FILES, "-n2", plugins=("xdist",))
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.assert_outcomes(passed=50, errors=5)
    text = result.stdout.str()
    assert result.outlines.count("no device was given: --device=virtual runs on the built-in phone") == 5
    assert text.count('or leave them out: -m "not apex", or apex_no_device = skip') == 1
    assert "Traceback" not in text


def test_under_xdist_skip(project: Project) -> None:
    result = project(FILES, "-n2", "-o", "apex_no_device=skip", plugins=("xdist",))
    result.assert_outcomes(passed=50, skipped=5)


@pytest.mark.parametrize(("how", "outcome"), [("skip", {"skipped": 1}), ("error", {"failed": 1})])
def test_asked_for_while_the_test_runs(project: Project, how: str, outcome: dict[str, int]) -> None:
    files = {"test_a.py": "def test_late(request):\n    request.getfixturevalue('device')\n"}
    result = project(files, f"--apex-no-device={how}")
    result.assert_outcomes(**outcome)
    assert result.ret == (0 if how == "skip" else 4)


def test_nothing_is_written(pytester: pytest.Pytester, project: Project) -> None:
    project(FILES)
    project(FILES, "-o", "apex_no_device=skip")
    assert not (pytester.path / ".apex").exists()


@pytest.mark.parametrize("option", ["--device=", "--apex-device=", "--apex-device= "])
def test_an_empty_device_lists_what_there_is_and_ends(project: Project, option: str) -> None:
    result = project(FILES, option)
    assert result.ret == pytest.ExitCode.NO_TESTS_COLLECTED  # a typing mistake in a script is never green
    result.stdout.fnmatch_lines(["apex: *virtual*"])
    assert "passed" not in result.stdout.str()


def test_a_suite_with_its_own_backend_needs_none(project: Project) -> None:
    own = "import pytest\n\n@pytest.fixture(scope='session')\ndef apex_backend():\n    pytest.skip('own backend')\n"
    project({"conftest.py": own, "test_devices.py": DEVICES}).assert_outcomes(skipped=5)
