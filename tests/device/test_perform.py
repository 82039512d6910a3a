"""`device.perform` on the built-in phone: refused as a whole before anything is sent, done one step a command."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_apex.backends import virtual
from pytest_apex.backends.virtual import VirtualBackend
from pytest_apex.device.device import Device
from pytest_apex.device.expect import expect
from pytest_apex.errors import (
    ActionRefused,
    ApexError,
    CapabilityMissing,
    CheckFailed,
    CommandError,
    ConfigError,
    ScreenUnsettled,
)
from pytest_apex.evidence.journal import read_journal
from pytest_apex.evidence.recorder import Recorder
from pytest_apex.evidence.redact import Redactor
from pytest_apex.evidence.store import Store
from pytest_apex.gestures.compile import RULES, compile_action
from pytest_apex.gestures.language import parse_commands
from pytest_apex.model.action import Crown, Press, Receipt, Remote, Swipe, Tap
from pytest_apex.model.geometry import Point
from pytest_apex.model.look import Settled
from pytest_apex.model.node import Node
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.phone.phone import Phone
from pytest_apex.settings import Settings, Touch

NOTES = "com.example.notes"
USUAL = Settings()
EXACT = Settings(touch=Touch(humanize="off"))
On = Callable[..., Device]


@pytest.fixture
def on(tmp_path: Path) -> Iterator[On]:
    """`on("virtual?platform=ios")`: a device with the demo app in front."""
    with ExitStack() as stack:

        def make(
            spec: str = "virtual",
            settings: Settings = USUAL,
            kind: type[VirtualBackend] = VirtualBackend,
            policy: str = "never",
        ) -> Device:
            backend = kind(virtual.connect(spec, settings).raw, spec)
            recorder = Recorder(tmp_path, Store(tmp_path), Redactor(()), policy)
            device = Device(backend, settings, recorder, test="perform")
            device.start(NOTES)
            stack.callback(recorder.close, failed=False)
            return device

        yield make


def named(device: Device, word: str) -> Node:
    nodes = device.snapshot().nodes
    return next(node for node in nodes if word in (node.text, node.label) or node.identifier.endswith(word))


def spot(device: Device, word: str) -> str:
    middle = named(device, word).bounds.center
    return f"{middle.x:.0f} {middle.y:.0f}"


@contextmanager
def untouched(device: Device, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Fails unless nothing reached the phone: no call, no line in its log, no change on its screen."""
    phone: Phone = device.raw
    sent: list[str] = []
    for name in ("touch", "type_text", "clear_text", "press", "rotate"):
        monkeypatch.setattr(phone, name, lambda *_args, _name=name: sent.append(_name))
    lines, tree, picture = phone.log.count, phone.tree(), phone.frame().key
    steps = len(device.context.recorder.steps)
    yield
    assert sent == []
    assert (phone.log.count, phone.frame().key) == (lines, picture)
    assert phone.tree() is tree
    assert len(device.context.recorder.steps) == steps


def refusal(device: Device, text: str, monkeypatch: pytest.MonkeyPatch) -> ApexError:
    """The error of a text of which nothing is done."""
    with untouched(device, monkeypatch), pytest.raises(ApexError) as caught:
        device.perform(text)
    return caught.value


# Done


@pytest.mark.parametrize("platform", ["android", "ios"])
def test_a_tap_by_coordinates_names_its_control(on: On, platform: str) -> None:
    device = on(f"virtual?platform={platform}")
    place = spot(device, "email")
    (step,) = device.perform(f"t {place}", purpose="focus it", expected_outcome="a keyboard")
    assert step.hit is not None
    assert step.hit.node.identifier.endswith("email")
    assert step.hit.node.window.app == NOTES
    assert step.named == f"tap {place.replace(' ', ', ')} on {step.hit.node}"
    assert step.note == f"{place.replace(' ', ', ')} is {step.hit.node} in window 'Notes' of {NOTES}"
    assert (step.purpose, step.expected_outcome) == ("focus it", "a keyboard")
    assert step.effect == "changed"
    assert step.source is not None
    assert step.source.file == __file__


