"""Commands by method and path."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from pytest_apex.phone_wires.webdriver.faults import Fault

_C = TypeVar("_C", bound=Callable[..., Any])
#: The longest path that is taken apart.
_MOST_PARTS = 20


class Routes(Generic[_C]):
    """Patterns such as `/element/{element}/rect`; a part in braces is any text without a slash."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, ...], dict[str, _C]] = {}

    def add(self, method: str, pattern: str) -> Callable[[_C], _C]:
        """Register a command; what its braces took is given to it by place."""

        def register(function: _C) -> _C:
            parts = tuple("" if part.startswith("{") else part for part in pattern.strip("/").split("/"))
            self._known.setdefault(parts, {})[method] = function
            return function

        return register

    def find(self, method: str, path: str) -> tuple[_C, list[str]]:
        """The command, and what its braces took. Raises `Fault`: unknown command, or unknown method for it."""
        given = path.strip("/").split("/")
        methods: set[str] = set()
        if len(given) <= _MOST_PARTS:
            for parts, by_method in self._known.items():
                if len(parts) == len(given) and all(want in ("", got) for want, got in zip(parts, given, strict=True)):
                    methods |= by_method.keys()
                    if method in by_method:
                        return by_method[method], [got for want, got in zip(parts, given, strict=True) if not want]
        if methods:
            raise Fault("unknown method", f"{method[:20]} is not how to call /{path.strip('/')[:200]}")
        raise Fault("unknown command", f"Unhandled endpoint: /{path.strip('/')[:200]}")
