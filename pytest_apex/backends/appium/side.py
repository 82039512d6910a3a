"""What differs between the platforms behind the same server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from pytest_apex.backends.base import AppState
from pytest_apex.model.screen import DeviceInfo


class Side(Protocol):
    """Apps, keys and facts of one platform."""

    @property
    def log_types(self) -> tuple[str, ...]:
        """The logs that are read, in the server's words."""

    def info(self) -> DeviceInfo: ...

    def launch(self, app: str, args: Sequence[str], env: Mapping[str, str]) -> int: ...

    def activate(self, app: str) -> None: ...

    def stop(self, app: str) -> None: ...

    def state(self, app: str) -> AppState: ...

    def in_front(self) -> str: ...

    def set_permission(self, app: str, permission: str, grant: bool) -> None: ...

    def clear_data(self, app: str) -> None: ...

    def press(self, key: str, hold_ms: int) -> None: ...

    def turn(self, name: str) -> None: ...

    def known_pid(self, app: str) -> int: ...
