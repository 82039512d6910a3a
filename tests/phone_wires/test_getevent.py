"""`getevent` tells of fingers, and of nothing that a tool injects; what the backend's own reader makes of it."""

from __future__ import annotations

import pytest

from pytest_apex.backends.uiautomator2.touch_events import TouchEvents
from pytest_apex.model.geometry import Point
from pytest_apex.phone_wires.serve import Served
from pytest_apex.phone_wires.shell.call import Given
from pytest_apex.phone_wires.shell.run import Shell

from .test_shell_lines import run


def listen(served: Served, line: str, *meanwhile: str, touch: Point | None = None) -> str:
    """What a line tells until its client is gone, which is after a touch and some commands."""
    out = bytearray()
    looks = 0

    def ended() -> bool:
        nonlocal looks
        looks += 1
        if looks == 2:  # it listens
            for command in meanwhile:
                run(served, command)
            if touch is not None:
                with served.pace.held() as phone:
                    phone.stranger.touch(touch)
                    phone.clock.sleep(0.2)
        return looks > 4

    Shell(served.handset, served.services.tools, out.extend, out.extend, ended).run(line, Given(b""))
    return out.decode()


def test_it_lists_the_touch_screen(served: Served) -> None:
    code, out, err = run(served, "getevent -lp")
    assert (code, err) == (0, "")
    reader = TouchEvents()
    assert reader.feed(out.encode()) == []
    assert reader.told
    assert "ABS_MT_POSITION_X     : value 0, min 0, max 32767," in out
    assert "0035 : value 0" in run(served, "getevent -p")[1]


def test_a_finger_is_told_when_it_comes_down_and_when_it_lifts(served: Served) -> None:
    size = served.phone.screen().size
    listed = run(served, "getevent -lp")[1]
    told = listen(served, "getevent -lt", touch=Point(size.width / 4, size.height / 2))
    lines = [line.split() for line in told.splitlines() if "EV_" in line]
    assert [(line[-2], line[-1]) for line in lines] == [
        ("ABS_MT_TRACKING_ID", "00000001"), ("ABS_MT_POSITION_X", "00002000"), ("ABS_MT_POSITION_Y", "00004000"),
        ("BTN_TOUCH", "DOWN"), ("SYN_REPORT", "00000000"),
        ("ABS_MT_TRACKING_ID", "ffffffff"), ("BTN_TOUCH", "UP"), ("SYN_REPORT", "00000000"),
    ]  # fmt: skip
    assert float(lines[5][1].rstrip("]")) - float(lines[0][1].rstrip("]")) == pytest.approx(0.08, abs=1e-5)
    assert TouchEvents().feed((listed + told).encode()) == [pytest.approx((0.25, 0.5), abs=1e-3)]


def test_without_labels_it_tells_numbers(served: Served) -> None:
    assert "/dev/input/event2: 0003 0039 00000001\n" in listen(served, "getevent -q", touch=Point(1, 1))


def test_what_a_tool_injects_is_not_told(served: Served) -> None:
    told = listen(served, "getevent -l", "input tap 270 600", "input keyevent 4")
    assert served.journal.touches
    assert "EV_" not in told


@pytest.mark.parametrize("words", ["-c 5", "-n", "--es", "-1", "''", "/dev/input/event2", "'\x07'", "é"])
def test_other_options_are_refused(served: Served, words: str) -> None:
    assert run(served, f"getevent {words}")[0] == 1
