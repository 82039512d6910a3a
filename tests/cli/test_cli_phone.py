"""`pytest-apex phone`: what it prints, what it serves, and what it says to a wrong start."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
from urllib.request import urlopen

import pytest

from pytest_apex.cli import main


def test_it_serves_until_interrupted() -> None:
    command = [sys.executable, "-m", "pytest_apex", "phone", "--adb", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        first, second = process.stdout.readline(), process.stdout.readline()
        port = int(second.removeprefix("adb connect 127.0.0.1:"))
        with socket.create_connection(("127.0.0.1", port), 10):
            pass
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=20)
    assert first == "Notes 1.4.0 is on the phone; Ctrl+C switches it off\n"
    assert (process.returncode, err) == (0, "")


def test_an_iphone_says_what_appium_needs() -> None:
    command = [sys.executable, "-m", "pytest_apex", "phone", "--wda", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline().strip() for _ in range(4)]
        with urlopen(f"{lines[1].split(' ')[1]}/status", timeout=10) as answer:
            assert json.load(answer)["value"]["ready"] is True
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=20)
    assert lines[2].startswith("appium:udid 00008101-")
    assert lines[3] == "appium:platformVersion 27.0"
    assert (process.returncode, err) == (0, "")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nix.yaml", "--adb", "0"], "can't read the app file nix.yaml"),
        (["--adb", "0", "--fault", "dead_buton"], "did you mean"),
        (["--adb", "0", "--mode", "ofline"], "unknown mode 'ofline'"),
        (["--wda", "0", "--platform", "io"], "did you mean"),
        (["--wda", "0", "--mode", "reboot"], "unknown mode 'reboot'"),
        (["--adb", "99999"], "can't listen on 127.0.0.1:99999"),
    ],
)
def test_a_wrong_start_is_one_clear_error(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["phone", *arguments]) == 1
    err = capsys.readouterr().err
    assert err.startswith("pytest-apex phone: ")
    assert said in err
