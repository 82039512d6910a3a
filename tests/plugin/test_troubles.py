"""What breaks beside the tests never ends the run: no INTERNALERROR, and the end of the run says it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Project = Callable[..., pytest.RunResult]

TESTS = (
    "def test_one(device):\n    device.tap('Go')\n\ndef test_two(device):\n    nonsense\n\ndef test_unit():\n    pass\n"
)


def told(result: pytest.RunResult) -> list[str]:
    text = result.stdout.str() + result.stderr.str()
    assert "INTERNALERROR" not in text
    return [line for line in result.outlines if line.startswith("trouble: ")]


def test_a_folder_that_can_not_be_made(small: Project) -> None:
    in_the_way = """
        import pytest

        @pytest.fixture(scope="session", autouse=True)
        def in_the_way(pytestconfig):
            for folder in (pytestconfig.rootpath / "late" / "out", pytestconfig.rootpath / "late"):
                for path in folder.iterdir():
                    path.unlink()
                folder.rmdir()
            (pytestconfig.rootpath / "late").write_text("a file")
    """
    result = small({"conftest.py": in_the_way, "test_it.py": TESTS}, "-o", "apex_artifacts=late/out")
    result.assert_outcomes(passed=2, failed=1)
    (line,) = told(result)
    assert "NotADirectoryError: Not a directory; make room, or name another folder" in line
    assert "1 passed, 0 defects of the app, 1 of the tests' own" in result.stdout.str()


def test_a_results_file_that_can_not_be_written(small: Project) -> None:
    in_the_way = """
        from pathlib import Path

        def pytest_apex_step_started(item, step_id):
            Path("out/results.jsonl").mkdir(exist_ok=True)
    """
    result = small({"conftest.py": in_the_way, "test_it.py": TESTS}, "--apex-artifacts=out")
    assert any("a result was not written" in line for line in told(result))
    result.assert_outcomes(passed=2, failed=1)


def test_a_backend_that_breaks_when_it_is_closed(small: Project) -> None:
    breaks = """
        from pytest_apex.backends.base import BackendSpec

        def pytest_apex_backends(config):
            return BackendSpec("broken", "conftest:connect", claims=("broken",))

        def connect(spec, settings):
            from pytest_apex.backends import virtual

            class Broken(virtual.VirtualBackend):
                def close(self):
                    raise OSError("cable")

            return Broken(virtual.connect("virtual:app.yaml", settings).raw, spec)
    """
    result = small({"conftest.py": breaks, "test_it.py": TESTS}, "--device=broken")
    result.assert_outcomes(passed=2, failed=1)
    assert told(result) == ["trouble: broken was not closed: OSError: cable"]


FULL = """
    import errno
    import os
    from pathlib import Path

    def full(*_args, **_more):
        raise OSError(errno.ENOSPC, "No space left on device")

    def pytest_collection_finish():
        Path.write_bytes = full
        {folders}
        os.write = full
"""


@pytest.mark.parametrize("keep", ["always", "failed"])
@pytest.mark.parametrize("folders", ["pass", "Path.mkdir = full"], ids=["files", "folders"])
def test_a_full_disk_is_said_in_one_sentence(small_apart: Project, keep: str, folders: str) -> None:
    files = {"conftest.py": FULL.format(folders=folders), "test_it.py": TESTS}
    result = small_apart(files, "-W", "error", f"--apex-keep={keep}")
    result.assert_outcomes(passed=2, failed=1)
    (line,) = told(result)
    assert "No space left on device; make room, or name another folder with --apex-artifacts DIR" in line
    assert "1 passed, 0 defects of the app, 1 of the tests' own" in result.stdout.str()


def test_a_clean_run_has_none(small: Project) -> None:
    assert told(small(TESTS)) == []
