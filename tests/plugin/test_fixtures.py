"""The chain of fixtures: what each gives, what a suite may override, which app the built-in phone runs."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from pytest_apex.plugin import fixtures
from pytest_apex.testing import last_run, results_of

Project = Callable[..., pytest.RunResult]


def test_device_and_apex_device_are_one(small: Project) -> None:
    small("def test_it(device, apex_device):\n    assert device is apex_device\n").assert_outcomes(passed=1)


def test_each_test_begins_with_the_app_s_first_screen(small: Project) -> None:
    small(
        "def test_one(device):\n    device.tap('Go')\n    device.find('Done').text\n"
        "def test_two(device):\n    assert device.find('Hello').is_visible\n"
    ).assert_outcomes(passed=2)


def test_hierarchy_and_screenshot_attach_what_they_return(small: Project, pytester: pytest.Pytester) -> None:
    small(
        """
        def test_it(device, hierarchy, screenshot):
            snapshot = hierarchy("after start")
            assert any(node.text == "Hello" for node in snapshot.nodes)
            assert screenshot("home").size == snapshot.picture.size
            hierarchy()
        """
    ).assert_outcomes(passed=1)
    captions = {item["caption"] for item in results_of(pytester.path)[0]["evidence"]}
    assert captions >= {"after start", "tree after start", "home", "hierarchy"}


def test_no_app_named_takes_what_is_in_front(small: Project) -> None:
    small(
        {
            "pytest.ini": "[pytest]\napex_device = virtual\n",
            "test_it.py": "def test_it(device):\n    assert device.app.id != 'com.example.small'\n",
        }
    ).assert_outcomes(passed=1)


def test_the_marker_names_the_app(small: Project) -> None:
    small(
        "import pytest\n@pytest.mark.app('com.example.other')\ndef test_it(device):\n    pass\n", "-rE"
    ).stdout.fnmatch_lines(["*the app 'com.example.other' is not installed on the built-in phone"])


@pytest.mark.parametrize(("reset", "kept"), [("off", True), ("data", False)])
def test_reset_forgets_what_the_app_stored(project: Project, small_app: str, reset: str, kept: bool) -> None:
    app = small_app.replace("start: main", "start: main\n    stored: [typed]")
    files = {
        "app.yaml": app,
        "pytest.ini": "[pytest]\napex_app = com.example.small\napex_device = virtual\n",
        "test_it.py": "def test_one(device):\n    device.find(id='typed').fill('kept')\n"
        f"def test_two(device):\n    assert (device.find(id='typed').text == 'kept') is {kept}\n",
    }
    project(files, f"--apex-reset={reset}").assert_outcomes(passed=2)


def test_reset_without_an_app_is_a_mistake(small: Project) -> None:
    files = {"pytest.ini": "[pytest]\napex_device = virtual\n", "test_it.py": "def test_it(device):\n    pass\n"}
    small(files, "--apex-reset=data").stdout.fnmatch_lines(["there is no app whose data could be reset"])


APP = """
    app: com.example.{0}
    name: App {0}
    version: 1.0.0
    start: main
    screens:
      main:
        title: Main
        controls: [{{role: text, text: I am {0}}}, {{role: button, id: go, text: Go, on_tap: {{goto: main}}}}]
"""
SAYS = """
    def test_says(device):
        device.activate("com.example.{0}")
        assert device.find("I am {0}").is_visible
