"""A `uiautomator2.Device` that a suite uses already, as a backend beside it."""

from __future__ import annotations

from typing import Any

from pytest_apex.backends.uiautomator2.adb import AdbServer
from pytest_apex.backends.uiautomator2.backend import Uiautomator2Backend
from pytest_apex.backends.uiautomator2.connection import Connection
from pytest_apex.backends.uiautomator2.handset import Handset
from pytest_apex.backends.uiautomator2.limits import Limits

#: Calls of the server that touch, press or type; all others look.
ACTING = frozenset(
    {
        "click", "longClick", "clickAndWaitForNewWindow", "injectInputEvent", "swipe", "swipePoints", "drag", "dragTo",
        "gesture", "pinchIn", "pinchOut", "pressKey", "pressKeyCode", "setText", "clearTextField", "clearInputText",
        "pasteClipboard", "setOrientation", "openNotification", "openQuickSettings", "wakeUp", "sleep",
        "flingForward", "flingBackward", "scrollForward", "scrollBackward", "scrollTo",
    }
)  # fmt: skip


class AttachedBackend(Uiautomator2Backend):
    """Notes what goes through the suite's own object."""

    def __init__(self, connection: Connection, driver: Any) -> None:
        super().__init__(connection, connection.phone.serial, raw=driver)
        self._before = driver.jsonrpc_call
        driver.jsonrpc_call = self._passed_on

    def close(self) -> None:
        if self._raw.__dict__.get("jsonrpc_call") == self._passed_on:
            del self._raw.jsonrpc_call
        super().close()

    def _passed_on(self, method: str, params: Any = None, timeout: float = 10) -> Any:
        given = [value for value in params or () if isinstance(value, (int, float))] if method in ACTING else ()
        words = " ".join([method, *(f"{value:g}" for value in given)])
        self.note_outside(words)
        return self._before(method, params, timeout)


def attach_to(driver: Any) -> AttachedBackend:
    """A backend beside a running device. Raises `DeviceProblem`."""
    client = getattr(driver.adb_device, "_client", None)
    server = AdbServer(getattr(client, "host", ""), getattr(client, "port", 0))
    return AttachedBackend(Connection(Handset(server, driver.serial, Limits())), driver)
