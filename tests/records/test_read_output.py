"""What an app prints when it ends, and what it prints of trouble that it survives."""

from __future__ import annotations

import pytest

from pytest_apex.records import log_seconds, read_crash_evidence, read_crash_texts

APP = "com.example.notes"
HEAD = "2026-12-01 00:10:11.250 Notes[412:1f03] "
SYSTEM = "Dec  1 00:10:11 iPhone Notes(Foundation)[412] <Error>: "
RAISED = (
    "*** Terminating app due to uncaught exception 'NSInvalidArgumentException', reason: '-[Note save:]: unrecognized "
    "selector sent to instance 0x600'"
)
STACK = "*** First throw call stack:\n(\n\t0   CoreFoundation   0x00007ff8 __exceptionPreprocess + 242\n)"
CXX = "libc++abi: terminating due to uncaught exception of type "

ENDS = [
    (RAISED, "ios", "NSInvalidArgumentException: -[Note save:]"),
    (f"{RAISED}\n{STACK}\n{CXX}NSException", "ios", "NSInvalidArgumentException: "),
    ("*** Terminating app due to uncaught exception 'Broken'", "ios", "Broken"),
    (f"{CXX}NSException", "ios", "libc++abi: "),
    (f"{CXX}std::out_of_range: vector", "native", "libc++abi: "),
    ("libc++abi.dylib: terminating with uncaught foreign exception", "native", "libc++abi"),
    ("Notes/List.swift:42: Fatal error: Index out of range", "ios", "Fatal error: Index out of range"),
    ("Fatal error: Index out of range: file Notes/List.swift, line 42", "ios", "Fatal error: Index out of range"),
    ("Notes/List.swift:42: Fatal error", "ios", "Fatal error"),
    ("Fatal error: file /Users/ada/List.swift, line 7", "ios", "Fatal error"),
    ("Uncaught Kotlin exception: kotlin.IllegalStateException: no note", "ios", "Uncaught Kotlin exception: kotlin."),
    ("Assertion failed: (count > 0), function pick, file pick.c, line 12.", "native", "Assertion failed: (count > 0)"),
    ("* thread #1, queue = 'com.apple.main-thread', stop reason = signal SIGABRT", "native", "signal SIGABRT"),
    ("Thread 1: signal SIGSEGV", "native", "signal SIGSEGV"),
    ("Thread 1: EXC_BAD_ACCESS (code=1, address=0x0)", "native", "EXC_BAD_ACCESS"),
    ("* thread #3, stop reason = EXC_BREAKPOINT (code=1, subcode=0x1)", "ios", "EXC_BREAKPOINT"),
]
SURVIVED = [
    "[VERBOSE-2:dart_vm_initializer.cc(41)] Unhandled Exception: Bad state: No element\n#0      List.first",
    "[ERROR:flutter/runtime/dart_vm_initializer.cc(41)] Unhandled Exception: Fatal error: no note",
    "flutter: ══╡ EXCEPTION CAUGHT BY WIDGETS LIBRARY ╞══",
    "ERROR  TypeError: undefined is not an object (evaluating 'note.title'), js engine: hermes",
    "ERROR  Invariant Violation: Fatal error: no note",
    "Fatal error: the server can't be reached",
    "Fatal error: no file",
    "he said: Fatal error: Index out of range: file Notes/List.swift, line 42",
    "Caught: *** Terminating app due to uncaught exception 'Broken', reason: 'no'",
    "FATAL EXCEPTION: main",
    "FATAL EXCEPTION: main\njava.lang.IllegalStateException: printed by the app itself",
    "* thread #1, stop reason = breakpoint 1.1",
    "* thread #1, stop reason = signal SIGSTOP",
    "Thread 1: 12 notes",
    "Assertion failed: the note is empty",
    "WARNING: uncaught exception handler was set",
]


@pytest.mark.parametrize(("text", "way", "reason"), ENDS)
def test_the_end_of_the_app_that_printed_it(text: str, way: str, reason: str) -> None:
    printed = f"Notes starts\n{text}\nzsh: abort\n"
    (record,) = read_crash_evidence(printed, app=APP, printed_by=APP)
    assert (record.way, record.app, record.pid, record.at) == (way, APP, 0, None)
    assert record.reason.startswith(reason)
    assert read_crash_evidence(printed, app=APP) == []  # nobody said whose it is
    assert read_crash_evidence(printed, app=APP, printed_by="com.example.other") == []


@pytest.mark.parametrize("text", SURVIVED)
def test_trouble_that_it_survives_is_none(text: str) -> None:
    assert read_crash_evidence(f"Notes starts\n{text}\nNotes goes on\n", app=APP, printed_by=APP) == []


@pytest.mark.parametrize("head", [HEAD, SYSTEM])
@pytest.mark.parametrize(("text", "way", "reason"), ENDS)
def test_behind_a_head_it_names_its_process_and_its_time(head: str, text: str, way: str, reason: str) -> None:
    first, _, rest = text.partition("\n")
    lines = f"{head}{first}\n{rest}"
    (record,) = read_crash_evidence(lines, app=APP)
    assert (record.way, record.app, record.pid) == (way, APP, 412)
    assert record.reason.startswith(reason)
    second = log_seconds(12, 1, 0, 10, 11)
    assert second is not None
    assert record.at == pytest.approx(second, abs=1)
    assert read_crash_evidence(lines, app="com.example.other") == []
    assert read_crash_evidence(lines, app=APP, since=second + 60) == []  # of an earlier run


def test_javas_block_without_the_head_of_logcat() -> None:
    block = (
        f"FATAL EXCEPTION: main\nProcess: {APP}:sync, PID: 4279\njava.lang.IllegalStateException: no note\n\tat a.b.C"
    )
    (record,) = read_crash_evidence(block, app=APP)
    assert (record.way, record.app, record.pid) == ("java", APP, 4279)
    assert record.reason == "java.lang.IllegalStateException: no note"
    assert read_crash_evidence(block, app="com.example.other") == []


def test_two_ends_are_two_and_what_repeats_one_is_none() -> None:
    one = f"{RAISED}\n{STACK}\n{CXX}NSException\nThread 1: signal SIGABRT\n"
    assert len(read_crash_evidence(one, printed_by=APP)) == 1
    assert len(read_crash_evidence(one + "Notes starts\n" * 300 + one, printed_by=APP)) == 2


def test_what_the_system_log_says_of_the_same_process_is_the_same_end() -> None:
    ended = (
        "Dec  1 00:10:12 iPhone SpringBoard(FrontBoard)[60] <Notice>: [app<com.example.notes(UUID)>:412] "
        "Process exited: <RBSProcessExitContext| specific, "
        "status:<RBSProcessExitStatus| domain:signal(2) code:SIGABRT(6)>>."
    )
    (record,) = read_crash_texts([f"{HEAD}{RAISED}", ended], app=APP)
    assert (record.way, record.pid) == ("ios", 412)
    assert record.reason.startswith("NSInvalidArgumentException")


def test_reports_are_not_read_as_output() -> None:
    report = (
        "Incident Identifier: 1\nProcess: Notes [412]\nIdentifier: com.example.notes\nException Type: EXC_BREAKPOINT"
    )
    (record,) = read_crash_evidence(f"{report}\n\nNotes/List.swift:42: Fatal error: no\n", app=APP, printed_by=APP)
    assert record.source == "apple report"
