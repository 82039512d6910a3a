"""Records from exit-info and from Apple's reports, the scale of time, and hostile input."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_apex.records import log_seconds, read_crash_evidence, read_time

APP = "com.example.notes"


def exit_info(reason: str, pid: int = 4120, detail: str = "null") -> str:
    return f"""\
ACTIVITY MANAGER PROCESS EXIT INFO (dumpsys activity exit-info)
Last Timestamp of Persistence Into Persistent Storage: 2026-03-07 09:16:00.000
  package: com.example.notes
    Historical Process Exit for uid=10212
      ApplicationExitInfo #0:
        timestamp=2026-03-07 09:15:02.500 pid={pid} realUid=10212 packageUid=10212 definingUid=10212 user=0
        process=com.example.notes reason={reason} subreason=0 (UNKNOWN) status=0
        importance=100 pss=0.00 rss=0.00 description={detail} state=empty trace=null
"""


@pytest.mark.parametrize(
    ("reason", "way"),
    [
        ("0 (UNKNOWN)", "exit"), ("1 (EXIT_SELF)", "exit"), ("2 (SIGNALED)", "killed"),
        ("3 (LOW_MEMORY)", "low_memory"), ("4 (APP CRASH(EXCEPTION))", "java"), ("5 (APP CRASH(NATIVE))", "native"),
        ("6 (ANR)", "anr"), ("7 (INITIALIZATION FAILURE)", "exit"), ("8 (PERMISSION CHANGE)", "user"),
        ("9 (EXCESSIVE RESOURCE USAGE)", "killed"), ("10 (USER REQUESTED)", "user"), ("11 (USER STOPPED)", "user"),
        ("12 (DEPENDENCY DIED)", "killed"), ("13 (OTHER KILLS BY SYSTEM)", "killed"), ("14 (FREEZER)", "killed"),
        ("15 (PACKAGE STATE CHANGE)", "user"), ("16 (PACKAGE UPDATED)", "user"), ("99", "exit"),
    ],
)  # fmt: skip
def test_exit_info_reasons(reason: str, way: str) -> None:
    [record] = read_crash_evidence(exit_info(reason), app=APP)
    assert (record.way, record.pid, record.at) == (way, 4120, log_seconds(3, 7, 9, 15, 2.5))
    assert record.source == "exit-info"


def test_exit_info_tells_the_description_and_all_records() -> None:
    text = exit_info("6 (ANR)", detail="user request after error: Input dispatching timed out")
    more = text + exit_info("10 (USER REQUESTED)", pid=4300, detail="stop com.example.notes due to from pid 9")
    first, second = read_crash_evidence(more)
    assert first.reason == "anr: user request after error: Input dispatching timed out"
    assert (second.pid, second.way) == (4300, "user")


def test_exit_info_and_log_of_one_crash_are_one_record() -> None:
    log = "03-07 09:15:02.400  4120  4120 E AndroidRuntime: "
    block = f"{log}FATAL EXCEPTION: main\n{log}Process: {APP}, PID: 4120\n{log}java.lang.Error: no\n"
    exits = exit_info("4 (APP CRASH(EXCEPTION))", detail="crash")
    [record] = read_crash_evidence(block + exits, app=APP)
    assert record.at == log_seconds(3, 7, 9, 15, 2.4)
    assert record.reason == "java.lang.Error: no"
    [alone] = read_crash_evidence(exits, app=APP)
    assert alone.reason == "app crash(exception): crash"


def test_an_exit_info_block_without_pid_is_skipped() -> None:
    assert read_crash_evidence(exit_info("6 (ANR)").replace("pid=4120", "")) == []


HEAD = {"bundleID": "com.example.notes", "bug_type": "309", "timestamp": "2026-03-07 09:15:03.00 +0100"}
BODY = {
    "pid": 880,
    "procName": "Notes",
    "incident": "A",
    "captureTime": "2026-03-07 09:15:02.5000 +0100",
    "exception": {"type": "EXC_BREAKPOINT", "signal": "SIGTRAP"},
    "termination": {"indicator": "Trace/BPT trap: 5", "code": 5},
    "asi": {"libswiftCore.dylib": ["Fatal error: index out of range"]},
}


def ips(head: object = HEAD, body: object = BODY) -> str:
    return json.dumps(head) + "\n" + json.dumps(body, indent=2)


def test_an_ips_file() -> None:
    [record] = read_crash_evidence(ips(), app=APP)
    assert (record.pid, record.way, record.at) == (880, "ios", log_seconds(3, 7, 9, 15, 2.5))
    assert record.reason == "EXC_BREAKPOINT (SIGTRAP): Trace/BPT trap: 5: Fatal error: index out of range"


def test_the_watchdogs_report_is_a_freeze() -> None:
    told = "scene-update watchdog transgression: exhausted real (wall clock) time allowance of 10.00 seconds"
    body = {**BODY, "termination": {"code": 0x8BADF00D, "namespace": "FRONTBOARD", "reasons": [told]}}
    (record,) = read_crash_evidence(ips(body=body))
    assert record.way == "anr"
    assert told in record.reason


@pytest.mark.parametrize("reasons", [None, "a word", {}, [], [7], [["nested"]]])
def test_reasons_of_any_shape_are_no_trouble(reasons: object) -> None:
    body = {**BODY, "termination": {"code": 0x8BADF00D, "namespace": "FRONTBOARD", "reasons": reasons}}
    assert [record.way for record in read_crash_evidence(ips(body=body))] == ["anr"]


def test_other_kinds_of_ips_are_no_crash() -> None:
    assert read_crash_evidence(ips(head={**HEAD, "bug_type": "298"})) == []
    assert read_crash_evidence('{"some": "json"}') == []


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"pid": "x", "exception": [], "asi": {"a": "b"}, "termination": 3, "captureTime": 5, "bundleInfo": None},
        {"pid": True, "exception": {"type": {}}, "incident": None},
    ],
)
def test_an_ips_body_of_wrong_types_still_names_the_app(body: object) -> None:
    assert [record.app for record in read_crash_evidence(ips(body=body))] == [APP]


REPORT = """\
Incident Identifier: A1
Process:         Notes [880]
Identifier:      com.example.notes
Date/Time:       2026-03-07 09:15:02.500 +0100
Exception Type:  EXC_CRASH (SIGABRT)
Crashed Thread:  0

