"""Commands that touch and look: `input`, `wm`, `screencap`, `uiautomator dump`."""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping, Sequence

from pytest_apex.model.action import Sample, Stroke, Track
from pytest_apex.phone_wires import keys
from pytest_apex.phone_wires.handset import Handset
from pytest_apex.phone_wires.shell.call import Call, Tool, number, options
from pytest_apex.phone_wires.uiautomator import fingers
from pytest_apex.phone_wires.uiautomator.dump import dump

#: `input swipe` without a time takes this long, and moves every so often (AOSP: `Input.java`).
_SWIPE_MS, _SWIPE_STEP_MS = 300, 5
_MOST_MS = 600_000
#: How long a long press of a key lasts (`ViewConfiguration.getLongPressTimeout`).
_LONG_KEY_MS = 500
_IDLE_S = 10.0
_SOURCES = frozenset({"touchscreen", "keyboard", "mouse", "stylus", "touchpad", "trackball", "dpad", "joystick"})
_EVENTS = {"DOWN": "down", "UP": "up", "MOVE": "move"}


_USAGE = (
    "Usage: input [<source>] [-d DISPLAY_ID] <command> [<arg>...]",
    "      keyevent [--longpress|--duration <duration to hold key down in ms>] [--doubletap] [--async] "
    "[--delay <duration between keycodes in ms>] <key code number or name> ... (Default: keyboard)",
)


def input_(call: Call) -> int:
    """`input [SOURCE] [-d DISPLAY] COMMAND …`."""
    _, words = options(call.args, ("-d",))
    if words and words[0] in _SOURCES:
        words.pop(0)
    if not words:
        return call.fail(*_USAGE, code=0)
    act = _INPUTS.get(words[0])
    if act is None:
        return call.fail(f"Error: Unknown command: {words[0]}", code=255)
    why = act(call.handset, words[1:])
    return call.fail(f"Error: {why}", code=255) if why else 0


def _numbers(words: Sequence[str], least: int, most: int) -> list[float] | None:
    values = [number(word) for word in words]
    if not least <= len(values) <= most or None in values:
        return None
    return [value for value in values if value is not None]


def _tap(handset: Handset, words: Sequence[str]) -> str:
    place = _numbers(words, 2, 2)
    if place is None:
        return "Invalid arguments for command: tap"
    handset.play(fingers.press(place[0], place[1], 0))
    return ""


def _swipe(handset: Handset, words: Sequence[str]) -> str:
    return _moved(handset, words, "swipe", hold_ms=0)


def _drag(handset: Handset, words: Sequence[str]) -> str:
    return _moved(handset, words, "draganddrop", hold_ms=fingers.LONG_PRESS_MS)


def _moved(handset: Handset, words: Sequence[str], name: str, *, hold_ms: float) -> str:
    values = _numbers(words, 4, 5)
    if values is None or (len(values) == 5 and not 0 <= values[4] <= _MOST_MS):
        return f"Invalid arguments for command: {name}"
    took = values[4] if len(values) == 5 and values[4] > 0 else _SWIPE_MS
    steps = max(1, int(took / _SWIPE_STEP_MS))
    x1, y1, x2, y2 = values[:4]
    moves = [
        Sample(hold_ms + took * step / steps, x1 + (x2 - x1) * step / steps, y1 + (y2 - y1) * step / steps)
        for step in range(1, steps + 1)
    ]
    handset.play(Track("swipe", (Stroke(0, (Sample(0, x1, y1), *moves)),)))
    return ""


def _motion(handset: Handset, words: Sequence[str]) -> str:
    place = _numbers(words[1:], 2, 2)
    kind = _EVENTS.get(words[0].upper()) if words else None
    if kind is None or place is None:
        return "Invalid arguments for command: motionevent"
    handset.finger(kind, place[0], place[1])
    return ""


def _text(handset: Handset, words: Sequence[str]) -> str:
    if not words:
        return "Invalid arguments for command: text"
    text = " ".join(words).replace("%s", " ")
    if not text.isascii():
        # The virtual keyboard has no key for it: `KeyCharacterMap.getEvents` gives null.
        return "java.lang.NullPointerException: Attempt to get length of null array"
    if not handset.lock:
        handset.pace.do(lambda phone: phone.type_text(text))
    return ""


