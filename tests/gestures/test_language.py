"""The command language: what each command means, and that text and actions are each other's inverse."""

from __future__ import annotations

import math
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_apex.errors import CommandError, ConfigError
from pytest_apex.gestures.language import BUTTONS, MAX_CHARS, REMOTE, format_commands, parse_commands
from pytest_apex.gestures.limits import MOST_FINGERS
from pytest_apex.model.action import (
    Action,
    Crown,
    DoubleTap,
    Drag,
    Fingers,
    Fling,
    Frame,
    LongPress,
    Orient,
    Pinch,
    Press,
    Remote,
    Secondary,
    Swipe,
    Tap,
    Twist,
    TypeText,
    Wait,
)
from pytest_apex.model.geometry import Point
from pytest_apex.model.screen import ORIENTATIONS

A, B, C = Point(100, 200), Point(300, 400.5), Point(5, 6)


def frames(*rows: tuple[int, tuple[Point | None, ...]]) -> Fingers:
    return Fingers(tuple(Frame(points, ms) for ms, points in rows))


#: Every form of every command: as the printer writes it, and what it means.
TABLE: list[tuple[str, Action]] = [
    ("t 100 200", Tap(A)),
    ("t 100 200 1.2", Tap(A, 1200)),
    ("t -3.5 0", Tap(Point(-3.5, 0))),
    ("d 100 200", DoubleTap(A)),
    ("t 100 200 f 300 400.5", Swipe(A, B)),
    ("t 100 200 f 300 400.5 0.25", Swipe(A, B, 250)),
    ("drag 100 200 300 400.5", Drag(A, B)),
    ("drag 100 200 300 400.5 0.5", Drag(A, B, 500)),
    ("drag 100 200 300 400.5 0.8 2", Drag(A, B, 800, 2000)),
    ("drag 100 200 300 400.5 0", Drag(A, B, 0)),
    ("mt [100 200] 0.5", frames((500, (A,)))),
    ("mt [100 200, 300 400.5] 0.5 [5 6, 5 6] 0", frames((500, (A, B)), (0, (C, C)))),
    ("mt [100 200, 5 6] 1 [300 400.5] 0.1", frames((1000, (A, C)), (100, (B, None)))),
    ("mt [100 200, 5 6] 1 [, 5 6] 0.1", frames((1000, (A, C)), (100, (None, C)))),
    ("mt [5 6, 5 6] 0.05 [] 0.1 [5 6, 5 6] 0.05", frames((50, (C, C)), (100, (None, None)), (50, (C, C)))),
    ("mt [100 200] 1 [5 6, , 5 6] 2", frames((1000, (A, None, None)), (2000, (C, None, C)))),
    ("b h", Press("home")),
    ("b p 2", Press("power", 2000)),
    ("b u", Press("volume_up")),
    ("b d", Press("volume_down")),
    ("b c", Press("crown")),
    ("b s 0.5", Press("side", 500)),
    ("b a", Press("action")),
    ("sender keyboard kbd hello", TypeText("hello")),
    ("w 0.3", Wait(0.3)),
    ("w 0", Wait(0)),
    ("orientation faceDown", Orient("face_down")),
    ("orientation faceUp", Orient("face_up")),
    ("orientation landscapeLeft", Orient("landscape_left")),
    ("orientation landscapeRight", Orient("landscape_right")),
    ("orientation portrait", Orient("portrait")),
    ("orientation portraitUpsideDown", Orient("portrait_upside_down")),
    ("c 1.5", Crown(1.5)),
    ("c -0.25", Crown(-0.25)),
    *((f"r {name}", Remote(name)) for name in REMOTE),
]


@pytest.mark.parametrize(("text", "action"), TABLE, ids=[text for text, _ in TABLE])
def test_a_command_is_read_and_written(text: str, action: Action) -> None:
    assert parse_commands(text) == [action]
    assert format_commands([action]) == text


def test_commands_follow_each_other_and_no_one_takes_a_part_of_the_next() -> None:
    last = next(text for text, _ in TABLE if text.startswith("sender"))
    texts = [text for text, _ in TABLE if text != last]
    for first in texts:
        for second in (*texts, last):
            assert parse_commands(f"{first} {second}") == parse_commands(first) + parse_commands(second)
    whole = " ".join([*texts, last])
    assert format_commands(parse_commands(whole)) == whole