Application Specific Information:
*** Terminating app due to uncaught exception 'NSRangeException'

Thread 0 Crashed:
0   CoreFoundation   0x3157e63d
"""


def test_a_text_report() -> None:
    [record] = read_crash_evidence(REPORT, app=APP)
    assert (record.pid, record.way, record.at) == (880, "ios", log_seconds(3, 7, 9, 15, 2.5))
    assert record.reason.startswith("EXC_CRASH (SIGABRT): *** Terminating app")


def test_a_text_report_of_a_deadlock_is_a_freeze() -> None:
    text = REPORT.replace("*** Terminating app", "Application main thread deadlocked")
    assert read_crash_evidence(text)[0].way == "anr"


def test_the_scale_of_time() -> None:
    assert log_seconds(1, 1) == 0.0
    assert log_seconds(3, 1) == (31 + 29) * 86400.0
    assert log_seconds(2, 30) is None
    assert log_seconds(13, 1) is None
    assert read_time("at 2026-01-02T00:00:01.5Z") == 86401.5
    assert read_time("no time") is None


PIECES = st.sampled_from(
    [
        "03-07 09:15:02.500  4120  4120 E AndroidRuntime: FATAL EXCEPTION: main", "99-99 99:99:99.9 1 1 E a: b",
        "Process: x, PID: 99999999999999999999", "[ 03-07 09:15:02.500 1:1 E/x ]", "E/", "am_crash: [", "\x00",
        "\ufeff",
        "03-07 09:15:02.500  1  1 I am_crash: [0,", "{" * 50, "[" * 50, "ApplicationExitInfo #0:",
        "pid=1 reason=4 process=a",
        "Incident Identifier:", "Process: [", "\n", "    ", '{"bug_type": "309"}', '{"pid": NaN}', "ANR in ", "(" * 40,
        "03-07 09:15:02.500  1  1 F libc: Fatal signal 1 (x), pid 1 (", "03-07 09:15:02.500  1  1 I am_kill: [²,²,a,b]",
    ]
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(st.lists(PIECES | st.text(max_size=30), max_size=12), st.sampled_from(["\n", "", " "]))
def test_no_text_raises(pieces: list[str], glue: str) -> None:
    for record in read_crash_evidence(glue.join(pieces)):
        assert record.way


@settings(max_examples=50, deadline=None)
@given(st.binary(max_size=200), st.sampled_from([b"", b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf"]))
def test_no_bytes_raise(data: bytes, mark: bytes) -> None:
    assert isinstance(read_crash_evidence(mark + data, app=APP, since=3.0), list)


@pytest.mark.parametrize(
    "document", ['{"a":' * 3000, '{"bug_type": "309", "pid": ' + "9" * 6000 + "}", "{" + "[" * 9000]
)
def test_deep_and_huge_json(document: str) -> None:
    assert isinstance(read_crash_evidence(document), list)
