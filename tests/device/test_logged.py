"""Which lines of a device's log are the app's."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from pytest_apex.backends.base import LogLines
from pytest_apex.device.examining.logged import KEPT, keep_log, lines_of

APP = "com.example.notes"
LOG = """\
03-02 09:41:01.000  1523  1547 I ActivityManager: Start proc 815:com.example.notes/u0a123
03-02 09:41:01.200   815   815 D Notes   : list shown
03-02 09:41:01.300  8150  8150 D Other   : 1815 items
03-02 09:41:01.400  1523  1547 I ActivityManager: Start proc 9:com.example.notes.beta/u0a124
03-02 09:41:01.500   815   815 E AndroidRuntime: FATAL EXCEPTION: main
\tat com.example.Main.onCreate(Main.kt:7)
Caused by: java.lang.NullPointerException
03-02 09:41:01.600  2000  2000 I chatty  : nothing
\tof this app
"""
FIRST = LOG.splitlines(keepends=True)[0]


def test_lines_of_the_app_its_processes_and_its_stacks() -> None:
    found = lines_of(LOG, APP, [815])
    assert [line.partition(": ")[2] or line.strip() for line in found] == [
        "Start proc 815:com.example.notes/u0a123",
        "list shown",
        "FATAL EXCEPTION: main",
        "at com.example.Main.onCreate(Main.kt:7)",
        "java.lang.NullPointerException",
    ]


def test_without_a_process_the_name_alone_tells() -> None:
    assert len(lines_of(LOG, APP, [])) == 1
    assert lines_of("", APP, [815]) == []


def test_the_last_lines_are_kept() -> None:
    long = "".join(f"03-02 09:41:01.200   815   815 D Notes   : {n}\n" for n in range(KEPT + 5))
    found = lines_of(long, APP, [815])
    assert (len(found), found[-1].endswith(f": {KEPT + 4}")) == (KEPT, True)


@pytest.mark.parametrize(
    ("facts", "text", "kept"),
    [
        ({"standard output": "not available"}, "", ["standard output: not available\n"]),
        ({"standard output": "not available"}, FIRST, [f"standard output: not available\n{FIRST}"]),
        ({}, FIRST, [FIRST]),
        ({}, "", []),
    ],
)
def test_the_log_of_a_failure_says_first_where_there_is_no_standard_output(
    facts: dict[str, str], text: str, kept: list[str]
) -> None:
    attached: list[str] = []
    context = SimpleNamespace(
        watch=SimpleNamespace(app=APP, pid=0, processes=()),
        backend=SimpleNamespace(capabilities={"log"}, log=lambda _since: LogLines(text, 1)),
        info=SimpleNamespace(facts=facts),
        recorder=SimpleNamespace(attach=lambda _name, told, kind: attached.append(told)),
        log_from=0,
    )
    keep_log(cast(Any, context))
    assert attached == kept
