"""One command that came, and the session that it belongs to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from pytest_apex.phone.phone import Phone
from pytest_apex.phone_wires.handset import Handset
from pytest_apex.phone_wires.uiautomator.nodes import Seen, roots
from pytest_apex.phone_wires.webdriver.elements import ELEMENT_KEY, Elements, marks
from pytest_apex.phone_wires.webdriver.faults import Fault
from pytest_apex.phone_wires.webdriver.routes import Routes
from pytest_apex.phone_wires.webdriver.values import Body

_T = TypeVar("_T")
#: How the name of a toast's element begins: it is no node of the tree.
TOAST = "toast-"
#: What the server starts with (`model/settings/`), as far as it means something here.
SETTINGS: Mapping[str, Any] = {
    "actionAcknowledgmentTimeout": 3000,
    "allowInvisibleElements": False,
    "enableMultiWindows": False,
    "enableNotificationListener": True,
    "enableTopmostWindowFromActivePackage": False,
    "ignoreUnimportantViews": False,
    "keyInjectionDelay": 0,
    "scrollAcknowledgmentTimeout": 200,
    "snapshotMaxDepth": 70,
    "waitForIdleTimeout": 10_000,
    "waitForSelectorTimeout": 10_000,
}


@dataclass(slots=True)
class Session:
    """What lives from `POST /session` to its end. `since` is the phone's time at its start."""

    id: str
    elements: Elements
    since: float
    settings: dict[str, Any] = field(default_factory=lambda: dict(SETTINGS))


@dataclass(frozen=True, slots=True)
class Command:
    """One command of a session."""

    handset: Handset
    session: Session
    body: Body

    def ask(self, what: Callable[[Phone], _T]) -> _T:
        with self.handset.pace.held() as phone:
            return what(phone)

    # Windows and elements

    def wait_idle(self) -> None:
        """Wait for a screen that stays as it is, as long as the settings say."""
        self.handset.pace.idle(self.session.settings["waitForIdleTimeout"] / 1000)

    def roots(self, phone: Phone) -> list[Seen]:
        """The roots of the windows that the settings let be seen."""
        several = self.session.settings["enableMultiWindows"] is True
        return list(roots(phone, active_only=not several, locked=bool(self.handset.lock)))

    def seen(self, name: str) -> Seen:
        """The element of a name. Raises `Fault`: none, or not there any more."""
        with self.handset.pace.held() as phone:
            return self.seen_on(phone, name)

    def seen_on(self, phone: Phone, name: str) -> Seen:
        index = self.session.elements.index(phone, name)
        tree, screen = phone.tree(), phone.screen().bounds
        depth, above = 0, tree.parents[index]
        while above >= 0:
            depth, above = depth + 1, tree.parents[above]
        place = 0
        if tree.parents[index] >= 0:
            place = [child.index for child in tree.node(tree.parents[index]).children].index(index)
        return Seen(tree.node(index), place, depth, screen)

    def named(self, phone: Phone, seen: Seen) -> dict[str, str]:
        """An element for JSON."""
        return {ELEMENT_KEY: self.session.elements.name(marks(phone)[seen.node.index])}


def places(phone: Phone) -> object:
    """What tells whether anything has moved: equal before and after, nothing has."""
    tree = phone.tree()
    return tree.texts, tree.boxes.tobytes()


def origin_of(body: Body) -> str | None:
    """The element that a body counts from, by its name; None where there is none."""
    value = body.get("origin")
    if value is None:
        return None
    found = value.get(ELEMENT_KEY) or value.get("ELEMENT") if isinstance(value, dict) else None
    if not isinstance(found, str):
        raise Fault("invalid argument", "'origin' must be an element")
    return found


Act = Callable[..., Any]
#: All commands below `/session/{id}`; a module that defines some adds them here.
ROUTES: Routes[Act] = Routes()
