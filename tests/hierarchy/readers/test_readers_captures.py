"""What is read from real hierarchies: counts, texts, roles, states, and where a finger would land."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from pytest_apex.errors import SourceError
from pytest_apex.hierarchy.hit import find_hit
from pytest_apex.hierarchy.readers import read
from pytest_apex.model.geometry import Insets, Point, Size
from pytest_apex.model.look import Hit, Obscured
from pytest_apex.model.node import Node, NodeState
from pytest_apex.model.snapshot import Snapshot

Capture = Callable[[str], Path]
INDEX = Path(__file__).parents[3] / "fixtures" / "captures" / "INDEX.csv"


@dataclass(frozen=True)
class Pin:
    """`roles` are some of the counts; `texts` are the first texts or labels, in document order."""

    nodes: int
    app: str
    size: tuple[int, int]
    roles: dict[str, int]
    texts: tuple[str, ...]


PINS = {
    "anr_pixel_launcher": Pin(
        12, "android", (1080, 2472), {"button": 2, "text": 1}, ("Pixel Launcher isn't responding", "Close app", "Wait")
    ),
    "anr_shirates": Pin(12, "android", (1080, 2088), {"button": 2}, ("Settings isn't responding", "Close app", "Wait")),
    "permission_notifications": Pin(
        13,
        "com.google.android.permissioncontroller",
        (1080, 2473),
        {"button": 2, "scroll": 1},
        ("Allow Antigravity Remote to send you notifications?", "Allow", "Don’t allow"),
    ),
    "flutter_catalog": Pin(
        25,
        "com.fractals.flutter_fractals",
        (1080, 2400),
        {"button": 9, "text_field": 1, "scroll": 1},
        ("Fractal Catalog", "3D", "Mandelbulb fractal, 3D. Double tap to open.\n3D\nMandelbulb\n3D"),
    ),
    "flutter_controls_sheet": Pin(
        35, "com.fractals.flutter_fractals", (1080, 2400), {"slider": 2, "button": 11}, ("Dismiss", "Controls")
    ),
    "compose_banjo_tuner": Pin(
        23,
        "com.makingiants.android.banjotuner",
        (1280, 2856),
        {"button": 6, "text": 1},
        ("4th string, note D3. Double tap to play.",),
    ),
    "compose_chat_generating": Pin(
        27, "com.example.localagent", (1080, 2400), {"text_field": 1}, ("hello", " ", "Local Agent", "Generating...")
    ),
    "views_settings_form": Pin(
        27,
        "erl.webdavtoon",
        (1080, 2376),
        {"switch": 1, "text_field": 4, "button": 2},
        ("转到上一层级", "Settings", "WebDAV Configuration", "Enable WebDAV"),
    ),
    "rn_forms_screen": Pin(
        68,
        "com.wdiodemoapp",
        (1080, 2424),
        {"switch": 1, "text_field": 2, "button": 10, "text": 26},
        ("Forms-screen", "Form components", "Input field:"),
    ),
    "rtl_pharmacy_home": Pin(
        120, "com.unitedpharmacy.app", (1080, 2156), {"button": 13, "text": 42}, ("United Pharmacy",)
    ),
    "tv_saved_grid": Pin(56, "com.philo.philo", (1920, 1080), {"list": 2, "cell": 6}, ("Saved", "Recently Aired")),
    "settings_datetime_ja": Pin(
        51, "com.android.settings", (1080, 2088), {"switch": 3, "cell": 9, "list": 1}, ("日付と時刻", "上へ移動")
    ),
    "appium_theapp_login": Pin(
        21, "io.cloudgrey.the_app", (1080, 1920), {"text_field": 2, "button": 1}, ("Login", "alice", "•••••••••")
    ),
    "appium_old_notepad": Pin(
        7,
        "com.example.android.notepad",
        (480, 800),
        {"text_field": 1, "text": 3},
        ("New note, Navigate home", "New note"),
    ),
    "clock_world_stopwatch": Pin(
        23, "com.google.android.apps.nexuslauncher", (1080, 2400), {"text": 10}, ("Sun, Oct 15", "Gmail")
    ),
    "systemui_notification_shade": Pin(
        155, "com.android.systemui", (1080, 2424), {"checkbox": 4, "button": 10}, ("Appium Settings",)
    ),
    "huawei_launcher_chinese": Pin(13, "com.huawei.android.launcher", (720, 1280), {"text": 7}, ("第 1 屏，共 4 屏",)),
    "select_string_concatenated_dumps": Pin(
        60, "com.wdiodemoapp", (1080, 2424), {"text_field": 2, "button": 10}, ("Login-screen", "Login / Sign up Form")
    ),
    "ios_theapp_login_keyboard": Pin(
        30, "", (414, 896), {"text_field": 2, "key": 1, "window": 2}, ("TheApp", "The App")
    ),
    "ios_settings_top": Pin(
        93, "", (390, 844), {"cell": 15, "list": 1}, ("Settings", "Settings", "Sign in to your iPhone")
    ),
    "ios_settings_accessibility": Pin(60, "", (375, 667), {"cell": 6}, ("Settings", "Settings", "Accessibility")),
    "deviceinteraction_alert": Pin(
        34, "com.example.probe.app", (402, 874), {"alert": 1, "button": 2}, ("Probe", "Alert title, with 'quotes'")
    ),
    "deviceinteraction_safari": Pin(
        67, "com.apple.mobilesafari", (402, 874), {"window": 2, "web": 3, "link": 1}, ("Safari", "Example Domain")
    ),
    "written_debug_description": Pin(
        9, "com.example.notes", (390, 844), {"text_field": 2, "switch": 1}, ("Notes", "Sign in", "ada@example.com")
    ),
}


@pytest.mark.parametrize("name", PINS)
def test_what_is_read(capture: Capture, name: str) -> None:
    snapshot, pin = read(capture(name)), PINS[name]
    assert (len(snapshot), snapshot.app.id, snapshot.screen.size) == (pin.nodes, pin.app, Size(*pin.size))
    roles = Counter(node.role for node in snapshot.nodes)
    assert {role: roles[role] for role in pin.roles} == pin.roles
    texts = [node.text or node.label for node in snapshot.nodes if node.text or node.label]
    assert tuple(texts[: len(pin.texts)]) == pin.texts


def rows() -> list[dict[str, str]]:
    with INDEX.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


@pytest.mark.parametrize("row", rows(), ids=lambda row: row["file"])
def test_each_capture_is_treated_as_its_kind_says(row: dict[str, str]) -> None:
    path = INDEX.parent / row["file"]
    if "_other_" in row["kind"]:
        with pytest.raises(SourceError, match="this is"):
            read(path)
    else:
        assert len(read(path)) > 0
    assert row["licence"]
    assert row["source_repo"] or path.parent.name.startswith("written_")


def test_the_index_names_every_capture() -> None:
    files = {path.relative_to(INDEX.parent).as_posix() for path in INDEX.parent.glob("*/*")}
    pictures = {row["file"].replace("tree.xml", "screen.png") for row in rows() if "picture: " in row["note"]}
    assert files == {row["file"] for row in rows()} | pictures


def named(snapshot: Snapshot, word: str, role: str = "") -> Node:
    """The innermost control with these words (or id)."""
    return [
        node
        for node in snapshot.nodes
        if word in (node.text, node.label, node.identifier.rpartition("/")[2]) and role in ("", node.role)
    ][-1]


@pytest.mark.parametrize(
    ("name", "word", "point"),
    [
        ("anr_pixel_launcher", "Wait", Point(540, 1363)),
        ("permission_notifications", "Allow", Point(540, 1308)),
        ("compose_banjo_tuner", "3rd string, note G3. Double tap to play.", Point(492, 1392)),
        ("views_settings_form", "Enable WebDAV", Point(540, 494)),
        ("tv_saved_grid", "Cook's Country", Point(437, 366)),
        ("ios_settings_top", "General", Point(94, 270)),
        ("deviceinteraction_alert", "Delete", Point(275, 487)),
        ("deviceinteraction_safari", "BackButton", Point(58, 816)),
        ("written_debug_description", "login", Point(195, 724)),
    ],
)
def test_where_a_finger_lands(capture: Capture, name: str, word: str, point: Point) -> None:
    snapshot = read(capture(name))
    hit = find_hit(snapshot, named(snapshot, word))
    assert isinstance(hit, Hit)
    assert hit.point.distance(point) <= 3


def test_xcodes_own_hit_points_agree(capture: Capture) -> None:
    """Apple's point is the middle of what is visible; ours lies in the same control, for all that can be touched."""
    for name in ("deviceinteraction_alert", "deviceinteraction_safari"):
        snapshot = read(capture(name))
        for node in (node for node in snapshot.nodes if node.role in ("button", "link", "text_field")):
            x, y = (float(number) for number in node.raw["hitPoint"].strip("{}").split(", "))
            hit = find_hit(snapshot, node)
            assert isinstance(hit, Hit), node
            assert hit.point.distance(Point(x, y)) < 1.5, node


