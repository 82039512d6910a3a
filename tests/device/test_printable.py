"""Messages can be printed, written and sent to another process, whatever a test asked for."""

from __future__ import annotations

import re

import pytest

from pytest_apex.device.acting import find
from pytest_apex.device.targets import make_target
from pytest_apex.errors import ApexError, printable
from pytest_apex.model.geometry import Size
from pytest_apex.model.screen import Screen
from pytest_apex.model.snapshot import AppInFront, Snapshot, TreeBuilder

EMPTY = Snapshot("s", 0.0, TreeBuilder().build(), Screen(Size(9, 9)), AppInFront(""))


@pytest.mark.parametrize(
    ("asked", "told"),
    [("half \ud83d", "half \\ud83d"), ("\x1b[31mred", "\\x1b[31mred"), ("\0", "\\x00"), ("Größe 😀\tä", "Größe 😀\tä")],
)
def test_a_target_that_holds_what_no_terminal_shows(asked: str, told: str) -> None:
    for words in (asked, re.compile(re.escape(asked))):
        for target in (make_target(words), make_target(label=words), make_target(words, within=make_target(id=words))):
            message = str(find.not_found(target, EMPTY))
            message.encode("utf-8")
            assert "\x1b" not in message
    assert f'"{told}"' in str(make_target(asked))


def test_every_part_of_a_message() -> None:
    error = ApexError("a\x07", seen="b\ud800", likely="c\x85", cure="d\x1b", look_at="e\0\nf")
    assert str(error) == (
        "a\\x07\n  seen:    b\\ud800\n  likely:  c\\x85\n  try:     d\\x1b\n  look at: e\\x00\n           f"
    )
    assert printable("plain\ttext\nof two lines") == "plain\ttext\nof two lines"
