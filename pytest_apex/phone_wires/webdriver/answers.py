"""Values and errors as HTTP answers."""

from __future__ import annotations

import json
from typing import Any

from pytest_apex.errors import ApexError
from pytest_apex.phone_wires.uiautomator.http import Response
from pytest_apex.phone_wires.webdriver.faults import Fault

_JSON = "application/json; charset=UTF-8"


def answer(value: Any, session: str | None) -> Response:
    return _response(200, {"sessionId": session, "value": value})


def refusal(error: Fault | ApexError, session: str | None, trace: str) -> Response:
    """`trace` is what the server calls the place for its stack: that stays empty."""
    if isinstance(error, ApexError):  # the phone itself refused
        error = Fault("unsupported operation", str(error).splitlines()[0])
    told = {"error": error.code, "message": error.message, trace: ""}
    return _response(error.status, {"sessionId": session, "value": told})


def _response(status: int, message: dict[str, Any]) -> Response:
    return Response(status, json.dumps(message).encode(), _JSON)
