"""`--device` and the fixture `device` are ours only if nobody else has them; the head and a warning say so."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Project = Callable[..., pytest.RunResult]

OTHER_OPTION = """
    def pytest_addoption(parser):
        parser.addoption("--device", default="desktop", help="of somebody else")
"""
OTHER_BOTH = (
    OTHER_OPTION
    + """
    import pytest

    @pytest.fixture(scope="session")
    def device(pytestconfig):
        return pytestconfig.getoption("--device")
"""
)
THEIRS = "def test_theirs(device): assert device == {!r}\n"


def test_ours_when_nobody_has_it(project: Project) -> None:
    listed = project({"test_a.py": "def test_a(device): pass"}, "--fixtures").stdout.str()
    assert "\ndevice -- " in listed
    assert "\napex_device -- " in listed
    result = project({}, "--help")
    result.stdout.fnmatch_lines(["*--device=SPEC*same as --apex-device*"])


@pytest.mark.parametrize("first", [True, False])
def test_another_plugin_keeps_both(project: Project, pytester: pytest.Pytester, first: bool) -> None:
    pytester.syspathinsert()
    result = project(
        {"other_plugin.py": OTHER_BOTH, "test_a.py": THEIRS.format("phone")}, "--device=phone", "-p", "other_plugin"
    )
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(
        ["apex: --device and the fixture device belong to another plugin; use --apex-device and apex_device"]
    )


def test_a_conftest_may_add_the_option(project: Project) -> None:
    asks = "def test_a(pytestconfig): assert pytestconfig.getoption('--device') == 'desktop'\n"
    files = {"conftest.py": OTHER_OPTION, "test_a.py": asks}
    result = project(files)
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["apex: --device belongs to another plugin; use --apex-device and apex_device"])


def test_a_conftest_with_its_own_choices_still_owns_it(project: Project) -> None:
    files = {"conftest.py": OTHER_OPTION.replace('default="desktop"', 'choices=["a", "b"], default="a"'),
             "test_a.py": "def test_a(): pass\n"}  # fmt: skip
    project(files, "--device=b").assert_outcomes(passed=1)


def test_a_conftest_s_fixture_wins_and_ours_stays_for_other_folders(project: Project) -> None:
    own = "import pytest\n\n@pytest.fixture\ndef device(): return 'mine'\n"
    files = {"a/conftest.py": own, "a/test_a.py": THEIRS.format("mine"), "b/test_b.py": "def test_b(device): pass\n"}
    project(files, "a").assert_outcomes(passed=1)
    assert "1 selected test uses a device" in project(files).stderr.str()


def test_a_root_conftest_may_build_on_ours(project: Project) -> None:
    own = "import pytest\n\n@pytest.fixture\ndef device(device): return device\n"
    result = project({"conftest.py": own, "test_a.py": "def test_a(device): pass\n"})
    assert "1 selected test uses a device" in result.stderr.str()


@pytest.mark.parametrize(("value", "warned"), [("virtual?fault=anr", True), ("virtual", True), ("phone", False)])
def test_a_value_of_ours_that_went_astray(project: Project, value: str, warned: bool) -> None:
    files = {"conftest.py": OTHER_OPTION, "test_a.py": "def test_a(): pass\n"}
    result = project(files, f"--device={value}")
    text = f"--device={value} went to another plugin, which owns --device here; use --apex-device={value}"
    assert (text in result.stdout.str()) is warned
    result.assert_outcomes(passed=1, warnings=int(warned))


def test_a_stray_value_where_warnings_are_errors(project: Project) -> None:
    files = {"conftest.py": OTHER_OPTION, "test_a.py": "def test_a(): pass\n"}
    result = project(files, "--device=virtual", "-W", "error::pytest.PytestWarning")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "apex: --device=virtual went to another plugin" in result.stderr.str()


def test_switched_off(project: Project, pytester: pytest.Pytester) -> None:
    result = project({"test_a.py": "def test_a(): pass\n"}, "-p", "no:pytest_apex.plugin.header")
    result.assert_outcomes(passed=1)
    assert not any(line.startswith("apex:") for line in result.outlines)