@pytest.mark.parametrize(
    ("loose", "exact"),
    [
        ("", ""),
        ("   ", ""),
        ("  t  1   2  ", "t 1 2"),
        ("t 1 2 0", "t 1 2"),
        ("t 001.500 .5", "t 1.5 0.5"),
        ("t -0 -0.0", "t 0 0"),
        ("t 1 2 0.3000000", "t 1 2 0.3"),
        ("t 1 2 f 3 4 0.5", "t 1 2 f 3 4"),
        ("drag 1 2 3 4 0.8 1", "drag 1 2 3 4"),
        ("mt[1 2,3 4]0.5[ 5 6 , ]1 w 1", "mt [1 2, 3 4] 0.5 [5 6] 1 w 1"),
        ("mt [1 2,,] 1 [,] 2", "mt [1 2] 1 [] 2"),
        ("sender  keyboard   kbd x", "sender keyboard kbd x"),
    ],
)
def test_what_may_be_written_loosely(loose: str, exact: str) -> None:
    assert format_commands(parse_commands(loose)) == exact
    assert parse_commands(exact) == parse_commands(loose)


@pytest.mark.parametrize(
    ("spelt", "text"),
    [
        ("hello", "hello"),
        ("  two  spaces  ", "  two  spaces  "),
        (" ", " "),
        ("t 1 2 w 3 [,]", "t 1 2 w 3 [,]"),
        (r"a\u{000A}b\u{0009}", "a\nb\t"),
        (r"\u{41}\u{1F600}\u{10ffff}", "A😀\U0010ffff"),
        (r"\u{0000}", "\0"),
        (r"C:\users \n \u0041 \\", r"C:\users \n \u0041 \\"),
        (r"\u{005C}u{41}", r"\u{41}"),
        ("Some%sText%s!", "Some%sText%s!"),
        ("Wünderbar 中文 👩‍💻 שלום", "Wünderbar 中文 👩‍💻 שלום"),
        ("'\"&<>;$(x)`", "'\"&<>;$(x)`"),
    ],
)
def test_typed_text_keeps_every_character(spelt: str, text: str) -> None:
    action = TypeText(text)
    assert parse_commands(f"w 1 sender keyboard kbd {spelt}") == [Wait(1), action]
    assert parse_commands(format_commands([action])) == [action]


def test_what_would_break_the_line_is_written_as_an_escape() -> None:
    text = format_commands([TypeText("a\r\n\x00\x1b\x85\u2028\\u{1}")])
    assert text == r"sender keyboard kbd a\u{000D}\u{000A}\u{0000}\u{001B}\u{0085}\u{2028}\u{005C}u{1}"
    assert text.splitlines() == [text]


# Errors: the column, and what was expected there

