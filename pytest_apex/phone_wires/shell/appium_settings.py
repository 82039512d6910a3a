"""The helper app that Appium's driver installs, `io.appium.settings`: it has no screen, runs as a service, and answers
broadcasts."""

from __future__ import annotations

import base64
from collections.abc import Sequence

from pytest_apex.phone_wires.handset import APPIUM_SETTINGS
from pytest_apex.phone_wires.shell.call import Call
from pytest_apex.phone_wires.shell.intents import parse_intent

_CLIPBOARD = "io.appium.settings.clipboard.get"


def started(call: Call, args: Sequence[str]) -> bool:
    """Whether that was a start of the helper app, which then runs."""
    intent = parse_intent(args)
    if isinstance(intent, str) or not intent.component.startswith(f"{APPIUM_SETTINGS}/"):
        return False
    if APPIUM_SETTINGS not in call.handset.packages:
        return False
    call.handset.settings_app = True
    call.print(f"Starting: {intent}")
    return True


def answered(call: Call, args: Sequence[str]) -> bool:
    """Whether that was a broadcast for the helper app, which then has answered."""
    intent = parse_intent(args)
    if isinstance(intent, str) or not intent.component.startswith(f"{APPIUM_SETTINGS}/"):
        return False
    if APPIUM_SETTINGS not in call.handset.packages:
        return False
    data = ""
    if intent.action == _CLIPBOARD:
        with call.handset.pace.held() as phone:
            data = base64.b64encode(phone.machine.clipboard.encode()).decode()
    call.print(f"Broadcasting: {intent}", f'Broadcast completed: result=-1, data="{data}"')
    return True


def services(call: Call, args: Sequence[str]) -> list[str]:
    """`dumpsys activity services [APP]`."""
    head = "ACTIVITY MANAGER SERVICES (dumpsys activity services)"
    wanted = args[0].partition("/")[0] if args else APPIUM_SETTINGS
    if wanted != APPIUM_SETTINGS or "Recorder" in "".join(args) or not call.handset.settings_app:
        return [head, "  (nothing)"]
    return [
        head,
        "  User 0 active services:",
        f"  * ServiceRecord{{6a1f3c2 u0 {APPIUM_SETTINGS}/.ForegroundService}}",
        f"    packageName={APPIUM_SETTINGS}",
        "    isForeground=true foregroundId=1 foregroundNoti=Notification(channel=main shortcut=null)",
    ]
