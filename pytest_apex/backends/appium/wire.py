"""One request to a WebDriver server and its answer, or how that failed.

Appium-Python-Client gives a page of HTML or an empty body back as if it were the value asked for, asks four times where
a time-out was given once, and has no time-out unless told so; here each answer is checked and each request made once.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

#: Bytes that are read at once, at most.
_PART = 1 << 20
#: How much of an answer that is none is told.
_SHOWN = 120


@dataclass(frozen=True, slots=True)
class Reply:
    """Status and body as they came."""

    status: int
    body: bytes


class Broken(Exception):
    """No whole answer. `kind` is `unreachable` (the server surely did not get the request), `broken` (it may have) or
    `silent` (it may have, and the time is over)."""

    def __init__(self, kind: str, words: str) -> None:
        super().__init__(words)
        self.kind = kind


class Refused(Exception):
    """The server answers that it did not work: WebDriver's error code and message."""

    def __init__(self, code: str, message: str, status: int = 500) -> None:
        super().__init__(f"{code}: {message}" if message else code)
        self.code = code
        self.message = message
        self.status = status


#: `transport(method, path, body, timeout)`: one request, made once. Raises `Broken`.
Transport = Callable[[str, str, "bytes | None", float], Reply]


class Http:
    """A transport over a `urllib3` pool; `headers` go with each request."""

    def __init__(self, pool: Any, url: str, headers: dict[str, str]) -> None:
        self._pool = pool
        self._url = url.rstrip("/")
        self._headers = {
            **headers,
            "Accept": "application/json",
            "Content-Type": "application/json; charset=utf-8",
        }

    def __call__(self, method: str, path: str, body: bytes | None, timeout: float) -> Reply:
        from urllib3 import Timeout, exceptions

        try:
            ends = time.monotonic() + timeout
            answer = self._pool.request(
                method, self._url + path, body=body, headers=self._headers, retries=False, timeout=Timeout(timeout),
                preload_content=False,
            )  # fmt: skip
            return Reply(answer.status, _read(answer, ends))
        except (exceptions.NewConnectionError, exceptions.ConnectTimeoutError, exceptions.LocationParseError) as error:
            raise Broken("unreachable", _plain(error)) from error
        except (exceptions.TimeoutError, _TooSlow) as error:
            raise Broken("silent", f"no answer within {timeout:g} s") from error
        except exceptions.SSLError as error:
            raise Broken("unreachable", _plain(error)) from error
        except (exceptions.HTTPError, OSError) as error:
            raise Broken("broken", _plain(error)) from error


class _TooSlow(Exception):
    """The time is over, and not all is here."""


def _read(answer: Any, ends: float) -> bytes:
    """The whole body. A time-out of urllib3's begins anew with each byte, and some come one by one."""
    parts = []
    try:
        while part := answer.read1(_PART):
            parts.append(part)
            if time.monotonic() > ends:
                raise _TooSlow
    except BaseException:
        answer.close()
        raise
    answer.release_conn()
    return b"".join(parts)


def _plain(error: BaseException) -> str:
    """urllib3 puts the object that failed before its words, or the words before the error that it was."""
    if len(error.args) == 2 and isinstance(error.args[1], Exception):
        return f"{error.args[0]} {error.args[1]}".strip()
    text = str(error)
    text = (text.partition(">: ")[2] or text.partition("): ")[2] or text or type(error).__name__).strip("')\" ")
    return text + ")" * (text.count("(") - text.count(")"))


def value_of(reply: Reply) -> Any:
    """What was asked for. Raises `Refused` for an error of the server, `Broken` for what is no answer of WebDriver."""
    try:
        # What an app draws may be no UTF-8: it is read with marks in its place, as the rest of it is an answer.
        told = json.loads(reply.body.decode("utf-8-sig", "replace"))
    except ValueError:
        raise Broken("broken", _not_webdriver(reply)) from None
    if not isinstance(told, dict) or "value" not in told:
        raise Broken("broken", _not_webdriver(reply))
    value = told["value"]
    failed = isinstance(value, dict) and isinstance(value.get("error"), str) and "message" in value
    if failed and (reply.status >= 400 or "stacktrace" in value):
        raise Refused(value["error"], str(value["message"] or "").strip(), reply.status)
    if not 200 <= reply.status < 300:
        raise Broken("broken", _not_webdriver(reply))
    return value


def _not_webdriver(reply: Reply) -> str:
    if 300 <= reply.status < 400:
        return f"HTTP {reply.status}: it leads to another address"
    decoded = reply.body[: 4 * _SHOWN].decode(errors="replace")
    text = " ".join("".join(letter if letter.isprintable() else " " for letter in decoded).split())
    if not text:
        return f"HTTP {reply.status} with nothing in it"
    kind = "a page of HTML" if text[:1] == "<" else "no answer of WebDriver"
    return f"HTTP {reply.status} with {kind}: {text[:_SHOWN]}"
