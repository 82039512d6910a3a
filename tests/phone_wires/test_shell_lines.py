"""Command lines: what `sh` makes of them, and what it says to what it does not understand."""

from __future__ import annotations

import shlex
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_apex.phone_wires.serve import Served
from pytest_apex.phone_wires.shell.call import Given
from pytest_apex.phone_wires.shell.run import Shell
from pytest_apex.phone_wires.shell.words import ShellSyntaxError, parse


def run(served: Served, line: str, given: bytes = b"") -> tuple[int, str, str]:
    """Exit code and both outputs of a line, without a wire."""
    out, err = bytearray(), bytearray()
    shell = Shell(served.handset, served.services.tools, out.extend, err.extend, lambda: False)
    code = shell.run(line, Given(given))
    return code, out.decode("utf-8", "replace"), err.decode("utf-8", "replace")


@pytest.mark.parametrize(
    ("line", "code", "out"),
    [
        ("echo a b", 0, "a b\n"),
        ("echo 'a  b' \"c  d\" e\\ f", 0, "a  b c  d e f\n"),
        ("echo a'b'\"c\"d", 0, "abcd\n"),
        ("echo 'it'\\''s'", 0, "it's\n"),
        ("echo ''", 0, "\n"),
        ("echo a; echo b", 0, "a\nb\n"),
        ("echo a\necho b", 0, "a\nb\n"),
        ("true && echo yes", 0, "yes\n"),
        ("false && echo no", 1, ""),
        ("false || echo yes", 0, "yes\n"),
        ("true || echo no", 0, ""),
        ("false; echo $?", 0, "1\n"),
        ("false; echo '$?' \"$?\"", 0, "$? 1\n"),
        ("X=5; echo $X ${X}1 $Y.", 0, "5 51 .\n"),
        ("export ANDROID_LOG_TAGS=\"''\"; exec echo hi", 0, "hi\n"),
        ("printf 'b\\na\\nab\\n' | grep a | head -n 1", 0, "a\n"),
        ("echo x | grep y", 1, ""),
        ("nix 2>/dev/null; echo $?", 0, "127\n"),
        ("nix >/dev/null 2>&1 || echo gone", 0, "gone\n"),
        ("echo kept > /data/local/tmp/a && cat /data/local/tmp/a", 0, "kept\n"),
        ("echo 1 >/sdcard/b; echo 2 >>/sdcard/b; cat < /sdcard/b", 0, "1\n2\n"),
        ("[ -e /data/local/tmp/mock_apps.json ] && echo __PASS__", 1, ""),
        ("[ -d /data/local/tmp ] && echo __PASS__", 0, "__PASS__\n"),
        ("[ a = a ] && [ 2 -gt 1 ] && test ! -f /x && echo all", 0, "all\n"),
        ("exit 7; echo no", 7, ""),
        ("sh -c 'echo in; false'", 1, "in\n"),
        ("", 0, ""),
        ("# a remark", 0, ""),
    ],
)  # fmt: skip
def test_a_line_does_what_it_says(served: Served, line: str, code: int, out: str) -> None:
    assert run(served, line)[:2] == (code, out)


def test_an_unknown_command_is_told_as_the_shell_tells_it(served: Served) -> None:
    assert run(served, "foo --bar") == (127, "", "/system/bin/sh: foo: inaccessible or not found\n")


@pytest.mark.parametrize(
    "line", ["echo 'a", 'echo "a', "echo a &&", "| cat", "echo >", "for i in a; do echo; done", "if true", "$(id)",
             "`id`", "(echo)", "echo > > a"]
)  # fmt: skip
def test_what_it_does_not_understand_is_a_syntax_error(served: Served, line: str) -> None:
    code, out, err = run(served, line)
    assert (code, out) == (1, "")
    assert err.startswith("/system/bin/sh: syntax error: ")


def test_writing_where_a_shell_may_not_is_refused(served: Served) -> None:
    assert run(served, "echo x > /system/a")[0] == 1
    assert run(served, "ls /system/a")[0] == 1


@given(st.text("ab '\"\\$;&|<>\n`()#12{}=", max_size=40))
def test_no_line_but_its_own_error(line: str) -> None:
    with suppress(ShellSyntaxError):
        parse(line)


@given(st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=12), min_size=1, max_size=5))
def test_quoted_words_stay_as_they_are(words: list[str]) -> None:
    words = ["echo", *words]  # a first word without quotes may be one of the shell's own
    (command,) = parse(" ".join(map(shlex.quote, words)))
    assert ["".join(piece.text for piece in word) for word in command.words] == words


def test_a_line_of_any_length_is_bounded() -> None:
    with pytest.raises(ShellSyntaxError):
        parse("echo " + "a" * 300_000)
    with pytest.raises(ShellSyntaxError):
        parse(";".join(["true"] * 500))
