"""Secrets in texts: every form is masked, nothing else is."""

from __future__ import annotations

import base64
import html
import json
from dataclasses import dataclass, replace
from typing import NamedTuple
from urllib.parse import quote, quote_plus
from xml.sax.saxutils import escape, quoteattr

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_apex.errors import ConfigError
from pytest_apex.evidence.redact import Redactor
from pytest_apex.model.geometry import Rect
from pytest_apex.model.verdict import Artifact, Attempt, Category, Outcome, Verdict


def shortened(text: str) -> str:
    """As pytest shortens a long repr: cut in the middle, to 240 characters."""
    shown = repr(text)
    return shown if len(shown) <= 240 else f"{shown[:118]}...{shown[-119:]}"


PASSWORD = "pä/ss \"w'o&r<d>+\\1%"


def test_a_secret_is_masked_wherever_it_stands() -> None:
    redactor = Redactor(["hunter2!"])
    assert redactor.text("hunter2! and (hunter2!)xhunter2!") == "••• and (•••)x•••"


def test_a_text_without_secrets_comes_back_as_the_same_object() -> None:
    text = "hunter2 is not the password"
    assert Redactor(["hunter2!"]).text(text) is text


@pytest.mark.parametrize(
    "encode",
    [
        str,
        json.dumps,
        lambda text: json.dumps(text, ensure_ascii=False),
        lambda text: json.dumps(json.dumps({"pin": text})),
        lambda text: json.dumps(text, ensure_ascii=False).replace("/", "\\/"),
        repr,
        ascii,
        lambda text: repr(text.encode()),
        lambda text: "fill('" + text.replace("\\", "\\\\").replace("'", "\\'") + "')",
        quote,
        quote_plus,
        lambda text: quote(text, safe=""),
        lambda text: quote(text, safe="").lower(),
        lambda text: quote(text, safe="!*'()"),
        html.escape,
        escape,
        quoteattr,
        lambda text: escape(text, {'"': "&quot;", "'": "&apos;"}),
        lambda text: escape(text).encode("ascii", "xmlcharrefreplace").decode(),
        lambda text: base64.b64encode(text.encode()).decode(),
        lambda text: base64.urlsafe_b64encode(text.encode()).decode().rstrip("="),
    ],
)
def test_each_way_of_writing_it_is_masked(encode) -> None:
    masked = Redactor([PASSWORD]).text(f"before {encode(PASSWORD)} after")
    assert masked.startswith("before ")
    assert masked.endswith(" after")
    for piece in ("pä", "ss", "w'o", "r<d", "&amp;r", "%2Fss"):
        assert piece not in masked
    assert "•••" in masked


@pytest.mark.parametrize("user", ["a", "ab", "abc", "ada@example.com"])
def test_the_middle_of_a_longer_base64_text_is_masked(user: str) -> None:
    header = base64.b64encode(f"{user}:correct horse:x".encode()).decode()
    masked = Redactor(["correct horse"]).text(header)
    left = masked.replace("•••", "")
    assert (
        len(header) - len(left) >= len("correct horse") * 8 // 6 - 2
    )  # all but the characters that a neighbour shares


def test_the_longest_secret_wins_and_overlaps_are_masked_as_one() -> None:
    redactor = Redactor(["abcd", "abcdefgh", "ghijkl"])
    assert redactor.text("abcdefgh") == "•••"
    assert redactor.text("abcdefghijkl") == "•••"
    assert redactor.text("abcd|ghijkl") == "•••|•••"


def test_a_short_secret_is_masked_as_a_whole_word_only() -> None:
    redactor = Redactor(["123"])
    assert redactor.text("pin 123, at 1234 and a123") == "pin •••, at 1234 and a123"


@pytest.mark.parametrize("nothing", ["", " ", "\n"])
def test_an_empty_secret_masks_nothing(nothing: str) -> None:
    redactor = Redactor([nothing])
    redactor.add_secret(nothing)
    assert redactor.text("a b\nc") == "a b\nc"


def test_what_stands_between_slashes_is_a_pattern() -> None:
    redactor = Redactor([r"/sk_[a-z0-9]+/", r"/^token .*$/", "/sdcard/notes.txt"])
    assert redactor.text("key sk_4f9a, sk-4f9a") == "key •••, sk-4f9a"
    assert redactor.text("token 77") == "•••"
    assert redactor.text("open /sdcard/notes.txt") == "open •••"


@pytest.mark.parametrize("pattern", ["/", "//", "/a*/", "/.*/", "/.+/", "/./", r"/\S+/", r"/\w{1,}/", "/^/", "/a|/"])
def test_a_pattern_that_would_mask_everything_is_refused(pattern: str) -> None:
    with pytest.raises(ConfigError) as caught:
        Redactor(["fine", pattern])
    assert pattern in str(caught.value)
    assert caught.value.cure