def test_intent_and_done_are_on_record(on: On, tmp_path: Path) -> None:
    device = on()
    device.perform(f"t {spot(device, 'email')} w 0.3")
    lines = [line for line in read_journal(tmp_path / "steps.jsonl") if line["event"] in ("intent", "done")]
    assert [(line["event"], line["verb"]) for line in lines[-4:]] == [
        ("intent", "tap"), ("done", "tap"), ("intent", "wait"), ("done", "wait"),
    ]  # fmt: skip
    assert "E-mail" in lines[-4]["node"]


def test_one_step_a_command_in_order(on: On) -> None:
    device = on(settings=EXACT)
    x, y = spot(device, "email").split()
    text = f"t {x} {y} b h 0.5 w 1.25 orientation landscapeLeft orientation portrait"
    steps = device.perform(text)
    assert [step.action for step in steps] == parse_commands(text)
    assert [step.verb for step in steps] == ["tap", "press", "wait", "orientation", "orientation"]
    assert all(isinstance(step.settled_after, Settled) for step in steps)
    waited = steps[2].receipt
    assert waited is not None
    assert waited.ended - waited.started == pytest.approx(1.25)
    assert device.context.turned


def test_typed_text_arrives_with_its_spaces(on: On) -> None:
    device = on()
    device.perform(f"t {spot(device, 'email')} sender keyboard kbd  a  [,]\\u{{00FC}} t 1 2 ")
    assert named(device, "email").text == " a  [,]ü t 1 2 "


def test_what_is_typed_into_a_password_field_is_masked(on: On) -> None:
    device = on()
    steps = device.perform(f"t {spot(device, 'password')} sender keyboard kbd hunter2")
    assert steps[1].named == "type ••• into Password"
    assert "hunter2" not in str(steps)


