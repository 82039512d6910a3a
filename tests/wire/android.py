"""The built-in phone behind a real adb server of our own, so that nothing else on the machine is touched."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager

import adbutils
import pytest

from pytest_apex.backends.uiautomator2.adb import AdbServer, AdbTrouble

APP = "com.example.notes"


@contextmanager
def own_adb() -> Iterator[AdbServer]:
    """An adb server on a free port, found by everything that asks the environment; ended at the end."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ANDROID_ADB_SERVER_HOST", "127.0.0.1")
        patch.setenv("ANDROID_ADB_SERVER_PORT", str(port))
        # adbutils has read the environment when it was imported.
        for name, value in vars(adbutils.AdbClient("127.0.0.1", port)).items():
            patch.setattr(adbutils.adb, name, value)
        server = AdbServer()
        server.version()  # starts it
        try:
            yield server
        finally:
            end_adb(server)


def end_adb(server: AdbServer) -> None:
    try:
        server.open("host:kill", 5.0, start=False).close()
    except AdbTrouble:
        return  # it was ended before
