"""What an iPhone, iPad or Apple TV needs before a test can run, as values: `pytest-apex doctor --platform ios`.

Devices are told by Xcode's `devicectl` (Xcode 15 and later), profiles by `security cms`; both are on a Mac alone. A
server that runs elsewhere, and WebDriverAgent at an address, are asked over HTTP from anywhere.
"""

from __future__ import annotations

import json
import plistlib
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from pytest_apex.backends.appium.capabilities import named_in, of_device
from pytest_apex.backends.appium.limits import Limits
from pytest_apex.backends.appium.secrets import shown
from pytest_apex.backends.appium.session import need_server
from pytest_apex.backends.uiautomator2.doctor import Finding
from pytest_apex.errors import ConfigError

#: Where WebDriverAgent listens unless `appium:wdaLocalPort` says otherwise.
WDA_PORT = 8100
#: From iOS 17 on, the developer services are behind a tunnel.
TUNNEL_FROM = 17
_RUNS_OUT = timedelta(days=7)
_HOST, _WAIT_S, _RUN_S = "this machine", 3.0, 30.0
_AGENT, _PORT = "appium:webDriverAgentUrl", "port of WebDriverAgent"
_PROFILES = (
    "Library/Developer/Xcode/UserData/Provisioning Profiles",
    "Library/MobileDevice/Provisioning Profiles",
)
_BUILT = "Library/Developer/Xcode/DerivedData"


@dataclass(frozen=True)
class Host:
    """What the examination uses of the machine: its system, `run` (a command's output, None where it fails), `get`
    (the JSON at an address, None without an answer), `status` (of an Appium server; raises `ConfigError` where there is
    none), whether somebody listens at a port, the home folder, the time."""

    system: str
    run: Callable[[Sequence[str]], bytes | None]
    get: Callable[[str], Any]
    status: Callable[[str], Any]
    listens: Callable[[int], bool]
    home: Path
    now: datetime


def examine(host: Host, url: str, given: Mapping[str, Any], devices: Sequence[str] = ()) -> Iterator[Finding]:
    """All that can be told, what this machine can't tell first. `devices` are UDIDs, none for all that are there;
    `given` are the capabilities as `--appium-caps` has them. Raises `ConfigError` for those that can't be read."""
    mac = host.system == "darwin"
    if not mac:
        told = "developer mode, trust, developer image, tunnel, signing: only a Mac with Xcode can tell"
        yield Finding(_HOST, "devices", "warn", told, "pytest-apex doctor --platform ios on the server's machine")
    yield check_server(host, url)
    each = {device: of_device(device, given) for device in (*devices, *(() if devices else named_in(given)))}
    each = each or {"": of_device("", given)}
    yield from _check_agents(host, each)
    if not mac:
        return
    xcode = host.run(["xcodebuild", "-version"])
    if xcode is None:
        yield Finding(_HOST, "Xcode", "wrong", "xcodebuild does not run", "install Xcode, then: xcode-select --install")
        return
    yield Finding(_HOST, "Xcode", "ok", xcode.decode(errors="replace").partition("\n")[0])
    built = next((caps for caps in each.values() if not caps.get(_AGENT)), None)
    if built is not None:
        yield check_signing(host, str(built.get("appium:xcodeOrgId") or ""))
        yield check_built(host, built)
    yield from check_devices(host, devices)


def _check_agents(host: Host, each: Mapping[str, Mapping[str, Any]]) -> Iterator[Finding]:
    """WebDriverAgent of each device where the capabilities have it, or the port that is meant for it."""
    meant: dict[str, str] = {}
    for device, caps in each.items():
        agent = str(caps.get(_AGENT) or "")
        port = caps.get("appium:wdaLocalPort") or WDA_PORT
        if agent:
            yield check_agent(host, agent, caps)
        elif str(port) in meant:
            seen = f"{port} is meant for {meant[str(port)]} and for {device}"
            yield Finding(_HOST, _PORT, "wrong", seen, "appium:wdaLocalPort for each under apex:devices")
        else:
            meant[str(port)] = device
            yield check_port(host, port)


