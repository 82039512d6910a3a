"""What `--device` names: which phone that is, and the connected backend."""

from __future__ import annotations

from pytest_apex.backends.uiautomator2.adb import AdbServer, AdbTrouble, Listed
from pytest_apex.backends.uiautomator2.backend import Uiautomator2Backend
from pytest_apex.backends.uiautomator2.connection import Connection
from pytest_apex.backends.uiautomator2.handset import Handset
from pytest_apex.backends.uiautomator2.limits import Limits
from pytest_apex.backends.uiautomator2.recovery import ASK_BOOT
from pytest_apex.backends.uiautomator2.trouble import NO_SERVER, absent, found_on_wifi, is_address, no_server, unusable
from pytest_apex.errors import ConfigError, DeviceLost, DeviceProblem
from pytest_apex.settings import Settings

_CONNECT_S = 10.0


def connect(spec: str, settings: Settings) -> Uiautomator2Backend:
    """The phone that one entry of `--device` names, connected: a serial, HOST:PORT, or `auto`. Raises `ConfigError` or
    `DeviceProblem`."""
    server = AdbServer()
    serial = find(server, spec)
    phone = Handset(server, serial, Limits.of(settings.timeouts))
    return Uiautomator2Backend(Connection(phone), spec if spec == serial else f"{spec} ({serial})")


def identify(spec: str, settings: Settings) -> tuple[str, ...]:
    """The serial, and what a phone answers to under all of its serials: the id of its start. Raises `ConfigError` for
    one that is not there, `DeviceProblem` when there is no adb."""
    server = AdbServer()
    return names_of(server, find(server, spec), Limits.of(settings.timeouts))


def names_of(server: AdbServer, serial: str, limits: Limits) -> tuple[str, ...]:
    """The serial, and the id of the phone's start where it tells that."""
    boot = boot_id(server, serial, limits)
    return (serial, f"boot {boot}") if boot else (serial,)


def listed_devices(server: AdbServer | None = None) -> list[Listed]:
    """What adb has, usable or not. Raises `DeviceProblem` when there is no adb."""
    try:
        return (server or AdbServer()).devices()
    except AdbTrouble as trouble:
        raise no_server(trouble) from trouble


def find(server: AdbServer, spec: str) -> str:
    """The serial of a device that can be used. HOST:PORT is connected first. Raises `ConfigError` for one that is not
    there: it never was, so that nothing was lost."""
    try:
        return _found(server, spec)
    except DeviceLost as error:
        raise _named_wrongly(error) from error


def _found(server: AdbServer, spec: str) -> str:
    devices = listed_devices(server)
    if spec == "auto":
        return the_only(without_second_names(server, devices)[0]).serial
    mine = _named(devices, spec)
    if is_address(spec) and (mine is None or mine.state == "offline"):
        said = _connect(server, spec)
        mine = _named(listed_devices(server), spec)
        if mine is None:
            error = absent(spec, devices)
            error.seen = f"adb connect {spec}: {said}"
            raise error
    wrong = absent(spec, devices) if mine is None else unusable(mine)
    if wrong is not None:
        raise wrong
    return spec


def the_only(devices: list[Listed]) -> Listed:
    """What `auto` means. Raises `ConfigError` for none, for several, and for one that can't be used."""
    usable = [one for one in devices if one.state == "device"]
    if len(usable) == 1:
        return usable[0]
    if usable:
        raise ConfigError(
            "--device=auto means the only phone that is connected, and there are several",
            seen="\n".join(map(str, usable)),
            cure=f"name one, such as --device={usable[0].serial}, or --device=all",
        )
    if len(devices) == 1:
        wrong = unusable(devices[0])
        if wrong is not None:
            raise _named_wrongly(wrong)
    raise ConfigError(
        "--device=auto means the only phone that is connected, and there is none",
        seen="adb devices: " + (", ".join(map(str, devices)) or "nothing"),
        likely="no cable, or USB debugging is off",
        cure="pytest-apex doctor tells what is missing; --device=virtual runs on the built-in phone",
    )


def all_usable() -> tuple[list[str], list[str]]:
    """The serials that `all` stands for, each phone once; and what was left out, in words. Raises `ConfigError` when
    there is none."""
    server = AdbServer()
    devices = listed_devices(server)
    distinct, left_out = without_second_names(server, devices)
    usable = [one.serial for one in distinct if one.state == "device"]
    if not usable:
        raise ConfigError(
            "--device=all means every phone that is connected, and there is none",
            seen="adb devices: " + (", ".join(map(str, devices)) or "nothing"),
            likely="no cable, or USB debugging is off",
            cure="pytest-apex doctor tells what is missing; --device=virtual runs on the built-in phone",
        )
    left_out += [f"{one.serial} is {one.state}" for one in distinct if one.state != "device"]
    return usable, left_out


def without_second_names(server: AdbServer, devices: list[Listed]) -> tuple[list[Listed], list[str]]:
    """One phone may be there by its cable and by its Wi-Fi: by the first alone then. Those that do not answer are left
    out where others do. Returns the rest, and what was left out, in words."""
    usable = [one for one in devices if one.state == "device"]
    if len(usable) < 2:
        return devices, []
    boots = {one.serial: boot_id(server, one.serial, Limits()) for one in usable}
    first: dict[str, str] = {}
    left_out: dict[str, str] = {}
    for one in sorted(usable, key=lambda one: (is_address(one.serial), found_on_wifi(one.serial))):
        boot = boots[one.serial]
        if not boot and any(boots.values()):
            left_out[one.serial] = f"{one.serial} does not answer"
        elif first.setdefault(boot, one.serial) != one.serial and boot:
            left_out[one.serial] = f"{one.serial} is {first[boot]} again"
    return [one for one in devices if one.serial not in left_out], list(left_out.values())


def boot_id(server: AdbServer, serial: str, limits: Limits) -> str:
    """The id of the phone's start, the same under all its serials; "" where it does not answer."""
    try:
        return Handset(server, serial, limits).ask([ASK_BOOT], limits.ping)[0].line
    except DeviceProblem:
        return ""


def _named_wrongly(error: DeviceLost) -> ConfigError:
    """A phone that was never there is no phone that was lost: that is told once, and no test is run for it."""
    return ConfigError(error.tried, seen=error.seen, likely=error.likely, cure=error.cure)


def _named(devices: list[Listed], serial: str) -> Listed | None:
    return next((one for one in devices if one.serial == serial), None)


def _connect(server: AdbServer, address: str) -> str:
    try:
        return server.connect(address, _CONNECT_S).strip()
    except AdbTrouble as trouble:
        if trouble.kind in NO_SERVER:
            raise no_server(trouble) from trouble
        return trouble.text
