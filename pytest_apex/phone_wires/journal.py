"""All that the phone on the wire received, with the time at which it came."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

#: The oldest entries go first.
_KEPT = 200_000


@dataclass(frozen=True, slots=True)
class Entry:
    """`at` is seconds on the real clock (`clock.Clock` of the server).

    Kinds: `open` (a stream of adb, by its destination), `shell` (a command line), `http` (a request: method and path),
    `rpc` (a call: name and parameters), `sync` (a request: its id and path), `touch` (down, move or up: finger, x, y),
    `inactive` (a touch on an app that was not the active one: the app, and the active one).
    """

    at: float
    kind: str
    name: str
    args: tuple[Any, ...] = ()


class Journal:
    def __init__(self) -> None:
        self._entries: list[Entry] = []
        self._lock = threading.Lock()

    def add(self, at: float, kind: str, name: str, *args: Any) -> None:
        with self._lock:
            self._entries.append(Entry(at, kind, name, args))
            if len(self._entries) > _KEPT:
                del self._entries[: _KEPT // 10]

    def clear(self) -> None:
        with self._lock:
            self._entries.clear()

    def entries(self, kind: str = "", name: str = "") -> Sequence[Entry]:
        """Entries of a kind, of a name, or all, in the order in which they came."""
        with self._lock:
            return [item for item in self._entries if kind in ("", item.kind) and name in ("", item.name)]

    @property
    def shell(self) -> list[str]:
        """All command lines."""
        return [item.name for item in self.entries("shell")]

    @property
    def touches(self) -> Sequence[Entry]:
        """All samples of fingers."""
        return self.entries("touch")
