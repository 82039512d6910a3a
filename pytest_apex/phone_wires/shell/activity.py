"""Commands that start, stop and list processes: `am`, `monkey`, `pidof`, `ps`, `kill`."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Mapping, Sequence

from pytest_apex.phone.log import SYSTEM_PID
from pytest_apex.phone.parts import AppFile
from pytest_apex.phone.phone import Phone
from pytest_apex.phone_wires.handset import APPIUM_SERVER, APPIUM_TEST, HELPER_IME
from pytest_apex.phone_wires.shell.call import Call, Tool, options
from pytest_apex.phone_wires.shell.intents import Intent, parse_intent

#: How long `am start -W` waits for the first window (WAIT_FOR_LAUNCH of `ActivityTaskSupervisor`).
_LAUNCH_S = 10.0
_HOME = "android.intent.category.HOME"
_VIEW, _MAIN = "android.intent.action.VIEW", "android.intent.action.MAIN"
#: `AppProtoEnums` aside: processes that every phone has, with their users.
SYSTEM_PROCESSES = (
    ("root", 1, "init"),
    ("root", 412, "zygote64"),
    ("shell", 501, "adbd"),
    ("logd", 398, "logd"),
    ("system", SYSTEM_PID, "system_server"),
    ("u0_a150", SYSTEM_PID + 300, "com.android.systemui"),
    ("u0_a186", SYSTEM_PID + 410, "com.google.android.apps.nexuslauncher"),
    ("u0_a165", SYSTEM_PID + 777, "com.google.android.inputmethod.latin"),
)


def full_activity(app: AppFile) -> str:
    """`.MainActivity` with the name of its app in front."""
    return f"{app.id}{app.activity}" if app.activity.startswith(".") else app.activity


def app_of(phone: Phone, app_id: str) -> AppFile | None:
    return next((app for app in phone.machine.apps if app.id == app_id), None)


def am(call: Call) -> int:
    verb = call.args[0] if call.args else ""
    act = _VERBS.get(verb)
    if act is None:
        return call.fail(f"Unknown command: {verb}" if verb else "Activity manager (activity) commands:", code=255)
    return act(call, call.args[1:])


def _start(call: Call, args: Sequence[str]) -> int:
    intent = parse_intent(args)
    if isinstance(intent, str):
        return call.fail("", f"Exception occurred while executing 'start':\n{intent}", code=255)
    call.print(f"Starting: {intent}")
    with call.handset.pace.held() as phone:
        why, app, was = _launch(phone, intent)
        started = phone.clock.now()
    if why:
        return call.fail(*why, code=1)
    if was:
        call.fail("Warning: Activity not started, its current task has been brought to the front")
    if app is None or "-W" not in intent.flags:
        return 0
    up = call.handset.pace.wait(lambda phone: _is_up(phone, app), _LAUNCH_S, call.ended)
    with call.handset.pace.held() as phone:
        took = round((phone.clock.now() - started) * 1000)
    state = "HOT" if was else "COLD"
    return call.print(
        f"Status: {'ok' if up else 'timeout'}",
        f"LaunchState: {state}",
        f"Activity: {app.id}/{app.activity}",
        f"TotalTime: {0 if was else took}",
        f"WaitTime: {took}",
        "Complete",
    )


def _is_up(phone: Phone, app: AppFile) -> bool:
    front = phone.machine.front
    return front is None or front.app.id != app.id or front.page is not None


def _launch(phone: Phone, intent: Intent) -> tuple[list[str], AppFile | None, bool]:
    """What is wrong, the app that came up, whether it ran before."""
    app_id, _, activity = intent.component.partition("/")
    if not intent.component and intent.action == _VIEW:
        if phone.machine.open_url(intent.data, intent.package):
            front = phone.machine.front
            return [], front.app if front is not None else None, False
        return [f"Error: Activity not started, unable to resolve {intent}"], None, False
    if not intent.component and _HOME in intent.categories:
        phone.machine.bring(None)
        return [], None, False
    app = app_of(phone, app_id or intent.package)
    if app is None and not intent.component:
        return [f"Error: Activity not started, unable to resolve {intent}"], None, False
    named = f"{app_id}{activity}" if activity.startswith(".") else activity
    if app is None or (intent.component and named != full_activity(app)):
        gone = f"Error: Activity class {{{app_id}/{named}}} does not exist."
        return ["Error type 3", gone], None, False
    if "-S" in intent.flags:
        phone.stop(app.id)
    was = phone.app_state(app.id)[1] != 0
    phone.launch(app.id, intent.arguments, intent.extras)
    return [], app, was


def _force_stop(call: Call, args: Sequence[str]) -> int:
    _, names = options(args, ("--user",))
    with call.handset.pace.held() as phone:
        for name in names:
            if app_of(phone, name) is not None:
                phone.stop(name)
            if name in (APPIUM_SERVER, APPIUM_TEST):
                call.handset.appium.pid = 0
    return 0


def _kill(call: Call, args: Sequence[str]) -> int:
    """Processes that are safe to kill: those in the background."""
    _, names = options(args, ("--user",))
    with call.handset.pace.held() as phone:
        for name in names:
            if app_of(phone, name) is not None:
                phone.machine.kill_in_background(name)
    return 0


def _kill_all(call: Call, _args: Sequence[str]) -> int:
    with call.handset.pace.held() as phone:
        for app in phone.machine.apps:
            phone.machine.kill_in_background(app.id)
    return 0


def _broadcast(call: Call, args: Sequence[str]) -> int:
    intent = parse_intent(args)
    if isinstance(intent, str):
        return call.fail("", f"Exception occurred while executing 'broadcast':\n{intent}", code=255)
    call.print(f"Broadcasting: {intent}")
    answer = _receive(call, intent)
    result = "result=0" if answer is None else f'result=-1, data="{answer}"'
    return call.print(f"Broadcast completed: {result}")


def _receive(call: Call, intent: Intent) -> str | None:
    """What the keyboard of uiautomator2's helper app answers while it is the one in use; None: nobody listens."""
    if call.handset.ime != HELPER_IME:
        return None
    pace = call.handset.pace
    if intent.action == "ADB_KEYBOARD_INPUT_TEXT":
        try:
            text = base64.b64decode(intent.extras.get("text", ""), validate=True).decode()
        except (binascii.Error, ValueError):
            return None
        pace.do(lambda phone: phone.edit_text(lambda old: old + text))
    elif intent.action == "ADB_KEYBOARD_CLEAR_TEXT":
        pace.do(lambda phone: phone.edit_text(lambda _old: ""))
    elif intent.action == "ADB_KEYBOARD_HIDE":
        pace.do(lambda phone: phone.machine.show_keyboard(False))
    elif intent.action in ("ADB_KEYBOARD_SMART_ENTER", "ADB_KEYBOARD_EDITOR_CODE"):
        pace.do(lambda phone: phone.press("enter"))
    else:
        return None
    return "success"