def _keyevent(handset: Handset, words: Sequence[str]) -> str:
    hold, at = 0.0, 0
    while at < len(words) and words[at].startswith("--"):
        if words[at] == "--longpress":
            hold = _LONG_KEY_MS
        elif words[at] in ("--duration", "--delay"):
            hold, at = number(words[at + 1] if at + 1 < len(words) else "") or 0.0, at + 1
        at += 1
    for word in words[at:]:
        key = keys.key_of(word)
        if key is None:
            return f"Invalid keycode: {word}"
        keys.press(handset, key, min(max(hold, 0.0), _MOST_MS), known=True)
    return "" if words[at:] else "Invalid arguments for command: keyevent"


_INPUTS: Mapping[str, Callable[[Handset, Sequence[str]], str]] = {
    "tap": _tap,
    "swipe": _swipe,
    "draganddrop": _drag,
    "motionevent": _motion,
    "text": _text,
    "keyevent": _keyevent,
}


def wm(call: Call) -> int:
    with call.handset.pace.held() as phone:
        glass = phone.stage.glass
        density = round(glass.density * 160)
        turned = phone.orientation.startswith("landscape")
    width, height = (glass.height, glass.width) if turned else (glass.width, glass.height)
    if list(call.args) == ["size"]:
        return call.print(f"Physical size: {width}x{height}")
    if list(call.args) == ["density"]:
        return call.print(f"Physical density: {density}")
    if call.args[:1] and call.args[0] in ("size", "density"):
        return call.fail("Error: the built-in phone keeps its size", code=255)
    if list(call.args) != ["dismiss-keyguard"]:
        return call.fail("Unknown command", code=255)
    if call.handset.lock == "swipe":
        call.handset.lock = ""
    return 0


def screencap(call: Call) -> int:
    """`screencap [-p] [FILE]`: PNG with `-p` or a name that ends so, else raw RGBA."""
    given, paths = options(call.args, ("-d",), ("-p", "-h"))
    data = _picture(call.handset, png="-p" in given or (bool(paths) and paths[0].endswith(".png")))
    if not paths:
        call.out(data)
        return 0
    if not call.handset.files.write(paths[0], data):
        return call.fail(f"Error opening file: {paths[0]} (Permission denied)")
    return 0


def _picture(handset: Handset, *, png: bool) -> bytes:
    picture = handset.picture()
    if png:
        return picture.png()
    size = round(picture.size.width), round(picture.size.height)
    return struct.pack("<IIII", *size, 1, 0) + bytes(picture.pixels().convert("RGBA").tobytes())


def uiautomator(call: Call) -> int:
    """`uiautomator dump [FILE]`: not while another program holds the connection to accessibility."""
    _, words = options(call.args, (), ("--compressed", "--windows", "--verbose"))
    if words[:1] != ["dump"]:
        return call.fail("Usage: uiautomator <subcommand> [options]", code=1)
    handset = call.handset
    if handset.server.pid:
        return call.fail("java.lang.IllegalStateException: UiAutomationService already registered!", "Killed", code=137)
    if not handset.pace.idle(_IDLE_S):
        return call.fail("ERROR: could not get idle state.", code=0)
    with handset.pace.held() as phone:
        text = dump(phone, 10_000, active_only="--windows" not in call.args, locked=bool(handset.lock))
    path = words[1] if len(words) > 1 else "/sdcard/window_dump.xml"
    if path in ("/dev/tty", "/dev/stdout"):
        call.out(text.encode())
    elif not handset.files.write(path, text.encode()):
        return call.fail(f"java.io.FileNotFoundException: {path}: open failed: EACCES (Permission denied)", code=1)
    return call.print(f"UI hierchary dumped to: {path}")


TOOLS: Mapping[str, Tool] = {"input": input_, "wm": wm, "screencap": screencap, "uiautomator": uiautomator}
