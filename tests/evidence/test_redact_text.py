"""Secrets in texts: every form is masked, nothing else is."""

from __future__ import annotations

import base64
import html
import json
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import quote, quote_plus
from xml.sax.saxutils import escape, quoteattr

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_apex.errors import ConfigError
from pytest_apex.evidence.redact import Redactor
from pytest_apex.model.verdict import Artifact, Attempt, Category, Outcome, Verdict

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


def test_a_pattern_that_can_match_nothing_masks_nothing() -> None:
    assert Redactor(["/x*/"]).text("a xx b") == "a ••• b"


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
        "a": ["•••", {"•••": ("x", "=•••".encode())}],
        "b": _Login("ada", "•••"),
        "c": _Form(("•••",)),
    }
    form = _Form(("open",))
    assert redactor.value(form) is form


def test_a_number_that_is_a_secret_is_masked_and_others_stay() -> None:
    assert Redactor(["4711"]).value([4711, 47110, 4.711, True, None]) == ["•••", 47110, 4.711, True, None]


def test_words_of_the_model_are_never_taken_for_secrets() -> None:
    assert Redactor(["visual"]).value(Category.VISUAL) is Category.VISUAL


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
