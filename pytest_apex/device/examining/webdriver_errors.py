"""What errors of Appium's and Selenium's clients are, where a suite uses such a driver itself.

Told by the names of their classes, so that neither is imported. What the server says goes by the same words as where we
ask it ourselves.
"""

from __future__ import annotations

import traceback
from pathlib import PurePath
from types import FrameType

from pytest_apex.backends.appium.trouble import named
from pytest_apex.backends.appium.wire import Refused
from pytest_apex.errors import ActionRefused, CapabilityMissing

_BY_CLASS = {
    "NoSuchElementException": "target_not_found",
    "InvalidSessionIdException": "driver_dead",
    "SessionNotCreatedException": "driver_dead",
}
_CLIENTS = frozenset({"selenium", "appium"})
#: What the client puts behind the server's words.
_ADDED = "; For documentation on this error"


def is_of_client(error: BaseException) -> bool:
    """Whether it is an error of these clients, or one of the network that came through them."""
    return _is_theirs(error) or _never_answered(error)


def type_of(error: BaseException) -> str:
    """The type of failure; "error" for what is the test's own affair, such as an element that is stale."""
    names = {kind.__name__ for kind in type(error).__mro__}
    if not _is_theirs(error):
        return "driver_dead"
    if "TimeoutException" in names:
        wait = _frame(error, "until", "until_not")
        if wait is None:  # a time-out of the server
            return "error"
        return "target_not_found" if "NoSuchElement" in str(getattr(error, "stacktrace", "")) else "assertion"
    known = next((_BY_CLASS[name] for name in names if name in _BY_CLASS), "")
    if known:
        return known
    told = named("", Refused("", _message(error)), "")
    return "error" if isinstance(told, (ActionRefused, CapabilityMissing)) else told.failure_type


def words_of(error: BaseException) -> str:
    """What failed: the selector or what was waited for, as far as the client's frames tell; else the server's words."""
    kind = type_of(error)
    if kind == "target_not_found":
        return f"no control fits {_selector(error) or '?'}"
    wait = _frame(error, "until", "until_not")
    if kind == "assertion" and wait is not None:
        limit = getattr(wait.f_locals.get("self"), "_timeout", "?")
        message = _message(error)
        return f"WebDriverWait: what was waited for did not hold within {limit} s{': ' if message else ''}{message}"
    return f"{type(error).__name__}: {_message(error)}".removesuffix(": ")


def _message(error: BaseException) -> str:
    told = str(getattr(error, "msg", None) or ("" if _is_theirs(error) else error))
    return told.partition(_ADDED)[0].strip()


def _selector(error: BaseException) -> str:
    """How the element was looked for: `id=com.example.notes:id/save`."""
    frame = _frame(error, "find_element")
    if frame is not None:
        given = frame.f_locals
        return f"{given.get('by')}={given.get('value')}"
    wait = _frame(error, "until", "until_not")
    method = wait.f_locals.get("method") if wait is not None else None
    names = getattr(getattr(method, "__code__", None), "co_freevars", ())
    cells = getattr(method, "__closure__", None) or ()
    locator = dict(zip(names, cells, strict=False)).get("locator")
    found = locator.cell_contents if locator is not None else None
    return f"{found[0]}={found[1]}" if isinstance(found, tuple) and len(found) == 2 else ""


def _frame(error: BaseException, *functions: str) -> FrameType | None:
    """The innermost frame of the clients in one of these functions."""
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    return next((frame for frame in reversed(frames) if frame.f_code.co_name in functions and _in_client(frame)), None)


def _in_client(frame: FrameType) -> bool:
    return not _CLIENTS.isdisjoint(PurePath(frame.f_code.co_filename).parts)


def _is_theirs(error: BaseException) -> bool:
    return any(kind.__module__.partition(".")[0] in _CLIENTS for kind in type(error).__mro__)


def _never_answered(error: BaseException) -> bool:
    """urllib3's errors and those of sockets come through the clients as they are."""
    of_network = isinstance(error, OSError) or type(error).__module__.partition(".")[0] == "urllib3"
    return of_network and _frame(error, "request", "_request", "execute") is not None


__all__ = ["is_of_client", "type_of", "words_of"]
