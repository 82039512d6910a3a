"""The commands that tools ask, by what the tools' own readers make of the answers where they have one."""

from __future__ import annotations

import random
import re
import shlex

import pytest

from pytest_apex.phone_wires.package import make_apk
from pytest_apex.phone_wires.serve import Served
from pytest_apex.phone_wires.shell.call import Given
from pytest_apex.phone_wires.shell.run import Shell
from pytest_apex.records import read_crash_evidence

from .test_shell_lines import run

APP = "com.example.notes"


def ask(served: Served, line: str) -> str:
    code, out, err = run(served, line)
    assert (code, err) == (0, ""), (line, code, err)
    return out


def start(served: Served) -> None:
    ask(served, f"am start -W -n {APP}/.MainActivity")


# What it is


def test_properties(served: Served) -> None:
    assert ask(served, "getprop ro.build.version.sdk") == "36\n"
    assert ask(served, "getprop ro.product.model") == "Virtual phone\n"
    assert ask(served, "getprop no.such.thing") == "\n"
    assert "[sys.boot_completed]: [1]\n" in ask(served, "getprop")


def test_settings_are_kept(served: Served) -> None:
    assert ask(served, "settings get global nothing") == "null\n"
    ask(served, "settings put global window_animation_scale 0")
    assert ask(served, "settings get global window_animation_scale") == "0\n"
    assert "window_animation_scale=0\n" in ask(served, "settings list global")
    assert ask(served, "settings delete global window_animation_scale") == "Deleted 1 rows\n"
    assert run(served, "settings get nowhere x")[0] == 255


def test_size_density_and_rotation(served: Served) -> None:
    assert ask(served, "wm size") == "Physical size: 540x1200\n"
    assert ask(served, "wm density") == "Physical density: 240\n"
    assert "orientation=0" in ask(served, "dumpsys display")
    ask(served, "settings put system user_rotation 1")
    assert re.search(r"orientation=(\d)", ask(served, "dumpsys display"))[1] == "1"  # type: ignore[index]
    assert ask(served, "wm size") == "Physical size: 540x1200\n"


def test_date_is_that_of_the_log(served: Served) -> None:
    assert ask(served, "date +%Y-%m-%d") == "2026-03-02\n"
    seconds = float(ask(served, "date +%s.%N"))
    served.pace.sleep(2.5)
    assert float(ask(served, "date +%s.%N")) - seconds == pytest.approx(2.5)


def test_identity_disk_and_battery(served: Served) -> None:
    assert ask(served, "id").startswith("uid=2000(shell)")
    assert "/data\n" in ask(served, "df /data")
    assert "  level: 86\n" in ask(served, "dumpsys battery")
    assert "mHoldingDisplaySuspendBlocker=true" in ask(served, "dumpsys power")


# Apps


def test_start_tells_and_waits_until_it_shows(served: Served) -> None:
    out = ask(served, f"am start -W -n {APP}/.MainActivity")
    assert out.startswith("Starting: Intent { cmp=com.example.notes/.MainActivity }\nStatus: ok\nLaunchState: COLD\n")
    took = int(re.search(r"TotalTime: (\d+)", out)[1])  # type: ignore[index]
    assert took == pytest.approx(400, abs=25)


def test_start_of_what_runs_brings_it_to_the_front(served: Served) -> None:
    start(served)
    pid = ask(served, f"pidof {APP}")
    code, _, err = run(served, f"am start -n {APP}/{APP}.MainActivity")
    assert code == 0
    assert err.startswith("Warning: Activity not started, its current task has been brought to the front")
    assert ask(served, f"pidof {APP}") == pid
    ask(served, f"am start -S -W -n {APP}/.MainActivity")
    assert ask(served, f"pidof {APP}") != pid


@pytest.mark.parametrize("name", ["com.nix/.MainActivity", f"{APP}/.Other", "com.nix/com.nix.A"])
def test_start_of_what_is_not_there(served: Served, name: str) -> None:
    code, _, err = run(served, f"am start -n {name}")
    assert code == 1
    assert "does not exist" in err


def test_arguments_and_environment_reach_the_app(served: Served) -> None:
    line = f"am start -n {APP}/.MainActivity --es API 'https://a/?x=1,2' --ei PORT 80 --esa apex_args '-v,a\\,b,c d'"
    ask(served, line)
    front = served.phone.machine.front
    assert front is not None
    assert front.scope("env") == {"API": "https://a/?x=1,2", "PORT": "80"}
    assert front.scope("args") == ["-v", "a,b", "c d"]


