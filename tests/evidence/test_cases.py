"""Cases stored and read back: equal in every value, and free of secrets."""

from __future__ import annotations

import dataclasses
import json
import math
import types
import typing
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from pytest_apex.errors import ApexError, SourceError
from pytest_apex.evidence.cases import CASE_FILE, JudgedFailure, masked, read_cases, write_cases
from pytest_apex.evidence.codec import decode, encode
from pytest_apex.evidence.redact import Redactor
from pytest_apex.evidence.store import Store, run_folder
from pytest_apex.model.case import Case, CrashRecord, Failure, HarnessEvent, LastTouch, ProcessEvent
from pytest_apex.model.geometry import Rect
from pytest_apex.model.look import Unsettled
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.model.verdict import Finding, Outcome, Verdict
from pytest_apex.vision import image

SECRET = "sesame-77"


def stored(case: Case, run: Path) -> Case:
    write_cases(run / "a", Store(run), [JudgedFailure("call", case)])
    (back,) = read_cases(run, "a")
    assert back.case is not None
    return back.case


def same(one: Snapshot | None, other: Snapshot | None) -> bool:
    """Equal up to `raw`, pixels included."""
    if one is None or other is None:
        return one is other
    names = ("id", "taken_at", "tree", "screen", "app", "skew_ms", "source", "notes", "platform")
    pictures = [look.picture.pixels().tobytes() if look.picture else None for look in (one, other)]
    return all(getattr(one, name) == getattr(other, name) for name in names) and pictures[0] == pictures[1]


def full_case(look: Snapshot) -> Case:
    """Every field with another value than the usual one."""
    return Case(
        failure=Failure(
            "check", "expected «ä\ud800»", "setup", "functional.wrong_value", "picture", "CheckFailed", '"Total"',
            ("near",), "lid", "com.other", "pin", 1 / 3, 0.1 + 0.2, "limit",
            (Finding("overlap", "visual.overlap", "over", "warn", ("a", "b"), Rect(0.1, 2, 3, 4)),), "t.py:3",
        ),
        app="com.example.notes", platform="ios", device_used=False, read_since_action=True, since=math.pi,
        before=look, now=look, unsettled=Unsettled(look, 1234.5, 3, "loading", ("wheel",), "limit"), pid=1, pid_now=0,
        in_front="com.other", processes=(ProcessEvent(1.1, "a", 2, "gone", True),),
        records=(CrashRecord("a", 2, "anr", "slow", None, "events", "text"),),
        harness=(HarnessEvent(2.2, "blind_tree", "one node", True),),
        last_touch=LastTouch("step-001", "tap", "x", "none", True, True, True, True),
        findings_now=(Finding("r", "k", "why"),), load_timeout=7.5,
    )  # fmt: skip


def test_everything_comes_back(screen_with: Callable[..., Snapshot], field: Any, tmp_path: Path) -> None:
    look = replace(screen_with(field("a\udfffb", value="3", hint="h")), notes=("odd",), skew_ms=1 / 7)
    case = full_case(look)
    back = stored(case, tmp_path)
    assert back.now is not None
    assert back.before is back.now
    assert back.unsettled is not None
    assert back.unsettled.snapshot is back.now
    assert same(look, back.now)
    looks = {"before": None, "now": None, "unsettled": None}
    assert replace(back, **looks) == replace(case, **looks)
    assert replace(back.unsettled, snapshot=look) == case.unsettled


def test_none_is_not_zero(tmp_path: Path) -> None:
    for pid in (None, 0, 7):
        assert stored(Case(Failure("check", "x"), pid_now=pid), tmp_path).pid_now == pid


def test_a_verdict_without_a_case(tmp_path: Path) -> None:
    verdict = Verdict(Outcome.FAIL, None, "test.xpass", "it passed")
    write_cases(tmp_path / "a", Store(tmp_path), [JudgedFailure("call", None, verdict)])
    assert read_cases(tmp_path, "a") == [JudgedFailure("call", None, verdict)]


_texts = st.text(st.characters(exclude_categories=()), max_size=8)


@given(
    failure=st.builds(
        Failure, type=_texts, message=_texts, near_misses=st.lists(_texts, max_size=3).map(tuple),
        explicit_timeout=st.none() | st.floats(allow_nan=False), waited_s=st.floats(allow_nan=False),
    ),
    event=st.builds(ProcessEvent, st.floats(allow_nan=False), _texts, st.integers(), _texts, st.booleans()),
)  # fmt: skip
def test_any_value_through_json(failure: Failure, event: ProcessEvent) -> None:
    case = Case(failure, processes=(event,))
    text = json.dumps(encode(case, lambda _look: None), ensure_ascii=True)
    assert decode(Case, json.loads(text.encode()), lambda _told: None) == case  # type: ignore[arg-type, return-value]


