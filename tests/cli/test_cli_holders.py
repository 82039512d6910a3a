"""`pytest-apex devices` and `doctor`: who uses a phone now."""

from __future__ import annotations

import getpass
import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from pytest_apex.backends.uiautomator2 import connecting, doctor
from pytest_apex.backends.uiautomator2.adb import AdbServer, Listed
from pytest_apex.backends.uiautomator2.limits import Limits
from pytest_apex.cli import main
from pytest_apex.errors import DeviceLost
from pytest_apex.leases import lease
from pytest_apex.leases.lease import Lease


@pytest.fixture
def phone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lease:
    """The phone R1, which adb has."""
    monkeypatch.setattr(connecting, "listed_devices", lambda: [Listed("R1", "device")])
    monkeypatch.setattr(lease, "lease_folder", lambda: tmp_path)
    return Lease(["R1"])


def test_the_list_names_the_holder_of_a_phone(phone: Lease, capsys: pytest.CaptureFixture[str]) -> None:
    phone.take(0)
    assert main(["devices"]) == 0
    (told,) = (line for line in capsys.readouterr().out.splitlines() if "in use" in line)
    assert told.startswith(f"  in use:  by process {os.getpid()} of {getpass.getuser()} in {Path.cwd()} since ")
    phone.release()
    assert main(["devices"]) == 0
    assert "in use" not in capsys.readouterr().out


@pytest.mark.parametrize(("holder", "told"), [("process 7", ["in use by process 7"]), ("", [])])
def test_the_doctor_asks_by_all_names_of_the_phone(
    monkeypatch: pytest.MonkeyPatch, holder: str, told: list[str]
) -> None:
    asked: list[Sequence[str]] = []
    monkeypatch.setattr(doctor, "names_of", lambda _server, serial, _limits: (serial, "boot 1"))

    class Gone:
        def __init__(self, *_args: object) -> None: ...

        def ask(self, *_args: object) -> None:
            raise DeviceLost("the phone went away")

    monkeypatch.setattr(doctor, "Handset", Gone)

    def who(names: Sequence[str]) -> str:
        asked.append(names)
        return holder

    found = list(doctor.check_listed(AdbServer(), Listed("R1", "device"), Limits(), who))
    assert [finding.seen for finding in found if finding.what == "use"] == told
    assert all(finding.level == "warn" for finding in found if finding.what == "use")
    assert asked == [("R1", "boot 1")]
