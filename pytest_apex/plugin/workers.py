"""What differs between one process, the controller of pytest-xdist, and its workers.

Seed and run folder are the controller's; workers get both, and tell back what went wrong beside their tests.
"""

from __future__ import annotations

import os
from typing import Any

import pytest

from pytest_apex.plugin.stash import RESULTS, RUN, SETTINGS, UNUSABLE

_GIVEN = "apex"


def is_worker(config: pytest.Config) -> bool:
    return hasattr(config, "workerinput")


def worker_id(config: pytest.Config) -> str:
    """`gw0`, `gw1` …; `main` without pytest-xdist."""
    return str(config.workerinput["workerid"]) if is_worker(config) else "main"  # type: ignore[attr-defined]


def worker_number(config: pytest.Config) -> int:
    """0 for the first worker, and without pytest-xdist."""
    return number_in(worker_id(config))


def number_in(worker: str) -> int:
    """`gw3` → 3; 0 for `main`."""
    return int("".join(filter(str.isdigit, worker)) or 0)


def worker_count(config: pytest.Config) -> int:
    """How many processes run tests."""
    return int(config.workerinput["workercount"]) if is_worker(config) else 1  # type: ignore[attr-defined]


def given(config: pytest.Config) -> dict[str, Any]:
    """What the controller gave to this worker; nothing in a run of one process."""
    return dict(getattr(config, "workerinput", {}).get(_GIVEN, {}))


def seed_of_run(config: pytest.Config) -> int:
    """The controller's seed in a worker, else a new one of six digits, easy to type again."""
    return int(given(config).get("seed", int.from_bytes(os.urandom(8), "big") % 1_000_000))


def mark_unusable(config: pytest.Config) -> None:
    config.stash[UNUSABLE] = True


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    config = node.config
    node.workerinput[_GIVEN] = {
        "seed": config.stash[SETTINGS].touch.seed,
        "run": config.stash[RUN].to_worker(),
        "devices": list(config.stash[SETTINGS].devices.specs),
    }


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    told = getattr(node, "workeroutput", {}).get(_GIVEN, {})
    if told.get("unusable"):
        mark_unusable(node.config)
    for line in told.get("troubles", ()):
        node.config.stash[RESULTS].trouble(line)


def tell_controller(config: pytest.Config) -> None:
    """Leave word for the controller, at the end of a worker's session."""
    config.workeroutput[_GIVEN] = {  # type: ignore[attr-defined]
        "unusable": config.stash.get(UNUSABLE, False), "troubles": config.stash[RESULTS].troubles,
    }  # fmt: skip
