"""What is wrong between this machine and the phone, by its name, with the one thing to do."""

from __future__ import annotations

import os
import re

from pytest_apex.backends.uiautomator2.adb import NO_PROGRAM, AdbServer, AdbTrouble, Listed
from pytest_apex.errors import BackendMissing, DeviceLost, DeviceProblem

#: Kinds of `AdbTrouble` that say that there is no adb server.
NO_SERVER = ("server", "elsewhere")
_ADDRESS = re.compile(r".+:\d{1,5}")
#: What adb calls a phone that it can't use, and what that means: cause and cure.
_STATES = {
    "offline": (
        "the phone does not answer adb: a loose cable, a phone that starts, or a hung adbd",
        "plug it in again, or switch USB debugging off and on",
    ),
    "unauthorized": (
        "the phone has not allowed this computer to debug it",
        "unlock it and confirm 'Allow USB debugging?'; if it does not ask: revoke USB debugging authorizations in the "
        "developer options, and plug it in again",
    ),
    "authorizing": ("the phone is still asking for leave", "unlock it and confirm 'Allow USB debugging?'"),
    "no permissions": (
        "this user may not use the phone's USB device",
        "add udev rules for it (Debian: android-sdk-platform-tools-common) and plug it in again",
    ),
    "connecting": ("adb is still connecting to it", "wait a moment, or adb disconnect and adb connect"),
    "recovery": ("the phone runs its recovery", "start Android on it"),
    "sideload": ("the phone runs its recovery", "start Android on it"),
    "bootloader": ("the phone is in its bootloader", "start Android on it: fastboot reboot"),
    "host": ("it is a host, not a phone", "name another device"),
}


def is_address(serial: str) -> bool:
    """Whether a serial is HOST:PORT: a phone on Wi-Fi, or an emulator elsewhere."""
    return bool(_ADDRESS.fullmatch(serial))


def found_on_wifi(serial: str) -> bool:
    """Whether it is the name of a phone that adb found on the network by itself (Android 11's wireless debugging)."""
    return "._adb" in serial


def unusable(listed: Listed) -> DeviceLost | None:
    """Why adb lists a phone that can't be used; None for one that can."""
    if listed.state == "device":
        return None
    likely, cure = _STATES.get(listed.state, (f"adb calls its state {listed.state!r}", "plug it in again"))
    return DeviceLost(
        f"the phone {listed.serial} is {listed.state}", seen=f"adb devices: {listed}", likely=likely, cure=cure
    )


def absent(serial: str, others: list[Listed]) -> DeviceLost:
    """A phone that adb does not list."""
    listed = ", ".join(map(str, others)) or "nothing"
    if is_address(serial):
        host, _, port = serial.rpartition(":")
        return DeviceLost(
            f"the phone at {serial} is not connected",
            seen=f"adb devices: {listed}",
            likely="its Wi-Fi sleeps, it has another address or port now, or it needs to be paired",
            cure=f"look at the phone under Wireless debugging: adb pair {host}:PORT with the code shown there if this "
            f"computer is new to it, then name the address shown there in place of {host}:{port}",
        )
    if found_on_wifi(serial):
        return DeviceLost(
            f"the phone {serial} is not connected",
            seen=f"adb devices: {listed}",
            likely="its Wi-Fi sleeps, it is on another network, or wireless debugging was switched off",
            cure="switch Wireless debugging on in the developer options; adb finds it by itself then",
        )
    return DeviceLost(
        f"the phone {serial} is not connected",
        seen=f"adb devices: {listed}",
        likely="it was unplugged or switched off, or USB debugging is off",
        cure="plug it in, with USB debugging on in the developer options",
    )


def no_server(trouble: AdbTrouble) -> DeviceProblem:
    """Adb's server can't be reached nor started, or does not answer."""
    if trouble.text.startswith(NO_PROGRAM):
        told = bool(os.environ.get("ADBUTILS_ADB_PATH"))
        return BackendMissing(
            "there is no adb on this machine",
            seen=trouble.text,
            likely="ADBUTILS_ADB_PATH names no program" if told else "adbutils carries none for this platform",
            cure="correct it, or unset it" if told else "install adb (Debian: apt install adb)",
        )
    if trouble.kind == "elsewhere":
        return DeviceLost(
            "adb's server does not run where ANDROID_ADB_SERVER_HOST says",
            seen=trouble.text,
            likely="none listens there, or not for other machines, or a firewall is between",
            cure="start it there: adb -a nodaemon server; or unset ANDROID_ADB_SERVER_HOST",
        )
    if trouble.kind != "server":
        return DeviceLost(
            "what listens at the port of adb's server does not answer as one",
            seen=trouble.text,
            likely="ANDROID_ADB_SERVER_PORT is the port of a phone or of another program, or adb's server hangs",
            cure="adb kill-server, then adb start-server; if it stays so, name another port",
        )
    return DeviceLost(
        "adb's server does not run and can't be started",
        seen=trouble.text,
        likely="its port is taken by another program, or another adb of another version fights for it",
        cure="adb kill-server, then adb start-server; ANDROID_ADB_SERVER_PORT names another port",
    )


def named(server: AdbServer, serial: str, trouble: AdbTrouble, tried: str) -> DeviceProblem:
    """The error for a call to the phone that failed, by what adb says of the phone now."""
    if trouble.kind in NO_SERVER:
        return no_server(trouble)
    try:
        devices = server.devices()
    except AdbTrouble as again:
        return no_server(again)
    mine = next((listed for listed in devices if listed.serial == serial), None)
    if mine is None:
        return absent(serial, devices)
    wrong = unusable(mine)
    if wrong is not None:
        return wrong
    silent = trouble.kind == "silent"
    return DeviceLost(
        f"the phone {serial} {'does not answer' if silent else 'broke off'}: {tried}",
        seen=f"{trouble.text}; adb lists it as {mine.state}",
        likely="it is overloaded, or its adbd hangs" if silent else "the cable, or adb's server, was gone for a moment",
        cure="try again; if it stays so, plug the phone in again",
    )
