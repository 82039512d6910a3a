"""Rules 6 to 9, on both sides."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pytest_apex.model.case import Failure, ProcessEvent
from pytest_apex.model.node import NodeState
from pytest_apex.model.verdict import Category, Finding, Outcome
from pytest_apex.verify.judge import judge

# 6. Not settled


def loading(make: Any, **facts: Any) -> Any:
    now = make.look(make.page(make.spinner(), make.N("text", "Notes")))
    return make.case(make.failure(**facts), now=now)


def test_loading_at_an_explicit_shorter_timeout(make: Any) -> None:
    verdict = judge(loading(make, explicit_timeout=2.0, waited_s=2.0, timeout_name="timeout= of the test"))
    assert (verdict.kind, verdict.outcome) == ("transient.loading", Outcome.UNSURE)
    assert "progress at 120, 220" in verdict.reason
    assert "timeout=2 of the test" in verdict.reason


@pytest.mark.parametrize(
    "facts",
    [
        {"waited_s": 20.1, "timeout_name": "--apex-load-timeout 20 s (default)"},
        {"waited_s": 19.9, "timeout_name": ""},
        {"waited_s": 30.0, "explicit_timeout": 30.0},
        {"waited_s": 8.0, "timeout_name": "--apex-load-timeout 8 s (pyproject.toml)"},
    ],
)
def test_loading_at_the_load_timeout(make: Any, facts: dict[str, Any]) -> None:
    verdict = judge(loading(make, **facts))
    assert (verdict.kind, verdict.category) == ("functional.stuck_loading", Category.FUNCTIONAL)


def test_loading_that_was_asked_at_once(make: Any) -> None:
    assert judge(loading(make, waited_s=0.0)).kind == "transient.loading"


def test_a_longer_load_timeout_of_the_project_counts(make: Any) -> None:
    case = replace(loading(make, waited_s=30.0, explicit_timeout=30.0), load_timeout=60.0)
    assert judge(case).kind == "transient.loading"


def test_loading_seen_by_who_raised_the_error(make: Any) -> None:
    unsettled = make.moving("loading", "progress at 1, 1", waited_s=20.0, limit="--apex-load-timeout 20 s (default)")
    verdict = judge(make.case(unsettled=unsettled))
    assert verdict.kind == "functional.stuck_loading"
    assert "progress at 1, 1 was still visible after 20.0 s" in verdict.reason


def test_a_launch_that_never_got_beyond_loading(make: Any) -> None:
    unsettled = make.moving("loading", "progress at 1, 1", waited_s=30.0, limit="--apex-launch-timeout 30 s (default)")
    case = make.case(make.failure("unsettled", phase="setup"), unsettled=unsettled, last_touch=None)
    assert judge(case).kind == "functional.stuck_loading"


@pytest.mark.parametrize("value", ["40%", "0.5", "3 of 7"])
def test_a_bar_that_says_how_far_it_is_loads_nothing(make: Any, value: str) -> None:
    now = make.look(make.page(make.N("progress", value=value, box=(20, 200, 200, 210)), make.N("text", "Notes")))
    assert judge(make.case(now=now)).kind == "functional.missing_element"


def test_a_word_alone_loads_nothing(make: Any) -> None:
    now = make.look(make.page(make.N("text", "Loading docks of Hamburg")))
    assert judge(make.case(now=now)).kind == "functional.missing_element"


def test_a_splash_counts_as_loading_and_not_as_blank(make: Any) -> None:
    splash = make.W([make.N("group", box=(0, 0, 240, 480))], title="Splash Screen com.example.notes")
    assert judge(make.case(now=make.look(splash, picture="blank"))).kind == "transient.loading"


def test_a_screen_that_never_rests(make: Any) -> None:
    verdict = judge(make.case(unsettled=make.moving("animating", "image at 40, 40 [20,20][60,60]")))
    assert (verdict.kind, verdict.outcome) == ("transient.animating", Outcome.UNSURE)
    assert "image at 40, 40 [20,20][60,60]" in verdict.reason


def test_a_moving_keyboard(make: Any) -> None:
    assert judge(make.case(unsettled=make.moving("keyboard", "keyboard"))).kind == "transient.keyboard"


def test_a_strict_act_on_a_screen_that_moves(make: Any) -> None:
    assert judge(make.case(make.failure("unsettled"))).kind == "transient.animating"


def test_movement_decides_before_the_last_touch_and_the_looks(make: Any) -> None:
    case = make.case(
        make.check("visual.overlap", needs="picture"),
        unsettled=make.moving(),
        last_touch=make.touch(effect="none", repeated=True),
    )
    assert judge(case).kind == "transient.animating"


def test_movement_does_not_decide_a_check_of_the_process(make: Any) -> None:
    case = make.case(make.check("functional.wrong_state", needs="process"), unsettled=make.moving())
    assert judge(case).kind == "functional.wrong_state"


# 7. No effect


def test_two_touches_without_effect(make: Any) -> None:
    verdict = judge(make.case(last_touch=make.touch(effect="none", repeated=True)))
    assert (verdict.kind, verdict.category, verdict.suspect) == ("functional.no_effect", Category.FUNCTIONAL, "")
    assert verdict.reason == 'step-004 tap "Add" has no effect, touched twice'


def test_two_touches_without_effect_and_a_near_miss(make: Any) -> None:
    failure = make.failure(near_misses=('"Saved" (text at 1, 1)',))
    verdict = judge(make.case(failure, last_touch=make.touch(effect="none", repeated=True)))
    assert (verdict.kind, verdict.suspect) == ("functional.no_effect", "test")


@pytest.mark.parametrize("repeatable", [True, False])
def test_one_touch_without_effect_is_a_fact_and_no_verdict(make: Any, repeatable: bool) -> None:
    verdict = judge(make.case(last_touch=make.touch(effect="none", repeatable=repeatable)))
    assert verdict.kind == "functional.missing_element"
    answer = next(answer.answer for answer in verdict.rules if answer.rule == "no effect")
    assert answer.endswith("was not" if repeatable else "it must not be touched twice")
    assert any("changed nothing" in line for answer in verdict.rules for line in answer.evidence)


def test_a_touch_without_effect_that_the_device_gave_up_on(make: Any) -> None:
    failure = make.failure("no_effect", message='tap "Add" had no effect', kind="functional.no_effect")
    assert judge(make.case(failure)).reason == 'step-004 tap "Add" has no effect, touched twice'
    assert judge(make.case(failure, last_touch=None)).reason == '"Save" has no effect, touched twice'


def test_a_test_that_has_done_nothing_yet(make: Any) -> None:
    verdict = judge(make.case(last_touch=None))
    assert (
        next(answer.answer for answer in verdict.rules if answer.rule == "no effect") == "no: nothing was done before"
    )
    assert judge(make.case()).rules[6].answer == "no: the last act had an effect"


def test_an_act_without_a_target_is_named_by_its_verb(make: Any) -> None:
    touch = make.touch(verb="swipe", target="", effect="none", repeated=True)
    assert judge(make.case(last_touch=touch)).reason.startswith("step-004 swipe has no effect")


@pytest.mark.parametrize("effect", ["changed", "unknown"])
def test_a_touch_with_an_effect(make: Any, effect: str) -> None:
    case = make.case(last_touch=make.touch(effect=effect, repeated=True))
    assert judge(case).kind == "functional.missing_element"


def test_a_check_of_looks_does_not_ask_what_the_touch_did(make: Any) -> None:
    failure = make.check("visual.wrong_color", needs="picture")
    assert judge(make.case(failure, last_touch=make.touch(effect="none", repeated=True))).kind == "visual.wrong_color"


# 8. Visual


def test_a_failed_check_of_looks_names_the_finding(make: Any) -> None:
    findings = (
        Finding("truncated", "visual.truncated", '"Details" is shortened', "warn"),
        Finding("overlap", "visual.overlap", '"Title" and "Subtitle" lie over each other'),
        Finding("misaligned", "visual.misaligned", "row 3 is out of line"),
    )
    verdict = judge(make.case(make.check("visual.overlap", needs="picture", findings=findings)))
    assert (verdict.kind, verdict.category) == ("visual.overlap", Category.VISUAL)
    assert verdict.reason == '"Title" and "Subtitle" lie over each other, and 1 more'


def test_a_missing_control_stays_functional_with_the_finding_attached(make: Any) -> None:
    finding = Finding("overlap", "visual.overlap", '"Title" and "Subtitle" lie over each other')
    verdict = judge(make.case(findings_now=(finding,)))
    assert verdict.kind == "functional.missing_element"
    assert any("also seen: overlap" in line for line in verdict.rules[-1].evidence)


@pytest.mark.parametrize(
    "failure",
    [
        Failure("target_not_found", "no"),
        Failure("check", "no", kind="functional.wrong_value"),
        Failure("assertion", "no"),
    ],
    ids=["missing", "check", "assert"],
)
def test_a_blank_app_area_whatever_was_asked(make: Any, failure: Failure) -> None:
    verdict = judge(make.case(failure, now=make.look(picture="blank")))
    assert (verdict.kind, verdict.category) == ("visual.blank", Category.VISUAL)


def test_a_blank_area_with_an_empty_tree(make: Any) -> None:
    now = make.look(make.W([make.N("group", box=(0, 0, 240, 480))]), picture="blank")
    assert judge(make.case(now=now)).kind == "visual.blank"


def test_pages_that_are_not_blank(make: Any) -> None:
    sparse = make.look(make.page(make.N("text", "No notes", (100, 200, 104, 204))))
    assert judge(make.case(now=sparse)).kind == "functional.missing_element"
    black = make.look(picture="black")
    assert judge(make.case(now=black)).kind == "functional.missing_element"
    secure = make.look(picture="secure")
    assert judge(make.case(now=secure)).kind == "functional.missing_element"
    loads = make.look(make.page(make.spinner()), picture="blank")
    assert judge(make.case(now=loads)).kind == "transient.loading"
    unknown = make.look(picture=None)
    assert judge(make.case(now=unknown)).kind == "functional.missing_element"


def test_a_black_app_area_with_nothing_in_the_tree_is_blank(make: Any) -> None:
    now = make.look(
        make.W([make.N("group", box=(0, 0, 240, 480)), make.N("group", box=(0, 0, 9, 9))]), picture="secure"
    )
    assert judge(make.case(now=now)).kind == "visual.blank"


def test_the_empty_part_of_a_form_above_the_keyboard_is_not_blank(make: Any) -> None:
    field = make.N("text_field", "", (20, 60, 220, 90), states=NodeState.VISIBLE | NodeState.EDITABLE)
    assert judge(make.case(now=make.look(make.page(field), make.keyboard()))).kind == "functional.missing_element"


# 9. Functional


@pytest.mark.parametrize(
    ("failure", "kind"),
    [
        (Failure("target_not_found", "no"), "functional.missing_element"),
        (Failure("target_off_screen", "no"), "functional.not_reachable"),
        (Failure("target_obscured", "no"), "functional.not_reachable"),
        (Failure("target_disabled", "no"), "functional.wrong_state"),
        (Failure("assertion", "no"), "functional.assertion"),
        (Failure("check", "no"), "functional.assertion"),
        (Failure("check", "no", kind="functional.wrong_value"), "functional.wrong_value"),
        (Failure("check", "no", kind="functional.wrong_state"), "functional.wrong_state"),
    ],
)
def test_what_does_not_hold_on_a_healthy_screen(make: Any, failure: Failure, kind: str) -> None:
    verdict = judge(make.case(failure))
    assert (verdict.kind, verdict.category, verdict.outcome) == (kind, Category.FUNCTIONAL, Outcome.FAIL)


def test_the_reason_tells_what_was_seen_instead(make: Any) -> None:
    message = "expected \"Total\" to have the text '5'\n  seen:    its text is '7'\n  try:     look again"
    assert judge(make.case(make.check(message=message))).reason == (
        "expected \"Total\" to have the text '5'; its text is '7'"
    )
    colour = make.check("visual.wrong_color", needs="picture", message="expected blue\n  seen:    #B85700 with #FFFFFF")
    assert judge(make.case(colour)).reason == "expected blue; #B85700 with #FFFFFF"


def test_a_near_miss_makes_the_test_suspect(make: Any) -> None:
    failure = make.failure(near_misses=('"Save as" (button at 1, 1)',))
    verdict = judge(make.case(failure))
    assert (verdict.kind, verdict.suspect) == ("functional.missing_element", "test")
    assert '"Save as" (button at 1, 1)' in verdict.reason


def test_a_touch_that_led_elsewhere(make: Any) -> None:
    verdict = judge(make.case(last_touch=make.touch(navigated=True)))
    assert verdict.kind == "functional.wrong_destination"
    assert verdict.reason == 'step-004 tap "Add" led to another screen than the one with "Save"'
    unnamed = judge(make.case(make.failure(target=""), last_touch=make.touch(navigated=True)))
    assert unnamed.reason.endswith("the one with what was looked for")


@pytest.mark.parametrize(
    "facts",
    [{"navigated": False}, {"navigated": True, "confirmed": True}],
    ids=["stayed", "a check held on the new screen"],
)
def test_missing_data_is_no_wrong_destination(make: Any, facts: dict[str, Any]) -> None:
    assert judge(make.case(last_touch=make.touch(**facts))).kind == "functional.missing_element"


@pytest.mark.parametrize(
    ("title", "role", "kind"),
    [
        ("add", "toolbar", "functional.missing_element"),
        ("Add a friend", "toolbar", "functional.wrong_destination"),
        ("Add", "tab_bar", "functional.wrong_destination"),
    ],
)
def test_a_screen_headed_by_the_words_of_what_was_touched_is_the_right_one(
    make: Any, title: str, role: str, kind: str
) -> None:
    bar = make.N(role, box=(0, 20, 240, 60), children=[make.N("text", title, (20, 30, 120, 50))])
    case = make.case(now=make.look(make.page(bar)), last_touch=make.touch(navigated=True))
    assert judge(case).kind == kind


HOME = "com.google.android.apps.nexuslauncher"


@pytest.mark.parametrize(
    ("app", "what", "suspect"),
    [(HOME, "seen", "test"), (HOME, "launched", ""), ("com.example.notes", "seen", "")],
    ids=["no app was named", "a home screen under test", "an app that is in front"],
)
def test_without_an_app_under_test_the_home_screen_has_no_defect(make: Any, app: str, what: str, suspect: str) -> None:
    kind = "launcher" if app == HOME else "application"
    look = make.look(make.W([make.N("text", "Notes")], app=app, kind=kind), front=app)
    events = (ProcessEvent(1.0, app, 100, what),)
    verdict = judge(replace(make.case(now=look, before=look, processes=events), app=app, in_front=app))
    assert (verdict.kind, verdict.suspect) == ("functional.missing_element", suspect)
    assert ("apex_app" in verdict.reason) == bool(suspect)


def test_a_near_miss_is_no_wrong_destination(make: Any) -> None:
    case = make.case(make.failure(near_misses=("x",)), last_touch=make.touch(navigated=True))
    assert judge(case).kind == "functional.missing_element"


def test_a_process_that_the_test_itself_ended(make: Any) -> None:
    failure = make.check("crash.process_died", needs="process")
    stopped = (ProcessEvent(12.0, make.app, 100, "stopped", by_test=True),)
    verdict = judge(make.case(failure, processes=stopped, pid=0, pid_now=0))
    assert (verdict.kind, verdict.suspect) == ("functional.wrong_state", "test")
    assert verdict.reason.endswith("the test itself ended it")
    never = judge(make.case(failure, pid=0, pid_now=0))
    assert (never.kind, never.suspect) == ("functional.wrong_state", "")
    assert "the test itself" not in never.reason


# Unsure, never guessed


@pytest.mark.parametrize(
    ("facts", "kind"),
    [
        ({"now": None}, "unsure.no_capture"),
        ({"failure": Failure("check", "no", kind="unsure.no_baseline", needs="picture")}, "unsure.no_baseline"),
        ({"failure": Failure("check", "no", kind="strange.thing")}, "unsure.no_rule"),
        (
            {"failure": Failure("check", "no", kind="crash.process_died", needs="process"), "pid_now": None},
            "unsure.no_process",
        ),
    ],
)
def test_where_nothing_decides(make: Any, facts: dict[str, Any], kind: str) -> None:
    verdict = judge(make.case(**facts))
    assert (verdict.kind, verdict.category, verdict.outcome) == (kind, None, Outcome.UNSURE)
    assert verdict.reason
    assert not any(answer.decided for answer in verdict.rules)


def _life(app: str, *what: tuple[str, int]) -> tuple[ProcessEvent, ...]:
    return tuple(ProcessEvent(10.0 + at, app, pid, word, by_test=True) for at, (word, pid) in enumerate(what))


@pytest.mark.parametrize(
    ("events", "told"),
    [
        ([("launched", 90), ("background", 90), ("launched", 100)], True),
        ([("launched", 100), ("background", 100), ("returned", 100)], False),
        ([("launched", 90), ("background", 90), ("stopped", 90), ("launched", 100)], False),
        ([("launched", 90), ("background", 90), ("launched", 95), ("stopped", 95), ("launched", 100)], False),
        ([("launched", 100)], False),
    ],
)
def test_what_was_lost_in_the_background_is_told_so(make: Any, events: list[tuple[str, int]], told: bool) -> None:
    processes = _life(make.app, *events)
    for failure in (make.failure(kind="functional.missing_element"), make.check()):
        verdict = judge(make.case(failure, processes=processes))
        assert verdict.category is Category.FUNCTIONAL
        words = "the system had ended com.example.notes in the background (pid 90), and it began anew (pid 100)"
        assert (words in verdict.reason) is told
        assert any(words in item for item in verdict.rules[-1].evidence) is told
