"""Real adb drives the built-in phone: the one on the PATH (Debian's, in CI) and the one inside adbutils."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import time
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.request import urlopen

import pytest

from pytest_apex.backends.virtual import demo_app
from pytest_apex.phone_wires.package import make_apk
from pytest_apex.phone_wires.serve import Served, serve_phone

pytestmark = pytest.mark.bench
APP = "com.example.notes"


@dataclass(frozen=True)
class Adb:
    """One adb program with a server of its own, and the phone it is connected to."""

    program: str
    port: int
    served: Served

    def __call__(self, *arguments: str, serial: bool = True) -> subprocess.CompletedProcess[bytes]:
        words = [self.program, *(("-s", self.served.serial) if serial else ()), *arguments]
        return run(words, self.port)

    def say(self, *arguments: str) -> str:
        done = self(*arguments)
        assert done.returncode == 0, (arguments, done)
        return done.stdout.decode()


def run(words: list[str], port: int) -> subprocess.CompletedProcess[bytes]:
    environment = {**os.environ, "ANDROID_ADB_SERVER_PORT": str(port)}
    return subprocess.run(words, capture_output=True, env=environment, timeout=60, check=False)


@pytest.fixture(scope="module", params=["PATH", "adbutils"])
def server(request: pytest.FixtureRequest, program: Callable[[str], str]) -> Iterator[tuple[str, int]]:
    """The program, and the port of its server, which ends with the last test."""
    if request.param == "PATH":
        path = program("adb")
    else:
        adbutils = pytest.importorskip("adbutils")
        path = str(Path(adbutils.__file__).parent / "binaries" / "adb")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    run([path, "start-server"], port)
    yield path, port
    run([path, "kill-server"], port)


@pytest.fixture
def adb(server: tuple[str, int]) -> Iterator[Adb]:
    with serve_phone([demo_app()]) as served:
        made = Adb(*server, served)
        assert f"connected to {served.serial}" in made("connect", served.serial, serial=False).stdout.decode()
        yield made
        made("disconnect", served.serial, serial=False)


def test_devices_shows_product_and_model(adb: Adb) -> None:
    lines = adb("devices", "-l", serial=False).stdout.decode().splitlines()
    line = next(line for line in lines if line.startswith(adb.served.serial))
    assert "device product:virtual_phone model:Virtual_phone device:virtual_phone" in line


def test_shell_passes_exit_codes_and_keeps_outputs_apart(adb: Adb) -> None:
    done = adb("shell", "echo out; nix")
    assert (done.returncode, done.stdout) == (127, b"out\n")
    assert b"inaccessible or not found" in done.stderr
    assert adb("shell", "exit 3").returncode == 3
    assert adb.say("shell", "getprop", "ro.product.model") == "Virtual phone\n"


def test_what_is_pushed_is_pulled_again(adb: Adb, tmp_path: Path) -> None:
    data = os.urandom(3_000_001)
    (tmp_path / "a.bin").write_bytes(data)
    adb.say("push", str(tmp_path / "a.bin"), "/data/local/tmp/")
    assert adb.say("shell", "stat -c %s /data/local/tmp/a.bin") == "3000001\n"
    adb.say("pull", "/data/local/tmp/a.bin", str(tmp_path / "b.bin"))
    assert (tmp_path / "b.bin").read_bytes() == data
    assert adb("pull", "/data/local/tmp/nix", str(tmp_path)).returncode != 0
    assert adb("push", str(tmp_path / "a.bin"), "/system/").returncode != 0


def test_a_folder_is_pushed_and_pulled(adb: Adb, tmp_path: Path) -> None:
    (tmp_path / "in" / "deep").mkdir(parents=True)
    (tmp_path / "in" / "a.txt").write_text("a")
    (tmp_path / "in" / "deep" / "b.txt").write_text("b")
    adb.say("push", str(tmp_path / "in"), "/sdcard/")
    adb.say("pull", "/sdcard/in", str(tmp_path / "out"))
    assert (tmp_path / "out" / "deep" / "b.txt").read_text() == "b"


def test_install_replace_uninstall(adb: Adb, tmp_path: Path) -> None:
    package = tmp_path / "small.apk"
    for version in ("1.0", "1.1"):
        package.write_bytes(make_apk(f"app: com.example.small\nname: Small\nversion: {version}\nstart: main\n"
                                     "screens: {main: {}}\n"))  # fmt: skip
        assert "Success" in adb.say("install", "-r", str(package))
        assert f"versionName={version}" in adb.say("shell", "dumpsys package com.example.small")
    assert "Success" in adb.say("uninstall", "com.example.small")
    assert "small" not in adb.say("shell", "pm list packages")


def test_what_is_no_package_is_not_installed(adb: Adb, tmp_path: Path) -> None:
    package = tmp_path / "bad.apk"
    with zipfile.ZipFile(package, "w") as archive:
        archive.writestr("a.txt", "a")
    done = adb("install", str(package))
    assert done.returncode != 0
    assert b"INSTALL_FAILED_INVALID_APK" in done.stdout + done.stderr


def test_a_foreign_package_is_installed_by_its_name(adb: Adb) -> None:
    uiautomator2 = pytest.importorskip("uiautomator2")
    package = Path(uiautomator2.__file__).parent / "assets" / "app-uiautomator.apk"
    assert "Success" in adb.say("install", str(package))
    assert "com.github.uiautomator/.AdbKeyboard" in adb.say("shell", "ime list -s -a")


def test_exec_out_gives_the_picture_byte_by_byte(adb: Adb) -> None:
    picture = adb("exec-out", "screencap", "-p").stdout
    with adb.served.pace.held() as phone:
        assert picture == phone.frame().png()


def test_a_forwarded_port_reaches_the_server(adb: Adb) -> None:
    adb.served.handset.files.write("/data/local/tmp/u2.jar", b"jar")
    command = "CLASSPATH=/data/local/tmp/u2.jar app_process / com.wetest.uia2.Main -p 9008"
    environment = {**os.environ, "ANDROID_ADB_SERVER_PORT": str(adb.port)}
    words = [adb.program, "-s", adb.served.serial, "shell", command]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment) as life:
        assert life.stdout is not None
        assert b"Starting Server" in life.stdout.readline()
        port = int(adb.say("forward", "tcp:0", "tcp:9008"))
        with urlopen(f"http://127.0.0.1:{port}/ping", timeout=10) as answer:
            assert answer.read() == b"pong"
        life.kill()
    adb.say("forward", "--remove", f"tcp:{port}")


def test_logcat_follows(adb: Adb) -> None:
    environment = {**os.environ, "ANDROID_ADB_SERVER_PORT": str(adb.port)}
    words = [adb.program, "-s", adb.served.serial, "logcat", "-v", "threadtime"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, env=environment) as follower:
        assert follower.stdout is not None
        adb.say("shell", "am", "start", "-n", f"{APP}/.MainActivity")
        line = b""
        while b"Displayed" not in line:
            line = follower.stdout.readline()
        follower.kill()
    assert re.match(rb"\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} +\d+ +\d+ I ActivityTaskManager: Displayed", line)


# Trouble


def state(adb: Adb) -> str:
    done = adb("get-state")
    return (done.stdout or done.stderr).decode().strip()


def within(seconds: float, what: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + seconds
    while not what():
        if time.monotonic() > deadline:
            return False
    return True


def test_offline_and_back(adb: Adb) -> None:
    adb.served.switch_on("offline")
    assert within(10, lambda: "offline" in state(adb) or "not found" in state(adb))
    assert adb("shell", "echo").returncode != 0
    adb.served.switch_off("offline")
    adb("disconnect", adb.served.serial, serial=False)
    adb("connect", adb.served.serial, serial=False)
    assert within(20, lambda: state(adb) == "device")


def test_unauthorized_until_allowed(adb: Adb) -> None:
    adb.served.switch_on("unauthorized")
    adb("disconnect", adb.served.serial, serial=False)
    assert b"failed to authenticate" in adb("connect", adb.served.serial, serial=False).stdout
    assert "unauthorized" in state(adb)
    adb.served.switch_off("unauthorized")
    assert within(20, lambda: state(adb) == "device")


def test_a_reboot_comes_back(adb: Adb) -> None:
    before = adb.say("shell", "cat /proc/sys/kernel/random/boot_id")
    adb("reboot")
    assert within(10, lambda: state(adb) != "device")
    adb("disconnect", adb.served.serial, serial=False)
    assert within(20, lambda: b"connected to" in adb("connect", adb.served.serial, serial=False).stdout)
    assert within(10, lambda: state(adb) == "device")
    assert adb.say("shell", "cat /proc/sys/kernel/random/boot_id") != before
