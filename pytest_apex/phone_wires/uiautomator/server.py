"""The server's life on the phone, and its answers over HTTP."""

from __future__ import annotations

import base64
import json
from typing import Any

from pytest_apex.phone_wires.adb.streams import Stream
from pytest_apex.phone_wires.handset import SERVER_JAR, Server
from pytest_apex.phone_wires.on_phone import ServerOnPhone
from pytest_apex.phone_wires.uiautomator import scroll_calls, selector_calls, touch_calls
from pytest_apex.phone_wires.uiautomator.calls import CALLS, Context, RpcError
from pytest_apex.phone_wires.uiautomator.http import Request, Response
from pytest_apex.phone_wires.uiautomator.screen_calls import take_screenshot

_CALL_MODULES = (touch_calls, selector_calls, scroll_calls)  # importing them registers their calls


class UiautomatorServer(ServerOnPhone):
    """What listens on port 9008 while `Handset.server` runs."""

    @property
    def process(self) -> Server:
        return self._handset.server

    # Its life

    def start(self) -> str:
        """Start it; "" or why it does not start."""
        handset = self._handset
        with handset.pace.held() as phone:
            if handset.files.stat(SERVER_JAR) is None:
                return "Error: Could not find or load main class com.wetest.uia2.Main\n"
            if handset.server.pid:
                return (
                    "java.lang.IllegalStateException: UiAutomationService android.accessibilityservice."
                    "IAccessibilityServiceClient$Stub$Proxy@5deffd5already registered!\n"
                )
            if not phone.restart_driver():
                return "java.lang.RuntimeException: Error while connecting UiAutomation\nAborted\n"
            server = handset.server
            server.pid, server.run = handset.new_pid(), server.run + 1
            server.idle_limit_s, server.toast, server.toasts_since = 0.0, None, phone.clock.now()
            server.objects.clear()
            phone.machine.set_awake(True)
        return ""

    # Its answers

    def respond(self, request: Request, stream: Stream, run: int) -> Response | None:
        context = Context(self._handset, lambda: stream.closed or not self.runs(run))
        path = request.path.partition("?")[0]
        if path == "/ping":
            response = Response(200, b"pong")
        elif path == "/jsonrpc/0":
            response = Response(200, self._rpc(request.body, context), "application/json")
        elif path == "/screenshot/0":
            response = _picture(context)
        elif path == "/stop":
            self.stop(run)
            response = Response(200, b"Server stopped!!!")
        else:
            response = Response(404, b"Not Found!!!")
        # A server that died during the call answers no more.
        return response if self.runs(run) or path == "/stop" else None

    def _rpc(self, body: bytes, context: Context) -> bytes:
        number: Any = None
        try:
            message = json.loads(body)
            if not isinstance(message, dict):
                raise RpcError("invalid request", code=-32600)
            number = message.get("id")
            answer = {"result": self._call(message, context)}
        except RpcError as error:
            answer = {"error": {"code": error.code, "message": error.message, "data": error.data}}
        except (ValueError, RecursionError):
            answer = {"error": {"code": -32700, "message": "JSON parse error"}}
        return json.dumps({"jsonrpc": "2.0", "id": number, **answer}).encode()

    def _call(self, message: dict[str, Any], context: Context) -> Any:
        name, params = message.get("method"), message.get("params") or []
        handset = self._handset
        if not isinstance(name, str) or not isinstance(params, (list, dict)):
            raise RpcError("invalid request", code=-32600)
        given = list(params.values()) if isinstance(params, dict) else params
        handset.journal.add(handset.pace.real_now(), "rpc", name[:100], *given)
        function = CALLS.get(name)
        if function is None:
            raise RpcError("method not found", code=-32601)
        try:
            return function(context, *given)
        except TypeError as error:
            # Jackson finds no method with so many parameters; a mistake of our own would come with a deeper trace.
            if error.__traceback__ is not None and error.__traceback__.tb_next is None:
                raise RpcError("method parameters invalid", code=-32602) from error
            raise


def _picture(context: Context) -> Response:
    return Response(200, base64.b64decode(take_screenshot(context, 1, 100)), "image/jpeg")
