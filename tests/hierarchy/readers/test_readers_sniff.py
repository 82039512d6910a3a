"""What looks like a hierarchy and is none is refused, saying what it is."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pytest_apex.errors import SourceError
from pytest_apex.hierarchy.readers import read
from pytest_apex.hierarchy.readers.sniff import kind_of

LOOK_ALIKES = {
    "Detox": '<?xml version="1.0"?><ViewHierarchy><UIWindow class="UIWindow" width="<number>"/></ViewHierarchy>',
    "HTML": "<!DOCTYPE html>\n<html><body>502 Bad Gateway</body></html>",
    "html without a type": "<html><head><title>404</title></head></html>",
    "ViewServer": "com.android.internal.policy.PhoneWindow$DecorView@b4784e48 layout:mLeft=1,0 mID=5,NO_ID \n",
    "recursiveDescription": "<UIView: 0x7f8; frame = (0 0; 320 568); layer = <CALayer: 0x60>>\n   | <UILabel: 0x7f9>",
    "AppKit": '  [   A     ! wLU ] h=--- v=--- NSButton "Push" f=(0,0,87,32) b=(-)',
    "Espresso": "View Hierarchy:\n>DecorView{id=-1, visibility=VISIBLE}\n|\n+->LinearLayout{id=-1}",
    "layout file": '<LinearLayout xmlns:android="http://schemas.android.com/apk/res/android"/>',
    "layout of AndroidX": '<androidx.core.widget.NestedScrollView xmlns:android="http://schemas.android.com/apk/res/android"/>',
    "null root": "ERROR: null root node returned by UiTestAutomationBridge.\n",
    "idle": "ERROR: could not get idle state.\n",
    "ended": "Killed\n",
    "emoji": "java.lang.IllegalArgumentException: Illegal character (d83d)\n",
    "without the tree": "UI hierchary dumped to: /sdcard/window_dump.xml\n",
    "device log": "--------- beginning of main\n03-07 09:15:02.500  412  412 I Notes: up\n",
    "JSON": json.dumps({"type": "Application", "children": []}),
    "JSON with words of an error": json.dumps({"type": "Application", "children": [], "message": "", "error": ""}),
    "WebDriver server": '{"value":{"error":"invalid session id","message":"A session is terminated"},"sessionId":null}',
    "WebDriver server of old": '{"status":13,"value":{"message":"An unknown error occurred"},"sessionId":"x"}',
    "crash report": '{"app_name":"Notes","timestamp":"2026-02-04 22:50:20.00","bug_type":"309"}\n{"uptime":1}',
    "crash report in words": "Incident Identifier: 1DFC2552-8F7C\nCrashReporter Key: a\nProcess: Notes [412]\n",
    "name of a file": "captures/home screen.xml",
    "name of a file of Windows": "C:\\captures\\home.uix\n",
    "known here": "lorem ipsum",
}
WHAT = {
    "html without a type": "HTML",
    "AppKit": "recursiveDescription",
    "layout of AndroidX": "layout file",
    "null root": "got no tree",
    "idle": "never rests",
    "JSON with words of an error": "this is JSON",
    "WebDriver server of old": "WebDriver server",
    "crash report in words": "crash report",
    "name of a file of Windows": "name of a file",
}


@pytest.mark.parametrize("name", LOOK_ALIKES)
def test_look_alikes_are_named(name: str) -> None:
    with pytest.raises(SourceError) as caught:
        read(LOOK_ALIKES[name])
    assert WHAT.get(name, name) in caught.value.likely
    assert caught.value.cure
    assert "\n" not in caught.value.seen


@pytest.mark.parametrize("source", ["", "  \n ", b"", b"\xef\xbb\xbf", b"\xff\xfe"])
def test_nothing_is_refused_as_such(source: str | bytes) -> None:
    with pytest.raises(SourceError, match="an empty text"):
        read(source)


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"\x89PNG\r\n\x1a\n", "PNG"),
        (b"\xff\xd8\xff\xe0", "JPEG"),
        (b"PK\x03\x04", "ZIP"),
        (b"\x1f\x8b\x08", "gzip"),
        (b"bplist00", "property list"),
    ],
)
def test_no_text_at_all(data: bytes, what: str) -> None:
    with pytest.raises(SourceError, match=what):
        read(data + b"<hierarchy/>")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("<hierarchy rotation='0'></hierarchy>", "android xml"),
        ("<node index='0'/>", "android xml"),
        ("<android.widget.FrameLayout index='0'/>", "android xml"),
        ("<XCUIElementTypeButton/>", "xcuitest xml"),
        ("noise\n" * 10_000 + "<AppiumAUT></AppiumAUT>", "xcuitest xml"),
        ("Element subtree:\n →Application, 0x1, pid: 1", "xcuitest debugDescription"),
        ("   Window (Main), 0x2, {{0.0, 0.0}, {1.0, 1.0}}", "xcuitest debugDescription"),
        ("Application bundle identifier: a.b\n", "xcode device interaction"),
        ('UIButton "OK" {{1, 2}, {3, 4}}', "xcode device interaction"),
        ("Device orientation: Portrait\n-----", "xcode device interaction"),
        # A text on a screen does not change what the screen is.
        ('<hierarchy><node text="<!DOCTYPE html> Element subtree: hitPoint: {"/></hierarchy>', "android xml"),
        (
            "Application bundle identifier: a\nApplication, pid: 1, label: 'Element subtree:'",
            "xcode device interaction",
        ),
    ],
)
def test_kinds(text: str, kind: str) -> None:
    assert kind_of(text) == kind


def test_a_dump_in_a_servers_answer() -> None:
    node = '<node text="say &quot;a\\nb&quot;" bounds="[0,0][9,9]"/>'
    dump = f'<?xml version="1.0"?>\n<hierarchy rotation="0">\n{node}\n</hierarchy>'
    for source in (json.dumps({"sessionId": None, "value": dump}), json.dumps(dump), repr(dump)):
        snapshot = read(source)
        assert snapshot.nodes[0].text == 'say "a\\nb"'
        assert any("string" in note for note in snapshot.notes)


@pytest.mark.parametrize(
    "source", ["[" * 100_000, '{"a":' * 50_000, '{"a": 1e999}', "[" + "9" * 5000 + "]", '{"a": "b"}']
)
def test_json_of_all_kinds_is_refused(source: str) -> None:
    with pytest.raises(SourceError, match="JSON"):
        read(source)


def test_a_string_that_is_cut_or_has_no_line_ends() -> None:
    node = '<node text="a" bounds="[0,0][9,9]"/>'
    source = json.dumps({"value": f'<hierarchy rotation="0">{node}</hierarchy>', "more": "x" * 50})
    assert read(source[:-20]).nodes[0].text == "a"


def test_half_characters_in_a_string() -> None:
    source = '{"value": "<hierarchy><node text=\\"\\ud83d\\ude00 \\ud83d\\"/></hierarchy>"}'
    assert read(source).nodes[0].text == "😀 \ufffd"
    assert read(source[:-1]).nodes[0].text == "😀 \ufffd"


def test_our_own_text_form_is_read(make_dump: Any, make: Any, shot: Any) -> None:
    snapshot = read(make_dump(make(make(text="Element subtree:\\n"), class_="android.widget.Button")))
    text = snapshot.to_text()
    again = read(text.replace("\n", "\r\n").encode("utf-16"), picture=shot(100, 200))
    assert again.tree == snapshot.tree
    assert again.picture == shot(100, 200)
    assert again.notes == (*snapshot.notes, "the file is UTF-16")
    with pytest.raises(SourceError):
        read(text.partition("Snapshot:")[0])


def test_a_text_with_a_backslash_is_no_escaped_file() -> None:
    assert read(r'<hierarchy><node text="C:\new\table"/></hierarchy>').nodes[0].text == r"C:\new\table"
