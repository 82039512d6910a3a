"""What Appium's drivers send, replayed: a session over a stream of adb, or over a socket."""

from __future__ import annotations

import http.client
import json
from typing import Any

from pytest_apex.phone_wires.journal import Journal
from pytest_apex.phone_wires.webdriver.elements import ELEMENT_KEY

from .client import AdbClient, OpenStream

RUNNER = "io.appium.uiautomator2.server.test/androidx.test.runner.AndroidJUnitRunner"


class Refused(Exception):
    """An error of the standard."""

    def __init__(self, status: int, value: dict[str, Any]) -> None:
        super().__init__(value["error"], value["message"])
        self.status, self.error, self.message = status, value["error"], value["message"]


class WireSession:
    """Calls below `/session/{id}`. Raises `Refused`."""

    def __init__(self, capabilities: dict[str, Any]) -> None:
        self.id = ""
        self.id = self.call("POST", "/session", {"capabilities": {"firstMatch": [capabilities]}}, whole=True)[
            "sessionId"
        ]

    def raw(self, method: str, path: str, body: bytes) -> tuple[int, bytes]:
        raise NotImplementedError

    def call(self, method: str, path: str, body: Any = None, *, whole: bool = False) -> Any:
        data = b"" if body is None else json.dumps(body).encode()
        status, answer = self.raw(method, path if whole else f"/session/{self.id}{path}", data)
        value = json.loads(answer)["value"]
        if status != 200:
            raise Refused(status, value)
        return value

    def get(self, path: str) -> Any:
        return self.call("GET", path)

    def post(self, path: str, **body: Any) -> Any:
        return self.call("POST", path, body)

    def mistake(self, method: str, path: str, body: bytes) -> tuple[int, str]:
        """Status and error of the answer to a request that is wrong."""
        status, answer = self.raw(method, f"/session/{self.id}{path}", body)
        assert b"Traceback" not in answer
        return status, json.loads(answer)["value"]["error"]


class Uia2Session(WireSession):
    """Over a stream to port 6790, as long as the `am instrument` of its own is open."""

    def __init__(self, port: int, adb: AdbClient, life: AdbClient) -> None:
        self.port, self.adb = port, adb
        opened = life.open(f"shell:am instrument -w {RUNNER}")
        assert opened is not None
        self.life: OpenStream = opened
        super().__init__({})

    def raw(self, method: str, path: str, body: bytes) -> tuple[int, bytes]:
        with AdbClient(self.port) as client:
            while True:
                stream = client.open("tcp:6790")
                if stream is not None:
                    return stream.request(method, path, body)
                # The server is not there at once.

    def find(self, strategy: str, selector: str) -> str:
        return str(self.post("/element", strategy=strategy, selector=selector)[ELEMENT_KEY])


class WdaSession(WireSession):
    def __init__(self, port: int, **capabilities: Any) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        super().__init__(capabilities)

    def raw(self, method: str, path: str, body: bytes) -> tuple[int, bytes]:
        self.connection.request(method, path, body)
        response = self.connection.getresponse()
        return response.status, response.read()

    def find(self, using: str, value: str) -> str:
        return str(self.post("/element", using=using, value=value)[ELEMENT_KEY])


def touches(journal: Journal) -> list[tuple[str, float, float]]:
    """What the fingers did, and where."""
    return [(entry.name, *entry.args[1:]) for entry in journal.touches]


def pointer(*actions: dict[str, Any], finger: str = "finger1") -> dict[str, Any]:
    return {"type": "pointer", "id": finger, "parameters": {"pointerType": "touch"}, "actions": list(actions)}


def move(x: float, y: float, duration: int = 0, **more: Any) -> dict[str, Any]:
    return {"type": "pointerMove", "x": x, "y": y, "duration": duration, "origin": "viewport", **more}


def pause(duration: int) -> dict[str, Any]:
    return {"type": "pause", "duration": duration}


DOWN = {"type": "pointerDown", "button": 0}
UP = {"type": "pointerUp", "button": 0}
