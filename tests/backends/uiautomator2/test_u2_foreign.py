"""Touches that nobody here sent: what `getevent` tells of them, hostile lines and streams that die included."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_apex.backends.uiautomator2 import foreign
from pytest_apex.backends.uiautomator2.adb import AdbTrouble
from pytest_apex.backends.uiautomator2.facts import Changing, Fixed, report_facts
from pytest_apex.backends.uiautomator2.foreign import ForeignTouches
from pytest_apex.backends.uiautomator2.limits import Limits
from pytest_apex.backends.uiautomator2.touch_events import TouchEvents, on_screen
from pytest_apex.errors import DeviceLost
from pytest_apex.model.geometry import Point, Size

LISTED = """\
add device 1: /dev/input/event0
  name:     "gpio-keys"
  events:
    KEY (0001): KEY_VOLUMEDOWN        KEY_VOLUMEUP          KEY_POWER
  input props:
    <none>
add device 2: /dev/input/event2
  name:     "fts_ts"
  events:
    KEY (0001): BTN_TOUCH
    ABS (0003): ABS_MT_SLOT           : value 0, min 0, max 9, fuzz 0, flat 0, resolution 0
                ABS_MT_POSITION_X     : value 0, min 0, max 999, fuzz 0, flat 0, resolution 0
                ABS_MT_POSITION_Y     : value 0, min 0, max 1999, fuzz 0, flat 0, resolution 0
                ABS_MT_TRACKING_ID    : value 0, min 0, max 65535, fuzz 0, flat 0, resolution 0
  input props:
    INPUT_PROP_DIRECT
add device 3: /dev/input/event5
  name:     "touch pad"
  events:
    ABS (0003): ABS_MT_POSITION_X     : value 0, min 0, max 99, fuzz 0, flat 0, resolution 0
                ABS_MT_POSITION_Y     : value 0, min 0, max 99, fuzz 0, flat 0, resolution 0
  input props:
    INPUT_PROP_POINTER
"""


def events(*told: str, device: str = "/dev/input/event2") -> str:
    """`events("TRACKING_ID 5", "X 500")`: lines of `getevent -l`, and the report that ends them."""
    lines = []
    for one in told:
        code, value = one.split()
        kind, code = ("EV_KEY", code) if code.startswith(("BTN", "KEY")) else ("EV_ABS", f"ABS_MT_{code}")
        shown = value if kind == "EV_KEY" else f"{int(value, 0) & 0xFFFFFFFF:08x}"
        lines.append(f"{device}: {kind:<12} {code:<20} {shown:<20}\n")
    return "".join([*lines, f"{device}: EV_SYN       SYN_REPORT           00000000            \n"])


DOWN = events("TRACKING_ID 5", "POSITION_X 500", "POSITION_Y 500", "BTN_TOUCH DOWN")
MOVE = events("POSITION_X 510")
UP = events("TRACKING_ID -1", "BTN_TOUCH UP")


def read(text: str) -> list[Any]:
    return TouchEvents().feed(text.encode())


def test_a_finger_that_comes_down_is_one_touch_at_its_place() -> None:
    assert read(LISTED + DOWN + MOVE + UP) == [(0.5, 0.25)]


def test_each_finger_counts_when_it_comes_down() -> None:
    second = events("SLOT 1", "TRACKING_ID 6", "POSITION_X 0", "POSITION_Y 0")
    assert read(LISTED + DOWN + second + UP) == [(0.5, 0.25), (0.0, 0.0)]


def test_a_finger_at_the_same_place_again_is_not_told_its_place_again() -> None:
    """The kernel leaves out what has not changed."""
    again = events("TRACKING_ID 6", "BTN_TOUCH DOWN")
    assert read(LISTED + DOWN + UP + again) == [(0.5, 0.25), (0.5, 0.25)]


def test_with_times_in_front() -> None:
    timed = "".join(f"[   12345.678901] {line}" for line in DOWN.splitlines(keepends=True))
    assert read(LISTED + timed) == [(0.5, 0.25)]


def test_a_screen_that_tells_no_places() -> None:
    assert read("add device 1: /dev/input/event2\n" + events("BTN_TOUCH DOWN")) == [None]


@pytest.mark.parametrize(
    "other",
    [
        MOVE + UP,
        events("KEY_POWER DOWN", device="/dev/input/event0"),
        events("TRACKING_ID 1", "POSITION_X 9", device="/dev/input/event5"),
        events("TRACKING_ID 1", device="/dev/input/event77"),
        DOWN.rpartition("/dev")[0],
        DOWN.replace("event2: EV", "event2 EV"),
        DOWN.replace("DOWN", "DOWNX").replace("00000005", "5"),
        "/dev/input/event2: EV_ABS\n\x00\xff\n" * 3,
        "x" * 5000 + DOWN.partition("\n")[0] + "\n" + events(),
    ],
    ids=["only moves", "a key", "a touch pad", "an unknown device", "no report", "broken", "no values", "noise",
         "in a huge line"],
)  # fmt: skip
def test_what_is_no_touch(other: str) -> None:
    assert read(LISTED + other) == []
    assert read(LISTED + other + UP + DOWN)[-1] == (0.5, 0.25)  # and the next one is told


@given(st.lists(st.integers(1, 40)))
def test_pieces_of_any_size(sizes: list[int]) -> None:
    data, reader, found = (LISTED + DOWN + UP + DOWN).replace("\n", "\r\n").encode(), TouchEvents(), []
    for size in sizes:
        piece, data = data[:size], data[size:]
        found += reader.feed(piece)
    assert found + reader.feed(data) == [(0.5, 0.25)] * 2


@given(st.lists(st.binary(max_size=3000), max_size=5))
def test_anything_is_read_and_little_of_it_kept(pieces: list[bytes]) -> None:
    reader = TouchEvents()
    for piece in pieces:
        reader.feed(piece)
        assert len(reader._rest) <= 1000


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("could not open /dev/input/event2, Permission denied\n" * 9, "could not open /dev/input/event2, Permission"),
        ("/system/bin/sh: getevent: inaccessible or not found\n", "/system/bin/sh: getevent: inaccessible or not"),
        ("could not open /dev/input/event9, Permission denied\n" + LISTED, ""),
        (LISTED, ""),
        ("", ""),
    ],
)
def test_a_phone_that_refuses_says_so(text: str, refused: str) -> None:
    reader = TouchEvents()
    reader.feed(text.encode())
    assert reader.refused.startswith(refused)
    assert bool(reader.refused) is bool(refused)


@pytest.mark.parametrize(
    ("rotation", "size", "place"),
    [(0, (1000, 2000), (250, 200)), (1, (2000, 1000), (200, 750)), (2, (1000, 2000), (750, 1800)),
     (3, (2000, 1000), (1800, 250))],
)  # fmt: skip
def test_the_place_follows_the_screen_as_it_is_turned(rotation: int, size: Any, place: Any) -> None:
    assert on_screen((0.25, 0.1), Size(*size), rotation) == Point(*place)


# The stream


class Line:
    """A stream that tells what is put into it; None is its end, and an error is raised."""

    def __init__(self) -> None:
        self.told: queue.Queue[bytes | AdbTrouble | None] = queue.Queue()
        self.waits, self.closed = threading.Event(), threading.Event()

    def read_part(self) -> bytes:
        self.waits.set()
        part = self.told.get()
        if isinstance(part, AdbTrouble):
            raise part
        return part or b""

    def say(self, text: str) -> None:
        """Returns when all of it was read."""
        assert self.waits.wait(5)
        self.waits.clear()
        self.told.put(text.encode())
        assert self.waits.wait(5)

    def end(self, trouble: AdbTrouble | None = None) -> None:
        self.told.put(trouble)
        assert self.closed.wait(5)

    def hang_up(self) -> None:
        self.told.put(None)

    def close(self) -> None:
        self.closed.set()


class Phone:
    """Opens a new line each time, or none where it is gone."""

    def __init__(self) -> None:
        self.limits = Limits()
        self.lines: list[Line] = []
        self.gone = False
        self.at = 0.0

    def now(self) -> float:
        return self.at

    def keep_open(self, service: str, timeout: float) -> Line:
        assert service == "shell:getevent -lp; getevent -l"
        if self.gone:
            raise DeviceLost("the phone is gone")
        self.lines.append(Line())
        return self.lines[-1]


@pytest.fixture
def phone() -> Phone:
    return Phone()


@pytest.fixture
def touches(phone: Phone) -> Iterator[ForeignTouches]:
    fake: Any = phone
    made = ForeignTouches(fake, fake, lambda: Changing(size=Size(1080, 2400)))
    yield made
    made.close()
    assert all(line.closed.wait(5) for line in phone.lines)
    for thread in threading.enumerate():
        if thread.name == "apex-touches":
            thread.join(5)


def test_it_listens_from_the_first_question_on_once(phone: Phone, touches: ForeignTouches) -> None:
    assert phone.lines == []
    assert list(touches.since(0.0)) == []
    phone.lines[0].say(LISTED)
    phone.at = 3.0
    phone.lines[0].say(DOWN + UP)
    phone.at = 4.0
    phone.lines[0].say(DOWN)
    assert [(one.at, one.place) for one in touches.since(0.0)] == [(3.0, Point(540, 600)), (4.0, Point(540, 600))]
    assert [one.at for one in touches.since(3.0)] == [4.0]
    assert len(phone.lines) == 1
    touches.close()
    assert phone.lines[0].closed.wait(5)
    touches.since(0.0)
    assert len(phone.lines) == 1


def test_a_stream_that_was_cut_is_opened_again(phone: Phone, touches: ForeignTouches) -> None:
    touches.since(0.0)
    phone.lines[0].say(LISTED)
    phone.at = 60.0
    phone.lines[0].end(AdbTrouble("lost", "while reading: connection reset"))
    touches.since(0.0)
    assert len(phone.lines) == 2
    phone.lines[1].say(LISTED + DOWN)
    assert [one.at for one in touches.since(0.0)] == [60.0]


def test_one_that_ends_at_once_is_left_alone(phone: Phone, touches: ForeignTouches) -> None:
    touches.since(0.0)
    phone.lines[0].say(LISTED)
    phone.at = foreign._LIVES_S - 1
    phone.lines[0].end()
    assert list(touches.since(0.0)) == []
    assert len(phone.lines) == 1


def test_a_phone_that_refuses_is_not_asked_again(phone: Phone, touches: ForeignTouches) -> None:
    touches.since(0.0)
    phone.lines[0].say("/system/bin/sh: getevent: inaccessible or not found\n")
    phone.at = 60.0
    phone.lines[0].end()
    assert list(touches.since(0.0)) == []
    assert len(phone.lines) == 1
    assert report_facts(Fixed(), Changing(), touches.refused)["foreign_touches"] == (
        "not noticed: /system/bin/sh: getevent: inaccessible or not found"
    )


def test_a_phone_that_is_gone_harms_nobody(phone: Phone, touches: ForeignTouches) -> None:
    phone.gone = True
    assert list(touches.since(0.0)) == []
    assert touches.refused == "the phone is gone"
    touches.close()


def test_a_phone_that_tells_has_no_such_fact() -> None:
    assert "foreign_touches" not in report_facts(Fixed(), Changing())
