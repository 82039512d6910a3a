"""A device is one process's at a time; what a killed one held is free."""

from __future__ import annotations

import getpass
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pytest_apex.errors import LeaseUnavailable
from pytest_apex.leases.file_lock import FileLock
from pytest_apex.leases.lease import Lease, lease_folder

HOLD = """
import sys
from pathlib import Path
from pytest_apex.leases.lease import Lease
Lease(sys.argv[2:], Path(sys.argv[1])).take(0)
print("held", flush=True)
sys.stdin.read()
"""


class Time:
    """Time that passes only while somebody sleeps, and what happens then."""

    def __init__(self) -> None:
        self.at, self.then = 0.0, lambda: None

    def now(self) -> float:
        return self.at

    def sleep(self, seconds: float) -> None:
        self.at += seconds
        self.then()


@pytest.fixture
def other(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that has the phone R1, which is also called boot-7."""
    command = [sys.executable, "-c", HOLD, str(tmp_path), "R1", "boot-7"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()


@pytest.mark.parametrize("names", [["R1"], ["10.0.0.7:5555", "boot-7"]])
def test_another_processes_device_is_waited_for_and_its_holder_named(
    other: subprocess.Popen[str], tmp_path: Path, names: list[str]
) -> None:
    clock = Time()
    with pytest.raises(LeaseUnavailable, match=f"the device {names[0]} is in use") as error:
        Lease(names, tmp_path).take(3, clock)
    assert clock.at == pytest.approx(3, abs=0.3)
    user = getpass.getuser()
    assert f"process {other.pid} of {user} in {Path.cwd()} since " in error.value.seen
    assert Lease(names, tmp_path).holder() in error.value.seen
    assert Lease(["R2"], tmp_path).holder() == ""
    Lease(["R2"], tmp_path).take(0, clock)


def test_what_is_given_back_meanwhile_is_had(tmp_path: Path) -> None:
    first, second, clock = Lease(["R1"], tmp_path), Lease(["R1"], tmp_path), Time()
    first.take(0, clock)
    first.take(0, clock)  # it is ours: nothing to wait for
    seen: list[str] = []

    def later() -> None:
        seen.append(second.waits_for)
        if clock.at > 1:
            first.release()

    clock.then = later
    second.take(5, clock)
    assert second.held
    assert not first.held
    assert clock.at < 2
    assert all(str(os.getpid()) in words for words in seen)
    assert not second.waits_for


def test_the_device_of_a_killed_process_is_free(other: subprocess.Popen[str], tmp_path: Path) -> None:
    other.send_signal(signal.SIGKILL)
    other.wait()
    Lease(["R1"], tmp_path).take(0, Time())


def test_all_names_or_none(tmp_path: Path) -> None:
    first, second = Lease(["boot-7"], tmp_path), Lease(["R1", "boot-7"], tmp_path)
    first.take(0, Time())
    with pytest.raises(LeaseUnavailable):
        second.take(0, Time())
    Lease(["R1"], tmp_path).take(0, Time())


def test_who_gives_up_waits_no_more(tmp_path: Path) -> None:
    first, second, clock = Lease(["R1"], tmp_path), Lease(["R1"], tmp_path), Time()
    first.take(0, clock)
    clock.then = second.give_up
    with pytest.raises(LeaseUnavailable):
        second.take(600, clock)
    assert clock.at < 1


def test_where_no_file_can_be_made_everybody_gets_it(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", "utf-8")
    Lease(["R1"], tmp_path / "file").take(0, Time())
    Lease(["R1"], tmp_path / "file").take(0, Time())


def test_each_user_has_a_folder() -> None:
    assert lease_folder().name.startswith("pytest-apex-leases-")


def test_a_lock_that_its_holder_removed_is_not_taken_for_the_new_one(tmp_path: Path) -> None:
    first, second = FileLock(tmp_path / "lock", "mine"), FileLock(tmp_path / "lock")
    assert first.take()
    assert (first.holder(), first.note_of_holder()) == (str(os.getpid()), "mine")
    first.release(remove=True)
    assert not first.path.exists()
    assert second.take()
    assert not FileLock(tmp_path / "lock").take()


def test_who_only_asks_for_the_holder_takes_nothing(other: subprocess.Popen[str], tmp_path: Path) -> None:
    mine = Lease(["R1"], tmp_path)
    assert mine.holder().startswith(f"process {other.pid} of ")
    other.kill()
    other.wait()
    assert mine.holder() == ""  # what a killed one leaves behind
    before = sorted(tmp_path.iterdir())
    assert Lease(["never"], tmp_path).holder() == ""
    assert sorted(tmp_path.iterdir()) == before
    mine.take(0)
    assert Lease(["R1"], tmp_path).holder().startswith(f"process {os.getpid()} ")
    mine.release()
    assert mine.holder() == ""
