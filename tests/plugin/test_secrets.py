"""A planted password: looked for in every byte that a run leaves behind or prints, and found nowhere."""

from __future__ import annotations

import base64
import json
import urllib.parse
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

Project = Callable[..., pytest.RunResult]

PASSWORD = "hunter2-p&ss<wörd>"
TYPED_SECRET = "tok-81723-aa"
CONFIGURED = "conf-secret-55"

TESTS = f"""
import logging
import warnings

import pytest

def test_login(device, request, record_property):
    password = {PASSWORD!r}
    device.find(id="pin").fill(password)
    print("printed", password)
    logging.getLogger("app").warning("logged %s", password)
    record_property("mine", password)
    device.find(id="typed").fill({TYPED_SECRET!r}, secret=True, purpose="the token " + {TYPED_SECRET!r})
    assert device.find(id="typed").text == "no " + password

def test_again(device, hierarchy, screenshot):
    device.find(id="typed").fill("shows {CONFIGURED} openly")
    hierarchy("with {CONFIGURED}")
    screenshot("{CONFIGURED}")
    device.tap({PASSWORD!r})

def test_passes(device):
    print({CONFIGURED!r}, {TYPED_SECRET!r})

def test_in_a_set_up(broken, device):
    pass

@pytest.fixture
def broken(device):
    token = {TYPED_SECRET!r}
    device.find(id="typed").fill(token, secret=True)
    raise RuntimeError(f"no server takes {{token}}")

def test_unit():
    value = {CONFIGURED!r}
    print(value)
    assert value == "no"
"""


def forms(secret: str) -> Iterator[bytes]:
    yield secret.encode()
    yield json.dumps(secret)[1:-1].encode()
    yield repr(secret)[1:-1].encode()
    yield urllib.parse.quote(secret).encode()
    yield secret.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").encode()
    yield base64.b64encode(secret.encode()).rstrip(b"=")


def found_in(folder: Path) -> list[str]:
    """Files that hold a secret in any form. The test's own source holds them on purpose."""
    return [
        f"{path.relative_to(folder)}: {form!r}"
        for path in folder.rglob("*")
        if path.is_file() and path.suffix not in (".py", ".ini", ".pyc")
        for secret in (PASSWORD, TYPED_SECRET, CONFIGURED)
        for form in forms(secret)
        if form in path.read_bytes()
    ]


@pytest.mark.parametrize(
    ("style", "workers"), [("long", ()), ("short", ()), ("native", ()), ("line", ()), ("long", ("-n1",))]
)
def test_found_nowhere(small: Project, pytester: pytest.Pytester, workers: tuple[str, ...], style: str) -> None:
    ini = f"[pytest]\napex_app = com.example.small\napex_device = virtual\napex_redact = {CONFIGURED}\n"
    result = small(
        {"pytest.ini": ini, "test_it.py": TESTS},
        "--showlocals", f"--tb={style}", "--apex-keep=always", "--apex-timeout=1", "-rA", "-p", "no:cacheprovider",
        "--junitxml=junit.xml", "--alluredir=allure", "-o", "junit_logging=all", "-o", "junit_family=xunit1", *workers,
        plugins=("allure_pytest", *(("xdist",) if workers else ())),
    )  # fmt: skip
    result.assert_outcomes(failed=3, passed=1, errors=1)
    assert found_in(pytester.path) == []
    shown = result.stdout.str() + result.stderr.str()
    assert [secret for secret in (PASSWORD, TYPED_SECRET, CONFIGURED) if secret in shown] == []
    assert "•••" in shown
    assert list((pytester.path / "allure").glob("*-result.json"))
    assert list(pytester.path.rglob("store/*.png"))


def test_the_search_itself_finds(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps({"x": PASSWORD}), "utf-8")
    (tmp_path / "b.bin").write_bytes(b"\0" + base64.b64encode(TYPED_SECRET.encode()))
    assert len({line.partition(":")[0] for line in found_in(tmp_path)}) == 2