def check_server(host: Host, url: str) -> Finding:
    try:
        value = host.status(url)
    except ConfigError as error:
        why = f"; likely {error.likely}" if error.likely else ""
        return Finding(_HOST, "Appium server", "wrong", f"{error.tried}: {error.seen}{why}", error.cure)
    build = value.get("build") if isinstance(value, dict) else None
    version = build.get("version", "?") if isinstance(build, dict) else "?"
    return Finding(_HOST, "Appium server", "ok", f"version {version} at {shown(url)}")


def check_agent(host: Host, url: str, caps: Mapping[str, Any]) -> Finding:
    """WebDriverAgent where the capabilities have it: it is used as it runs there, and never built."""
    what = "WebDriverAgent"
    told = host.get(f"{url.rstrip('/')}/status")
    value = told.get("value") if isinstance(told, dict) else None
    if not isinstance(value, dict) or not isinstance(value.get("os"), dict):
        cure = "start WebDriverAgentRunner on the device (and forward its port), or leave appium:webDriverAgentUrl out"
        return Finding(_HOST, what, "wrong", f"none at {shown(url)}", cure)
    system, wanted = value["os"], str(caps.get("appium:platformVersion") or "")
    seen = f"{system.get('name', '?')} {system.get('version', '?')} at {shown(url)}"
    if wanted and str(system.get("version")) != wanted:
        return Finding(_HOST, what, "wrong", seen, f"appium:platformVersion {system.get('version')}, not {wanted}")
    return Finding(_HOST, what, "ok", seen)


def check_port(host: Host, port: Any) -> Finding:
    if isinstance(port, bool) or not isinstance(port, int) or not 1 <= port <= 65535:
        return Finding(_HOST, _PORT, "wrong", f"appium:wdaLocalPort {port!r}", "a number from 1 to 65535")
    if not host.listens(port):
        return Finding(_HOST, _PORT, "ok", f"{port} is free")
    cure = f"appium:wdaLocalPort, another for each device; or end what listens there: lsof -i :{port}"
    return Finding(_HOST, _PORT, "warn", f"somebody listens at {port}", cure)


def check_signing(host: Host, team: str) -> Finding:
    """The profile that lives longest, of the team if one is named."""
    profiles = [profile for profile in _profiles(host) if not team or team in profile.get("TeamIdentifier", ())]
    ends = max((profile["ExpirationDate"].replace(tzinfo=timezone.utc) for profile in profiles), default=None)
    whose = f"of the team {team}" if team else "of any team"
    if ends is None:
        cure = "sign in to Xcode (Settings, Accounts), then choose the team there: appium driver run xcuitest open-wda"
        return Finding(_HOST, "signing", "wrong", f"no provisioning profile {whose}", cure)
    seen, cure = f"a profile {whose} until {ends:%Y-%m-%d}", "build WebDriverAgent once more: Xcode renews the profile"
    if ends <= host.now:
        return Finding(_HOST, "signing", "wrong", seen, cure)
    return Finding(_HOST, "signing", "warn" if ends - host.now < _RUNS_OUT else "ok", seen,
                   cure if ends - host.now < _RUNS_OUT else "")  # fmt: skip


def _profiles(host: Host) -> Iterator[dict[str, Any]]:
    for folder in _PROFILES:
        for path in sorted((host.home / folder).glob("*.mobileprovision")):
            try:
                told = plistlib.loads(host.run(["security", "cms", "-D", "-i", str(path)]) or b"")
            except (plistlib.InvalidFileException, ValueError):
                continue
            if isinstance(told, dict) and isinstance(told.get("ExpirationDate"), datetime):
                yield told


def check_built(host: Host, caps: Mapping[str, Any]) -> Finding:
    what, prebuilt = "WebDriverAgent", bool(caps.get("appium:usePrebuiltWDA"))
    products = (host.home / _BUILT).glob("WebDriverAgent-*/Build/Products/*/WebDriverAgentRunner-Runner.app")
    found = next(iter(sorted(products)), None)
    if found is not None:
        cure = "" if prebuilt else "--appium-caps '{\"usePrebuiltWDA\": true}' spares building it each time"
        return Finding(_HOST, what, "ok", f"built: {found.parent.name}", cure)
    cure = "appium driver run xcuitest build-wda" if prebuilt else ""
    seen = "not built yet: the first session builds it, which takes minutes"
    return Finding(_HOST, what, "wrong" if prebuilt else "warn", seen, cure)