def _current_user(call: Call, _args: Sequence[str]) -> int:
    return call.print("0")


def _instrument(call: Call, args: Sequence[str]) -> int:
    name = args[-1] if args else ""
    return call.print(
        f"INSTRUMENTATION_STATUS: Error=Unable to find instrumentation info for: ComponentInfo{{{name}}}",
        "INSTRUMENTATION_STATUS_CODE: -1",
        f"android.util.AndroidException: INSTRUMENTATION_FAILED: {name}",
    )


def _no_service(call: Call, _args: Sequence[str]) -> int:
    return call.fail("Error: Not found; no service started.", code=255)


_VERBS: Mapping[str, Callable[[Call, Sequence[str]], int]] = {
    "start": _start,
    "start-activity": _start,
    "force-stop": _force_stop,
    "stop-app": _force_stop,
    "kill": _kill,
    "kill-all": _kill_all,
    "broadcast": _broadcast,
    "get-current-user": _current_user,
    "instrument": _instrument,
    "startservice": _no_service,
    "start-foreground-service": _no_service,
}


def monkey(call: Call) -> int:
    """`monkey -p APP -c CATEGORY 1`, the usual way to start an app by its icon."""
    given, _ = options(call.args, ("-p", "-c", "-s", "--throttle", "--pct-syskeys"), ("-v",))
    call.print("  bash arg: -p", f"  bash arg: {given.get('-p', [''])[0]}")
    with call.handset.pace.held() as phone:
        app = app_of(phone, given.get("-p", [""])[0])
        if app is not None:
            phone.launch(app.id)
    if app is None:
        call.print("** No activities found to run, monkey aborted.")
        return 252
    return call.print(
        "Events injected: 1", "## Network stats: elapsed time=21ms (0ms mobile, 0ms wifi, 21ms not connected)"
    )


