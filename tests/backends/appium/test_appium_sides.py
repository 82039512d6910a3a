"""Capabilities, keys, apps and logs of the platforms, by a server in a script."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pytest_apex.backends.appium.apple import SERVICES
from pytest_apex.backends.appium.capabilities import read_capabilities, wanted
from pytest_apex.backends.base import CAPABILITIES, AppState
from pytest_apex.errors import ActionRefused, CapabilityMissing, ConfigError
from pytest_apex.model.action import Sample, Stroke, Track

from .scripted import ANDROID, ELEMENT, IOS, Script, backend_on, failed, scripts_of, value

SIMULATOR = "5A8D1F2C-9B3E-4C7D-8E6F-1A2B3C4D5E6F"
APPS = ("mobile: activateApp", "mobile: terminateApp", "mobile: queryAppState")


# What a session is asked for


def test_names_without_a_prefix_get_one(tmp_path: Path) -> None:
    text = json.dumps({"platformName": "iOS", "bundleId": "x", "df:build": 1})
    assert read_capabilities(text) == {"platformName": "iOS", "appium:bundleId": "x", "df:build": 1}
    (tmp_path / "caps.json").write_text(text)
    assert read_capabilities(str(tmp_path / "caps.json")) == read_capabilities(text)
    assert read_capabilities("") == {}


@pytest.mark.parametrize("text", ["{", "[]", "[1]", "no/such/file.json", '{"a": }'])
def test_capabilities_that_can_not_be_read(text: str) -> None:
    with pytest.raises(ConfigError, match="appium-caps"):
        read_capabilities(text)


@pytest.mark.parametrize(
    ("device", "platform"),
    [
        ("R58M123ABC", "Android"), ("emulator-5554", "Android"), ("192.168.1.20:5555", "Android"), ("auto", "Android"),
        ("00008110-000A1C2E3F04801E", "iOS"), ("3f0a5c3e9b7d24683f0a5c3e9b7d24683f0a5c3e", "iOS"),
        ("5A8D1F2C-9B3E-4C7D-8E6F-1A2B3C4D5E6F", "iOS"),
    ],
)  # fmt: skip
def test_the_platform_by_the_form_of_its_id(device: str, platform: str) -> None:
    asked = wanted(device, {})
    assert asked["platformName"] == platform
    assert asked.get("appium:udid", "auto") == device
    assert asked["appium:newCommandTimeout"] > 60


def test_what_is_given_wins() -> None:
    asked = wanted("auto", {"appium:udid": "R58M", "appium:settings[waitForIdleTimeout]": 500})
    assert (asked["appium:udid"], asked["appium:settings[waitForIdleTimeout]"]) == ("R58M", 500)


def test_what_contradicts_the_device_is_told_and_what_repeats_it_is_not() -> None:
    with pytest.raises(ConfigError, match="--device=R58M, and --appium-caps names another one"):
        wanted("R58M", {"appium:udid": "other"})
    assert wanted("R58M", {"appium:udid": "R58M"})["appium:udid"] == "R58M"


def test_each_device_may_have_capabilities_of_its_own() -> None:
    given = read_capabilities('{"noReset": false, "apex:devices": {"a": {"wdaLocalPort": 8101, "noReset": true}}}')
    own, other = wanted("a", given), wanted("b", given)
    assert (own["appium:wdaLocalPort"], own["appium:noReset"]) == (8101, True)
    assert ("appium:wdaLocalPort" in other, other["appium:noReset"]) == (False, False)
    assert "apex:devices" not in own | other


@pytest.mark.parametrize("text", ['{"platformName": ["a"]}', '{"apex:devices": 1}', '{"apex:devices": {"a": 1}}'])
def test_capabilities_that_can_mean_nothing_are_told(text: str) -> None:
    with pytest.raises(ConfigError, match="can't read --appium-caps"):
        wanted("a", read_capabilities(text))


@pytest.mark.parametrize("device", ["00008110-000A1C2E3F04801E", SIMULATOR])
def test_a_webdriveragent_of_the_right_version_is_left_to_run(device: str) -> None:
    """As the driver has it by default: it builds and installs anew only where it is told so."""
    asked = wanted(device, {})
    assert not {name for name in asked if "wda" in name.lower() or "webdriveragent" in name.lower()}
    assert wanted(device, {"appium:useNewWDA": True})["appium:useNewWDA"] is True


# What a device can do


@pytest.mark.parametrize(
    ("told", "has", "has_not"),
    [
        (ANDROID, {"tap", "pinch", "press", "log"}, {"crown", "remote", "press_hold", "app_control"}),
        (IOS, {"tap", "pinch", "press"}, {"crown", "remote", "permissions", "press_hold", "app_control"}),
        ({**IOS, "platformName": "tvOS"}, {"remote", "press", "type"}, {"tap", "swipe", "crown"}),
        ({**IOS, "platformName": "watchOS"}, {"tap", "press", "log"}, {"swipe", "long_press", "type", "crown"}),
        ({"platformName": "Fake", "appium:automationName": "Fake"}, {"tap"}, {"press", "app_control", "log"}),
    ],
)
def test_what_it_can_do_is_known_before(told: dict[str, Any], has: set[str], has_not: set[str]) -> None:
    backend = backend_on(Script({"/appium/extensions": scripts_of("mobile: nothing")}), told)
    assert has <= backend.capabilities <= CAPABILITIES
    assert not has_not & backend.capabilities


def test_a_command_that_the_driver_has_makes_the_difference() -> None:
    watch = {**IOS, "platformName": "watchOS"}
    script = Script({"/appium/extensions": scripts_of("mobile: rotateDigitalCrown", *APPS)})
    assert {"crown", "app_control"} <= backend_on(script, watch).capabilities


def test_a_touch_where_there_is_none_is_refused_and_nothing_is_sent() -> None:
    script = Script({})
    backend = backend_on(script, {**IOS, "platformName": "tvOS"})
    with pytest.raises(CapabilityMissing, match="can't be touched"):
        backend.perform(Track("tap", (Stroke(0, (Sample(0, 1, 1), Sample(60, 1, 1))),)))
    assert script.sent == []


def test_another_driver_of_ios_is_refused() -> None:
    with pytest.raises(ConfigError, match="no way to drive ios"):
        backend_on(Script({}), {**IOS, "appium:automationName": "Other"})


# Keys and text


@pytest.mark.parametrize(
    ("told", "key", "hold", "script", "arguments"),
    [
        (ANDROID, "back", 0, "mobile: pressKey", {"keycode": 4}),
        (IOS, "volume_up", 0, "mobile: pressButton", {"name": "volumeUp"}),
        (IOS, "home", 700, "mobile: performIoHidEvent", {"page": 12, "usage": 64, "durationSeconds": 0.7}),
        (IOS, "enter", 0, "mobile: keys", {"keys": ["\n"]}),
        ({**IOS, "platformName": "tvOS"}, "select", 0, "mobile: pressButton", {"name": "select"}),
        ({**IOS, "platformName": "tvOS"}, "menu", 1500, "mobile: pressButton",
         {"name": "menu", "durationSeconds": 1.5}),
        ({**IOS, "platformName": "watchOS"}, "hand_flick", 0, "mobile: performHandGesture", {"name": "flick"}),
        ({**IOS, "platformName": "watchOS"}, "crown", 0, "mobile: pressButton", {"name": "home"}),
    ],
)  # fmt: skip
def test_a_key_is_the_platforms_own(
    told: dict[str, Any], key: str, hold: int, script: str, arguments: dict[str, Any]
) -> None:
    server = Script({script: value(None)})
    backend_on(server, told).press(key, hold)
    assert server.scripts(script) == [arguments]


def test_a_key_that_it_has_not_is_refused_and_nothing_is_sent() -> None:
    server = Script({})
    with pytest.raises(CapabilityMissing, match="no key"):
        backend_on(server, {**IOS, "platformName": "tvOS"}).press("back")
    assert server.sent == []


def test_text_goes_to_the_focused_field() -> None:
    server = Script({"/element/active": value({ELEMENT: "e1"}), "/element/e1/value": value(None)})
    backend_on(server).type_text("Grüße 🎉")
    assert server.sent[-1] == ("POST", "/element/e1/value", {"text": "Grüße 🎉"})


@pytest.mark.parametrize("answer", [failed("no such element", "no focus", 404), value(None), value({})])
def test_text_without_a_field_is_refused(answer: Any) -> None:
    server = Script({"/element/active": answer})
    with pytest.raises(ActionRefused, match="focused text field"):
        backend_on(server).type_text("lost")
    assert server.paths() == []


# Apps


def test_arguments_arrive_though_the_app_runs_already() -> None:
    server = Script(
        {
            "mobile: queryAppState": value(4), "mobile: terminateApp": value(True), "mobile: launchApp": value(None),
            "mobile: activeAppInfo": value({"pid": 41, "bundleId": "com.example.notes"}),
        }
    )  # fmt: skip
    backend = backend_on(server, IOS)
    assert backend.launch("com.example.notes", ["--reset"], {"MODE": "demo"}) == 41
    order = [name for name in server.paths() if name in ("mobile: terminateApp", "mobile: launchApp")]
    assert order == ["mobile: terminateApp", "mobile: launchApp"]
    assert server.scripts("mobile: launchApp") == [
        {"bundleId": "com.example.notes", "arguments": ["--reset"], "environment": {"MODE": "demo"}}
    ]


def test_extras_are_quoted_for_the_phones_shell() -> None:
    server = Script(
        {
            "mobile: activateApp": value(None), "mobile: terminateApp": value(True), "/se/log": value([]),
            "mobile: getCurrentActivity": value(".Main"), "mobile: startActivity": value("Starting: Intent"),
            "mobile: shell": [value("apex\n"), value("4711\n")],
            "/appium/extensions": scripts_of("mobile: shell", *APPS),
        }
    )  # fmt: skip
    assert backend_on(server).launch("com.example.notes", ["it's"], {"MODE": "two words"}) == 4711
    (asked,) = server.scripts("mobile: startActivity")
    assert asked["component"] == "com.example.notes/.Main"
    assert asked["extras"] == [["s", "MODE", "'two words'"], ["sa", "apex_args", "'it'\"'\"'s'"]]


def test_the_pid_by_the_log_where_the_shell_is_not_allowed() -> None:
    line = "03-02 09:41:08.640  1523  1547 I ActivityManager: Start proc 29670:com.example.notes/u0a123 for top"
    server = Script(
        {
            "mobile: shell": failed("unknown error", "Potentially insecure feature 'adb_shell' has not been enabled"),
            "mobile: queryAppState": value(4),
            "/se/log": [value([{"message": line, "level": "ALL", "timestamp": 1}]), value([])],
            "/appium/extensions": scripts_of("mobile: shell", *APPS),
        }
    )
    backend = backend_on(server)
    assert backend.app_state("com.example.notes") == AppState("com.example.notes", "foreground", 29670)
    assert backend.app_state("com.example.notes").pid == 29670
    assert server.scripts("mobile: shell") == []


@pytest.mark.parametrize(
    ("told", "number", "state"),
    [(ANDROID, 0, "not_installed"), (ANDROID, 1, "not_running"), (IOS, 1, "not_running"), (IOS, 2, "background")],
)
def test_states_of_an_app(told: dict[str, Any], number: int, state: str) -> None:
    server = Script({"mobile: queryAppState": value(number), "mobile: isAppInstalled": value(True)})
    assert backend_on(server, told).app_state("x").state == state


@pytest.mark.parametrize(
    ("permission", "grant", "access"),
    [("camera", True, {"camera": "yes"}), ("Location", False, {"location": "no"}),
     ("*", True, dict.fromkeys(SERVICES, "yes"))],
)  # fmt: skip
def test_a_simulator_takes_permissions(permission: str, grant: bool, access: dict[str, str]) -> None:
    server = Script({"mobile: setPermission": value(None)})
    backend = backend_on(server, {**IOS, "udid": SIMULATOR})
    assert "permissions" in backend.capabilities
    backend.set_permission("com.example.notes", permission, grant)
    assert server.scripts("mobile: setPermission") == [{"bundleId": "com.example.notes", "access": access}]


def test_a_real_iphone_takes_none_and_is_not_asked() -> None:
    server = Script({"mobile: setPermission": value(None)})
    backend = backend_on(server, IOS)
    assert "permissions" not in backend.capabilities
    with pytest.raises(CapabilityMissing, match="can't grant camera"):
        backend.set_permission("com.example.notes", "camera", True)
    assert server.sent == []


def test_a_driver_of_simulators_without_the_command_has_no_permissions() -> None:
    script = Script({"/appium/extensions": scripts_of("mobile: changePermissions", *APPS)})
    assert "permissions" not in backend_on(script, {**IOS, "udid": SIMULATOR}).capabilities


# Logs


def test_what_an_iphone_prints_is_told_to_be_not_available() -> None:
    window = value({"x": 0, "y": 0, "width": 200, "height": 400})
    facts = backend_on(Script({"/window/rect": window}), IOS).info().facts
    assert facts["standard output"].startswith("not available")


def test_the_log_goes_on_where_it_ended() -> None:
    lines = [value([{"message": "one"}, {"message": "two"}]), value([{"message": "three"}]), value([])]
    backend = backend_on(Script({"/se/log": lines}))
    first = backend.log()
    assert (first.text, first.cursor) == ("one\ntwo\n", 2)
    assert backend.log(first.cursor).text == "three\n"
    assert backend.log(-1).text == ""


def test_a_driver_that_keeps_no_log_has_an_empty_one() -> None:
    assert backend_on(Script({"/se/log": failed("unknown error", "no logs")})).log().text == ""
