"""Answers that are WebDriver's by their form and not by what is in them: an error of ours, or a value that can be."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from pytest_apex.backends.appium.backend import AppiumBackend
from pytest_apex.backends.appium.wire import Reply
from pytest_apex.errors import ActionRefused, ApexError, DriverDead

from .scripted import ANDROID, IOS, TREE, Script, backend_on, picture, scripts_of, value

LOOKS = {
    "/source": value(TREE),
    "/screenshot": value(picture()),
    "/window/rect": value({"width": 400, "height": 800}),
    "/status": value({"ready": True}),
    "/appium/extensions": scripts_of("mobile: deviceInfo", "mobile: deviceScreenInfo"),
}


class Odd(Script):
    """Looks are answered as they should be, and all else with the same value."""

    def __init__(self, told: object) -> None:
        super().__init__(LOOKS)
        self.told = told

    def __call__(self, method: str, path: str, body: bytes | None, timeout: float) -> Reply:
        asked = "/" + path.partition("/session/")[2].partition("/")[2] if "/session/" in path else path
        return super().__call__(method, path, body, timeout) if asked in LOOKS else value(self.told)


ASKED: Mapping[str, Callable[[AppiumBackend], object]] = {
    "info": lambda backend: backend.info(),
    "capture": lambda backend: backend.capture(),
    "state": lambda backend: backend.app_state("x"),
    "in front": lambda backend: backend.app_in_front(),
    "log": lambda backend: backend.log(),
    "records": lambda backend: backend.records("x", 0.0),
    "apps": lambda backend: backend.app_ids(),
    "version": lambda backend: backend.app_version("x"),
    "pages": lambda backend: backend.web_pages("x"),
    "network": lambda backend: backend.network(),
    "clipboard": lambda backend: backend.clipboard(),
    "typing": lambda backend: backend.type_text("x"),
    "recording": lambda backend: backend.stop_recording(),
    "launch": lambda backend: backend.launch("x"),
}


@pytest.mark.parametrize("capabilities", [ANDROID, IOS], ids=["android", "ios"])
@pytest.mark.parametrize("told", [None, 5, "x", True, [1], [[1]], {"a": 1}], ids=str)
def test_whatever_comes_is_a_value_or_an_error_of_ours(told: object, capabilities: Mapping[str, Any]) -> None:
    backend = backend_on(Odd(told), capabilities)
    assert [words for name, ask in ASKED.items() if (words := _mistake(name, ask, backend))] == []


def _mistake(name: str, ask: Callable[[AppiumBackend], object], backend: AppiumBackend) -> str:
    try:
        ask(backend)
    except ApexError:
        return ""
    except Exception as error:  # noqa: BLE001 - it is named, and fails
        return f"{name}: {type(error).__name__}: {error}"
    return ""


@pytest.mark.parametrize("scale", ["x", None, [1], 0])
def test_a_screen_without_a_scale_has_one_pixel_a_point(scale: object) -> None:
    answers = {**LOOKS, "mobile: deviceScreenInfo": value({"scale": scale})}
    assert backend_on(Script(answers), IOS).info().screen.density == 1.0
    answers["mobile: deviceScreenInfo"] = value({"scale": 3})
    assert backend_on(Script(answers), IOS).info().screen.density == 3.0


@pytest.mark.parametrize("text", ['{"width": NaN, "height": 800}', '{"width": 1e999, "height": 800}', "null"])
def test_a_size_that_is_none_is_told(text: str) -> None:
    answers = {**LOOKS, "/window/rect": Reply(200, f'{{"value": {text}}}'.encode())}
    with pytest.raises(ActionRefused, match="tells no size of its screen"):
        backend_on(Script(answers)).info()


def test_no_list_of_apps_is_no_device_without_apps() -> None:
    with pytest.raises(DriverDead, match="sent no list of its apps"):
        backend_on(Script({**LOOKS, "mobile: listApps": value(None)})).app_ids()
    assert backend_on(Script({**LOOKS, "mobile: listApps": value({"x": {}})})).app_ids() == ["x"]


def test_a_tree_with_bytes_that_are_no_utf_8_is_read() -> None:
    source = json.dumps({"value": TREE}).encode().replace(b"Save", b"S\xffve")
    snapshot = backend_on(Script({**LOOKS, "/source": Reply(200, source)})).capture()
    assert "S\ufffdve" in {node.text for node in snapshot.nodes}
