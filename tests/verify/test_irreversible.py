"""What is caught, what allows it, and the list for every app: on values."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_apex.model.geometry import Point, Rect
from pytest_apex.model.manual import Tier
from pytest_apex.model.node import Node, NodeState
from pytest_apex.verify.critical import CRITICAL, POWER_HOLD_MS, critical_here
from pytest_apex.verify.guard import destructive_word, warning_word
from pytest_apex.verify.irreversible import (
    ANY_KEY,
    Act,
    Leave,
    Listed,
    Spot,
    caught,
    complaint,
    fits,
    is_allowed,
    slug,
    usual,
)

CLICK = NodeState.VISIBLE | NodeState.ENABLED | NodeState.CLICKABLE
BOX = Listed("region:0,0,500,500", Tier.NORMAL, "m.yaml:1:1", box=Rect(0, 0, 100, 100), window=1)


# What is caught


@pytest.mark.parametrize(
    ("point", "window", "is_caught"),
    [
        ((0, 0), 1, True),
        ((99.9, 99.9), 1, True),
        ((100, 50), 1, False),
        ((50, 100), 1, False),
        ((50, 50), 2, False),
        ((-0.4, 50), 1, True),
        ((-1, 50), 1, False),
        ((100.2, 50), 1, False),
        ((-0.1, 99.9), 1, True),
    ],
)
def test_a_place_in_the_region_of_its_window(point: tuple[float, float], window: int, is_caught: bool) -> None:
    act = Act(spots=(Spot(Point(*point), window),))
    assert bool(caught(act, [BOX])) is is_caught


def test_a_control_is_itself_what_is_inside_and_what_takes_its_touch(make: Any) -> None:
    label = make.N("text", "Delete", box=(20, 60, 80, 80))
    look = make.look(make.W([make.N("cell", states=CLICK, box=(0, 50, 200, 90), children=[label, make.N("image")]),
                             make.N("button", "Keep", states=CLICK, box=(0, 100, 200, 140))]))  # fmt: skip
    cell, text, image, keep = look.nodes
    for listed in (cell, text):
        item = Listed("control:x", Tier.NORMAL, "", nodes=(listed,))
        for node, found in ((cell, True), (text, True), (image, True), (keep, False)):
            assert bool(caught(Act(nodes=(node,)), [item])) is found


@pytest.mark.parametrize(
    ("keys", "is_caught"),
    [
        ((("enter",),), True), ((("ctrl", "enter"),), False), ((("a",), ("enter",)), True), ((ANY_KEY,), True),
        ((), False),
    ],
)  # fmt: skip
def test_keys(keys: Any, is_caught: bool) -> None:
    item = Listed("key:enter", Tier.NORMAL, "", keys=("enter",))
    assert bool(caught(Act(keys=keys), [item])) is is_caught
    combination = Listed("key:ctrl+enter", Tier.NORMAL, "", keys=("ctrl", "enter"))
    assert not caught(Act(keys=(ANY_KEY,)), [combination])


@pytest.mark.parametrize("purpose", ["send message", "Send-Message", " send  message! "])
def test_an_intent_in_any_spelling(purpose: str) -> None:
    item = Listed("intent:send-message", Tier.NORMAL, "", intent="send-message")
    assert caught(Act(purpose=purpose), [item])
    assert not caught(Act(purpose=f"do not {purpose}"), [item])
    assert not caught(Act(), [item])


@pytest.mark.parametrize("intent", ["-", "🗑", "!!!"])
def test_an_intent_without_letters_is_itself_alone(intent: str) -> None:
    item = Listed(f"intent:{intent}", Tier.NORMAL, "", intent=intent)
    assert caught(Act(purpose=intent), [item])
    assert not caught(Act(), [item])
    assert not caught(Act(purpose="…"), [item])
    assert fits(f"intent:{intent}", f"intent:{intent}")


# What allows it


@pytest.mark.parametrize(
    ("tier", "marker", "option", "allowed"),
    [
        (Tier.NORMAL, (), (), False), (Tier.NORMAL, ("control:x",), (), True), (Tier.NORMAL, (), ("control:*",), True),
        (Tier.CRITICAL, ("control:x",), (), False), (Tier.CRITICAL, (), ("control:x",), False),
        (Tier.CRITICAL, ("control:x",), ("control:x",), True), (Tier.HAND_OFF, ("control:x",), ("control:x",), False),
        (Tier.NORMAL, ("control:y", "key:x"), ("intent:x",), False),
    ],
)  # fmt: skip
def test_tiers(tier: Tier, marker: tuple[str, ...], option: tuple[str, ...], allowed: bool) -> None:
    assert is_allowed(Listed("control:x", tier, ""), Leave(marker, option)) is allowed


@pytest.mark.parametrize(
    ("pattern", "name", "right"),
    [
        ("intent:send-*", "intent:send-message", True), ("intent:Send Message", "intent:send-message", True),
        ("key:Return+CTRL", "key:ctrl+enter", True), ("key:cmd+*", "key:cmd+enter", True),
        ("region: 0, 900,1000,100", "region:0,900,1000,100", True),
        ("region:0,900,1000,100", "region:0,900,1000,10", False),
        ("control:delete", "control:delete account", False), ("CONTROL:Delete", "control:delete", True),
        ("control:sav[ey]", "control:save", True), ("control:rate [5]", "control:rate [5]", True),
        ("control:Löschen", "control:lo\u0308schen", True), ("control:🗑*", "control:🗑 weg", True),
        ("*:delete", "control:delete", True), ("intent:delete", "control:delete", False),
    ],
)  # fmt: skip
def test_patterns(pattern: str, name: str, right: bool) -> None:
    assert fits(pattern, name) is right


@pytest.mark.parametrize("word", ["", "!!!", "Ü ber", "a-b", "发送 消息", "احذف الحساب"])
def test_slugs_are_stable(word: str) -> None:
    assert slug(slug(word)) == slug(word)
    assert usual(usual(f"intent:{word}")) == usual(f"intent:{word}")


@pytest.mark.parametrize("pattern", [None, 3, "", "delete", "controls:x", "control:", "key:+", "key:ctrl+", ":x", "*"])
def test_patterns_that_can_not_be(pattern: object) -> None:
    assert complaint(pattern)


@pytest.mark.parametrize(
    "pattern", ["control:x", "Key: Ctrl + Enter", "key:*", "region:1,2,3,4", "intent:*", "system:pay"]
)
def test_patterns_that_can(pattern: str) -> None:
    assert complaint(pattern) == ""


# The list for every app


def _in(make: Any, app: str, *nodes: Any) -> list[Node]:
    return list(make.look(make.W(list(nodes), app=app)).nodes)


@pytest.mark.parametrize(
    ("name", "app", "text"),
    [
        ("system:power-off", "com.android.systemui", "Power off"), ("system:power-off", "com.android.systemui", "重启"),
        ("system:erase", "com.android.settings", "Erase all data (factory reset)"),
        ("system:erase", "com.apple.Preferences", "Erase All Content and Settings"),
        ("system:erase", "com.android.settings", "恢复出厂设置"),
        ("system:uninstall", "com.google.android.packageinstaller", "Uninstall"),
        ("system:uninstall", "com.google.android.apps.nexuslauncher", "Uninstall"),
        ("system:uninstall", "com.apple.springboard", "Delete App"),
        ("system:pay", "com.android.vending", "1-tap buy"),
        ("system:pay", "com.apple.PassbookUIService", "Pay US$4.99"),
    ],
)  # fmt: skip
def test_what_no_test_does_by_accident(make: Any, name: str, app: str, text: str) -> None:
    (found,) = critical_here(_in(make, app, make.N("button", text, states=CLICK)))
    assert (found.name, found.tier) == (name, Tier.CRITICAL)
    assert critical_here(_in(make, app, make.N("button", states=CLICK, children=[make.N("text", text)])))
    assert not critical_here(_in(make, "com.example.notes", make.N("button", text, states=CLICK)))


@pytest.mark.parametrize(
    ("app", "text"),
    [
        ("com.android.systemui", "Restart the music"), ("com.android.settings", "Resetting"),
        ("com.android.vending", "Payment methods"), ("com.android.settings", "Uninstalled apps"),
        ("android", "Close app"),
    ],
)  # fmt: skip
def test_what_only_looks_like_it(make: Any, app: str, text: str) -> None:
    assert not critical_here(_in(make, app, make.N("button", text, states=CLICK)))


def test_a_row_beside_another_one_is_not_it(make: Any) -> None:
    rows = [make.N("cell", states=CLICK, children=[make.N("text", text)]) for text in ("Factory reset", "Languages")]
    look = make.look(make.W([make.N("list", children=rows)], app="com.android.settings"))
    found = [bool(critical_here([node])) for node in look.nodes]
    assert found == [False, True, True, False, False]


def test_the_button_that_agrees_to_a_question_of_the_system(make: Any) -> None:
    asks = make.N("text", "Do you want to uninstall this app?")
    yes = make.N("button", "OK", id="android:id/button1", states=CLICK)
    no = make.N("button", "Cancel", id="android:id/button2", states=CLICK)
    nodes = _in(make, "com.android.packageinstaller", asks, yes, no)
    assert [bool(critical_here([node])) for node in nodes[1:]] == [True, False]
    assert not critical_here(_in(make, "com.android.packageinstaller", make.N("text", "Update?"), yes)[1:])


def test_the_power_key_held_long_enough_to_switch_off() -> None:
    assert critical_here((), (("power",),), POWER_HOLD_MS)[0].name == "system:power-off"
    assert not critical_here((), (("power",),), POWER_HOLD_MS - 1)
    assert not critical_here((), (("volume_up",),), POWER_HOLD_MS)


def test_each_entry_says_why() -> None:
    assert all(item.why and item.apps and item.words for item in CRITICAL)
    assert len({item.name for item in CRITICAL}) == len(CRITICAL)
    assert all(word == word.casefold() for item in CRITICAL for word in (*item.words, *item.apps))


def test_a_chain_of_thousands_takes_no_time(make: Any) -> None:
    """A clickable root with one long chain inside: nothing climbs it once a node."""
    inner = make.N("text", "Delete")
    for _ in range(400):
        inner = make.N("group", children=[inner])
    look = make.look(make.W([make.N("card", states=CLICK, children=[inner])]))
    assert warning_word(look.nodes[0]) == ""  # too far inside to be its name
    assert destructive_word(look.nodes[0]) == "delete"


# Words


@pytest.mark.parametrize("text", ["Löschen", "Envoyer", "Cerrar sesión", "Удалить", "登出", "送信する", "삭제하기"])
def test_words_of_many_languages(make: Any, text: str) -> None:
    node = make.look(make.W([make.N("button", text, states=CLICK)])).nodes[0]
    assert destructive_word(node)
    assert warning_word(node)


@pytest.mark.parametrize("text", ["Verkaufen", "Spayer", "Убытки", "Löschung", "Aufsenden"])
def test_words_that_only_hold_one(make: Any, text: str) -> None:
    assert not destructive_word(make.look(make.W([make.N("button", text, states=CLICK)])).nodes[0])


def test_a_field_and_what_is_inside_of_others_warn_not(make: Any) -> None:
    field = make.N("text_field", "Comment", states=CLICK | NodeState.EDITABLE)
    row = make.N("card", states=CLICK, children=[make.N("text", "Note"), make.N("button", "Delete", states=CLICK)])
    nodes = make.look(make.W([field, row])).nodes
    assert [warning_word(node) for node in nodes] == ["", "", "", "delete"]
