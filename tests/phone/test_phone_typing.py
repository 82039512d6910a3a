"""Fields that format and limit what is typed, keystrokes that lose their field, the power key, secondary actions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pytest_apex.errors import CapabilityMissing
from pytest_apex.phone.formats import FORMATS

APP = """
app: com.example.fields
name: Fields
start: home
size: {width: 360, height: 1400, density: 1.0}
data: {plain: "", card: "", short: "", lines: "", code: "", sent: "", told: nothing}
screens:
  home:
    transition: none
    controls:
      - {role: text_field, id: plain, bind: plain}
      - {role: text_field, id: card, bind: card, format: card, max_length: 9}
      - {role: text_field, id: lines, bind: lines, lines: 3}
      - {role: text_field, id: short, bind: short, max_length: 3, on_change: {set: {told: "{short}"}}}
      - {role: text_field, id: code, bind: code, on_change: {if: {equal: {code: "12"}}, then: [{goto: next}]}}
      - {role: text_field, id: sent, bind: sent, on_submit: {set: {told: "sent {sent}"}}}
      - {role: button, id: more, text: More, actions: {open: {goto: next}, tell: {set: {told: more}}}}
      - {role: text, id: told, text: "{told}"}
  next:
    transition: none
    controls: [{role: text_field, id: after, bind: plain}]
faults:
  lost_letter: {control: plain, item: 2, text: z}
"""


@pytest.fixture
def fields(run_app: Callable[..., Any]) -> Any:
    return run_app(APP)


def typed(driver: Any, control: str, text: str) -> str:
    driver.tap(control)
    assert driver.phone.type_text(text)
    return str(driver.node(control).text) if driver.has(control) else ""


@pytest.mark.parametrize(
    ("name", "text", "becomes"),
    [
        ("card", "41111", "4111 1"),
        ("card", "4111 1", "4111 1"),
        ("phone", "555", "555"),
        ("phone", "5551", "(555) 1"),
        ("phone", "(555) 1234567890", "(555) 123-4567"),
        ("digits", "a1b2", "12"),
        ("capital", "ada", "Ada"),
        ("capital", "", ""),
    ],
)
def test_formats(name: str, text: str, becomes: str) -> None:
    assert FORMATS[name](text) == becomes
    assert FORMATS[name](becomes) == becomes


def test_a_field_formats_and_limits_while_one_types(fields: Any) -> None:
    assert typed(fields, "card", "4111111111") == "4111 1111"
    assert typed(fields, "short", "abcd") == "abc"
    assert fields.node("told").text == "abc"


def test_a_return_is_the_enter_key(fields: Any) -> None:
    assert typed(fields, "lines", "a\nb") == "a\nb"
    assert typed(fields, "plain", "a\nb") == "ab"
    assert typed(fields, "sent", "hi\n") == "hi"
    assert fields.node("told").text == "sent hi"


def test_keystrokes_end_where_the_field_loses_the_focus(fields: Any) -> None:
    before = fields.now
    typed(fields, "code", "123456")
    assert fields.phone.machine.front.value("code") == "12"
    assert fields.node("after").text == ""
    assert fields.now - before < 1


def test_a_letter_that_arrives_as_another(run_app: Callable[..., Any]) -> None:
    assert typed(run_app(APP, fault="lost_letter"), "plain", "abcdcd") == "abzdcd"
    assert typed(run_app(APP), "plain", "abcdcd") == "abcdcd"


@pytest.mark.parametrize("platform", ["android", "ios"])
def test_a_control_offers_its_actions(run_app: Callable[..., Any], platform: str) -> None:
    driver = run_app(APP, platform=platform)
    tree = driver.phone.tree()
    node = driver.node("more")
    assert node.actions == ("open", "tell")
    assert list(tree.actions) == [node.index]
    driver.phone.do_action(node.index, "tell")
    assert driver.node("told").text == "more"
    driver.phone.do_action(node.index, "open")
    assert driver.has("after")
    driver.phone.do_action(9999, "open")
    assert driver.has("after")


def test_asleep_it_is_black_and_takes_nothing(fields: Any) -> None:
    phone = fields.phone
    fields.tap("plain")
    lit = phone.frame().key
    phone.press("power")
    assert not phone.screen().awake
    assert phone.frame().pixels().getcolors() == [(360 * 1400, (0, 0, 0))]
    assert phone.type_text("x") is False
    assert phone.clear_text() is False
    fields.tap("more")
    phone.press("enter")
    phone.press("back")
    assert not phone.recognised or phone.recognised[-1].y != fields.node("more").bounds.center.y
    phone.press("power")
    assert phone.frame().key == lit
    assert phone.type_text("x") is True


def test_a_finger_that_is_down_while_it_falls_asleep_means_nothing(fields: Any) -> None:
    at = fields.node("more").bounds.center
    fields.phone.recognised.clear()
    fields.phone.clock.after(0.05, lambda: fields.phone.machine.set_awake(False))
    fields.tap_at(at.x, at.y, ms=100)
    fields.phone.set_awake(True)
    fields.tap("plain")
    assert [(gesture.kind, gesture.y) for gesture in fields.phone.recognised] == [
        ("tap", fields.node("plain").bounds.center.y)
    ]


@pytest.mark.parametrize("platform", ["tvos", "watchos"])
def test_what_only_phones_can(run_app: Callable[..., Any], platform: str) -> None:
    phone = run_app(APP, platform=platform).phone
    for act in (lambda: phone.do_action(0, "open"), phone.hide_keyboard, lambda: phone.set_awake(False)):
        with pytest.raises(CapabilityMissing):
            act()
