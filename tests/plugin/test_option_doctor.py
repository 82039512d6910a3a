"""`--apex-doctor`: what is checked, that no test runs, and how it ends."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Project = Callable[..., pytest.RunResult]
FAILS = {"test_a.py": "def test_a(device): raise RuntimeError('it ran')\n"}


def test_without_adb_it_says_what_to_do_and_runs_nothing(project: Project) -> None:
    result = project(FAILS, "--apex-doctor")
    text = result.stdout.str()
    assert result.ret == 1
    assert text.startswith("this machine\n  ok     adb: ")
    assert "  WRONG  adb server: adb's server does not run" in text
    assert "         try: start it there" in text
    assert "it ran" not in text + result.stderr.str()


@pytest.mark.parametrize("device", ["virtual", "virtual?seed=7"])
def test_the_built_in_phone_needs_no_adb(project: Project, device: str) -> None:
    result = project(FAILS, "--apex-doctor", f"--device={device}")
    assert (result.ret, result.outlines) == (0, [device, "  ok     backend: virtual"])


def test_the_devices_of_the_ini_file_are_checked(project: Project) -> None:
    result = project({**FAILS, "pytest.ini": "[pytest]\napex_device = all\n"}, "--apex-doctor")
    assert result.ret == 1
    assert "adb's server does not run" in result.stdout.str()


def test_a_wrong_port_is_a_wrong_setting(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", "abc")
    result = project(FAILS, "--apex-doctor")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "ANDROID_ADB_SERVER_PORT is no port" in result.stderr.str()
    assert "Traceback" not in result.stderr.str()


def test_nothing_is_left_behind(project: Project, pytester: pytest.Pytester) -> None:
    project(FAILS, "--apex-doctor", "--device=virtual")
    assert not (pytester.path / ".apex").exists()


@pytest.mark.parametrize(
    ("device", "told"),
    [("00008110-0011223344556677", ["*port of WebDriverAgent*"]), ("R58M123ABC", [])],
)
def test_behind_appium_its_server_is_checked_and_no_adb(project: Project, device: str, told: list[str]) -> None:
    result = project(
        {}, "--apex-doctor", f"--device={device}", "--apex-backend=appium", "--appium-url=http://127.0.0.1:1"
    )
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["*WRONG  Appium server: there is no Appium server at http://127.0.0.1:1*", *told])
    result.stdout.no_fnmatch_line("*adb*")