COMMANDS = "a command (t, d, drag, mt, b, sender, w, orientation, c, r)"
NUMBER = "(a decimal number, up to 1000000)"
HOLD = "HOLD (seconds, 0 to 3600, at most 3 decimals)"
OVER = "(seconds, over 0, up to 3600, at most 3 decimals)"
ERRORS = [
    ("x", 1, COMMANDS, "'x'"),
    ("T 1 2", 1, COMMANDS, "'T'"),
    ("  tap 1 2", 3, COMMANDS, "'tap'"),
    ("t\t1 2", 1, COMMANDS, r"'t\t1'"),
    ("w 1\nw 2", 3, "SECONDS (seconds, 0 to 3600, at most 3 decimals)", r"'1\nw'"),
    ("t", 2, f"X {NUMBER}", "the end"),
    ("t 1", 4, f"Y {NUMBER}", "the end"),
    ("t 1 nan", 5, f"Y {NUMBER}", "'nan'"),
    ("t -inf 1", 3, f"X {NUMBER}", "'-inf'"),
    ("t 1 1e999", 5, f"Y {NUMBER}", "'1e999'"),
    ("t 1 1e3", 5, f"Y {NUMBER}", "'1e3'"),
    ("t 1 +1", 5, f"Y {NUMBER}", "'+1'"),
    ("t 1 1.", 5, f"Y {NUMBER}", "'1.'"),
    ("t 1 0x10", 5, f"Y {NUMBER}", "'0x10'"),
    ("t 1 1_000", 5, f"Y {NUMBER}", "'1_000'"),
    ("t 1 ١٢", 5, f"Y {NUMBER}", "'١٢'"),
    ("t 1000001 1", 3, f"X {NUMBER}", "'1000001'"),
    ("t 1 " + "9" * 5000, 5, f"Y {NUMBER}", f"'{'9' * 24}…'"),
    ("t 1 2 3.0001", 7, f"f or {HOLD}", "'3.0001'"),
    ("t 1, 2", 4, f"Y {NUMBER}", "','"),
    ("t 1 2 -0.5", 7, f"f or {HOLD}", "'-0.5'"),
    ("t 1 2 -0", 7, f"f or {HOLD}", "'-0'"),
    ("t 1 2 3601", 7, f"f or {HOLD}", "'3601'"),
    ("t 1 2 g", 7, f"f or HOLD (seconds) or {COMMANDS}", "'g'"),
    ("t 1 2 1 g", 9, COMMANDS, "'g'"),
    ("t 1 2 f", 8, f"X2 {NUMBER}", "the end"),
    ("t 1 2 f 3", 10, f"Y2 {NUMBER}", "the end"),
    ("t 1 2 f 3 4 0", 13, f"DURATION {OVER}", "'0'"),
    ("t 1 2 f 3 4 x", 13, f"DURATION (seconds) or {COMMANDS}", "'x'"),
    ("d 1 2 3", 7, COMMANDS, "'3'"),
    ("drag 1 2 3", 11, f"Y2 {NUMBER}", "the end"),
    ("drag 1 2 3 4 -1", 14, HOLD, "'-1'"),
    ("drag 1 2 3 4 1 0", 16, f"MOVE {OVER}", "'0'"),
    ("drag 1 2 3 4 1 1 1", 18, COMMANDS, "'1'"),
    ("mt", 3, "[", "the end"),
    ("mt 1 2", 4, "[", "'1'"),
    ("mt [", 5, f"X {NUMBER}", "the end"),
    ("mt [] 1", 5, "X Y of a finger", "']'"),
    ("mt [,] 1", 6, "X Y of a finger", "']'"),
    ("mt [1] 1", 6, f"Y {NUMBER}", "']'"),
    ("mt [1 2 3 4] 1", 9, ", or ]", "'3'"),
    ("mt [1 2", 8, ", or ]", "the end"),
    ("mt [[1 2]] 1", 5, f"X {NUMBER}", "'['"),
    ("mt [1 2]", 9, "T (seconds, 0 to 3600, at most 3 decimals)", "the end"),
    ("mt [1 2] [3 4] 1", 10, "T (seconds, 0 to 3600, at most 3 decimals)", "'['"),
    ("mt [1 2] 1 x", 12, f"[ or {COMMANDS}", "'x'"),
    ("mt [" + ",".join(["1 2"] * 11) + "] 1", 48, "at most 10 fingers", "']'"),
    ("b", 2, "h, p, u, d, c, s or a", "the end"),
    ("b home", 3, "h, p, u, d, c, s or a", "'home'"),
    ("b h -1", 5, HOLD, "'-1'"),
    ("sender kbd x", 8, "keyboard", "'kbd'"),
    ("sender keyboard x", 17, "kbd", "'x'"),
    ("sender keyboard kbd", 20, "a space and TEXT", "the end"),
    ("sender keyboard kbd ", 20, "a space and TEXT", "the end"),
    ("sender keyboard kbd[x", 20, "a space and TEXT", "'['"),
    ("sender keyboard kbd a\nb", 22, r"\u{000A} in its place", r"a control character, '\n'"),
    ("sender keyboard kbd \x00", 21, r"\u{0000} in its place", r"a control character, '\x00'"),
    ("sender keyboard kbd ab\ud83d", 23, "a whole character", r"half of a surrogate pair, '\ud83d'"),
    (r"sender keyboard kbd \u{}", 21, r"\u{XXXX} with 1 to 6 hexadecimal digits", r"'\u{}'"),
    (r"sender keyboard kbd \u{xyz}", 21, r"\u{XXXX} with 1 to 6 hexadecimal digits", r"'\u{'"),
    (r"sender keyboard kbd \u{41", 21, r"\u{XXXX} with 1 to 6 hexadecimal digits", r"'\u{41'"),
    (r"sender keyboard kbd \u{0000041}", 21, r"\u{XXXX} with 1 to 6 hexadecimal digits", r"'\u{0000041}'"),
    (r"sender keyboard kbd x\u{D83D}", 22, "the number of a character (no surrogate, up to 10FFFF)", r"'\u{D83D}'"),
    (r"sender keyboard kbd x\u{110000}", 22, "the number of a character (no surrogate, up to 10FFFF)", r"'\u{110000}'"),
    ("w", 2, "SECONDS (seconds, 0 to 3600, at most 3 decimals)", "the end"),
    ("w -1", 3, "SECONDS (seconds, 0 to 3600, at most 3 decimals)", "'-1'"),
    ("w 1 t 1", 8, f"Y {NUMBER}", "the end"),
    (
        "orientation landscape_left",
        13,
        "faceDown, faceUp, landscapeLeft, landscapeRight, portrait or portraitUpsideDown",
        "'landscape_left'",
    ),
    ("c", 2, f"TURNS {NUMBER}", "the end"),
    ("c nan", 3, f"TURNS {NUMBER}", "'nan'"),
    ("r back", 3, "up, down, left, right, select, menu, playpause or home", "'back'"),
    ("\ud800", 1, COMMANDS, r"'\ud800'"),
    ("\x00", 1, COMMANDS, r"'\x00'"),
]


