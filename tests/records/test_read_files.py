"""What Android keeps besides its log: drop box, tombstones, thread dumps; and what of it is nobody's crash."""

from __future__ import annotations

import pytest

from pytest_apex.records import log_seconds, read_crash_evidence

APP = "com.example.notes"
AT = log_seconds(3, 7, 9, 15, 2)
RULE = "=" * 40


def entry(tag: str, *lines: str, process: str = APP, pid: str = "PID: 4120") -> str:
    head = [RULE, f"2026-03-07 09:15:02 {tag} (compressed text, 1130 bytes)", f"Process: {process}", pid, "Flags: 0x38"]
    return "\n".join([*head, f"Package: {process.partition(':')[0]} v12 (1.2)", "Foreground: Yes", *lines, ""])


def box(*entries: str) -> str:
    return "Drop box contents: 12 entries\nMax entries: 1000\nSearching for: data_app_crash\n\n" + "\n".join(entries)


BOOM = ("", "java.lang.IllegalStateException: boom", "\tat com.example.notes.Main.onClick(Main.kt:12)")
STARS = " ".join(["***"] * 16)
TOMBSTONE = (
    STARS,
    "Build fingerprint: 'google/x'",
    "ABI: 'arm64'",
    "Timestamp: 2026-03-07 09:15:02.000000000+0100",
    "Process uptime: 12s",
    f"Cmdline: {APP}",
    f"pid: 4120, tid: 4121, name: worker  >>> {APP} <<<",
    "uid: 10212",
    "signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0",
    "Abort message: 'no such row'",
)
DUMP = ("----- pid 4120 at 2026-03-07 09:15:02.000000000+0100 -----", f"Cmd line: {APP}", "DALVIK THREADS (20):")
OTHER_DUMP = ("----- pid 1523 at 2026-03-07 09:15:03.000000000+0100 -----", "Cmd line: system_server")


@pytest.mark.parametrize(
    ("text", "way", "source", "reason"),
    [
        (entry("data_app_crash", *BOOM), "java", "drop box", "java.lang.IllegalStateException: boom"),
        (entry("system_app_crash", *BOOM), "java", "drop box", "java.lang.IllegalStateException: boom"),
        (entry("data_app_anr", "Subject: Input timed out", *DUMP, *OTHER_DUMP), "anr", "drop box", "Input timed out"),
        (
            entry("data_app_native_crash", "", *TOMBSTONE), "native", "drop box",
            "signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0; Abort message: 'no such row'",
        ),
        (
            "\n".join(TOMBSTONE), "native", "tombstone",
            "signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0; Abort message: 'no such row'",
        ),
        ("\n".join(("Subject: Input timed out", "", *DUMP, *OTHER_DUMP)), "anr", "thread dump", "Input timed out"),
        ("\n".join(DUMP), "anr", "thread dump", "not responding: its threads were dumped"),
    ],
)  # fmt: skip
def test_one_record_of_the_app(text: str, way: str, source: str, reason: str) -> None:
    (record,) = read_crash_evidence(text, app=APP)
    assert (record.way, record.source, record.reason) == (way, source, reason)
    assert (record.pid, record.at) == (4120, AT)


@pytest.mark.parametrize(
    "text",
    [
        entry("data_app_strictmode", *BOOM),
        entry("data_app_wtf", *BOOM),
        entry("system_server_crash", *BOOM, process="system_server"),
        entry("data_app_crash", *BOOM, process="com.example.music"),
        "\n".join(TOMBSTONE).replace(f">>> {APP} <<<", ">>> com.example.music <<<"),
        "\n".join((*OTHER_DUMP, *DUMP)),  # the app was dumped along with another that did not answer
        f"the app wrote: ----- pid 4120 at noon -----\nCmd line: {APP}",
    ],
)
def test_what_is_no_crash_of_the_app(text: str) -> None:
    assert read_crash_evidence(text, app=APP) == []


def test_entries_end_where_the_next_begins() -> None:
    text = box(entry("data_app_anr", "Build: x"), entry("data_app_crash", *BOOM, process=f"{APP}:sync", pid="PID: 7"))
    assert [(record.way, record.pid, record.reason) for record in read_crash_evidence(text, app=APP)] == [
        ("anr", 4120, "not responding"),
        ("java", 7, "java.lang.IllegalStateException: boom"),
    ]


def test_before_android_10_no_entry_told_its_pid() -> None:
    (record,) = read_crash_evidence(entry("data_app_crash", *BOOM, pid="Flags: 0x1"), app=APP)
    assert (record.pid, record.way) == (0, "java")


def test_log_and_drop_box_of_one_crash_are_one_record() -> None:
    log = "\n".join(
        f"03-07 09:15:02.000  4120  4120 E AndroidRuntime: {line}"
        for line in ("FATAL EXCEPTION: main", f"Process: {APP}, PID: 4120", *BOOM[1:])
    )
    assert len(read_crash_evidence(f"{log}\n{box(entry('data_app_crash', *BOOM))}", app=APP)) == 1


def test_what_is_older_is_left_out() -> None:
    assert read_crash_evidence(entry("data_app_crash", *BOOM), since=log_seconds(3, 7, 9, 16)) == []
