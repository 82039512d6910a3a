"""Phones on the wire for these tests: real sockets on loopback, no adb, no waiting."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pytest_apex.backends.virtual import demo_app
from pytest_apex.phone.parts import AppFile
from pytest_apex.phone_wires.serve import Served, serve_phone

from .client import AdbClient, StepClock


@pytest.fixture(scope="session")
def app() -> AppFile:
    return demo_app()


@pytest.fixture
def clock() -> StepClock:
    return StepClock()


@pytest.fixture
def served(app: AppFile, clock: StepClock) -> Iterator[Served]:
    with serve_phone([app], clock=clock) as phone:
        yield phone


@pytest.fixture
def adb(served: Served) -> Iterator[AdbClient]:
    with AdbClient(served.port) as client:
        yield client
