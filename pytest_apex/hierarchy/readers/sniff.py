"""What a text is: one of the hierarchies that are read here, or something that only looks like one."""

from __future__ import annotations

import re
from typing import NamedTuple

from pytest_apex.errors import SourceError

ANDROID_XML = "android xml"
XCUITEST_XML = "xcuitest xml"
DEBUG_DESCRIPTION = "xcuitest debugDescription"
DEVICE_INTERACTION = "xcode device interaction"

#: How far into a text its kind shows. Shells and loggers put some lines before.
_HEAD = 20_000

_READ_HERE = (
    "a uiautomator dump, an Appium page source, XCUITest's debugDescription, Xcode's device interaction, "
    "or the product's text form"
)

_OURS = re.compile(r"\s*Device orientation: [^\n]*\nScreen: \{")
#: Outermost elements that nothing else has.
_SURE = re.compile(r"<(?:hierarchy|displays|AppiumAUT)[\s/>]")
_ANDROID = re.compile(r"<(?:hierarchy|displays)[\s/>]|<node\s|<(?:android|androidx|com|org)\.[\w.$]+\s")
_XCUITEST = re.compile(r"<(?:AppiumAUT|XCUIElementType[A-Za-z]+)[\s/>]")
_NUMBER = r"-?[\d.einfa+-]{1,60}"
_FRAME = rf"\{{\{{{_NUMBER}, ?{_NUMBER}\}}, ?\{{{_NUMBER}, ?{_NUMBER}\}}\}}"
_INTERACTION = re.compile(
    r"^\s*(?:Application bundle identifier:|Application UI orientation:|Device orientation:)|hitPoint: \{", re.MULTILINE
)
_TYPE = r"[ \t]*[A-Z][A-Za-z]+(?: \(\w+\))?, "
_DESCRIPTION = re.compile(rf"Element subtree:|→{_TYPE}|^{_TYPE}(?:0x[0-9a-f]+, )?{_FRAME}", re.MULTILINE)
_SHORT_INTERACTION = re.compile(rf"^[ \t]*[A-Za-z_][\w.]{{0,80}} (?:\"[^\n]*\" )?{_FRAME}", re.MULTILINE)
#: By what each kind is known; the first that fits decides.
_KINDS = (
    (_XCUITEST, XCUITEST_XML),
    (_ANDROID, ANDROID_XML),
    (_INTERACTION, DEVICE_INTERACTION),
    (_DESCRIPTION, DEBUG_DESCRIPTION),
    (_SHORT_INTERACTION, DEVICE_INTERACTION),
)


class _LookAlike(NamedTuple):
    """What looks like a hierarchy, or comes where one was expected, and is none."""

    pattern: re.Pattern[str]
    what: str
    cure: str


def _like(pattern: str, what: str, cure: str = "") -> _LookAlike:
    return _LookAlike(re.compile(pattern, re.MULTILINE | re.IGNORECASE), what, cure)


