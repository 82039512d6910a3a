"""The server's life on the phone, and its answers over HTTP."""

from __future__ import annotations

import uuid
from typing import Any

from pytest_apex.errors import ApexError
from pytest_apex.phone_wires.adb.streams import Stream
from pytest_apex.phone_wires.handset import Handset, Server
from pytest_apex.phone_wires.on_phone import ServerOnPhone
from pytest_apex.phone_wires.uia2 import (
    action_calls,
    alert_calls,
    device_calls,
    element_calls,
    find_calls,
    gesture_calls,
    screen_calls,
)
from pytest_apex.phone_wires.uia2.command import ROUTES, Command, Session
from pytest_apex.phone_wires.uiautomator.http import Request, Response
from pytest_apex.phone_wires.webdriver.answers import answer, refusal
from pytest_apex.phone_wires.webdriver.elements import Elements
from pytest_apex.phone_wires.webdriver.faults import Fault
from pytest_apex.phone_wires.webdriver.values import Body, body_of

#: Importing them registers their commands.
_MODULES = (action_calls, alert_calls, device_calls, element_calls, find_calls, gesture_calls, screen_calls)
#: How the server's parts name the place of a stack trace in an error.
_TRACE = "stacktrace"


class Uia2Server(ServerOnPhone):
    """What listens on port 6790 while `Handset.appium` runs."""

    def __init__(self, handset: Handset) -> None:
        super().__init__(handset)
        self._session: Session | None = None
        self._count = 0

    @property
    def process(self) -> Server:
        return self._handset.appium

    # Its life

    def start(self) -> str:
        """Start it in place of one that runs; "" or why it does not start."""
        with self._handset.pace.held() as phone:
            if not phone.restart_driver():
                return "INSTRUMENTATION_RESULT: shortMsg=Process crashed.\nINSTRUMENTATION_CODE: 0\n"
            server = self._handset.appium
            server.pid, server.run = self._handset.new_pid(), server.run + 1
            self._session = None
            phone.machine.set_awake(True)
        return ""

    def expire(self) -> None:
        """Forget the session, as after a time without commands."""
        self._session = None

    # Its answers

    def respond(self, request: Request, _stream: Stream, run: int) -> Response | None:
        session = self._session.id if self._session is not None else None
        try:
            value, ends = self._value(request)
        except (Fault, ApexError) as error:
            return refusal(error, session, _TRACE) if self.runs(run) else None
        # A server that died during the command answers no more.
        response = answer(value, self._session.id if self._session is not None else session)
        if ends:
            self.stop(run)
            return response
        return response if self.runs(run) else None

    def _value(self, request: Request) -> tuple[Any, bool]:
        """The value of a command, and whether the server ends after it."""
        path = request.path.partition("?")[0].removeprefix("/wd/hub").rstrip("/")
        if path == "/status":
            return {"ready": True, "message": "UiAutomator2 Server is ready to accept commands"}, False
        if path == "/sessions":
            return ([{"id": self._session.id, "capabilities": {}}] if self._session is not None else []), False
        body = body_of(request.body)
        if path == "/session" and request.method == "POST":
            return self._new_session(body), False
        parts = path.split("/")
        if parts[:2] != ["", "session"] or len(parts) < 3:
            raise Fault("unknown command", f"Unhandled endpoint: {path[:200]}")
        session = self._session
        if session is None or parts[2] != session.id:
            raise Fault("invalid session id", "The session identified by the given id is not known")
        rest = "/".join(parts[3:])
        if not rest and request.method in ("GET", "DELETE"):
            self._session = None if request.method == "DELETE" else session
            return (None, True) if request.method == "DELETE" else ({}, False)
        act, taken = ROUTES.find(request.method, rest)
        handset = self._handset
        handset.journal.add(handset.pace.real_now(), "command", f"{request.method} /{rest}", body)
        return act(Command(handset, session, body), *taken), False

    def _new_session(self, body: Body) -> Any:
        self._count += 1
        token = f"{self.run:04x}{self._count:04x}"
        with self._handset.pace.held() as phone:
            session = Session(str(uuid.UUID(int=int(token, 16))), Elements(token), phone.clock.now())
        self._session = session
        return {"sessionId": session.id, "capabilities": body.get("capabilities", {})}
