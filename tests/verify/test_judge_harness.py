"""Rule 2, on both sides: device or driver broken, and only if that is what the check needs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pytest_apex.model.case import CrashRecord, HarnessEvent, LastTouch, ProcessEvent
from pytest_apex.model.verdict import Category, Outcome
from pytest_apex.verify.judge import judge
from pytest_apex.vision import image

from .conftest import SCREEN


@pytest.mark.parametrize("what", ["device_lost", "driver_dead"])
def test_a_device_or_driver_that_is_gone(make: Any, what: str) -> None:
    lost = HarnessEvent(12.0, what, "usb: no such device")
    verdict = judge(make.case(make.failure(what), now=None, pid_now=None, harness=(lost,)))
    assert (verdict.outcome, verdict.category) == (Outcome.UNSURE, Category.TRANSIENT)
    assert verdict.kind == f"transient.harness.{what}"
    assert "usb: no such device" in verdict.why[1]


def test_a_check_that_got_no_look_because_the_device_is_gone(make: Any) -> None:
    lost = (HarnessEvent(12.0, "device_lost", "usb"),)
    assert judge(make.case(make.check(), now=None, pid_now=None, harness=lost)).kind == "transient.harness.device_lost"


@pytest.mark.parametrize(
    ("exception", "kind"),
    [("NameError", "test.error"), ("KeyError", "test.error"), ("WebDriverException", "transient.harness.device_lost")],
)
def test_a_vendors_error_may_be_the_lost_device_a_nameerror_never_is(make: Any, exception: str, kind: str) -> None:
    lost = (HarnessEvent(12.0, "device_lost", "usb"),)
    failure = make.failure("error", message="no", exception=exception)
    assert judge(make.case(failure, now=None, pid_now=None, harness=lost)).kind == kind


def test_a_device_that_came_back_decides_nothing_and_is_noted(make: Any) -> None:
    back = (HarnessEvent(12.0, "device_lost", "away for 2 s", recovered=True),)
    verdict = judge(make.case(harness=back))
    assert verdict.kind == "functional.missing_element"
    assert verdict.notes == ("harness.device_lost: away for 2 s",)


def test_trouble_of_an_earlier_step_decides_nothing_and_is_not_noted(make: Any) -> None:
    assert judge(make.case(harness=(HarnessEvent(3.0, "stale_tree"),))).kind == "functional.missing_element"
    assert judge(make.case(harness=(HarnessEvent(3.0, "device_lost", "usb", recovered=True),))).notes == ()


def test_the_reason_names_what_is_gone(make: Any) -> None:
    assert judge(make.case(make.failure("device_lost"), now=None)).reason.startswith("the device was lost")
    assert judge(make.case(make.failure("driver_dead"), now=None)).reason.startswith("the driver on the device is dead")


@pytest.mark.parametrize(
    ("detail", "words"), [("a tap at 40, 80", "a tap at 40, 80"), ("", "a touch that the test did")]
)
def test_the_reason_names_the_foreign_touch(make: Any, detail: str, words: str) -> None:
    assert judge(make.case(harness=(HarnessEvent(12.0, "foreign_input", detail),))).reason.startswith(words)


def test_a_foreign_touch_that_explains_nothing_is_a_note(make: Any) -> None:
    """What looked at the device says so: the screen is as it was before."""
    touch = HarnessEvent(12.0, "foreign_input", "a touch at 40, 80", recovered=True)
    verdict = judge(make.case(harness=(touch,)))
    assert verdict.kind == "functional.missing_element"
    assert verdict.notes == ("harness.foreign_input: a touch at 40, 80",)


def test_a_crash_stays_a_crash_whoever_touched_the_screen(make: Any) -> None:
    usual = make.case()
    record = CrashRecord(usual.app, usual.pid, "java", "boom", 12.0)
    touch = HarnessEvent(12.0, "foreign_input", "a touch at 40, 80")
    assert judge(make.case(harness=(touch,), records=(record,), pid_now=0)).category == Category.CRASH


@pytest.mark.parametrize(
    ("what", "needs", "decides"),
    [
        ("stale_tree", "tree", True),
        ("stale_tree", "picture", False),
        ("blind_tree", "tree", True),
        ("blind_tree", "picture", False),
        ("secure_image", "picture", True),
        ("secure_image", "tree", False),
        ("foreign_input", "tree", True),
        ("foreign_input", "picture", True),
    ],
)
def test_events_decide_only_what_they_break(make: Any, what: str, needs: str, decides: bool) -> None:
    kind = "visual.wrong_color" if needs == "picture" else "functional.wrong_value"
    case = make.case(make.check(kind, needs=needs), harness=(HarnessEvent(12.0, what),))
    assert judge(case).kind == (f"transient.harness.{what}" if decides else kind)


def blind_look(make: Any, picture: str | None = "drawn", role: str = "group", text: str = "") -> Any:
    node = make.N(role, text, (0, 0, 240, 480))
    return replace(make.look(make.W([node])), picture=make.look(picture=picture).picture)


def test_one_empty_node_beside_a_full_picture_is_a_blind_tree(make: Any) -> None:
    verdict = judge(make.case(now=blind_look(make)))
    assert (verdict.kind, verdict.outcome) == ("transient.harness.blind_tree", Outcome.UNSURE)


def test_a_blind_tree_of_the_system_is_no_window_in_the_way(make: Any) -> None:
    look = make.look(make.W([make.N("group", "", (0, 0, 240, 480))], "android"))
    blind = replace(look, picture=make.look().picture)
    case = make.case(make.check("visual.wrong_color", needs="picture"), now=blind)
    assert judge(case).kind == "visual.wrong_color"


def test_a_blind_tree_does_not_decide_a_check_of_the_picture(make: Any) -> None:
    case = make.case(make.check("visual.wrong_color", needs="picture"), now=blind_look(make))
    assert judge(case).kind == "visual.wrong_color"


@pytest.mark.parametrize(
    ("picture", "role", "text"),
    [("blank", "group", ""), (None, "group", ""), ("drawn", "image", ""), ("drawn", "group", "Welcome")],
    ids=["blank picture", "no picture", "an image says what it is", "a text says what it is"],
)
def test_small_trees_that_are_not_blind(make: Any, picture: str | None, role: str, text: str) -> None:
    assert "blind" not in judge(make.case(now=blind_look(make, picture, role, text))).kind


def test_a_usual_tree_is_not_blind(make: Any) -> None:
    assert judge(make.case()).kind == "functional.missing_element"


@pytest.mark.parametrize("picture", ["black", "secure", None])
def test_a_black_or_missing_picture_decides_checks_of_the_picture_only(make: Any, picture: str | None) -> None:
    now = make.look(picture=picture)
    asked = judge(make.case(make.check("visual.wrong_color", needs="picture"), now=now))
    assert (asked.kind, asked.outcome) == ("transient.harness.secure_image", Outcome.UNSURE)
    assert judge(make.case(make.check(), now=now)).kind == "functional.wrong_value"


def test_a_dark_page_with_something_on_it_is_not_secure(make: Any) -> None:
    dark = make.look(make.page(make.N("text", "x", (20, 60, 24, 64)), make.N(), make.N()), picture="secure")
    ink = dark.picture.pixels().copy()
    ink.paste("#808080", (21, 61, 23, 63))
    look = replace(dark, picture=image.from_image(ink))
    assert judge(make.case(make.check("visual.wrong_color", needs="picture"), now=look)).kind == "visual.wrong_color"


def test_checks_of_the_process_need_neither_tree_nor_picture(make: Any) -> None:
    failure = make.check("functional.wrong_state", needs="process")
    case = make.case(failure, now=None, harness=(HarnessEvent(12.0, "stale_tree"),))
    assert judge(case).kind == "functional.wrong_state"


def test_another_apps_dialog_that_was_dismissed_is_a_note(make: Any) -> None:
    gone = HarnessEvent(12.0, "other_app", "Mail keeps stopping was dismissed", recovered=True)
    verdict = judge(make.case(harness=(gone,)))
    assert verdict.kind == "functional.missing_element"
    assert verdict.notes == ("harness.other_app: Mail keeps stopping was dismissed",)


def test_the_cure_is_the_one_that_the_failure_names(make: Any) -> None:
    failure = make.failure("driver_dead", message="can't write u2.jar\n  seen:    no space\n  try:     free some space")
    reason = judge(make.case(failure, now=None, pid_now=None)).reason
    assert reason == "the driver on the device is dead and did not come back: free some space"


def test_a_device_that_started_anew_took_the_app_with_it(make: Any) -> None:
    failure = make.failure("device_restarted", message="the phone R58 was restarted\n  try:     run the test again")
    gone = ProcessEvent(12.0, make.app, 100, "gone")
    killed = CrashRecord(make.app, 100, "killed", "signal 9", at=12.0)
    verdict = judge(make.case(failure, pid_now=0, processes=(gone,), records=(killed,)))
    assert verdict.kind == "transient.harness.device_restarted"
    assert verdict.reason == "the phone R58 was restarted: run the test again"
    crashed = CrashRecord(make.app, 100, "java", "NullPointerException", at=11.9)
    assert judge(make.case(failure, pid_now=0, records=(crashed,))).kind == "crash.process_died"


def test_a_lock_screen_that_only_the_user_can_take_away(make: Any) -> None:
    failure = make.failure(
        "screen_locked", message="can't unlock R58\n  seen:    it stays\n  try:     unlock it by hand"
    )
    verdict = judge(make.case(failure))
    assert (verdict.kind, verdict.reason) == ("transient.blocked", "can't unlock R58: unlock it by hand")


def test_what_finds_no_room_on_the_device(make: Any) -> None:
    failure = make.failure(
        "storage_full", message="can't write /sdcard/a\n  seen:    no space\n  try:     free some space on the phone"
    )
    verdict = judge(make.case(failure))
    assert (verdict.kind, verdict.reason) == (
        "transient.environment", "can't write /sdcard/a: free some space on the phone",
    )  # fmt: skip


ASLEEP = replace(SCREEN, awake=False)


@pytest.mark.parametrize("failure", ["target_not_found", "refused"])
def test_a_screen_that_went_off_by_itself(make: Any, failure: str) -> None:
    off = replace(make.look(), screen=ASLEEP)
    verdict = judge(make.case(make.failure(failure), now=off))
    assert verdict.kind == "transient.blocked"
    assert verdict.reason.startswith("the screen went off: ")


def test_a_screen_that_the_test_put_off_is_its_own_doing(make: Any) -> None:
    off = replace(make.look(), screen=ASLEEP)
    pressed = LastTouch("step-004", "press", "power", "changed", repeatable=False)
    assert judge(make.case(make.failure("refused"), now=off, last_touch=pressed)).kind == "test.refused"
    assert judge(make.case(make.failure("refused"), now=make.look())).kind == "test.refused"


@pytest.mark.parametrize("failure", ["app_died", "target_not_found", "refused"])
@pytest.mark.parametrize("pid_now", [0, 180])
def test_an_app_that_somebody_else_ended(make: Any, failure: str, pid_now: int) -> None:
    own = ProcessEvent(10.5, make.app, 177, "launched", by_test=True)
    other = CrashRecord(make.app, 177, "user", "stop due to from pid 4711", at=12.0)
    facts = {"processes": (own,), "pid": 177, "pid_now": pid_now}
    verdict = judge(make.case(make.failure(failure), records=(other,), **facts))
    assert verdict.kind == "transient.harness.foreign_input"
    assert verdict.reason.startswith(f"another run or tool ended {make.app}")
    # Its own stop, of the process before, explains nothing.
    before = replace(other, pid=101)
    assert judge(make.case(make.failure(failure), records=(before,), **facts)).kind == "crash.process_died"


def test_a_crash_before_somebody_else_ended_it_stays_a_crash(make: Any) -> None:
    crashed = CrashRecord(make.app, 100, "java", "NullPointerException", at=11.9)
    other = CrashRecord(make.app, 100, "user", "stop", at=12.0)
    assert judge(make.case(pid_now=0, records=(crashed, other))).kind == "crash.process_died"
