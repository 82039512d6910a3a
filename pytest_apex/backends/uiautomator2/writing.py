"""Text into the focused field.

By the clipboard, as uiautomator2 does it: it takes any text, needs no keyboard of its own on the phone, and the user's
one stays. What was on the clipboard before is put back. Return and tab are keys.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pytest_apex.backends.uiautomator2.keys import KEYS
from pytest_apex.errors import ActionRefused, DriverDead

#: `call(method, *params)`: one acting call to the server.
Call = Callable[..., Any]
#: A selector as the server reads it (uiautomator2: `_selector.py`): what has the focus.
FOCUSED = {"mask": 0x020000, "childOrSibling": [], "childOrSiblingSelector": [], "focused": True}
_KEYS = {"\n": KEYS["enter"], "\t": KEYS["tab"]}


def pieces(text: str) -> list[str]:
    """Runs of text, and each return and tab for itself. Raises `ActionRefused` for what no clipboard carries."""
    for letter in text:
        if letter == "\0" or 0xD800 <= ord(letter) <= 0xDFFF or (ord(letter) < 32 and letter not in "\n\t"):
            raise ActionRefused(
                f"can't type the character U+{ord(letter):04X} on Android",
                seen="a control character, or half of one",
                likely="the text comes from a broken file",
                cure="leave it out; \\n is the return key, \\t is tab",
            )
    found: list[str] = []
    for letter in text:
        if letter in _KEYS or not found or found[-1] in _KEYS:
            found.append(letter)
        else:
            found[-1] += letter
    return found


def write(text: str, look: Call, act: Call) -> None:
    """Type `text`. Raises `ActionRefused` when nothing has the focus, or the phone does not take the text."""
    parts = pieces(text)
    _need_focus(look)
    before = _clipboard(look)
    try:
        for part in parts:
            if part in _KEYS:
                act("pressKeyCode", _KEYS[part])
                continue
            act("setClipboard", None, part)
            if _clipboard(look) != part:
                raise ActionRefused(
                    "the phone does not take the text on its clipboard",
                    seen="what was read back is another text",
                    likely="the phone's owner forbids the clipboard, or another app writes to it",
                    cure="allow it, or test on another phone",
                )
            act("pasteClipboard")
    finally:
        _put_back(before, act)


def clear(look: Call, act: Call) -> None:
    _need_focus(look)
    act("clearInputText")


def _need_focus(look: Call) -> None:
    if not look("exist", FOCUSED):
        raise ActionRefused(
            "typing needs a focused text field", seen="nothing on the screen has the focus", cure="tap the field first"
        )


def _clipboard(look: Call) -> str:
    return str(look("getClipboard") or "")


def _put_back(text: str, act: Call) -> None:
    """An error that is under way is the one to be told."""
    try:
        act("setClipboard", None, text)
    except DriverDead:
        return
