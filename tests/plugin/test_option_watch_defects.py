"""`apex_watch_defects`: off, warn (listed once a screen), fail."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pytest_apex.testing import results_of

Project = Callable[..., pytest.RunResult]

#: An app whose second screen shows a filler text.
APP = "text: Done"
BROKEN = "text: Lorem ipsum dolor"
TESTS = """
    def test_one(device):
        device.tap("Go")
        device.press("back")

    def test_two(device):
        device.tap("Go")
"""


def run(small: Project, small_app: str, mode: str) -> pytest.RunResult:
    return small({"app.yaml": small_app.replace(APP, BROKEN), "test_it.py": TESTS}, "-o", f"apex_watch_defects={mode}")


def test_warn_lists_each_screen_once(small: Project, small_app: str, pytester: pytest.Pytester) -> None:
    result = run(small, small_app, "warn")
    result.assert_outcomes(passed=2)
    notes = [line for record in results_of(pytester.path) for line in record["also"]]
    assert len(notes) == 1
    assert notes[0].startswith("visual.unresolved_text: ")


def test_fail(small: Project, small_app: str, pytester: pytest.Pytester) -> None:
    run(small, small_app, "fail").assert_outcomes(failed=2)
    assert {record["kind"] for record in results_of(pytester.path)} == {"visual.unresolved_text"}


def test_off(small: Project, small_app: str, pytester: pytest.Pytester) -> None:
    run(small, small_app, "off").assert_outcomes(passed=2)
    assert all(not record["also"] for record in results_of(pytester.path))


@pytest.mark.parametrize("mode", ["warn", "fail"])
def test_a_clean_app_is_clean(small: Project, pytester: pytest.Pytester, mode: str) -> None:
    small(TESTS, "-o", f"apex_watch_defects={mode}").assert_outcomes(passed=2)
    assert all(not record["also"] for record in results_of(pytester.path))


def test_the_home_screen_is_not_the_apps(small: Project, small_app: str, pytester: pytest.Pytester) -> None:
    app = small_app.replace("name: Small", "name: Lorem ipsum dolor")  # its icon there has that label
    tests = """
        def test_home(device):
            device.press("home")
            assert "Lorem ipsum dolor" in str(device.state())
    """
    small({"app.yaml": app, "test_it.py": tests}, "-o", "apex_watch_defects=warn").assert_outcomes(passed=1)
    assert [line for record in results_of(pytester.path) for line in record["also"]] == []


#: On the second screen a button without a name, smaller than a finger.
TINY = "text: Done}\n          - {role: button, id: tiny, icon: plus, width: 20, height: 20, on_tap: {log: x}"


@pytest.mark.parametrize("mode", ["warn", "fail"])
def test_accessibility_warnings_are_listed_and_fail_nothing(
    small: Project, small_app: str, pytester: pytest.Pytester, mode: str
) -> None:
    app = small_app.replace("text: Done", TINY)
    result = small({"app.yaml": app, "test_it.py": TESTS}, "-o", f"apex_watch_defects={mode}")
    result.assert_outcomes(passed=2)
    notes = [line for record in results_of(pytester.path) for line in record["also"]]
    assert {note.partition(" ")[0] for note in notes} >= {"accessibility.touch_target", "accessibility.missing_label"}
    result.stdout.fnmatch_lines(["accessibility warnings:"])
