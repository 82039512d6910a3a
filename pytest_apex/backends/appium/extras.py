"""What only some devices behind Appium can do: see `abilities`. Each is there where the driver has its command."""

from __future__ import annotations

import base64
import binascii

from pytest_apex.backends.appium.android import Android
from pytest_apex.backends.appium.apple import Apple
from pytest_apex.backends.appium.beside import Beside
from pytest_apex.backends.appium.connection import Connection
from pytest_apex.backends.appium.logs import DeviceLog
from pytest_apex.backends.appium.packages import Packages
from pytest_apex.backends.appium.side import Side
from pytest_apex.backends.appium.system import System
from pytest_apex.backends.appium.web import Web
from pytest_apex.errors import DriverDead
from pytest_apex.model.action import Receipt


class Extras(Packages, System, Web):
    """`app` is the one that the run is about, where that is known."""

    def __init__(self, connection: Connection, app: str = "") -> None:
        self._connection = connection
        self._closed = False
        self._labels = {}
        self._log = DeviceLog(connection)
        self._beside = Beside(connection, app)
        apple = connection.family.points
        self._side: Side = Apple(connection, self._log, self._beside) if apple else Android(connection, self._log)
        if "log" in connection.capabilities:
            self._log.types = self._side.log_types

    def hide_keyboard(self) -> Receipt:
        connection = self._connection
        started = connection.clock.now()
        with self._beside.telling_front():
            if connection.ask_or(True, "mobile: isKeyboardShown") is not False:
                connection.mobile("mobile: hideKeyboard", {}, "hiding the keyboard")
        return Receipt(started, connection.clock.now(), "hide the keyboard")

    def turn_crown(self, turns: float) -> Receipt:
        connection = self._connection
        started = connection.clock.now()
        connection.mobile("mobile: rotateDigitalCrown", {"delta": turns}, f"crown {turns:g}")
        return Receipt(started, connection.clock.now(), f"crown {turns:g}")

    def open_url(self, url: str, app: str = "") -> None:
        name = "bundleId" if self._connection.family.points else "package"
        asked = {"url": url, **({name: app} if app else {})}
        self._connection.mobile("mobile: deepLink", asked, f"open {url}", limit=self._connection.limits.app)

    def open_notifications(self) -> None:
        self._connection.mobile("mobile: openNotifications", {}, "opening the notifications")

    def clipboard(self) -> str:
        told = self._connection.ask("mobile: getClipboard", tried="reading the clipboard")
        try:
            return base64.b64decode(str(told or ""), validate=False).decode()
        except (binascii.Error, UnicodeDecodeError) as error:
            raise DriverDead(
                f"{self._connection.channel.device} sent no clipboard", seen=str(told)[:60], cure="ask again"
            ) from error

    def set_clipboard(self, text: str) -> None:
        content = base64.b64encode(text.encode()).decode()
        self._connection.mobile("mobile: setClipboard", {"content": content}, "setting the clipboard")
