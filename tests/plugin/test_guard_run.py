"""The guard, manuals and `hand_over` in a run: leave by marker and option, what the reports say, workers."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from pytest_apex.testing import last_run, results_of

Project = Callable[..., pytest.RunResult]

MANUAL = """
    match: {bundleId: com.example.small}
    summary: Three screens.
    controls: {onwards: {id: go}}
    irreversible: {normal: ["control:onwards"], critical: ["key:enter"], hand_off: ["control:onward to the third"]}
""".replace("}}\n    irr", "}, onward to the third: {id: stay}}\n    irr")
TEST = """
    import pytest
    from pytest_apex import expect

    def test_refused(device):
        device.tap("Go")

    @pytest.mark.allow_irreversible("control:onwards")
    def test_marked(device):
        device.tap("onwards")
        expect(device.find("Done")).to_be_visible()

    @pytest.mark.allow_irreversible("key:Return")
    def test_critical(device):
        device.find(id="typed").fill("Hi")
        device.press("enter")

    @pytest.mark.allow_irreversible("control:*")
    def test_handed_off(device):
        device.tap("Stay")
"""


def test_leave_by_marker_and_by_option(small: Project, pytester: pytest.Pytester) -> None:
    files = {"manuals/small.yaml": MANUAL, "test_it.py": TEST}
    result = small(files)
    result.assert_outcomes(passed=1, failed=3)
    records = {record["test"].rpartition("::")[2]: record for record in results_of(pytester.path)}
    assert {name: record["kind"] for name, record in records.items()} == {
        "test_refused": "test.refused", "test_marked": "", "test_critical": "test.refused",
        "test_handed_off": "test.refused",
    }  # fmt: skip
    assert {record["category"] for record in records.values()} == {None}
    assert records["test_marked"]["facts"]["irreversible"] == "control:onwards"
    lines = result.stdout.str().splitlines()
    assert "0 defects of the app" in next(line for line in lines if "passed," in line)
    assert "manual: small (manuals/small.yaml), by bundle id: 4 tests" in lines
    assert "can't be undone, done with leave: 1 (control:onwards 1)" in lines
    assert "  irreversible: control:onwards (normal) was done, allowed by the marker" in lines
    result = small(files, "--apex-allow=key:enter,control:onwards")
    result.assert_outcomes(passed=3, failed=1)
    assert "can't be undone, done with leave: 3 (control:onwards 2, key:enter 1)" in result.stdout.str()
    assert "was needed by no test" not in result.stdout.str()


def test_a_leave_that_nobody_needed_is_told(small: Project) -> None:
    """Of a run of all tests: one of some tests says nothing of the others."""
    files = {"manuals/small.yaml": MANUAL, "test_it.py": TEST}
    told = "--apex-allow 'control:onward' was needed by no test of this run"
    options = ("--apex-allow=control:onward,key:Return",)
    lines = small(files, *options).outlines
    assert [line for line in lines if "was needed by" in line] == [told]
    assert told not in small(files, *options, "-k", "critical").outlines


def test_the_reports_say_which_manual_was_used(small: Project, pytester: pytest.Pytester) -> None:
    test = """
        import pytest

        @pytest.mark.allow_irreversible("control:onwards")
        def test_it(device):
            device.tap("Go")
    """
    small({"manuals/small.yaml": MANUAL, "test_it.py": test}, "--junitxml=out.xml", "-n1", plugins=("xdist",))
    told = "small (manuals/small.yaml), by bundle id"
    run = json.loads((last_run(pytester.path) / "run.json").read_text("utf-8"))
    assert run["manuals"] == [told]
    junit = (pytester.path / "out.xml").read_text("utf-8")
    assert f'<property name="apex.manual" value="{told}" />' in junit
    assert '<property name="apex.irreversible" value="control:onwards" />' in junit


def test_the_fixture_and_the_marker(small: Project) -> None:
    test = """
        import pytest

        def test_matched(app_manual):
            assert app_manual.name == "small"

        @pytest.mark.app_manual("Other")
        def test_named(app_manual, device):
            assert app_manual.name == "other"
            assert "by marker 'Other'" in str(device.state())

        @pytest.mark.app_manual("smal")
        def test_there_is_no_such(app_manual):
            pass
    """
    other = "match: {bundleId: com.example.other}\n"
    result = small({"manuals/small.yaml": MANUAL, "manuals/other.yaml": other, "test_it.py": test})
    result.assert_outcomes(passed=2, errors=1)
    assert "there is no manual 'smal'" in result.stdout.str()
    assert ", other, small" in result.stdout.str()


def test_without_a_manual(small: Project) -> None:
    result = small("def test_it(app_manual, device):\n    assert app_manual is None\n    device.tap('Go')\n")
    result.assert_outcomes(passed=1)
    assert "manual:" not in result.stdout.str()


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("delete-account", "expected one of control:…, region:…, key:…, intent:…, system:…, found 'delete-account'"),
        ("controls:x", "found 'controls:x'"),
        ("intent:", "'intent:' names nothing; intent:* allows all"),
        ("key:ctrl+", "'key:ctrl+' is no combination of keys, such as key:ctrl+enter"),
    ],
)
def test_a_pattern_that_can_not_be_is_a_usage_error(small: Project, given: str, told: str) -> None:
    result = small("def test_it(device): pass\n", f"--apex-allow={given}")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert f"--apex-allow={given} (command line): " in result.stderr.str()
    assert told in result.stderr.str()


def test_a_marker_that_can_not_be_is_a_collection_error(small: Project) -> None:
    result = small("import pytest\n\n@pytest.mark.allow_irreversible('tap:order')\ndef test_it(device): pass\n")
    result.assert_outcomes(errors=1)
    assert "test_it.py:3  allow_irreversible: expected one of control:…" in result.stdout.str()


def test_a_region_keeps_its_commas(small: Project) -> None:
    test = """
        def test_it(apex_settings):
            assert apex_settings.touch.allow == ("region:0,900,1000,100", "key:a")
    """
    small(test, "--apex-allow=region:0,900,1000,100,key:a").assert_outcomes(passed=1)


def test_words_are_counted_at_the_end(small: Project) -> None:
    ini = "[pytest]\napex_app = com.example.small\napex_device = virtual\napex_destructive_words = stay, gehe\n"
    result = small({"test_it.py": "def test_it(device):\n    device.tap('Stay')\n", "pytest.ini": ini})
    result.assert_outcomes(passed=1)
    assert "may not be undone, by the words of the control: 1 (stay 1)" in result.stdout.str()


def test_without_a_terminal_what_a_person_has_to_do_is_skipped(small: Project) -> None:
    test = "def test_it(device):\n    device.hand_over('enter the code', until=device.find('Done'))\n"
    result = small(test, "-rs")
    result.assert_outcomes(skipped=1)
    said = "test_it.py:2: a person is needed, and there is no terminal: enter the code"  # the test's line, not ours
    assert said in result.stdout.str()
