"""Programs that go on: the film of the screen, and who ends them; the lock screen."""

from __future__ import annotations

import struct
from collections.abc import Callable

import pytest

from pytest_apex.clock import RealClock
from pytest_apex.phone.parts import AppFile
from pytest_apex.phone_wires.serve import Served, serve_phone
from pytest_apex.phone_wires.video import make_mp4

from .client import AdbClient, OpenStream
from .test_shell_commands import APP, ask, start
from .test_shell_lines import run

FILM = "/data/local/tmp/film.mp4"


def boxes(data: bytes) -> dict[bytes, bytes]:
    """The boxes of one level, by name."""
    found, at = {}, 0
    while at < len(data):
        size, name = struct.unpack_from(">I4s", data, at)
        assert size >= 8
        found[name] = data[at + 8 : at + size]
        at += size
    assert at == len(data)
    return found


def pictures_of(film: bytes) -> list[bytes]:
    """The pictures where the tables say that they lie."""
    outer = boxes(film)
    assert outer[b"ftyp"][:4] == b"isom"
    media = boxes(boxes(outer[b"moov"])[b"trak"])[b"mdia"]
    table = boxes(boxes(boxes(media)[b"minf"])[b"stbl"])
    (count,) = struct.unpack_from(">I", table[b"stco"], 4)
    offsets = struct.unpack_from(f">{count}I", table[b"stco"], 8)
    sizes = struct.unpack_from(f">{count}I", table[b"stsz"], 12)
    return [film[at : at + size] for at, size in zip(offsets, sizes, strict=True)]


def test_a_film_holds_its_pictures_and_their_times() -> None:
    film = make_mp4([(0.0, b"one"), (0.5, b"two!"), (0.7, b"3")], (540, 1200), 2.0)
    assert pictures_of(film) == [b"one", b"two!", b"3"]
    moov = boxes(boxes(film)[b"moov"])
    assert struct.unpack_from(">II", moov[b"mvhd"], 12) == (1000, 2000)
    stts = film[film.index(b"stts") + 8 :]
    assert struct.unpack_from(">7I", stts) == (3, 1, 500, 1, 200, 1, 1300)


def line(served: Served, stream: OpenStream, command: str, until: Callable[[str], bool]) -> str:
    """Ask until the answer is right."""
    for _ in range(500):
        answer = run(served, command)[1]
        if until(answer):
            return answer
        served.pace.nap(0.01)
    raise AssertionError((command, answer, stream))


@pytest.fixture
def living(app: AppFile) -> Served:
    return serve_phone([app], clock=RealClock())


@pytest.mark.parametrize(("signal", "films"), [("pkill -2 screenrecord", True), ("pkill -9 screenrecord", False)])
def test_a_film_ends_when_it_is_asked_to_and_is_lost_when_killed(living: Served, signal: str, films: bool) -> None:
    with living as served, AdbClient(served.port) as client:
        stream = client.open(f"shell:screenrecord {FILM}")
        assert stream is not None
        pid = line(served, stream, "pidof screenrecord", bool)
        assert f" {pid.strip()} " in ask(served, "ps -A | grep screenrecord")
        assert run(served, signal)[0] == 0
        assert stream.read_all() == b""
        film = served.handset.files.read(FILM)
        assert (film is not None) is films
        if film is not None:
            assert pictures_of(film)[0][:3] == b"\xff\xd8\xff"
        assert run(served, "pidof screenrecord")[0] == 1


@pytest.mark.parametrize("arguments", ["", "--time-limit 0 /sdcard/a.mp4", "--time-limit x /sdcard/a.mp4", "/system/a"])
def test_a_film_that_can_not_be_is_refused(served: Served, arguments: str) -> None:
    assert run(served, f"screenrecord {arguments}")[0] in (1, 2)


def test_a_shell_ends_only_what_is_a_shells(served: Served) -> None:
    start(served)
    pid = ask(served, f"pidof {APP}").strip()
    code, _, err = run(served, f"kill {pid}")
    assert (code, err) == (1, f"kill: {pid}: Operation not permitted\n")
    assert run(served, "kill 999999")[2] == "kill: 999999: No such process\n"
    assert run(served, f"pkill {APP}")[0] == 1
    assert ask(served, f"pidof {APP}").strip() == pid


# The lock screen


def locked(served: Served) -> bool:
    return "showing=true" in ask(served, "dumpsys window policy")


def test_a_lock_screen_hides_the_app_and_takes_its_touches(served: Served) -> None:
    start(served)
    bare = served.handset.picture().key
    served.switch_on("locked")
    assert locked(served)
    assert served.handset.picture().key != bare
    assert "NotificationShade" in ask(served, "dumpsys window displays | grep mCurrentFocus")
    assert APP not in ask(served, "uiautomator dump /dev/tty")
    ask(served, "input tap 270 440")
    ask(served, "input text hello")
    assert not served.phone.machine.keyboard_up
    ask(served, "wm dismiss-keyguard")
    assert not locked(served)
    ask(served, "input tap 270 440")
    assert served.phone.machine.keyboard_up


def test_a_passcode_is_not_dismissed(served: Served) -> None:
    served.switch_on("passcode")
    ask(served, "input keyevent 224; wm dismiss-keyguard")
    assert locked(served)
    assert "secure=true" in ask(served, "dumpsys window policy")
    served.switch_off("passcode")
    assert not locked(served)
