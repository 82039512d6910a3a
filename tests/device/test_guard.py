"""The guard on the built-in phone: what can't be undone is refused with nothing sent, or done with leave and on
record."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pytest_apex.device.device import Device
from pytest_apex.device.examining.failure import failure_of
from pytest_apex.device.expect import expect
from pytest_apex.errors import ActionRefused, CheckFailed
from pytest_apex.evidence.journal import read_journal
from pytest_apex.model.geometry import Point
from pytest_apex.model.node import NodeState
from pytest_apex.verify.judge import judge

APP = Path(__file__).parent / "manual_app.yaml"
ID = "com.example.account"
MANUAL = """
match: {bundleId: com.example.account}
summary: An account and a chat.
controls:
  delete: {id: delete_account}
  save: {id: keep}
  go: {region: [40, 686, 920, 60]}
irreversible:
  normal: ["control:delete", "key:enter", "intent:send-message", "key:back"]
  critical: ["region:40,306,920,48"]
  hand_off: ["region:40,686,920,60"]
"""
FLOWS = """
flows:
  delete: {steps: [{tap: Delete account}]}
  send: {steps: [{type: Hi, into: {id: message}}, {press: enter}]}
  buy: {steps: [{flow: by hand}]}
  by hand: {steps: [{perform: t 200 330}]}
  tell: {steps: [{tap: Other, purpose: send message}]}
"""
On = Callable[..., Device]


@pytest.fixture
def on(account: On) -> On:
    """`on()`: a device with the account app in front, and a manual."""
    return lambda manual=MANUAL, **more: account(manual, **more)


def state(device: Device) -> str:
    return device.find(id="state").text


def untouched(device: Device) -> bool:
    """Whether the phone itself took no touch, and no key, since its app was launched."""
    return not device.raw.recognised and state(device) == "deleted= paid= tapped="


def intents(device: Device, tmp_path: Path) -> list[dict[str, Any]]:
    return [line for line in read_journal(tmp_path / "steps.jsonl") if line["event"] == "intent"]


def middle(device: Device, id: str) -> Point:
    return device.find(id=id).box.center


# Refused, with nothing sent


TRIES: dict[str, Callable[[Device], object]] = {
    "by its text": lambda device: device.tap("Delete account"),
    "by the manual's name": lambda device: device.tap("delete"),
    "by its id": lambda device: device.find(id="delete_account").double_tap(),
    "held": lambda device: device.long_press("Delete account"),
    "by a number of the state": lambda device: device.state()[0].tap(),
    "by a point": lambda device: device.find(point=(200, 150)).tap(),
    "by coordinates": lambda device: device.perform("t 200 150"),
    "swiped from it": lambda device: device.perform("t 200 150 f 200 900"),
    "dragged onto it": lambda device: device.drag("Other", to="Delete account"),
    "by a second finger": lambda device: device.perform("mt [200 270, 200 150] 0.1 [200 270, 200 150] 0.1"),
    "by a secondary action": lambda device: device.find(id="delete_account").do("Wipe"),
}


@pytest.mark.parametrize("way", TRIES)
def test_a_control_is_refused_by_whatever_way(on: On, way: str, tmp_path: Path) -> None:
    device = on()
    before = len(intents(device, tmp_path))
    with pytest.raises(ActionRefused, match="control:delete can't be undone"):
        TRIES[way](device)
    assert untouched(device)
    assert len(intents(device, tmp_path)) == before


@pytest.mark.parametrize("id", ["keep", "delete_account"])
def test_every_control_that_a_name_may_mean_is_guarded(on: On, id: str) -> None:
    device = on(MANUAL.replace("{id: delete_account}", "{id: [keep, delete_account]}"))
    with pytest.raises(ActionRefused, match="control:delete can't be undone"):
        device.find(id=id).tap()
    assert untouched(device)


def test_the_refusal_says_who_says_so_and_what_allows_it(on: On) -> None:
    device = on()
    with pytest.raises(ActionRefused) as caught:
        device.tap("Delete account")
    assert str(caught.value).splitlines() == [
        'tap "Delete account" was refused: control:delete can\'t be undone',
        "  seen:    control:delete is normal: manuals/account.yaml:9:12",
        "  likely:  nobody has said that this test may do it",
        "  try:     @pytest.mark.allow_irreversible('control:delete'), or --apex-allow 'control:delete'; "
        "nothing was sent",
    ]
    verdict = judge(device.examine(failure_of(caught.value)))
    assert (verdict.kind, verdict.category) == ("test.refused", None)


KEYS: dict[str, Callable[[Device], object]] = {
    "pressed": lambda device: device.press("enter"),
    "in a command": lambda device: device.perform("sender keyboard kbd Hi\\u{000A}"),
    "typed": lambda device: device.type("Hi\n"),
    "filled": lambda device: device.find(id="message").fill("Hi\nthere"),
}


@pytest.mark.parametrize("way", KEYS)
def test_the_send_key_is_refused(on: On, way: str) -> None:
    device = on()
    device.tap(device.find(id="message"))
    with pytest.raises(ActionRefused, match="key:enter can't be undone"):
        KEYS[way](device)
    assert device.find(id="message").value == ""
    assert not device.find("sent ", exact=False).is_visible()


def test_the_key_on_the_screen_is_the_same_key(on: On) -> None:
    device = on(spec="?platform=ios")
    device.tap(device.find(id="message"))
    device.find(role="key", label="n").tap()
    with pytest.raises(ActionRefused, match="key:enter can't be undone"):
        device.find(role="key", label="return").tap()
    with pytest.raises(ActionRefused, match="key:enter can't be undone"):
        device.perform("t 365 930")
    assert device.find(id="message").value == "n"


def test_a_keyboard_that_lists_no_keys_may_send_wherever_it_is_touched(on: On) -> None:
    """As Android's keyboards do: nobody can tell which key lies at a point."""
    device = on()
    device.tap(device.find(id="message"))
    with pytest.raises(ActionRefused, match="key:enter can't be undone"):
        device.perform("t 370 930")
    on(MANUAL.replace('"key:enter", ', "").replace(', "key:back"', "")).perform("t 370 930")


