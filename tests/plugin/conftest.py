"""A project under test: pytester with pytest-apex as its only plugin, a small app, and a clean environment."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Callable

import pytest

from pytest_apex.testing import run_project

#: A small app of the built-in phone; the nearest `app.yaml` above a test is the one it runs on.
SMALL_APP = """
    app: com.example.small
    name: Small
    version: 1.0.0
    size: {width: 360, height: 640, density: 1.0}
    start: main
    data: {pin: "", typed: ""}
    screens:
      main:
        title: Small
        controls:
          - {role: text, id: hello, text: Hello}
          - {role: text_field, id: typed, hint: Text, bind: typed}
          - {role: text_field, id: pin, hint: PIN, bind: pin, password: true}
          - {role: button, id: go, text: Go, on_tap: {goto: second}}
          - {role: button, id: stay, text: Stay, on_tap: {goto: third}}
      second:
        title: Second
        controls:
          - {role: text, id: done, text: Done}
      third:
        title: Third
        controls:
          - {role: text, id: still, text: Still here}
    faults:
      dead_button: {control: go}
      crash_on_tap: {control: go}
      device_lost: {screen: second}
      lost_touch: {control: go}
      permission_dialog: {screen: second, permission: notifications}
"""
SMALL = {"app.yaml": SMALL_APP, "pytest.ini": "[pytest]\napex_app = com.example.small\napex_device = virtual\n"}


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith(("APEX_", "APPIUM_", "PYTEST_ADDOPTS", "ANDROID_SERIAL", "PYTEST_XDIST")):
            monkeypatch.delenv(name)
    # Nobody listens there, and no server is started for an address that is another machine's.
    monkeypatch.setenv("ANDROID_ADB_SERVER_HOST", "127.0.0.2")
    monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", "5037")


@pytest.fixture
def small_app() -> str:
    return SMALL_APP


@pytest.fixture
def project(pytester: pytest.Pytester) -> Callable[..., pytest.RunResult]:
    """`project({"test_a.py": "…"}, "--apex-seed=7")` runs it and returns the result."""

    def run(files: dict[str, str], *args: str, plugins: tuple[str, ...] = ()) -> pytest.RunResult:
        return run_project(pytester, files, *args, plugins=plugins)

    return run


@pytest.fixture
def small(project: Callable[..., pytest.RunResult]) -> Callable[..., pytest.RunResult]:
    """The same with the small app, launched on the built-in phone for every test that uses `device`."""

    def run(files: dict[str, str] | str, *args: str, plugins: tuple[str, ...] = ()) -> pytest.RunResult:
        tests = {"test_it.py": files} if isinstance(files, str) else files
        return project({**SMALL, **tests}, *args, plugins=plugins)

    return run


@pytest.fixture
def small_apart(pytester: pytest.Pytester) -> Callable[..., pytest.RunResult]:
    """The same in a process of its own, for tests that interrupt it or break what all share."""

    def run(files: dict[str, str] | str, *args: str, plugins: tuple[str, ...] = ()) -> pytest.RunResult:
        tests = {"test_it.py": files} if isinstance(files, str) else files
        for name, text in {**SMALL, **tests}.items():
            (pytester.path / name).write_text(textwrap.dedent(text), "utf-8")
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
            named = [part for plugin in ("apex", *plugins) for part in ("-p", plugin)]
            return pytester.runpytest_subprocess(*named, "-p", "no:cacheprovider", *args)

    return run
