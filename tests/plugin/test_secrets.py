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
        "--junitxml=junit.xml", "--alluredir=allure", "--apex-html=report.html",
        "-o", "junit_logging=all", "-o", "junit_family=xunit1", *workers,
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


SHOWN_ELSEWHERE = f"""
import warnings

import pytest

KNOWN = {CONFIGURED!r}

@pytest.mark.parametrize("word", [KNOWN, "plain", "a" + KNOWN])
def test_parameters(word):
    assert word == "no"

@pytest.mark.parametrize("word", [1], ids=["id-" + KNOWN])
class TestOwnIds:
    def test_it(self, word):
        assert word == 1

@pytest.mark.xfail(reason="for " + KNOWN)
def test_expected():
    assert 0

def test_expected_inside():
    pytest.xfail("as " + KNOWN)

@pytest.mark.skip(reason="without " + KNOWN)
def test_skipped():
    pass

def test_skipped_inside():
    pytest.skip("since " + KNOWN)

def test_warns(record_property):
    warnings.warn("beware of {CONFIGURED}", UserWarning)
    record_property("number", KNOWN.encode())
"""
REDACTING = {
    "pytest.ini": f"[pytest]\napex_app = com.example.small\napex_device = virtual\napex_redact = {CONFIGURED}\n"
}


@pytest.mark.parametrize("workers", [(), ("-n2",)])
def test_found_nowhere_beside_the_reports(small: Project, pytester: pytest.Pytester, workers: tuple[str, ...]) -> None:
    result = small(
        {**REDACTING, "test_it.py": SHOWN_ELSEWHERE}, "-v", "-rA", "-Wdefault", "--junitxml=junit.xml",
        "-o", "junit_family=xunit1", "--alluredir=allure", plugins=("allure_pytest", *(("xdist",) if workers else ())),
    )  # fmt: skip
    result.assert_outcomes(failed=3, passed=2, skipped=2, xfailed=2, warnings=1)
    assert found_in(pytester.path) == []
    shown = result.stdout.str() + result.stderr.str()
    assert CONFIGURED not in shown
    for told in ("test_parameters[•••]", "test_parameters[plain]", "test_parameters[a•••]", "test_it[id-•••]"):
        assert told in shown
    for told in ("for •••", "as •••", "without •••", "since •••", "beware of •••"):
        assert told in shown


def test_a_renamed_test_is_found_again_by_its_name(small: Project, pytester: pytest.Pytester) -> None:
    twice = f"""
        import pytest

        @pytest.mark.parametrize("a", [{CONFIGURED!r}, {CONFIGURED.upper()!r}, "b"])
        def test_it(a):
            assert a == {CONFIGURED!r}
    """
    files = {**REDACTING, "test_it.py": twice}
    small(files, "-p", "cacheprovider").stdout.fnmatch_lines(["FAILED test_it.py::test_it[[]•••-2] *"])
    small(files, "test_it.py::test_it[•••]").assert_outcomes(passed=1)
    again = small(files, "-p", "cacheprovider", "--lf")
    again.assert_outcomes(failed=2)
    assert CONFIGURED not in "".join(path.read_text("utf-8") for path in pytester.path.rglob(".pytest_cache/**/*ed"))


SUBTESTS = f"""
def test_parts(device, subtests):
    device.find(id="pin").fill({PASSWORD!r})
    with subtests.test(msg="with " + {PASSWORD!r}):
        print({PASSWORD!r})
        assert {PASSWORD!r} == "no"
    device.find(id="typed").fill({TYPED_SECRET!r}, secret=True)
    with subtests.test(msg="then", word={TYPED_SECRET!r}):
        assert 0
"""


@pytest.mark.skipif(not hasattr(pytest, "Subtests"), reason="this pytest has no subtests")
def test_what_a_subtest_is_called(small: Project, pytester: pytest.Pytester) -> None:
    result = small(SUBTESTS, "-rA", "--junitxml=junit.xml", "-o", "junit_logging=all")
    shown = result.stdout.str()
    assert "with •••" in shown
    assert "(word='•••')" in shown
    assert not any(secret in shown for secret in (PASSWORD, TYPED_SECRET))
    assert found_in(pytester.path) == []


CUT = """
GIVEN = "PLANT-correct-horse-1111"
LINES = "PLANT first line\\nPLANT second line"

def test_shortened(device):
    device.find(id="pin").fill(GIVEN)
    long = "x" * 110 + GIVEN + "y" * 500
    assert [long, GIVEN * 20, list(GIVEN)] == ["x" * 300 + GIVEN]

def test_lines(device):
    device.find(id="typed").fill(LINES, secret=True)
    assert device.find(id="typed").text == LINES + "!"

def test_letters(device):
    device.find(id="pin").tap()
    for letter in "PLANT-typed-qvwz":
        device.type(letter)
    print("PLANT-typed-qvwz", "plant-TYPED-QVWZ")
    assert 0, "at 1, 2 and 3"
"""