def test_hiding_the_keyboard_by_the_back_key_is_a_key(on: On, monkeypatch: pytest.MonkeyPatch) -> None:
    device = on()
    device.tap(device.find(id="message"))
    without = device.capabilities - {"hide_keyboard"}
    monkeypatch.setattr(type(device.context.backend), "capabilities", without)
    with pytest.raises(ActionRefused, match="key:back can't be undone"):
        device.hide_keyboard()


@pytest.mark.parametrize(
    ("text", "name"),
    [("t 200 330", "region:40,306,920,48"), ("t 200 710", "region:40,686,920,60"),
     ("t 200 900 f 200 330", "region:40,306,920,48"), ("d 30 700", "region:40,686,920,60")],
)  # fmt: skip
def test_bare_coordinates_into_a_region_are_refused(on: On, text: str, name: str) -> None:
    device = on()
    with pytest.raises(ActionRefused, match=name):
        device.perform(text)
    assert untouched(device)


def test_an_intent_is_refused_once_the_test_declares_it(on: On) -> None:
    device = on()
    device.tap("Other")
    with pytest.raises(ActionRefused, match="intent:send-message can't be undone"):
        device.tap("Other", purpose="Send message!")
    with pytest.raises(ActionRefused, match="intent:send-message"):
        device.perform("t 200 270", purpose="send message")
    with pytest.raises(ActionRefused, match="intent:send-message"):
        device.press("home", purpose="send-message")
    with pytest.raises(ActionRefused, match="intent:send-message"):
        device.scroll("down", purpose="send message")


def test_a_text_that_presses_the_key_leaves_its_field_as_it_is(on: On) -> None:
    device = on()
    device.find(id="message").fill("draft")
    with pytest.raises(ActionRefused, match="key:enter"):
        device.find(id="message").fill("Hi\n")
    assert device.find(id="message").value == "draft"


def test_the_home_key_on_the_way_to_the_background(on: On) -> None:
    device = on(MANUAL.replace('"key:back"', '"key:home"'))
    for act in (lambda: device.app.background(1), device.app.kill_in_background, lambda: device.press("home")):
        with pytest.raises(ActionRefused, match="key:home"):
            act()
    assert device.app.state == "foreground"


def test_a_key_that_activates_what_has_the_focus_is_a_touch_on_it(on: On) -> None:
    """As on televisions: the remote moves the focus and selects."""
    device = on(spec="?platform=tvos")
    _focus(device, "Delete account")
    with pytest.raises(ActionRefused, match="control:delete"):
        device.perform("r select")
    with pytest.raises(ActionRefused, match="control:delete"):
        device.press("select")
    _focus(device, "Save")
    device.perform("r select")
    assert state(device).endswith("tapped=keep")


def test_a_tap_by_the_remote_is_refused_before_the_focus_moves(on: On) -> None:
    device = on(spec="?platform=tvos")
    _focus(device, "Other")
    with pytest.raises(ActionRefused, match="control:delete"):
        device.tap("delete")
    assert any(node.has(NodeState.FOCUSED) and node.text == "Other" for node in device.snapshot().nodes)
    device.tap("Save")
    assert state(device).endswith("tapped=keep")


