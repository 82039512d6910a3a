"""What pytest and its plugins raise is told as what it is; what can be known before the first test is told there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pytest_apex.testing import results_of

Project = Callable[..., pytest.RunResult]


def only(pytester: pytest.Pytester) -> dict[str, Any]:
    (record,) = results_of(pytester.path)
    return record


def test_pytest_timeout(small: Project, pytester: pytest.Pytester) -> None:
    test = "import pytest\n\ndef test_it(device):\n    pytest.fail('Timeout (>1.5s) from pytest-timeout.')\n"
    text = small(test).stdout.str()
    record = only(pytester)
    assert record["kind"] == "test.error"
    assert record["reason"].startswith("pytest-timeout: the test took longer than 1.5 s")
    assert "neither an assertion" not in text


def test_pytest_fail_asserts(small: Project, pytester: pytest.Pytester) -> None:
    small("import pytest\n\ndef test_it(device):\n    device.find('Go').text\n    pytest.fail('no timeout')\n")
    assert only(pytester)["kind"] == "functional.assertion"


@pytest.mark.parametrize("scope", ["session", "module", "class"])
def test_a_fixture_of_a_wider_scope(small: Project, pytester: pytest.Pytester, scope: str) -> None:
    test = f"""
        import pytest

        @pytest.fixture(scope="{scope}")
        def logged_in(device):
            return device

        def test_it(logged_in):
            pass
    """
    text = small(test).stdout.str()
    record = only(pytester)
    assert (record["kind"], record["outcome"]) == ("test.setup", "error")
    assert "ask for it in a fixture of function scope" in record["reason"]
    assert "without reading" not in text


def test_a_strict_xfail_that_passes_is_one_line_under_tb_line(small: Project) -> None:
    test = "import pytest\n\n@pytest.mark.xfail(strict=True, reason='soon')\ndef test_it(device): pass\n"
    lines = small(test, "--tb=line").outlines
    assert lines.count("[test.xpass] [XPASS(strict)] soon") == 1
    assert "FAILED test_it.py::test_it - [test.xpass] [XPASS(strict)] soon" in lines
    whole = small(test).outlines
    assert "test.xpass: the test passed, though its xfail is strict" in whole


def test_xfail_inside_a_test_is_xfailed(small: Project, pytester: pytest.Pytester) -> None:
    test = """
        import pytest

        def test_it(device):
            pytest.xfail("later")

        def test_skips(device):
            pytest.skip("not here")
    """
    result = small(test)
    result.assert_outcomes(xfailed=1, skipped=1)
    assert {line["test"].rpartition("::")[2]: line["outcome"] for line in results_of(pytester.path)} == {
        "test_it": "xfailed",
        "test_skips": "skipped",
    }
    assert "0 passed, 0 defects of the app, 1 xfailed, 1 skipped" in result.stdout.str()


def test_an_app_that_is_not_installed_is_one_usage_error(small: Project) -> None:
    result = small("def test_it(device): pass\ndef test_more(device): pass\n", "--apex-app=no.such.app")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    text = result.stderr.str()
    assert text.count("the app 'no.such.app' (command line) is not installed on the built-in phone") == 1
    assert "installed: com.example.small" in text


def test_an_app_that_one_test_names_wrongly_fails_that_test(small: Project, pytester: pytest.Pytester) -> None:
    test = """
        import pytest

        @pytest.mark.app("no.such.app")
        def test_wrong(device):
            pass

        def test_right(device):
            pass
    """
    small(test).assert_outcomes(errors=1, passed=1)
    kinds = {line["test"].rpartition("::")[2]: line["kind"] for line in results_of(pytester.path)}
    assert kinds == {"test_wrong": "test.config", "test_right": ""}


def test_what_an_assertion_is_about(small: Project, pytester: pytest.Pytester) -> None:
    """One about the last act's own step, or the log, asks the app; an async test that nobody runs is no assertion."""
    test = """
        import pytest

        def test_step(device):
            step = device.tap("Go")
            assert (
                step.effect == "none"
            )

        def test_earlier_step(device):
            first = device.tap("Go")
            second = device.wait(0.1)
            assert first is None

        def test_beside_a_step(device):
            step = device.tap("Go")
            assert len("words") == 4

        def test_log(device):
            device.tap("Go")
            assert "no such line" in device.app.log

        async def test_async(device):
            assert True

        def test_page_object(device):
            try:
                device.find("Nowhere to be seen").tap()
            except Exception as error:
                raise RuntimeError("the page is not there") from error
    """
    small(test)
    kinds = {record["test"].rpartition("::")[2]: record["kind"] for record in results_of(pytester.path)}
    assert kinds == {
        "test_step": "functional.assertion",
        "test_earlier_step": "test.assertion",
        "test_beside_a_step": "test.assertion",
        "test_log": "functional.assertion",
        "test_async": "test.config",
        "test_page_object": "functional.missing_element",
    }
