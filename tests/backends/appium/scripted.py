"""A server in a script: what comes, is answered by the next line, and kept."""

from __future__ import annotations

import base64
import io
import json
from collections.abc import Callable, Mapping
from typing import Any

from PIL import Image

from pytest_apex.backends.appium.backend import AppiumBackend
from pytest_apex.backends.appium.connection import Connection
from pytest_apex.backends.appium.limits import Limits
from pytest_apex.backends.appium.session import Session
from pytest_apex.backends.appium.wire import Broken, Reply

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
HTML = b"<html><head><title>502 Bad Gateway</title></head></html>"
TREE = (
    '<hierarchy rotation="0" width="400" height="800"><android.widget.FrameLayout package="com.example.notes" '
    'bounds="[0,0][400,800]"><android.widget.Button text="Save" clickable="true" package="com.example.notes" '
    'bounds="[10,10][110,60]"/></android.widget.FrameLayout></hierarchy>'
)


def picture(width: int = 400, height: int = 800, *, lines: bool = False) -> str:
    """A white one, or one with something to see."""
    data, image = io.BytesIO(), Image.new("RGB", (width, height), "white")
    for top in range(0, height if lines else 0, 20):
        image.paste("navy", (0, top, width, top + 8))
    image.save(data, "PNG")
    return base64.b64encode(data.getvalue()).decode()


def value(told: Any) -> Reply:
    return Reply(200, json.dumps({"value": told}).encode())


def failed(code: str, message: str, status: int = 500) -> Reply:
    return Reply(status, json.dumps({"value": {"error": code, "message": message, "stacktrace": ""}}).encode())


class Script:
    """`answers` by the end of a path or by a script's name; a list is used up, its last line stays. A `Broken` is
    raised."""

    def __init__(self, answers: Mapping[str, Any]) -> None:
        self.answers: dict[str, Any] = {"/status": value({"ready": True}), **answers}
        self.sent: list[tuple[str, str, Any]] = []
        self.on_send: Callable[[], None] = lambda: None

    def __call__(self, method: str, path: str, body: bytes | None, timeout: float) -> Reply:
        assert timeout > 0
        told = json.loads(body) if body else None
        path = "/" + path.partition("/session/")[2].partition("/")[2] if "/session/" in path else path
        self.sent.append((method, path, told))
        self.on_send()
        name = told["script"] if path == "/execute/sync" else path
        answer = self.answers.get(name, failed("unknown command", f"no {name}", 404))
        if isinstance(answer, list):
            answer = answer.pop(0) if len(answer) > 1 else answer[0]
        if isinstance(answer, Broken):
            raise answer
        assert isinstance(answer, Reply)
        return answer

    def paths(self, method: str = "POST") -> list[str]:
        return [told["script"] if path == "/execute/sync" else path for verb, path, told in self.sent if verb == method]

    def scripts(self, name: str) -> list[Any]:
        """The arguments of each call of an execute method."""
        return [told["args"][0] for _, path, told in self.sent if path == "/execute/sync" and told["script"] == name]


ANDROID = {"platformName": "Android", "appium:automationName": "UiAutomator2", "appium:udid": "R58M"}
IOS = {"platformName": "iOS", "appium:automationName": "XCUITest", "udid": "0000-1", "platformVersion": "18.5"}


def scripts_of(*names: str) -> Reply:
    return value({"rest": {"driver": {name: {"command": "x"} for name in names}}})


def backend_on(script: Script, told: Mapping[str, Any] = ANDROID, *, reopens: bool = True) -> AppiumBackend:
    """A backend whose clock does not wait."""
    session = Session(None, "s1", told, script)
    opened = Session(None, "s2", told, script)
    connection = Connection(session, "R58M", Limits(), (lambda: opened) if reopens else None)
    waited = [0.0]
    start = connection.clock.now()
    connection.clock.now = lambda: start + waited[0]  # type: ignore[method-assign]
    connection.clock.sleep = lambda seconds: waited.__setitem__(0, waited[0] + seconds)  # type: ignore[method-assign]
    script.sent.clear()
    return AppiumBackend(connection, "R58M")
