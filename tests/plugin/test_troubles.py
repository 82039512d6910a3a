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
            (pytestconfig.rootpath / "out").write_text("a file")
    """
    result = small({"conftest.py": in_the_way, "test_it.py": TESTS}, "--apex-artifacts=out")
    result.assert_outcomes(errors=2, passed=1)
    assert "can't write the evidence of this run" in result.stdout.str()
    assert any("has no complete record" in line for line in told(result))


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


def test_a_clean_run_has_none(small: Project) -> None:
    assert told(small(TESTS)) == []
