"""Where a value comes from: marker > command line > environment > ini file > default, and how the head says so."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

Project = Callable[..., pytest.RunResult]

#: Prints the settings that a test sees, without a device.
SHOWS = """
    import json
    from pytest_apex.plugin.markers import settings_for

    def test_shows(apex_settings, request, capsys):
        seen = settings_for(apex_settings, request.node)
        with capsys.disabled():
            print("SEEN", json.dumps({
                "specs": seen.devices.specs, "keep": seen.keep.policy, "seed": seen.touch.seed,
                "check": seen.timeouts.check, "load": seen.timeouts.load, "args": seen.app.args,
                "env": dict(seen.app.env), "fail_on": sorted(seen.judging.fail_on), "repeat": seen.touch.repeat,
                "app": seen.app.id, "humanize": seen.touch.humanize, "origins": dict(seen.origins),
                "artifacts": seen.keep.artifacts, "appium": seen.devices.appium_url,
            }))
"""


def seen(result: pytest.RunResult) -> dict[str, object]:
    assert result.ret == 0, result.stdout.str() + result.stderr.str()
    line = next(line for line in result.outlines if "SEEN" in line)
    found: dict[str, object] = json.loads(line[line.index("SEEN") + 5 :].rstrip("."))
    return found


def test_default(project: Project) -> None:
    shown = seen(project({"test_a.py": SHOWS}))
    assert (shown["keep"], shown["check"], shown["specs"]) == ("failed", 5.0, [])
    assert shown["origins"] == {"seed": "random"}


def test_the_address_of_appium(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    assert seen(project({"test_a.py": SHOWS}))["appium"] == "http://127.0.0.1:4723"
    monkeypatch.setenv("APPIUM_URL", "http://127.0.0.1:4799")
    shown = seen(project({"test_a.py": SHOWS}))
    assert (shown["appium"], shown["origins"]["appium_url"]) == ("http://127.0.0.1:4799", "APPIUM_URL")  # type: ignore[index]
    assert seen(project({"test_a.py": SHOWS}, "--appium-url=http://x:1"))["appium"] == "http://x:1"


def test_command_line_before_environment_before_ini(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {"test_a.py": SHOWS, "pytest.ini": "[pytest]\napex_seed = 1\napex_device = virtual\n"}
    shown = seen(project(files))
    assert (shown["seed"], shown["origins"]["seed"]) == (1, "pytest.ini")  # type: ignore[index]
    monkeypatch.setenv("APEX_SEED", "2")
    shown = seen(project(files))
    assert (shown["seed"], shown["origins"]["seed"]) == (2, "APEX_SEED")  # type: ignore[index]
    shown = seen(project(files, "--apex-seed=3"))
    assert (shown["seed"], shown["origins"]["seed"]) == (3, "command line")  # type: ignore[index]


def test_an_ini_value_given_on_the_command_line(project: Project) -> None:
    files = {"test_a.py": SHOWS, "pytest.ini": "[pytest]\napex_seed = 1\napex_device = virtual\n"}
    result = project(files, "-o", "apex_seed=7")
    shown = seen(result)
    assert (shown["seed"], shown["origins"]["seed"]) == (7, "command line")  # type: ignore[index]
    assert shown["origins"]["device"] == "pytest.ini"  # type: ignore[index]
    assert "seed=7 (command line)" in result.stdout.str()
    wrong = project(files, "-o", "apex_seed=many")
    assert "-o apex_seed=many (command line): expected a whole number" in wrong.stderr.str()


def test_marker_before_all(project: Project) -> None:
    marks = 'import pytest\n    pytestmark = [pytest.mark.app("com.example.marked"), pytest.mark.humanize(False)]\n'
    shown = seen(project({"test_a.py": f"    {marks}{SHOWS}"}, "--apex-app=com.example.line", "--apex-humanize=calm"))
    assert (shown["app"], shown["humanize"]) == ("com.example.marked", "off")
    assert shown["origins"]["app"] == "marker"  # type: ignore[index]


def test_serial_of_android_comes_last(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANDROID_SERIAL", "emulator-5554")
    monkeypatch.setenv("APEX_DEVICE", "virtual?seed=1, virtual")
    shown = seen(project({"test_a.py": SHOWS}))
    assert (shown["specs"], shown["origins"]["device"]) == (["virtual?seed=1", "virtual"], "APEX_DEVICE")  # type: ignore[index]


def test_device_is_repeatable_and_comma_separated(project: Project) -> None:
    shown = seen(project({"test_a.py": SHOWS}, "--device=virtual,virtual?seed=2", "--apex-device=virtual?seed=3"))
    assert shown["specs"] == ["virtual", "virtual?seed=2", "virtual?seed=3"]


@pytest.mark.parametrize(
    "table",
    [
        '[tool.pytest]\napex_seed = 7\napex_app_args = "--reset, --demo"\napex_app_env = ["MODE=a,b"]\n'
        'apex_timeout = 2.5\napex_repeat_touch = false\napex_fail_on = "functional,crash"\n',
        '[tool.pytest]\napex_seed = "7"\napex_app_args = ["--reset", "--demo"]\napex_app_env = "MODE=a"\n'
        'apex_timeout = 3\napex_repeat_touch = "off"\napex_fail_on = ["functional", "crash"]\n',
        '[tool.pytest.ini_options]\napex_seed = 7\napex_app_args = "--reset, --demo"\napex_app_env = ["MODE=a,b"]\n'
        'apex_timeout = 2.5\napex_repeat_touch = false\napex_fail_on = "functional,crash"\n',
        '[tool.pytest.ini_options]\napex_seed = "7"\napex_app_args = ["--reset", "--demo"]\napex_app_env = "MODE=a"\n'
        'apex_timeout = 3\napex_repeat_touch = "off"\napex_fail_on = ["functional", "crash"]\n',
    ],
    ids=["native", "native-text", "ini-options", "ini-options-text"],
)
def test_both_tables_and_both_kinds_of_values(project: Project, table: str) -> None:
    shown = seen(project({"test_a.py": SHOWS, "pyproject.toml": table}))
    assert shown["seed"] == 7
    assert shown["args"] == ["--reset", "--demo"]
    assert shown["env"] in ({"MODE": "a,b"}, {"MODE": "a"})
    assert shown["check"] in (2.5, 3.0)
    assert shown["repeat"] is False
    assert shown["fail_on"] == ["crash", "functional"]
    assert shown["origins"]["timeout"] == "pyproject.toml"  # type: ignore[index]


def test_slow_multiplies_the_time_outs(project: Project) -> None:
    shown = seen(project({"test_a.py": SHOWS}, "--apex-slow=2", "--apex-timeout=3"))
    assert (shown["check"], shown["load"]) == (6.0, 40.0)


def test_relative_paths_count_from_where_they_are_written(pytester: pytest.Pytester, project: Project) -> None:
    files = {"test_a.py": SHOWS, "deep/test_b.py": SHOWS, "pytest.ini": "[pytest]\napex_artifacts = out\n"}
    project(files)
    (pytester.path / "deep").joinpath("pytest.ini").unlink(missing_ok=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(pytester.path / "deep")
        assert seen(project({}, "test_b.py"))["artifacts"] == str(pytester.path / "out")
        assert seen(project({}, "test_b.py", "--apex-artifacts=out"))["artifacts"] == str(pytester.path / "deep/out")


def test_head_says_what_is_not_default_and_why(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("APEX_SEED", "1234")
    result = project(
        {"test_a.py": "def test_a(): pass", "pytest.ini": "[pytest]\napex_redact = hunter2, s3cret\n"},
        "--device=virtual?platform=ios", "--apex-slow=2", "--apex-timeout=3",
    )  # fmt: skip
    head = next(line for line in result.outlines if line.startswith("apex:"))
    assert head.startswith("apex: device=virtual?platform=ios (command line), ")
    for words in ("seed=1234 (APEX_SEED)", "slow=2 (command line)", "timeout=3 (command line)"):
        assert words in head
    assert "redact=2 values (pytest.ini)" in head
    assert "hunter2" not in result.stdout.str()
    assert "keep" not in head


def test_random_seed_is_printed_and_replayed(project: Project) -> None:
    result = project({"test_a.py": SHOWS})
    number = str(seen(result)["seed"])
    assert f"seed={number} (random)" in result.stdout.str()
    assert seen(project({}, f"--apex-seed={number}"))["seed"] == int(number)