def test_a_row_below_the_fold_is_off_the_screen(capture: Capture) -> None:
    snapshot = read(capture("ios_settings_top"))
    row = named(snapshot, "Developer", "cell")
    assert not row.visible
    found = find_hit(snapshot, row)
    assert isinstance(found, Obscured)
    assert found.why == "off_screen"


def test_fields_and_their_placeholders(capture: Capture) -> None:
    form = read(capture("views_settings_form"))
    assert [(node.text, node.hint) for node in form.nodes if node.role == "text_field"] == [
        ("", "WebDAV URL"),
        ("", "Username"),
        ("", "Password"),
        ("2", "瀑布流列数 (Columns)"),
    ]
    assert [node.has(NodeState.PASSWORD) for node in form.nodes if node.role == "text_field"] == [
        False, False, True, False,
    ]  # fmt: skip
    react = next(node for node in read(capture("rn_forms_screen")).nodes if node.role == "text_field")
    assert (react.text, react.hint, react.label) == ("", "Type something", "text-input")
    typed = next(node for node in read(capture("flutter_text_entered_newline")).nodes if node.role == "text_field")
    assert typed.text == "Ecrivez-un-poeme-d\nBonjour-comment-va-tu-aujourdhui\n"


def test_values_of_sliders_and_switches(capture: Capture) -> None:
    sheet = read(capture("flutter_controls_sheet"))
    assert [node.value for node in sheet.nodes if node.role == "slider"] == ["38%", "33%"]
    settings = read(capture("settings_datetime_ja"))
    switches = [node for node in settings.nodes if node.role == "switch"]
    assert [node.has(NodeState.CHECKED) for node in switches] == [True, True, False]
    assert not any(node.has(NodeState.CLICKABLE) for node in switches)


