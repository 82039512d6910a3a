"""The package of the app: `--apex-app-path`, `apex_build`, `--apex-reset=reinstall`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pytest_apex.testing import results_of

Project = Callable[..., pytest.RunResult]

APP = """
    app: com.example.pack
    name: Pack
    version: 2.0.0
    start: main
    stored: [kept]
    data: {kept: ""}
    screens:
      main:
        title: Pack
        controls:
          - {role: text, id: version, text: "Version {version}"}
          - {role: text, id: kept, text: "Kept {kept}"}
          - {role: button, text: Keep, on_tap: {set: {kept: it}}}
"""
TWICE = """
    import pytest
    from pytest_apex import expect

    @pytest.mark.parametrize("n", [1, 2])
    def test_it(device, n):
        expect(device.find(id="version")).to_have_text("Version 2.0.0")
        print("kept:", device.find(id="kept").text)
        device.tap("Keep")
"""


@pytest.fixture
def pack(small: Project) -> Project:
    """The small app's phone, and beside it the package of another app that the tests are about."""

    def run(*args: str, tests: str = TWICE, **files: str) -> pytest.RunResult:
        return small({"pack/pack.yaml": APP, "test_it.py": tests, **files}, "-rP", *args)

    return run


def kept(result: pytest.RunResult) -> list[str]:
    return [line.strip() for line in result.outlines if line.startswith("kept:")]


def test_it_is_installed_first_and_under_test(pack: Project, pytester: pytest.Pytester) -> None:
    result = pack("--apex-app-path=pack/pack.yaml", "--apex-app=com.example.pack")
    result.assert_outcomes(passed=2)
    assert kept(result) == ["kept: Kept", "kept: Kept it"]
    result.stdout.fnmatch_lines(["apex: *app_path=*pack.yaml (command line)*"])


def test_without_a_name_the_packages_app_is_under_test(project: Project, pytester: pytest.Pytester) -> None:
    files = {"pack.yaml": APP, "test_it.py": TWICE, "pytest.ini": "[pytest]\napex_app_path = pack.yaml\n"}
    project(files, "--device=virtual").assert_outcomes(passed=2)
    assert {line["facts"]["app"] for line in results_of(pytester.path)} == {"com.example.pack"}


@pytest.mark.parametrize(
    ("reset", "second"), [("off", "kept: Kept it"), ("data", "kept: Kept"), ("reinstall", "kept: Kept")]
)
def test_what_is_left_for_the_second_test(pack: Project, reset: str, second: str) -> None:
    result = pack("--apex-app-path=pack/pack.yaml", "--apex-app=com.example.pack", f"--apex-reset={reset}")
    assert kept(result) == ["kept: Kept", second]


COUNTS = """
    from pytest_apex.backends.virtual import VirtualBackend

    INSTALLED = []
    before = VirtualBackend.install


    def install(self, package, **more):
        INSTALLED.append(more.get("keep_data", True))
        return before(self, package, **more)


    def pytest_configure():
        VirtualBackend.install = install


    def pytest_unconfigure():
        VirtualBackend.install = before


    def pytest_terminal_summary(terminalreporter):
        terminalreporter.write_line(f"installed: {INSTALLED}")
"""


@pytest.mark.parametrize(
    ("path", "app", "installs"),
    [("pack/pack.yaml", "com.example.pack", "[True]"), ("app.yaml", "com.example.small", "[]")],
)
def test_what_is_installed_already_is_not_installed_again(pack: Project, path: str, app: str, installs: str) -> None:
    tests = "def test_it(device):\n    pass\n\n\ndef test_again(device):\n    pass\n"
    result = pack(f"--apex-app-path={path}", f"--apex-app={app}", tests=tests, **{"conftest.py": COUNTS})
    result.assert_outcomes(passed=2)
    assert f"installed: {installs}" in result.outlines


def test_a_marker_resets_one_test(pack: Project) -> None:
    tests = TWICE.replace(
        '    @pytest.mark.parametrize("n", [1, 2])',
        '    @pytest.mark.parametrize("n", [1, 2, pytest.param(3, marks=pytest.mark.app("com.example.pack", '
        'reset="reinstall"))])',
    )
    result = pack("--apex-app-path=pack/pack.yaml", "--apex-app=com.example.pack", tests=tests)
    assert kept(result) == ["kept: Kept", "kept: Kept it", "kept: Kept"]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--apex-app-path=gone.apk",), "there is no file */gone.apk (app_path, command line)"),
        (("--apex-reset=reinstall",), "reset is reinstall (command line), and no package is named: --apex-app-path*"),
        (("--apex-app-path=pytest.ini",), "*app file pytest.ini has a mistake*"),
        (("--apex-app-path=",), "*expected a path*"),
    ],
)
def test_what_can_not_be_is_a_usage_error(pack: Project, options: tuple[str, ...], says: str) -> None:
    result = pack(*options)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"*{says}"])


def test_another_apps_package_can_not_reset_the_one_under_test(pack: Project, pytester: pytest.Pytester) -> None:
    result = pack("--apex-app-path=pack/pack.yaml", "--apex-reset=reinstall", tests="def test_it(device):\n    pass\n")
    result.assert_outcomes(errors=1)
    (line,) = results_of(pytester.path)
    assert line["kind"] == "test.config"


# The build


def ini(build: str) -> dict[str, Any]:
    return {"pytest.ini": f"[pytest]\napex_device = virtual\napex_app_path = out/pack.yaml\napex_build = {build}\n"}


BUILD = """
    import pathlib
    source, target = pathlib.Path("pack/pack.yaml"), pathlib.Path("out/pack.yaml")
    target.parent.mkdir(exist_ok=True)
    target.write_text(source.read_text())
    with open("builds.txt", "a") as file:
        file.write("built ")
"""


def test_it_is_built_once_in_the_ini_files_folder(
    pack: Project, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = pack(**{"build.py": BUILD}, **ini(f"{sys.executable} build.py"))
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines([f"apex: building: {sys.executable} build.py"])
    assert (pytester.path / "builds.txt").read_text() == "built "


def test_nothing_is_built_where_no_test_needs_it(pack: Project, pytester: pytest.Pytester) -> None:
    files = {"build.py": BUILD, **ini(f"{sys.executable} build.py")}
    pack(tests="def test_it():\n    pass\n", **files).assert_outcomes(passed=1)
    pack("--collect-only", **files)
    assert not (pytester.path / "builds.txt").exists()


@pytest.mark.parametrize(
    ("build", "says"),
    [
        ("echo first && echo the last line && exit 3", ["*exit code 3: echo first*", "  the last line"]),
        ("exit 1", ["*exit code 1*", "*it printed nothing*"]),
        ("true", ["*apex_build made no file */out/pack.yaml", "*it ran: true"]),
    ],
)
def test_a_build_that_fails_ends_the_run(pack: Project, build: str, says: list[str]) -> None:
    result = pack(**ini(build))
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(says)


def test_under_xdist_the_controller_alone_builds(pytester: pytest.Pytester, small_apart: Project) -> None:
    pytest.importorskip("xdist")
    import textwrap

    (pytester.path / "pack").mkdir()
    (pytester.path / "pack" / "pack.yaml").write_text(textwrap.dedent(APP), "utf-8")
    files = {"test_it.py": TWICE, "build.py": BUILD, **ini(f"{sys.executable} build.py")}
    result = small_apart(files, "-n2", plugins=("xdist",))
    result.assert_outcomes(passed=2)
    assert (Path(pytester.path) / "builds.txt").read_text() == "built "
