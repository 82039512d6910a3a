"""`getevent`: the touch screen, and the touches of a finger on it. What tools inject does not pass there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pytest_apex.phone.phone import Phone
from pytest_apex.phone.stranger import TAP_S, Touch
from pytest_apex.phone_wires.shell.call import Call, Tool

#: How often the screen is looked at, in seconds.
_LOOK_S = 0.02
_PATH, _NAME = "/dev/input/event2", "virtio_input_multi_touch_1"
#: The screen counts in these units along both sides, as an emulator's does.
_MOST = 32767
_TYPES = {"EV_SYN": 0, "EV_KEY": 1, "EV_ABS": 3}
_CODES = {
    "SYN_REPORT": 0, "BTN_TOUCH": 0x14A, "ABS_MT_POSITION_X": 0x35, "ABS_MT_POSITION_Y": 0x36,
    "ABS_MT_TRACKING_ID": 0x39,
}  # fmt: skip
_LIFTED = 0xFFFFFFFF
_Event = tuple[str, str, int]


def getevent(call: Call) -> int:
    """`getevent [-lpqt]`."""
    flags = set("".join(word[1:] for word in call.args))
    if any(word[:1] != "-" for word in call.args) or flags - set("lpqt"):
        return call.fail("getevent: the built-in phone knows -l, -p, -q and -t", code=1)
    if "q" not in flags:
        call.print(f"add device 1: {_PATH}", f'  name:     "{_NAME}"')
    if "p" in flags:
        call.print("  events:", *_axes("l" in flags), "  input props:", "    INPUT_PROP_DIRECT")
        return 0
    return _follow(call, labels="l" in flags, times="t" in flags)


def _axes(labels: bool) -> Iterator[str]:
    head = "    ABS (0003):"
    for code in ("ABS_MT_POSITION_X", "ABS_MT_POSITION_Y", "ABS_MT_TRACKING_ID"):
        name = f"{code:<22}" if labels else f"{_CODES[code]:04x} "
        most = _MOST if "POSITION" in code else 65535
        yield f"{head} {name}: value 0, min 0, max {most}, fuzz 0, flat 0, resolution 0"
        head = " " * len(head)


def _follow(call: Call, *, labels: bool, times: bool) -> int:
    # Without the lock: it listens as long as a run lasts, and slows nobody down.
    phone = call.handset.pace.phone
    told = {at for touch in tuple(phone.stranger.touches) for at, _ in _frames(touch, phone)}
    while not call.ended():
        now = phone.clock.now()
        for at, events in (frame for touch in tuple(phone.stranger.touches) for frame in _frames(touch, phone)):
            if at <= now and at not in told:
                told.add(at)
                head = f"[{at:15.6f}] {_PATH}: " if times else f"{_PATH}: "
                call.print(*(head + _line(event, labels) for event in (*events, ("EV_SYN", "SYN_REPORT", 0))))
        call.handset.pace.nap(_LOOK_S)
    return 0


def _frames(touch: Touch, phone: Phone) -> tuple[tuple[float, list[_Event]], ...]:
    """What comes when the finger is down, and when it lifts."""
    size = phone.screen().size
    down = [
        ("EV_ABS", "ABS_MT_TRACKING_ID", 1),
        ("EV_ABS", "ABS_MT_POSITION_X", round(touch.place.x / size.width * _MOST)),
        ("EV_ABS", "ABS_MT_POSITION_Y", round(touch.place.y / size.height * _MOST)),
        ("EV_KEY", "BTN_TOUCH", 1),
    ]
    up = [("EV_ABS", "ABS_MT_TRACKING_ID", _LIFTED), ("EV_KEY", "BTN_TOUCH", 0)]
    return (touch.at, down), (touch.at + TAP_S, up)


def _line(event: _Event, labels: bool) -> str:
    kind, code, value = event
    if not labels:
        return f"{_TYPES[kind]:04x} {_CODES[code]:04x} {value:08x}"
    told = ("UP", "DOWN")[value] if kind == "EV_KEY" else f"{value:08x}"
    return f"{kind:<12.12s} {code:<20.20s} {told:<20.20s}"


TOOLS: Mapping[str, Tool] = {"getevent": getevent}