def test_stop_clear_and_home(served: Served) -> None:
    start(served)
    ask(served, "am start -a android.intent.action.MAIN -c android.intent.category.HOME")
    assert "nexuslauncher" in ask(served, "dumpsys window | grep mCurrentFocus")
    assert ask(served, f"pidof {APP}") != ""
    ask(served, f"am force-stop {APP}")
    assert run(served, f"pidof {APP}") == (1, "", "")
    assert ask(served, f"pm clear {APP}") == "Success\n"
    assert run(served, "pm clear com.nix")[:2] == (1, "Failed\n")


def test_am_kill_ends_only_what_is_in_the_background(served: Served) -> None:
    start(served)
    ask(served, f"am kill {APP}")
    assert ask(served, f"pidof {APP}") != ""
    ask(served, "input keyevent HOME")
    ask(served, f"am kill {APP}")
    assert run(served, f"pidof {APP}")[0] == 1


def test_monkey_starts_by_the_icon(served: Served) -> None:
    assert "Events injected: 1" in ask(served, f"monkey -p {APP} -c android.intent.category.LAUNCHER 1")
    assert f" {APP}\n" in ask(served, "ps -A")
    assert run(served, "monkey -p com.nix -c android.intent.category.LAUNCHER 1")[0] == 252


def test_who_is_in_front(served: Served) -> None:
    start(served)
    assert re.search(rf"mCurrentFocus=Window{{\w+ u0 {APP}/{APP}\.MainActivity}}", ask(served, "dumpsys window"))
    assert "topResumedActivity=ActivityRecord{" in ask(served, "dumpsys activity activities")
    pid = ask(served, f"pidof {APP}").strip()
    assert re.search(rf"ACTIVITY {APP}/\.MainActivity \w+ pid={pid}", ask(served, "dumpsys activity top"))
    assert f"{pid}:{APP}/u0a123" in ask(served, "dumpsys activity processes")


def test_a_crash_shows_in_log_exit_info_and_dropbox(served: Served) -> None:
    start(served)
    with served.pace.held() as phone:
        front = phone.machine.front
        assert front is not None
        phone.machine.crash(front, "java.lang.IllegalStateException", "boom")
    log = ask(served, "logcat -b main -b crash -b events -d -v threadtime")
    (found,) = read_crash_evidence(log, app=APP)
    assert (found.way, found.app) == ("java", APP)
    assert "boom" in found.reason
    (exit_record,) = read_crash_evidence(ask(served, f"dumpsys activity exit-info {APP}"), app=APP)
    assert exit_record.way == "java"
    box = ask(served, "dumpsys dropbox --print data_app_crash")
    assert f"Process: {APP}\n" in box
    assert "java.lang.IllegalStateException: boom\n" in box
    assert "Window{" in ask(served, "dumpsys window | grep mCurrentFocus")
    assert f"Application Error: {APP}" in ask(served, "dumpsys window | grep mCurrentFocus")


# The log


def test_logcat_by_buffer_count_time_and_tag(served: Served) -> None:
    start(served)
    assert "am_proc_start" in ask(served, "logcat -b events -d")
    assert "am_proc_start" not in ask(served, "logcat -d")
    assert len(ask(served, "logcat -d -t 1").splitlines()) == 2
    assert ask(served, "logcat -d -s am_proc_start") == ""
    assert "Displayed" in ask(served, "logcat -d ActivityTaskManager:I '*:S'")
    assert "Start proc" not in ask(served, "logcat -d ActivityTaskManager:I '*:S'")
    served.pace.sleep(5)
    ask(served, "log -t mine hello")
    (head, line) = ask(served, "logcat -d -T '03-02 09:41:05.000'").splitlines()
    assert head == "--------- beginning of main"
    assert re.fullmatch(r"03-02 09:41:05\.\d{3}   501   501 I mine    : hello", line)


def test_logcat_formats(served: Served) -> None:
    ask(served, "log -p w -t mine hello")
    assert ask(served, "logcat -d -v brief").splitlines()[-1] == "W/mine    (  501): hello"
    assert ask(served, "logcat -d -v epoch").splitlines()[-1].split()[0] == "1772444460.000"
    assert ask(served, "logcat -d -v raw").splitlines()[-1] == "hello"
    ask(served, "logcat -c")
    assert ask(served, "logcat -d") == ""