def _focus(device: Device, text: str) -> None:
    """By the remote, downwards."""
    for _ in range(10):
        if any(node.has(NodeState.FOCUSED) and node.text == text for node in device.snapshot().nodes):
            return
        device.perform("r down")
    raise AssertionError(f"{text} never had the focus")


def test_a_region_turns_with_the_window(on: On) -> None:
    manual = 'match: {bundleId: com.example.account}\nirreversible: ["region:0,0,500,500"]\n'
    device = on(manual)
    device.perform("t 300 300")
    with pytest.raises(ActionRefused):
        device.perform("t 150 300")
    device.set_orientation("landscape_left")
    assert device.snapshot().screen.size.width == 1000
    with pytest.raises(ActionRefused):
        device.perform("t 450 150")
    device.perform("t 550 150")


def test_what_lies_over_the_window_is_not_its_region(on: On) -> None:
    manual = 'match: {bundleId: com.example.account}\nirreversible: ["region:0,0,1000,1000"]\n'
    device = on(manual, allow=("region:*",))
    device.tap("Rate later")
    dialog = device.find("Not now").box.center
    strict = device.context.settings.changed("touch", {}, allow=())
    device.context.settings = strict
    device.perform(f"t {dialog.x:g} {dialog.y:g}")
    with pytest.raises(ActionRefused, match="region:0,0,1000,1000"):
        device.tap("Save")


# What is innocent goes through


INNOCENT: dict[str, Callable[[Device], object]] = {
    "beside it": lambda device: device.tap("Save"),
    "scrolling over it": lambda device: device.scroll("down"),
    "scrolling to what is there": lambda device: device.scroll_to("Other"),
    "swiping past it": lambda device: device.perform("t 200 280 f 200 60"),
    "a letter of the same key's field": lambda device: device.find(id="message").fill("Hi"),
    "another key": lambda device: device.press("home"),
    "looking": lambda device: device.find("Delete account").text,
    "a purpose that is none": lambda device: device.tap("Other", purpose="do not send message yet"),
}


@pytest.mark.parametrize("way", INNOCENT)
def test_the_innocent_twin_is_let_be(on: On, way: str) -> None:
    device = on()
    INNOCENT[way](device)
    assert not device.context.undone


def test_a_manual_of_another_app_says_nothing_here(on: On) -> None:
    device = on(MANUAL.replace("com.example.account", "com.example.other"))
    device.tap("Delete account")
    assert state(device) == "deleted=yes paid= tapped="


# With leave


def test_normal_takes_one_leave(on: On) -> None:
    for leave, by in (({"allow_here": ("control:delete",)}, "the marker"), ({"allow": ("control:*",)}, "--apex-allow")):
        device = on(**leave)
        step = device.tap("delete")
        assert state(device) == "deleted=yes paid= tapped="
        assert step.note == f"can't be undone: control:delete (normal), allowed by {by}"
        assert device.context.undone == ["control:delete"]
        assert device.context.notes == [f"irreversible: control:delete (normal) was done, allowed by {by}"]


def test_critical_takes_both(on: On) -> None:
    name = "region:40,306,920,48"
    for leave in ({"allow_here": (name,)}, {"allow": (name,)}):
        device = on(**leave)
        with pytest.raises(ActionRefused, match="one leave alone is not enough"):
            device.perform("t 200 330")
        assert untouched(device)
    device = on(allow_here=("region: 40, 306, 920, 48",), allow=("region:*",))
    (step,) = device.perform("t 200 330")
    assert state(device) == "deleted= paid= tapped=buy"
    assert step.note.endswith(f"can't be undone: {name} (critical), allowed by the marker and --apex-allow")


def test_the_send_key_with_leave(on: On) -> None:
    device = on(allow_here=("key:return",))
    device.find(id="message").fill("Hi")
    step = device.press("enter")
    assert device.find("sent Hi").is_visible()
    assert step.note.startswith("can't be undone: key:enter (normal), allowed by the marker")
    (typed,) = device.perform("sender keyboard kbd  there\\u{000A}")
    assert device.find("sent Hi there").is_visible()
    assert device.context.undone == ["key:enter", "key:enter"]
    assert "key:enter" in typed.note


def test_hand_off_is_never_the_tools(on: On) -> None:
    device = on(allow_here=("region:*", "control:*", "key:*"), allow=("region:*", "control:*"))
    with pytest.raises(ActionRefused, match=r"device\.hand_over"):
        device.tap("Go")
    assert untouched(device)


