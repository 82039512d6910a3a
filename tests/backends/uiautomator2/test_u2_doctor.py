"""What the doctor makes of what it is told: each trouble with its cure, and a healthy phone without any."""

from __future__ import annotations

import pytest

from pytest_apex.backends.uiautomator2 import doctor, helper
from pytest_apex.backends.uiautomator2.adb import AdbServer, Listed
from pytest_apex.backends.uiautomator2.limits import Limits
from pytest_apex.backends.uiautomator2.shell import Answer
from pytest_apex.cli import main

SPACE = "Filesystem 1K-blocks Used Available Use% Mounted on\n/dev/dm-5 112000000 90000000 {} 81% /data\n"


def phone(**other: str) -> dict[str, doctor.Finding]:
    """The findings on a healthy phone, but for what is told otherwise."""
    told = {
        "sdk": "34",
        "developer": "1",
        "digest": f"{helper.digest(helper.jar())}  {helper.TARGET}",
        "awake": "mWakefulness=Awake",
        "lock": "showing=false",
        "space": SPACE.format(22000000),
        "window": "0",
        "transition": "0.0",
        "animator": "0",
        **other,
    }
    assert len(told) == len(doctor.ASK_PHONE)
    findings = doctor.check_phone("R58 (Pixel, device)", "R58", [Answer(f"{text}\n") for text in told.values()])
    return {finding.what: finding for finding in findings}


def test_a_healthy_phone() -> None:
    assert {finding.level for finding in phone().values()} == {"ok"}
    assert phone()["driver"].seen == "installed"


@pytest.mark.parametrize(
    ("told", "what", "level", "seen"),
    [
        ({"sdk": "19"}, "Android", "wrong", "API 19"),
        ({"developer": "0"}, "developer options", "warn", "off"),
        ({"awake": "mWakefulness=Asleep"}, "screen", "warn", "off"),
        ({"lock": "showing=true"}, "screen", "wrong", "locked"),
        ({"space": SPACE.format(50_000)}, "storage", "wrong", "48 MB free"),
        ({"animator": "null"}, "animations", "warn", "on"),
        ({"window": "0.5"}, "animations", "warn", "on"),
    ],
)
def test_each_trouble_has_a_cure(told: dict[str, str], what: str, level: str, seen: str) -> None:
    found = phone(**told)
    assert found[what].level == level
    assert seen in found[what].seen
    assert found[what].cure
    assert {finding.level for name, finding in found.items() if name != what} == {"ok"}


def test_a_driver_that_is_not_there_is_no_trouble() -> None:
    found = phone(digest="md5sum: No such file or directory")["driver"]
    assert (found.level, found.seen) == ("ok", "not there: put there when it is first used")


def test_animations_that_are_on_are_switched_off_by_name() -> None:
    cure = phone(transition="1", window="1")["animations"].cure
    off = "settings put global window_animation_scale 0; settings put global transition_animation_scale 0"
    assert cure == f"adb -s R58 shell '{off}'"


@pytest.mark.parametrize(
    ("picture_s", "level", "cure"),
    [(0.3, "ok", ""), (1.0, "ok", ""), (1.01, "warn", "--apex-slow=1.5"), (2.4, "warn", "--apex-slow=2.5"),
     (90, "warn", "--apex-slow=10")],
)  # fmt: skip
def test_a_slow_phone_gets_its_factor(picture_s: float, level: str, cure: str) -> None:
    found = doctor.check_speed("R58", picture_s)
    assert (found.level, found.cure) == (level, cure)


def test_two_adbs_that_fight() -> None:
    assert doctor.check_versions(41, 41).level == "ok"
    assert doctor.check_versions(41, 0).level == "ok"
    clash = doctor.check_versions(39, 41)
    assert clash.level == "wrong"
    assert "adb kill-server" in clash.cure


@pytest.mark.parametrize("state", ["offline", "unauthorized", "no permissions"])
def test_a_phone_that_can_not_be_used(state: str) -> None:
    (finding,) = doctor.check_listed(AdbServer(), Listed("R58", state), Limits())
    assert (finding.level, finding.what) == ("wrong", "connection")
    assert state in finding.seen
    assert finding.cure


def test_without_a_server_the_commands_say_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ANDROID_ADB_SERVER_HOST", "127.0.0.2")
    assert main(["doctor"]) == 1
    shown = capsys.readouterr().out
    assert "WRONG  adb server" in shown
    assert "unset ANDROID_ADB_SERVER_HOST" in shown
    assert main(["devices"]) == 1
    shown_too = capsys.readouterr()
    assert shown_too.out == "virtual  (the built-in phone)\n"
    assert "adb's server does not run" in shown_too.err
