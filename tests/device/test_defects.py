"""`to_have_no_defects` with what is known, and the checks on where controls are."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pytest_apex.backends import virtual
from pytest_apex.device.checking.defects import in_lines
from pytest_apex.device.device import Device
from pytest_apex.device.examining.failure import failure_of
from pytest_apex.device.expect import expect
from pytest_apex.errors import CheckFailed, ConfigError
from pytest_apex.evidence.recorder import Recorder
from pytest_apex.evidence.redact import Redactor
from pytest_apex.evidence.store import Store
from pytest_apex.manual.load import load_manual
from pytest_apex.manual.winners import Shelf
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.model.verdict import CheckResult, Finding, Outcome
from pytest_apex.settings import Settings, Touch
from pytest_apex.verify.judge import judge
from pytest_apex.vision import ocr

APP = """
app: com.example.looks
name: Looks
size: {width: 400, height: 800, density: 1.0}
start: home
screens:
  home:
    title: Looks
    transition: none
    controls:
      - {role: text, id: greeting, text: "Hello {{{{user.name}}}}"}
      - {role: text, id: pale, text: Hard to read, color: "#B8B8B8"}
      - {role: button, id: save, text: Save}
      - {role: button, id: again, text: Save}
      - role: card
        id: card
        controls: [{role: text, id: inside, text: Inside}]
"""
MANUAL = """
match: {{bundleId: com.example.looks}}
expected:
  greeting:
    what: the name is not filled in
    kind: visual.unresolved_text
    reason: a known fault
    until: {until}
"""
On = Callable[..., Device]


@pytest.fixture
def on(tmp_path: Path) -> Iterator[On]:
    """`on()`: a device with the app above in front, and maybe a manual."""
    app = tmp_path / "looks.yaml"
    app.write_text(textwrap.dedent(APP), "utf-8")
    with ExitStack() as stack:

        def make(manual: str = "") -> Device:
            settings = Settings(touch=Touch(humanize="off"))
            recorder = Recorder(tmp_path, Store(tmp_path), Redactor(()), "never")
            shelf = Shelf((load_manual(textwrap.dedent(manual), "manuals/looks.yaml"),)) if manual else None
            device = Device(virtual.connect(f"virtual:{app}", settings), settings, recorder, test="t", manuals=shelf)
            device.start("com.example.looks")
            stack.callback(recorder.close, failed=False)
            return device

        yield make


def kind_of(check: Callable[[], None]) -> str:
    with pytest.raises(CheckFailed) as error:
        check()
    failure = error.value.failure
    assert failure is not None
    return str(failure.kind)


# Defects


def test_a_placeholder_is_a_defect(on: On) -> None:
    assert kind_of(lambda: expect(on().screen).to_have_no_defects(timeout=1)) == "visual.unresolved_text"


def test_ignored_by_control_and_by_rule(on: On) -> None:
    device = on()
    expect(device.screen).to_have_no_defects(ignore=[device.find(id="greeting")])
    expect(device.screen).to_have_no_defects(ignore="unresolved_text")
    assert [note for note in device.context.notes if note.startswith("known defect: unresolved_text")]
    wrong = device.find(id="save")
    assert kind_of(lambda: expect(device.screen).to_have_no_defects(ignore=wrong, timeout=1)) != ""


def test_a_warning_is_noted_and_fails_nothing(on: On) -> None:
    device = on()
    expect(device.screen).to_have_no_defects(rules={"unresolved_text": "warn"})
    assert any(note.startswith("visual.unresolved_text (warning): ") for note in device.context.notes)


@pytest.mark.parametrize(("until", "counts"), [("2999-12-31", True), ("2001-01-01", False)])
def test_known_by_the_manual_until_a_day(on: On, until: str, counts: bool) -> None:
    device = on(MANUAL.format(until=until))
    if counts:
        expect(device.screen).to_have_no_defects()
        [note] = [note for note in device.context.notes if note.startswith("known defect")]
        assert "a known fault" in note
        assert until in note
    else:
        assert kind_of(lambda: expect(device.screen).to_have_no_defects(timeout=1)) == "visual.unresolved_text"


def test_accessibility_fails_where_it_is_asked_to(on: On) -> None:
    device = on()
    ignored = {"ignore": "unresolved_text"}
    expect(device.screen).to_have_no_defects(**ignored)  # type: ignore[arg-type]
    asked: dict[str, Any] = {**ignored, "rules": {"contrast": "fail"}, "timeout": 1}
    assert kind_of(lambda: expect(device.screen).to_have_no_defects(**asked)) == "visual.contrast"
    asked["rules"] = {"duplicate_label": "fail"}
    assert kind_of(lambda: expect(device.screen).to_have_no_defects(**asked)) == "visual.duplicate_label"


def test_a_palette(on: On) -> None:
    device = on()
    asked: dict[str, Any] = {"ignore": "unresolved_text", "palette": ["#FF00FF"], "timeout": 1}
    assert kind_of(lambda: expect(device.screen).to_have_no_defects(**asked)) == "visual.wrong_color"


class Shy:
    """A check that can't tell about one control."""

    name, claim = "shy", "nothing is shy"

    def applies(self, _: Snapshot) -> bool:
        return True

    def run(self, _: Snapshot) -> CheckResult:
        return CheckResult(self.name, self.claim, Outcome.PASS, unknown=("a map",))


