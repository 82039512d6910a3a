"""One command that came to WebDriverAgent, and the session that it belongs to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from pytest_apex.model.geometry import Rect
from pytest_apex.model.node import Node
from pytest_apex.phone.phone import Phone
from pytest_apex.phone_wires.wda.device import AppleDevice
from pytest_apex.phone_wires.webdriver.elements import ELEMENT_KEY, Elements, marks
from pytest_apex.phone_wires.webdriver.faults import Fault
from pytest_apex.phone_wires.webdriver.routes import Routes
from pytest_apex.phone_wires.webdriver.values import Body

_T = TypeVar("_T")
#: What WebDriverAgent starts with (`FBConfiguration`), as far as it means something here.
SETTINGS: Mapping[str, Any] = {
    "acceptAlertButtonSelector": "",
    "activeAppDetectionPoint": "64.00,64.00",
    "animationCoolOffTimeout": 2.0,
    "autoClickAlertSelector": "",
    "boundElementsByIndex": False,
    "customSnapshotTimeout": 15.0,
    "defaultActiveApplication": "auto",
    "defaultAlertAction": "",
    "dismissAlertButtonSelector": "",
    "elementResponseAttributes": "type,label",
    "includeHittableInPageSource": False,
    "includeNativeFrameInPageSource": False,
    "keyboardAutocorrection": False,
    "keyboardPrediction": False,
    "maxTypingFrequency": 60,
    "mjpegScalingFactor": 100.0,
    "mjpegServerFramerate": 10,
    "mjpegServerScreenshotQuality": 25,
    "pageSourceExcludedAttributes": "",
    "reduceMotion": False,
    "respectSystemAlerts": False,
    "screenshotOrientation": "auto",
    "screenshotQuality": 3,
    "shouldUseCompactResponses": True,
    "snapshotMaxChildren": 2_147_483_647,
    "snapshotMaxDepth": 50,
    "useClearTextShortcut": True,
    "useFirstMatch": False,
    "waitForIdleTimeout": 10.0,
}


@dataclass(slots=True)
class Session:
    """`app` is the tested one, "" for none; while `expected` it has to run."""

    id: str
    elements: Elements
    app: str = ""
    expected: bool = False
    settings: dict[str, Any] = field(default_factory=lambda: dict(SETTINGS))


@dataclass(frozen=True, slots=True)
class Command:
    """`query` are the parameters behind the path; `gone` says whether the server, or who asked it, is gone."""

    device: AppleDevice
    session: Session
    body: Body
    query: Mapping[str, str]
    gone: Callable[[], bool]

    def ask(self, what: Callable[[Phone], _T]) -> _T:
        with self.device.pace.held() as phone:
            return what(phone)

    def settle(self) -> None:
        """Wait for a screen that stays as it is, as the settings say."""
        self.device.pace.idle(float(self.session.settings["animationCoolOffTimeout"]))

    def active_app(self, phone: Phone) -> str:
        """The bundle id of the app that commands are for (`FBSession.activeApplication`). Raises `Fault` for a tested
        app that is gone without having been told to."""
        session = self.session
        wanted = session.settings["defaultActiveApplication"]
        if wanted not in ("", "auto") and phone.app_state(wanted)[0] == "foreground":
            return str(wanted)
        dialog = phone.machine.dialog is not None and session.settings["respectSystemAlerts"] is True
        alone = len(self.device.parts) == 1
        if session.app and not dialog and (alone or phone.app_state(session.app)[0] != "not_installed"):
            state = phone.app_state(session.app)[0]
            if state == "foreground":
                return session.app
            if session.expected and state in ("not_running", "not_installed"):
                raise Fault(
                    "invalid element state",
                    f"The application under test with bundle id '{session.app}' is not running, possibly crashed",
                )
        return phone.in_front().id

    # Elements

    def node(self, phone: Phone, name: str) -> Node:
        """The element of a name; "0" is the active app's. Raises `Fault`: none, or not there any more."""
        if name == "0":
            return top_nodes(self, phone)[0]
        return phone.tree().node(self.session.elements.index(phone, name))

    def bounds(self, name: str) -> Rect:
        with self.device.pace.held() as phone:
            return self.on_screen(self.node(phone, name).bounds)

    def on_screen(self, bounds: Rect) -> Rect:
        """What is told and touched: in points of the whole screen."""
        return bounds.moved(self.device.left, 0) if self.device.left else bounds

    def corner(self) -> float:
        """Where the frame of the active app begins, which places on no element count from."""
        return self.device.left if self.ask(lambda phone: phone.machine.dialog is None) else 0.0

    def named(self, phone: Phone, node: Node) -> dict[str, str]:
        """An element for JSON, under both keys as WebDriverAgent has it."""
        name = self.session.elements.name(marks(phone)[node.index])
        return {ELEMENT_KEY: name, "ELEMENT": name}


def top_nodes(command: Command, phone: Phone) -> Sequence[Node]:
    """What belongs to the active app: its windows, and the keyboard over them. Under a dialog of the system the phone
    knows nothing of the app: then it is that dialog. Raises `Fault` if there is nothing."""
    app, tree = command.active_app(phone), phone.tree()
    if phone.machine.dialog is not None:
        app = phone.in_front().id
    tops = [tree.node(index) for index, parent in enumerate(tree.parents) if parent < 0]
    own = [node for node in tops if node.window.app == app and node.window.kind != "status_bar"]
    if own:
        own += [node for node in tops if node.window.kind == "keyboard"]
    if not own and phone.mute:
        raise Fault("unknown error", "Cannot get 'xml' source of the current application")
    # A tree that says nothing has no window of an app: it is told as the application's all the same.
    own = own or [node for node in tops if node.window.kind != "status_bar"]
    if not own:
        raise Fault("unknown error", f"The tree of {app} is empty")
    return sorted(own, key=lambda node: node.role != "application")


Act = Callable[..., Any]
#: All commands below `/session/{id}`; a module that defines some adds them here.
ROUTES: Routes[Act] = Routes()
_A = TypeVar("_A", bound=Act)
#: Commands that only iOS has: on tvOS and watchOS they are compiled out.
TOUCH: set[Act] = set()


def touch_route(pattern: str) -> Callable[[_A], _A]:
    """Register a `POST` that needs a touch screen."""

    def register(function: _A) -> _A:
        TOUCH.add(function)
        ROUTES.add("POST", pattern)(function)
        return function

    return register