_DETOX = _like(
    r"<ViewHierarchy[\s>]",
    "Detox's view hierarchy, which masks its numbers",
    "take the tree with uiautomator or Appium",
)
_LAYOUT = _like(r"<[\w.]+\s[^<>]{0,2000}xmlns:android=", "a layout file of an app's source, not a tree of a screen")
#: The first that fits decides.
_LOOK_ALIKES = (
    _like(
        r"<!DOCTYPE html|<html[\s>]",
        "an HTML page, as a proxy or server sends it with an error",
        "look at the server's address and log",
    ),
    _like(
        r"^\s*[\w.$]+@[0-9a-f]{1,16} (?:\w+:)?[\w()]+=\d+,",
        "a view tree of ViewServer (attribute=length,value)",
        "take the tree with uiautomator: adb shell uiautomator dump",
    ),
    _like(
        r"<_?(?:UI|NS)\w*(?:: 0x|;)[^\n]{0,200}frame = \(|^\s*\[[ A-Z!a-z#]{3,40}\] h=",
        "UIKit's or AppKit's recursiveDescription (views, not accessibility elements)",
        "print XCUIApplication().debugDescription in a UI test",
    ),
    _like(
        r"View Hierarchy:\s*\n|^\s*[|>+-]*>\w+\{id=-?\d+", "Espresso's view hierarchy", "take the tree with uiautomator"
    ),
    _like(
        r"null root node returned by UiTestAutomationBridge",
        "uiautomator's message that it got no tree",
        "the screen is busy or secure: wait until it rests, then dump again",
    ),
    _like(
        r"could not get idle state",
        "uiautomator's message that the screen never rests",
        "stop animations, or use uiautomator2 or Appium, which do not wait for rest",
    ),
    _like(
        r"^\s*Killed\s*$",
        "the word of a shell whose dumper was ended (exit 137)",
        "the device is busy or short of memory: dump again",
    ),
    _like(
        r"Illegal character \(",
        "uiautomator's message about a character that it can't write (an emoji, on old Android)",
        "use uiautomator2 or Appium",
    ),
    _like(r"UI hier\w{4,6} dumped to", "uiautomator's message, without the tree", "pull the file that it names"),
    _like(
        r"\A\s*\{\s*\"(?:value|sessionId|status)\":[\s\S]{0,400}\"(?:error|message)\":",
        "an error that a WebDriver server (Appium, WebDriverAgent) answered with",
        "read its message: the session or the driver is gone; connect again, then take the tree",
    ),
    _like(
        r"\A\s*Incident Identifier: |\A\s*\{[^\n]{0,2000}\"bug_type\":",
        "a crash report of Apple's",
        "it tells of a crash, not of a screen",
    ),
    _like(
        r"--------- beginning of|^\d\d-\d\d \d\d:\d\d:\d\d\.\d+ +\d+ +\d+ [VDIWEF] ",
        "a device log",
        "read_crash_evidence reads logs",
    ),
)
#: One line that ends like a file of a tree.
_PATH = re.compile(r"[^\n<>{}]{0,500}\.(?:xml|txt|uix|json|log|dump)", re.IGNORECASE)
_BINARIES = (
    (b"\x89PNG", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"\x1f\x8b", "a gzip file"),
    (b"bplist00", "a binary property list"),
    (b"SQLite format", "a database"),
)


def refuse_binary(data: bytes) -> None:
    """Raise `SourceError` for what is no text at all."""
    for mark, what in _BINARIES:
        if data.startswith(mark):
            raise refusal(what, repr(data[:16]))


def is_ours(text: str) -> bool:
    """Whether a text is the product's own form of a hierarchy."""
    return _OURS.match(text) is not None


def has_root(text: str) -> bool:
    """Whether the outermost element of a tree in XML is there."""
    return _SURE.search(text) is not None


def kind_of(text: str) -> str:
    """Which reader the text is for. Raises `SourceError`, which says what it is instead, if there is none."""
    head = text[:_HEAD]
    if not head.strip():
        raise refusal("nothing", "an empty text", "the dump was not written: look at what the dumper said")
    for like in (_DETOX, _LAYOUT):
        if like.pattern.search(head) and not has_root(head):
            raise refusal(like.what, _first_line(head), like.cure)
    found = next((kind for pattern, kind in _KINDS if pattern.search(head)), "")
    # A log of thousands of lines may come before the tree.
    found = found or next((kind for pattern, kind in _KINDS[:3] if pattern.search(text)), "")
    if not found:
        raise _refused(head)
    return found


def _refused(head: str) -> SourceError:
    for like in _LOOK_ALIKES:
        if like.pattern.search(head):
            return refusal(like.what, _first_line(head), like.cure)
    if _PATH.fullmatch(head.strip()):
        return refusal(
            "the name of a file, not its content", _first_line(head), "Snapshot.from_source(pathlib.Path(…))"
        )
    if head.lstrip().startswith(("{", "[")):
        return refusal("JSON", _first_line(head), "ask the server for the page source as XML (format=xml)")
    return refusal("none of the hierarchies that are known here", _first_line(head))


def refusal(what: str, seen: str, cure: str = "") -> SourceError:
    return SourceError(
        "there is no hierarchy in the source",
        seen=seen,
        likely=f"this is {what}",
        cure=cure or f"give {_READ_HERE}",
    )


def _first_line(text: str) -> str:
    line = next((line for line in text.split("\n") if line.strip()), "")
    return f"it begins {line.strip()[:80]!r}"
