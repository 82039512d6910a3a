"""Ends of processes in Apple's system log and memory reports: each way of dying, and what is no end of the app."""

from __future__ import annotations

import json

import pytest

from pytest_apex.records import log_seconds, read_crash_evidence, read_crash_texts

APP = "com.example.notes"
WHO = f"[app<{APP}>:412]"


def exited(why: str, who: str = WHO, stamp: str = "Mar  7 09:15:02") -> str:
    return f"{stamp} iPhone SpringBoard(FrontBoard)[58] <Notice>: {who} Process exited: <RBSProcessExitContext| {why}>."


def status(domain: str, code: str, **more: str) -> str:
    return exited(f"specific, status:<RBSProcessExitStatus| domain:{domain} code:{code}>", **more)


def launchd(*numbers: int, who: str = f"[application<{APP}>:412]") -> str:
    head = "Mar  7 09:15:02 iPhone runningboardd(RunningBoard)[34] <Notice>:"
    return f"{head} {who} termination reported by launchd {numbers}"


KERNEL = "Mar  7 09:15:02 iPhone kernel[0] <Notice>: 1401.082 memorystatus: killing_specific_process pid 412 [Notes] "
UNCAUGHT = (
    "Mar  7 09:15:02 iPhone Notes(CoreFoundation)[412] <Error>: *** Terminating app due to uncaught exception "
    "'NSRangeException', reason: 'index 3 beyond bounds'"
)


@pytest.mark.parametrize(
    ("line", "way"),
    [
        (exited("voluntary"), "exit"),
        (status("signal(2)", "SIGSEGV(11)"), "native"),
        (status("signal(2)", "SIGABRT(6)"), "native"),
        (status("signal(2)", "SIGTRAP(5)"), "ios"),
        (status("signal(2)", "SIGKILL(9)"), "killed"),
        (status("jetsam(1)", "per-process-limit(7)"), "low_memory"),
        (status("frontboard(10)", "force-quit(0xfbfbfbfb)"), "user"),
        (status("frontboard(10)", "scene-create watchdog(0x8badf00d)"), "anr"),
        (status("runningboard(15)", "3735883980(0xdead10cc)"), "killed"),
        (launchd(0, 0, 0), "exit"),
        (launchd(0, 0, 65280), "exit"),
        (launchd(2, 11, 11), "native"),
        (launchd(1, 7, 9), "low_memory"),
        (launchd(10, 0x8BADF00D, 9), "anr"),
        (launchd(10, 0xFBFBFBFB, 9), "user"),
    ],
)
def test_each_way_of_dying(line: str, way: str) -> None:
    (record,) = read_crash_evidence(line, app=APP)
    assert (record.way, record.pid, record.app, record.source) == (way, 412, APP, "apple log")


@pytest.mark.parametrize(
    "line",
    [
        f"Mar  7 09:15:02 iPhone SpringBoard(FrontBoard)[58] <Notice>: Bootstrap success! {WHO}",
        f"Mar  7 09:15:02 iPhone runningboardd[34] <Notice>: {WHO} Set darwin role to: UserInteractive",
        f"Mar  7 09:15:02 iPhone Notes[412] <Notice>: the user exited: voluntary, {WHO}",
        f"Mar  7 09:15:02 iPhone kernel[0] <Notice>: memorystatus: Notes [412] {WHO} exceeded mem limit: Active 50 MB",
        "Terminating app due to uncaught exception 'X', reason: 'nobody says who wrote this'",
    ],
)
def test_lines_that_tell_of_no_end(line: str) -> None:
    assert read_crash_evidence(line) == []


def test_ends_of_others_are_not_the_apps() -> None:
    others = (
        status("signal(2)", "SIGSEGV(11)", who=f"[app<{APP}.share>:500]"),
        status("signal(2)", "SIGSEGV(11)", who="[osservice<com.apple.SpringBoard>:58]"),
        launchd(2, 11, 11, who=f"[xpcservice<com.apple.WebKit.Networking([app<{APP}>:412])>:600]"),
        KERNEL.replace("pid 412 [Notes]", "pid 700 [Music]") + "(vm-pageshortage 0)",
    )
    assert read_crash_evidence("\n".join(others), app=APP) == []