def test_no_part_of_a_secret_is_left(small: Project, pytester: pytest.Pytester) -> None:
    result = small(
        CUT, "--showlocals", "-rA", "--apex-keep=always", "--junitxml=junit.xml", "--alluredir=allure",
        "-o", "junit_logging=all", plugins=("allure_pytest",),
    )  # fmt: skip
    result.assert_outcomes(failed=3)
    shown = result.stdout.str()
    written = [
        path.read_bytes()
        for path in pytester.path.rglob("*")
        if path.is_file() and path.suffix not in (".py", ".pyc", ".png")
    ]
    for part in ("PLANT", "plant-", "LANT-", "orse-1", "-1111", "first line", "second line", "qvwz", "QVWZ"):
        assert part not in shown
        assert not [data for data in written if part.encode() in data]
    assert "at 1, 2 and 3" in shown


COMMON = """
def test_of_test(device):
    device.find(id="pin").fill("PASSWORD")
    device.tap("Go")
    device.tap("Nowhere", purpose="PASSWORD this")
"""


@pytest.mark.parametrize("password", ["functional", "test", "step", "failed", "folder"])
def test_a_common_word_as_password_leaves_the_verdict_readable(
    small: Project, pytester: pytest.Pytester, password: str
) -> None:
    result = small(
        COMMON.replace("PASSWORD", password), "--apex-timeout=0.1", "--junitxml=junit.xml", "--alluredir=allure",
        plugins=("allure_pytest",),
    )  # fmt: skip
    result.assert_outcomes(failed=1)
    [line] = [json.loads(path.read_text("utf-8")) for path in pytester.path.rglob("results.jsonl")]
    kind = line["kind"]
    assert kind.startswith("functional.")
    assert (line["category"], line["verdict"], line["outcome"]) == ("functional", "fail", "failed")
    assert line["test"] == "test_it.py::test_of_test"
    assert {artifact["step"] for artifact in line["evidence"]} >= {"step-001"}
    assert (next(pytester.path.rglob("runs/*")) / line["folder"] / "steps.jsonl").is_file()
    junit = (pytester.path / "junit.xml").read_text("utf-8")
    assert '<property name="apex.category" value="functional" />' in junit
    assert f'message="[{kind}] ' in junit
    [shown] = [json.loads(path.read_text("utf-8")) for path in (pytester.path / "allure").glob("*-result.json")]
    assert (shown["name"], shown["fullName"]) == ("test_of_test", "test_it#test_of_test")
    assert shown["statusDetails"]["message"].startswith(f"[{kind}] ")
    assert {"name": "apex.category", "value": "functional"} in shown["labels"]


@pytest.mark.parametrize("pattern", ["/", "//", "/.*/", "/a*/", "/\\w+/"])
def test_a_pattern_that_would_mask_everything_ends_the_run(small: Project, pattern: str) -> None:
    result = small({"test_it.py": "def test_it(): pass"}, "-o", f"apex_redact={pattern}")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"*the pattern {pattern} in apex_redact would mask everything*"])


def test_a_password_of_the_command_line_is_not_written(small: Project, pytester: pytest.Pytester) -> None:
    """Options of the suite itself are none of ours: nobody told us that one is a secret."""
    words = "def pytest_addoption(parser):\n    parser.addoption('--shop-password')\n"
    test = "def test_a(device):\n    device.tap('Nowhere')\n"
    result = small(
        {"conftest.py": words, "test_it.py": test}, f"--shop-password={CONFIGURED}", "--apex-timeout=0.1",
        "--apex-keep=always", "--junitxml=junit.xml", "-p", "no:cacheprovider",
    )  # fmt: skip
    result.assert_outcomes(failed=1)
    assert found_in(pytester.path) == []
    assert CONFIGURED not in result.stdout.str() + result.stderr.str()


def test_the_key_of_a_farm_is_written_nowhere(small: Project, pytester: pytest.Pytester) -> None:
    """Neither in the head of the run nor in what it leaves behind, and with no `apex_redact`."""
    caps = json.dumps({"sauce:options": {"username": "ada", "accessKey": TYPED_SECRET}, "build": "seventeen"})
    test = "def test_a(device):\n    device.tap('Nowhere')\n"
    result = small(
        {"test_it.py": test}, f"--apex-appium-url=https://ada:{CONFIGURED}@farm.example", f"--apex-appium-caps={caps}",
        "--apex-timeout=0.1", "-p", "no:cacheprovider",
    )  # fmt: skip
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["apex: *appium_url=https://*@farm.example *"])
    result.stdout.fnmatch_lines(["apex: *seventeen*"])
    assert found_in(pytester.path) == []
    assert CONFIGURED not in result.stdout.str() + result.stderr.str()
    assert TYPED_SECRET not in result.stdout.str() + result.stderr.str()