def test_what_cant_be_judged_is_unsure_only_where_the_test_is_strict(on: On) -> None:
    device = on()
    asked: dict[str, Any] = {"ignore": "unresolved_text", "timeout": 1}
    expect(device.screen).to_have_no_defects(strict=True, **asked)
    device.context.extra_checks = (Shy(),)
    expect(device.screen).to_have_no_defects(**asked)
    with pytest.raises(CheckFailed) as failed:
        expect(device.screen).to_have_no_defects(strict=True, **asked)
    assert failed.value.seen == "shy: a map"
    verdict = judge(device.examine(failure_of(failed.value, "call"), failed.value))
    assert (verdict.outcome, verdict.category, verdict.kind) == (Outcome.UNSURE, None, "unsure.not_judged")
    with pytest.raises(CheckFailed, match="no defects"):  # what is wrong is wrong all the same
        expect(device.screen).to_have_no_defects(strict=True, timeout=1)


@pytest.mark.parametrize(
    "asked",
    [
        {"ignore": ["no_such_rule"]}, {"ignore": 5}, {"ignore": [5]}, {"rules": {"x": "off"}}, {"palette": ["blueish"]},
        {"tolerance": -1}, {"strict": "yes"},
    ],
    ids=str,
)  # fmt: skip
def test_what_can_not_be_meant(on: On, asked: dict[str, Any]) -> None:
    with pytest.raises(ConfigError):
        expect(on().screen).to_have_no_defects(**asked)


def test_warnings_of_one_kind_are_one_line() -> None:
    warned = [Finding("contrast", "accessibility.contrast", f"text {at}", "warn") for at in range(5)]
    failed = [Finding("overlap", "visual.overlap", f"pair {at}") for at in range(2)]
    assert in_lines([*warned, *failed]) == [
        "visual.overlap: pair 0",
        "visual.overlap: pair 1",
        "accessibility.contrast (warning): text 0; text 1; text 2; 2 more",
    ]


# Where controls are