def test_an_empty_text_captures_only(on: On, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    device = on(policy="failed")
    with untouched(device, monkeypatch):
        assert device.perform("") == []
        assert device.perform("  ") == []
    kept = [line for line in read_journal(tmp_path / "steps.jsonl") if line["event"] == "attached"]
    assert [line["caption"] for line in kept] == ["capture", "capture"]


@pytest.fixture
def list_of_notes(on: On) -> Device:
    device = on(settings=EXACT)
    device.perform(f"t {spot(device, 'email')} sender keyboard kbd ada@example.com")
    device.perform(f"t {spot(device, 'password')} sender keyboard kbd x")
    device.press("back")
    device.perform(f"t {spot(device, 'log_in')}")
    return device


def test_a_swipe_and_a_drag_move_what_is_under_the_finger(list_of_notes: Device) -> None:
    device = list_of_notes
    top = named(device, "Recipe").bounds.top
    (swipe,) = device.perform("t 270 900 f 270 600 0.4")
    assert swipe.action == Swipe(Point(270, 900), Point(270, 600), 400)
    assert swipe.effect == "changed"
    assert swipe.named.startswith("swipe from 270, 900 on ")
    assert " to 270, 600 on " in swipe.named
    assert swipe.note.count(f"in window 'Notes' of {NOTES}") == 2
    moved = top - named(device, "Recipe").bounds.top
    assert moved > 30
    (drag,) = device.perform("drag 270 600 270 800 0 0.5")
    assert drag.effect == "changed"
    assert named(device, "Recipe").bounds.top > top - moved


def test_it_may_be_used_on_what_covers_the_app(on: On) -> None:
    device = on(settings=EXACT)
    device.perform(f"t {spot(device, 'forgot')}")
    beside = device.perform("t 20 300")[0]
    assert beside.hit is not None
    assert beside.hit.node.window.kind == "dialog"
    (closed,) = device.perform(f"t {spot(device, 'OK')}")
    assert '"OK"' in closed.named
    assert closed.change is not None
    assert closed.change.vanished


class Hands(VirtualBackend):
    """A phone that takes several fingers."""

    @property
    def capabilities(self) -> frozenset[str]:
        return super().capabilities | {"multi_touch"}


def test_several_fingers_go_as_one_gesture(on: On) -> None:
    device = on(settings=EXACT, kind=Hands)
    (step,) = device.perform("mt [200 800, 340 800] 0.3 [100 700, 440 900] 0.1")
    assert step.verb == "multi_touch"
    assert step.track is not None
    assert [(stroke.samples[0].x, stroke.samples[-1].x) for stroke in step.track.strokes] == [(200, 100), (340, 440)]
    assert step.track.duration_ms == 400
    assert step.named.startswith("multi touch from 200, 800 on ")


@pytest.mark.parametrize(
    ("text", "exact"), [("mt [200 900, 340 900] 0.3 [100 800, 440 1000] 0.1", False), ("mt [200 900, 100 100] 1", True)]
)
def test_fingers_miss_their_places_only_inside_one_control(on: On, text: str, exact: bool) -> None:
    device = on(kind=Hands)
    (step,) = device.perform(text)
    assert step.track is not None
    assert step.track.humanized
    starts = [Point(stroke.samples[0].x, stroke.samples[0].y) for stroke in step.track.strokes]
    meant = list(parse_commands(text)[0].frames[0].points)  # type: ignore[union-attr]
    assert (starts == meant) is exact
    assert max(at.distance(place) for at, place in zip(starts, meant, strict=True)) <= 5


# Refused, and nothing sent


@pytest.mark.parametrize("text", ["t 100 200 w 0.3 oops", "t 100 200 t 1", "b h sender keyboard", "b h w -1"])
def test_a_text_that_does_not_parse(on: On, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    error = refusal(on(), text, monkeypatch)
    assert isinstance(error, CommandError)
    assert f"at column {error.column}" in error.tried


@pytest.mark.parametrize(
    ("spec", "text", "what"),
    [
        ("virtual", "b h c 1", "turn a crown"),
        ("virtual", "b h r select", "be told by a remote to select"),
        ("virtual", "b h b s", "no key 'side'"),
        ("virtual?platform=ios", "t 100 200 b p", "no key 'power'"),
        ("virtual?platform=ios", "t 100 200 b u 2", "hold volume_up for 2 s"),
        ("virtual?platform=tvos", "r up t 1 1", "tap"),
        ("virtual?platform=watchos", "b h sender keyboard kbd x", "type text"),
        ("virtual?platform=tvos", "r up mt [1 1, 2 2] 1", "multi touch"),
        ("virtual?platform=tvos", "r up b c", "no key 'crown'"),
        ("virtual?platform=watchos", "t 50 50 d 50 50", "double tap"),
        ("virtual?platform=watchos", "t 50 50 orientation portrait", "be turned"),
    ],
)
def test_what_the_device_can_not_do(on: On, monkeypatch: pytest.MonkeyPatch, spec: str, text: str, what: str) -> None:
    device = on(spec)
    error = refusal(device, text, monkeypatch)
    assert isinstance(error, CapabilityMissing)
    assert error.tried.startswith(str(device.info))
    assert what in error.tried
    keys = ", ".join(sorted(device.raw.platform.keys))
    assert error.seen in (f"it can: {', '.join(sorted(device.capabilities))}", f"it has: {keys}")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("t 100 200 t 100 300 f 101 300", "can't make a swipe"),
        ("t 100 200 t 100 300 0.41", "can't hold a tap for 410 ms"),
        ("b h drag 100 200 100 201", "can't make a drag"),
    ],
)
def test_a_gesture_that_can_not_arrive(on: On, monkeypatch: pytest.MonkeyPatch, text: str, why: str) -> None:
    error = refusal(on(), text, monkeypatch)
    assert isinstance(error, ConfigError)
    assert why in error.tried


@pytest.mark.parametrize(
    ("text", "point"),
    [
        ("t 540 100", "540, 100"),
        ("t 100 1200", "100, 1200"),
        ("t -1 100", "-1, 100"),
        ("d 5000 5000", "5000, 5000"),
        ("t 100 100 f 100 1200", "100, 1200"),
        ("drag 600 100 100 100", "600, 100"),
        ("b h t 100 1200", "100, 1200"),
        ("t 100 200 d 1300 100", "1300, 100"),
        ("t 100 200 orientation landscapeLeft t 100 1200", "100, 1200"),
    ],
)
def test_a_point_outside_the_screen(on: On, monkeypatch: pytest.MonkeyPatch, text: str, point: str) -> None:
    error = refusal(on(), text, monkeypatch)
    assert isinstance(error, ActionRefused)
    assert error.tried == f"can't touch {point}: it is outside the screen"
    assert "540×1200" in error.seen


