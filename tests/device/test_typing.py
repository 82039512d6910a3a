"""Typing: refused before anything is sent, or read back from the field; what the app makes of it is no fault."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_apex.device.acting import writing
from pytest_apex.device.device import Device
from pytest_apex.device.examining.failure import failure_of
from pytest_apex.errors import ActionRefused, ApexError, CapabilityMissing, ConfigError, TargetObscured, TextLost
from pytest_apex.model.node import NodeState
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.phone.phone import Phone
from pytest_apex.settings import Settings, Touch
from pytest_apex.testing import virtual_device
from pytest_apex.verify.judge import judge

APP = Path(__file__).parent / "typing_app.yaml"
On = Callable[..., Device]

TEXTS = [
    "Some%sText%s!",
    "#general",
    "~/notes",
    "Wünderbar",
    "中文",
    "  two  double  spaces  ",
    "a\tb",
    "'\"`$HOME`\"' & | ; < > \\ \\n \\u0041",
    "שלום עולם",
    "مرحبا 123 بالعالم",
    "😀",
    "👩‍👩‍👧‍👦 🏳️‍🌈 🇳🇴 👍🏽",
    "e\u0301 é ﬁ Å",
    "x" * 500,
]


@pytest.fixture
def on(tmp_path: Path) -> Iterator[On]:
    """`on("fault=lost_letter")`: a device with the fields in front."""
    with ExitStack() as stack:

        def make(options: str = "") -> Device:
            spec = f"virtual:{APP}?{options}".rstrip("?")
            exact = Settings(touch=Touch(humanize="off"))
            return stack.enter_context(virtual_device(tmp_path, spec, app="com.example.typing", settings=exact))

        yield make


@contextmanager
def nothing_sent(device: Device, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    sent: list[str] = []
    phone: Phone = device.raw
    with monkeypatch.context() as patch:
        for name in ("touch", "type_text", "clear_text", "press", "hide_keyboard"):
            patch.setattr(phone, name, lambda *_args, _name=name: sent.append(_name))
        yield
    assert sent == []


def held(device: Device, control: str) -> str:
    """What the app itself has got."""
    return str(device.raw.machine.front.value(control))


# It arrives


@pytest.mark.parametrize("platform", ["android", "ios"])
@pytest.mark.parametrize("text", TEXTS)
def test_every_text_arrives_as_it_is(on: On, platform: str, text: str) -> None:
    device = on(f"platform={platform}")
    step = device.find(id="plain").fill(text)
    assert held(device, "plain") == text
    assert device.find(id="plain").value == text
    assert step.note == ""
    device.type(text)
    assert held(device, "plain") == text + text


@pytest.mark.parametrize("text", ["one\ntwo", "\n", "a\n\n  b\n"])
def test_returns_arrive_in_a_field_of_lines(on: On, text: str) -> None:
    device = on()
    assert device.find(id="lines").fill(text).note == ""
    assert held(device, "lines") == text


def test_by_a_command_too(on: On) -> None:
    device = on()
    device.tap(device.find(id="lines"))
    (step,) = device.perform("sender keyboard kbd  #a\\u{000A}\\u{0009}\\u{1F600} ~%s ")
    assert held(device, "lines") == " #a\n\t😀 ~%s "
    assert step.note == ""


def test_it_goes_where_the_caret_is_and_replaces_on_fill(on: On) -> None:
    device = on()
    old = device.find(id="old")
    old.tap()
    assert device.type(" after").note == ""
    assert held(device, "old") == "before after"
    old.fill("new")
    assert held(device, "old") == "new"


# What the app makes of it


@pytest.mark.parametrize(
    ("control", "text", "becomes", "note"),
    [
        ("card", "4111111111111111", "4111 1111 1111 1111", "the app shows it with other separators"),
        ("card", "41111111111111119", "4111 1111 1111 1111", "the field kept 16 of 17 characters, as with a limit"),
        ("phone", "5551234567", "(555) 123-4567", "the app shows it with other separators"),
        ("phone", "555 123 4567", "(555) 123-4567", "the app shows it with other separators"),
        ("digits", "12a3", "123", "the field takes digits only"),
        ("capital", "ada", "Ada", "the app shows it in other case"),
        ("short", "abcdef", "abcd", "the field kept 4 of 6 characters, as with a limit"),
        ("plain", "a\nb", "ab", "the field has one line"),
        ("chat", "hello\n", "", "the return key took the text before it"),
        ("chat", "one\ntwo", "two", "the return key took the text before it"),
    ],
)
def test_what_the_app_makes_of_it_is_noted_and_no_fault(
    on: On, control: str, text: str, becomes: str, note: str
) -> None:
    device = on()
    step = device.find(id=control).fill(text)
    assert held(device, control) == becomes
    assert step.note == note
    assert any(note in told for told in device.context.notes) is ("as with a limit" in note)


def test_a_field_that_is_gone_is_not_read(on: On) -> None:
    device = on()
    step = device.find(id="away").fill("abc")
    assert step.note == "it was not read back: the field is gone"
    assert device.find("Elsewhere").is_visible()


# A keyboard that loses or changes a letter


def tab_moves_the_focus(device: Device, monkeypatch: pytest.MonkeyPatch, loses: str = "") -> None:
    """As with a hardware keyboard, and in many apps: each tab goes to the next field. `loses` does not arrive."""
    phone: Phone = device.raw
    plain = phone.type_text

    def typed(text: str) -> bool:
        for letter in text.replace(loses, "") if loses else text:
            if letter == "\t":
                shown = sorted(phone._hand._shown(), key=lambda box: box.top)
                fields = [box.key for box in shown if box.role == "text_field"]
                front = phone.machine.front
                front.set_focus(fields[fields.index(front.focus) + 1])
            else:
                plain(letter)
        return True

    monkeypatch.setattr(phone, "type_text", typed)


@pytest.mark.parametrize(
    ("field", "text", "arrived"),
    [("plain", "ab\tcd", {"plain": "ab", "lines": "cd"}), ("plain", "\tcd", {"lines": "cd"}),
     ("plain", "ab\t", {"plain": "ab"}), ("short", "abc\t1234", {"short": "abc", "pin": "1234"}),
     ("plain", "a\tb\t41", {"plain": "a", "lines": "b", "card": "41"})],
)  # fmt: skip
def test_a_tab_may_lead_to_the_next_field(
    on: On, monkeypatch: pytest.MonkeyPatch, field: str, text: str, arrived: dict[str, str]
) -> None:
    device = on()
    tab_moves_the_focus(device, monkeypatch)
    step = device.find(id=field).fill(text)
    assert {name: held(device, name) for name in arrived} == arrived
    assert "the tab moved the focus on" in step.note


@pytest.mark.parametrize(("text", "loses"), [("ab\tcd", "b"), ("ab\tcd", "d")])
def test_what_gets_lost_beside_a_tab_is_told(on: On, monkeypatch: pytest.MonkeyPatch, text: str, loses: str) -> None:
    """The twin: one letter of either field is missing."""
    device = on()
    tab_moves_the_focus(device, monkeypatch, loses)
    with pytest.raises(TextLost):
        device.find(id="plain").fill(text)


def test_a_lost_letter_is_named_and_is_no_fault_of_the_app(on: On) -> None:
    device = on("fault=lost_letter")
    with pytest.raises(TextLost) as caught:
        device.find(id="plain").fill("ada@example.com")
    error = caught.value
    assert error.tried == "what was typed into Plain arrived otherwise: character 2, 'd', is missing"
    assert "the field shows 'aa@example.com'" in error.seen
    verdict = judge(device.examine(failure_of(error), error))
    assert verdict.kind == "transient.harness.lost_text"
    assert "character 2" in verdict.reason
    # Never typed again by itself; what it was is on record.
    assert held(device, "plain") == "aa@example.com"
    assert "character 2" in device.context.recorder.steps[-1].note


def test_the_same_text_without_the_fault(on: On) -> None:
    assert on().find(id="plain").fill("ada@example.com").note == ""


def test_a_secret_is_not_told_by_its_differences(on: On, tmp_path: Path) -> None:
    device = on("fault=lost_letter")
    with pytest.raises(TextLost) as caught:
        device.find(id="plain").fill("hunter2", secret=True)
    assert "character 2 is missing" in caught.value.tried
    told = str(caught.value) + (tmp_path / "steps.jsonl").read_text("utf-8")
    assert "unter" not in told
    assert "hnter" not in told
    assert "•••" in told


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("hunter2", lambda device, text: device.type(text, secret=True)),
        ("hunter2", lambda device, text: device.find(id="nowhere").fill(text, secret=True)),
        ("hunter2\x07", lambda device, text: device.find(id="plain").fill(text, secret=True)),
    ],
)
def test_a_secret_that_is_refused_is_one_too(on: On, text: str, refused: Callable[[Device, str], object]) -> None:
    """The line of the test stands beside what was refused."""
    device = on()
    masked = device.context.recorder.redactor.text
    with pytest.raises(ApexError):
        refused(device, text)
    assert "hunter2" not in masked(f"device.type({text!r})")


def test_a_password_is_one_before_its_field_has_the_focus(on: On, monkeypatch: pytest.MonkeyPatch) -> None:
    device = on()
    pin = device.find(id="pin")
    monkeypatch.setattr(device.raw.machine, "show_keyboard", lambda _up: device.raw.machine.front.set_focus(""))
    with pytest.raises(ApexError):
        pin.fill("hunter2")
    assert "hunter2" not in device.context.recorder.redactor.text("fill('hunter2')")


def test_a_plain_text_that_is_refused_can_be_read(on: On) -> None:
    device = on()
    with pytest.raises(ApexError):
        device.type("hunter2")
    assert device.context.recorder.redactor.text("hunter2") == "hunter2"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("  two  double  ", "'  two  double  '"),
        ("a\tb", r"'a\tb'"),
        (" ", "' '"),
        ("x" * 80, f"'{'x' * 59}…'"),
    ],
)
def test_a_step_says_what_was_typed_as_it_is(on: On, text: str, shown: str) -> None:
    assert on().find(id="plain").fill(text).named == f"type {shown} into Plain"


def test_of_a_password_the_length_is_compared(on: On, monkeypatch: pytest.MonkeyPatch) -> None:
    device = on()
    assert device.find(id="pin").fill("hünter 2").note == ""
    phone = device.raw
    monkeypatch.setattr(phone.machine.fault, "typed", lambda _control, letter: "" if letter == "n" else letter)
    with pytest.raises(TextLost, match="7 characters are shown where 8 are meant"):
        device.find(id="pin").fill("hünter 2")


def test_a_field_that_can_not_be_emptied(on: On, monkeypatch: pytest.MonkeyPatch) -> None:
    device = on()
    monkeypatch.setattr(device.raw, "clear_text", lambda: True)
    with pytest.raises(TextLost, match="could not be emptied"):
        device.find(id="old").fill("new")
    assert held(device, "old") == "before"


# The focus


@pytest.mark.parametrize(
    ("control", "came", "kind"),
    [("tip", "'A tip' (dialog of com.example.typing)", "functional.not_reachable"), ("ask", "", "transient.blocked")],
)
def test_a_dialog_that_comes_up_stops_it(on: On, control: str, came: str, kind: str) -> None:
    device = on()
    with pytest.raises(TargetObscured) as caught:
        device.find(id=control).fill("abcdef")
    assert held(device, control) == "abc"
    assert came in caught.value.seen
    much = "3 of 6 arrived" if control == "tip" else "how much of it arrived can't be told"
    assert caught.value.tried.endswith(f"was interrupted: {much}")
    assert judge(device.examine(failure_of(caught.value), caught.value)).kind == kind


def test_a_dialog_after_the_last_letter_stops_nothing(on: On) -> None:
    device = on()
    device.find(id="tip").fill("abc")
    assert device.find("A tip").is_visible()


def test_without_a_field_in_focus_nothing_is_sent(on: On, monkeypatch: pytest.MonkeyPatch) -> None:
    device = on()
    with nothing_sent(device, monkeypatch), pytest.raises(ActionRefused, match="typing needs a focused text field"):
        device.type("x")


def test_under_a_dialog_of_the_app_nothing_is_sent(on: On, monkeypatch: pytest.MonkeyPatch) -> None:
    device = on()
    device.find(id="tip").fill("abc")
    focus_stays(device, monkeypatch, "tip")
    with nothing_sent(device, monkeypatch), pytest.raises(ActionRefused) as caught:
        device.type("d")
    assert "'A tip' (dialog of com.example.typing) is in front of" in caught.value.seen


def test_with_another_app_in_front_nothing_is_sent(on: On, monkeypatch: pytest.MonkeyPatch) -> None:
    device = on()
    device.tap(device.find(id="plain"))
    capture = device.context.backend.capture

    def behind() -> Snapshot:
        look = capture()
        windows = tuple(replace(window, focused=False) for window in look.windows)
        return replace(look, app=replace(look.app, id="com.example.mail"), tree=replace(look.tree, windows=windows))

    monkeypatch.setattr(device.context.backend, "capture", behind)
    with nothing_sent(device, monkeypatch), pytest.raises(ActionRefused) as caught:
        device.type("d")
    assert "com.example.mail came to the front" in caught.value.likely


def focus_stays(device: Device, monkeypatch: pytest.MonkeyPatch, control: str) -> None:
    """Every look says that the field still has the focus, as platforms do under a dialog."""
    capture = device.context.backend.capture

    def with_focus() -> Snapshot:
        look = capture()
        at = next(n for n, name in enumerate(look.tree.identifiers) if name.endswith(f"/{control}"))
        states = list(look.tree.states)
        states[at] |= int(NodeState.FOCUSED)
        return replace(look, tree=replace(look.tree, states=tuple(states)))

    monkeypatch.setattr(device.context.backend, "capture", with_focus)


def test_focus_that_went_to_another_field_is_told(on: On, monkeypatch: pytest.MonkeyPatch) -> None:
    device = on()
    device.tap(device.find(id="plain"))
    with nothing_sent(device, monkeypatch), pytest.raises(ActionRefused) as caught:
        writing.type_text(device.context, "x", target=device.find(id="old").target)
    assert caught.value.tried == "id='old' has not got the focus"
    assert '"Plain" (text_field' in caught.value.seen or "Plain" in caught.value.seen


# What can't be typed


@pytest.mark.parametrize("letter", ["\x00", "\r", "\x1b", "\x7f", "\u0085", "\ud83d", "\uffff"])
def test_what_no_keyboard_has_is_refused_as_a_whole(on: On, monkeypatch: pytest.MonkeyPatch, letter: str) -> None:
    device = on()
    device.tap(device.find(id="plain"))
    with nothing_sent(device, monkeypatch):
        for act in (
            lambda: device.type(f"ab{letter}c"),
            lambda: device.find(id="plain").fill(f"ab{letter}c"),
            lambda: device.find(id="plain").set_value(f"ab{letter}c"),
        ):
            with pytest.raises(ConfigError, match=f"character 3 of the text can't be typed: U\\+{ord(letter):04X}"):
                act()
    if letter < "\ud800":
        with nothing_sent(device, monkeypatch), pytest.raises(ConfigError):
            device.perform(f"t 100 200 sender keyboard kbd ab\\u{{{ord(letter):04X}}}")


def test_a_device_without_typing_says_so(tmp_path: Path) -> None:
    spec = f"virtual:{APP}?platform=watchos"
    with (
        virtual_device(tmp_path, spec, app="com.example.typing") as device,
        pytest.raises(CapabilityMissing, match="can't type text"),
    ):
        device.type("x")


# The keyboard


@pytest.mark.parametrize("platform", ["android", "ios"])
def test_hiding_the_keyboard(on: On, monkeypatch: pytest.MonkeyPatch, platform: str) -> None:
    device = on(f"platform={platform}")
    with nothing_sent(device, monkeypatch):
        assert device.hide_keyboard() is None
    device.find(id="chat").fill("draft")
    step = device.hide_keyboard()
    assert step is not None
    assert step.verb == "hide_keyboard"
    assert not [window for window in device.snapshot().windows if window.kind == "keyboard"]
    assert held(device, "chat") == "draft"
    with nothing_sent(device, monkeypatch):
        assert device.hide_keyboard() is None


@pytest.mark.parametrize(("platform", "hidden"), [("android", True), ("ios", False)])
def test_hiding_it_without_a_way_of_its_own(
    on: On, monkeypatch: pytest.MonkeyPatch, platform: str, hidden: bool
) -> None:
    """Android has its back key; on iOS the return key may send the form, and is not pressed."""
    device = on(f"platform={platform}")
    device.find(id="chat").fill("draft")
    phone = device.raw
    usual = phone.platform.capabilities - {"hide_keyboard"}
    monkeypatch.setattr(phone, "platform", replace(phone.platform, capabilities=usual))
    if hidden:
        step = device.hide_keyboard()
        assert step is not None
        assert step.named == "press back"
        return
    with nothing_sent(device, monkeypatch), pytest.raises(ApexError) as caught:
        device.hide_keyboard()
    assert isinstance(caught.value, CapabilityMissing)
    assert 'device.press("enter")' in caught.value.cure