def check_devices(host: Host, wanted: Sequence[str]) -> Iterator[Finding]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "devices.json"
        host.run(["xcrun", "devicectl", "list", "devices", "--json-output", str(path)])
        devices = read_devices(path.read_bytes() if path.exists() else b"")
    named = [name for name in wanted if name != "auto"]
    there = [one for one in devices if not named or one.udid in named]
    missing = [name for name in named if name not in [one.udid for one in there]]
    cure = "connect it by cable and unlock it: xcrun devicectl list devices"
    for seen in [f"none is called {name}" for name in missing] or ([] if there else ["none"]):
        yield Finding(_HOST, "devices", "wrong", seen, cure)
    for device in there:
        yield from check_device(device)


@dataclass(frozen=True)
class Device:
    """What `devicectl` tells of one; "" for what it leaves out."""

    udid: str
    name: str
    version: str
    paired: str
    developer_mode: str
    image: bool | None
    tunnel: str


def read_devices(text: bytes) -> list[Device]:
    """The devices in the JSON of `devicectl list devices`; those of another shape are left out."""
    try:
        told = json.loads(text)
        listed = told["result"]["devices"]
    except (ValueError, KeyError, TypeError):
        return []
    found = []
    for one in listed if isinstance(listed, list) else []:
        parts = [one.get(name) for name in ("hardwareProperties", "deviceProperties", "connectionProperties")]
        hardware, facts, line = (part if isinstance(part, dict) else {} for part in parts)
        if hardware.get("udid"):
            image = facts.get("ddiServicesAvailable")
            found.append(
                Device(
                    str(hardware["udid"]), str(facts.get("name", "")), str(facts.get("osVersionNumber", "")),
                    str(line.get("pairingState", "")), str(facts.get("developerModeStatus", "")),
                    image if isinstance(image, bool) else None, str(line.get("tunnelState", "")),
                )
            )  # fmt: skip
    return found


def check_device(device: Device) -> Iterator[Finding]:
    """Each with the one thing to do; what is not told is let be."""
    where = f"{device.udid} ({device.name}, {device.version})"

    def check(what: str, seen: str, fits: bool, cure: str) -> Finding:
        return Finding(where, what, "ok" if fits else "wrong", seen, "" if fits else cure)

    if device.paired:
        yield check("trust", device.paired, device.paired == "paired", "unlock it, connect it by cable, tap Trust")
    if device.developer_mode:
        cure = "Settings, Privacy & Security, Developer Mode: on; it restarts"
        yield check("developer mode", device.developer_mode, device.developer_mode == "enabled", cure)
    if device.image is not None:
        seen = "its services are there" if device.image else "not mounted"
        yield check("developer image", seen, device.image, "unlock it, and open Xcode: Window, Devices and Simulators")
    major = device.version.partition(".")[0]
    if device.tunnel and major.isdecimal() and int(major) >= TUNNEL_FROM:
        cure = "unlock it and connect it by cable: xcrun devicectl device info details --device UDID opens the tunnel"
        yield check("tunnel", device.tunnel, device.tunnel == "connected", cure)


def this_host() -> Host:
    """The machine that this runs on."""
    now = datetime.now(timezone.utc)
    return Host(sys.platform, _run, _get, lambda url: need_server(url, Limits()), _listens, Path.home(), now)


def _run(command: Sequence[str]) -> bytes | None:
    try:
        done = subprocess.run(command, capture_output=True, timeout=_RUN_S, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None


def _get(url: str) -> Any:
    from urllib3 import PoolManager, exceptions

    try:
        if urlsplit(url).scheme not in ("http", "https"):
            return None
        return json.loads(PoolManager(retries=False, timeout=_WAIT_S).request("GET", url).data)
    except (exceptions.HTTPError, ValueError):
        return None


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(_WAIT_S)
        return probe.connect_ex(("127.0.0.1", port)) == 0