def test_a_point_outside_the_screen_as_it_is_turned_by_then(on: On, monkeypatch: pytest.MonkeyPatch) -> None:
    device = on()
    with pytest.raises(ActionRefused) as caught:
        device.perform("orientation landscapeLeft t 100 1100")
    assert caught.value.seen == (
        "the screen is 1200×540 (landscape_left)\n1 of 2 commands were done before, up to step-002"
    )
    assert device.raw.orientation == "landscape_left"
    with untouched(device, monkeypatch), pytest.raises(ActionRefused):
        device.perform("t 100 600")
    assert device.perform("t 1100 100")


def seen_as(
    device: Device, monkeypatch: pytest.MonkeyPatch, change: Callable[[Snapshot], Snapshot]
) -> pytest.MonkeyPatch:
    """Every look of the device from now on is `change`d."""
    capture = device.context.backend.capture
    monkeypatch.setattr(device.context.backend, "capture", lambda: change(capture()))
    return monkeypatch


@pytest.mark.parametrize("text", ["t 100 200", "d 100 200", "t 100 200 f 100 500", "drag 100 200 100 500", "t 1 1 b p"])
def test_a_sleeping_screen(on: On, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    device = on()
    seen_as(device, monkeypatch, lambda look: replace(look, screen=replace(look.screen, awake=False)))
    error = refusal(device, text, monkeypatch)
    assert isinstance(error, ActionRefused)
    assert error.tried.endswith("the screen is asleep")


def test_on_a_sleeping_screen_buttons_work(on: On, monkeypatch: pytest.MonkeyPatch) -> None:
    device = on()
    seen_as(device, monkeypatch, lambda look: replace(look, screen=replace(look.screen, awake=False)))
    assert [step.verb for step in device.perform("b p w 0.1")] == ["press", "wait"]


@pytest.mark.parametrize("text", ["t 100 200", "t 100 200 f 100 500"])
def test_no_window_of_a_known_app(on: On, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    device = on()

    def nameless(look: Snapshot) -> Snapshot:
        windows = tuple(replace(window, app="") for window in look.windows)
        return replace(look, tree=replace(look.tree, windows=windows))

    seen_as(device, monkeypatch, nameless)
    error = refusal(device, text, monkeypatch)
    assert isinstance(error, ActionRefused)
    assert "no window of a known app is there" in error.tried


def test_typing_without_a_focused_field_names_what_has_the_focus(on: On, monkeypatch: pytest.MonkeyPatch) -> None:
    error = refusal(on(), "sender keyboard kbd hello", monkeypatch)
    assert isinstance(error, ActionRefused)
    assert error.seen == "nothing has the focus"


def loading(look: Snapshot) -> Snapshot:
    """The same with the first button turned into a loading sign."""
    at = look.tree.roles.index("button")
    roles = (*look.tree.roles[:at], "progress", *look.tree.roles[at + 1 :])
    return replace(look, tree=replace(look.tree, roles=roles))


def test_what_still_loads_is_not_touched(on: On, monkeypatch: pytest.MonkeyPatch) -> None:
    device = on(settings=Settings().changed("timeouts", {}, load=2.0))
    where, beside = spot(device, "log_in"), spot(device, "forgot")
    seen_as(device, monkeypatch, loading)
    started = device.raw.clock.now()
    with pytest.MonkeyPatch.context() as patch:
        error = refusal(device, f"t {where}", patch)
    assert isinstance(error, ScreenUnsettled)
    assert error.unsettled is not None
    assert error.unsettled.why == "loading"
    assert "--apex-load-timeout 2 s" in error.tried
    assert 2 <= device.raw.clock.now() - started < 4
    assert device.perform(f"t {beside}")


def test_what_loads_for_a_while_is_waited_for(on: On, monkeypatch: pytest.MonkeyPatch) -> None:
    device = on()
    where, until = spot(device, "email"), device.raw.clock.now() + 3
    seen_as(device, monkeypatch, lambda look: loading_field(look) if look.taken_at < until else look)
    (step,) = device.perform(f"t {where}")
    assert step.started >= until
    assert step.effect == "changed"


def loading_field(look: Snapshot) -> Snapshot:
    at = look.tree.roles.index("text_field")
    roles = (*look.tree.roles[:at], "progress", *look.tree.roles[at + 1 :])
    return replace(look, tree=replace(look.tree, roles=roles))


# The hand


def test_off_means_the_exact_track(on: On) -> None:
    device = on(settings=EXACT)
    for text, action in (
        ("t 100.5 200", Tap(Point(100.5, 200))),
        ("t 270 900 f 275 600 0.3", Swipe(Point(270, 900), Point(275, 600), 300)),
    ):
        (step,) = device.perform(text)
        assert step.track == compile_action(action, RULES["android"])


def test_a_humanized_tap_stays_on_the_smallest_control(on: On) -> None:
    device = on()
    bounds = named(device, "Sign in").bounds
    corner = Point(bounds.left + 1, bounds.top + 1)
    spots = set()
    for _ in range(20):
        (step,) = device.perform(f"t {corner.x} {corner.y}")
        assert step.track is not None
        assert step.track.humanized
        at = step.track.points[0]
        assert bounds.contains(at)
        assert at.distance(corner) <= 5
        spots.add(at)
    assert len(spots) > 10


@pytest.mark.parametrize("command", ["t 270 900 f 270 500 0.3", "drag 270 900 270 500 0 0.3"])
def test_a_humanized_path_ends_within_three_units(on: On, command: str) -> None:
    device = on(settings=Settings(touch=Touch(humanize="unsteady")))
    ends = []
    for _ in range(20):
        (step,) = device.perform(command)
        assert step.track is not None
        assert step.track.humanized
        ends.append((step.track.points[0], step.track.points[-1]))
    assert max(start.distance(Point(270, 900)) for start, _ in ends) <= 3
    assert max(end.distance(Point(270, 500)) for _, end in ends) <= 3
    assert len(set(ends)) > 10


def test_a_touch_by_coordinates_is_never_repeated(on: On) -> None:
    device = on(settings=EXACT)
    (step,) = device.perform(f"t {spot(device, 'Sign in')}")
    assert step.effect == "none"
    with pytest.raises(CheckFailed):
        expect(device.find("Welcome")).to_be_visible(timeout=1)
    assert [each.verb for each in device.context.recorder.steps].count("tap") == 1


# Crown and remote


class Watch(VirtualBackend):
    """A watch with a crown that turns."""

    turned: tuple[float, ...] = ()

    @property
    def capabilities(self) -> frozenset[str]:
        return super().capabilities | {"crown"}

    def turn_crown(self, turns: float) -> Receipt:
        self.turned += (turns,)
        return Receipt(self.clock.now(), self.clock.now(), f"crown {turns}")


def test_the_crown_turns(on: On) -> None:
    device = on("virtual?platform=watchos", kind=Watch)
    steps = device.perform("c 1.5 c -0.5 b s")
    assert [step.action for step in steps] == [Crown(1.5), Crown(-0.5), Press("side")]
    assert device.context.backend.turned == (1.5, -0.5)  # type: ignore[attr-defined]


def test_a_crown_that_is_declared_and_not_there(on: On, monkeypatch: pytest.MonkeyPatch) -> None:
    class Liar(VirtualBackend):
        capabilities = frozenset({"crown"})
        turn_crown = None

    error = refusal(on("virtual?platform=watchos", kind=Liar), "c 1", monkeypatch)
    assert isinstance(error, CapabilityMissing)
    assert error.seen == "Liar declares 'crown' and lacks methods of HasCrown"


def test_the_remote_moves_the_focus(on: On) -> None:
    device = on("virtual?platform=tvos")
    steps = device.perform("r down r select")
    assert [step.action for step in steps] == [Remote("down"), Remote("select")]
    assert steps[0].named == "remote: down"
    assert steps[0].effect == "changed"
