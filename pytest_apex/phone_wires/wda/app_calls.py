"""Commands on apps: starting, stopping, their state, which one is in front, links."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pytest_apex.phone.phone import Phone
from pytest_apex.phone_wires.wda.command import ROUTES, Command, Session
from pytest_apex.phone_wires.webdriver.faults import BadValue, Fault
from pytest_apex.phone_wires.webdriver.values import Body, number, part, text

#: `XCUIApplicationState`.
_STATES = {"not_installed": 1, "not_running": 1, "background": 3, "foreground": 4}
#: How long a start may take (seconds).
_LAUNCH_S = 60.0


def is_there(phone: Phone, app: str) -> None:
    """Raises `Fault` when there is no such app."""
    if phone.app_state(app)[0] == "not_installed":
        raise Fault("invalid argument", f"The application with bundle id '{app[:200]}' is not installed")


def start(phone: Phone, session: Session, app: str, body: Body) -> None:
    """Launch or bring to the front. Arguments and environment are for one that does not run yet."""
    is_there(phone, app)
    arguments = body.get("arguments") or []
    environment = part(body, "environment") or {}
    if not isinstance(arguments, list) or not all(isinstance(item, (str, int, float)) for item in arguments):
        raise BadValue("'arguments' must be a list of texts")
    if len(arguments) > 1000 or len(environment) > 1000:
        raise BadValue("too many arguments or too large an environment")
    phone.launch(app, [str(item) for item in arguments], {str(key): str(value) for key, value in environment.items()})
    if session.app in ("", app):
        session.app, session.expected = app, True


def _start(command: Command, app: str, body: Body) -> None:
    with command.device.pace.held() as phone:
        start(phone, command.session, app, body)
    command.device.parts[0].active = app
    wait_up(command, app)


def wait_up(command: Command, app: str) -> None:
    """Until the app has drawn something."""

    def up(phone: Phone) -> bool:
        front = phone.machine.front
        return front is None or front.app.id != app or front.page is not None

    command.device.pace.wait(up, _LAUNCH_S, command.gone)


@ROUTES.add("POST", "/wda/apps/launch")
def launch(command: Command) -> None:
    _start(command, text(command.body, "bundleId"), command.body)


@ROUTES.add("POST", "/wda/apps/activate")
def activate(command: Command) -> None:
    _start(command, text(command.body, "bundleId"), {})


@ROUTES.add("POST", "/wda/apps/terminate")
def terminate(command: Command) -> bool:
    """Whether it ran."""
    app = text(command.body, "bundleId")
    with command.device.pace.held() as phone:
        is_there(phone, app)
        ran = phone.app_state(app)[1] != 0
        phone.stop(app)
    if app == command.session.app:
        command.session.expected = False
    return ran


@ROUTES.add("POST", "/wda/apps/state")
def state(command: Command) -> int:
    app = text(command.body, "bundleId")
    return _STATES[command.ask(lambda phone: phone.app_state(app)[0])]


@ROUTES.add("GET", "/wda/apps/list")
def active_apps(command: Command) -> list[dict[str, Any]]:
    info = active_app_info(command)
    return [{"pid": info["pid"], "bundleId": info["bundleId"]}]


@ROUTES.add("GET", "/wda/activeAppInfo")
def active_app_info(command: Command) -> dict[str, Any]:
    with command.device.pace.held() as phone:
        front, app = phone.machine.front, command.active_app(phone)
        mine = front is not None and front.app.id == app
        arguments: Mapping[str, Any] = {"args": [], "env": {}}
        if mine and front is not None:
            arguments = {"args": list(front.scope("args")), "env": dict(front.scope("env"))}
        return {
            "pid": front.pid if mine and front is not None else next(
                (window.pid for window in phone.tree().windows if window.app == app), 0),
            "bundleId": app,
            "name": front.app.name if mine and front is not None else "SpringBoard",
            "processArguments": arguments,
        }  # fmt: skip


@ROUTES.add("POST", "/wda/deactivateApp")
def deactivate(command: Command) -> None:
    """To the background for some seconds, then back."""
    seconds = number(command.body, "duration", 3)
    if not 0 <= seconds <= 600:
        raise BadValue("'duration' must be 0 to 600")
    app: str = command.ask(lambda phone: phone.in_front().id)
    command.device.pace.do(lambda phone: phone.press("home"))
    command.device.pace.sleep(seconds)
    with command.device.pace.held() as phone:
        if phone.app_state(app)[1]:
            phone.activate(app)


@ROUTES.add("POST", "/url")
def open_url(command: Command) -> None:
    url, app = text(command.body, "url"), text(command.body, "bundleId", "")
    with command.device.pace.held() as phone:
        if not phone.machine.open_url(url, app):
            raise Fault("invalid argument", f"Nobody opens {url[:200]}")
