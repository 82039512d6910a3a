"""Rule 3, on both sides: the test's own mistakes, and failures that only look like them."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_apex.model.verdict import Category, Outcome
from pytest_apex.verify.judge import judge


@pytest.mark.parametrize(
    ("type", "kind"),
    [
        ("config", "test.config"),
        ("target_ambiguous", "test.ambiguous"),
        ("capability", "test.capability"),
        ("refused", "test.refused"),
        ("target_stale", "test.refused"),
    ],
)
def test_errors_of_our_own_about_the_test(make: Any, type: str, kind: str) -> None:
    verdict = judge(make.case(make.failure(type, message='2 controls fit "Save"\n  try: …')))
    assert (verdict.kind, verdict.category, verdict.outcome) == (kind, None, Outcome.FAIL)
    assert verdict.reason == '2 controls fit "Save"'


def test_a_check_that_says_itself_that_the_test_is_at_fault(make: Any) -> None:
    assert judge(make.case(make.check("test.ambiguous"))).kind == "test.ambiguous"


def test_a_mistake_of_pytest_apex_is_blamed_on_nobody_else(make: Any) -> None:
    told = "pytest-apex itself failed at pytest_apex/device/acting/act.py:7: NameError: name 'x' is not defined"
    verdict = judge(make.case(make.failure("error", kind="unsure.internal_error", message=told)))
    assert (verdict.kind, verdict.category, verdict.outcome) == ("unsure.internal_error", None, Outcome.UNSURE)
    assert verdict.reason == f"{told}; please report it, with this traceback"


@pytest.mark.parametrize("phase", ["setup", "call", "teardown"])
@pytest.mark.parametrize(("used", "kind"), [(True, "test.error"), (False, "test.setup")])
def test_an_error_of_another_kind(make: Any, phase: str, used: bool, kind: str) -> None:
    failure = make.failure(
        "error", message="name 'devise' is not defined", phase=phase, exception="NameError", source="tests/test_a.py:7"
    )
    verdict = judge(make.case(failure, device_used=used))
    assert (verdict.kind, verdict.category) == (kind, None)
    assert "NameError: name 'devise' is not defined at tests/test_a.py:7" in verdict.reason


def test_the_name_of_the_exception_is_not_said_twice(make: Any) -> None:
    failure = make.failure("error", message="NameError: no", exception="NameError")
    assert judge(make.case(failure)).reason == "NameError: no"


def test_an_error_on_a_moving_or_missing_screen_is_still_the_tests(make: Any) -> None:
    failure = make.failure("error", message="boom", exception="ConnectionError")
    assert judge(make.case(failure, now=None, unsettled=make.moving())).kind == "test.error"


def test_a_plain_assert_that_read_nothing(make: Any) -> None:
    verdict = judge(make.case(make.failure("assertion", message="assert 3 == 4"), read_since_action=False))
    assert (verdict.kind, verdict.category) == ("test.assertion", None)
    assert "without reading from the device" in verdict.reason


def test_a_plain_assert_that_read_nothing_whatever_the_screen_does(make: Any) -> None:
    failure = make.failure("assertion", message="assert 3 == 4")
    for now in (None, make.look(picture="blank"), make.look(make.page(), make.permission_dialog())):
        case = make.case(failure, read_since_action=False, now=now, unsettled=make.moving())
        assert judge(case).kind == "test.assertion"


def test_a_plain_assert_that_read_from_the_device(make: Any) -> None:
    failure = make.failure("assertion", message="assert '3 notes' == '4 notes'", kind="functional.assertion")
    verdict = judge(make.case(failure))
    assert (verdict.kind, verdict.category) == ("functional.assertion", Category.FUNCTIONAL)


def test_a_plain_assert_on_a_screen_that_still_loads(make: Any) -> None:
    now = make.look(make.page(make.spinner(), make.N("text", "Notes")))
    failure = make.failure("assertion", message="assert 0 == 4", kind="functional.assertion")
    assert judge(make.case(failure, now=now)).kind == "transient.loading"


def test_acting_on_a_control_that_is_rightly_disabled(make: Any) -> None:
    failure = make.failure("target_disabled", message='"Log in" is disabled', because='"E-mail" (text_field)')
    verdict = judge(make.case(failure))
    assert (verdict.kind, verdict.category) == ("test.disabled", None)
    assert '"E-mail" (text_field)' in verdict.reason


def test_a_control_disabled_without_a_reason_is_the_apps(make: Any) -> None:
    verdict = judge(make.case(make.failure("target_disabled", message='"Log in" is disabled')))
    assert verdict.kind == "functional.wrong_state"


def test_a_check_that_demanded_it_enabled_stays_functional(make: Any) -> None:
    case = make.case(make.check("functional.wrong_state", because='"E-mail" (text_field)'))
    verdict = judge(case)
    assert verdict.kind == "functional.wrong_state"
    assert verdict.notes == ('expected: disabled while the form is incomplete ("E-mail" (text_field))',)


def test_a_skip_is_no_failure(make: Any) -> None:
    verdict = judge(make.case(make.failure("skipped", message="no camera here")))
    assert (verdict.outcome, verdict.category, verdict.kind) == (Outcome.NOT_RUN, None, "")