#: How the uiautomator server was started, as `ps -f` would show it.
SERVER_COMMAND = "app_process / com.wetest.uia2.Main"


def processes(call: Call) -> list[tuple[str, int, str]]:
    """User, id and name of all that runs."""
    found = list(SYSTEM_PROCESSES)
    with call.handset.pace.held() as phone:
        for app in phone.machine.apps:
            pid = phone.app_state(app.id)[1]
            if pid:
                found.append((f"u0_a{phone.machine.packages.uid(app.id) - 10_000}", pid, app.id))
        if call.handset.server.pid:
            found.append(("shell", call.handset.server.pid, "app_process"))
    return found + [("shell", program.pid, program.name) for program in call.handset.programs.all()]


def pidof(call: Call) -> int:
    _, names = options(call.args, (), ("-s",))
    pids = [str(pid) for _, pid, name in processes(call) if name in names]
    return call.print(" ".join(pids)) if pids else 1


def ps(call: Call) -> int:
    if "--help" in call.args:  # appium-adb looks there for -A, and else takes the processes of the shell for all
        return call.print("usage: ps [-Aef] [-o FIELD,] [-p PID,]", "", "List processes.", "", "-A\tAll")
    given, _ = options(call.args, ("-o", "-p"), ("-A", "-e", "-f"))
    rows = processes(call)
    if "-p" in given:
        rows = [row for row in rows if str(row[1]) in given["-p"][0].split(",")]
    columns = given.get("-o", [""])[0].upper().split(",")
    if "-o" in given:
        values = [
            {"USER": user, "PID": str(pid), "PPID": "412", "NAME": name, "ARGS": name} for user, pid, name in rows
        ]
        return call.print(" ".join(columns), *(" ".join(row.get(one, "-") for one in columns) for row in values))
    if not given and not call.args:
        rows = [row for row in rows if row[0] == "shell"]
    lines = [
        f"{user:<13} {pid:5d} {1 if pid < 1000 else 412:5d} 14539264 152344 do_epoll_wait       0 S {name}"
        for user, pid, name in rows
    ]
    return call.print("USER           PID  PPID     VSZ    RSS WCHAN            ADDR S NAME", *lines)


_SIGNALS = ("-9", "-KILL", "-SIGKILL", "-15", "-TERM", "-2", "-INT", "-SIGINT", "-1", "-HUP")


def kill(call: Call) -> int:
    """A shell may end what a shell has started: programs, and the uiautomator server."""
    given, words = options(call.args, ("-s", "-l"), _SIGNALS)
    code = 0
    for word in words:
        if not _signal(call, word, kill={"-9", "-KILL", "-SIGKILL"} & given.keys() != set()):
            known = any(str(pid) == word for _, pid, _ in processes(call))
            code = call.fail(f"kill: {word}: {'Operation not permitted' if known else 'No such process'}")
    return code


def pkill(call: Call) -> int:
    """`pkill [-SIGNAL] [-f] NAME`: by a part of the name; with `-f`, of the command line."""
    given, words = options(call.args, ("-l",), ("-f", "-x", *_SIGNALS))
    lines = {call.handset.server.pid: SERVER_COMMAND} if "-f" in given else {}
    pids = [
        str(pid)
        for user, pid, name in processes(call)
        if user == "shell" and words and words[0] in lines.get(pid, name)
    ]
    sent = [_signal(call, pid, kill={"-9", "-KILL", "-SIGKILL"} & given.keys() != set()) for pid in pids]
    return 0 if any(sent) else 1


def _signal(call: Call, word: str, *, kill: bool) -> bool:
    handset = call.handset
    for program in handset.programs.all():
        if str(program.pid) == word:
            program.signal(kill=kill)
            return True
    with handset.pace.held():
        if not handset.server.pid or str(handset.server.pid) != word:
            return False
        handset.server.pid = 0
    return True


TOOLS: Mapping[str, Tool] = {"am": am, "monkey": monkey, "pidof": pidof, "ps": ps, "kill": kill, "pkill": pkill}
