"""The page source of WebDriverAgent."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_apex.hierarchy.readers import read
from pytest_apex.model.geometry import Rect, Size
from pytest_apex.model.node import NodeState


def element(kind: str, inside: str = "", **given: str) -> str:
    told = {"x": "0", "y": "0", "width": "390", "height": "844"} | given
    words = " ".join(f'{name}="{value}"' for name, value in told.items())
    tag = f"XCUIElementType{kind}"
    return f'<{tag} type="{tag}" {words}>{inside}</{tag}>' if inside else f'<{tag} type="{tag}" {words}/>'


def source(inside: str, **given: str) -> str:
    app = element("Application", inside, name="Notes", label="Notes", **given)
    return f'<?xml version="1.0" encoding="UTF-8"?><AppiumAUT>{app}</AppiumAUT>'


def only(inside: str) -> Any:
    return read(source(inside)).nodes[1]


def test_the_application_is_the_window() -> None:
    snapshot = read(source(element("Window") + element("Window"), bundleId="com.example.notes", processId="412"))
    assert [(window.app, window.pid, window.title) for window in snapshot.windows] == [
        ("com.example.notes", 412, "Notes")
    ]
    assert (snapshot.app.id, snapshot.app.pid, snapshot.app.label) == ("com.example.notes", 412, "Notes")
    assert [node.role for node in snapshot.nodes] == ["application", "window", "window"]
    assert (snapshot.platform, snapshot.screen.size) == ("ios", Size(390, 844))


def test_two_applications_are_two_windows() -> None:
    both = element("Application", element("Window"), bundleId="com.example.notes") + element(
        "Application", element("Alert"), bundleId="com.apple.springboard"
    )
    snapshot = read(f"<AppiumAUT>{both}</AppiumAUT>")
    assert [window.app for window in snapshot.windows] == ["com.example.notes", "com.apple.springboard"]
    assert [node.window.index for node in snapshot.nodes] == [0, 0, 1, 1]


def test_frames_are_place_and_size() -> None:
    assert only(element("Button", x="24", y="700", width="342", height="48")).bounds == Rect(24, 700, 366, 748)


@pytest.mark.parametrize(
    ("native", "edges"),
    [
        ("{{24.25, 700.5}, {341.5, 47}}", (24.25, 700.5, 365.75, 747.5)),
        ("{{24, 700}, {342, 48}}", (24, 700, 366, 748)),
        ("{{124, 700}, {342, 48}}", (24, 700, 366, 748)),  # of another moment, or in other units
        ("{{inf, inf}, {0, 0}}", (24, 700, 366, 748)),
        ("{{24.2.5, 700}, {342, 48}}", (24, 700, 366, 748)),
        ("24 700 342 48", (24, 700, 366, 748)),
    ],
)
def test_a_frame_that_was_rounded_outward_is_taken_as_it_was(native: str, edges: tuple[float, ...]) -> None:
    told = {"x": "24", "y": "700", "width": "342", "height": "48", "nativeFrame": native}
    assert only(element("StaticText", **told)).bounds == Rect(*edges)


def test_words_of_a_field() -> None:
    typed = only(element("TextField", name="mail", label="Mail", value="ada", placeholderValue="E-mail"))
    assert (typed.text, typed.hint, typed.label, typed.identifier, typed.value) == ("ada", "E-mail", "Mail", "mail", "")
    assert typed.has(NodeState.EDITABLE)
    empty = only(element("SearchField", value="Search", placeholderValue="Search"))
    assert (empty.text, empty.hint) == ("", "Search")
    secret = only(element("SecureTextField", value="••••"))
    assert (secret.text, secret.has(NodeState.PASSWORD)) == ("••••", True)


def test_a_static_text_says_its_label_once() -> None:
    text = only(element("StaticText", name="Total", label="Total", value="Total"))
    assert (text.role, text.text, text.label, text.value) == ("text", "Total", "Total", "")
    result = only(element("StaticText", name="result", label="", value="42"))
    assert (result.text, result.value) == ("42", "")
    counter = only(element("StaticText", label="Unread", value="7"))
    assert (counter.text, counter.value) == ("Unread", "7")


@pytest.mark.parametrize(
    ("inside", "text"),
    [
        ("", "Save"),
        (element("StaticText", label="Save"), "Save"),
        (element("Image", name="disk"), ""),
        (element("Image", name="disk") + element("StaticText", label="Save"), "Save"),
    ],
)
def test_a_button_with_a_picture_alone_has_no_text(inside: str, text: str) -> None:
    button = only(element("Button", inside, label="Save"))
    assert (button.text, button.label) == (text, "Save")


@pytest.mark.parametrize(("value", "checked"), [("1", True), ("0", False), ("", False)])
def test_a_switch_is_on_or_off(value: str, checked: bool) -> None:
    switch = only(element("Switch", label="Wi-Fi", value=value))
    assert (switch.role, switch.value, switch.has(NodeState.CHECKED)) == ("switch", value, checked)


def test_a_turning_indicator_does_not_say_how_far_it_is() -> None:
    assert only(element("ActivityIndicator", label="In progress", value="1")).value == ""
    assert only(element("ProgressIndicator", value="40%")).value == "40%"


def test_states() -> None:
    assert not only(element("Cell", visible="false")).visible
    assert not only(element("Cell", enabled="false")).enabled
    assert only(element("Cell", traits="Button, Selected")).has(NodeState.SELECTED)
    assert only(element("Other", traits="Button")).has(NodeState.CLICKABLE)
    assert not only(element("Other")).has(NodeState.CLICKABLE)


@pytest.mark.parametrize(
    ("size", "focus", "platform"),
    [
        (("390", "844"), "", "ios"),
        (("320", "480"), "", "ios"),
        (("1920", "1080"), "", "tvos"),
        (("960", "540"), "true", "tvos"),
        (("198", "242"), "", "watchos"),
    ],
)
def test_platforms_are_told_by_screen_and_focus(size: tuple[str, str], focus: str, platform: str) -> None:
    given = {"width": size[0], "height": size[1]} | ({"focused": focus} if focus else {})
    assert read(source(element("Window", **given), width=size[0], height=size[1])).platform == platform


def test_points_and_pixels(shot: Any) -> None:
    snapshot = read(source(element("Window")), picture=shot(1170, 2532))
    assert (snapshot.screen.scale, snapshot.screen.density, snapshot.screen.size) == (3.0, 3.0, Size(390, 844))
    turned = read(source(element("Window")), picture=shot(2532, 1170))
    assert any("turned" in note for note in turned.notes)


def test_landscape() -> None:
    assert read(source(element("Window"), width="844", height="390")).screen.orientation == "landscape_left"


def test_a_source_without_its_outermost_element() -> None:
    text = source(element("Button", label="OK")).partition("<AppiumAUT>")[2].replace("</AppiumAUT>", "")
    assert [node.role for node in read(text).nodes] == ["application", "button"]


def test_elements_without_a_place() -> None:
    app, button = "XCUIElementTypeApplication", '<XCUIElementTypeButton label="OK"/>'
    snapshot = read(f'<AppiumAUT><{app} name="A">{button}</{app}></AppiumAUT>')
    assert snapshot.nodes[1].label == "OK"
    assert "controls without bounds: 2" in snapshot.notes
    assert "controls without area: 2" not in snapshot.notes


def test_frames_that_are_no_numbers() -> None:
    odd = element("Cell", x="inf", width="NaN") + element("Cell", x="1e300", width="5") + element("Cell", y="12,5")
    snapshot = read(source(odd))
    assert [node.bounds for node in snapshot.nodes][1:3] == [Rect(0, 0, 0, 0)] * 2
    assert "controls with infinite bounds: 2, read as without area" in snapshot.notes
    assert snapshot.nodes[3].bounds == Rect(0, 12.5, 390, 856.5)


def test_raw_has_the_words_of_the_platform() -> None:
    assert only(element("Button", label="a &amp; b", hittable="true")).raw["hittable"] == "true"
