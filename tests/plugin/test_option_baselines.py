"""`--apex-baselines` and `--apex-update-baselines`, and the folder beside the test without them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pytest_apex.testing import last_run, results_of

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
