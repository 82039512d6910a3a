"""XCTest's texts: `debugDescription`, and device interaction in its long and its short form."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pytest_apex.errors import SourceError
from pytest_apex.hierarchy.readers import read
from pytest_apex.hierarchy.readers.apple_lines import parse, words_of
from pytest_apex.model.geometry import Rect, Size
from pytest_apex.model.node import NodeState

HEAD = """Device orientation: Unknown
------------------------
Application bundle identifier: com.example.notes
Application UI orientation: Portrait
Application, pid: 412, label: 'Notes'
 Window, {{0.0, 0.0}, {402.0, 874.0}}, hitPoint: {201.0, 437.0}
"""
TREE = """Attributes: Application, 0x1, pid: 994, label: 'Notes'
Element subtree:
 →Application, 0x1, pid: 994, label: 'Notes'
    Window (Main), 0x2, {{0.0, 0.0}, {390.0, 844.0}}
      Button, 0x3, {{24.0, 700.0}, {342.0, 48.0}}, identifier: 'login', label: 'Log in'
Path to element:
 →Application, 0x1, pid: 994, label: 'Notes'
Query chain:
 →Find: Target Application 'com.example.notes'
  Output: {
    Application, 0x9, pid: 994, label: 'Notes'
  }
"""


def only(line: str) -> Any:
    """The node of one more line below the window."""
    return read(f"{HEAD}  {line}\n").nodes[-1]


class TestLines:
    """From both ends, because nothing is escaped."""

    @pytest.mark.parametrize(
        ("words", "expected"),
        [
            (", identifier: 'a', label: 'b'", {"identifier": "a", "label": "b"}),
            (
                ", label: 'It's a 'quote', with commas, and: colons'",
                {"label": "It's a 'quote', with commas, and: colons"},
            ),
            (
                ", identifier: 'tricky', label: 'label: 'fake', identifier: 'fake', hitPoint: {1.0, 2.0}'",
                {"identifier": "tricky", "label": "label: 'fake', identifier: 'fake', hitPoint: {1.0, 2.0}"},
            ),
            (", label: 'x', label: 'y'", {"label": "x', label: 'y"}),
            (", label: 'say ', value: 1', value: 2", {"label": "say ', value: 1", "value": "2"}),
            (", label: 'x', value: Widget, Stack", {"label": "x", "value": "Widget, Stack"}),
            (", label: 'a', value: 'b'", {"label": "a', value: 'b"}),
            (", value: 25%", {"value": "25%"}),
            (", title: 'T', value: 1", {"title": "T", "value": "1"}),
            (", identifier: 'name', placeholderValue: 'Your name'", {"identifier": "name", "placeholder": "Your name"}),
            ("", {}),
        ],
    )
    def test_words(self, words: str, expected: dict[str, str]) -> None:
        assert words_of(words) == expected

    def test_people_type_quotes_into_fields(self) -> None:
        words = ", identifier: 'name', placeholderValue: 'Name', value: say 'hi'"
        assert words_of(words, typed=True) == {"identifier": "name", "placeholder": "Name", "value": "say 'hi'"}

    def test_flags_and_hit_point_stand_at_the_end(self) -> None:
        line = parse(
            "  Button, {{1.0, 2.5}, {30.0, 40.0}}, label: 'Save, Disabled', Selected, Disabled, "
            "hitPoint: {16.0, 22.5}, activationBundleId: com.example.app"
        )
        assert line is not None
        assert (line.words, line.hit, line.bundle) == ({"label": "Save, Disabled"}, "{16.0, 22.5}", "com.example.app")
        assert line.states == NodeState.VISIBLE | NodeState.SELECTED

    def test_a_line_of_an_old_xcode(self) -> None:
        line = parse("  Other, 0x60800018, traits: 8589934592, {{0.0, 20.0}, {375.0, 44.0}}, label: 'x'")
        assert line is not None
        assert (line.kind, line.frame, line.words) == ("Other", (0.0, 20.0, 375.0, 44.0), {"label": "x"})

    @pytest.mark.parametrize("text", ["", "Button", "Label: 'x'", "two words, {{1, 2}}", "Query chain:"])
    def test_other_lines_are_none(self, text: str) -> None:
        assert parse(text) is None


class TestDeviceInteraction:
    """What Xcode writes next to its pictures."""

    def test_head(self) -> None:
        snapshot = read(HEAD)
        assert (snapshot.app.id, snapshot.app.pid, snapshot.app.label) == ("com.example.notes", 412, "Notes")
        assert (snapshot.screen.size, snapshot.screen.orientation) == (Size(402, 874), "portrait")
        assert [(node.role, node.bounds) for node in snapshot.nodes] == [
            ("application", Rect(0, 0, 402, 874)),
            ("window", Rect(0, 0, 402, 874)),
        ]

    def test_a_field(self) -> None:
        field = only("TextField, {{0.0, 0.0}, {9.0, 9.0}}, placeholderValue: 'Name', value: it's, Keyboard Focused")
        assert (field.text, field.hint, field.has(NodeState.FOCUSED)) == ("it's", "Name", True)
        assert only("SecureTextField, {{0.0, 0.0}, {9.0, 9.0}}, value: •••").has(NodeState.PASSWORD)

    def test_a_switch_and_a_placeholder_of_another_process(self) -> None:
        assert only("Switch, {{0.0, 0.0}, {9.0, 9.0}}, label: 'On', value: 1").has(NodeState.CHECKED)
        assert only("Other, {{0.0, 0.0}, {9.0, 9.0}}, isRemoteLeafPlaceholder").has(NodeState.REMOTE)

    def test_a_cut_value_is_the_label_again(self) -> None:
        text = only("StaticText, {{0.0, 0.0}, {9.0, 9.0}}, label: 'This domain is for use', value: This domain...")
        assert (text.text, text.value) == ("This domain is for use", "")

    def test_line_breaks_stay_in_their_label(self) -> None:
        lines = "  StaticText, {{0.0, 0.0}, {9.0, 9.0}}, label: 'Price\nTotal: 5\n\nDue', hitPoint: {4.5, 4.5}\n"
        snapshot = read(f"{HEAD}{lines}  Button, {{{{0.0, 0.0}}, {{9.0, 9.0}}}}, label: 'OK'\n")
        assert [node.label for node in snapshot.nodes][2:] == ["Price\nTotal: 5\n\nDue", "OK"]

    def test_depth_is_the_indentation(self) -> None:
        box = "{{0.0, 0.0}, {9.0, 9.0}}"
        indents = ((2, "Other"), (3, "Button"), (4, "Image"), (3, "Link"), (1, "Window"))
        lines = "".join(f"{' ' * depth}{kind}, {box}\n" for depth, kind in indents)
        snapshot = read(HEAD + lines)
        assert [node.parent.index if node.parent else None for node in snapshot.nodes] == [None, 0, 1, 2, 3, 2, 0]

    @pytest.mark.parametrize(
        "frame", ["{{0.0, 0.0}, {inf, 1.0}}", "{{nan, 0.0}, {1.0, 1.0}}", "{{-inf, 0.0}, {1e300, 1.0}}"]
    )
    def test_frames_that_are_not_finite_have_no_area(self, frame: str) -> None:
        node = only(f"Other, {frame}, label: 'far'")
        assert (node.bounds, node.label) == (Rect(0, 0, 0, 0), "far")

    def test_what_is_listed_twice_is_taken_once(self) -> None:
        box = "{{0.0, 0.0}, {9.0, 9.0}}"
        twice = f"  Button, {box}, label: 'Dictate'\n   Image, {box}\n" * 2
        snapshot = read(HEAD + twice)
        assert [node.role for node in snapshot.nodes] == ["application", "window", "button", "image"]
        assert "elements listed twice: 1, taken once" in snapshot.notes

    def test_equal_lines_with_other_content_are_two(self) -> None:
        box = "{{0.0, 0.0}, {9.0, 9.0}}"
        row = f"  Cell, {box}, label: 'Row'\n"
        rows = f"{row}   StaticText, {box}, label: 'a'\n{row}   Image, {box}\n"
        wrappers = f"  Other, {box}\n  Other, {box}\n"
        assert len(read(HEAD + rows + wrappers)) == 8

    def test_several_applications(self) -> None:
        other = HEAD.partition("\n")[2].replace("com.example.notes", "com.apple.springboard").replace("412", "34")
        marked = other.replace("437.0}\n", "437.0}, activationBundleId: com.apple.springboard\n")
        snapshot = read(HEAD + marked)
        assert [(window.app, window.pid, window.focused) for window in snapshot.windows] == [
            ("com.example.notes", 412, True),
            ("com.apple.springboard", 34, False),
        ]
        assert snapshot.nodes[-1].raw["activationBundleId"] == "com.apple.springboard"
        assert read(marked + HEAD.partition("\n")[2]).app.id == "com.example.notes"
        remote = "  Other, {{0.0, 0.0}, {9.0, 9.0}}, isRemoteLeafPlaceholder, activationBundleId: com.example.other\n"
        assert read(HEAD + remote + other).app.id == "com.example.notes"

    @pytest.mark.parametrize(
        ("device", "interface", "orientation"),
        [
            ("Landscape Right", "Landscape Left", "landscape_right"),
            ("LandscapeLeft", "LandscapeRight", "landscape_left"),
            ("Unknown", "Landscape Left", "landscape_right"),
            ("Portrait Upside Down", "Portrait", "portrait_upside_down"),
            ("Face Up", "Portrait", "face_up"),
            ("Unknown", "Portrait", "portrait"),
        ],
    )
    def test_orientation(self, device: str, interface: str, orientation: str) -> None:
        text = HEAD.replace("Unknown", device).replace("UI orientation: Portrait", f"UI orientation: {interface}")
        assert read(text).screen.orientation == orientation

    def test_the_last_of_several_captures(self) -> None:
        snapshot = read(HEAD + HEAD.replace("412", "413"))
        assert (len(snapshot), snapshot.app.pid) == (2, 413)
        assert "there are 2 captures in the file: the last is read" in snapshot.notes

    def test_the_short_form(self) -> None:
        snapshot = read(
            "UIView {{0, 0}, {60, 30}}, hitPoint: {30.0, 15.0}\n"
            '  UIButton "Log "in"" {{10, 5}, {30, 20}}, hitPoint: {25.0, 15.0}\n'
            '  UILabel "Two {{1, 2}, {3, 4}} lines" {{40, 5}, {20, 20}}, activationBundleId: com.example.app\n'
        )
        assert [(node.role, node.label, node.bounds) for node in snapshot.nodes] == [
            ("other", "", Rect(0, 0, 60, 30)),
            ("button", 'Log "in"', Rect(10, 5, 40, 25)),
            ("text", "Two {{1, 2}, {3, 4}} lines", Rect(40, 5, 60, 25)),
        ]
        assert snapshot.screen.size == Size(60, 30)

    def test_a_head_without_elements_is_refused(self) -> None:
        with pytest.raises(SourceError, match="no hierarchy"):
            read(HEAD.split("Application, pid")[0])


class TestDebugDescription:
    """From logs and consoles."""

    def test_tree_and_what_stands_around_it(self) -> None:
        snapshot = read(TREE)
        assert [node.role for node in snapshot.nodes] == ["application", "window", "button"]
        assert (snapshot.app.id, snapshot.app.pid, snapshot.app.label) == ("com.example.notes", 994, "Notes")
        assert snapshot.nodes[2].parent == snapshot.nodes[1]
        assert (snapshot.nodes[2].identifier, snapshot.nodes[2].bounds) == ("login", Rect(24, 700, 366, 748))
        assert snapshot.nodes[0].bounds == Rect(0, 0, 390, 844)
        assert snapshot.notes == ()

    def test_a_root_that_is_no_application(self) -> None:
        snapshot = read(
            "Element subtree:\n       →Other, {{0.0, 0.0}, {375.0, 667.0}}\n"
            "          Cell, 0x2, {{0.0, 64.0}, {375.0, 140.0}}\n"
        )
        assert [(node.role, node.parent is None) for node in snapshot.nodes] == [("other", True), ("cell", False)]
        assert snapshot.screen.size == Size(375, 667)

    def test_the_last_of_several_trees(self) -> None:
        snapshot = read(TREE + TREE.replace("Log in", "Sign in"))
        assert snapshot.nodes[2].label == "Sign in"
        assert "there are 2 trees in the file: the last is read" in snapshot.notes

    def test_the_last_complete_of_several_trees(self) -> None:
        snapshot = read(TREE + TREE.replace("Log in", "Sign in").partition("gn in'")[0])
        assert snapshot.nodes[2].label == "Log in"
        assert "there are 2 trees in the file: the last complete one is read" in snapshot.notes

    def test_a_log_goes_on_after_a_tree_without_end(self) -> None:
        body = TREE.partition("Path to")[0] + "    t =     2.00s Tear Down\nTest Case passed\n"
        assert [node.label for node in read(body).nodes] == ["Notes", "", "Log in"]

    def test_line_breaks_stay_in_their_label(self) -> None:
        snapshot = read(TREE.replace("'Log in'", "'Log\n\n in, now', Selected"))
        assert snapshot.nodes[2].label == "Log\n\n in, now"
        assert snapshot.nodes[2].has(NodeState.SELECTED)

    def test_several_trees_without_headings(self) -> None:
        body = TREE.partition("Element subtree:\n")[2].partition("Path to")[0]
        snapshot = read(body + body.replace("Log in", "Sign in"))
        assert (len(snapshot), snapshot.nodes[2].label) == (3, "Sign in")

    def test_a_tree_in_a_json_string(self) -> None:
        snapshot = read(json.dumps({"value": {"tree": TREE}}))
        assert (len(snapshot), snapshot.nodes[2].label) == (3, "Log in")
        assert any("JSON" in note for note in snapshot.notes)

    def test_a_tree_in_a_printed_string(self) -> None:
        snapshot = read(f"t = 110.23s po app\n{TREE!r}\n")
        assert (len(snapshot), snapshot.nodes[2].label) == (3, "Log in")

    def test_a_tree_that_is_cut(self) -> None:
        snapshot = read(TREE[: TREE.index("g in'")])
        assert snapshot.nodes[2].label == "Lo"
        assert "the tree is cut: its last line has no end" in snapshot.notes

    def test_log_lines_around(self) -> None:
        snapshot = read(f"    t =     1.00s Start\n{TREE}    t =     2.00s Tear Down\n")
        assert len(snapshot) == 3

    def test_a_prefix_on_each_line(self) -> None:
        marked = "".join(f"2026-03-07 09:15:02.500 Notes[412:9ab] {line}\n" for line in TREE.splitlines())
        snapshot = read(marked)
        assert [node.role for node in snapshot.nodes] == ["application", "window", "button"]
        assert any("prefix" in note for note in snapshot.notes)