@pytest.mark.parametrize(("text", "column", "expected", "found"), ERRORS, ids=[ascii(row[0])[:30] for row in ERRORS])
def test_an_error_names_the_column_and_what_was_expected(text: str, column: int, expected: str, found: str) -> None:
    with pytest.raises(CommandError) as caught:
        parse_commands(text)
    assert caught.value.column == column
    assert caught.value.tried == f"can't read the command at column {column}: expected {expected}, found {found}"


def test_an_error_reads_well() -> None:
    with pytest.raises(CommandError) as caught:
        parse_commands("t 100 200 w 0.3 d 200")
    assert str(caught.value) == (
        "can't read the command at column 22: expected Y (a decimal number, up to 1000000), found the end\n"
        "  seen:    t 100 200 w 0.3 d 200\n"
        "                                ^\n"
        "  try:     nothing was sent; correct the command"
    )


def test_an_error_far_into_a_text_shows_the_part_around_it() -> None:
    with pytest.raises(CommandError) as caught:
        parse_commands("t 1 2 " * 1000 + "oops\x07 d 3 4")
    shown, mark = caught.value.seen.splitlines()
    assert shown[mark.index("^") :] == "oops? d 3 4"
    assert len(shown) < 130


def test_a_text_that_is_too_long_or_none_is_refused() -> None:
    fits = "w 1 ".ljust(MAX_CHARS)
    assert parse_commands(fits) == [Wait(1)]
    with pytest.raises(CommandError, match=f"column {MAX_CHARS + 1}: expected the end"):
        parse_commands(fits + " ")
    with pytest.raises(CommandError, match="expected a text, found a bytes"):
        parse_commands(b"t 1 2")  # type: ignore[arg-type]


def test_ten_fingers_fit() -> None:
    (action,) = parse_commands("mt [" + ",".join(["1 2"] * MOST_FINGERS) + "] 1")
    assert isinstance(action, Fingers)
    assert len(action.frames[0].points) == MOST_FINGERS


# Writing what the language can't say


