"""The errors of the WebDriver standard, as a server on the phone answers them."""

from __future__ import annotations

from collections.abc import Mapping

#: Error code → HTTP status (W3C WebDriver, "Handling errors").
STATUS: Mapping[str, int] = {
    "element click intercepted": 400,
    "element not interactable": 400,
    "invalid argument": 400,
    "invalid element state": 400,
    "invalid selector": 400,
    "invalid session id": 404,
    "no such alert": 404,
    "no such element": 404,
    "session not created": 500,
    "stale element reference": 404,
    "timeout": 500,
    "unknown command": 404,
    "unknown error": 500,
    "unknown method": 405,
    "unsupported operation": 500,
}


class Fault(Exception):
    """What a command answers instead of a value; `code` is one of `STATUS`."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code, self.message = code, message
        self.status = STATUS[code]


class BadValue(Fault):
    """A parameter that is missing or of the wrong kind."""

    def __init__(self, message: str) -> None:
        super().__init__("invalid argument", message)
