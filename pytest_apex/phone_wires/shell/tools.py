"""All commands of the phone's shell, by name."""

from __future__ import annotations

from collections.abc import Callable

from pytest_apex.phone_wires.handset import APPIUM_TEST
from pytest_apex.phone_wires.shell import (
    activity,
    appium_settings,
    basics,
    disk,
    dumps,
    getevent,
    logs,
    packages,
    record,
    screen,
    system,
)
from pytest_apex.phone_wires.shell.call import Call, Tool, Tools
from pytest_apex.phone_wires.shell.run import Shell
from pytest_apex.phone_wires.uia2.server import Uia2Server
from pytest_apex.phone_wires.uiautomator.server import UiautomatorServer

#: How often a program that stays looks whether it still has to (seconds).
_LOOK_S = 0.05
_SERVER_CLASS = "com.wetest.uia2.Main"
#: What `cmd` reaches.
_SERVICES: Tools = {"package": packages.pm, "activity": activity.am, **system.SERVICES}


def tools(server: UiautomatorServer, appium: Uia2Server, reboot: Callable[[], None]) -> Tools:
    """The commands of one phone."""

    def restart(_call: Call) -> int:
        reboot()
        return 0

    found: dict[str, Tool] = {
        **basics.TOOLS,
        **disk.TOOLS,
        **system.TOOLS,
        **screen.TOOLS,
        **packages.TOOLS,
        **activity.TOOLS,
        **dumps.TOOLS,
        **logs.TOOLS,
        **getevent.TOOLS,
        **record.TOOLS,
        "am": _am(appium),
        "cmd": cmd,
        "app_process": _app_process(server),
        "app_process64": _app_process(server),
        "reboot": restart,
    }
    found["sh"] = _sh(found)
    return found


def _app_process(server: UiautomatorServer) -> Tool:
    def app_process(call: Call) -> int:
        """A Java program: of those, the phone knows the uiautomator server. It runs as long as its stream is open."""
        if _SERVER_CLASS not in call.args:
            return call.fail(
                f"Error: Could not find or load main class {' '.join(call.args)[:200]}", "Aborted", code=134
            )
        why = server.start()
        if why:
            call.err(why.encode())
            return 134 if why.startswith("Error") else 1
        run = server.run
        call.print("[server] INFO: [UiAutomator2Server] Starting Server")
        while server.runs(run) and not call.ended():
            call.handset.pace.nap(_LOOK_S)
        if server.runs(run):
            server.stop(run)
            return 129
        call.err(b"Killed\n")
        return 137

    return app_process


def _am(server: Uia2Server) -> Tool:
    def am(call: Call) -> int:
        """`am instrument` for Appium's server stays as long as that runs; its helper app has no screen to start;
        everything else is `activity.am`."""
        verb, *args = [*call.args, ""]
        if verb in ("start", "start-activity") and appium_settings.started(call, args[:-1]):
            return 0
        if verb == "broadcast" and appium_settings.answered(call, args[:-1]):
            return 0
        if list(call.args[:1]) != ["instrument"] or not call.args[-1].startswith(f"{APPIUM_TEST}/"):
            return activity.am(call)
        why = server.start()
        if why:
            return call.print(why)
        run = server.run
        while server.runs(run) and not call.ended():
            call.handset.pace.nap(_LOOK_S)
        server.stop(run)
        return call.print("INSTRUMENTATION_RESULT: shortMsg=Process crashed.", "INSTRUMENTATION_CODE: 0")

    return am


def _sh(found: Tools) -> Tool:
    def sh(call: Call) -> int:
        """`sh -c LINE`."""
        if list(call.args[:1]) != ["-c"] or len(call.args) < 2:
            return call.fail("/system/bin/sh: only -c is understood here", code=2)
        return Shell(call.handset, found, call.out, call.err, call.ended).run(call.args[1], call.source)

    return sh


def cmd(call: Call) -> int:
    """`cmd SERVICE …`: a service of the system."""
    if list(call.args[:1]) == ["-l"]:
        return call.print("Currently running services:", *(f"  {name}" for name in sorted(_SERVICES)))
    service = _SERVICES.get(call.args[0]) if call.args else None
    if service is None:
        return call.fail(f"cmd: Can't find service: {call.args[0] if call.args else ''}", code=20)
    return service(Call(call.args[0], call.args[1:], call.handset, call.source, call.out, call.err, call.ended))
