"""Android: one model of what uiautomator and Appium write differently."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pytest_apex.hierarchy.readers import read
from pytest_apex.hierarchy.readers.android_roles import role_of
from pytest_apex.model.geometry import Insets, Rect, Size
from pytest_apex.model.node import ROLES, NodeState

Make = Callable[..., str]


def only(text: str) -> Any:
    """The innermost node of a dump."""
    return read(text).nodes[-1]


def test_both_dialects_give_the_same(make: Make, make_dump: Make) -> None:
    flags = {"clickable": "true", "enabled": "true", "checkable": "false", "long-clickable": "true"}
    name = "android.widget.Button"
    ours = make(class_=name, text="Save", resource_id="com.example.notes:id/save", content_desc="", **flags)
    theirs = make(
        tag=name, class_=name, text="Save", resource_id="com.example.notes:id/save", displayed="true", **flags
    )
    left, right = only(make_dump(ours)), only(make_dump(theirs, width="100", height="200"))
    for field in ("role", "class_name", "text", "label", "identifier", "bounds", "states", "hint", "value"):
        assert getattr(left, field) == getattr(right, field), field
    assert (left.role, left.text, left.bounds) == ("button", "Save", Rect(0, 0, 100, 200))
    assert left.states == NodeState.ENABLED | NodeState.VISIBLE | NodeState.CLICKABLE | NodeState.LONG_CLICKABLE


def test_a_class_name_as_tag_is_the_class(make_dump: Make) -> None:
    found = only(make_dump('<android.widget.CheckBox checked="true" checkable="true" bounds="[1,2][3,4]" />'))
    assert (found.role, found.class_name) == ("checkbox", "android.widget.CheckBox")
    assert found.has(NodeState.CHECKED)


@pytest.mark.parametrize("name", ["visible-to-user", "displayed"])
def test_visibility_has_two_names_and_its_absence_says_nothing(make: Make, make_dump: Make, name: str) -> None:
    assert not only(make_dump(make(**{name: "false"}))).visible
    assert only(make_dump(make(**{name: "true"}))).visible
    assert only(make_dump(make())).visible


def test_what_is_not_told_is_neither_disabled_nor_checked(make: Make, make_dump: Make) -> None:
    assert only(make_dump(make())).states == NodeState.ENABLED | NodeState.VISIBLE
    assert only(make_dump(make(enabled="false", checked="true"))).states == NodeState.VISIBLE | NodeState.CHECKED


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("android.widget.TextView", "text"),
        ("androidx.appcompat.widget.AppCompatTextView", "text"),
        ("com.facebook.react.views.text.ReactTextView", "text"),
        ("android.widget.EditText", "text_field"),
        ("android.widget.AutoCompleteTextView", "text_field"),
        ("com.google.android.material.textfield.TextInputEditText", "text_field"),
        ("android.widget.ImageButton", "button"),
        ("com.google.android.material.floatingactionbutton.FloatingActionButton", "button"),
        ("com.google.android.material.chip.Chip", "button"),
        ("android.widget.ToggleButton", "switch"),
        ("androidx.appcompat.widget.SwitchCompat", "switch"),
        ("com.google.android.material.switchmaterial.SwitchMaterial", "switch"),
        ("android.widget.RadioButton", "radio"),
        ("com.example.ui.SeekBar3", "slider"),
        ("com.google.android.material.progressindicator.CircularProgressIndicator", "progress"),
        ("androidx.recyclerview.widget.RecyclerView", "list"),
        ("androidx.viewpager2.widget.ViewPager2", "scroll"),
        ("android.widget.Spinner", "picker"),
        ("android.app.ActionBar$Tab", "tab"),
        ("com.google.android.material.card.MaterialCardView", "card"),
        ("android.widget.ListPopupWindow$DropDownListView", "menu"),
        ("android.webkit.WebView", "web"),
        ("android.widget.Toast", "toast"),
        ("android.widget.LinearLayout", "group"),
        ("android.view.View", "other"),
        ("", "other"),
    ],
)
def test_roles_of_classes(name: str, role: str) -> None:
    assert role_of(name) == role
    assert role in ROLES


def test_generic_views_are_what_they_can_do(make: Make, make_dump: Make) -> None:
    def role(**given: str) -> str:
        return str(only(make_dump(make(**given))).role)

    assert role(checkable="true") == "checkbox"
    assert role(scrollable="true") == "scroll"
    assert role(**{"is-collection": "true"}) == "list"
    assert role(clickable="true", content_desc="Play") == "button"
    assert role(clickable="true") == "other"
    assert role(content_desc="Play") == "other"
    assert role(class_="android.widget.TextView", checkable="true") == "checkbox"
    assert role(editable="true") == "text_field"


def test_a_row_of_a_list_is_a_cell_and_one_of_a_tab_bar_a_tab(make: Make, make_dump: Make) -> None:
    row = make(class_="android.view.ViewGroup", clickable="true")
    listed = read(make_dump(make(row, class_="android.widget.ListView")))
    assert [found.role for found in listed.nodes] == ["list", "cell"]
    tabs = read(make_dump(make(row, class_="com.google.android.material.bottomnavigation.BottomNavigationView")))
    assert [found.role for found in tabs.nodes] == ["tab_bar", "tab"]


def test_clocks_and_videos_are_live(make: Make, make_dump: Make) -> None:
    for given in (
        {"class_": "android.widget.Chronometer"},
        {"class_": "android.widget.VideoView"},
        {"live_region": "1"},
    ):
        assert only(make_dump(make(**given))).has(NodeState.LIVE), given
    assert not only(make_dump(make(class_="android.widget.TextView", live_region="0"))).has(NodeState.LIVE)


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"text": "E-mail", "hint": "E-mail"}, ""),
        ({"text": "E-mail", "hint": "E-mail", "showing_hint": "true"}, ""),
        ({"text": "E-mail", "hint": "E-mail", "showing_hint": "false"}, "E-mail"),
        ({"text": "ada", "hint": "E-mail"}, "ada"),
        ({"text": "", "hint": "E-mail"}, ""),
    ],
)
def test_a_placeholder_is_no_text(make: Make, make_dump: Make, given: dict[str, str], text: str) -> None:
    field = only(make_dump(make(class_="android.widget.EditText", **given)))
    assert (field.text, field.hint) == (text, "E-mail")
    assert field.has(NodeState.EDITABLE)


def test_a_label_keeps_a_text_equal_to_its_hint(make: Make, make_dump: Make) -> None:
    assert only(make_dump(make(class_="android.widget.TextView", text="A", hint="A"))).text == "A"


def test_bullets_of_a_password_stay(make: Make, make_dump: Make) -> None:
    field = only(make_dump(make(class_="android.widget.EditText", password="true", text="••••")))
    assert (field.text, field.has(NodeState.PASSWORD)) == ("••••", True)


def test_where_a_slider_stands_is_its_value(make: Make, make_dump: Make) -> None:
    slider = only(make_dump(make(class_="android.widget.SeekBar", text="40.0")))
    assert (slider.value, slider.text) == ("40.0", "")
    flutter = only(make_dump(make(class_="android.widget.SeekBar", content_desc="38%")))
    assert (flutter.value, flutter.label) == ("38%", "38%")
    named = only(make_dump(make(class_="android.widget.SeekBar", content_desc="Volume")))
    assert (named.value, named.label) == ("", "Volume")


def test_an_invalid_field_says_so(make: Make, make_dump: Make) -> None:
    assert only(make_dump(make(**{"content-invalid": "true"}))).has(NodeState.INVALID)


def test_raw_has_the_words_of_the_platform(make: Make, make_dump: Make) -> None:
    text = make_dump(make(make(text="a &amp; b&#10;c", drawing_order="3") + make(NAF="true")))
    snapshot = read(text)
    assert snapshot.nodes[1].raw["text"] == "a & b\nc"
    assert snapshot.nodes[1].raw["drawing-order"] == "3"
    assert snapshot.nodes[2].raw["NAF"] == "true"


class TestWindows:
    """Whose they are, of what kind, in which order."""

    def test_system_windows_lie_above_whatever_the_order_in_the_file(self, make: Make, make_dump: Make) -> None:
        bar = make(package="com.android.systemui", bounds="[0,0][100,10]", content_desc="bar")
        app = make(text="app")
        keys = make(package="com.google.android.inputmethod.latin", bounds="[0,120][100,200]", content_desc="keys")
        snapshot = read(make_dump(bar, keys, app))
        assert [(window.app, window.kind) for window in snapshot.windows] == [
            ("com.example.notes", "application"),
            ("com.google.android.inputmethod.latin", "keyboard"),
            ("com.android.systemui", "status_bar"),
        ]
        assert [found.text or found.label for found in snapshot.nodes] == ["app", "keys", "bar"]
        assert [found.window.kind for found in snapshot.nodes] == ["application", "keyboard", "status_bar"]
        assert [found.raw.get("content-desc", "") for found in snapshot.nodes] == ["", "keys", "bar"]
        assert (snapshot.app.id, [window.focused for window in snapshot.windows]) == (
            "com.example.notes", [True, False, False],
        )  # fmt: skip
        assert snapshot.screen.insets == Insets(top=10)

    def test_nodes_keep_their_trees_when_windows_are_sorted(self, make: Make, make_dump: Make) -> None:
        bar = make(make(text="12:00") + make(text="5G"), package="com.android.systemui", bounds="[0,0][100,10]")
        app = make(make(make(text="deep")))
        snapshot = read(make_dump(bar, app))
        assert [found.parent.index if found.parent else None for found in snapshot.nodes] == [None, 0, 1, None, 3, 3]
        assert [found.text for found in snapshot.nodes[3].descendants] == ["12:00", "5G"]

    @pytest.mark.parametrize(
        ("given", "kind"),
        [
            ({"package": "com.android.systemui"}, "system"),
            ({"package": "com.google.android.apps.nexuslauncher"}, "launcher"),
            ({"package": "com.google.android.permissioncontroller"}, "dialog"),
            ({"package": "com.samsung.android.honeyboard", "bounds": "[0,120][100,200]"}, "keyboard"),
            ({"package": "com.samsung.android.honeyboard"}, "application"),
            ({"package": "android", "bounds": "[10,50][90,120]"}, "dialog"),
            ({"package": "android"}, "application"),
            ({"bounds": "[10,50][90,120]"}, "dialog"),
            ({"bounds": "[0,100][100,200]"}, "application"),
            ({"class_": "android.widget.Toast", "bounds": "[0,0][0,0]"}, "toast"),
            ({}, "application"),
        ],
    )
    def test_kinds(self, make: Make, make_dump: Make, given: dict[str, str], kind: str) -> None:
        snapshot = read(make_dump(make(package="com.example.below"), make(**given), width="100", height="200"))
        assert kind in [window.kind for window in snapshot.windows if window.app != "com.example.below"]

    def test_what_uiautomator_tells_of_windows_counts(self, make: Make) -> None:
        def window(inside: str, **told: str) -> str:
            words = " ".join(f'{name}="{value}"' for name, value in told.items())
            return f'<window index="0" {words}><hierarchy rotation="1">{inside}</hierarchy></window>'

        keys = make(text="keys", package="com.example.kb", bounds="[0,50][200,100]")
        windows = (
            window(make(text="bar", package="com.android.systemui", bounds="[0,0][200,6]"), layer="4", title="Bar"),
            window(keys, layer="3", type="TYPE_INPUT_METHOD"),
            window(make(make(text="app"), bounds="[0,0][200,100]"), layer="1", title="Notes", focused="true"),
            window(make(text="over", package="com.example.over", bounds="[0,0][200,100]"), layer="2", focused="false"),
        )
        first = f'<display id="0">{"".join(windows)}</display>'
        second = f'<display id="7">{window(make(text="elsewhere"), layer="0")}</display>'
        snapshot = read(f"<?xml version='1.0'?><displays>{second}{first}</displays>")
        assert [(one.app, one.kind, one.title, one.focused) for one in snapshot.windows] == [
            ("com.example.notes", "application", "Notes", True),
            ("com.example.over", "application", "", False),
            ("com.example.kb", "keyboard", "", False),
            ("com.android.systemui", "status_bar", "Bar", False),
        ]
        assert [node.text for node in snapshot.nodes] == ["", "app", "over", "keys", "bar"]
        assert [node.parent is None for node in snapshot.nodes] == [True, False, True, True, True]
        assert (snapshot.app.id, snapshot.screen.rotation) == ("com.example.notes", 1)
        assert snapshot.nodes[2].raw["text"] == "over"
        assert snapshot.notes == ("there are 2 displays: number 0 is read",)

    def test_windows_without_layers_lie_by_their_kind(self, make: Make) -> None:
        bar = make(text="bar", package="com.android.systemui", bounds="[0,0][100,6]")
        inside = "".join(f"<window><hierarchy>{tree}</hierarchy></window>" for tree in (bar, make(text="app")))
        snapshot = read(f"<displays><display>{inside}</display></displays>")
        assert [node.text for node in snapshot.nodes] == ["app", "bar"]
        assert len(read("<displays></displays>")) == 0

    def test_a_dialog_has_its_title(self, make: Make, make_dump: Make) -> None:
        title = make(resource_id="android:id/alertTitle", text="Notes isn't responding")
        snapshot = read(make_dump(make(title, package="android")))
        assert (snapshot.windows[0].kind, snapshot.windows[0].title) == ("dialog", "Notes isn't responding")

    def test_a_dialog_of_the_apps_own_kind_lies_over_it(self, make: Make, make_dump: Make) -> None:
        title = make(resource_id="com.example.notes:id/alertTitle", text="Forgot your password?")
        snapshot = read(make_dump(make(title), make(text="below")))
        assert [window.kind for window in snapshot.windows] == ["application", "dialog"]
        assert snapshot.windows[1].title == "Forgot your password?"

    def test_the_window_with_the_focus_is_in_front(self, make: Make, make_dump: Make) -> None:
        left = make(make(focused="true", class_="android.widget.EditText"), package="com.example.left")
        right = make(package="com.example.right")
        assert read(make_dump(left, right)).app.id == "com.example.left"
        assert read(make_dump(make(package="com.example.left"), right)).app.id == "com.example.right"


class TestScreen:
    """Its size, rotation and scale."""

    def test_the_root_tells_the_size(self, make: Make, make_dump: Make) -> None:
        assert read(make_dump(make(bounds="[10,10][50,50]"), width="1080", height="2088")).screen.size == Size(
            1080, 2088
        )

    def test_else_the_windows_reach_as_far(self, make: Make, make_dump: Make) -> None:
        assert read(make_dump(make(bounds="[176,0][2000,1128]"))).screen.size == Size(2000, 1128)

    def test_a_dialog_alone_lies_in_the_middle(self, make: Make, make_dump: Make) -> None:
        snapshot = read(make_dump(make(bounds="[28,980][1052,1420]")))
        assert snapshot.screen.size == Size(1080, 2400)
        assert any("estimated" in note for note in snapshot.notes)

    def test_a_picture_knows_better(self, make: Make, make_dump: Make, shot: Any) -> None:
        dialog = make_dump(make(bounds="[28,983][1052,1489]"))
        assert read(dialog, picture=shot(1080, 2400)).screen.size == Size(1080, 2400)
        short = make_dump(make(bounds="[0,0][1080,2088]"))
        snapshot = read(short, picture=shot(1080, 2280))
        assert (snapshot.screen.size, snapshot.screen.scale, snapshot.notes) == (Size(1080, 2280), 1.0, ())

    def test_a_smaller_picture_has_a_scale(self, make: Make, make_dump: Make, shot: Any) -> None:
        snapshot = read(make_dump(make(bounds="[0,0][1080,2400]")), picture=shot(540, 1200))
        assert (snapshot.screen.size, snapshot.screen.scale) == (Size(1080, 2400), 0.5)

    @pytest.mark.parametrize(("size", "why"), [((320, 640), "different moments"), ((2400, 1080), "turned")])
    def test_a_picture_that_does_not_fit_is_named(
        self, make: Make, make_dump: Make, shot: Any, size: tuple[int, int], why: str
    ) -> None:
        snapshot = read(make_dump(make(bounds="[0,0][1080,2400]")), picture=shot(*size))
        assert any(why in note for note in snapshot.notes)

    @pytest.mark.parametrize(
        ("bounds", "rotation", "orientation"),
        [
            ("[0,0][100,200]", "0", "portrait"),
            ("[0,0][200,100]", "1", "landscape_left"),
            ("[0,0][100,200]", "2", "portrait_upside_down"),
            ("[0,0][200,100]", "3", "landscape_right"),
            ("[0,0][1920,1080]", "0", "landscape_left"),
            ("[0,0][100,200]", "north", "portrait"),
        ],
    )
    def test_rotation(self, make: Make, make_dump: Make, bounds: str, rotation: str, orientation: str) -> None:
        screen = read(make_dump(make(bounds=bounds), rotation=rotation)).screen
        assert screen.orientation == orientation
        assert screen.rotation == (int(rotation) if rotation.isdigit() else 0)

    def test_strips_behind_the_system_bars_are_insets(self, make: Make, make_dump: Make) -> None:
        strips = make(resource_id="android:id/statusBarBackground", bounds="[0,0][100,8]") + make(
            resource_id="android:id/navigationBarBackground", bounds="[0,190][100,200]"
        )
        assert read(make_dump(make(strips))).screen.insets == Insets(top=8, bottom=10)
