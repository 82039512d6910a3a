"""The hooks that a project may implement. The example of each docstring is run as the project's conftest."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable

import pytest

from pytest_apex import hookspecs
from pytest_apex.testing import last_run, results_of

Project = Callable[..., pytest.RunResult]

TAPS = "def test_it(device):\n    device.tap('Go')\n"
CHECKS = "from pytest_apex import expect\ndef test_it(device):\n    expect(device.screen).to_have_no_defects()\n"


def example(name: str) -> str:
    doc = inspect.getdoc(getattr(hookspecs, name)) or ""
    _, marker, code = doc.partition("Example, in a conftest or plugin::\n")
    assert marker, f"{name} has no example"
    return textwrap.dedent(code)


def test_every_hook_tells_when_what_and_how() -> None:
    for name, hook in vars(hookspecs).items():
        if name.startswith("pytest_apex_"):
            doc = inspect.getdoc(hook) or ""
            assert "Called " in doc, name
            assert "eturn" in doc, name
            for argument in inspect.signature(hook).parameters:
                assert f":param {argument}:" in doc, (name, argument)
            example(name)


def test_a_misspelt_hook_stops_the_run(small: Project) -> None:
    result = small({"conftest.py": "def pytest_apex_step_finish(item): pass\n", "test_it.py": TAPS})
    assert result.ret != 0
    assert "unknown hook 'pytest_apex_step_finish'" in result.stdout.str() + result.stderr.str()


def test_backends(small: Project) -> None:
    result = small({"conftest.py": example("pytest_apex_backends"), "test_it.py": TAPS}, "--device=desk:left")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    text = result.stderr.str()
    assert "the backend 'desk' can't be loaded" in text
    assert "pip install desk-robot" in text
    assert "backends: appium, desk, replay, uiautomator2, virtual" in small({}, "--apex-backend=other").stderr.str()


def test_a_backend_of_the_project_replaces_ours(small: Project) -> None:
    own = """
        from pytest_apex.backends.base import BackendSpec

        def pytest_apex_backends(config):
            return BackendSpec("virtual", "nowhere:connect", claims=("virtual",))
    """
    assert "No module named 'nowhere'" in small({"conftest.py": own, "test_it.py": TAPS}).stderr.str()


@pytest.mark.parametrize(("text", "outcome"), [("Hello (beta)", "failed"), ("Hello", "passed")])
def test_checks(small: Project, small_app: str, text: str, outcome: str) -> None:
    files = {"app.yaml": small_app.replace("Hello", text), "conftest.py": example("pytest_apex_checks"),
             "test_it.py": CHECKS}  # fmt: skip
    result = small(files)
    result.assert_outcomes(**{outcome: 1})
    assert ("[visual.beta]" in result.stdout.str()) is (outcome == "failed")


def test_checks_of_a_folder_hold_there_only(small: Project, small_app: str) -> None:
    files = {"app.yaml": small_app.replace("Hello", "Hello (beta)"), "a/conftest.py": example("pytest_apex_checks"),
             "a/test_a.py": CHECKS, "b/test_b.py": CHECKS}  # fmt: skip
    small(files, "a/test_a.py", "b/test_b.py").assert_outcomes(failed=1, passed=1)


def test_sinks(small: Project, pytester: pytest.Pytester) -> None:
    small({"conftest.py": example("pytest_apex_sinks"), "test_it.py": TAPS}).assert_outcomes(passed=1)
    (ticks,) = last_run(pytester.path).glob("ticker-*.txt")
    lines = ticks.read_text("utf-8").splitlines()
    assert any(line.startswith("test_it.py::test_it#1 step-") and "Go" in line for line in lines)


def test_sinks_under_xdist_are_told_where_the_test_runs(small: Project, pytester: pytest.Pytester) -> None:
    files = {"conftest.py": example("pytest_apex_sinks"), "test_it.py": TAPS}
    small(files, "-n1", plugins=("xdist",)).assert_outcomes(passed=1)
    assert len(list(last_run(pytester.path).glob("ticker-*.txt"))) == 1


def test_a_broken_sink_of_a_worker_is_told_by_the_controller(small: Project) -> None:
    broken = example("pytest_apex_sinks").replace("with self.path.open", "1 / 0\n        with self.path.open")
    result = small({"conftest.py": broken, "test_it.py": TAPS}, "-n1", plugins=("xdist",))
    result.assert_outcomes(passed=1)
    assert "trouble: the report Ticker broke and is left out: ZeroDivisionError" in result.stdout.str()


@pytest.mark.parametrize("method", ["open", "step", "attempt", "close"])
def test_a_broken_sink_is_told_and_fails_no_test(small: Project, method: str) -> None:
    broken = example("pytest_apex_sinks").replace(
        f"def {method}(self", f"def {method}(self, *more): 1/0\n    def un(self"
    )
    result = small({"conftest.py": broken, "test_it.py": TAPS + TAPS.replace("test_it", "test_two")}, "-W", "error")
    result.assert_outcomes(passed=2)
    assert result.stdout.str().count("the report Ticker broke and is left out: ZeroDivisionError") == 1


def test_step_started(small: Project) -> None:
    conftest = example("pytest_apex_step_started") + "\n\ndef pytest_unconfigure():\n    print('STARTED', *started)\n"
    result = small({"conftest.py": conftest, "test_it.py": TAPS})
    assert "STARTED ('test_it.py::test_it', 'step-001')" in result.stdout.str()


def test_step_finished(small: Project) -> None:
    conftest = example("pytest_apex_step_finished").replace("> 2000", ">= 0")
    result = small({"conftest.py": conftest, "test_it.py": TAPS})
    assert "test_it.py::test_it step-002 tap" in result.stdout.str()


@pytest.mark.parametrize("hides", [True, False])
def test_redact(small: Project, small_app: str, pytester: pytest.Pytester, hides: bool) -> None:
    avatar = "{role: image, id: avatar, icon: note, width: 72, height: 72}"
    app = small_app.replace("{role: text, id: hello, text: Hello}", avatar)
    conftest = example("pytest_apex_redact") if hides else ""
    small({"app.yaml": app, "conftest.py": conftest, "test_it.py": TAPS}, "--apex-keep=always").assert_outcomes(
        passed=1
    )
    first = next(item for item in results_of(pytester.path)[0]["evidence"] if item["kind"] == "after")
    assert first["redacted"] is hides


def test_a_redact_hook_that_raises_keeps_pictures_out(small: Project, pytester: pytest.Pytester) -> None:
    conftest = "def pytest_apex_redact(snapshot):\n    raise ValueError('no idea')\n"
    small({"conftest.py": conftest, "test_it.py": TAPS}, "--apex-keep=always")
    assert not list(last_run(pytester.path).rglob("*.png"))
    assert any("pytest_apex_redact" in line for line in results_of(pytester.path)[0]["also"])
