"""WebDriverAgent's answers over HTTP."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any, TypeVar
from urllib.parse import parse_qsl

from pytest_apex.errors import ApexError
from pytest_apex.phone.phone import Phone
from pytest_apex.phone_wires.uiautomator.http import HttpConnection, Request, Response
from pytest_apex.phone_wires.wda import (
    action_calls,
    alert_calls,
    app_calls,
    device_calls,
    element_calls,
    find_calls,
    screen_calls,
    touch_calls,
)
from pytest_apex.phone_wires.wda.command import ROUTES, SETTINGS, TOUCH, Command, Session
from pytest_apex.phone_wires.wda.device import AppleDevice
from pytest_apex.phone_wires.wda.sockets import SocketChannel
from pytest_apex.phone_wires.webdriver.answers import answer, refusal
from pytest_apex.phone_wires.webdriver.elements import Elements
from pytest_apex.phone_wires.webdriver.faults import Fault
from pytest_apex.phone_wires.webdriver.values import Body, body_of, items, part, text

#: Importing them registers their commands.
_MODULES = (action_calls, alert_calls, app_calls, device_calls, element_calls, find_calls, screen_calls, touch_calls)
_T = TypeVar("_T")
_HANG_LOOK_S = 0.05
_TRACE = "traceback"
#: Where the version that this behaves like is told.
VERSION = "16.12.7"
#: Commands that need no session.
_FREE = ("/wda/homescreen", "/wda/locked", "/wda/lock", "/wda/unlock", "/source", "/screenshot", "/wda/apps/state",
         "/wda/activeAppInfo", "/wda/device/info", "/window/size", "/orientation")  # fmt: skip


class WdaServer:
    """Serves connections of clients, as long as the driver on the device lives."""

    def __init__(self, device: AppleDevice) -> None:
        self._device = device
        self._session: Session | None = None
        self._count = 0

    def expire(self) -> None:
        """Forget the session, as a server does that was started again."""
        self._session = None

    def serve(self, channel: SocketChannel) -> None:
        run = self._device.driver.run
        HttpConnection(channel, lambda request: self._answer(request, channel, run)).serve()

    def _runs(self, run: int) -> bool:
        driver = self._device.driver
        return driver.alive and driver.run == run

    def _answer(self, request: Request, channel: SocketChannel, run: int) -> Response | None:
        device = self._device
        device.journal.add(device.pace.real_now(), "http", f"{request.method} {request.path[:200]}")
        device.pace.sleep(device.slow_s)
        while device.driver.hung and self._runs(run) and not channel.closed:
            device.pace.nap(_HANG_LOOK_S)
        if not self._runs(run) or channel.closed:
            return None
        session = self._session.id if self._session is not None else None
        try:
            value = self._value(request, lambda: channel.closed or not self._runs(run))
        except (Fault, ApexError) as error:
            return refusal(error, session, _TRACE) if self._runs(run) else None
        # A server that died during the command answers no more.
        return answer(value, self._session.id if self._session is not None else session) if self._runs(run) else None

    def _value(self, request: Request, gone: Callable[[], bool]) -> Any:
        path, _, query = request.path.partition("?")
        path = path.rstrip("/")
        if path in ("/status", "/health", "/wda/healthcheck"):
            return self._status()
        if path == "/wda/shutdown":
            self._device.driver.alive = False
            return None
        body = body_of(request.body)
        if path == "/session" and request.method == "POST":
            return self._new_session(body, gone)
        session, rest = self._session_of(path)
        if not rest and request.method in ("GET", "DELETE"):
            return self._close(session) if request.method == "DELETE" else self._told(session)
        return self._act(request.method, rest, Command(self._part(session, body), session, body, _query(query), gone))

    def _part(self, session: Session, body: Body) -> AppleDevice:
        """The part of the screen that a command is for: the one with the app that it names, else with the active one
        (`FBSession.activeApplication`)."""
        device, settings = self._device, session.settings
        if len(device.parts) == 1:
            return device
        named, wanted = body.get("bundleId"), str(settings["defaultActiveApplication"])
        if isinstance(named, str):
            return device.part_of(named) or device
        part = device.part_of(wanted)
        if part is not None and _ask(part, lambda phone: phone.app_state(wanted)[0]) == "foreground":
            return part
        if settings["respectSystemAlerts"] is True:
            for part in device.parts:
                if _ask(part, lambda phone: phone.machine.dialog is not None):
                    return part
        return device.part_of(session.app) or device

    def _session_of(self, path: str) -> tuple[Session, str]:
        """The session of a path, and what is behind it."""
        parts = path.split("/")
        if path in _FREE:
            return self._session or Session("", Elements("0")), path.strip("/")
        if parts[:2] != ["", "session"] or len(parts) < 3:
            raise Fault("unknown command", f"Unhandled endpoint: {path[:200]}")
        if self._session is None or parts[2] != self._session.id:
            raise Fault("invalid session id", "Session does not exist")
        return self._session, "/".join(parts[3:])

    def _act(self, method: str, rest: str, command: Command) -> Any:
        words = rest.split("/")
        if len(words) == 2 and words[0] == "wda" and words[1] in touch_calls.ON_APP:
            rest = f"wda/element/0/{words[1]}"
        act, taken = ROUTES.find(method, rest)
        device = self._device
        if act in TOUCH and device.platform.name != "ios":
            raise Fault("unknown command", f"Unhandled endpoint: /{rest}: not on {device.os_name}")
        device.journal.add(device.pace.real_now(), "command", f"{method} /{rest}", command.body)
        return act(command, *taken)

    # The session

    def _status(self) -> dict[str, Any]:
        device = self._device
        return {
            "ready": True,
            "message": "WebDriverAgent is ready to accept commands",
            "state": "success",
            "os": {"name": device.os_name, "version": device.os_version, "sdkVersion": device.os_version,
                   "testmanagerdVersion": 65535},
            "ios": {"ip": "127.0.0.1"},
            "device": device.kind,
            "build": {"time": "Mar  2 2026 09:00:00", "productBundleIdentifier": "com.facebook.WebDriverAgentRunner",
                      "version": VERSION},
        }  # fmt: skip

    def _new_session(self, body: Body, gone: Callable[[], bool]) -> dict[str, Any]:
        capabilities = _capabilities(body)
        app = text(capabilities, "bundleId", "")
        self._count += 1
        token = f"{self._count:08x}"
        session = Session(str(uuid.UUID(int=self._count)).upper(), Elements(token))
        known = {name: value for name, value in capabilities.items() if name in SETTINGS and value is not None}
        device = self._device.part_of(app) or self._device
        command = Command(device, session, {"settings": known}, {}, gone)
        screen_calls.set_settings(command)
        if app:
            self._start(command, app, capabilities)
        self._session = session
        return {"sessionId": session.id, "capabilities": self._told(session)}

    def _start(self, command: Command, app: str, capabilities: Body) -> None:
        with command.device.pace.held() as phone:
            app_calls.is_there(phone, app)
            if capabilities.get("forceAppLaunch", True) is not False and capabilities.get("shouldTerminateApp", True):
                phone.stop(app)
            app_calls.start(phone, command.session, app, capabilities)
        self._device.active = app
        app_calls.wait_up(command, app)
        url = text(capabilities, "initialUrl", "")
        if url:
            with command.device.pace.held() as phone:
                phone.machine.open_url(url, app)

    def _told(self, session: Session) -> dict[str, Any]:
        device = self._device
        return {"device": device.kind, "browserName": session.app or " ", "sdkVersion": device.os_version,
                "CFBundleIdentifier": session.app or None}  # fmt: skip

    def _close(self, session: Session) -> None:
        """Ends the session, and the tested app with it."""
        self._session = None
        part = self._device.part_of(session.app) or self._device
        with part.pace.held() as phone:
            if session.app and session.expected and phone.app_state(session.app)[1]:
                phone.stop(session.app)


def _ask(part: AppleDevice, what: Callable[[Phone], _T]) -> _T:
    with part.pace.held() as phone:
        return what(phone)


def _query(text_: str) -> dict[str, str]:
    try:
        return dict(parse_qsl(text_, max_num_fields=20))
    except ValueError:
        return {}


def _capabilities(body: Body) -> Body:
    given = part(body, "capabilities") or {}
    found: dict[str, Any] = dict(part(given, "alwaysMatch") or {})
    if given.get("firstMatch") is not None:
        for item in items(given, "firstMatch")[:1]:
            if isinstance(item, dict):
                found.update(item)
    return found