def test_a_leave_that_is_spelt_otherwise_is_told(on: On) -> None:
    device = on(allow_here=("control:delet",))
    with pytest.raises(ActionRefused) as caught:
        device.tap("delete")
    assert caught.value.seen.endswith("the marker allows control:delet")
    assert caught.value.likely == "what is allowed is something else, or spelt otherwise"


def test_a_marker_for_what_no_manual_lists_is_noted(on: On) -> None:
    device = on(allow_here=("control:delet", "intent:send*", "key:Return", "system:pay"), allow=("control:nothing",))
    device.finish()
    device.finish()
    told = [line for line in device.context.notes if line.startswith("allow_irreversible")]
    assert told == ["allow_irreversible: 'control:delet' is nothing that manuals/account.yaml lists"]


def test_a_marker_without_a_manual_is_not_noted(on: On) -> None:
    device = on("", allow_here=("control:delet",))
    device.finish()
    assert not [line for line in device.context.notes if line.startswith("allow_irreversible")]


def test_the_leave_is_on_disk_before_the_act(on: On, tmp_path: Path) -> None:
    device = on(allow=("control:delete",))
    device.tap("delete")
    assert intents(device, tmp_path)[-1]["irreversible"] == ["control:delete"]


def test_what_can_not_be_undone_is_touched_once(on: On) -> None:
    """A button whose touch has no effect is touched again, as rule 7 allows; one that is listed is not."""
    manual = 'match: {bundleId: com.example.account}\ncontrols: {idle: Idle}\nirreversible: ["control:idle"]\n'
    for known, touches in (("", 2), (manual, 1)):
        device = on(known, allow=("control:idle",))
        device.tap("Idle")
        with pytest.raises(CheckFailed):
            expect(device.find("Never")).to_be_visible()
        assert len(device.raw.recognised) == touches


@pytest.mark.parametrize(
    ("flow", "name", "shows"),
    [
        ("delete", "control:delete", "deleted=yes paid= tapped="),
        ("send", "key:enter", "sent Hi"),
        ("buy", "region:40,306,920,48", "deleted= paid= tapped=buy"),
        ("tell", "intent:send-message", "deleted= paid= tapped=other"),
    ],
)
def test_the_manuals_own_flows_need_the_same_leave(on: On, flow: str, name: str, shows: str) -> None:
    device = on(MANUAL + FLOWS)
    with pytest.raises(ActionRefused, match=f"{name} can't be undone") as caught:
        device.flow(flow)
    assert "in the flow " in caught.value.seen
    assert not device.find(shows).is_visible()
    device = on(MANUAL + FLOWS, allow=(name,), allow_here=(name,))
    device.flow(flow)
    assert device.find(shows).is_visible()
    assert device.context.undone == [name]


# The hand


def test_a_hand_does_not_slip_into_a_region_nor_out_of_it(on: On) -> None:
    """A tap one unit beside the region stays beside it, and one that is allowed inside stays inside."""
    manual = 'match: {bundleId: com.example.account}\nirreversible: ["region:0,186,500,48"]\n'
    for seed in range(12):
        device = on(manual, humanize="unsteady", seed=seed, allow=("region:*",))
        (beside,) = device.perform("t 201 210")
        (inside,) = device.perform("t 199 210")
        assert beside.track is not None
        assert inside.track is not None
        assert all(point.x >= 200 for point in beside.track.points)
        assert all(point.x < 200 for point in inside.track.points)
        assert not beside.note.endswith("--apex-allow")


# The list for every app


def test_the_power_key_is_not_held_until_the_phone_is_off(on: On) -> None:
    device = on("")
    with pytest.raises(ActionRefused, match="system:power-off can't be undone") as caught:
        device.press("power", hold_ms=8000)
    assert "a device that is off, or starts anew, is lost to the run" in caught.value.seen
    assert caught.value.cure.startswith("both are needed: @pytest.mark.allow_irreversible('system:power-off') and ")
    assert device.snapshot().screen.awake
    device.press("power")


# Words


def test_a_word_warns_and_does_not_refuse(on: On) -> None:
    device = on("")
    step = device.tap("Buy now")
    assert step.note == 'the word "buy" on it says that it may not be undone'
    assert device.context.suspicious == ["buy"]
    assert not device.context.notes


def test_a_control_that_the_manual_names_is_not_warned_about(on: On) -> None:
    device = on("match: {bundleId: com.example.account}\ncontrols: {buy: {id: buy}}\n")
    device.tap("Buy now")
    assert not device.context.suspicious


def test_words_of_the_projects_own(on: On) -> None:
    device = on("", words=("Nag", "другое"))
    device.tap("Nag")
    assert device.context.suspicious == ["nag"]
