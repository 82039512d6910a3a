"""`--apex-baselines` and `--apex-update-baselines`, and the folder beside the test without them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from pytest_apex.testing import last_run, results_of
from pytest_apex.vision.image import read_png

Project = Callable[..., pytest.RunResult]

MATCHES = """
    from pytest_apex import expect

    def test_it(device):
        expect(device.screen).to_match_tree("main")
"""
ANOTHER = """
    from pytest_apex import expect

    def test_it(device):
        device.tap("Go")
        expect(device.screen).to_match_tree("main", timeout=0.5)
"""


def kind(pytester: pytest.Pytester) -> str:
    (only,) = results_of(pytester.path)
    return only["kind"]


def test_a_missing_one_is_unsure_and_leaves_a_candidate(small: Project, pytester: pytest.Pytester) -> None:
    result = small(MATCHES)
    result.assert_outcomes(failed=1)
    assert kind(pytester) == "unsure.no_baseline"
    assert not list(pytester.path.rglob("*.tree.txt"))
    kept = [path.read_text("utf-8") for path in last_run(pytester.path).joinpath("store").rglob("*.txt")]
    assert any("identifier: 'hello', text: 'Hello'" in text for text in kept)


@pytest.mark.parametrize("update", ["missing", "all"])
def test_beside_the_test(small: Project, pytester: pytest.Pytester, update: str) -> None:
    small(MATCHES, f"--apex-update-baselines={update}").assert_outcomes(passed=1)
    (file,) = pytester.path.rglob("*.tree.txt")
    assert file == pytester.path / "baselines" / "main.android.tree.txt"
    (only,) = results_of(pytester.path)
    assert any("was written" in note for note in only["notes"])
    small(MATCHES).assert_outcomes(passed=1)
    small(ANOTHER, "--apex-update-baselines=missing").assert_outcomes(failed=1)
    assert kind(pytester) == "functional.wrong_state"
    small(ANOTHER, "--apex-update-baselines=all").assert_outcomes(passed=1)
    small(ANOTHER).assert_outcomes(passed=1)


def test_one_name_for_two_screens_is_told(small: Project) -> None:
    """The last one would win without a word."""
    two = (
        MATCHES
        + """
    def test_another(device):
        device.tap("Go")
        expect(device.screen).to_match_tree("main")
    """
    )
    text = small(two, "--apex-update-baselines=all").stdout.str()
    tests = "by test_it.py::test_it, then test_it.py::test_another; the last one stands"
    name = str(Path("baselines") / "main.android.tree.txt")
    assert f"trouble: {name} was approved more than once in this run, each time another: {tests}" in text
    alike = (
        MATCHES
        + """
    def test_another(device):
        expect(device.screen).to_match_tree("main")
    """
    )
    assert "more than once" not in small(alike, "--apex-update-baselines=all").stdout.str()


def test_the_candidate_is_named_so_that_it_can_be_opened(small: Project, pytester: pytest.Pytester) -> None:
    text = small(MATCHES).stdout.str()
    (shown,) = {line.rpartition("look at: ")[2].strip() for line in text.splitlines() if "look at: " in line}
    assert "'hello'" in (pytester.path / shown).read_text("utf-8")
    assert shown.startswith(".apex")


def test_in_a_folder_of_ones_own(small: Project, pytester: pytest.Pytester) -> None:
    small(MATCHES, "--apex-baselines=approved", "--apex-update-baselines=missing").assert_outcomes(passed=1)
    assert [path.parent.name for path in pytester.path.rglob("*.tree.txt")] == ["approved"]
    small(MATCHES, "-o", "apex_baselines=approved").assert_outcomes(passed=1)
    small(MATCHES).assert_outcomes(failed=1)


def test_workers_write_one_whole_file(small: Project, pytester: pytest.Pytester) -> None:
    many = MATCHES.replace(
        "def test_it(device):", "@pytest.mark.parametrize('n', range(4))\n    def test_it(device, n):"
    )
    body = many.replace("from pytest_apex", "import pytest\n    from pytest_apex", 1)
    small(body, "--apex-update-baselines=all", "-n2", plugins=("xdist",)).assert_outcomes(passed=4)
    folder = pytester.path / "baselines"
    assert [path.name for path in folder.iterdir()] == ["main.android.tree.txt"]
    assert "identifier: 'hello'" in Path(folder / "main.android.tree.txt").read_text("utf-8")


@pytest.mark.parametrize("given", ["--apex-update-baselines=some", "--apex-baselines=app.yaml"])
def test_wrong_values_end_the_run_at_once(small: Project, given: str) -> None:
    result = small(MATCHES, given)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "expected" in result.stderr.str()


# Pictures

SHOWS = MATCHES.replace("to_match_tree", "to_match")
SHOWS_ANOTHER = ANOTHER.replace("to_match_tree", "to_match")


def test_a_missing_picture_is_unsure_and_leaves_a_candidate(small: Project, pytester: pytest.Pytester) -> None:
    small(SHOWS).assert_outcomes(failed=1)
    (only,) = results_of(pytester.path)
    assert only["kind"] == "unsure.no_baseline"
    assert not (pytester.path / "baselines").exists()
    (candidate,) = [item for item in only["evidence"] if item["kind"] == "candidate"]
    assert last_run(pytester.path).joinpath(candidate["path"]).read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("update", ["missing", "all"])
def test_pictures_are_approved_and_renewed(small: Project, pytester: pytest.Pytester, update: str) -> None:
    small(SHOWS, f"--apex-update-baselines={update}").assert_outcomes(passed=1)
    (file,) = pytester.path.rglob("main.*.png")
    assert file.parent == pytester.path / "baselines"
    assert file.name == "main.android-16.virtual-phone.360x640@1.light.font-1.en-us.portrait.png"
    small(SHOWS).assert_outcomes(passed=1)
    result = small(SHOWS_ANOTHER, "--apex-update-baselines=missing")
    result.assert_outcomes(failed=1)
    (only,) = results_of(pytester.path)
    assert (only["category"], only["kind"]) == ("visual", "visual.baseline")
    assert {"approved", "actual", "difference"} <= {item["kind"] for item in only["evidence"]}
    result.stdout.fnmatch_lines(["*: * pixels differ (*), at most 0 may", "*[[]visual.baseline]*"])
    small(SHOWS_ANOTHER, "--apex-update-baselines=all").assert_outcomes(passed=1)
    (only,) = results_of(pytester.path)
    assert any("was renewed" in note for note in only["notes"])
    assert {"approved", "actual", "difference"} <= {item["kind"] for item in only["evidence"]}
    small(SHOWS_ANOTHER).assert_outcomes(passed=1)


def test_the_three_pictures_are_in_allure(small: Project, pytester: pytest.Pytester) -> None:
    small(SHOWS, "--apex-update-baselines=missing").assert_outcomes(passed=1)
    small(SHOWS_ANOTHER, "--alluredir=allure", plugins=("allure_pytest",)).assert_outcomes(failed=1)
    (result,) = (json.loads(path.read_text("utf-8")) for path in pytester.path.glob("allure/*-result.json"))
    names = [item["name"] for item in result["attachments"]]
    for what in ("approved", "actual", "difference"):
        assert any(name.startswith("main.android-16.") and name.endswith(f".png: {what}") for name in names)
    assert result["statusDetails"]["message"].startswith("[visual.baseline] ")


def test_workers_write_one_whole_picture(small: Project, pytester: pytest.Pytester) -> None:
    many = SHOWS.replace("def test_it(device):", "@pytest.mark.parametrize('n', range(4))\n    def test_it(device, n):")
    body = many.replace("from pytest_apex", "import pytest\n    from pytest_apex", 1)
    older = pytester.path / "baselines" / "older.android-16.virtual-phone.360x640@1.light.font-1.en-us.portrait.png"
    older.parent.mkdir()
    older.write_bytes(b"x")
    result = small(body, "--apex-update-baselines=missing", "-n2", plugins=("xdist",))
    result.assert_outcomes(passed=4)
    (file,) = older.parent.glob("main.*")
    assert file.read_bytes().startswith(b"\x89PNG")
    assert len(list(older.parent.iterdir())) == 2
    result.stdout.fnmatch_lines(["approved, and asked for by no test:", f"  baselines/{older.name}"])


def test_what_no_test_asked_for_is_listed(small: Project, pytester: pytest.Pytester) -> None:
    small(SHOWS, "--apex-update-baselines=missing").assert_outcomes(passed=1)
    (file,) = pytester.path.rglob("main.*.png")
    for name in (
        file.name.replace("main.", "old.v2."),
        file.name.replace("16", "15"),
        "notes.png",
        "main.ios.tree.txt",
    ):
        file.with_name(name).write_bytes(b"x")
    (file.parent / "deep").mkdir()
    (file.parent / "deep" / file.name).write_bytes(b"x")
    told = small(SHOWS).stdout.str()
    listed = told.partition("approved, and asked for by no test:\n")[2].splitlines()[:2]
    assert [line.strip() for line in listed] == [
        f"baselines/deep/{file.name}", f"baselines/{file.name.replace('main.', 'old.v2.')}"
    ]  # fmt: skip
    for chosen in (("-k", "it"), ("test_it.py::test_it",)):
        run = small(SHOWS, *chosen)
        assert "asked for by no test" not in run.stdout.str()
    for spare in (f"deep/{file.name}", file.name.replace("main.", "old.v2.")):
        (file.parent / spare).unlink()
    assert "asked for by no test" not in small(SHOWS).stdout.str()


def test_what_a_project_hides_is_in_no_picture(small: Project, pytester: pytest.Pytester) -> None:
    hides = """
        from pytest_apex.model.geometry import Rect

        def pytest_apex_redact(snapshot):
            return [Rect(100, 300, 200, 400)]
    """
    small({"test_it.py": SHOWS, "conftest.py": hides}, "--apex-update-baselines=missing").assert_outcomes(passed=1)
    (file,) = pytester.path.rglob("main.*.png")
    hidden = read_png(file).pixels().crop((100, 300, 200, 400))
    assert hidden.getcolors() == [(10_000, (0, 0, 0))]
    small({"test_it.py": SHOWS, "conftest.py": hides}).assert_outcomes(passed=1)
