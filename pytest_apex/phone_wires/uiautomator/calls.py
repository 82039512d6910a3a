"""The calls of the server by name. Each takes the server's context and the parameters as they came."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from pytest_apex.phone.phone import Phone
from pytest_apex.phone_wires.handset import Handset
from pytest_apex.phone_wires.uiautomator.nodes import Seen
from pytest_apex.phone_wires.uiautomator.selectors import NotASelector, check, find

_T = TypeVar("_T")


class RpcError(Exception):
    """What a call answers instead of a result. Code -32001 is the server's own for exceptions of the phone."""

    def __init__(self, message: str, data: str = "", code: int = -32001) -> None:
        super().__init__(message)
        self.message, self.data, self.code = message, data, code


class WrongParameters(RpcError):
    def __init__(self, why: str = "") -> None:
        super().__init__("method parameters invalid", why, -32602)


def not_found(selector: object) -> RpcError:
    return RpcError("androidx.test.uiautomator.UiObjectNotFoundException", str(selector))


@dataclass(frozen=True, slots=True)
class Context:
    """The phone, and whether the server that took the call still runs."""

    handset: Handset
    gone: Callable[[], bool]

    def ask(self, what: Callable[[Phone], _T]) -> _T:
        with self.handset.pace.held() as phone:
            return what(phone)

    def selector(self, value: Any) -> Mapping[str, Any]:
        """A selector, or the name of an object that was found before."""
        if isinstance(value, str):
            kept = self.handset.server.objects.get(value)
            if not isinstance(kept, Mapping):
                raise RpcError("androidx.test.uiautomator.UiObjectNotFoundException", f"UiObject {value} not found!")
            return kept
        try:
            return check(value)
        except NotASelector as error:
            raise WrongParameters(str(error)) from error

    def must_find(self, value: Any) -> Seen:
        selector = self.selector(value)
        seen = self.look(selector)
        if seen is None:
            raise not_found(dict(selector))
        return seen

    def look(self, selector: Mapping[str, Any]) -> Seen | None:
        try:
            return self.ask(lambda phone: find(phone, selector))
        except NotASelector as error:
            raise RpcError("java.util.regex.PatternSyntaxException", str(error)) from error


Call = Callable[..., Any]
_F = TypeVar("_F", bound=Call)
#: All calls by name; a module that defines some adds them here.
CALLS: dict[str, Call] = {}


def call(name: str) -> Callable[[_F], _F]:
    """Register a call under the name that clients use."""

    def register(function: _F) -> _F:
        CALLS[name] = function
        return function

    return register


def whole(value: Any) -> int:
    """An int as Jackson reads one: floats are cut."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not -(2**31) <= value < 2**31:
        raise WrongParameters(f"{value!r} is no int")
    return int(value)


def real(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not -1e9 < value < 1e9:
        raise WrongParameters(f"{value!r} is no float")
    return float(value)
