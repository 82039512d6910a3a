"""What an iPhone needs: each finding from what a machine says, with the one thing to do."""

from __future__ import annotations

import json
import plistlib
from collections.abc import Callable, Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest

from pytest_apex.backends.appium.doctor import Host, check_agent, check_server, examine, read_devices, this_host
from pytest_apex.backends.uiautomator2.doctor import Finding
from pytest_apex.errors import ConfigError

NOW = datetime(2026, 3, 2, tzinfo=timezone.utc)
URL = "http://127.0.0.1:4723"
SERVER = {f"{URL}/status": {"value": {"ready": True, "build": {"version": "3.8.0"}}}}
AGENT = {"http://10.0.0.7:8100/status": {"value": {"os": {"name": "iOS", "version": "18.5"}}}}
GOOD = {
    "hardwareProperties": {"udid": "00008110-1"},
    "deviceProperties": {
        "name": "iPhone", "osVersionNumber": "18.5", "developerModeStatus": "enabled", "ddiServicesAvailable": True,
    },
    "connectionProperties": {"pairingState": "paired", "tunnelState": "connected"},
}  # fmt: skip
Make = Callable[..., Host]


def listed(**changes: Any) -> bytes:
    device = {part: {**facts, **{k: v for k, v in changes.items() if k in facts}} for part, facts in GOOD.items()}
    return json.dumps({"result": {"devices": [device]}}).encode()


@pytest.fixture
def make(tmp_path: Path) -> Make:
    def host(
        system: str = "darwin", devices: bytes = listed(), ends: str = "2026-12-01", answers: Any = None,
        taken: Sequence[int] = (), xcode: bool = True,
    ) -> Host:  # fmt: skip
        folder = tmp_path / "Library/MobileDevice/Provisioning Profiles"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "a.mobileprovision").touch()
        profile = {"TeamIdentifier": ["TEAM1"], "ExpirationDate": datetime.fromisoformat(ends)}

        def run(command: Sequence[str]) -> bytes | None:
            if command[0] == "security":
                return plistlib.dumps(profile)
            if command[0] == "xcodebuild":
                return b"Xcode 26.1\nBuild version 1" if xcode else None
            Path(command[-1]).write_bytes(devices)
            return b""

        told = SERVER if answers is None else answers

        def status(url: str) -> Any:
            if f"{url}/status" not in told:
                raise ConfigError(f"there is no Appium server at {url}", seen="refused", likely="x", cure="start one")
            return told[f"{url}/status"]["value"]

        return Host(system, run, told.get, status, lambda port: port in taken, tmp_path, NOW)

    return host


def found(host: Host, caps: Any = None, device: str = "") -> dict[str, Finding]:
    return {finding.what: finding for finding in examine(host, URL, caps or {}, [device] if device else [])}


def test_all_is_well(make: Make, tmp_path: Path) -> None:
    (tmp_path / "Library/Developer/Xcode/DerivedData/WebDriverAgent-x/Build/Products/Debug-iphoneos").mkdir(
        parents=True
    )
    host = make()
    app = "WebDriverAgent-x/Build/Products/Debug-iphoneos/WebDriverAgentRunner-Runner.app"
    (tmp_path / "Library/Developer/Xcode/DerivedData" / app).mkdir()
    told = found(host, {"appium:usePrebuiltWDA": True})
    assert {finding.level for finding in told.values()} == {"ok"}
    assert set(told) >= {"trust", "developer mode", "developer image", "tunnel", "signing", "WebDriverAgent", "Xcode"}
    assert all(not finding.cure for finding in told.values())


@pytest.mark.parametrize(
    ("change", "what", "cure"),
    [
        ({"developerModeStatus": "disabled"}, "developer mode", "Developer Mode: on"),
        ({"pairingState": "unpaired"}, "trust", "tap Trust"),
        ({"ddiServicesAvailable": False}, "developer image", "Xcode"),
        ({"tunnelState": "disconnected"}, "tunnel", "tunnel"),
    ],
)
def test_what_a_device_lacks(make: Make, change: dict[str, Any], what: str, cure: str) -> None:
    finding = found(make(devices=listed(**change)))[what]
    assert finding.level == "wrong"
    assert cure in finding.cure


def test_a_tunnel_is_wanted_from_ios_17_on(make: Make) -> None:
    assert "tunnel" not in found(make(devices=listed(tunnelState="disconnected", osVersionNumber="16.7")))


