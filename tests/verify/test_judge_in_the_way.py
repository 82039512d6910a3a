"""Rules 4 and 5, on both sides: something lies over what was asked, or the app is not in front."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pytest_apex.model.case import ProcessEvent
from pytest_apex.model.geometry import Rect
from pytest_apex.model.node import NodeState
from pytest_apex.model.snapshot import LOCK_SCREEN
from pytest_apex.model.verdict import Category, Outcome
from pytest_apex.verify.judge import judge

APP = "com.example.notes"
PERMISSIONS = "com.android.permissioncontroller"


def covered(make: Any, by: str, owner: str) -> Any:
    facts = {"message": '"Save" can\'t be reached', "kind": "functional.not_reachable"}
    return make.failure("target_obscured", covered_by=by, covered_by_app=owner, **facts)


def test_a_permission_dialog_over_the_app(make: Any) -> None:
    now = make.look(make.page(), make.permission_dialog(), front=PERMISSIONS)
    verdict = judge(make.case(now=now, in_front=PERMISSIONS))
    assert (verdict.kind, verdict.outcome) == ("transient.blocked", Outcome.UNSURE)
    assert "--apex-permissions=allow" in verdict.reason
    assert "Allow Notes to use the camera?" in verdict.reason


def test_a_permission_dialog_that_covers_the_target(make: Any) -> None:
    now = make.look(make.page(), make.permission_dialog(focused=False))
    verdict = judge(make.case(covered(make, '"Allow" (button at 120, 275)', PERMISSIONS), now=now))
    assert verdict.kind == "transient.blocked"
    assert "--apex-permissions=allow" in verdict.reason


def test_a_permission_dialog_that_is_not_in_the_way_is_noted(make: Any) -> None:
    aside = make.permission_dialog(focused=False, bounds=Rect(20, 400, 220, 460))
    verdict = judge(make.case(now=make.look(make.page(), aside)))
    assert verdict.kind == "functional.missing_element"
    assert verdict.notes == (f"expected: a permission dialog of {PERMISSIONS} is open, not in the way of this check",)


def test_another_app_over_this_one(make: Any) -> None:
    wall = make.W([make.N("text", "Update now")], "com.example.store", focused=True)
    verdict = judge(make.case(now=make.look(make.page(), wall), in_front="com.example.store"))
    assert verdict.kind == "transient.blocked"
    assert "com.example.store" in verdict.reason
    assert verdict.rules[-1].evidence == (f'window "application" of com.example.store over {APP}',)
    assert "--apex-permissions" not in verdict.reason


def test_the_lock_screen_over_the_app(make: Any) -> None:
    lock = make.W([make.N("text", "9:41")], "com.android.systemui", "system", LOCK_SCREEN, focused=True)
    for now in (make.look(lock, front="com.android.systemui"), make.look(make.page(), lock)):
        verdict = judge(make.case(now=now))
        assert verdict.kind == "transient.blocked"
        assert verdict.reason.startswith("the screen was locked")


def test_a_large_window_hides_the_app_though_it_has_no_focus(make: Any) -> None:
    large = make.W([make.N("text", "x")], "com.example.store")
    assert judge(make.case(now=make.look(make.page(), large))).kind == "transient.blocked"
    small = make.W([make.N("text", "x")], "com.example.store", bounds=Rect(150, 30, 230, 80))
    assert judge(make.case(now=make.look(make.page(), small))).kind == "functional.missing_element"


@pytest.mark.parametrize("kind", ["status_bar", "toast", "keyboard"])
def test_bars_toasts_and_keyboards_of_others_are_no_windows_in_the_way(make: Any, kind: str) -> None:
    other = make.W([make.N("text", "12:04")], "com.android.systemui", kind)
    assert judge(make.case(now=make.look(make.page(), other))).kind == "functional.missing_element"


@pytest.mark.parametrize("by", ["keyboard at 120, 400", '"Keys" (keyboard at 120, 400)', '"q" (key at 9, 400)', "x"])
def test_the_keyboard_over_the_target(make: Any, by: str) -> None:
    now = make.look(make.page(), make.keyboard())
    verdict = judge(make.case(covered(make, by, "com.example.board"), now=now))
    assert (verdict.kind, verdict.outcome) == ("transient.keyboard", Outcome.UNSURE)
    assert "hide_keyboard" in verdict.reason


@pytest.mark.parametrize("owner", [APP, ""])
def test_the_app_covers_its_own_control(make: Any, owner: str) -> None:
    verdict = judge(make.case(covered(make, "group at 120, 400", owner)))
    assert (verdict.kind, verdict.category) == ("functional.not_reachable", Category.FUNCTIONAL)
    assert "group at 120, 400" in verdict.reason


def test_an_error_dialog_of_the_app_over_its_control(make: Any) -> None:
    now = make.look(make.page(make.N("text", "Notes"), make.own_dialog("Could not save the note")))
    verdict = judge(make.case(covered(make, "dialog at 120, 240", APP), now=now))
    assert verdict.kind == "functional.error_shown"
    assert "Could not save the note" in verdict.reason


@pytest.mark.parametrize(
    "text",
    [
        "Could not save the note",
        "Error 500",
        "Something went wrong",
        "Verbindung fehlgeschlagen",
        "Die Bestellung konnte nicht ausgeführt werden.",
        "تعذر إرسال الطلب",
        "操作失败",
        "Can’t connect",
    ],
)
def test_an_error_dialog_where_a_control_was_looked_for(make: Any, text: str) -> None:
    now = make.look(make.page(make.own_dialog(text)))
    verdict = judge(make.case(now=now))
    assert (verdict.kind, verdict.category) == ("functional.error_shown", Category.FUNCTIONAL)
    assert text in verdict.reason


@pytest.mark.parametrize("kind", ["functional.wrong_value", "functional.wrong_state"])
def test_an_error_dialog_over_a_control_that_is_not_as_expected(make: Any, kind: str) -> None:
    """Apple's trees keep what lies beneath an alert."""
    now = make.look(make.page(make.N("text", "0 items", id="items"), make.own_dialog("Could not add it")))
    verdict = judge(make.case(make.check(kind, target="id='items'"), now=now))
    assert verdict.kind == "functional.error_shown"
    assert "Could not add it" in verdict.reason
    # A question about the dialog itself is answered for itself, and one about looks too.
    inside = make.check(kind, target='"Could not add it"')
    assert judge(make.case(inside, now=now)).kind == kind
    assert judge(make.case(make.check("visual.wrong_color", target="id='items'"), now=now)).kind == "visual.wrong_color"
    asks = make.look(make.page(make.own_dialog("Das kann nicht rückgängig gemacht werden.")))
    assert judge(make.case(make.check(kind, target="id='items'"), now=asks)).kind == kind


