"""Secondary actions, the power key, limits that a device tells, and what each step says of itself."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pytest_apex.backends.abilities import Wakes
from pytest_apex.device.device import Device
from pytest_apex.device.examining.failure import failure_of
from pytest_apex.device.locator import Locator
from pytest_apex.errors import ActionRefused, CapabilityMissing, ConfigError, TargetDisabled, TargetNotFound
from pytest_apex.evidence.journal import read_journal
from pytest_apex.gestures.humanize import PERSONAS, HumanizeConfig
from pytest_apex.gestures.rules import RULES, rules_for
from pytest_apex.model.action import Secondary
from pytest_apex.model.screen import TouchLimits
from pytest_apex.settings import Settings, Touch
from pytest_apex.testing import virtual_device
from pytest_apex.verify.judge import judge

APP = Path(__file__).parent / "typing_app.yaml"
NAME = "com.example.typing"
On = Callable[..., Device]


@pytest.fixture
def on(tmp_path: Path) -> Iterator[On]:
    """`on("ios")`: a device with the fields and actions in front."""
    with ExitStack() as stack:

        def make(platform: str = "android", **touch: Any) -> Device:
            settings = Settings(touch=Touch(**{"humanize": "off", **touch}))
            spec = f"virtual:{APP}?platform={platform}"
            return stack.enter_context(virtual_device(tmp_path, spec, app=NAME, settings=settings))

        yield make


# Secondary actions


@pytest.mark.parametrize("platform", ["android", "ios"])
def test_a_control_does_what_it_offers(on: On, platform: str) -> None:
    device = on(platform)
    step = device.find(id="mail").do("archive", purpose="tidy up", expected_outcome="it is gone")
    assert device.find(id="done").text == "Done: archived"
    assert (step.verb, step.action, step.named) == (
        "secondary_action", Secondary("archive"), "do 'archive' on id='mail'",
    )  # fmt: skip
    assert (step.purpose, step.expected_outcome, step.effect) == ("tidy up", "it is gone", "changed")
    assert step.track is None
    assert step.hit is not None


def test_a_label_stands_for_the_control_around_it(on: On) -> None:
    device = on()
    device.find("Letter").do("Mark as unread")
    assert device.find(id="done").text == "Done: unread"


def test_the_state_lists_what_a_control_offers(on: On) -> None:
    line = next(line for line in str(on().state()).splitlines() if "#mail" in line)
    assert line.endswith("actions: archive, Mark as unread")


def test_what_it_does_not_offer_is_refused_with_the_list(on: On) -> None:
    device = on()
    with pytest.raises(ActionRefused) as caught:
        device.find(id="mail").do("Archive")
    assert caught.value.tried == "id='mail' offers no action 'Archive'"
    assert caught.value.seen == "it offers: archive, Mark as unread"
    with pytest.raises(ActionRefused) as caught:
        device.find(id="done").do("archive")
    assert caught.value.seen.endswith("offers none at all")
    assert device.find(id="done").text == "Done: nothing"
    assert judge(device.examine(failure_of(caught.value), caught.value)).kind == "test.refused"


def test_a_disabled_control_does_nothing(on: On) -> None:
    device = on()
    with pytest.raises(TargetDisabled):
        device.find(id="still").do("go")
    device.find(id="plain").fill("x")
    device.find(id="still").do("go")
    assert device.find(id="done").text == "Done: gone"


def test_a_control_that_changed_since_it_was_looked_at(on: On, monkeypatch: pytest.MonkeyPatch) -> None:
    device = on()
    node = next(node for node in device.snapshot().nodes if node.actions)
    device.find(id="away").fill("abc")
    with pytest.raises(ActionRefused, match="offers no action 'archive' any more"):
        device.context.backend.do_action(node, "archive")  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", ["", None, 5])
def test_its_name_is_a_text(on: On, name: Any) -> None:
    with pytest.raises(ConfigError):
        on().find(id="mail").do(name)


def test_a_device_without_them_says_so(on: On) -> None:
    device = on("tvos")
    with pytest.raises(CapabilityMissing, match="can't do 'archive', an action that a control offers") as caught:
        device.find(id="mail").do("archive")
    assert caught.value.tried.startswith(str(device.info))
    assert caught.value.seen == f"it can: {', '.join(sorted(device.capabilities))}"


# The screen asleep


def test_the_power_key_puts_it_to_sleep_and_wakes_it(on: On) -> None:
    device = on()
    picture = device.screenshot().key
    step = device.press("power")
    look = device.snapshot()
    assert step.effect == "changed"
    assert not look.screen.awake
    assert look.picture is not None
    assert look.picture.pixels().getcolors() == [(400 * 2000, (0, 0, 0))]
    device.press("power")
    assert device.snapshot().screen.awake
    assert device.screenshot().key == picture


def test_asleep_it_takes_no_touch_no_text_and_no_other_key(on: On) -> None:
    device = on()
    phone = device.raw
    device.tap(device.find(id="plain"))
    point = device.find(id="mail").box.center
    device.press("power")
    phone.recognised.clear()
    steps = len(device.context.recorder.steps)
    for act in (
        lambda: device.tap(device.find(id="mail")),
        lambda: device.long_press(device.find(id="mail")),
        lambda: device.swipe("up"),
        lambda: device.scroll("down"),
        lambda: device.type("x"),
        lambda: device.find(id="plain").fill("x"),
        lambda: device.find(id="mail").do("archive"),
        lambda: device.perform(f"t {point.x} {point.y}"),
        lambda: device.perform(f"mt [{point.x} {point.y}] 1"),
        lambda: device.perform(f"d {point.x} {point.y} b p"),
    ):
        with pytest.raises(ActionRefused, match="the screen is asleep"):
            act()
    assert not phone.recognised
    assert len(device.context.recorder.steps) == steps
    assert phone.type_text("x") is False
    device.press("home")
    assert phone.in_front().id == NAME
    device.perform(f"b p t {point.x} {point.y}")
    assert device.find(id="done").text == "Done: opened"


def test_a_finger_on_a_sleeping_screen_means_nothing(on: On) -> None:
    device = on()
    backend = device.context.backend
    tap = device.tap(device.find(id="mail")).track
    assert tap is not None
    assert isinstance(backend, Wakes)
    backend.sleep()
    device.raw.recognised.clear()
    backend.perform(tap)
    assert not device.raw.recognised
    backend.wake()
    backend.perform(tap)
    assert [gesture.kind for gesture in device.raw.recognised] == ["tap"]


def test_a_test_that_begins_on_a_sleeping_screen_finds_it_awake(on: On) -> None:
    device = on("ios")
    backend = device.context.backend
    backend.sleep()  # type: ignore[attr-defined]
    later = Device(backend, device.settings, device.context.recorder, test="later")
    later.start(NAME)
    assert later.snapshot().screen.awake


# Limits that the device tells


def test_the_phone_tells_its_own_limits(on: On) -> None:
    for platform, limits in (("android", (400, 40, 300)), ("ios", (500, 0, 350))):
        info = on(platform).info
        assert info.touch == TouchLimits(*limits)
        told = replace(info, touch=TouchLimits())
        assert rules_for(told) == rules_for(info)


def test_limits_of_the_device_take_the_place_of_the_platforms(on: On) -> None:
    info = on().info
    usual = RULES["android"]
    rules = rules_for(replace(info, touch=TouchLimits(long_press_ms=1500, double_tap_max_ms=600)))
    assert (rules.long_press_ms, rules.double_tap_max_ms) == (1500, 600)
    assert rules.double_tap_min_ms == usual.double_tap_min_ms
    assert rules.pauses(60)[1] == 520
    assert rules.longest_tap_ms == 1480


@pytest.mark.parametrize("wrong", [-1, 0, 99, 10_001])
def test_limits_that_no_device_has_are_not_believed(on: On, wrong: int) -> None:
    info = on().info
    assert rules_for(replace(info, touch=TouchLimits(wrong, -1, wrong))) == rules_for(info)


def test_a_slow_device_gets_what_it_takes_for_a_long_press(tmp_path: Path) -> None:
    with virtual_device(tmp_path, f"virtual:{APP}", app=NAME) as device:
        phone = device.raw
        phone.limits = replace(phone.limits, long_press=1000)
        slow = Device(device.context.backend, device.settings, device.context.recorder, test="slow")
        slow.start()
        with pytest.raises(ConfigError, match="from 1000 ms on"):
            slow.long_press(slow.find(id="mail"), duration_ms=900)
        slow.tap(slow.find(id="mail"), hold_ms=900)
        assert slow.find(id="done").text == "Done: opened"


# The hand


def test_a_variable_refines_the_hand_that_was_chosen(on: On, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("APEX_HUMANIZE_TAP_RADIUS_PX", "1.5")
    monkeypatch.setenv("APEX_HUMANIZE_ENABLED", "false")  # which hand it is was decided before
    calm = PERSONAS["calm"]
    assert on(humanize="calm").context.humanize == replace(calm, radius=1.5)
    assert on(humanize="on").context.humanize == replace(HumanizeConfig(), radius=1.5)
    assert not on(humanize="off").context.humanize.enabled
    with pytest.raises(ConfigError, match="there is no hand 'clam'"):
        on(humanize="clam")


# What a step says


def test_what_it_is_for_and_what_should_come_of_it_is_on_record(on: On, tmp_path: Path) -> None:
    device = on()
    words = {"purpose": "why it is done", "expected_outcome": "what should come of it"}
    steps = [
        device.tap(device.find(id="mail"), **words),
        device.swipe("up", **words),
        device.press("volume_up", **words),
        device.find(id="plain").fill("x", **words),
        device.type("y", **words),
        device.find(id="plain").clear(**words),
        device.set_orientation("portrait", **words),
        *device.perform("w 0.1", **words),
        device.find(id="mail").do("archive", **words),
    ]
    assert {(step.purpose, step.expected_outcome) for step in steps} == {tuple(words.values())}
    lines = {line["step"]: line for line in read_journal(tmp_path / "steps.jsonl") if line["event"] == "done"}
    for step in steps:
        assert (lines[step.id]["purpose"], lines[step.id]["expected_outcome"]) == tuple(words.values())


#: Words that a gesture's docstring has to have: what it is for.
FOR_WHAT = {
    "tap": ("touch",),
    "double_tap": ("zoom", "select"),
    "long_press": ("context menu", "drag"),
    "drag": ("reorder",),
    "drag_to": ("reorder",),
    "pinch": ("zoom",),
    "twist": ("map",),
    "fling": ("goes on",),
    "do": ("secondary action",),
}


@pytest.mark.parametrize("kind", [Device, Locator])
def test_each_verb_says_what_it_is_for(kind: type) -> None:
    verbs = {name: member for name, member in inspect.getmembers(kind, inspect.isfunction) if name[0] != "_"}
    assert [name for name, verb in verbs.items() if not verb.__doc__] == []
    assert {
        name: word
        for name, words in FOR_WHAT.items()
        if name in verbs
        for word in words
        if word not in str(verbs[name].__doc__).lower()
    } == {}


def test_an_unknown_control_is_told_before_an_unknown_action(on: On) -> None:
    with pytest.raises(TargetNotFound):
        on().find("Nowhere").do("archive")
