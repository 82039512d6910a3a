"""Services behind lockdown: apps (`installation_proxy`), log (`syslog_relay`), web views (`webinspector`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pytest_apex.phone.parts import AppFile
from pytest_apex.phone_wires.wda.device import AppleDevice
from pytest_apex.phone_wires.wda.plists import BadPlist, Reader, send
from pytest_apex.phone_wires.wda.sockets import SocketChannel

#: How often the log is looked at (seconds).
_LOOK_S = 0.05


@dataclass(frozen=True, slots=True)
class Service:
    name: str
    serve: Callable[[AppleDevice, SocketChannel], None]


def _app(app: AppFile) -> dict[str, Any]:
    return {
        "ApplicationType": "User",
        "CFBundleIdentifier": app.id,
        "CFBundleDisplayName": app.name,
        "CFBundleExecutable": app.name,
        "CFBundleName": app.name,
        "CFBundleShortVersionString": app.version,
        "CFBundleVersion": app.version,
        "Path": f"/private/var/containers/Bundle/Application/{app.id}/{app.name}.app",
        "Container": f"/private/var/mobile/Containers/Data/Application/{app.id}",
    }


def _apps(device: AppleDevice, message: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The apps that a request is about, with the attributes that it wants."""
    options = message.get("ClientOptions")
    options = options if isinstance(options, dict) else {}
    ids, attributes = options.get("BundleIDs"), options.get("ReturnAttributes")
    with device.pace.held() as phone:
        found = {app.id: _app(app) for app in phone.machine.apps}
    if options.get("ApplicationType") == "System":
        found = {}
    if isinstance(ids, list):
        found = {name: told for name, told in found.items() if name in ids}
    if isinstance(attributes, list) and attributes:
        keep = {"CFBundleIdentifier", *(str(name) for name in attributes)}
        found = {name: {key: value for key, value in told.items() if key in keep} for name, told in found.items()}
    return found


def installation_proxy(device: AppleDevice, channel: SocketChannel) -> None:
    reader = Reader(channel)
    try:
        while True:
            message = reader.message()
            command = message.get("Command")
            if command == "Lookup":
                send(channel, {"LookupResult": _apps(device, message), "Status": "Complete"})
            elif command == "Browse":
                apps = list(_apps(device, message).values())
                send(channel, {"CurrentList": apps, "CurrentAmount": len(apps), "CurrentIndex": 0, "Total": len(apps),
                               "Status": "BrowsingApplications"})  # fmt: skip
                send(channel, {"Status": "Complete"})
            elif command == "Uninstall":
                app = str(message.get("ApplicationIdentifier"))
                device.pace.do(lambda phone, app=app: phone.services.uninstall(app))  # type: ignore[misc]
                send(channel, {"Status": "Complete"})
            else:
                send(channel, {"Error": "UnknownCommand", "ErrorDescription": str(command)[:100]})
    except BadPlist:
        return  # the client is gone


def syslog_relay(device: AppleDevice, channel: SocketChannel) -> None:
    """All lines from the start on, then each as it comes; a line ends with a line break and a zero."""
    seen = 0
    while not channel.closed:
        with device.pace.held() as phone:
            count = phone.log.count
            text = phone.log.from_line(seen) if count != seen else ""
        seen = count
        if text:
            channel.write("".join(f"{line}\n\0" for line in text.splitlines()).encode("utf-8", "replace"))
        device.pace.nap(_LOOK_S)


def webinspector(_device: AppleDevice, channel: SocketChannel) -> None:
    """Takes what is asked for, and tells of no page: the built-in apps have none."""
    while channel.read():
        pass


#: By the port on the device at which each is served.
SERVICES: Mapping[int, Service] = {
    49_152: Service("com.apple.mobile.installation_proxy", installation_proxy),
    49_153: Service("com.apple.syslog_relay", syslog_relay),
    49_154: Service("com.apple.webinspector", webinspector),
}
