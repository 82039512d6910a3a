"""pytest turned on for testing the plugin from outside, and the tests of the real wires kept for those who ask."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

WIRES = Path(__file__).parent / "tests" / "wire"
_LEFT_OUT = pytest.StashKey[bool]()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("wires", "the real wires")
    group.addoption(
        "--wire", action="store_true", help="collect tests/wire too: real servers, a real browser (see .ci/wires)"
    )
    group.addoption(
        "--wire-servers", metavar="FOLDER", default=str(WIRES / "servers"),
        help="where the Appium server of tests/wire is installed (default: tests/wire/servers)",
    )  # fmt: skip


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """tests/wire is for `--wire`, and for those who name it or something in it."""
    if collection_path != WIRES or config.getoption("wire"):
        return None
    named = [(config.invocation_params.dir / arg.split("::")[0]).resolve() for arg in config.args]
    if any(path.is_relative_to(WIRES) for path in named):
        return None
    config.stash[_LEFT_OUT] = True
    return True


def pytest_report_collectionfinish(config: pytest.Config) -> str | None:
    return "not run: tests/wire, nobody asked for it (--wire)" if config.stash.get(_LEFT_OUT, False) else None