@pytest.mark.parametrize(
    ("ends", "team", "level"),
    [
        ("2026-12-01", "", "ok"),
        ("2026-03-05", "", "warn"),
        ("2026-03-01", "TEAM1", "wrong"),
        ("2026-12-01", "X", "wrong"),
    ],
)
def test_a_profile_that_runs_out(make: Make, ends: str, team: str, level: str) -> None:
    assert found(make(ends=ends), {"appium:xcodeOrgId": team})["signing"].level == level


def test_a_machine_that_is_no_mac_says_so_first_and_tells_what_it_can(make: Make) -> None:
    told = list(
        examine(make("linux", answers={**SERVER, **AGENT}), URL, {"appium:webDriverAgentUrl": "http://10.0.0.7:8100"})
    )
    assert [(one.what, one.level) for one in told] == [
        ("devices", "warn"), ("Appium server", "ok"), ("WebDriverAgent", "ok"),
    ]  # fmt: skip
    assert "only a Mac" in told[0].seen


@pytest.mark.parametrize(
    ("answers", "caps", "what", "level"),
    [
        ({}, {}, "Appium server", "wrong"),
        (SERVER, {"appium:webDriverAgentUrl": "http://10.0.0.7:8100"}, "WebDriverAgent", "wrong"),
        ({**SERVER, **AGENT}, {"appium:webDriverAgentUrl": "http://10.0.0.7:8100/", "appium:platformVersion": "17.5"},
         "WebDriverAgent", "wrong"),
        (SERVER, {"appium:usePrebuiltWDA": True}, "WebDriverAgent", "wrong"),
        (SERVER, {}, "WebDriverAgent", "warn"),
    ],
)  # fmt: skip
def test_servers(make: Make, answers: Any, caps: Any, what: str, level: str) -> None:
    assert found(make(answers=answers), caps)[what].level == level


def test_a_port_that_is_taken(make: Make) -> None:
    assert found(make(taken=[8100]))["port of WebDriverAgent"].level == "warn"
    assert found(make(taken=[8100]), {"appium:wdaLocalPort": 8101})["port of WebDriverAgent"].level == "ok"


def test_no_xcode_and_no_device(make: Make) -> None:
    assert found(make(xcode=False))["Xcode"].level == "wrong"
    assert found(make(), device="00008110-2")["devices"].seen == "none is called 00008110-2"
    assert found(make(devices=b""))["devices"].level == "wrong"


@pytest.mark.parametrize("text", [b"", b"[]", b'{"result": 3}', b'{"result": {"devices": [{}]}}', b"\xff"])
def test_a_list_of_another_shape_has_no_devices(text: bytes) -> None:
    assert read_devices(text) == []


def test_an_answer_of_another_shape_is_no_agent(make: Make) -> None:
    answers = {"http://a/status": {"value": {"os": "iOS"}}}
    assert check_agent(make(answers=answers), "http://a", {}).level == "wrong"


EACH = {
    "apex:devices": {
        "00008110-1": {"webDriverAgentUrl": "http://10.0.0.7:8100"},
        "00008110-2": {"wdaLocalPort": 8101},
        "00008110-3": {"wdaLocalPort": 8101},
    }
}


def test_what_differs_between_devices_is_looked_at_for_each(make: Make) -> None:
    told = list(examine(make("linux", answers={**SERVER, **AGENT}), URL, EACH))[2:]
    assert [(one.what, one.level) for one in told] == [
        ("WebDriverAgent", "ok"), ("port of WebDriverAgent", "ok"), ("port of WebDriverAgent", "wrong"),
    ]  # fmt: skip
    assert told[-1].seen == "8101 is meant for 00008110-2 and for 00008110-3"
    [only] = list(examine(make("linux"), URL, EACH, ["00008110-3"]))[2:]
    assert (only.seen, only.level) == ("8101 is free", "ok")


@pytest.mark.parametrize("port", ["abc", "8100", -1, 70000, True, [8100]])
def test_a_port_that_is_none(make: Make, port: object) -> None:
    finding = found(make("linux"), {"appium:wdaLocalPort": port})["port of WebDriverAgent"]
    assert (finding.level, finding.cure) == ("wrong", "a number from 1 to 65535")


@pytest.mark.parametrize("url", ["http://[::1", "x", "http://ada:s3cret@127.0.0.1:1"])
def test_an_address_that_nobody_is_at_is_told_without_its_key(url: str) -> None:
    host = this_host()
    for finding in (check_agent(host, url, {}), check_server(host, url)):
        assert finding.level == "wrong"
        assert "s3cret" not in finding.seen + finding.cure
