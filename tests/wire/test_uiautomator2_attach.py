"""A suite that drives its phone by uiautomator2 gets evidence and verdicts, with no call rewritten."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import uiautomator2

import pytest_apex
from pytest_apex.backends.abilities import NotesOutside
from pytest_apex.backends.uiautomator2 import helper
from pytest_apex.backends.uiautomator2.adb import AdbServer
from pytest_apex.backends.virtual import demo_app
from pytest_apex.phone_wires.serve import Served, serve_phone
from pytest_apex.testing import results_of, run_project

from .android import APP, own_adb

pytestmark = pytest.mark.bench

CONFTEST = """
    import pytest
    import uiautomator2


    @pytest.fixture(scope="session")
    def d():
        phone = uiautomator2.connect({serial!r})
        phone.settings["wait_timeout"] = 1.0
        yield phone
        phone.stop_uiautomator(wait=False)


    @pytest.fixture(scope="session")
    def apex_backend(d):
        return d


    @pytest.fixture(autouse=True)
    def evidence(apex_device):
        yield
"""
TESTS = """
    def test_fine(d):
        d(text="Forgot password?").click()
        assert d(text="OK").wait(timeout=5)
        d(text="OK").click()

    def test_missing(d):
        d(text="No such button").click()

    def test_wrong(d):
        assert d(text="Sign in").exists
        assert d(text="Sign in").get_text() == "Log in"
"""


@pytest.fixture
def served(_adb: AdbServer) -> Iterator[Served]:
    with serve_phone([demo_app()]) as phone:
        phone.handset.files.write(helper.TARGET, helper.jar().read_bytes())
        _adb.connect(phone.serial, 5.0)
        yield phone


@pytest.fixture
def _adb() -> Iterator[AdbServer]:
    with own_adb() as server:
        yield server


def test_a_device_that_runs_is_attached_to(served: Served) -> None:
    phone = uiautomator2.connect(served.serial)
    backend = pytest_apex.attach(phone)
    try:
        assert backend.raw is phone
        assert pytest_apex.attach(backend) is backend
        assert len(backend.capture()) > 0
        assert isinstance(backend, NotesOutside)
        phone.long_click(10, 1000, 0.06)
        assert not phone(text="nothing").exists
        assert list(backend.outside()) == ["click 10 1000 60", "exist"]
        assert list(backend.outside()) == []
    finally:
        backend.close()
        phone.stop_uiautomator(wait=False)
    assert "jsonrpc_call" not in vars(phone)


def test_its_tests_are_judged(pytester: pytest.Pytester, served: Served) -> None:
    files = {"conftest.py": CONFTEST.format(serial=served.serial), "test_it.py": TESTS}
    result = run_project(pytester, files, f"--apex-app={APP}", "-p", "no:randomly")
    result.assert_outcomes(passed=1, failed=2)
    told = {one["test"].partition("::")[2]: (one["kind"], one["reason"]) for one in results_of(pytester.path)}
    assert told["test_missing"] == ("functional.missing_element", "no control fits [text='No such button']")
    assert told["test_wrong"][0] == "functional.assertion"
    assert "outside:" in result.stdout.str()