"""


def test_each_folder_has_its_own_app(project: Project, pytester: pytest.Pytester) -> None:
    files = {
        "one/app.yaml": APP.format("one"), "one/tests/test_one.py": SAYS.format("one"),
        "two/app.yaml": APP.format("two"), "two/test_two.py": SAYS.format("two"),
        "three.yaml": APP.format("three"), "three/test_three.py": SAYS.format("three"),
        "test_demo.py": SAYS.replace("I am {0}", "Sign in").format("notes"),
    }  # fmt: skip
    project(files, "--device=virtual", "one", "two", "test_demo.py").assert_outcomes(passed=3)
    project({}, "--device=virtual:three.yaml", "three").assert_outcomes(passed=1)
    project({}, "--device=virtual", "-o", "apex_virtual_app=three.yaml", "three").assert_outcomes(passed=1)
    with pytest.MonkeyPatch.context() as patch:  # a path in the ini file counts from there
        patch.chdir(pytester.path / "three")
        ini = {"pytest.ini": "[pytest]\napex_device = virtual:three.yaml?seed=1\n"}
        project(ini, "test_three.py").assert_outcomes(passed=1)


def test_a_suite_s_own_backend(small: Project, pytester: pytest.Pytester) -> None:
    own = """
        import pytest

        @pytest.fixture(scope="session")
        def apex_backend(apex_settings):
            from pytest_apex.backends.virtual import connect
            return connect("virtual:app.yaml?platform=ios", apex_settings)
    """
    test = "def test_it(device):\n    assert device.info.platform == 'ios'\n"
    small({"conftest.py": own, "pytest.ini": "[pytest]\n", "test_it.py": test}).assert_outcomes(passed=1)
    assert results_of(pytester.path)[0]["verdict"] == "pass"


def test_a_test_that_asks_while_it_runs(small: Project, pytester: pytest.Pytester) -> None:
    small(
        "def test_it(request):\n    device = request.getfixturevalue('device')\n"
        "    assert device.find('Hello').text == 'Bye'\n"
    ).assert_outcomes(failed=1)
    assert results_of(pytester.path)[0]["kind"] == "functional.assertion"


def test_a_device_that_does_not_fit_skips_at_once(small: Project, pytester: pytest.Pytester) -> None:
    tests = """
        import pytest

        @pytest.mark.platforms("tvos", "watchos")
        def test_platform(device): pass

        @pytest.mark.gestures("tap", "crown")
        def test_gesture(device): pass

        @pytest.mark.requires(os=">=99")
        def test_os(device): pass

        @pytest.mark.requires(min_width_dp=600)
        def test_width(device): pass

        @pytest.mark.requires(tag="lab-a")
        def test_tag(device): pass

        @pytest.mark.platforms("android")
        @pytest.mark.gestures("tap")
        @pytest.mark.requires(os=">=10", min_width_dp=300)
        def test_fits(device): pass
    """
    result = small(tests, "-rs")
    result.assert_outcomes(passed=1, skipped=5)
    text = result.stdout.str()
    for reason in (
        "needs tvos or watchos; virtual is android", "needs the gesture crown, which virtual (android) has not",
        "needs android >=99; virtual has 16", "needs a screen 600 dp wide; virtual has 360",
        "needs a device with the tag 'lab-a'; virtual has none",
    ):  # fmt: skip
        assert reason in text
    run = last_run(pytester.path)
    launched = [path for path in Path(run).rglob("steps.jsonl") if '"launch"' in path.read_text("utf-8")]
    assert len(launched) == 1


def test_a_lost_device_fails_the_rest_with_the_first_cause(small: Project, pytester: pytest.Pytester) -> None:
    tests = "def test_one(device):\n    device.tap('Go')\n    device.find('Done').text\n" + "".join(
        f"def test_{name}(device):\n    pass\n" for name in ("two", "three")
    )
    result = small(tests, "--device=virtual?fault=device_lost")
    result.assert_outcomes(failed=1, errors=2)
    records = results_of(pytester.path)
    assert {record["kind"] for record in records} == {"transient.harness.device_lost"}
    assert result.stdout.str().count("was lost before this test") >= 2
    assert "in test_it.py::test_one: " in result.stdout.str()


def test_the_page_names_each_fixture_with_its_scope() -> None:
    page = (Path(__file__).parents[2] / "docs" / "options.md").read_text("utf-8")
    told = {name: row.split("|")[2].strip() for row in page.splitlines() if row.startswith("| `")
            for name in re.findall(r"`(\w+)`", row.split("|")[1]) if not name.isupper()}  # fmt: skip
    source = inspect.getsource(fixtures)
    scopes = re.findall(r"@pytest\.fixture(\(scope=\"(\w+)\"\))?\s+def (\w+)", source)
    assert {name: scope or "function" for _given, scope, name in scopes} == told