@pytest.mark.parametrize(
    ("actions", "seen"),
    [
        ([Pinch(A, 2.0, 100)], "found 'pinch'"),
        ([Twist(A, 90, 100)], "found 'twist'"),
        ([Secondary("archive")], "found 'secondary_action'"),
        ([Fling(A, B)], "found 'fling'"),
        ([Swipe(A, B, via=(C,))], "read back as Swipe"),
        ([DoubleTap(A, 100)], "read back as DoubleTap"),
        ([TypeText("x", secret=True)], "read back as TypeText"),
        ([TypeText("")], "found the end"),
        ([TypeText("\udc00")], "half of a surrogate pair"),
        ([TypeText("x"), Wait(1)], "the last action"),
        ([Press("back")], "found 'back'"),
        ([Press("h")], "read back as Press(key='home'"),
        ([Remote("up t 1 2")], "read back as Remote(button='up'), Tap("),
        ([Orient("landscapeLeft")], "read back as Orient(name='landscape_left')"),
        ([Tap(Point(math.nan, 1))], "found 'NaN'"),
        ([Tap(Point(1, 10.0**300))], "found '1000"),
        ([Tap(Point(1, 10**400))], "found '?'"),
        ([Tap(A, -1)], "found '-0.001'"),
        ([Swipe(A, B, 0)], "found '0'"),
        ([Wait(1 / 3)], "found '0.3333333333333333'"),
        ([Wait(math.inf)], "found 'Infinity'"),
        ([Fingers(())], "found the end"),
        (["t 1 2"], "found '?'"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_an_action_without_words_is_refused(actions: list[Action], seen: str) -> None:
    with pytest.raises(ConfigError) as caught:
        format_commands(actions)
    assert seen in caught.value.seen
    assert "can't write action 1, " in caught.value.tried


def test_a_secret_stays_one() -> None:
    with pytest.raises(ConfigError) as caught:
        format_commands([TypeText("hunter2", secret=True)])
    assert "hunter2" not in str(caught.value)


def test_a_long_press_is_a_tap_held_as_long() -> None:
    assert format_commands([LongPress(A, 1200)]) == "t 100 200 1.2"


def test_too_many_actions_for_one_text() -> None:
    with pytest.raises(ConfigError, match="can't write 100001 actions"):
        format_commands([Press("home", 999_001)] * 100_001)


# Laws

coordinates = st.floats(-1_000_000, 1_000_000, allow_subnormal=False).filter(lambda x: x == 0 or abs(x) > 1e-6)
points = st.builds(Point, coordinates, coordinates)
times = st.integers(0, 3_600_000)
characters = st.characters(exclude_categories=("Cs",))


@st.composite
def key_frames(draw: st.DrawFn) -> Fingers:
    """Frames of as many places as there are fingers; somewhere the last one touches, and one does at the start."""
    count = draw(st.integers(1, MOST_FINGERS))
    row = st.lists(st.none() | points, min_size=count, max_size=count)
    rows = draw(st.lists(row, min_size=1, max_size=5))
    rows[0][draw(st.integers(0, count - 1))] = draw(points)
    rows[draw(st.integers(0, len(rows) - 1))][-1] = draw(points)
    return Fingers(tuple(Frame(tuple(row), draw(times)) for row in rows))


actions_ = st.one_of(
    st.builds(Tap, points, times),
    st.builds(DoubleTap, points),
    st.builds(Swipe, points, points, times.filter(bool)),
    st.builds(Drag, points, points, times, times.filter(bool)),
    key_frames(),
    st.builds(Press, st.sampled_from(sorted(BUTTONS.values())), times),
    st.builds(Wait, times.map(lambda ms: ms / 1000)),
    st.builds(Orient, st.sampled_from(ORIENTATIONS)),
    st.builds(Crown, coordinates),
    st.builds(Remote, st.sampled_from(REMOTE)),
)
typing = st.builds(TypeText, st.text(characters, min_size=1))
programs = st.builds(lambda most, last: most + last, st.lists(actions_, max_size=6), st.lists(typing, max_size=1))


@given(programs)
def test_written_and_read_again_it_is_the_same(actions: list[Action]) -> None:
    text = format_commands(actions)
    assert parse_commands(text) == actions
    assert format_commands(parse_commands(text)) == text
    assert text.isprintable() or any(isinstance(action, TypeText) for action in actions)


@given(times)
def test_times_are_exact_and_short(ms: int) -> None:
    text = format_commands([Tap(A, ms), Wait(ms / 1000)])
    assert parse_commands(text) == [Tap(A, ms), Wait(ms / 1000)]
    assert float(text.rpartition(" ")[2]) == ms / 1000
    assert len(text.rpartition(" ")[2]) <= len(repr(ms / 1000))


def outcome(text: str) -> list[Action] | CommandError:
    try:
        return parse_commands(text)
    except CommandError as error:
        return error


@given(st.text(st.characters()) | st.text("t d[],.0123456789-fwbhcr \\u{}kA", max_size=40))
def test_no_text_raises_anything_but_its_own_error(text: str) -> None:
    for candidate in (text, f"t {text}", f"mt [{text}", f"sender keyboard kbd {text}"):
        found = outcome(candidate)
        if isinstance(found, CommandError):
            assert 1 <= found.column <= len(candidate) + 1
            str(found).encode()  # can be printed anywhere
        else:
            assert parse_commands(format_commands(found)) == found


def test_time_grows_with_the_length_alone() -> None:
    line = "t 100 200 f 300 400 0.5 mt [100 200, 300 400] 1 [300 400] 0.5 w 0.3 b h "

    def seconds(count: int) -> float:
        taken = []
        for _ in range(3):
            started = time.process_time()
            assert len(parse_commands(line * (count // 4))) == count
            taken.append(time.process_time() - started)
        return min(taken)

    few, many = seconds(1_000), seconds(10_000)
    assert many < few * 10 * 3


@pytest.mark.parametrize(
    "text",
    ["t 1 1 " * 160_000, "[" * 999_999, " " * 999_999, "9" * 999_999, "mt [1 2" + ",1 2" * 240_000, r"\u{" * 330_000],
    ids=["commands", "brackets", "spaces", "digits", "fingers", "escapes"],
)
def test_the_longest_texts_take_no_time_to_speak_of(text: str) -> None:
    started = time.process_time()
    for candidate in (text, f"sender keyboard kbd {text}"):
        found = outcome(candidate)
        assert isinstance(found, list) or len(str(found)) < 600
    assert time.process_time() - started < 20
