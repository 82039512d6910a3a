"""App files: what is read, and every mistake with its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_apex.errors import AppFileError
from pytest_apex.phone import parts
from pytest_apex.phone.app import load_app
from pytest_apex.phone.faults import KNOWN_FAULTS
from pytest_apex.phone.parts import AppFile

ROOT = Path(__file__).parents[2]
SMALL = "app: com.example.a\nname: A\nstart: s\nscreens:\n  s:\n    controls:\n"


def mistakes(source: str) -> list[str]:
    with pytest.raises(AppFileError) as caught:
        load_app(source, "a.yaml")
    return [str(item) for item in caught.value.mistakes]


def control(text: str) -> list[str]:
    """The mistakes of one control, without file and path."""
    return [
        item.partition("  ")[2].partition(": ")[2] for item in mistakes(f"{SMALL}      - {text}\ndata: {{v: 1, l: []}}")
    ]


@pytest.mark.parametrize("path", ["examples/notes_app/app.yaml", "fixtures/virtual_apps/gallery.yaml"])
def test_the_apps_we_ship_have_no_mistakes(path: str) -> None:
    assert load_app((ROOT / path).read_bytes(), path).screens


def test_ten_mistakes_are_reported_at_once_with_their_places() -> None:
    source = """\
app: com.example.a
name: [A]
start: hoem
colors: {primary: blue}
data: {user: "", rows: []}
screens:
  home:
    tilte: Home
    controls:
      - {role: buton, text: Save}
      - {role: text, text: [Save]}
      - {role: text, text: "Hello {usr}"}
      - {role: button, text: Go, on_tap: {goto: settings}}
      - {role: text_field, hint: Name}
      - {role: text, text: Red, color: "#12"}
faults:
  dead_buton: {control: save}
