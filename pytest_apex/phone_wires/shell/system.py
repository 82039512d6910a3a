"""Commands about the system: properties, settings, keyboards, network, power."""

from __future__ import annotations

from collections.abc import Mapping

from pytest_apex.phone_wires.handset import SYSTEM_IME
from pytest_apex.phone_wires.shell.call import Call, Tool, options

_MOST_VALUE, _MOST_KEYS = 32 * 1024, 2000


def getprop(call: Call) -> int:
    properties = call.handset.properties
    if not call.args:
        return call.print(*(f"[{name}]: [{value}]" for name, value in sorted(properties.items())))
    default = call.args[1] if len(call.args) > 1 else ""
    return call.print(properties.get(call.args[0], default))


def settings(call: Call) -> int:
    """`settings get|put|delete|list NAMESPACE [NAME [VALUE]]`."""
    _, words = options(call.args, ("--user",), ("--lineage",))
    verb, space, *rest = [*words, "", ""][:2] + words[2:]
    known = call.handset.settings.get(space)
    if verb not in ("get", "put", "delete", "list") or known is None:
        return call.fail(f"Invalid command: {verb} {space}".rstrip(), code=255)
    if verb == "list":
        return call.print(*(f"{name}={value}" for name, value in sorted(known.items())))
    if not rest or (verb == "put" and len(rest) < 2):
        return call.fail("Bad arguments", code=255)
    if verb == "get":
        return call.print(_read(call, space, rest[0]))
    if verb == "delete":
        return call.print(f"Deleted {int(known.pop(rest[0], None) is not None)} rows")
    if len(known) >= _MOST_KEYS or len(rest[1]) > _MOST_VALUE:
        return call.fail("settings: too large", code=255)
    known[rest[0]] = rest[1]
    _apply(call, space, rest[0], rest[1])
    return 0


def _read(call: Call, space: str, name: str) -> str:
    if name == "default_input_method":
        return call.handset.ime
    if name == "enabled_input_methods":
        return ":".join(sorted(call.handset.imes))
    return call.handset.settings[space].get(name, "null")


def _apply(call: Call, space: str, name: str, value: str) -> None:
    """Settings that change the phone."""
    orientations = {"0": "portrait", "1": "landscape_left", "2": "portrait_upside_down", "3": "landscape_right"}
    if (space, name) == ("system", "user_rotation") and value in orientations:
        call.handset.pace.do(lambda phone: phone.rotate(orientations[value]))


def ime(call: Call) -> int:
    verb, *rest = [*call.args, ""]
    names = [word for word in rest if word and not word.startswith("-")]
    handset = call.handset
    if verb == "list":
        shown = sorted(handset.imes)
        return call.print(*(shown if "-s" in rest else (f"{name}:" for name in shown)))
    if verb in ("enable", "disable", "set"):
        if not names or names[0] not in handset.imes:
            return call.fail(
                f"Unknown input method {names[0] if names else ''} cannot be {verb}d for user #0", code=255
            )
        if verb == "set":
            handset.ime = names[0]
            return call.print(f"Input method {names[0]} selected for user #0")
        return call.print(f"Input method {names[0]}: now {verb}d for user #0")
    if verb == "reset":
        handset.ime = SYSTEM_IME
        return call.print("Reset current and enabled IMEs for user #0")
    return call.fail(f"Unknown command: {verb}", code=255)


def _network(call: Call, *, on: bool) -> None:
    with call.handset.pace.held() as phone:
        phone.machine.set_online(on)


def svc(call: Call) -> int:
    """`svc wifi|data enable|disable`, `svc power stayon|reboot`."""
    verb = list(call.args[:2])
    names = {"wifi": "wifi_on", "data": "mobile_data"}
    if len(verb) == 2 and verb[0] in names and verb[1] in ("enable", "disable"):
        space = call.handset.settings["global"]
        space[names[verb[0]]] = "1" if verb[1] == "enable" else "0"
        _network(call, on="1" in (space["wifi_on"], space["mobile_data"]) and space["airplane_mode_on"] == "0")
        return 0
    if verb[:1] == ["power"]:
        return 0
    return call.fail("Available commands:", "    help     Show information about the subcommands", code=1)


def connectivity(call: Call) -> int:
    """`cmd connectivity airplane-mode [enable|disable]`."""
    space = call.handset.settings["global"]
    if list(call.args[:1]) != ["airplane-mode"]:
        return call.fail("Unknown command", code=255)
    if len(call.args) == 1:
        return call.print("enabled" if space["airplane_mode_on"] == "1" else "disabled")
    on = call.args[1] == "enable"
    space["airplane_mode_on"] = "1" if on else "0"
    _network(call, on=not on)
    return 0


def wifi(call: Call) -> int:
    """`cmd wifi set-wifi-enabled enabled|disabled`, `cmd wifi status`."""
    if list(call.args[:1]) == ["set-wifi-enabled"] and len(call.args) > 1:
        verb = "enable" if call.args[1] == "enabled" else "disable"
        return svc(Call("svc", ["wifi", verb], call.handset, call.source, call.out, call.err, call.ended))
    on = call.handset.settings["global"]["wifi_on"] == "1"
    return call.print(f"Wifi is {'enabled' if on else 'disabled'}")


def statusbar(call: Call) -> int:
    """`cmd statusbar expand-notifications|collapse`."""
    verbs = {"expand-notifications": True, "expand-settings": True, "collapse": False}
    if not call.args or call.args[0] not in verbs:
        return call.fail("Unknown command", code=255)
    with call.handset.pace.held() as phone:
        phone.machine.open_shade(verbs[call.args[0]])
    return 0


def uimode(call: Call) -> int:
    """`cmd uimode night`."""
    return call.print("Night mode: no")


def locksettings(call: Call) -> int:
    """`locksettings get-disabled`."""
    return call.print("true") if list(call.args[:1]) == ["get-disabled"] else call.print("false")


def clipboard(call: Call) -> int:
    """Nothing of the clipboard is given to a shell."""
    return call.fail("No shell command implementation.", code=255)


def appops(call: Call) -> int:
    return 0 if list(call.args[:1]) in (["set"], ["reset"]) else call.print("No operations.")


def uptime(call: Call) -> int:
    with call.handset.pace.held():
        seconds = int(call.handset.uptime())
    return call.print(f" 09:41:00 up {seconds // 60} min,  0 users,  load average: 0.00, 0.00, 0.00")


def ifconfig(call: Call) -> int:
    return call.print(
        "lo        Link encap:Local Loopback",
        "          inet addr:127.0.0.1  Mask:255.0.0.0",
        "          UP LOOPBACK RUNNING  MTU:65536  Metric:1",
    )


def device_state(call: Call) -> int:
    """`cmd device_state print-state`: a phone that does not fold knows one state."""
    return call.print("0") if list(call.args[:1]) == ["print-state"] else call.fail("Unknown command", code=255)


SERVICES: Mapping[str, Tool] = {
    "connectivity": connectivity,
    "statusbar": statusbar,
    "wifi": wifi,
    "uimode": uimode,
    "clipboard": clipboard,
    "settings": settings,
    "appops": appops,
    "lock_settings": locksettings,
    "device_state": device_state,
}
TOOLS: Mapping[str, Tool] = {
    "getprop": getprop,
    "setprop": lambda call: call.fail(f"Failed to set property '{' '.join(call.args[:1])}'."),
    "settings": settings,
    "ime": ime,
    "svc": svc,
    "appops": appops,
    "locksettings": locksettings,
    "uptime": uptime,
    "ifconfig": ifconfig,
}