def test_windows_and_insets(capture: Capture) -> None:
    clock = read(capture("clock_world_stopwatch"))
    assert [(window.app, window.kind) for window in clock.windows] == [
        ("com.google.android.apps.nexuslauncher", "launcher"),
        ("com.android.systemui", "status_bar"),
    ]
    assert clock.screen.insets == Insets(top=128)
    assert "the dump does not name packages: taken from the resource ids" in clock.notes
    assert read(capture("flutter_catalog")).screen.insets == Insets(bottom=63)
    dialog = read(capture("anr_shirates")).windows[0]
    assert (dialog.kind, dialog.title) == ("dialog", "Settings isn't responding")
    asked = read(capture("permission_notifications")).windows[0]
    assert (asked.kind, asked.title) == ("dialog", "Allow Antigravity Remote to send you notifications?")


def test_glyphs_and_scripts_arrive_whole(capture: Capture) -> None:
    icons = [node.text for node in read(capture("rn_forms_screen")).nodes if node.text and ord(node.text[0]) > 0xF0000]
    assert len(icons) >= 6
    languages = [node.label for node in read(capture("settings_languages")).nodes]
    assert "Japanese (Japan)" in languages


def test_what_a_redirected_file_went_through_is_told(capture: Capture) -> None:
    notes = read(capture("select_string_concatenated_dumps")).notes
    assert notes[:3] == (
        "the file is UTF-8 with a byte order mark",
        "there are 4 trees in the file: the last is read",
        "there is text around the tree, ignored",
    )


def test_a_cut_page_source(capture: Capture) -> None:
    snapshot = read(capture("written_appium_cut"))
    assert [node.role for node in snapshot.nodes] == ["application", "window", "alert", "button"]
    assert "the file ends in the middle of a tag, which was left out" in snapshot.notes


def test_an_element_of_safari(capture: Capture) -> None:
    snapshot = read(capture("deviceinteraction_safari"))
    address = named(snapshot, "TabBarItemTitle")
    assert (address.role, address.label, address.text) == ("text_field", "Address", "example.com")
    assert not named(snapshot, "BackButton").enabled
    assert named(snapshot, "Learn more", "link").has(NodeState.FOCUSED)
    assert "elements listed twice: 3, taken once" in snapshot.notes
    assert snapshot.app.pid == 4985