def test_the_kernel_names_the_program_and_another_line_whose_it_is() -> None:
    text = "\n".join([f"Mar  7 09:14:00 iPhone SpringBoard[58] <Notice>: Bootstrap success! {WHO}",
                      KERNEL.replace("Notes", "Exec") + "(per-process-limit 100)"])  # fmt: skip
    (record,) = read_crash_evidence(text, app=APP)
    assert (record.way, record.reason) == ("low_memory", "killed for memory (per-process-limit 100)")
    assert [record.pid for record in read_crash_evidence(KERNEL + "(per-process-limit 100)", app=APP)] == [412]
    assert read_crash_evidence(KERNEL.replace("Notes", "Exec") + "(per-process-limit 100)", app=APP) == []


def test_an_exception_explains_the_signal_that_it_ends_in() -> None:
    text = "\n".join([status("signal(2)", "SIGABRT(6)"), UNCAUGHT])
    (record,) = read_crash_evidence(text, app=APP)
    assert (record.way, record.reason) == ("ios", "NSRangeException: index 3 beyond bounds")


def test_log_and_reports_of_one_death_are_one_record() -> None:
    head = {"bundleID": APP, "bug_type": "309", "timestamp": "2026-03-07 09:15:03.00 +0100"}
    body = {"pid": 412, "exception": {"type": "EXC_CRASH", "signal": "SIGABRT"},
            "captureTime": "2026-03-07 09:15:02.2500 +0100",
            "asi": {"CoreFoundation": ["*** Terminating app due to uncaught exception 'X'"]}}  # fmt: skip
    report = f"{json.dumps(head)}\n{json.dumps(body)}"
    (record,) = read_crash_texts([status("signal(2)", "SIGABRT(6)"), report], app=APP)
    assert (record.way, record.source) == ("ios", "ips")
    assert read_crash_evidence(report.replace("uncaught exception", "abort"), app=APP)[0].way == "native"
    trapped = report.replace("SIGABRT", "SIGTRAP").replace("uncaught exception", "abort")
    assert read_crash_evidence(trapped, app=APP)[0].way == "ios"


def test_the_memory_report_tells_of_those_that_were_killed() -> None:
    head = {"bug_type": "298", "timestamp": "2026-03-07 09:15:03.00 +0100"}
    body = {
        "date": "2026-03-07 09:15:02.50 +0100",
        "processes": [
            {"pid": 412, "name": "My Notes", "reason": "per-process-limit", "states": ["frontmost"]},
            {"pid": 413, "name": "Music", "states": ["suspended"]},
            {"pid": 414, "name": "Maps", "reason": "vm-pageshortage"},
            "cut",
        ],
    }
    text = f"{json.dumps(head)}\n{json.dumps(body)}"
    assert [(record.app, record.way) for record in read_crash_evidence(text)] == [
        ("My Notes", "low_memory"),
        ("Maps", "low_memory"),
    ]
    (record,) = read_crash_evidence(text, app="com.example.My-Notes")
    assert (record.pid, record.at) == (412, log_seconds(3, 7, 9, 15, 2.5))
    assert read_crash_evidence(text, app="com.example.notes") == []
    assert read_crash_evidence(f'{json.dumps(head)}\n{{"processes": 5}}') == []


def test_a_second_is_taken_at_its_end() -> None:
    """What happened in the second in which a step began may have been in the step."""
    since = log_seconds(3, 7, 9, 15, 2.4)
    line = status("signal(2)", "SIGSEGV(11)")
    assert [record.at for record in read_crash_evidence(line, since=since)] == [pytest.approx(since, abs=0.6)]
    assert read_crash_evidence(line, since=log_seconds(3, 7, 9, 15, 3.0)) == []
    exact = status("signal(2)", "SIGSEGV(11)", stamp="Mar  7 09:15:02.250000")
    assert read_crash_evidence(exact, since=since) == []
    unified = status("signal(2)", "SIGSEGV(11)", stamp="2026-03-07 09:15:02.500000+0100 0x1f Default 0x0 58 0")
    assert [record.at for record in read_crash_evidence(unified, since=since)] == [log_seconds(3, 7, 9, 15, 2.5)]


def test_a_mac_names_the_app_with_its_numbers() -> None:
    line = launchd(0, 0, 0, who=f"[app<application.{APP}.4425635010.4425635189(501)>:412]")
    assert [record.app for record in read_crash_evidence(line)] == [APP]