def test_a_pattern_of_one_kind_of_letters_is_taken() -> None:
    assert Redactor([r"/\d+/"]).text("a 12 b") == "a ••• b"
    assert Redactor(["/a+/"]).value({"category": "visual", "aa": "aa b"}) == {"category": "visual", "aa": "••• b"}


def test_a_bad_pattern_names_its_place_and_a_cure() -> None:
    with pytest.raises(ConfigError) as caught:
        Redactor(["fine", "/sk_[a-z/"])
    assert "/sk_[a-z/" in str(caught.value)
    assert "column 5" in caught.value.seen
    assert caught.value.cure


def test_a_secret_added_later_is_masked_in_texts_seen_before() -> None:
    redactor = Redactor()
    assert redactor.text("open sesame") == "open sesame"
    redactor.add_secret("sesame")
    assert redactor.text("open sesame") == "open •••"


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("assert 'xxx...NTpw-1111'", "assert 'xxx...•••'"),
        ("assert 'PLANTp...yyy'", "assert '•••...yyy'"),
        ("'PLAN…' and …w-1111", "'•••…' and …•••"),
        ("['P', 'L', 'A', 'N', 'T', 'p', ...]", "['•••...]"),
        ("PLA...111", "PLA...111"),
        ("anPLANT...", "an•••..."),
        ("PLANT and more ...", "PLANT and more ..."),
        ("a long reason that was cut at its very end: PLANTpw", "a long reason that was cut at its very end: •••"),
        ("PLANTpw", "PLANTpw"),
        ("E  Skipping 15 identical leading characters in diff\nE  - Tpw-1111z\nE    Tpw-1111",
         "E  Skipping 15 identical leading characters in diff\nE  - •••z\nE    Tpw-1111"),
        ("E  Skipping 9 identical leading characters in diff\nE  - pw-1111\nE  + pw-1112",
         "E  Skipping 9 identical leading characters in diff\nE  - •••\nE  + pw-1112"),
        ("Skipping 9 identical trailing characters in diff\n- xPLANTp\n+ PLANTq",
         "Skipping 9 identical trailing characters in diff\n- x•••\n+ PLANTq"),
    ],
)  # fmt: skip
def test_what_is_left_of_a_secret_that_was_cut_is_masked(text: str, masked: str) -> None:
    assert Redactor(["PLANTpw-1111"]).text(text) == masked


def test_a_shortened_repr_shows_nothing_of_a_secret() -> None:
    secret = "correct-horse-battery"
    redactor = Redactor([secret])
    for before in range(100, 130):
        masked = redactor.text(shortened("x" * before + secret + "y" * 300) + shortened(secret * 20))
        assert not any(secret[at : at + 4] in masked for at in range(len(secret) - 3))


def test_each_line_of_a_secret_with_several_lines_is_masked() -> None:
    redactor = Redactor(['PLANTspl"it\n<é>&9\nabc'])
    assert redactor.text('E  - PLANTspl"it\nE  + You typed PLANTspl"it\nE    <é>&9') == (
        "E  - •••\nE  + You typed •••\nE    •••"
    )
    assert redactor.text("a b abc") == "a b abc"  # too short a line to be known again


@pytest.mark.parametrize(
    "broken",
    [
        "correct horse battery", "correct  horse\tbattery", "'correct '\nE      'horse battery'",
        "+ 'correct horse '\n+ 'battery'",
    ],
)  # fmt: skip
def test_a_secret_of_several_words_is_masked_when_it_is_broken_over_lines(broken: str) -> None:
    masked = Redactor(["correct horse battery"]).text(f"it is {broken}.")
    assert masked.startswith("it is ")
    assert not any(word in masked for word in ("correct", "horse", "battery"))


def test_words_of_a_secret_by_themselves_stay() -> None:
    assert Redactor(["correct horse"]).text("correct, a horse") == "correct, a horse"


def test_capitals_and_small_letters_make_no_difference_for_six_characters_and_more() -> None:
    redactor = Redactor(["Sesame", "Öffne dich!"])
    assert redactor.text("sesame SESAME seSAme öffne DICH! İ ÖFFNE dich!") == "••• ••• ••• ••• İ •••"
    assert Redactor(["Apex1"]).text("apex1 Apex1") == "apex1 •••"


def test_what_is_typed_letter_by_letter_is_a_secret_as_a_whole() -> None:
    redactor = Redactor()
    for letter in "4711":
        redactor.add_secret(letter, field_id="pin")
    assert redactor.text("4 and 7, 11: 4711") == "4 and 7, 11: •••"


@pytest.mark.parametrize("shown", [True, False])
def test_a_field_that_looks_empty_may_begin_anew(shown: bool) -> None:
    redactor = Redactor()
    for pin in ("0000", "4711"):
        for at, letter in enumerate(pin):
            redactor.add_secret(letter, field_id="pin", empty=not shown or at == 0)
    assert redactor.text("00004711") == "•••"
    assert redactor.text("4711") == ("•••" if shown else "4711")


