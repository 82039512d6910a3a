"""Rule 1, on both sides: the app died, or something else looked like it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pytest_apex.model.case import CrashRecord, HarnessEvent, ProcessEvent
from pytest_apex.model.verdict import Category, Outcome
from pytest_apex.verify.judge import judge

APP = "com.example.notes"


def record(way: str = "java", **facts: Any) -> CrashRecord:
    values: dict[str, Any] = {"app": APP, "pid": 100, "reason": "java.lang.Error: no", "at": 12.0, "source": "logcat"}
    return CrashRecord(way=way, **{**values, **facts})


def event(at: float, what: str, pid: int = 100, by_test: bool = True, app: str = APP) -> ProcessEvent:
    return ProcessEvent(at, app, pid, what, by_test)


@pytest.mark.parametrize(
    ("way", "kind"),
    [
        ("java", "crash.process_died"),
        ("ios", "crash.process_died"),
        ("native", "crash.native"),
        ("anr", "crash.anr"),
        ("exit", "crash.exit"),
        ("low_memory", "crash.killed"),
        ("killed", "crash.killed"),
    ],
)
def test_a_record_of_the_app_since_the_step_began(make: Any, way: str, kind: str) -> None:
    verdict = judge(
        make.case(records=(record(way),), pid_now=0, now=make.look(make.home(), front="com.example.launcher"))
    )
    assert (verdict.outcome, verdict.category, verdict.kind) == (Outcome.FAIL, Category.CRASH, kind)
    assert "java.lang.Error: no" in verdict.reason
    assert 'step-004 tap "Add"' in verdict.reason


INNOCENT_RECORDS = {
    "of another app": record(app="com.example.other", pid=300),
    "of an app whose id begins alike": record(app=f"{APP}2", pid=300),
    "of the driver": record(app="io.appium.uiautomator2.server", pid=301),
    "of an unnamed tool": record(app="", pid=302),
    "older than the step and the last good look": record(at=9.0),
    "asked for by the user": record("user"),
    "without a time, of a process that was not the app's": record(at=None, pid=55),
    "without time and pid": record(at=None, pid=0),
}


@pytest.mark.parametrize("innocent", INNOCENT_RECORDS.values(), ids=INNOCENT_RECORDS.keys())
def test_records_that_are_not_held_against_the_app(make: Any, innocent: CrashRecord) -> None:
    assert judge(make.case(records=(innocent,))).kind == "functional.missing_element"


def test_an_undated_record_of_the_living_process_counts(make: Any) -> None:
    assert judge(make.case(records=(record(at=None),), pid_now=0)).kind == "crash.process_died"


def test_a_nameless_record_of_the_apps_pid_counts(make: Any) -> None:
    assert judge(make.case(records=(record(app=""),), pid_now=0)).kind == "crash.process_died"


def test_a_record_between_the_last_good_look_and_the_step_counts(make: Any) -> None:
    case = make.case(records=(record(at=8.0),), before=make.look(at=7.0), pid_now=0)
    assert judge(case).kind == "crash.process_died"


def test_a_record_of_a_time_to_come_is_no_crash_of_a_process_that_lives(make: Any) -> None:
    """A line in another time zone; one that the clock was put forward past is held against a process that is gone."""
    ahead = CrashRecord(APP, 100, "java", "boom", at=12.0 + 9 * 3600)
    assert judge(make.case(records=(ahead,), pid=100, pid_now=100)).category is not Category.CRASH
    assert judge(make.case(records=(ahead,), pid=100, pid_now=0)).kind == "crash.process_died"
    soon = replace(ahead, at=40.0)  # the clocks of device and host are compared, not equal
    assert judge(make.case(records=(soon,), pid=100, pid_now=100)).kind == "crash.process_died"


def test_the_record_of_a_freeze_wins_over_the_dialog_and_the_pid(make: Any) -> None:
    case = make.case(records=(record("anr", reason="input timed out"),), now=None)
    assert judge(case).kind == "crash.anr"


def test_a_frozen_app_whose_tree_cannot_be_had(make: Any) -> None:
    lost = HarnessEvent(12.0, "driver_dead", "the driver does not answer")
    case = make.case(make.failure("driver_dead"), records=(record("anr"),), now=None, harness=(lost,))
    assert judge(case).kind == "crash.anr"


@pytest.mark.parametrize("pid_now", [0, 177])
def test_the_process_is_gone_or_another_one(make: Any, pid_now: int) -> None:
    verdict = judge(make.case(pid_now=pid_now))
    assert verdict.kind == "crash.process_died"
    assert "did not end it" in verdict.reason


def test_a_process_that_came_back_with_the_same_pid_in_view_but_was_seen_gone(make: Any) -> None:
    gone = event(12.0, "gone", by_test=False)
    assert judge(make.case(processes=(event(9.0, "launched"), gone), pid=101, pid_now=101)).kind == "crash.process_died"


INNOCENT_TIMELINES: dict[str, dict[str, Any]] = {
    "restarted by the test": {
        "processes": (event(9.0, "launched"), event(12.0, "stopped"), event(12.5, "launched", 177)),
        "pid_now": 177,
    },
    "launched again by the test": {"processes": (event(12.0, "launched", 177),), "pid_now": 177},
    "stopped by the test": {"processes": (event(12.0, "stopped"),), "pid_now": 0},
    "stopped by the test, then back by itself": {"processes": (event(12.0, "stopped"),), "pid_now": 180},
    "stopped by the test, and its exit is on record": {
        "processes": (event(12.0, "stopped"),),
        "pid_now": 0,
        "records": (record("killed", at=12.4, reason="signal 9"),),
    },
    "restarted, and the exit of the old process is on record": {
        "processes": (event(12.0, "launched", 177),),
        "pid_now": 177,
        "records": (record("exit", at=11.8),),
    },
    "killed for memory while the test had it in the background": {
        "processes": (event(11.0, "background"),),
        "pid_now": 0,
        "records": (record("low_memory"),),
    },
    "nobody could tell the pid": {"pid_now": None},
    "no process was ever known": {"pid": 0, "pid_now": 0},
    "the phone was away and may have been restarted": {
        "pid_now": 0,
        "harness": (HarnessEvent(11.0, "device_lost", "usb", recovered=True),),
    },
}


@pytest.mark.parametrize("facts", INNOCENT_TIMELINES.values(), ids=INNOCENT_TIMELINES.keys())
def test_timelines_that_are_no_crash(make: Any, facts: dict[str, Any]) -> None:
    verdict = judge(make.case(**facts))
    assert verdict.category is not Category.CRASH
    assert verdict.kind == "functional.missing_element"


def test_an_app_that_dies_after_the_tests_own_restart(make: Any) -> None:
    own = (event(9.0, "launched"), event(11.0, "stopped"), event(11.5, "launched", 177))
    assert judge(make.case(processes=own, pid=100, pid_now=0)).kind == "crash.process_died"
    late = record("exit", pid=177, at=14.9)
    assert judge(make.case(processes=own, pid=177, pid_now=0, records=(late,))).kind == "crash.exit"


@pytest.mark.parametrize("way", ["exit", "killed", "low_memory"])
def test_an_app_that_dies_right_after_its_launch_was_not_ended_by_the_stop_before_it(make: Any, way: str) -> None:
    start = (event(10.1, "stopped", 0), event(10.1, "launched", 177))
    died = judge(make.case(processes=start, pid=177, pid_now=0, records=(record(way, pid=177, at=11.0),)))
    assert died.kind == ("crash.exit" if way == "exit" else "crash.killed")
    late = judge(make.case(processes=start, pid=177, pid_now=177, records=(record(way, pid=100, at=11.0),)))
    assert late.category is not Category.CRASH


def test_a_java_crash_counts_though_the_test_stopped_the_app_then(make: Any) -> None:
    case = make.case(processes=(event(12.0, "stopped"),), pid_now=0, records=(record("java", at=12.1),))
    assert judge(case).kind == "crash.process_died"


def test_killed_for_memory_in_the_foreground(make: Any) -> None:
    own = (event(9.0, "background"), event(9.5, "launched"))
    assert judge(make.case(processes=own, records=(record("low_memory"),), pid_now=0)).kind == "crash.killed"


@pytest.mark.parametrize(
    ("title", "anr", "kind"),
    [
        ("Notes keeps stopping", False, "crash.dialog"),
        ("Notes isn't responding", True, "crash.anr"),
        ('"Notes" wurde beendet', False, "crash.dialog"),
        ("“Notes”屡次停止运行", False, "crash.dialog"),
        ("Notes屡次停止运行", False, "crash.dialog"),
        ("L'application Notes s'est arrêtée", False, "crash.dialog"),
        (f"{APP} has stopped", False, "crash.dialog"),
    ],
)
def test_a_system_dialog_that_names_the_app(make: Any, title: str, anr: bool, kind: str) -> None:
    now = make.look(make.crash_dialog(title, anr=anr), front="android")
    verdict = judge(make.case(now=now, in_front="android"))
    assert verdict.kind == kind
    assert title in verdict.reason


@pytest.mark.parametrize(
    "title",
    [
        "Pixel Launcher isn't responding",
        "Notes Pro keeps stopping",
        "Notes 2 has stopped",
        f"{APP}.beta has stopped",
        "Footnotes has stopped",
    ],
)
def test_a_system_dialog_about_another_app_is_no_crash(make: Any, title: str) -> None:
    now = make.look(make.page(), make.crash_dialog(title, anr=True), front="android")
    verdict = judge(make.case(now=now, in_front="android"))
    assert (verdict.kind, verdict.outcome) == ("transient.harness.other_app", Outcome.UNSURE)
    assert title in verdict.reason


def test_words_of_a_crash_in_the_app_itself_are_no_crash(make: Any) -> None:
    now = make.look(make.page(make.N("text", "Notes has stopped", id="com.example.notes:id/alertTitle")))
    assert judge(make.case(now=now)).kind == "functional.missing_element"


def test_the_error_that_the_device_raised_counts_without_further_evidence(make: Any) -> None:
    case = make.case(make.failure("app_died", message="com.example.notes died during step-004"), pid_now=None, now=None)
    assert judge(case).kind == "crash.process_died"


def test_a_crash_decides_whatever_was_asked(make: Any) -> None:
    for failure in (make.failure("error", exception="NameError"), make.check("visual.overlap", needs="picture")):
        assert judge(make.case(failure, records=(record(),), pid_now=0)).category is Category.CRASH


def test_without_an_app_under_test_the_one_in_front_before_is_judged(make: Any) -> None:
    assert judge(make.case(app="", records=(record(),))).kind == "crash.process_died"
    home = make.look(make.home(), front="com.example.launcher")
    assert judge(make.case(app="", before=home, now=home, pid=0, records=(record(),))).category is not Category.CRASH


def test_a_crash_before_the_test_is_not_counted_when_nothing_was_done_yet(make: Any) -> None:
    case = make.case(since=0.0, before=None, last_touch=None, processes=(event(50.0, "launched"),), records=(record(),))
    assert judge(case).category is not Category.CRASH


def test_crashes_of_others_are_noted(make: Any) -> None:
    verdict = judge(make.case(records=(record(app="com.example.other", pid=7),)))
    assert verdict.notes == ("harness.other_app: a crash or exit of com.example.other is on record",)


def test_the_evidence_names_the_process_before_and_now(make: Any) -> None:
    assert judge(make.case(pid_now=0)).rules[0].evidence == ("pid 100 before, no process now",)
    assert judge(make.case(pid_now=177)).rules[0].evidence == ("pid 100 before, pid 177 now",)
    told = judge(make.case(pid_now=0, records=(record(),))).rules[0].evidence
    assert told == ("logcat record of pid 100: java.lang.Error: no", "pid 100 before, no process now")
    alive = judge(make.case(records=(record("anr"),))).rules[0].evidence
    assert alive == ("logcat record of pid 100: java.lang.Error: no",)


@pytest.mark.parametrize(
    ("facts", "answer"),
    [
        ({}, f"no: {APP} lives (pid 100), nothing tells of a crash"),
        ({"pid_now": None}, "no: nothing tells of a crash"),
        ({"processes": (event(12.0, "stopped"),), "pid_now": 0}, f"no: the test itself ended {APP}"),
        ({"app": "", "before": None}, "no: no app under test is known"),
    ],
)
def test_what_the_rule_answers_where_nothing_crashed(make: Any, facts: dict[str, Any], answer: str) -> None:
    assert judge(make.case(**facts)).rules[0].answer == answer


OTHERS_DOING: dict[str, tuple[dict[str, Any], str]] = {
    "the app was only seen": ({"processes": (event(11.0, "seen", by_test=False),)}, "functional.missing_element"),
    "another app was sent to the background": (
        {
            "processes": (event(11.0, "background", 9, app="com.other"),),
            "records": (record("low_memory"),),
            "pid_now": 0,
        },
        "crash.killed",
    ),
    "another app was stopped": (
        {"processes": (event(11.9, "stopped", 9, app="com.other"),), "records": (record("exit"),), "pid_now": 0},
        "crash.exit",
    ),
    "another app died": ({"processes": (event(11.0, "gone", 9, False, "com.other"),)}, "functional.missing_element"),
}


@pytest.mark.parametrize(("facts", "kind"), OTHERS_DOING.values(), ids=OTHERS_DOING.keys())
def test_what_happened_to_others_neither_blames_nor_excuses(make: Any, facts: dict[str, Any], kind: str) -> None:
    assert judge(make.case(**facts)).kind == kind


def test_another_app_that_was_stopped_by_a_user_is_not_worth_a_note(make: Any) -> None:
    assert judge(make.case(records=(record("user", app="com.example.other", pid=7),))).notes == ()