def test_aligned(on: On) -> None:
    device = on()
    save, again, inside = (device.find(id=name) for name in ("save", "again", "inside"))
    expect(save).to_be_aligned("left", again)
    expect(device.find(role="button")).to_be_aligned("left")
    expect(save).not_to_be_aligned("top", again)
    expect(inside).not_to_be_aligned("left", save)
    assert kind_of(lambda: expect(inside).to_be_aligned("left", save, timeout=1)) == "visual.misaligned"
    expect(inside).to_be_aligned("left", save, tolerance=400)
    assert kind_of(lambda: expect(save).to_be_aligned("left", timeout=1)) == "functional.wrong_value"
    missing = device.find(id="nowhere")
    assert kind_of(lambda: expect(save).to_be_aligned("left", missing, timeout=1)) == "functional.missing_element"
    assert kind_of(lambda: expect(missing).to_be_aligned("left", timeout=1)) == "functional.missing_element"


def test_within(on: On) -> None:
    device = on()
    inside, card, save = (device.find(id=name) for name in ("inside", "card", "save"))
    expect(inside).to_be_within(card)
    expect(card).to_be_within(device.screen)
    expect(save).not_to_be_within(card)
    assert kind_of(lambda: expect(save).to_be_within(card, timeout=1)) == "visual.clipped"
    assert kind_of(lambda: expect(save).not_to_be_within(device.screen, timeout=1)) == "visual.off_screen"


def test_overlap(on: On) -> None:
    device = on()
    save, again, card, inside = (device.find(id=name) for name in ("save", "again", "card", "inside"))
    expect(save).not_to_overlap(again)
    assert kind_of(lambda: expect(save).to_overlap(again, timeout=1)) == "visual.overlap"
    assert kind_of(lambda: expect(inside).not_to_overlap(card, timeout=1)) == "test.config"


@pytest.mark.parametrize(
    "wrong",
    [
        lambda device: expect(device.find(id="save")).to_be_aligned("middle"),
        lambda device: expect(device.find(id="save")).to_be_aligned("left", "Save"),
        lambda device: expect(device.find(id="save")).to_be_aligned("left", tolerance=-1),
        lambda device: expect(device.find(id="save")).to_be_within("screen"),
        lambda device: expect(device.find(id="save")).not_to_overlap(None),
    ],
)
def test_what_no_frame_check_takes(on: On, wrong: Callable[[Device], None]) -> None:
    with pytest.raises(ConfigError):
        wrong(on())


def test_a_colour(on: On) -> None:
    device = on()
    expect(device.find(id="pale")).to_have_color("#B8B8B8")
    expect(device.find(id="pale")).not_to_have_color("#0057B8")
    assert kind_of(lambda: expect(device.find(id="pale")).to_have_color("#0057B8", timeout=1)) == "visual.wrong_color"


# Texts on the picture


class Told:
    """A reader that says what it was told to."""

    def __init__(self, *words: str) -> None:
        self.words = words

    def __call__(self, pixels: Any) -> Any:
        boxes = [
            [(10, 30 * at), (90, 30 * at), (90, 30 * at + 20), (10, 30 * at + 20)] for at in range(len(self.words))
        ]
        return SimpleNamespace(boxes=boxes, txts=self.words, scores=[0.99] * len(self.words))


def test_a_text_that_is_only_on_the_picture(on: On, monkeypatch: pytest.MonkeyPatch) -> None:
    device = on()
    monkeypatch.setattr(ocr, "engine", lambda: Told("Play again", "Score 1240"))
    expect(device.screen).to_show_text("play again")
    expect(device.screen).to_show_text(re.compile(r"Score \d+"))
    expect(device.screen).not_to_show_text("Game over")
    assert kind_of(lambda: expect(device.screen).to_show_text("Game over", timeout=1)) == "functional.wrong_value"
    assert [(line.text, line.box.top) for line in device.screen.read_text()] == [("Play again", 0), ("Score 1240", 30)]


def test_without_the_extra_it_is_said_at_once(on: On, monkeypatch: pytest.MonkeyPatch) -> None:
    ocr.engine.cache_clear()
    monkeypatch.setattr(ocr, "is_installed", lambda: False)
    device = on()
    with pytest.raises(ConfigError, match="can't be read"):
        expect(device.screen).to_show_text("Play")
