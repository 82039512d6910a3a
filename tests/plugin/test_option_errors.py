"""A wrong value: one usage error (exit code 4) that names each place and cure, no traceback."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Project = Callable[..., pytest.RunResult]
PLAIN = {"test_a.py": "def test_a(): pass\n"}


def usage_error(result: pytest.RunResult) -> str:
    text = result.stderr.str()
    assert result.ret == pytest.ExitCode.USAGE_ERROR, result.stdout.str() + text
    assert "Traceback" not in text + result.stdout.str()
    assert "INTERNALERROR" not in text + result.stdout.str()
    return text


def test_all_wrong_options_at_once(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("APEX_SEED", "many")
    text = usage_error(
        project({**PLAIN, "pytest.ini": "[pytest]\napex_keep = sometimes\n"}, "--apex-timeout=soon", "--apex-reset=all")
    )
    assert text.splitlines()[0] == "ERROR: apex: 4 settings can't be used"
    assert "  --apex-timeout=soon (command line): expected seconds, a number above 0" in text
    assert "  APEX_SEED=many (APEX_SEED): expected a whole number, 0 or more" in text
    assert "  apex_keep = 'sometimes' (pytest.ini): expected always, failed or never" in text
    assert "  --apex-reset=all (command line): expected off, data or reinstall" in text


@pytest.mark.parametrize(
    "option",
    [
        "--apex-no-device=maybe", "--apex-humanize=wild", "--apex-seed=-1", "--apex-load-timeout=0",
        "--apex-settle-timeout=x", "--apex-launch-timeout=nan", "--apex-slow=0", "--apex-permissions=ask",
        "--apex-repeat-touch=twice", "--apex-fail-on=visual", "--apex-max-unjudged=5", "--apex-keep=all",
    ],
)  # fmt: skip
def test_each_wrong_option_is_told(project: Project, option: str) -> None:
    text = usage_error(project(PLAIN, option))
    assert f"  {option} (command line): " in text


@pytest.mark.parametrize("line", ["apex_watch_defects = loud", "apex_keep_runs = none", "apex_virtual_app = no.yaml",
                                  "apex_app_env = MODE"])  # fmt: skip
def test_each_wrong_ini_value_is_told(project: Project, line: str) -> None:
    text = usage_error(project({**PLAIN, "pytest.ini": f"[pytest]\n{line}\n"}))
    assert f"  {line.split()[0]} = " in text
    assert "(pytest.ini): " in text


def test_all_wrong_variables_of_humanize_once_each(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = {
        "APEX_HUMANIZE_SWIPE_WAYPOINTS": "few",
        "APEX_HUMANIZE_TAP_RADIUS_PX": "-1",
        "APEX_HUMANIZE_RADIUS": "3",
        "APEX_HUMANIZE_ENABLED": "perhaps",
    }
    for name, value in wrong.items():
        monkeypatch.setenv(name, value)
    text = usage_error(project(PLAIN))
    assert text.startswith("ERROR: apex: 4 settings can't be used")
    assert "can't use APEX_HUMANIZE_SWIPE_WAYPOINTS=few for a human hand (environment): not a whole number" in text
    assert text.count("APEX_HUMANIZE_TAP_RADIUS_PX=-1") == 1
    assert "there is no APEX_HUMANIZE_RADIUS (environment): known: " in text
    assert text.count("perhaps") == 1


def test_right_variables_of_humanize(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("APEX_HUMANIZE_SWIPE_WAYPOINTS", "4")
    monkeypatch.setenv("APEX_HUMANIZE_ENABLED", "true")
    project(PLAIN).assert_outcomes(passed=1)


def test_wrong_devices_and_backends_stand_beside_the_others(project: Project) -> None:
    text = usage_error(
        project(PLAIN, "--apex-timeout=soon", "--apex-backend=xcuitest", "--device=virtual?seed=x", "--apex-keep=all")
    )
    for told in ("--apex-timeout=soon", "--apex-keep=all", "there is no backend 'xcuitest'"):
        assert text.count(told) == 1
    text = usage_error(project(PLAIN, "--apex-timeout=soon", "--device=virtual?seed=x"))
    assert "--apex-timeout=soon" in text
    assert "the seed 'x' is not a whole number" in text


def test_patterns_to_mask_that_can_not_be_read(project: Project) -> None:
    files = {**PLAIN, "pytest.ini": "[pytest]\napex_redact = /sk_(/\n  /ok+/\n  /[/\napex_keep = all\n"}
    text = usage_error(project(files))
    assert "apex_redact (pytest.ini): can't read the pattern /sk_(/ in apex_redact: missing )" in text
    assert "can't read the pattern /[/ in apex_redact: unterminated character set" in text
    assert "/ok+/" not in text
    assert "apex_keep = 'all'" in text


def test_two_faults_at_once(project: Project) -> None:
    text = usage_error(project(PLAIN, "--device=virtual?fault=dead_button,lost_touch"))
    assert "can't read the device 'virtual?fault=dead_button,lost_touch'" in text
    assert "one fault is switched on at a time" in text
    assert "backends:" not in text


@pytest.mark.parametrize("device", ["virtual:", "virtual:?fault=anr"])
def test_no_app_file_after_the_colon(project: Project, device: str) -> None:
    assert "no app file after the colon" in usage_error(project(PLAIN, f"--device={device}"))


def test_all_without_adb(project: Project) -> None:
    text = usage_error(project(PLAIN, "--device=all"))
    assert "adb's server does not run" in text
    assert "127.0.0.2:5037" in text


def test_a_device_test_on_a_phone_without_adb(project: Project) -> None:
    result = project({"test_a.py": "def test_a(device): pass\n"}, "--device=emulator-5554")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "adb's server does not run" in result.stderr.str()


def test_unknown_backend(project: Project) -> None:
    text = usage_error(project(PLAIN, "--apex-backend=xcuitest"))
    assert "there is no backend 'xcuitest'" in text
    assert "uiautomator2, virtual" in text


def test_named_folder_that_is_no_run_is_left_alone(pytester: pytest.Pytester, project: Project) -> None:
    kept = pytester.path / "mine" / "tests"
    kept.mkdir(parents=True)
    text = usage_error(project(PLAIN, "--apex-artifacts=mine"))
    assert "mine holds something else than a run" in text
    assert kept.is_dir()


def test_help_and_version_work_in_spite_of_wrong_values(project: Project) -> None:
    assert project({"pytest.ini": "[pytest]\napex_keep = sometimes\n"}, "--help").ret == 0
    assert project({}, "--version").ret == 0


def test_wrong_options_are_told_once_under_xdist(project: Project) -> None:
    text = usage_error(project(PLAIN, "--apex-timeout=soon", "-n2", plugins=("xdist",)))
    assert text.count("--apex-timeout=soon") == 1