@pytest.mark.parametrize("line", ["logcat -b nix -d", "logcat -d -T nonsense", "logcat -d -e '('", "logcat -d a:Q"])
def test_logcat_says_what_is_wrong(served: Served, line: str) -> None:
    code, out, err = run(served, line)
    assert (code, out) == (1, "")
    assert err.startswith("logcat: ")


# Packages


def test_packages_and_their_files(served: Served) -> None:
    assert ask(served, "pm list packages -3") == f"package:{APP}\n"
    path = ask(served, f"pm path {APP}").strip().removeprefix("package:")
    assert path.endswith("/base.apk")
    assert re.fullmatch(rf"[0-9a-f]{{32}}  {path}\n", ask(served, f"md5sum {path}"))
    assert run(served, "pm path com.nix") == (1, "", "")
    dump = ask(served, f"dumpsys package {APP}")
    assert "versionName=1.4.0\n" in dump
    assert "versionCode=10400 " in dump
    assert "Unable to find package: com.nix" in ask(served, "dumpsys package com.nix")


def apk_of(text: str) -> bytes:
    return make_apk(f"app: com.example.small\nname: Small\nversion: {text}\nstart: main\nscreens: {{main: {{}}}}\n")


def test_install_upgrade_uninstall(served: Served) -> None:
    for version in ("1.0", "1.1"):
        data = apk_of(version)
        assert run(served, f"cmd package install -r -S {len(data)}", data)[:2] == (0, "Success\n")
        assert f"versionName={version}\n" in ask(served, "dumpsys package com.example.small")
    path = ask(served, "pm path com.example.small").strip().removeprefix("package:")
    assert served.handset.files.read(path) == apk_of("1.1")
    ask(served, "am start -W -n com.example.small/.MainActivity")
    assert ask(served, "pm uninstall com.example.small") == "Success\n"
    assert run(served, "pidof com.example.small")[0] == 1
    assert run(served, "pm path com.example.small")[0] == 1
    assert run(served, "pm uninstall com.example.small")[0] == 1


def test_install_from_a_file_of_the_phone(served: Served) -> None:
    served.handset.files.write("/data/local/tmp/a.apk", apk_of("2.0"))
    assert ask(served, "pm install -r -t /data/local/tmp/a.apk") == "Success\n"
    assert run(served, "pm install /data/local/tmp/nix.apk")[0] == 255


@pytest.mark.parametrize("data", [b"", b"nonsense", make_apk("app: 5"), make_apk("a: [")])
def test_what_is_no_package_is_refused(served: Served, data: bytes) -> None:
    code, out, _ = run(served, f"pm install -S {len(data)}", data)
    assert code == 1
    assert out.startswith("Failure [INSTALL_")


def test_an_install_that_is_cut_short_is_refused(served: Served) -> None:
    data = apk_of("1.0")
    assert run(served, f"pm install -S {len(data)}", data[:-5])[1].startswith("Failure [INSTALL_FAILED_INVALID_APK")
    assert run(served, "pm install -S 99999999999999")[1].startswith("Failure [INSTALL_FAILED_INSUFFICIENT_STORAGE")


def test_full_storage_takes_no_package_and_no_file(served: Served) -> None:
    served.switch_on("storage_full")
    data = apk_of("1.0")
    assert run(served, f"pm install -S {len(data)}", data)[1] == "Failure [INSTALL_FAILED_INSUFFICIENT_STORAGE]\n"
    assert run(served, "echo x > /sdcard/x")[0] == 1
    assert "100% /data" in ask(served, "df /data")
    served.switch_off("storage_full")
    assert run(served, f"pm install -S {len(data)}", data)[1] == "Success\n"


def test_permissions(served: Served) -> None:
    camera = "android.permission.CAMERA"
    assert f"{camera}: granted=false" in ask(served, f"dumpsys package {APP}")
    ask(served, f"pm grant {APP} {camera}")
    assert f"{camera}: granted=true" in ask(served, f"dumpsys package {APP}")
    assert served.phone.machine.packages.answer(APP, "camera") is True
    ask(served, f"pm revoke {APP} {camera}")
    assert served.phone.machine.packages.answer(APP, "camera") is False
    assert run(served, f"pm grant {APP} android.permission.NIX")[0] == 255
    assert run(served, f"pm grant com.nix {camera}")[0] == 255


# Input, keyboards, the rest of the phone


