"""`dumpsys`: what services of the system tell of themselves."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from zlib import crc32

from pytest_apex.model.snapshot import Window
from pytest_apex.phone.log import SYSTEM_PID, moment
from pytest_apex.phone.parts import AppFile
from pytest_apex.phone.phone import Phone
from pytest_apex.phone_wires.handset import SYSTEM_IME
from pytest_apex.phone_wires.shell import appium_settings
from pytest_apex.phone_wires.shell.activity import app_of, processes
from pytest_apex.phone_wires.shell.call import Call, Tool
from pytest_apex.phone_wires.shell.packages import package_dump
from pytest_apex.phone_wires.uiautomator.screen_calls import ROTATIONS

_LAUNCHER = "com.google.android.apps.nexuslauncher/.NexusLauncherActivity"
_GRANT = "com.android.permissioncontroller.permission.ui.GrantPermissionsActivity"
_FATAL = re.compile(r"^FATAL EXCEPTION: ")


def dumpsys(call: Call) -> int:
    """`dumpsys [-t SECONDS] SERVICE …`."""
    args = list(call.args)
    while args[:1] in (["-t"], ["-T"]):
        del args[:2]
    if not args or args[0] == "-l":
        return call.print("Currently running services:", *(f"  {name}" for name in sorted(_SERVICES)))
    service = _SERVICES.get(args[0])
    if service is None:
        return call.fail(f"Can't find service: {args[0]}", code=0)
    return call.print(*service(call, args[1:]))


def _token(text: str) -> str:
    """What the system calls an object by, the same for the same thing."""
    return f"{crc32(text.encode()) & 0xFFFFFFF:x}"


# Windows


def _title(window: Window) -> str:
    package, _, activity = _LAUNCHER.partition("/")
    names = {"launcher": f"{package}/{package}{activity}", "keyboard": "InputMethod", "status_bar": "StatusBar"}
    if window.kind in names:
        return names[window.kind]
    if window.title == "Permission":
        return f"{window.app}/{_GRANT}"
    app_id, slash, activity = window.activity.partition("/")
    if slash:
        return f"{app_id}/{app_id}{activity}" if activity.startswith(".") else window.activity
    return window.title or window.app


def _window_name(window: Window) -> str:
    title = _title(window)
    return f"Window{{{_token(title)} u0 {title}}}"


def _window(call: Call, args: Sequence[str]) -> list[str]:
    with call.handset.pace.held() as phone:
        windows = phone.tree().windows
        part = args[0] if args else ""
        lines: list[str] = []
        if part in ("", "-a", "windows", "w", "visible"):
            lines += _windows(windows)
        if part in ("", "-a", "displays", "d"):
            lines += _focus(call, phone)
        if part in ("", "-a", "policy", "p"):
            lines += _policy(call, phone)
    return lines


def _windows(windows: Sequence[Window]) -> list[str]:
    lines = ["WINDOW MANAGER WINDOWS (dumpsys window windows)"]
    for number, window in enumerate(reversed(windows)):
        box = window.bounds
        frame = f"[{box.left:.0f},{box.top:.0f}][{box.right:.0f},{box.bottom:.0f}]"
        lines += [
            f"  Window #{number} {_window_name(window)}:",
            f"    mDisplayId=0 rootTaskId=1 mSession=Session{{1b2c3d4 {window.pid}:u0a10123}}",
            f"    mOwnerUid=10123 showForAllUsers=false package={window.app} appop=NONE",
            f"    Frames: parent={frame} display={frame} frame={frame}",
            "    mViewVisibility=0x0 mHaveFrame=true mObscured=false",
            "    mHasSurface=true isReadyForDisplay()=true mWindowRemovalAllowed=false",
            "    isOnScreen=true",
            "    isVisible=true",
        ]
    return [*lines, "", "  mTopFocusedDisplayId=0", "  mInTouchMode=true", ""]


def focused(phone: Phone) -> Window | None:
    windows = phone.tree().windows
    return next((window for window in reversed(windows) if window.focused), windows[-1] if windows else None)


def _focus(call: Call, phone: Phone) -> list[str]:
    screen, window = phone.screen(), focused(phone)
    size = f"{screen.size.width:.0f}x{screen.size.height:.0f}"
    told = _window_name(window) if window is not None else "null"
    if call.handset.lock:
        told = "Window{5d0c4a1 u0 NotificationShade}"
    return [
        "WINDOW MANAGER DISPLAY CONTENTS (dumpsys window displays)",
        "  Display: mDisplayId=0 (organized)",
        f"    init={size} {round(screen.density * 160)}dpi mMinSizeOfResizeableTaskDp=220 cur={size} app={size}",
        f"  mCurrentFocus={told}",
        f"  mFocusedApp={_record(phone)}",
        f"  mRotation={ROTATIONS[phone.orientation]}",
        "",
    ]


def _policy(call: Call, phone: Phone) -> list[str]:
    awake = str(phone.machine.awake).lower()
    state = "ON" if phone.machine.awake else "OFF"
    locked = str(bool(call.handset.lock)).lower()
    secure = str(call.handset.lock == "passcode").lower()
    return [
        "WINDOW MANAGER POLICY STATE (dumpsys window policy)",
        f"    mAwake={awake} mScreenOnEarly={awake} mScreenOnFully={awake}",
        f"    isKeyguardShowing={locked} mShowingLockscreen={locked} mDreamingLockscreen=false",
        f"    KeyguardServiceDelegate showing={locked} secure={secure} inputRestricted={locked}",
        f"    screenState=SCREEN_STATE_{state}",
        f"    mCurrentUserRotation={call.handset.settings['system']['user_rotation']}",
        "",
    ]


# Activities


def _component(app: AppFile) -> str:
    return f"{app.id}/{app.activity}"


def _record(phone: Phone) -> str:
    front = phone.machine.front
    name = _component(front.app) if front is not None else _LAUNCHER
    return f"ActivityRecord{{{_token(name)} u0 {name} t12}}"


def _activity(call: Call, args: Sequence[str]) -> list[str]:
    part = args[0] if args else "activities"
    act = _ACTIVITY.get(part)
    return act(call, args[1:]) if act is not None else [f"Bad activity command, or no activities match: {part}"]


def _activities(call: Call, _args: Sequence[str]) -> list[str]:
    with call.handset.pace.held() as phone:
        record = _record(phone)
        app_id = phone.machine.front.app.id if phone.machine.front is not None else _LAUNCHER.partition("/")[0]
    return [
        "ACTIVITY MANAGER ACTIVITIES (dumpsys activity activities)",
        "Display #0 (activities from top to bottom):",
        f"  * Task{{{_token(app_id)} #12 type=standard A=10123:{app_id} U=0 visible=true}}",
        f"    topResumedActivity={record}",
        f"    * Hist  #0: {record}",
        f"      packageName={app_id} processName={app_id}",
        "      state=RESUMED delayedResume=false finishing=false",
        "",
        f"  ResumedActivity: {record}",
        f"  topResumedActivity={record}",
        "",
    ]


def _top(call: Call, _args: Sequence[str]) -> list[str]:
    lines = []
    with call.handset.pace.held() as phone:
        front = phone.machine.front
        pid = SYSTEM_PID + 410
        lines += [
            "TASK com.google.android.apps.nexuslauncher id=1 userId=0",
            f"  ACTIVITY {_LAUNCHER} 41f7a1a pid={pid}",
        ]
        if front is not None:
            name = _component(front.app)
            lines += [f"TASK {front.app.id} id=12 userId=0", f"  ACTIVITY {name} {_token(name)} pid={front.pid}"]
    return lines


def _processes(call: Call, _args: Sequence[str]) -> list[str]:
    lines = ["ACTIVITY MANAGER RUNNING PROCESSES (dumpsys activity processes)", "  All known processes:"]
    for user, pid, name in processes(call):
        if user.startswith("u0_a"):
            number = user.removeprefix("u0_a")
            lines.append(f"  *APP* UID 10{number} ProcessRecord{{{_token(name)} {pid}:{name}/u0a{number}}}")
            lines.append(f"    packageList={{{name}}}")
    with call.handset.pace.held() as phone:
        front = phone.machine.front
        if front is not None:
            who = f"ProcessRecord{{{_token(front.app.id)} {front.pid}:{front.app.id}/u0a{front.uid - 10000}}}"
            lines.append(f"  mPreviousProcess: null\n  TOP: {who}")
    return lines


def _exit_info(call: Call, args: Sequence[str]) -> list[str]:
    with call.handset.pace.held() as phone:
        apps = [args[0]] if args else [app.id for app in phone.machine.apps]
        return [phone.exit_info(name).rstrip("\n") for name in apps]


def _recents(_call: Call, _args: Sequence[str]) -> list[str]:
    return ["ACTIVITY MANAGER RECENT TASKS (dumpsys activity recents)", "  mRecentsUid=10186"]


def _lastanr(_call: Call, _args: Sequence[str]) -> list[str]:
    return ["ACTIVITY MANAGER LAST ANR (dumpsys activity lastanr)", "  <no ANR has occurred since boot>"]


_ACTIVITY: Mapping[str, Callable[[Call, Sequence[str]], list[str]]] = {
    "activities": _activities,
    "a": _activities,
    "top": _top,
    "processes": _processes,
    "p": _processes,
    "exit-info": _exit_info,
    "recents": _recents,
    "lastanr": _lastanr,
    "services": appium_settings.services,
}


# The rest


def _display(call: Call, _args: Sequence[str]) -> list[str]:
    with call.handset.pace.held() as phone:
        screen, rotation, awake = phone.screen(), ROTATIONS[phone.orientation], phone.machine.awake
    width, height = round(screen.size.width), round(screen.size.height)
    across = (
        f"deviceWidth={width}, deviceHeight={height}"
        if rotation % 2 == 0
        else f"deviceWidth={height}, deviceHeight={width}"
    )
    return [
        "DISPLAY MANAGER (dumpsys display)",
        f"  mViewports=[DisplayViewport{{type=INTERNAL, valid=true, isActive=true, displayId=0, uniqueId='local:0', "
        f"physicalPort=0, orientation={rotation}, logicalFrame=Rect(0, 0 - {width}, {height}), "
        f"physicalFrame=Rect(0, 0 - {width}, {height}), {across}}}]",
        f"  mScreenState={'ON' if awake else 'OFF'}",
        f"  mCurrentOrientation={rotation}",
    ]


def _battery(_call: Call, _args: Sequence[str]) -> list[str]:
    facts = {
        "AC powered": "false", "USB powered": "true", "Wireless powered": "false", "Max charging current": "500000",
        "Max charging voltage": "5000000", "Charge counter": "3200000", "status": "2", "health": "2",
        "present": "true", "level": "86", "scale": "100", "voltage": "4220", "temperature": "254",
        "technology": "Li-ion",
    }  # fmt: skip
    return ["Current Battery Service state:", *(f"  {name}: {value}" for name, value in facts.items())]


def _power(call: Call, _args: Sequence[str]) -> list[str]:
    with call.handset.pace.held() as phone:
        awake = phone.machine.awake
    return [
        "POWER MANAGER (dumpsys power)",
        f"  mWakefulness={'Awake' if awake else 'Asleep'}",
        "  mIsPowered=true",
        "  mStayOn=false",
        f"  mHoldingDisplaySuspendBlocker={str(awake).lower()}",
        f"Display Power: state={'ON' if awake else 'OFF'}",
    ]


def _input_method(call: Call, _args: Sequence[str]) -> list[str]:
    with call.handset.pace.held() as phone:
        shown = str(phone.machine.keyboard_up).lower()
    ime = call.handset.ime
    return [
        "Current Input Method Manager state:",
        f"  mCurMethodId={ime}",
        f"  mInputShown={shown} mSystemReady=true mInteractive=true",
        f"  mIsInputViewShown={shown}" if ime == SYSTEM_IME else "  mIsInputViewShown=false",
    ]


def _dropbox(call: Call, args: Sequence[str]) -> list[str]:
    tag = next((word for word in args if not word.startswith("-")), "data_app_crash")
    with call.handset.pace.held() as phone:
        text = phone.log_text()
        apps = list(phone.machine.apps)
        now = phone.clock.now()
    blocks = _crash_blocks(text) if tag == "data_app_crash" else []
    lines = [f"Drop box contents: {len(blocks)} entries", "", f"Searching for: {tag}"]
    for when, process, pid, stack in blocks:
        version = next((app.version for app in apps if app.id == process), "1.0")
        body = [
            f"Process: {process}",
            f"PID: {pid}",
            f"Package: {process} v1 ({version})",
            "Foreground: Yes",
            "",
            *stack,
        ]
        size = sum(len(line) + 1 for line in body)
        stamp = f"{moment(now).year}-{when}"
        lines += ["=" * 40, f"{stamp} {tag} (text, {size} bytes)", *body, ""]
    return lines if blocks else [*lines, "(No entries found.)"]


def _crash_blocks(log: str) -> list[tuple[str, str, str, list[str]]]:
    """Time, process, pid and stack of each Java crash in a log."""
    found: list[tuple[str, str, str, list[str]]] = []
    for line in log.splitlines():
        head, sign, text = line.partition(" E AndroidRuntime: ")
        if not sign:
            continue
        if _FATAL.match(text):
            found.append((head[:14], "", "", []))
        elif found and text.startswith("Process: "):
            process, _, pid = text.removeprefix("Process: ").partition(", PID: ")
            found[-1] = (found[-1][0], process, pid, [])
        elif found:
            found[-1][3].append(text)
    return found


def _deviceidle(_call: Call, args: Sequence[str]) -> list[str]:
    return [f"Added: {word[1:]}" for word in args if word.startswith("+")] or ["system,com.android.shell,2000"]


def _package(call: Call, args: Sequence[str]) -> list[str]:
    names = [word for word in args if not word.startswith("-")]
    with call.handset.pace.held() as phone:
        known = [app.id for app in phone.machine.apps if app_of(phone, app.id)]
    return [line for name in names or known for line in package_dump(call, name)]


def _meminfo(_call: Call, _args: Sequence[str]) -> list[str]:
    return [
        "Applications Memory Usage (in Kilobytes):",
        "           TOTAL PSS:    65536            TOTAL RSS:   151552",
    ]


def _uimode(_call: Call, _args: Sequence[str]) -> list[str]:
    return ["Current UI Mode Service state:", "  mNightMode=1 (no) mNightModeLocked=false"]


_SERVICES: Mapping[str, Callable[[Call, Sequence[str]], list[str]]] = {
    "window": _window,
    "activity": _activity,
    "display": _display,
    "battery": _battery,
    "power": _power,
    "input_method": _input_method,
    "dropbox": _dropbox,
    "deviceidle": _deviceidle,
    "package": _package,
    "meminfo": _meminfo,
    "uimode": _uimode,
}
TOOLS: Mapping[str, Tool] = {"dumpsys": dumpsys}