"""
    assert mistakes(source) == [
        "a.yaml:2:7  name: expected text, got a list",
        'a.yaml:3:8  start: unknown screen "hoem"; did you mean "home"?',
        'a.yaml:4:19  colors.primary: "blue" is not a colour such as "#0057B8"',
        'a.yaml:8:5  screens.home: unknown key "tilte"; did you mean "title"?',
        'a.yaml:10:16  screens.home.controls[0].role: unknown role "buton"; did you mean "button"?',
        "a.yaml:11:28  screens.home.controls[1].text: expected text, got a list",
        'a.yaml:12:28  screens.home.controls[2].text: unknown variable "usr"; did you mean "user"?',
        'a.yaml:13:49  screens.home.controls[3].on_tap.goto: unknown screen "settings"; known: home',
        'a.yaml:14:9  screens.home.controls[4]: the key "bind" is missing: the variable that the text_field changes',
        'a.yaml:15:40  screens.home.controls[5].color: unknown colour "#12"; known: background, disabled, error, '
        "inverse, muted, on_disabled, on_inverse, on_primary, outline, primary, soft, surface, text",
        'a.yaml:17:15  faults.dead_buton: unknown fault "dead_buton"; did you mean "dead_button"?',
    ]


@pytest.mark.parametrize(
    ("written", "what"),
    [
        ("{role: text, hint: h}", 'a text has no "hint"; it belongs to text_field'),
        ("{role: button, controls: []}", 'a button has no "controls"; it belongs to card or cell or group or list'),
        ("{role: list, controls: []}", 'the key "items" is missing: the variable whose rows the list shows'),
        ("{role: list, items: v}", 'the variable "v" is not a list'),
        ("{role: text, text: 'a { b'}", 'a single "{" at character 3; write it twice for a brace'),
        ("{role: text, text: '{v|sum}'}", 'unknown filter "sum"; known: clock, count, lower, name, upper'),
        ("{role: text, style: chip}", 'unknown style "chip"; known: body, caption, headline, label, title'),
        ("{role: text, visible_when: {}}", "an empty condition; known: filled, empty, equal, unequal"),
        (
            "{role: text, visible_when: {filled: w}}",
            'unknown variable "w"; known: args, env, l, now, online, pid, v, version',
        ),
        ("{role: button, on_tap: bakc}", 'unknown effect "bakc"; did you mean "back"?'),
        ("{role: button, on_tap: 7}", "expected an effect such as back or {goto: screen}, got a number"),
        ("{role: button, on_tap: {set: {w: 1}}}", 'unknown variable "w"; known: l, v'),
        ("{role: button, on_tap: {append: l}}", 'the key "item" is missing: the fields of what is appended'),
        ("{role: button, on_tap: {load: -1}}", "-1 is out of range: at least 0"),
        ("{role: button, on_tap: {ask: sleep}}",
         'unknown permission "sleep"; known: camera, contacts, location, microphone, notifications'),
        ("{role: button, on_tap: {goto: s, fast: true}}", 'unknown key "fast"; known: goto'),
        ("{role: list, items: l, scroll: true}", "a list scrolls by itself only on a screen with scroll: false"),
        ("{text: no role}", 'the key "role" is missing'),
        ("{role: icon, icon: dragon}", None),
    ],
)  # fmt: skip
def test_each_wrong_control_is_told_what_is_wrong(written: str, what: str | None) -> None:
    found = control(written)
    assert len(found) == 1
    assert found[0] == what if what else "dragon" in found[0]


@pytest.mark.parametrize(
    ("place", "what"),
    [
        ("dead_button: {control: sav}", 'faults.dead_button.control: unknown control "sav"; did you mean "save"?'),
        ("dead_button: {}", 'faults.dead_button: the key "control" is missing'),
        ("dead_button: {control: save, to: s}", 'faults.dead_button: unknown key "to"; known: control'),
        ("blank: {screen: x}", 'faults.blank.screen: unknown screen "x"; known: s'),
        ("wrong_color: {control: save, color: bleu}", "faults.wrong_color.color: unknown colour"),
        ("missing_data: {control: save, item: -1}", "faults.missing_data.item: -1 is out of range: at least 0"),
        ("empty_list: {data: v}", 'faults.empty_list.data: the variable "v" is not a list'),
    ],
)
def test_a_fault_must_sit_somewhere(place: str, what: str) -> None:
    source = f"{SMALL}      - {{role: button, id: save, text: Save}}\ndata: {{v: 1}}\nfaults:\n  {place}\n"
    found = mistakes(source)
    assert len(found) == 1
    assert what in found[0]


def test_a_row_knows_its_own_name_and_only_there() -> None:
    rows = "      - {role: list, items: l, as: row, controls: [{role: text, text: '{row.t}'}]}\n"
    assert load_app(f"{SMALL}{rows}data: {{l: [{{t: x}}]}}", "a.yaml").screens["s"].controls[0].item_name == "row"
    outside = f"{SMALL}{rows}      - {{role: text, text: '{{row.t}}'}}\ndata: {{l: []}}"
    assert len(mistakes(outside)) == 1


def test_what_is_read_is_what_is_written(notes_app: AppFile) -> None:
    save = next(c for c in notes_app.screens["editor"].controls[2].controls if c.id == "save")
    assert notes_app.size == parts.ScreenSize(540, 1200, 1.5)
    assert notes_app.colors["primary"] == (0x00, 0x57, 0xB8)
    assert save.enabled_when is not None
    assert save.enabled_when.filled == ("draft_title",)
    assert [type(effect) for effect in save.on["tap"]] == [parts.Append, parts.WriteLog, parts.Back, parts.Toast]


def test_the_demo_app_places_every_fault(notes_app: AppFile) -> None:
    assert set(notes_app.faults) == set(KNOWN_FAULTS)


def test_the_page_on_app_files_names_every_fault_role_effect_and_key() -> None:
    page = (ROOT / "fixtures/virtual_apps/README.md").read_text(encoding="utf-8")
    from pytest_apex.phone import app, read_effects

    words = {*KNOWN_FAULTS, *parts.CONTROL_ROLES, *read_effects.WORDS, *read_effects._KINDS, *parts.TEXT_STYLES}
    words |= {*app._ROOT_KEYS, *app._SCREEN_KEYS, *parts.BUTTON_STYLES, *parts.TRANSITIONS}
    words |= {key for key in app._CONTROL_KEYS if not key.startswith("on_")}
    assert [word for word in sorted(words) if word not in page] == []
