"""What the app's manual changes on the device: names, points that snap, interruptions, flows, what a person does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from pytest_apex.device.device import Device
from pytest_apex.device.examining.failure import failure_of
from pytest_apex.device.expect import expect
from pytest_apex.device.looking.known import Known
from pytest_apex.device.looking.settle import Rest, settle
from pytest_apex.errors import ActionRefused, CheckFailed, ConfigError, TargetAmbiguous, TargetNotFound, TargetProblem
from pytest_apex.manual.load import load_manual
from pytest_apex.manual.winners import Shelf
from pytest_apex.model.geometry import Point, Rect, Size
from pytest_apex.model.look import Settled, Unsettled
from pytest_apex.model.manual import Manual
from pytest_apex.model.screen import Screen
from pytest_apex.model.snapshot import AppInFront, Snapshot, TreeBuilder, Window
from pytest_apex.model.verdict import Category
from pytest_apex.verify.judge import judge

APP = Path(__file__).parent / "manual_app.yaml"
ID = "com.example.account"
MANUAL = """
match: {bundleId: com.example.account}
summary: An account and a chat.
screens: {home: {id: state}, down: {id: sorry}}
controls:
  keep it: {id: keep, aliases: [Behalte es 🗂, "save \\"it\\"", احفظ]}
  Other: {id: keep}
  bottom: {region: [40, 686, 920, 60]}
  big save: {id: keep, region: [40, 240, 920, 60]}
  nobody: {id: not_there}
interruptions:
  rating: {appears: Do you like this app?, tap: {id: not_now}, reason: after a while}
  nagging: {appears: Once more!, tap: Again}
irreversible: ["control:bottom"]
flows:
  write: {steps: [{tap: {id: message}}, {type: "Hi there"}, {press: enter}]}
  save: {needs: home, steps: [{tap: keep it, purpose: keep}, {expect: {text: tapped=keep, exact: false}}]}
  both: {steps: [{flow: save}, {when: down, steps: [{tap: Nothing}]}, {flow: write}]}
  danger: {steps: [{tap: bottom}]}
  lower: {needs: down, steps: [{tap: keep it}]}
  ask: {steps: [{hand_over: read the code, until: {text: tapped=other, exact: false}, timeout: 5}]}
