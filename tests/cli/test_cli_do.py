"""`pytest-apex do "COMMANDS"`, from outside."""

from __future__ import annotations

import pytest

from pytest_apex.cli import main

APP = "--app=com.example.notes"


def test_it_tells_each_step_and_what_is_on_the_screen_then(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["do", APP, "t 270 440 sender keyboard kbd ada@example.com"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith('step-002 tap 270, 440 on "E-mail" (text_field at 270, 440): ')
    assert lines[1].startswith("step-003 type 'ada@example.com' into E-mail")
    assert lines[2].startswith("com.example.notes (Notes), portrait")
    assert any('text="ada@example.com"' in line for line in lines[3:])


def test_without_a_command_it_looks(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["do", APP, ""]) == 0
    assert capsys.readouterr().out.startswith("com.example.notes (Notes), portrait")


def test_a_text_that_is_not_right_connects_to_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["do", "--device=no-such-device", "t 1 2 f"]) == 1
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("pytest-apex do: can't read the command at column 8: expected X2 ")


def test_a_command_that_can_not_be_done(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["do", APP, "w 0.1 t 270 9999"]) == 1
    shown = capsys.readouterr()
    assert "can't touch 270, 9999: it is outside the screen" in shown.err
    assert "step-" not in shown.out


@pytest.mark.parametrize("command", [["do", ""], ["shell"], ["capture"], ["phone", "--adb", "0"]])
@pytest.mark.parametrize("seed", ["-5", "1.5", "1_0", "", "x"])
def test_a_seed_is_a_whole_number(capsys: pytest.CaptureFixture[str], command: list[str], seed: str) -> None:
    with pytest.raises(SystemExit) as ended:
        main([*command, f"--seed={seed}"])
    assert ended.value.code == 2
    assert f"argument --seed: expected a whole number, 0 or more, got {seed!r}" in capsys.readouterr().err


def test_ctrl_c_ends_it_without_a_traceback(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def pressed(*_arguments: object, **_named: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("pytest_apex.device.device.Device.perform", pressed)
    assert main(["do", APP, "w 1"]) == 130
    assert capsys.readouterr().err.strip() == "pytest-apex do: interrupted"
