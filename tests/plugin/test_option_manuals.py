"""The manuals of a run: where they are found, and what is told of their mistakes before the first test."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

Project = Callable[..., pytest.RunResult]

SMALL = "match: {bundleId: com.example.small}\n"
WRONG = f"{SMALL}contrls: {{go: {{id: go}}}}\nirreversible: [tap:go]\n"
DEVICE_TEST = "def test_it(device):\n    device.tap('Go')\n"
#: Which manual the device has for its app, and by what.
ASKS = """
    from pytest_apex.model.manual import Identity

    def test_it(device, request):
        from pytest_apex.plugin.manuals import manuals_of

        print("FOUND", manuals_of(request.config).find(Identity("com.example.small")))
"""


def write(folder: Path, **files: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / f"{name}.yaml").write_text(text, "utf-8")


def found(result: pytest.RunResult) -> str:
    (line,) = [line for line in result.stdout.str().splitlines() if "FOUND" in line]
    return line.partition("FOUND ")[2]


def test_the_projects_own_folder_is_read_without_a_word(small: Project, pytester: pytest.Pytester) -> None:
    write(pytester.path / "manuals", small=SMALL)
    result = small(ASKS, "-s")
    result.assert_outcomes(passed=1)
    assert found(result) == "manual small (manuals/small.yaml), by bundle id 'com.example.small'"
    assert "apex: manuals" not in result.stdout.str()


def test_a_text_beside_the_manuals_is_skipped_in_one_line(small: Project) -> None:
    files = {"manuals/how-to.md": "# How we write manuals\n", "manuals/notes.md": "As before.\n"}
    result = small({**files, "test_it.py": DEVICE_TEST})
    result.assert_outcomes(passed=1)
    told = [line for line in result.outlines if "how-to.md" in line]
    at = "manuals/how-to.md, manuals/notes.md"
    assert told == [f"apex: skipped, as no line --- with fields is at the head: {at}"]


def test_folders_that_are_named_come_after_it(small: Project, pytester: pytest.Pytester) -> None:
    write(pytester.path / "manuals", other="match: {bundleId: com.example.other}\n")
    write(pytester.path / "far", small=SMALL)
    write(pytester.path / "near", small=SMALL, other=SMALL)
    result = small(ASKS, "-s", "--apex-manuals=near", "--apex-manuals", "far")
    assert found(result) == "manual small (near/small.yaml), by bundle id 'com.example.small'"
    result.stdout.fnmatch_lines([
        "apex: near/other.yaml is not used: manuals/other.yaml has the same name, and comes first",
        "apex: far/small.yaml is not used: near/small.yaml has the same name, and comes first",
    ])  # fmt: skip


def test_in_the_ini_file_they_are_a_list(small: Project, pytester: pytest.Pytester) -> None:
    write(pytester.path / "near", small=SMALL)
    result = small(ASKS, "-s", "-o", "apex_manuals=near")
    assert found(result).startswith("manual small (near/small.yaml)")


def test_a_folder_that_is_not_there_is_one_usage_error(small: Project) -> None:
    result = small(DEVICE_TEST, "--apex-manuals=nowhere")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*--apex-manuals=nowhere (command line): there is no folder */nowhere"])


def test_all_mistakes_are_told_before_the_first_test(small: Project, pytester: pytest.Pytester) -> None:
    write(pytester.path / "manuals", small=WRONG, b="match: {}\n", clock="match: {displayName: Clock}\n")
    result = small(DEVICE_TEST)
    result.assert_outcomes(passed=1)
    lines = result.stdout.str().splitlines()
    start = lines.index("apex: manuals/b.yaml is left out of this run: it has a mistake:")
    assert lines[start : start + 6] == [
        "apex: manuals/b.yaml is left out of this run: it has a mistake:",
        "    manuals/b.yaml:1:8  match: names no app: give bundleId, processName or displayName",
        "apex: manuals/small.yaml is left out of this run: it has 2 mistakes:",
        '    manuals/small.yaml:2:1  unknown key "contrls"; did you mean "controls"?',
        '    manuals/small.yaml:3:16  irreversible[0]: unknown class of action "tap"; '
        "known: control, intent, key, region",
        "apex: manuals/clock.yaml:1:1  match: has a display name only, which another app may have too; "
        "give bundleId or processName (a warning)",
    ]
    assert start < next(at for at, line in enumerate(lines) if line.startswith("test_it.py"))
    assert (
        "trouble: manuals left out for their mistakes, which pytest-apex check tells: manuals/b.yaml, "
        "manuals/small.yaml"
    ) in lines


def test_the_controller_of_xdist_tells_them_once(small_apart: Project, pytester: pytest.Pytester) -> None:
    write(pytester.path / "manuals", small=WRONG)
    test = "import pytest\n\n@pytest.mark.parametrize('n', range(4))\ndef test_it(device, n):\n    device.tap('Go')\n"
    result = small_apart(test, "-n2", plugins=("xdist",))
    text = result.stdout.str()
    result.assert_outcomes(passed=4)
    assert text.count("manuals/small.yaml is left out of this run: it has 2 mistakes:") == 1
    assert text.count('unknown key "contrls"') == 1


def test_a_package_declares_its_manuals_by_the_hook(
    small: Project, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(pytester.path / "site" / "acme_hooked" / "manuals", small=SMALL)
    (pytester.path / "site" / "acme_hooked" / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(str(pytester.path / "site"))
    hook = "def pytest_apex_manual_dirs(config):\n    return ['acme_hooked:manuals', 'acme_hooked:../x']\n"
    result = small({"conftest.py": hook, "test_it.py": ASKS}, "-s")
    assert found(result).startswith("manual small (acme_hooked/manuals/small.yaml)")
    result.stdout.fnmatch_lines(["*acme_hooked:../x:1:1  leads out of the package with .."])


def test_they_are_looked_for_once_a_run(small: Project, pytester: pytest.Pytester) -> None:
    write(pytester.path / "manuals", small=SMALL)
    hook = "def pytest_apex_manual_dirs(config):\n    print('ASKED')\n    return []\n"
    tests = "\n".join(f"def test_{n}(device):\n    device.tap('Go')\n" for n in range(3))
    result = small({"conftest.py": hook, "test_it.py": tests}, "-s")
    result.assert_outcomes(passed=3)
    assert result.stdout.str().count("ASKED") == 1
    result.stdout.fnmatch_lines(["manual: small (manuals/small.yaml), by bundle id: 3 tests"])


def test_a_hook_may_answer_with_one_text(small: Project, pytester: pytest.Pytester) -> None:
    hook = "def pytest_apex_manual_dirs(config):\n    return 'acme_nobody:manuals'\n"
    result = small({"conftest.py": hook, "test_it.py": DEVICE_TEST})
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["*acme_nobody:manuals:1:1  the package can't be imported: ModuleNotFoundError:*"])


@pytest.mark.parametrize("option", ["--apex-no-device=skip", "--apex-device=virtual"])
def test_a_run_that_needs_no_device_reads_no_manual(project: Project, pytester: pytest.Pytester, option: str) -> None:
    write(pytester.path / "manuals", small=WRONG)
    unit = """
        import sys

        def test_unit(request):
            from pytest_apex.plugin.manuals import manuals_of

            assert "shelf" not in vars(manuals_of(request.config))
    """
    result = project({"test_unit.py": unit}, option)
    result.assert_outcomes(passed=1)
    assert "manuals" not in result.stdout.str()


@pytest.mark.parametrize("option", ["--collect-only", "--apex-doctor"])
def test_what_runs_no_test_reads_no_manual(small: Project, pytester: pytest.Pytester, option: str) -> None:
    write(pytester.path / "manuals", small=WRONG)
    assert "contrls" not in small(DEVICE_TEST, option).stdout.str()
