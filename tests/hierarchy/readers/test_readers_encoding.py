"""Bytes as shells and devices write them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pytest_apex.hierarchy.readers import read
from pytest_apex.hierarchy.readers.encoding import decode, printable, whole
from pytest_apex.hierarchy.readers.notes import Notes

Make = Callable[..., str]
WORDS = "Grüße 設定 😀"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le"])
def test_unicode_in_all_its_forms(make: Make, make_dump: Make, encoding: str) -> None:
    source = make_dump(make(text=WORDS)).encode(encoding)
    if encoding == "utf-32-le":  # nothing writes it without a mark
        source = b"\xff\xfe\x00\x00" + source
    snapshot = read(source)
    assert snapshot.nodes[0].text == WORDS
    assert bool(snapshot.notes) == (encoding != "utf-8")


@pytest.mark.parametrize("declared", ["ISO-8859-1", "windows-1252", "latin1"])
def test_a_declared_encoding_counts_where_it_is_not_utf_8(make: Make, make_dump: Make, declared: str) -> None:
    source = make_dump(make(text="Grüße")).replace("UTF-8", declared)
    assert read(source.encode(declared)).nodes[0].text == "Grüße"
    assert read(source.encode("utf-8")).nodes[0].text == "Grüße"


@pytest.mark.parametrize("declared", ["UTF_8", "rot13", "idna", "zip", "x" * 30])
def test_an_encoding_that_is_none_is_passed_over(make: Make, make_dump: Make, declared: str) -> None:
    source = make_dump(make(text="Grüße")).replace("UTF-8", declared).encode()
    assert read(source).nodes[0].text == "Grüße"
    assert read(source.replace("ü".encode(), b"\xfc")).nodes[0].text == "Gr\ufffdße"


def test_bytes_that_are_no_text_are_marked(make: Make, make_dump: Make) -> None:
    source = make_dump(make(text="a?b")).encode().replace(b"?", b"\xff\xc0")
    snapshot = read(source)
    assert snapshot.nodes[0].text == "a\ufffd\ufffdb"
    assert any("not utf-8" in note for note in snapshot.notes)


def test_javas_own_utf_8_writes_pairs(make: Make, make_dump: Make) -> None:
    source = make_dump(make(text="?!")).encode().replace(b"?", b"\xed\xa0\xbd\xed\xb8\x80")
    assert read(source).nodes[0].text == "😀!"
    lone = make_dump(make(text="?!")).encode().replace(b"?", b"\xed\xa0\xbd")
    assert read(lone).nodes[0].text == "\ufffd!"


def test_text_with_half_characters(make: Make, make_dump: Make) -> None:
    snapshot = read(make_dump(make(text="\ud83d\ude00 \ud83d")))
    assert snapshot.nodes[0].text == "😀 \ufffd"
    assert "half characters (lone surrogates): 1, read as U+FFFD" in snapshot.notes


def test_a_utf_16_file_that_was_cut_in_the_middle_of_a_character(make: Make, make_dump: Make) -> None:
    source = make_dump(make(make(text="a") + make(text="b"))).encode("utf-16")
    assert [node.text for node in read(source[:-101]).nodes][:2] == ["", "a"]


def test_whatever_comes_can_be_stored_and_printed() -> None:
    for data in (
        bytes(range(256)),
        b"\xff\xfe\x00",
        b"\xfe\xff\xd8\x00",
        b"\xed\xa0\x80",
        b"\x00" * 9,
        b"\xef\xbb\xbf",
    ):
        text = printable(decode(data, Notes()), Notes())
        text.encode("utf-8")
        assert "\x00" not in text
        assert "\x1b" not in text
    assert whole("\ufeffa", Notes()) == "a"


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_line_ends(ends: str) -> None:
    source = ends.join(("Application bundle identifier: a.b", "Application, pid: 1, label: 'x", "y'", ""))
    assert read(source.encode()).nodes[0].label == "x\ny"
