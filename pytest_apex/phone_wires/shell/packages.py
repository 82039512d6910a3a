"""The package manager: `pm`, also as `cmd package`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from pytest_apex.phone.log import moment
from pytest_apex.phone.phone import Phone
from pytest_apex.phone_wires.files import FILE_BYTES
from pytest_apex.phone_wires.handset import APPIUM_SERVER, APPIUM_TEST, Package
from pytest_apex.phone_wires.package import BadPackage, read_apk
from pytest_apex.phone_wires.shell.activity import app_of
from pytest_apex.phone_wires.shell.call import Call, Tool, options

#: Android's permissions for what app files call by one word.
PERMISSIONS: Mapping[str, str] = {
    "android.permission.POST_NOTIFICATIONS": "notifications",
    "android.permission.CAMERA": "camera",
    "android.permission.ACCESS_FINE_LOCATION": "location",
    "android.permission.ACCESS_COARSE_LOCATION": "location",
    "android.permission.READ_CONTACTS": "contacts",
    "android.permission.RECORD_AUDIO": "microphone",
}
#: What is there beside the apps of the phone.
SYSTEM_PACKAGES = (
    "android",
    "com.android.settings",
    "com.android.shell",
    "com.android.systemui",
    "com.google.android.apps.nexuslauncher",
    "com.google.android.inputmethod.latin",
    "com.google.android.permissioncontroller",
)
_INSTALL_FLAGS = (
    "-r", "-t", "-g", "-d", "-f", "-l", "--dont-kill", "--full", "--force-queryable", "--bypass-low-target-sdk-block",
)  # fmt: skip
_INSTALL_VALUES = ("-S", "-i", "--user", "--abi", "--install-location", "--install-reason", "-p")
_LIST_FLAGS = ("-3", "-s", "-f", "-d", "-e", "-i", "-u", "-U", "-a", "--show-versioncode")
_NAME = re.compile(r"[\w.-]{1,255}", re.ASCII)


def pm(call: Call) -> int:
    verb = call.args[0] if call.args else ""
    act = _VERBS.get(verb)
    if act is None:
        return call.fail(f"Unknown command: {verb}", code=255)
    return act(call, call.args[1:])


def _list(call: Call, args: Sequence[str]) -> int:
    what, *rest = [*args, ""]
    if what in ("users",):
        return call.print("Users:", "\tUserInfo{0:Owner:4c13} running")
    if what == "instrumentation":
        there = APPIUM_TEST in call.handset.packages
        runner = f"{APPIUM_TEST}/androidx.test.runner.AndroidJUnitRunner"
        return call.print(f"instrumentation:{runner} (target={APPIUM_SERVER})") if there else 0
    if what in ("features", "libraries", "permissions"):
        return 0
    if what not in ("packages", "package"):
        return call.fail(f"Error: unknown list type '{what}'", code=255)
    given, words = options(rest, ("--user", "--uid"), _LIST_FLAGS)
    wanted = next((word for word in words if word), "")
    with call.handset.pace.held():
        own = dict(call.handset.packages)
    names = [*own, *(() if "-3" in given else SYSTEM_PACKAGES)]
    names = [name for name in names if not ("-s" in given and name in own) and "-d" not in given and wanted in name]
    for name in sorted(names):
        path = f"{own[name].path if name in own else f'/system/app/{name}.apk'}=" if "-f" in given else ""
        code = f" versionCode:{own[name].code if name in own else 36}" if "--show-versioncode" in given else ""
        call.print(f"package:{path}{name}{code}")
    return 0


def _path(call: Call, args: Sequence[str]) -> int:
    _, names = options(args, ("--user",))
    package = call.handset.packages.get(names[0]) if names else None
    if package is not None:
        return call.print(f"package:{package.path}")
    if names and names[0] in SYSTEM_PACKAGES:
        return call.print(f"package:/system/app/{names[0]}/{names[0]}.apk")
    return 1


def _clear(call: Call, args: Sequence[str]) -> int:
    _, names = options(args, ("--user",))
    with call.handset.pace.held() as phone:
        if not names or app_of(phone, names[0]) is None:
            call.print("Failed")
            return 1
        phone.clear_data(names[0])
    return call.print("Success")


def _permission(grant: bool) -> Callable[[Call, Sequence[str]], int]:
    def change(call: Call, args: Sequence[str]) -> int:
        verb = "grant" if grant else "revoke"
        _, words = options(args, ("--user",))
        if len(words) < 2:
            return call.fail("Error: no permission specified", code=255)
        app_id, permission = words[:2]
        wanted = PERMISSIONS.get(permission)
        with call.handset.pace.held() as phone:
            if app_of(phone, app_id) is None:
                why = f"java.lang.IllegalArgumentException: Unknown package: {app_id}"
            elif wanted is None:
                why = f"java.lang.SecurityException: Package {app_id} has not requested permission {permission}"
            else:
                phone.set_permission(app_id, wanted, grant)
                return 0
        return call.fail("", f"Exception occurred while executing '{verb}':", why, code=255)

    return change


# Installing


def _install(call: Call, args: Sequence[str]) -> int:
    """From standard input (`-S BYTES`), or from a file of the phone."""
    given, words = options(args, _INSTALL_VALUES, _INSTALL_FLAGS)
    size = given.get("-S", [""])[0]
    if size:
        if not size.isdecimal() or len(size) > 12 or int(size) > FILE_BYTES:
            return _failure(call, "INSTALL_FAILED_INSUFFICIENT_STORAGE")
        data = call.read_all(int(size))
        if len(data) < int(size):
            return _failure(call, "INSTALL_FAILED_INVALID_APK: Failed to read all bytes")
    else:
        if not words:
            return call.fail("Error: must either specify a package size or an APK file", code=1)
        found = call.handset.files.read(words[0])
        if found is None:
            call.print(f"Error: Unable to open file: {words[0]}")
            return call.fail("Consider using a file under /data/local/tmp/", code=255)
        data = found
    return install(call, data, allow_all="-g" in given)


def install(call: Call, data: bytes, *, allow_all: bool) -> int:
    """Put a package on the phone; data of an earlier version stay."""
    handset = call.handset
    try:
        app = read_apk(data)
    except BadPackage as error:
        return _failure(call, str(error))
    with handset.pace.held() as phone:
        if not handset.add_package(app, data, phone.clock.now()):
            return _failure(call, "INSTALL_FAILED_INSUFFICIENT_STORAGE")
        phone.machine.install(app)
        if allow_all:
            for permission in set(PERMISSIONS.values()):
                phone.set_permission(app.id, permission, True)
    return call.print("Success")


def _failure(call: Call, why: str) -> int:
    call.print(f"Failure [{why}]")
    return 1


def _uninstall(call: Call, args: Sequence[str]) -> int:
    _, names = options(args, ("--user", "--versionCode"), ("-k",))
    with call.handset.pace.held() as phone:
        if not names or names[0] not in call.handset.packages:
            return _failure(call, "DELETE_FAILED_INTERNAL_ERROR")
        phone.machine.uninstall(names[0])
        call.handset.remove_package(names[0])
    return call.print("Success")


def _resolve(call: Call, args: Sequence[str]) -> int:
    """`resolve-activity --brief APP`."""
    _, names = options(args, ("-a", "-c", "-d", "-t", "--user", "-p"), ("--brief", "--components"))
    with call.handset.pace.held() as phone:
        app = app_of(phone, names[-1].partition("/")[0]) if names else None
    if app is None:
        return call.print("No activity found")
    return call.print(
        "priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=false", f"{app.id}/{app.activity}"
    )


def _dump(call: Call, args: Sequence[str]) -> int:
    for name in args[:1]:
        call.print(*package_dump(call, name))
    return 0


_VERBS: Mapping[str, Callable[[Call, Sequence[str]], int]] = {
    "list": _list,
    "path": _path,
    "clear": _clear,
    "grant": _permission(True),
    "revoke": _permission(False),
    "install": _install,
    "uninstall": _uninstall,
    "resolve-activity": _resolve,
    "dump": _dump,
}


# What `dumpsys package` tells of one


def package_dump(call: Call, name: str) -> list[str]:
    with call.handset.pace.held() as phone:
        package = call.handset.packages.get(name) if _NAME.fullmatch(name) else None
        app = app_of(phone, name)
        if package is None or app is None:
            return ["Packages:", "", f"Unable to find package: {name}"]
        return [
            "Activity Resolver Table:",
            "  Non-Data Actions:",
            "      android.intent.action.MAIN:",
            f"        5f3c1e2 {name}/{app.activity} filter 7a1b3c4",
            '          Action: "android.intent.action.MAIN"',
            '          Category: "android.intent.category.LAUNCHER"',
            "",
            "Packages:",
            *_package_lines(phone, package),
        ]


def _package_lines(phone: Phone, package: Package) -> list[str]:
    name, uid = package.app_id, phone.machine.packages.uid(package.app_id)

    def line(permission: str) -> str:
        answer = phone.machine.packages.answer(name, PERMISSIONS[permission])
        flags = "USER_SENSITIVE_WHEN_GRANTED|USER_SENSITIVE_WHEN_DENIED"
        return f"        {permission}: granted={str(bool(answer)).lower()}, flags=[ {flags}]"

    return [
        f"  Package [{name}] (4d5e6f7):",
        f"    appId={uid}",
        f"    pkg=Package{{1a2b3c4 {name}}}",
        f"    codePath={package.path.rpartition('/')[0]}",
        f"    resourcePath={package.path.rpartition('/')[0]}",
        f"    versionCode={package.code} minSdk=26 targetSdk=36",
        "    minExtensionVersions=[]",
        f"    versionName={package.version}",
        "    flags=[ DEBUGGABLE HAS_CODE ALLOW_CLEAR_USER_DATA ALLOW_BACKUP ]",
        "    pkgFlags=[ DEBUGGABLE HAS_CODE ALLOW_CLEAR_USER_DATA ALLOW_BACKUP ]",
        f"    dataDir=/data/user/0/{name}",
        f"    lastUpdateTime={_when(package.updated_at)}",
        "    signatures=PackageSignatures{9c8b7a6 version:2, signatures:[3f2a1b0c], past signatures:[]}",
        "    requested permissions:",
        *(f"      {permission}" for permission in PERMISSIONS),
        "    User 0: ceDataInode=131 deDataInode=132 installed=true hidden=false suspended=false stopped=false",
        f"      firstInstallTime={_when(package.installed_at)}",
        "      runtime permissions:",
        *(line(permission) for permission in PERMISSIONS),
    ]


def _when(at: float) -> str:
    return f"{moment(at):%Y-%m-%d %H:%M:%S}"


TOOLS: Mapping[str, Tool] = {"pm": pm}
