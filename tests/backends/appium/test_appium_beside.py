"""Two apps on one screen of an iPad: each is read as WebDriverAgent tells it, and what it tells is put back."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from pytest_apex.backends.abilities import SharesScreen
from pytest_apex.backends.appium.backend import AppiumBackend
from pytest_apex.backends.appium.wire import Broken, Reply
from pytest_apex.backends.virtual import VirtualBackend
from pytest_apex.errors import DriverDead
from pytest_apex.gestures.compile import compile_action
from pytest_apex.gestures.rules import RULES
from pytest_apex.hierarchy.hit import find_hit
from pytest_apex.model.action import Tap
from pytest_apex.model.geometry import Point, Rect
from pytest_apex.model.look import Hit, Obscured
from pytest_apex.model.node import Node
from pytest_apex.model.snapshot import Snapshot

from .scripted import ANDROID, ELEMENT, IOS, Script, backend_on, failed, picture, scripts_of, value

NOTES, MAIL, SYSTEM = "com.example.notes", "com.example.mail", "com.apple.springboard"
HALVES = {NOTES: (0, 0, 590, 820), MAIL: (590, 0, 590, 820)}
SLIDE_OVER = {NOTES: (0, 0, 1180, 820), MAIL: (800, 20, 360, 780)}
STAGES = {NOTES: (0, 0, 800, 800), MAIL: (300, 20, 800, 790)}
SET = "/appium/settings"
SETTING = "defaultActiveApplication"


def source_of(app: str, x: float, y: float, width: float, height: float) -> str:
    name = app.rpartition(".")[2]
    place = f'x="{x}" y="{y}" width="{width}" height="{height}"'
    kind = '<XCUIElementType{0} type="XCUIElementType{0}" enabled="true" visible="true" '
    return (
        f'<AppiumAUT>{kind.format("Application")}name="{name}" label="{name}" bundleId="{app}" '
        f'processId="{len(app)}" {place}>{kind.format("Window")}{place}>{kind.format("Button")}'
        f'name="open {name}" label="open {name}" x="{x + width / 2 - 50}" y="{y + 100}" width="100" height="40"/>'
        "</XCUIElementTypeWindow></XCUIElementTypeApplication></AppiumAUT>"
    )


class Pad(Script):
    """WebDriverAgent as `FBSession.m` has it: `tested` is told unless the setting names another app in the
    foreground."""

    def __init__(self, places: Mapping[str, tuple[float, float, float, float]], idiom: int = 1) -> None:
        super().__init__(
            {
                "/appium/extensions": scripts_of(
                    "mobile: activateApp", "mobile: terminateApp", "mobile: queryAppState", "mobile: tap"
                ),
                "/screenshot": value(picture(118, 82)), "mobile: activateApp": value(None),
                "mobile: terminateApp": value(True), "mobile: launchApp": value(None),
                "/window/rect": value({"x": 0, "y": 0, "width": 1180, "height": 820}),
                "mobile: deviceInfo": value({"userInterfaceIdiom": idiom}), "mobile: tap": value(None),
                "/element/e1/value": value(None), "/actions": value(None),
            }
        )  # fmt: skip
        self.places = dict(places)
        self.tested = NOTES
        self.setting: str | None = None
        self.alert = False
        self.on_activate: Callable[[], object] = lambda: None

    @property
    def told(self) -> str:
        return self.setting if self.setting in self.places else SYSTEM if self.alert else self.tested

    def __call__(self, method: str, path: str, body: bytes | None, timeout: float) -> Reply:
        told = json.loads(body) if body else {}
        if path.endswith("/source"):
            self.answers.setdefault(
                "/source", value(source_of(self.told, *self.places.get(self.told, (0, 0, 1180, 820))))
            )
            reply = super().__call__(method, path, body, timeout)
            if isinstance(self.answers["/source"], Reply) and self.answers["/source"].status == 200:
                del self.answers["/source"]
            return reply
        if path.endswith(SET) and SET not in self.answers:
            if method == "POST":
                self.setting = told["settings"][SETTING]
            self.answers[SET] = value({} if self.setting is None else {SETTING: self.setting})
            reply = super().__call__(method, path, body, timeout)
            del self.answers[SET]
            return reply
        if told.get("script") == "mobile: queryAppState":
            self.answers["mobile: queryAppState"] = value(4 if told["args"][0]["bundleId"] in self.places else 3)
        if told.get("script") == "mobile: activeAppInfo":
            self.answers["mobile: activeAppInfo"] = value({"bundleId": self.told, "pid": len(self.told)})
        if told.get("script") == "mobile: activateApp":
            self.on_activate()
        if path.endswith("/element/active"):
            focused = self.told == MAIL
            self.answers["/element/active"] = value({ELEMENT: "e1"}) if focused else failed("no such element", "none")
        return super().__call__(method, path, body, timeout)

    @property
    def settings(self) -> list[str]:
        """What the setting was turned to."""
        return [told["settings"][SETTING] for method, path, told in self.sent if (method, path) == ("POST", SET)]


def pad(places: Mapping[str, tuple[float, float, float, float]] = HALVES, idiom: int = 1) -> tuple[AppiumBackend, Pad]:
    """An iPad on which the session started both apps, the one of mail last."""
    script = Pad(places, idiom)
    backend = backend_on(script, IOS)
    backend.info()
    backend.activate(NOTES)
    backend.activate(MAIL)
    script.sent.clear()
    return backend, script


def button(look: Snapshot, name: str) -> Node:
    return next(node for node in look.nodes if node.identifier == f"open {name}")


def paths(script: Script) -> list[str]:
    return [told["script"] if path == "/execute/sync" else path for _, path, told in script.sent]


LOOK = ["/source", "/screenshot"]


def test_both_apps_are_in_one_tree_and_what_is_told_is_put_back() -> None:
    backend, script = pad()
    look = backend.capture()
    assert [(window.app, window.bounds, window.focused) for window in look.windows] == [
        (NOTES, Rect(0, 0, 590, 820), False), (MAIL, Rect(590, 0, 1180, 820), True),
    ]  # fmt: skip
    assert (look.screen.size.width, look.screen.scale, look.app.id, look.app.pid) == (1180, 0.1, MAIL, len(MAIL))
    assert look.picture is not None
    assert not look.notes
    assert button(look, "mail").raw["name"] == "open mail"
    assert script.settings == [MAIL, "auto"]
    assert backend.inactive_apps() == {NOTES}


def test_the_text_form_names_the_app_to_be_activated_for_each_node_of_the_other_one() -> None:
    look = pad()[0].capture()
    lines = look.to_text().splitlines()
    assert [line.rpartition("activationBundleId: ")[2] for line in lines if "activationBundleId" in line] == [
        f"'{NOTES}'"
    ] * 3
    again = Snapshot.from_text(look.to_text())
    assert again.to_text() == look.to_text()


def test_one_known_app_costs_no_request_more() -> None:
    script = Pad(HALVES)
    backend = backend_on(script, IOS)
    backend.info()
    backend.activate(NOTES)
    script.sent.clear()
    look = backend.capture()
    assert paths(script) == LOOK
    assert {window.app for window in look.windows} == {NOTES}
    assert not backend.inactive_apps()


def test_an_iphone_with_two_known_apps_is_asked_once_what_it_is() -> None:
    backend, script = pad({NOTES: (0, 0, 1180, 820)}, idiom=0)
    backend.capture()
    backend.capture()
    assert paths(script) == [*LOOK, "mobile: deviceInfo", *LOOK]


def test_an_app_in_the_background_is_not_read() -> None:
    backend, script = pad({NOTES: (0, 0, 1180, 820)})
    look = backend.capture()
    assert paths(script) == [*LOOK, "mobile: deviceInfo", "mobile: queryAppState"]
    assert {window.app for window in look.windows} == {NOTES}
    assert script.settings == []


def test_an_app_that_was_ended_is_asked_for_no_more() -> None:
    backend, script = pad()
    backend.stop(MAIL)
    script.sent.clear()
    backend.capture()
    assert paths(script) == LOOK


def test_an_alert_of_the_system_is_seen_and_nothing_beside_it() -> None:
    backend, script = pad()
    script.alert = True
    look = backend.capture()
    assert {window.app for window in look.windows} == {SYSTEM}
    assert paths(script) == LOOK
    assert not backend.inactive_apps()
    script.alert = False
    assert backend.capture().app.id == MAIL


def test_the_own_setting_of_the_suite_is_put_back() -> None:
    backend, script = pad()
    script.setting = MAIL
    look = backend.capture()
    assert {window.app for window in look.windows} == {NOTES, MAIL}
    assert (script.settings, script.setting) == ([NOTES, MAIL], MAIL)


@pytest.mark.parametrize("answer", [failed("unknown error", "Cannot get 'xml' source"), Reply(200, b'{"value": ""}')])
def test_what_is_told_is_put_back_too_where_the_other_app_can_t_be_read(answer: Reply) -> None:
    backend, script = pad()
    good = value(source_of(NOTES, *HALVES[NOTES]))
    script.answers["/source"] = [good, answer]
    if answer.status == 200:
        with pytest.raises(DriverDead, match="no tree"):
            backend.capture()
    else:
        look = backend.capture()
        assert {window.app for window in look.windows} == {NOTES}
        assert any("Cannot get 'xml' source" in note for note in look.notes)
    assert (script.settings, script.setting) == ([MAIL, "auto"], "auto")


def test_a_setting_that_could_not_be_put_back_is_put_back_before_the_next_look() -> None:
    backend, script = pad()
    send, broken = script.__class__.__call__, [True]

    def breaks(method: str, path: str, body: bytes | None, timeout: float) -> Reply:
        if broken[0] and method == "POST" and path.endswith(SET) and body is not None and b"auto" in body:
            raise Broken("silent", "no answer")
        return send(script, method, path, body, timeout)

    backend._connection.channel._send = breaks
    with pytest.raises(DriverDead):
        backend.capture()
    assert script.setting == MAIL
    broken[0] = False
    script.sent.clear()
    backend.capture()
    assert paths(script)[:2] == [SET, "/source"]
    assert script.setting == "auto"


def test_a_server_without_that_setting_tells_one_app_with_a_note() -> None:
    backend, script = pad()
    script.answers[SET] = failed("unknown command", "no settings", 404)
    look = backend.capture()
    assert {window.app for window in look.windows} == {NOTES}
    assert any(MAIL in note for note in look.notes)
    backend.capture()
    assert not backend.inactive_apps()


@pytest.mark.parametrize("active", [NOTES, MAIL])
def test_an_app_that_slides_over_covers_the_other_one_whichever_is_active(active: str) -> None:
    backend, _ = pad(SLIDE_OVER)
    backend.activate(active)
    look = backend.capture()
    assert [window.app for window in look.windows] == [NOTES, MAIL]
    assert isinstance(find_hit(look, button(look, "mail")), Hit)
    assert look.app.id == active


@pytest.mark.parametrize(("active", "under"), [(NOTES, "mail"), (MAIL, "notes")])
def test_of_two_that_overlap_in_part_the_active_one_is_on_top(active: str, under: str) -> None:
    backend, _ = pad(STAGES)
    backend.activate(active)
    look = backend.capture()
    assert look.windows[-1].app == active
    assert isinstance(find_hit(look, button(look, active.rpartition(".")[2])), Hit)
    answer = find_hit(look, button(look, under))
    assert isinstance(answer, (Hit, Obscured))
    if isinstance(answer, Hit):
        assert not look.windows[-1].bounds.contains(answer.point)


def tap(at: Point) -> Any:
    return compile_action(Tap(at), RULES["ios"])


@pytest.mark.parametrize(("tested", "sent"), [(NOTES, {"x": 885, "y": 120}), (MAIL, {"x": 295, "y": 120})])
def test_places_are_sent_from_the_corner_of_the_app_that_is_told(tested: str, sent: dict[str, int]) -> None:
    backend, script = pad()
    script.tested = tested
    look = backend.capture()
    backend.perform(tap(button(look, "mail").bounds.center))
    assert script.scripts("mobile: tap") == [sent]


def test_text_goes_to_the_field_of_the_app_that_is_active() -> None:
    backend, script = pad()
    backend.capture()
    script.sent.clear()
    backend.type_text("hello")
    assert paths(script) == [SET, SET, "/element/active", "/element/e1/value", SET]
    assert script.setting == "auto"


def test_the_process_of_an_app_beside_the_told_one_is_known_and_it_is_the_one_in_front() -> None:
    backend, script = pad()
    backend.capture()
    assert backend.app_state(MAIL).pid == len(MAIL)
    assert backend.app_in_front() == MAIL
    backend.activate(NOTES)
    assert backend.app_in_front() == NOTES
    assert script.setting == "auto"


def test_an_app_that_went_and_came_back_has_to_be_activated_again() -> None:
    backend, script = pad()
    assert backend.capture().app.id == MAIL
    del script.places[MAIL]
    backend.capture()
    script.places[MAIL] = HALVES[MAIL]
    assert backend.capture().app.id == NOTES
    assert backend.inactive_apps() == {NOTES, MAIL}


def test_android_has_nothing_to_activate_and_asks_for_nothing() -> None:
    script = Script(
        {"/screenshot": value(picture()), "/source": value("<hierarchy/>"), "mobile: activateApp": value(1)}
    )
    backend = backend_on(script, ANDROID)
    backend.activate(NOTES)
    backend.activate(MAIL)
    script.sent.clear()
    assert not backend.inactive_apps()
    assert SET not in paths(script)
    assert not isinstance(VirtualBackend, SharesScreen)
