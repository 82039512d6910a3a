"""The server's life on the phone, and its answers over HTTP."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from typing import Any

from pytest_apex.phone_wires.adb.streams import Stream
from pytest_apex.phone_wires.handset import SERVER_JAR, Handset
from pytest_apex.phone_wires.uiautomator import scroll_calls, selector_calls, touch_calls
from pytest_apex.phone_wires.uiautomator.calls import CALLS, Context, RpcError
from pytest_apex.phone_wires.uiautomator.http import HttpConnection, Request, Response
from pytest_apex.phone_wires.uiautomator.screen_calls import take_screenshot

_CALL_MODULES = (touch_calls, selector_calls, scroll_calls)  # importing them registers their calls
#: How often a server that hangs looks whether it still has to (seconds).
_HANG_LOOK_S = 0.05


class UiautomatorServer:
    """What listens on port 9008 while `Handset.server` runs."""

    def __init__(self, handset: Handset) -> None:
        self._handset = handset

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

    def stop(self, run: int) -> None:
        """End the run of this number; a later one goes on."""
        with self._handset.pace.held():
            if self._handset.server.run == run:
                self._handset.server.pid = 0

    @property
    def run(self) -> int:
        return self._handset.server.run

    def runs(self, run: int) -> bool:
        """Whether the run of this number still goes on."""
        server = self._handset.server
        return server.run == run and server.pid != 0

    # Its answers

    def port(self) -> Callable[[Stream], None] | None:
        """Serves one connection; None while nothing listens."""
        return self._serve if self._handset.server.pid else None

    def _serve(self, stream: Stream) -> None:
        run = self.run
        HttpConnection(stream, lambda request: self._answer(request, stream, run)).serve()

    def _answer(self, request: Request, stream: Stream, run: int) -> Response | None:
        handset = self._handset
        handset.journal.add(handset.pace.real_now(), "http", f"{request.method} {request.path[:200]}")
        handset.pace.sleep(handset.slow_s)
        while handset.server.hung and self.runs(run) and not stream.closed:
            handset.pace.nap(_HANG_LOOK_S)
        if not self.runs(run) or stream.closed:
            return None
        context = Context(handset, lambda: stream.closed or not self.runs(run))
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