def test_a_near_miss_inside_the_error_dialog_means_that_it_was_expected(make: Any) -> None:
    now = make.look(make.page(make.own_dialog("Could not save the note")))
    word = str(next(node for node in now.nodes if node.text.startswith("Could")))
    verdict = judge(make.case(make.failure(near_misses=(word,)), now=now))
    assert (verdict.kind, verdict.suspect) == ("functional.missing_element", "test")


@pytest.mark.parametrize("text", ["Delete this note?", "Saved", "Choose a colour", "Delete? This can’t be undone."])
def test_dialogs_that_tell_of_no_error(make: Any, text: str) -> None:
    assert judge(make.case(now=make.look(make.page(make.own_dialog(text))))).kind == "functional.missing_element"


def test_error_dialogs_that_are_not_shown_or_not_the_apps(make: Any) -> None:
    hidden = make.own_dialog("Could not save")
    hidden.states = NodeState.ENABLED
    assert (
        judge(make.case(now=make.look(make.page(make.N("text", "Notes"), hidden)))).kind == "functional.missing_element"
    )
    other = make.W([make.own_dialog("Could not sync")], "com.example.mail", "dialog", bounds=Rect(150, 30, 230, 80))
    assert judge(make.case(now=make.look(make.page(), other))).kind == "functional.missing_element"


def test_the_buttons_of_a_dialog_do_not_tell_of_an_error(make: Any) -> None:
    dialog = make.own_dialog("Upload again?")
    dialog.children[1].text = "Retry failed ones"
    assert judge(make.case(now=make.look(make.page(dialog)))).kind == "functional.missing_element"


def test_an_error_text_that_is_no_dialog(make: Any) -> None:
    now = make.look(make.page(make.N("text", "Wrong password")))
    assert judge(make.case(now=now)).kind == "functional.missing_element"


def test_an_error_dialog_does_not_answer_another_question(make: Any) -> None:
    now = make.look(make.page(make.own_dialog("Could not save")))
    assert judge(make.case(make.check("functional.wrong_value"), now=now)).kind == "functional.wrong_value"


def home(make: Any) -> dict[str, Any]:
    return {"now": make.look(make.home(), front="com.example.launcher"), "in_front": "com.example.launcher"}


def test_the_app_left_by_itself(make: Any) -> None:
    verdict = judge(make.case(**home(make)))
    assert (verdict.kind, verdict.category) == ("functional.left_app", Category.FUNCTIONAL)
    assert 'step-004 tap "Add"' in verdict.reason


@pytest.mark.parametrize("verb", ["press", "activate", "open_url"])
def test_the_test_itself_left_the_app(make: Any, verb: str) -> None:
    verdict = judge(make.case(last_touch=make.touch(verb=verb, target="press home"), **home(make)))
    assert (verdict.kind, verdict.suspect) == ("functional.missing_element", "test")
    assert "the test itself left the app" in verdict.reason


def test_the_test_put_the_app_in_the_background(make: Any) -> None:
    away = (ProcessEvent(12.0, APP, 100, "background", by_test=True),)
    assert judge(make.case(processes=away, **home(make))).suspect == "test"