def test_input_touches(served: Served) -> None:
    ask(served, "input tap 100 200")
    ask(served, "input touchscreen swipe 100 900 100 300 250")
    names = [entry.name for entry in served.journal.touches]
    assert names[:2] == ["down", "up"]
    times = [entry.at for entry in served.journal.touches[2:]]
    assert times[-1] - times[0] == pytest.approx(0.25)
    assert served.journal.touches[-1].args == (0, 100, 300)


def test_input_events_one_by_one(served: Served) -> None:
    start(served)
    served.journal.clear()
    ask(served, "input motionevent DOWN 270 440")
    served.pace.sleep(0.06)
    ask(served, "input motionevent UP 270 440")
    down, up = served.journal.touches
    assert up.at - down.at == pytest.approx(0.06)
    assert served.phone.recognised[-1].kind == "tap"


def test_text_goes_into_the_focused_field(served: Served) -> None:
    start(served)
    ask(served, "input tap 270 440")
    ask(served, "input text 'ada%sl'")
    field = served.phone.machine.front
    assert field is not None
    assert field.value("email") == "ada l"
    ask(served, "input keyevent 67 KEYCODE_DEL")
    assert field.value("email") == "ada"
    assert run(served, "input text 'ä'")[0] == 255
    assert field.value("email") == "ada"


@pytest.mark.parametrize(
    "line", ["input", "input nix", "input tap 1", "input tap a b", "input swipe 1 2 3", "input keyevent NIX",
             "input tap 1e300 2", "input motionevent SIDEWAYS 1 2"]
)  # fmt: skip
def test_input_that_is_none_does_nothing(served: Served, line: str) -> None:
    code, _, err = run(served, line)
    assert err != ""
    assert code == (0 if line == "input" else 255)
    assert list(served.journal.touches) == []


def test_keyboards(served: Served) -> None:
    latin = "com.google.android.inputmethod.latin/com.android.inputmethod.latin.LatinIME"
    assert ask(served, "ime list -s") == f"{latin}\n"
    assert ask(served, "settings get secure default_input_method") == f"{latin}\n"
    assert run(served, "ime set com.github.uiautomator/.AdbKeyboard")[0] == 255
    start(served)
    assert "mInputShown=false" in ask(served, "dumpsys input_method")
    ask(served, "input tap 270 440")
    assert "mInputShown=true" in ask(served, "dumpsys input_method")


def test_network_by_every_way(served: Served) -> None:
    ask(served, "svc wifi disable; svc data disable")
    assert served.phone.machine.online is False
    ask(served, "svc wifi enable")
    assert served.phone.machine.online is True
    ask(served, "cmd connectivity airplane-mode enable")
    assert served.phone.machine.online is False
    assert ask(served, "cmd connectivity airplane-mode") == "enabled\n"
    ask(served, "cmd connectivity airplane-mode disable")
    assert served.phone.machine.online is True


def test_the_shade(served: Served) -> None:
    ask(served, "cmd statusbar expand-notifications")
    assert "NotificationShade" in ask(served, "dumpsys window windows")
    ask(served, "cmd statusbar collapse")
    assert "NotificationShade" not in ask(served, "dumpsys window windows")


def test_the_screen_off_and_on(served: Served) -> None:
    ask(served, "input keyevent POWER")
    assert "mWakefulness=Asleep" in ask(served, "dumpsys power")
    ask(served, "input keyevent KEYCODE_WAKEUP KEYCODE_WAKEUP")
    assert "mWakefulness=Awake" in ask(served, "dumpsys power")


def test_screencap(served: Served) -> None:
    out = bytearray()
    shell = Shell(served.handset, served.services.tools, out.extend, out.extend, lambda: False)
    assert shell.run("screencap -p", Given(b"")) == 0
    assert bytes(out) == served.phone.frame().png()
    out.clear()
    shell.run("screencap", Given(b""))
    assert len(out) == 16 + 540 * 1200 * 4


def test_every_command_bears_any_arguments(served: Served) -> None:
    chance = random.Random(5)
    words = [
        "-n",
        "--",
        "-S",
        "",
        "x" * 300,
        "-1",
        "99999999999999999999",
        "a/b",
        "/",
        "..",
        "--es",
        "%s",
        "\x07",
        "é",
        APP,
    ]
    streaming = {"logcat", "getevent", "cat", "sh", "app_process", "app_process64", "reboot", "sleep"}
    for name in sorted(set(served.services.tools) - streaming):
        for _ in range(15):
            line = [name, *chance.choices(words, k=chance.randrange(5))]
            code, _, _ = run(served, " ".join(map(shlex.quote, line)))
            assert 0 <= code <= 255, line
