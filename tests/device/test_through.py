"""What comes to the same however often it is done is done again after the device was lost; a touch never is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pytest_apex.backends.virtual import VirtualBackend
from pytest_apex.device.device import Device
from pytest_apex.errors import ConfigError, DeviceLost, DriverDead
from pytest_apex.testing import virtual_device

APP = "com.example.notes"


@pytest.fixture
def device(tmp_path: Path) -> Iterator[Device]:
    with virtual_device(tmp_path, app=APP) as made:
        yield made


def losing(monkeypatch: pytest.MonkeyPatch, method: str, error: type[Exception], after: bool) -> list[str]:
    """The device is lost in the first call of a method, before or after it was done; the calls that came through."""
    real, done = getattr(VirtualBackend, method), []

    def call(backend: VirtualBackend, *arguments: Any, **more: Any) -> Any:
        if not done and not after:
            done.append("lost")
            raise error("the cable is out")
        told = real(backend, *arguments, **more)
        done.append(method)
        if len(done) == 1:
            raise error("the cable is out")
        return told

    monkeypatch.setattr(VirtualBackend, method, call)
    return done


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("error", [DeviceLost, DriverDead])
@pytest.mark.parametrize(
    ("method", "do"),
    [
        ("launch", lambda device: device.launch(APP)),
        ("clear_data", lambda device: device.app.clear_data()),
        ("stop", lambda device: device.app.stop()),
        ("uninstall", lambda device: device.app.uninstall()),
    ],
)
def test_it_is_done_in_the_end(
    device: Device,
    monkeypatch: pytest.MonkeyPatch,
    method: str,
    do: Callable[[Device], object],
    error: type[Exception],
    after: bool,
) -> None:
    done = losing(monkeypatch, method, error, after)
    do(device)
    assert done[1:] == [method]
    assert [event.recovered for event in device.context.watch.harness] == [True]
    monkeypatch.undo()
    if method == "launch":
        device.tap("Forgot password?")


def test_a_touch_is_not_done_again(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    done = losing(monkeypatch, "perform", DeviceLost, after=True)
    device.tap("Forgot password?")
    assert done == ["perform"]


def test_another_error_is_not_tried_again(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    done = losing(monkeypatch, "launch", ConfigError, after=False)
    with pytest.raises(ConfigError):
        device.launch(APP)
    assert done == ["lost"]