def test_the_present_version_reads_fields_that_it_does_not_know() -> None:
    assert decode(ProcessEvent, {"at": 1, "app": "a", "pid": 2, "what": "gone", "mood": 3}, lambda _: None) == (  # type: ignore[arg-type, return-value]
        ProcessEvent(1.0, "a", 2, "gone")
    )


DAMAGE = {
    "cut": (lambda text: text[: len(text) // 2], r"a/case\.json:\d+: is cut short"),
    "empty": (lambda _text: "", r"a/case\.json:1: is cut short"),
    "type": (
        lambda text: text.replace('"check"', "5"),
        r"a/case\.json:8: failures\[0\]\.case\.failure\.type: expected a",
    ),
    "missing": (lambda text: text.replace('"message"', '"massage"'), r"a/case\.json:\d+: .*message: expected a value"),
    "format": (lambda text: text.replace('"format": 1', '"format": 99'), r"a/case\.json:2: format: expected"),
    "list": (lambda _text: "[]", r"a/case\.json:1: format"),
    "binary": (lambda _text: "\0\0", r"a/case\.json:1: is cut short"),
}


@pytest.mark.parametrize("how", DAMAGE)
def test_damage_is_said_with_its_line(how: str, tmp_path: Path) -> None:
    stored(Case(Failure("check", "x")), tmp_path)
    change, said = DAMAGE[how]
    path = tmp_path / "a" / CASE_FILE
    path.write_text(change(path.read_text("utf-8")), "utf-8")
    with pytest.raises(SourceError, match=said):
        read_cases(tmp_path, "a")


@pytest.mark.parametrize(("suffix", "said"), [(".png", "is gone"), (".json", "can't be read")])
def test_a_file_of_the_store_that_is_gone(
    screen_with: Callable[..., Snapshot], tmp_path: Path, suffix: str, said: str
) -> None:
    stored(Case(Failure("check", "x"), now=screen_with()), tmp_path)
    for path in (tmp_path / "store").glob(f"*{suffix}"):
        path.unlink()
    with pytest.raises(SourceError, match=rf"store/.*{said}.*named in a/case\.json"):
        read_cases(tmp_path, "a")


@pytest.mark.parametrize("change", [('"parents":[', '"parents":[7,'), ('"roles"', '"rules"'), ("}", "")])
def test_a_damaged_tree(screen_with: Callable[..., Snapshot], tmp_path: Path, change: tuple[str, str]) -> None:
    stored(Case(Failure("check", "x"), now=screen_with()), tmp_path)
    (tree,) = (tmp_path / "store").glob("*.json")
    tree.write_text(tree.read_text("utf-8").replace(*change), "utf-8")
    with pytest.raises(SourceError, match=rf"store/{tree.name}:\d+: is"):
        read_cases(tmp_path, "a")


def test_a_picture_is_read_only_when_someone_looks(screen_with: Callable[..., Snapshot], tmp_path: Path) -> None:
    case = stored(Case(Failure("check", "x"), now=screen_with()), tmp_path)
    assert case.now is not None
    assert case.now.picture is not None
    (png,) = (tmp_path / "store").glob("*.png")
    png.write_bytes(b"no picture")
    assert case.now.picture.size.width == 400
    with pytest.raises(SourceError, match="not a PNG"):
        case.now.picture.pixels()


# Masking


def redactor() -> Redactor:
    return Redactor([SECRET, "notes"])  # a word that is in the app's id as well


def test_texts_are_masked_and_words_that_rules_compare_stay(screen_with: Callable[..., Snapshot]) -> None:
    case = full_case(screen_with())
    told = replace(
        case,
        failure=replace(case.failure, message=f"no {SECRET}", near_misses=(SECRET,), because=SECRET, source=SECRET),
        records=(replace(case.records[0], text=SECRET, reason=SECRET),),
        harness=(replace(case.harness[0], detail=SECRET),),
        unsettled=replace(case.unsettled, moving=(SECRET,)),  # type: ignore[type-var]
        findings_now=(Finding("r", "k", SECRET, nodes=(SECRET,)),),
    )
    hidden = masked(told, redactor())
    assert SECRET not in repr(hidden)
    assert hidden.app == hidden.now.app.id == "com.example.notes"  # type: ignore[union-attr]
    assert hidden.failure.type == "check"


def test_each_text_of_a_case_is_masked_or_one_of_our_own_words() -> None:
    """Secrets planted in every text: what is left are words that rules compare, and names of apps, steps and types."""
    case = masked(_planted(Case), Redactor([SECRET]))
    left = sorted({place for place, text in _all_texts(case) if SECRET in text})
    assert left == [
        "app", "failure.covered_by_app", "failure.exception", "failure.findings.kind", "failure.findings.rule",
        "failure.findings.severity", "failure.kind", "failure.needs", "failure.phase", "failure.type",
        "findings_now.kind", "findings_now.rule", "findings_now.severity", "harness.what", "in_front",
        "last_touch.effect", "last_touch.step", "last_touch.verb", "platform", "processes.app", "processes.what",
        "records.app", "records.way",
    ]  # fmt: skip


def _planted(kind: Any) -> Any:
    """A value whose texts all hold the secret; looks are left out."""
    origin, inside = typing.get_origin(kind), typing.get_args(kind)
    if kind is str:
        return f"a {SECRET}"
    if origin is tuple:
        return (_planted(inside[0]),)
    if types.NoneType in inside:
        return None if inside[0] in (Snapshot, Unsettled) else _planted(inside[0])
    if not dataclasses.is_dataclass(kind):
        return kind()
    hints = typing.get_type_hints(kind)
    return kind(**{item.name: _planted(hints[item.name]) for item in dataclasses.fields(kind)})  # type: ignore[operator]


def _all_texts(value: Any, place: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield place, value
    elif isinstance(value, tuple):
        for item in value:
            yield from _all_texts(item, place)
    elif dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            yield from _all_texts(getattr(value, field.name), f"{place}.{field.name}".lstrip("."))


def test_nothing_to_hide_is_the_same_object(screen_with: Callable[..., Snapshot]) -> None:
    case = full_case(screen_with())
    assert masked(case, Redactor()) is case


def picture_of(ground: str, ink: str | None) -> Any:
    page = Image.new("RGB", (400, 400), ground)
    if ink:
        ImageDraw.Draw(page).rectangle((30, 30, 90, 50), fill=ink)
    return image.from_image(page)


@pytest.mark.parametrize(("ground", "ink"), [("white", "#404040"), ("black", "#dddddd"), ("#808080", "#303030")])
def test_a_secret_is_painted_over_and_still_something(
    screen_with: Callable[..., Snapshot], field: Any, ground: str, ink: str
) -> None:
    """Black and white stripes, of which neither an empty screen nor a missing text can be made."""
    look = screen_with(field(SECRET), picture=picture_of(ground, ink))
    hidden = masked(Case(Failure("check", "x"), now=look), redactor()).now
    assert hidden is not None
    assert hidden.picture is not None
    pixels = hidden.picture.pixels()
    for y in (19, 35, 60):
        assert {pixels.getpixel((x, y)) for x in range(19, 381)} == {(0, 0, 0), (255, 255, 255)}
    assert pixels.getpixel((200, 70)) == look.picture.pixels().getpixel((200, 70))  # type: ignore[union-attr]


def test_where_nothing_is_drawn_nothing_is_painted(screen_with: Callable[..., Snapshot], field: Any) -> None:
    """A blank screen stays one: whoever painted there would have it taken for a screen with something on it."""
    look = screen_with(field(SECRET), picture=picture_of("white", None))
    hidden = masked(Case(Failure("check", "x"), now=look), redactor()).now
    assert hidden is not None
    assert hidden.picture is look.picture
    assert SECRET not in repr(hidden.tree.texts)


def test_a_hook_that_hides_more_is_heard(screen_with: Callable[..., Snapshot]) -> None:
    look = screen_with(picture=picture_of("white", "#404040"))
    hidden = masked(Case(Failure("check", "x"), now=look), Redactor(), lambda _look: [Rect(0, 0, 50, 50)]).now
    assert hidden is not None
    assert hidden.picture is not None
    assert hidden.picture.pixels().getpixel((60, 40)) in ((0, 0, 0), (255, 255, 255))

    def broken(_look: Snapshot) -> list[Rect]:
        raise ApexError("the hook failed")

    with pytest.raises(ApexError, match="the hook failed"):
        masked(Case(Failure("check", "x"), now=look), Redactor(), broken)


def test_run_folder(tmp_path: Path) -> None:
    assert run_folder(tmp_path) == tmp_path
    home = tmp_path / ".apex"
    home.mkdir()
    (home / "latest").write_text(".apex/runs/x\n", "utf-8")
    assert run_folder(home / "latest") == tmp_path / ".apex/runs/x"
