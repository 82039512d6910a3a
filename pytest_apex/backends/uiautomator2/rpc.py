"""JSON-RPC 2.0 as the server on the phone speaks it: calls and their answers as values."""

from __future__ import annotations

import json
from typing import Any

from pytest_apex.backends.uiautomator2.http import BrokenReply, Reply, request

#: What the server says when it has lost its hold on the system: it has to be started anew.
_BROKEN_SERVER = ("UiAutomation not connected", "DeadObjectException", "DeadSystemRuntimeException")


class RpcError(Exception):
    """The server answered that the call failed. `code` -32601: it has no such call."""

    def __init__(self, method: str, code: int, message: str) -> None:
        self.method = method
        self.code = code
        self.message = message
        super().__init__(f"{method}: {message}")

    @property
    def too_deep(self) -> bool:
        """Its stack was too small for the tree."""
        return "StackOverflowError" in self.message

    @property
    def server_broken(self) -> bool:
        return any(words in self.message for words in _BROKEN_SERVER)


def call(number: int, method: str, params: tuple[Any, ...]) -> bytes:
    body = json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
    return request("POST", "/jsonrpc/0", body.encode())


def result_of(reply: Reply, number: int, method: str) -> Any:
    """What the call gave. Raises `RpcError` where the server says that it failed, `BrokenReply` for what is no answer
    to this call."""
    if reply.status != 200:
        raise BrokenReply(f"HTTP status {reply.status}: {reply.body[:80]!r}")
    try:
        told = json.loads(reply.body)
    except (ValueError, RecursionError):
        raise BrokenReply(f"no JSON but {reply.body[:60]!r}") from None
    if not isinstance(told, dict):
        raise BrokenReply(f"no answer but {str(told)[:60]!r}")
    if told.get("id") not in (number, str(number)):
        raise BrokenReply(f"the answer to another call: {told.get('id')!r} in place of {number}")
    error = told.get("error")
    if error is not None:
        parts = error if isinstance(error, dict) else {"message": error}
        code = parts.get("code")
        message = f"{parts.get('message', '')} {_cause(parts.get('data'))}".strip()
        raise RpcError(method, code if isinstance(code, int) else 0, message)
    if "result" not in told:
        raise BrokenReply(f"neither result nor error: {str(told)[:60]!r}")
    return told["result"]


def _cause(data: object) -> str:
    """The first line of a Java stack, or of what else is told."""
    text = data.get("message", "") if isinstance(data, dict) else data
    return str(text or "").strip().partition("\n")[0][:300]