def test_another_app_came_to_the_front(make: Any) -> None:
    now = make.look(make.W([make.N("text", "Incoming call")], "com.example.phone"), front="com.example.phone")
    verdict = judge(make.case(now=now, in_front="com.example.phone"))
    assert verdict.kind == "transient.blocked"
    assert "com.example.phone" in verdict.reason


def test_the_home_screen_of_an_apple_device_and_of_unknown_windows(make: Any) -> None:
    now = make.look(make.W([make.N("icon", "Notes")], ""), front="com.apple.springboard")
    assert judge(make.case(now=now, in_front="")).kind == "functional.left_app"


def test_an_alert_of_an_apple_device_is_no_home_screen(make: Any) -> None:
    alert = make.N(
        "alert", box=(20, 160, 220, 320), children=[make.N("text", "“Notes” Would Like to Send you Notifications")]
    )
    now = make.look(make.W([alert], "com.apple.springboard", "system", focused=True), front="com.apple.springboard")
    look = replace(now, platform="ios")
    verdict = judge(make.case(now=look, in_front="com.apple.springboard", platform="ios"))
    assert verdict.kind == "transient.blocked"
    assert "“Notes” Would Like to Send you Notifications" in verdict.reason
    assert "--apex-permissions=allow" in verdict.reason


def test_an_app_that_the_test_itself_went_to_is_not_in_the_way(make: Any) -> None:
    start = ProcessEvent(10.5, APP, 100, "launched", by_test=True)
    own = (start, ProcessEvent(11.0, "com.example.settings", 300, "launched", by_test=True))
    now = make.look(make.W([make.N("text", "Wi-Fi")], "com.example.settings"), front="com.example.settings")
    facts = {"now": now, "in_front": "com.example.settings"}
    assert judge(make.case(processes=own, **facts)).kind == "functional.missing_element"
    assert judge(make.case(processes=(start,), **facts)).kind == "transient.blocked"


def test_an_app_called_home_is_an_app(make: Any) -> None:
    now = make.look(make.W([make.N("text", "Lamps")], "com.example.home"), front="com.example.home")
    assert judge(make.case(now=now, in_front="com.example.home")).kind == "transient.blocked"


def test_nothing_is_in_the_way_of_a_check_of_the_process(make: Any) -> None:
    failure = make.check("functional.wrong_state", needs="process")
    assert judge(make.case(failure, **home(make))).kind == "functional.wrong_state"


# Trouble around the app


def test_a_screen_that_the_manual_lists_is_trouble_around_the_app(make: Any) -> None:
    told = "server down: it is restarted every night (manuals/notes.yaml:4:3)"
    for failure in (make.failure("target_not_found"), make.failure("check", kind="visual.overlap")):
        verdict = judge(make.case(failure, environment=told))
        assert (verdict.kind, verdict.category) == ("transient.environment", Category.TRANSIENT)
        assert told in verdict.reason
    # A crash stays one, and what asks the screen nothing is not about it.
    assert judge(make.case(pid_now=0, environment=told)).category is Category.CRASH
    assert judge(make.case(make.failure("config"), environment=told)).kind == "test.config"


def test_without_a_network_what_is_missing_may_be_what_it_brings(make: Any) -> None:
    missing = make.failure("target_not_found")
    assert judge(make.case(missing, offline=True)).kind == "transient.environment"
    assert judge(make.case(missing)).kind == "functional.missing_element"
    near = make.failure("target_not_found", near_misses=('"Save" (button)',))
    assert (judge(make.case(near, offline=True)).kind, judge(make.case(near, offline=True)).suspect) == (
        "functional.missing_element",
        "test",
    )
    wrong = make.failure("check", kind="functional.wrong_value")
    assert judge(make.case(wrong, offline=True)).kind == "functional.wrong_value"


def test_what_the_manual_declares_is_noted_and_decides_nothing(make: Any) -> None:
    line = "slow list: it takes long (a known fault; until 2027-01-01; manuals/notes.yaml:9:3)"
    verdict = judge(make.case(make.failure("target_not_found"), declared=(line,)))
    assert verdict.kind == "functional.missing_element"
    assert f"expected: {line}" in verdict.notes


@pytest.mark.parametrize(
    ("words", "noted"),
    [
        ("No trips yet", True), ("Nothing shared yet", True), ("Your cart is empty", True), ("Keine Notizen", True),
        ("Notes", False), ("Yet another list", False), ("The box is emptied daily", False),
    ],
)  # fmt: skip
def test_an_empty_list_that_says_so_is_noted(make: Any, words: str, noted: bool) -> None:
    missing = make.failure("target_not_found")

    def notes(*nodes: Any) -> bool:
        verdict = judge(make.case(missing, now=make.look(make.page(*nodes))))
        assert verdict.kind == "functional.missing_element"
        return any("an empty state" in note for note in verdict.notes)

    placeholder = make.N("text", words, (20, 100, 200, 120))
    assert notes(placeholder) is noted
    assert not notes(placeholder, make.N("cell", "Piano", (20, 140, 200, 180)))