"""
On = Callable[..., Device]


@pytest.fixture
def on(account: On) -> On:
    """`on()`: a device with the account app in front, and a manual."""
    return lambda manual=MANUAL, **more: account(manual, **more)


def state(device: Device) -> str:
    return device.find(id="state").text


# Names


@pytest.mark.parametrize("word", ["keep it", "KEEP IT", "Behalte es 🗂", 'save "it"', "احفظ"])
def test_a_control_is_found_by_its_name_and_aliases(on: On, word: str) -> None:
    device = on()
    step = device.tap(word)
    assert state(device) == "deleted= paid= tapped=keep"
    assert step.named == f'tap "{word}"'
    assert step.target is not None
    assert step.target.names is None


def test_what_shows_the_word_comes_first_and_another_by_that_name_is_ambiguous(on: On) -> None:
    device = on()
    device.tap("Save")
    with pytest.raises(TargetAmbiguous) as caught:
        device.tap("Other")
    assert len(caught.value.candidates) == 2
    assert caught.value.likely.startswith('the app\'s manual calls "Save" (button')
    device.find("Other", role="button", nth=1).tap()
    assert state(device) == "deleted= paid= tapped=other"


def test_one_that_shows_the_word_and_is_called_by_it_is_one(on: On) -> None:
    on("match: {bundleId: com.example.account}\ncontrols: {Save: {id: keep}}\n").tap("Save")


def test_a_name_is_no_pattern_and_no_part(on: On) -> None:
    device = on()
    assert device.find("keep", exact=False).count() == 0
    assert device.find("nobody").count() == 0
    assert not device.find("bottom").is_visible()
    with pytest.raises(TargetNotFound) as caught:
        device.tap("nobody")
    assert caught.value.likely == (
        "the manual account calls id='not_there' so (manuals/account.yaml:10:3), and it is not on this screen"
    )


def test_checks_know_the_names_and_never_a_region(on: On) -> None:
    device = on()
    expect(device.find("keep it")).to_have_text("Save")
    with pytest.raises(CheckFailed):
        expect(device.find("bottom")).to_be_visible(timeout=0.2)


def test_a_region_is_the_last_resort_of_a_touch(on: On) -> None:
    device = on(allow=("control:bottom",))
    step = device.tap("bottom")
    assert step.hit is not None
    assert step.hit.why == 'the region of "bottom" (manuals/account.yaml:8:3); nothing else tells where it is'
    assert state(device) == "deleted= paid=yes tapped="


def test_a_bare_point_in_a_region_snaps_to_its_control(on: On) -> None:
    """The region of `big save` lies over another button as well: the manual says what is meant there."""
    device = on()
    (step,) = device.perform("t 200 280")
    assert state(device) == "deleted= paid= tapped=keep"
    assert step.note.startswith('200, 280 lies in the region of "big save" (manuals/account.yaml:9:3): touched at')
    device.find(point=(200, 290)).tap()
    assert device.perform("t 200 210")[0].note.startswith("200, 210 is")  # on the control already


def test_the_state_begins_with_the_manual(on: On) -> None:
    lines = str(on().state()).splitlines()
    assert lines[1:5] == [
        "manual account (manuals/account.yaml), by bundle id 'com.example.account'",
        "  An account and a chat.",
        "  can't be undone: control:bottom (normal)",
        "  its names for what is here: keep it, Other, big save",
    ]
    assert "manual" not in str(on("").state())


# Interruptions


def test_an_interruption_is_closed_as_the_manual_says_each_time_it_comes(on: On) -> None:
    device = on()
    for _ in range(2):
        device.tap("Rate later")
        step = device.tap("Save")
        assert step.note.startswith(
            "interruption 'rating' of the manual (manuals/account.yaml:12:3): id='not_now' was touched"
        )
    assert state(device).endswith("tapped=keep")
    assert len(device.context.notes) == 1
    assert device.context.notes[0].startswith("expected.interruption 'rating'")


def test_one_that_the_test_wants_is_left(on: On) -> None:
    device = on()
    device.tap("Rate later")
    expect(device.find("Do you like this app?")).to_be_visible()
    device.tap("Rate")
    assert state(device).endswith("tapped=rated")


def test_one_that_comes_back_at_once_is_closed_once(on: On) -> None:
    device = on()
    device.tap("Nag")
    before = len(device.raw.recognised)
    with pytest.raises(TargetProblem) as caught:
        device.tap("Save")
    assert len(device.raw.recognised) - before == 1
    assert device.context.known.standing == {"nagging"}
    verdict = judge(device.examine(failure_of(caught.value), caught.value))
    assert verdict.kind == "transient.blocked"
    assert "nagging (manuals/account.yaml:13:3): closed 1 time, and is back" in verdict.reason
    twin = on(MANUAL.replace("nagging:", "nagging again:").replace("Once more!", "Never shown"))
    twin.tap("Nag")
    with pytest.raises(TargetProblem) as caught:
        twin.tap("Save")
    assert judge(twin.examine(failure_of(caught.value), caught.value)).category is Category.FUNCTIONAL


def test_the_guard_holds_for_what_a_manual_says_of_interruptions(on: On) -> None:
    manual = MANUAL.replace(
        "rating: {appears: Do you like this app?, tap: {id: not_now}",
        "rating: {appears: Do you like this app?, press: back",
    )
    device = on(manual.replace('["control:bottom"]', '["key:back"]'))
    device.tap("Rate later")
    with pytest.raises(ActionRefused, match="key:back"):
        device.tap("Save")


# Flows


def test_a_flow_does_its_steps_and_those_of_others(on: On) -> None:
    device = on()
    steps = device.flow("both")
    assert [step.named for step in steps] == [
        'tap "keep it"',
        "tap id='message'",
        "type 'Hi there' into Message",
        "press enter",
    ]
    assert steps[0].purpose == "keep"
    expect(device.find("sent Hi there")).to_be_visible()


def test_a_flow_goes_through_the_guard(on: On) -> None:
    device = on()
    with pytest.raises(ActionRefused, match="control:bottom can't be undone") as caught:
        device.flow("danger")
    assert caught.value.seen.endswith("in the flow 'danger', manuals/account.yaml:19:20")
    assert state(device) == "deleted= paid= tapped="
    on(allow=("control:bottom",)).flow("danger")


def test_a_precondition_that_fails_is_a_clear_error(on: On) -> None:
    device = on()
    before = len(device.raw.recognised)
    with pytest.raises(ActionRefused) as caught:
        device.flow("lower")
    assert caught.value.tried == "the flow 'lower' needs the screen 'down'"
    assert caught.value.seen.startswith("the screen 'home' is shown")
    assert len(device.raw.recognised) == before
    device.tap("Down")
    with pytest.raises(TargetNotFound):
        device.flow("lower")


def test_flows_that_are_not_there(on: On) -> None:
    with pytest.raises(ConfigError) as caught:
        on().flow("wirte")
    assert (caught.value.likely, caught.value.tried) == (
        "'write' is meant", "the manual account (manuals/account.yaml) has no flow 'wirte'",
    )  # fmt: skip
    with pytest.raises(ConfigError, match="there is no manual whose flow could be done"):
        on("").flow("write")


# A person


def test_a_person_is_asked_and_waited_for(on: On) -> None:
    device, told = on(), []

    @contextmanager
    def person(text: str) -> Iterator[None]:
        told.append(text)
        device.raw.clock.after(3, lambda: device.raw.machine.front.set_value("tapped", "other"))
        yield

    device.context.person = person
    step = device.flow("ask")[0]
    assert told == ['read the code\n(up to 5 s, until "tapped=other" (part of it) is visible)']
    assert step.named == "a person: read the code"
    assert 3000 <= step.took_ms < 5000


def test_nobody_comes(on: On) -> None:
    device = on()
    device.context.person = lambda _text: ExitStack()
    with pytest.raises(ActionRefused) as caught:
        device.hand_over("enter the code from the SMS", until=lambda: device.find("Welcome").text, timeout=7)
    assert caught.value.tried == "nobody did it within 7 s: enter the code from the SMS"
    assert caught.value.seen == "it was waited until <lambda>() holds"


@pytest.mark.parametrize("until", [None, "Welcome", 3])
def test_what_is_waited_for_has_to_be_something(on: On, until: Any) -> None:
    with pytest.raises(ConfigError, match=r"hand_over\(until=…\) takes"):
        on().hand_over("enter the code", until=until)


def test_without_pytest_nobody_can_be_asked(on: On) -> None:
    with pytest.raises(ConfigError, match="needs a test run by pytest"):
        on().hand_over("enter the code", until=lambda: True)


# Live regions


def test_what_the_manual_calls_live_does_not_keep_the_screen_from_rest(screen: Any, still: Any, part: Any) -> None:
    """Boxes that come and go in a corner: a screen that never rests, unless the corner is declared."""

    def show(seconds: float) -> list[Any]:
        at = int(seconds * 20) % 5
        return [*still, part("text", (20 + at * 20, 300, 60 + at * 20, 330), f"news {at}", "#aa2200")]

    for live, kind in (((), Unsettled), ((Rect(0, 290, 200, 340),), Settled), ((Rect(0, 290, 60, 340),), Unsettled)):
        shown = screen(show)
        rest = Rest(3.0, "limit", live=lambda _look, live=live: live)  # type: ignore[misc]
        assert isinstance(settle(shown.look, shown.clock, rest), kind)


def test_a_loading_sign_counts_in_a_live_region_too(screen: Any, still: Any, part: Any) -> None:
    shown = screen(lambda _seconds: [*still, part("progress", (20, 300, 60, 330))])
    found = settle(shown.look, shown.clock, Rest(2.0, "limit", live=lambda _look: (Rect(0, 290, 200, 340),)))
    assert isinstance(found, Unsettled)
    assert found.why == "loading"


def test_a_live_region_says_nothing_of_an_act_unless_it_fills_the_screen(on: On) -> None:
    for region, effect in (
        ("[0, 80, 1000, 40]", "none"),
        ("[0, 0, 1000, 1000]", "changed"),
        ("[0, 900, 1000, 100]", "changed"),
    ):
        device = on(f"match: {{bundleId: com.example.account}}\nlive_regions: {{here: {{region: {region}}}}}\n")
        assert device.tap("Save").effect == effect


def test_live_regions_are_where_the_manual_says(on: On) -> None:
    device = on("match: {bundleId: com.example.account}\n"
                "live_regions: {clock: {id: state}, corner: {region: [500, 0, 500, 100]}}\n")  # fmt: skip
    boxes = device.context.live_regions(device.snapshot())
    assert boxes == [device.find(id="state").box, Rect(200, 0, 400, 100)]


# Several apps, other versions


def _manual(text: str, name: str) -> Manual:
    return load_manual(text, f"manuals/{name}.yaml")


def test_each_window_has_the_manual_of_its_app() -> None:
    """Two apps side by side: names and regions count from the window that they are of."""
    builder = TreeBuilder()
    for at, app in enumerate(("com.example.left", "com.example.right")):
        builder.window(Window(0, app, bounds=Rect(at * 200, 0, at * 200 + 200, 400), focused=bool(at)))
        builder.open("window", (at * 200, 0, at * 200 + 200, 400))
        builder.leaf("button", (at * 200 + 10, 10, at * 200 + 90, 50), text="Go", identifier="go")
        builder.close()
    look = Snapshot("look-1", 0.0, builder.build(), Screen(Size(400, 400)), AppInFront("com.example.right", 7))
    controls = "controls: {start: {id: go}, low: {region: [0, 500, 1000, 500]}}"
    left = _manual(f"match: {{bundleId: com.example.left}}\n{controls}\n", "l")
    right = _manual("match: {bundleId: COM.example.RIGHT}\ncontrols: {begin: {id: go}}\n", "r")
    known = Known(None, Shelf((left, right)))
    assert [node.bounds.left for node in known.called(look, "start")] == [10]
    assert [node.bounds.left for node in known.called(look, "begin")] == [210]
    spot = known.spot(look, "low")
    assert spot is not None
    assert (spot.area, spot.point) == (Rect(0, 200, 200, 400), Point(100, 300))
    assert known.snap(look, Point(300, 300)) is None
    assert set(known.used) == {"manuals/l.yaml", "manuals/r.yaml"}


def test_a_manual_for_another_version_is_told(on: On) -> None:
    device = on(MANUAL.replace("com.example.account}", 'com.example.account, version: "<2"}'))
    assert device.manual is None
    (note,) = device.context.notes
    assert note == (
        "no manual for com.example.account: account (manuals/account.yaml): it is for versions <2, the app is 2.1.0"
    )
    assert "it is for versions <2" in str(device.state())
    device.context.notes.clear()


# Without a manual


def test_a_chain_of_bare_touches_without_a_manual_is_noted_once(on: On) -> None:
    other = MANUAL.replace(ID, "com.example.other")
    device = on(other)
    device.perform("t 200 270")
    assert not device.context.notes
    for _ in range(2):
        device.perform("t 200 270 w 0.5 t 200 210")
    assert device.context.notes == [
        "a chain of bare touches on com.example.account, without a manual that says what they do; "
        "pytest-apex capture --manual com.example.account writes a first one from what is on the screen"
    ]
    known = on()
    known.perform("t 200 270 w 0.5 t 200 210")
    assert not known.context.notes
