"""`device.pause()`, `breakpoint()` and `--pdb`: refused with one line without a terminal, shown with one."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from pytest_apex.testing import results_of

Project = Callable[..., pytest.RunResult]

#: Somebody types at a real terminal; systems without pseudo terminals can't play that.
pty = pytest.importorskip("pty")


def test_pause_without_a_terminal(small: Project, pytester: pytest.Pytester) -> None:
    result = small("def test_it(device):\n    device.pause()\n")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["E*ConfigError: device.pause() needs a terminal"])
    assert results_of(pytester.path)[0]["kind"] == "test.config"


def test_breakpoint_without_a_terminal(small: Project, pytester: pytest.Pytester) -> None:
    result = small("def test_it(device):\n    breakpoint()\ndef test_two(device):\n    print('captured')\n")
    result.assert_outcomes(failed=1, passed=1)
    result.stdout.fnmatch_lines(["E*ConfigError: breakpoint() needs a terminal while a test uses a device"])
    assert "captured" not in result.stdout.str()  # pytest still captures
    assert results_of(pytester.path)[0]["kind"] == "test.config"


@pytest.mark.parametrize("option", ["--pdb", "--trace"])
def test_pdb_without_a_terminal(small: Project, option: str) -> None:
    result = small("def test_it(device):\n    assert 1 == 2\n", option)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "apex: --pdb needs a terminal while tests use a device" in result.stderr.str()


def test_pdb_without_a_device_is_none_of_our_business(small: Project) -> None:
    small("def test_it():\n    pass\n", "--pdb").assert_outcomes(passed=1)


def typed(folder: Path, test: str, keys: list[str], *options: str) -> str:
    """Run a test at a terminal of its own; each time a debugger's prompt shows, the next keys are typed."""
    (folder / "test_it.py").write_text(test, "utf-8")
    master, slave = pty.openpty()
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "TERM": "dumb"}
    command = [sys.executable, "-m", "pytest", "-p", "apex", "-p", "no:cacheprovider", *options]
    process = subprocess.Popen(command, cwd=folder, stdin=slave, stdout=slave, stderr=slave, env=environment)
    os.close(slave)
    shown, answered = "", 0
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and (process.poll() is None or select.select([master], [], [], 0)[0]):
        if select.select([master], [], [], 0.1)[0]:
            try:
                shown += os.read(master, 65536).decode("utf-8", "replace")
            except OSError:  # the other side is gone
                break
        if shown.count("(Pdb)") > answered and keys:
            answered += 1
            os.write(master, f"{keys.pop(0)}\n".encode())
    process.kill()
    process.wait()
    os.close(master)
    return shown


@pytest.fixture
def folder(small: Project, pytester: pytest.Pytester) -> Path:
    """The small app's project, without tests yet."""
    small({"test_it.py": ""})
    return pytester.path


def test_pause_shows_the_screen_and_goes_on(folder: Path) -> None:
    test = "def test_it(device):\n    device.tap('Go')\n    here = 41\n    device.pause()\n    device.press('back')\n"
    shown = typed(folder, test, ["p 'here is', here + 1", "p device.find('Done').is_visible()", "c"])
    assert '"Done"' in shown
    assert "apex: picture " in shown
    assert "('here is', 42)" in shown
    assert "True" in shown
    assert "1 passed" in shown


def test_pdb_stops_before_the_tear_down(folder: Path) -> None:
    test = "def test_it(device):\n    device.tap('Go')\n    assert device.find('Done').text == 'no'\n"
    shown = typed(folder, test, ["p 'state', device.app.state", "q"], "--pdb")
    assert "[functional.assertion]" in shown or "functional.assertion" in shown
    assert "('state', 'foreground')" in shown
    assert '"Done"' in shown


def test_a_person_is_asked_at_the_terminal_and_waited_for(folder: Path) -> None:
    test = """
def test_done(device):
    looks = []
    print("captured")
    device.hand_over("enter the code from the SMS", until=lambda: looks.append(1) or len(looks) > 3)

def test_not_done(device):
    device.hand_over("confirm it", until=device.find("Done"), timeout=5)
"""
    shown = typed(folder, test, [])
    assert "apex: enter the code from the SMS" in shown
    assert '(up to 5 s, until "Done" is visible)' in shown
    assert "1 failed, 1 passed" in shown
    assert "nobody did it within 5 s: confirm it" in shown
    assert "captured" not in shown
