"""The command `pytest-apex`, from outside."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pytest_apex.cli import main
from pytest_apex.model.snapshot import Snapshot

WRONG = "app: com.example.wrong\nname: [1]\nversion: 1\nscreens: 3\nfoo: 1\n"


def apex(*args: str, typed: str = "", cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pytest_apex", *args], input=typed, capture_output=True, text=True, cwd=cwd, check=False
    )


def test_shell_from_a_pipe() -> None:
    typed = 'device.tap("Log in")\nexpect(device.find("Sign in")).to_be_visible()\n1 + 1\nprint(device.app.id)\n'
    done = apex("shell", "--app=com.example.notes", typed=typed)
    assert done.returncode == 0, done.stderr
    assert "TargetDisabled" in done.stderr  # the form is empty
    assert "2\n" in done.stdout
    assert "com.example.notes" in done.stdout
    assert "Traceback" not in done.stderr


def test_shell_shows_a_foreign_error_as_python_does() -> None:
    done = apex("shell", typed="1/0\n")
    assert "ZeroDivisionError" in done.stderr


PIPED = [
    ("1 + 1\n", 0),
    ("1/0\n1 + 1\n", 0),
    ("1 + 1\n1/0\n", 1),
    ("1/0\n\n# the end\n", 1),
    ("def (\n", 1),
    ('device.tap("Nothing")\n', 1),
    ('for name in ("Nothing",):\n    device.tap(name)\n', 1),
    ("for number in (1, 2):\n    number\n", 0),
    ("print(1\n", 1),
    ('expect.soft(device.find("Nothing")).to_be_visible(timeout=1)\n', 1),
    ('expect.soft(device.find("Sign in")).to_be_visible(timeout=1)\n', 0),
]


@pytest.mark.parametrize(("typed", "code"), PIPED)
def test_the_last_command_from_a_pipe_decides(typed: str, code: int) -> None:
    assert apex("shell", "--app=com.example.notes", typed=typed).returncode == code


def test_shell_stops_a_command_at_ctrl_c() -> None:
    done = apex("shell", typed="raise KeyboardInterrupt\n1 + 1\n")
    assert "KeyboardInterrupt" in done.stderr
    assert "Traceback" not in done.stderr
    assert "2\n" in done.stdout


def test_shell_tells_a_soft_check_that_fails_once() -> None:
    typed = 'expect.soft(device.find("Nothing")).to_be_visible(timeout=1)\nprint("on")\n'
    done = apex("shell", "--app=com.example.notes", typed=typed)
    assert done.stderr.count('expected "Nothing" to be visible') == 1
    assert "on\n" in done.stdout
    assert done.returncode == 0


APP = "app: com.example.mine\nname: Mine\nstart: s\nscreens: {s: {controls: [{role: text, text: My own}]}}\n"
SETTINGS = [
    ("pytest.ini", "[pytest]\napex_app = com.example.mine\n"),
    ("pyproject.toml", '[tool.pytest.ini_options]\napex_app = "com.example.mine"\n'),
    ("pyproject.toml", '[tool.pytest]\napex_app = "com.example.mine"\n'),
    ("setup.cfg", "[tool:pytest]\napex_app = com.example.mine\n"),
]


@pytest.mark.parametrize(("name", "text"), SETTINGS)
@pytest.mark.parametrize("below", ["", "deep/er"])
def test_commands_use_the_project_around_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, text: str, below: str
) -> None:
    (tmp_path / name).write_text(text, "utf-8")
    (tmp_path / "app.yaml").write_text(APP, "utf-8")
    (tmp_path / below).mkdir(parents=True, exist_ok=True)
    monkeypatch.chdir(tmp_path / below)
    assert main(["capture", "out"]) == 0
    assert "My own" in Path("out/state.txt").read_text("utf-8")


def test_a_named_app_file_goes_before_the_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\napex_app = com.example.mine\n", "utf-8")
    (tmp_path / "other.yaml").write_text(APP.replace("mine", "other").replace("My own", "Another"), "utf-8")
    monkeypatch.chdir(tmp_path)
    assert main(["capture", "out", "--device=virtual:other.yaml", "--app=com.example.other"]) == 0
    assert "Another" in Path("out/state.txt").read_text("utf-8")


def test_settings_that_can_not_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    assert main(["capture", "out"]) == 1
    assert "pytest-apex capture: can't read " in capsys.readouterr().err


def test_shell_prints_steps_in_words() -> None:
    done = apex("shell", "--app=com.example.notes", typed='device.tap("Forgot password?")\n')
    assert "step-002 tap" in done.stdout


@pytest.mark.parametrize("command", [["shell"], ["capture", "out"]])
def test_a_phone_without_adb(
    command: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANDROID_ADB_SERVER_HOST", "127.0.0.2")  # nobody listens there, and none is started there
    assert main([*command, "--device=emulator-5554"]) == 1
    text = capsys.readouterr().err
    assert f"pytest-apex {command[0]}: adb's server does not run" in text
    assert "unset ANDROID_ADB_SERVER_HOST" in text


def test_capture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["capture", str(tmp_path / "out"), "--app=com.example.notes"]) == 0
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"tree.txt", "state.txt", "screen.png"}
    assert "Sign in" in (tmp_path / "out" / "state.txt").read_text("utf-8")
    tree = Snapshot.from_text((tmp_path / "out" / "tree.txt").read_text("utf-8"))
    assert any(node.text == "Sign in" for node in tree.nodes)
    assert (tmp_path / "out" / "screen.png").read_bytes().startswith(b"\x89PNG")
    assert len(capsys.readouterr().out.splitlines()) == 3


def test_capture_into_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "out").write_text("mine", "utf-8")
    assert main(["capture", str(tmp_path / "out")]) == 1
    assert "can't write to" in capsys.readouterr().err
    assert (tmp_path / "out").read_text("utf-8") == "mine"


def test_check_tells_all_mistakes_with_their_places(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text(WRONG, "utf-8")
    assert main(["check", str(wrong)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) >= 4
    assert f"{wrong}:2:7  name: " in "\n".join(lines)
    assert any(line.startswith(f'{wrong}:5:1  unknown key "foo"') for line in lines)


def test_check_of_a_right_file_and_a_missing_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    right = Path(__file__).parents[2] / "examples" / "notes_app" / "app.yaml"
    assert main(["check", str(right)]) == 0
    assert capsys.readouterr().out == f"{right}: fine\n"
    assert main(["check", str(right), str(tmp_path / "none.yaml")]) == 1
    assert "none.yaml" in capsys.readouterr().err


@pytest.mark.parametrize("args", [[], ["fly"], ["check"]])
def test_wrong_usage(args: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(args)
    assert caught.value.code == 2
    assert "usage: pytest-apex" in capsys.readouterr().err


COMMANDS = (
    ["do", "--device=virtual", ""],
    ["check", "examples/notes_app/app.yaml"],
    ["shell"],
    ["capture", "{folder}"],
)
HOUSE = Path(__file__).parents[2]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_a_full_disk_under_the_output(command: list[str], tmp_path: Path) -> None:
    told = [part.format(folder=tmp_path) for part in command]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "pytest_apex", *told], input="1 + 1\n", stdout=full, stderr=subprocess.PIPE,
            text=True, cwd=HOUSE, check=False,
        )  # fmt: skip
    assert done.returncode == 1
    assert f"pytest-apex {command[0]}: can't write the output: No space left on device" in done.stderr
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_that_has_gone(
    command: list[str], unbuffered: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONUNBUFFERED", unbuffered)
    told = [part.format(folder=tmp_path) for part in command]
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "pytest_apex", *told], input="1 + 1\n", stdout=writing, stderr=subprocess.PIPE,
        text=True, cwd=HOUSE, check=False,
    )  # fmt: skip
    os.close(writing)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr
