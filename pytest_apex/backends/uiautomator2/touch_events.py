"""What `getevent -lp; getevent -l` tells: which touch screens there are, then each event that comes from one.

The format is that of AOSP's `toolbox/getevent.c`; what is not of it is passed over.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from pytest_apex.model.geometry import Point, Size

ASK = "getevent -lp; getevent -l"
#: Longer lines are none of getevent's; devices of a phone are a dozen.
_LONGEST, _DEVICES = 1000, 64
_DEVICE = re.compile(r"add device \d+: (/dev/input/\S+)")
_RANGE = re.compile(r"(ABS_MT_POSITION_[XY]) +: value -?\d+, min (-?\d{1,9}), max (-?\d{1,9}),")
_EVENT = re.compile(r"(?:\[ *\d+\.\d+\] )?(/dev/input/\S+): +(\w+) +(\w+) +(\w+)")
_VALUE = re.compile(r"[0-9a-f]{8}")
#: What a phone says that tells nothing of its touches.
_REFUSED = re.compile(r"(?:could not open|can't open|cannot open) .*|.*(?:not found|[Pp]ermission denied).*")
_LIFTED = "ffffffff"


@dataclass
class _Screen:
    """One input device: the range of each axis, where its last touch was, and whether one has begun."""

    ranges: dict[str, tuple[int, int]] = field(default_factory=dict)
    last: dict[str, int] = field(default_factory=dict)
    is_pad: bool = False
    begins: bool = False

    def place(self) -> tuple[float, float] | None:
        """Where the touch is, as shares of the screen as it is held upright; None where that is not told."""
        shares = []
        for axis in ("ABS_MT_POSITION_X", "ABS_MT_POSITION_Y"):
            least, most = self.ranges.get(axis, (0, 0))
            if axis not in self.last or most <= least:
                return None
            shares.append((self.last[axis] - least) / (most - least + 1))
        return shares[0], shares[1]


class TouchEvents:
    """Reads the stream in pieces of any size."""

    def __init__(self) -> None:
        self._rest = b""
        self._skips = False
        self._screens: dict[str, _Screen] = {}
        self._listed: _Screen | None = None
        self._said = ""

    @property
    def told(self) -> bool:
        """Whether it has named a touch screen that it reads."""
        return any(screen.ranges and not screen.is_pad for screen in tuple(self._screens.values()))

    @property
    def refused(self) -> str:
        """Why nothing is told, in the phone's words; "" where it reads a touch screen, or says nothing."""
        return "" if self.told else self._said

    def feed(self, data: bytes) -> list[tuple[float, float] | None]:
        """The places of the touches that began in this piece, as `_Screen.place` has them."""
        *lines, self._rest = (self._rest + data).split(b"\n")
        found = []
        for line in lines:
            if self._skips:  # the end of a line that was too long
                self._skips = False
            elif len(line) <= _LONGEST:
                found += self._line(line.decode("utf-8", "replace").strip())
        if len(self._rest) > _LONGEST:
            self._rest, self._skips = b"", True
        return found

    def _line(self, line: str) -> list[tuple[float, float] | None]:
        event = _EVENT.match(line)
        if event is not None:
            return self._event(*event.groups())
        device = _DEVICE.match(line)
        known = _RANGE.search(line)
        if device is not None and (device[1] in self._screens or len(self._screens) < _DEVICES):
            self._listed = self._screens.setdefault(device[1], _Screen())
        elif known is not None and self._listed is not None:
            self._listed.ranges[known[1]] = int(known[2]), int(known[3])
        elif line == "INPUT_PROP_POINTER" and self._listed is not None:
            self._listed.is_pad = True
        elif not self._said and _REFUSED.fullmatch(line):
            self._said = line[:200]
        return []

    def _event(self, device: str, kind: str, code: str, value: str) -> list[tuple[float, float] | None]:
        screen = self._screens.get(device)
        if screen is None or screen.is_pad:
            return []
        if (kind, code) == ("EV_SYN", "SYN_REPORT"):
            begins, screen.begins = screen.begins, False
            return [screen.place()] if begins else []
        if kind == "EV_ABS" and _VALUE.fullmatch(value):
            if code == "ABS_MT_TRACKING_ID":
                screen.begins |= value != _LIFTED
            elif code in screen.ranges:
                screen.last[code] = int(value, 16)
        elif (kind, code, value) == ("EV_KEY", "BTN_TOUCH", "DOWN"):
            screen.begins = True
        return []


def on_screen(share: tuple[float, float], size: Size, rotation: int) -> Point:
    """A place of the upright screen on one of this `size` that is turned by so many quarters."""
    x, y = share
    for _ in range(rotation % 4):
        x, y = y, 1 - x
    return Point(round(x * size.width), round(y * size.height))
