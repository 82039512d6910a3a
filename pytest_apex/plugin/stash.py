"""What the parts keep on pytest's config and tests, under typed keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pytest_apex.plugin.attempts import Attempts, LiveAttempt
    from pytest_apex.plugin.connections import Connections
    from pytest_apex.plugin.manuals import Manuals
    from pytest_apex.plugin.results import Results
    from pytest_apex.plugin.runs import Run
    from pytest_apex.settings import Settings

SETTINGS: pytest.StashKey[Settings] = pytest.StashKey()
RUN: pytest.StashKey[Run] = pytest.StashKey()
CONNECTIONS: pytest.StashKey[Connections] = pytest.StashKey()
ATTEMPTS: pytest.StashKey[Attempts] = pytest.StashKey()
RESULTS: pytest.StashKey[Results] = pytest.StashKey()
#: The app that was installed first on each device, by the backend's identity.
INSTALLED: pytest.StashKey[dict[int, str]] = pytest.StashKey()
MANUALS: pytest.StashKey[Manuals] = pytest.StashKey()
#: Phones that `all` does not stand for, with the reason.
LEFT_OUT: pytest.StashKey[tuple[str, ...]] = pytest.StashKey()
#: Whether `--device` and the fixture `device` are ours in this run.
OWNS_OPTION: pytest.StashKey[bool] = pytest.StashKey()
OWNS_FIXTURE: pytest.StashKey[bool] = pytest.StashKey()
#: Device tests had no usable device: the run ends with exit code 4.
UNUSABLE: pytest.StashKey[bool] = pytest.StashKey()
#: The attempt of a test that is under way, or was the last.
LIVE: pytest.StashKey[LiveAttempt] = pytest.StashKey()