def test_each_field_has_a_content_of_its_own_until_it_is_cleared() -> None:
    redactor = Redactor()
    redactor.add_secret("abc", field_id="one")
    redactor.add_secret("xyz", field_id="two")
    redactor.field_cleared("one")
    redactor.add_secret("77", field_id="one")
    redactor.add_secret("d", field_id="two")
    assert redactor.text("abcxyz abc77 xyzd d") == "abcxyz abc77 ••• d"
    assert redactor.text("abc xyz 77 777") == "••• ••• ••• 777"


def test_letters_typed_into_a_field_without_a_name_count_too() -> None:
    redactor = Redactor()
    for letter in "sesame":
        redactor.add_secret(letter, field_id="")
    assert redactor.text("open sesame") == "open •••"


class _Login(NamedTuple):
    user: str
    pin: str


@dataclass(frozen=True)
class _Form:
    fields: tuple[str, ...]
    count: int = 2


def test_values_are_masked_all_the_way_down() -> None:
    redactor = Redactor(["sesame"])
    value = {"a": ["sesame", {"sesame": ("x", b"=sesame")}], "b": _Login("ada", "sesame"), "c": _Form(("sesame",))}
    assert redactor.value(value) == {
        "a": ["•••", {"sesame": ("x", "=•••".encode())}],
        "b": _Login("ada", "•••"),
        "c": _Form(("•••",)),
    }
    form = _Form(("open",))
    assert redactor.value(form) is form


def test_measured_numbers_stay() -> None:
    redactor = Redactor(["1080"])
    assert redactor.value([1080, 10800, 10.80, True, None]) == [1080, 10800, 10.80, True, None]
    assert redactor.value(Rect(0, 0, 1080, 1080)) == Rect(0, 0, 1080, 1080)
    assert redactor.value("1080") == "•••"


def test_words_of_the_model_are_never_taken_for_secrets() -> None:
    assert Redactor(["visual"]).value(Category.VISUAL) is Category.VISUAL
    words = Redactor(["functional", "test", "step", "failed", "store", "call", "before", "tests"])
    verdict = Verdict(Outcome.FAIL, Category.FUNCTIONAL, "functional.no_effect", "no test failed", suspect="test")
    artifact = Artifact("before", "store/x.png", "image/png", "0", caption="the test", step="step-001")
    attempt = Attempt("tests/test_a.py::test_b[a-test]", 1, "failed", verdict, folder="tests/t/attempt-1",
                      evidence=(artifact,), facts={"file": "tests/test_a.py", "note": "test"})  # fmt: skip
    assert words.value(attempt) == Attempt(
        "tests/test_a.py::test_b[a-•••]", 1, "failed", replace(verdict, reason="no ••• •••"),
        folder="tests/t/attempt-1",
        evidence=(replace(artifact, caption="the •••"),), facts={"file": "tests/test_a.py", "note": "•••"},
    )  # fmt: skip
    step = {"step": "step-001", "verb": "test", "effect": "none", "named": 'tap "test"', "test": {"kind": "test"}}
    assert words.value(step) == step | {"named": 'tap "•••"'}


def test_names_made_of_hashes_stay_so_that_files_are_found() -> None:
    path = "store/1234abcd1234abcd1234abcd1234abcd.png"
    digest = "1234" * 16
    artifact = Artifact("before", path, "image/png", digest, caption="pin 1234")
    attempt = Attempt("t", 1, "passed", Verdict(Outcome.PASS), folder="tests/test_a-12341234/attempt-1")
    redactor = Redactor(["1234"])
    assert redactor.value(artifact) == Artifact("before", path, "image/png", digest, caption="pin •••")
    assert redactor.value(attempt) == attempt
    assert Redactor([digest]).value(digest) == "•••"


def test_binary_data_is_left_alone_and_text_in_bytes_is_not() -> None:
    redactor = Redactor(["sesame"])
    assert redactor.data(b"\x89PNG\0sesame") == b"\x89PNG\0sesame"
    assert redactor.data(b"caf\xe9 sesame") == b"caf\xe9 " + "•••".encode()


@given(secret=st.text(min_size=4, max_size=30).filter(str.strip), before=st.text(max_size=5), after=st.text(max_size=5))
def test_no_secret_survives_in_any_form(secret: str, before: str, after: str) -> None:
    redactor = Redactor()
    redactor.add_secret(secret)
    for write in (str, json.dumps, repr, html.escape, quote):
        try:
            written, form = write(f"{before}{secret}{after}"), write(secret)
        except UnicodeEncodeError:
            continue  # half a surrogate pair can't be written that way
        assert form.strip("\"'") not in redactor.text(written)
