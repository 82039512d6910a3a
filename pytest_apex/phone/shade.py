"""Short messages of apps: toasts, and notifications in the shade that is pulled down from the top."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from pytest_apex.phone.parts import AppFile, Effect

#: Toasts that are remembered.
_TOASTS = 200


@dataclass(frozen=True, slots=True)
class ShownToast:
    """A toast: what it said, when it came up, whose it was."""

    text: str
    at: float
    app: str


@dataclass(frozen=True, slots=True)
class Notification:
    """A notification. `then` is what a tap on it does in its app; `number` tells it from all others."""

    number: int
    app: AppFile
    title: str
    text: str
    then: tuple[Effect, ...] = ()


class Shade:
    """What apps have told so far. The newest notification is the last."""

    def __init__(self) -> None:
        self.open = False
        self.toasts: deque[ShownToast] = deque(maxlen=_TOASTS)
        self.notifications: tuple[Notification, ...] = ()
        self._posted = 0

    def post(self, app: AppFile, title: str, text: str, then: tuple[Effect, ...]) -> None:
        self._posted += 1
        self.notifications = (*self.notifications, Notification(self._posted, app, title, text, then))

    def take(self, number: int) -> Notification | None:
        """A notification, which goes with that."""
        found = next((item for item in self.notifications if item.number == number), None)
        self.notifications = tuple(item for item in self.notifications if item is not found)
        return found

    def drop(self, app_id: str) -> None:
        """All notifications of an app go."""
        self.notifications = tuple(item for item in self.notifications if item.app.id != app_id)
