"""The command `pytest-apex`, from outside."""

from __future__ import annotations

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


def test_shell_prints_steps_in_words() -> None:
    done = apex("shell", "--app=com.example.notes", typed='device.tap("Forgot password?")\n')
    assert "step-002 tap" in done.stdout


@pytest.mark.parametrize("command", [["shell"], ["capture", "out"]])
def test_an_unknown_device(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*command, "--device=emulator-5554"]) == 1
    text = capsys.readouterr().err
    assert f"pytest-apex {command[0]}: no backend for the device 'emulator-5554'" in text
    assert "--device=virtual" in text


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
