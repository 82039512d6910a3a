"""What goes wrong between here and the phone, over a real adb: each by its name, recovered where that can be."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pytest_apex.backends.uiautomator2 import helper
from pytest_apex.backends.uiautomator2.adb import AdbServer, adb_program
from pytest_apex.backends.uiautomator2.backend import Uiautomator2Backend
from pytest_apex.backends.uiautomator2.channel import MaybeDone
from pytest_apex.backends.uiautomator2.connecting import connect, identify
from pytest_apex.backends.uiautomator2.doctor import examine
from pytest_apex.backends.uiautomator2.limits import Limits
from pytest_apex.backends.virtual import demo_app
from pytest_apex.cli import main
from pytest_apex.clock import RealClock
from pytest_apex.errors import (
    ApexError,
    ConfigError,
    DeviceLost,
    DeviceRestarted,
    DriverDead,
    ScreenLocked,
    StorageFull,
)
from pytest_apex.gestures.compile import compile_action
from pytest_apex.gestures.rules import RULES
from pytest_apex.leases.lease import Lease
from pytest_apex.model.action import Tap
from pytest_apex.model.geometry import Point
from pytest_apex.model.snapshot import LOCK_SCREEN
from pytest_apex.phone_wires.package import package_of
from pytest_apex.phone_wires.serve import Served, serve_phone
from pytest_apex.settings import Settings, Timeouts

from .android import APP, end_adb

pytestmark = pytest.mark.bench

TAP = compile_action(Tap(Point(270, 1000), 60), RULES["android"])
#: A look may take 2 s, a phone may be gone for 6 s.
SHORT = Settings(timeouts=Timeouts(check=1, load=2, settle=1, launch=6))


@pytest.fixture
def backend(served: Served) -> Iterator[Uiautomator2Backend]:
    made = connect(served.serial, SHORT)
    made.launch(APP)
    made.clock.sleep(0.6)
    served.journal.clear()
    yield made
    made.close()


def later(seconds: float, do: Callable[[], None]) -> threading.Timer:
    timer = threading.Timer(seconds, do)
    timer.start()
    return timer


def taps(served: Served) -> int:
    return sum(1 for entry in served.journal.touches if entry.name == "down")


def test_a_server_that_was_killed_is_started_and_gets_the_tap_once(
    backend: Uiautomator2Backend, served: Served
) -> None:
    served.switch_on("driver_killed")
    backend.perform(TAP)  # it surely did not get there: that is no second touch
    assert taps(served) == 1
    assert backend.capture().source == "uiautomator2"


def test_a_look_while_the_server_is_dead_goes_the_other_way(backend: Uiautomator2Backend, served: Served) -> None:
    served.switch_on("driver_killed")
    seen = backend.capture()
    assert seen.source == "uiautomator dump"
    assert any("uiautomator's own" in note for note in seen.notes)
    assert len(seen) > 5
    assert "started" in backend.recover()
    assert backend.capture().source == "uiautomator2"


def test_a_tap_on_a_server_that_hangs_is_maybe_done_and_never_sent_again(
    backend: Uiautomator2Backend, served: Served
) -> None:
    connection = backend._connection
    connection.ready()
    served.switch_on("driver_hung")
    before = backend.clock.now()
    with pytest.raises(MaybeDone, match="maybe done"):
        connection.act("click", 270, 1000, 60, lasting_ms=60)
    assert backend.clock.now() - before < 3
    served.switch_off("driver_hung")
    assert "the server" in backend.recover()
    backend.capture()
    assert len([entry for entry in served.journal.entries("http") if entry.name.startswith("POST")]) <= 2
    assert taps(served) <= 1


def test_a_server_that_hung_before_is_ended_and_the_tap_sent_once(backend: Uiautomator2Backend, served: Served) -> None:
    served.switch_on("driver_hung")
    timer = later(4.0, lambda: served.switch_off("driver_hung"))
    backend.perform(TAP)
    timer.join()
    assert taps(served) == 1


def test_a_capture_on_a_server_that_hangs_goes_the_other_way_once(backend: Uiautomator2Backend, served: Served) -> None:
    served.switch_on("driver_hung")
    before = backend.clock.now()
    assert backend.capture().source == "uiautomator dump"
    assert backend.clock.now() - before < 5


def test_the_cable_is_out_and_in_again(backend: Uiautomator2Backend, served: Served) -> None:
    served.switch_on("offline")
    with pytest.raises(DeviceLost) as error:
        backend.capture()
    assert served.serial in error.value.tried
    timer = later(1.0, lambda: served.switch_off("offline"))
    assert "adb has the phone again" in backend.recover()
    timer.join()
    assert backend.capture().source == "uiautomator2"
    assert taps(served) == 0


def test_a_cable_that_stays_out_is_named(backend: Uiautomator2Backend, served: Served) -> None:
    served.switch_on("offline")
    with pytest.raises(DeviceLost, match=r"is not connected|is offline") as error:
        backend.recover()
    assert error.value.cure
    served.switch_off("offline")


def test_the_adb_server_was_killed(backend: Uiautomator2Backend, served: Served, adb: AdbServer) -> None:
    end_adb(adb)
    RealClock().sleep(0.3)
    try:
        backend.perform(TAP)
    except (DeviceLost, DriverDead):  # its server was still on the way down
        backend.recover()
    assert backend.capture().source == "uiautomator2"
    assert taps(served) <= 1


def test_a_rebooted_phone_is_waited_for_and_named(backend: Uiautomator2Backend, served: Served) -> None:
    served.reboot(2.0)
    with pytest.raises(ApexError):
        backend.capture()
    with pytest.raises(DeviceRestarted) as error:
        backend.recover()
    assert "the phone was rebooted" in error.value.seen
    assert backend.app_state(APP).state == "not_running"
    assert backend.launch(APP) > 0
    assert backend.capture().source == "uiautomator2"


def test_no_touch_goes_to_what_is_shown_after_a_restart(backend: Uiautomator2Backend, served: Served) -> None:
    served.reboot(1.0)
    RealClock().sleep(1.5)
    with pytest.raises(DeviceRestarted):
        backend.perform(TAP)
    assert taps(served) == 0
    backend.perform(TAP)
    assert taps(served) == 1


def test_an_app_that_is_gone_after_a_restart_did_not_die(backend: Uiautomator2Backend, served: Served) -> None:
    served.reboot(1.0)
    RealClock().sleep(1.5)
    backend._connection.phone.server.connect(served.serial, 10)
    with pytest.raises(DeviceRestarted):
        backend.app_state(APP)
    assert backend.app_state(APP).state == "not_running"


def test_a_phone_that_asks_for_leave(adb: AdbServer) -> None:
    with serve_phone([demo_app()], modes=["unauthorized"]) as phone:
        with pytest.raises(ConfigError, match=r"unauthorized|not connected") as error:
            connect(phone.serial, SHORT)
        assert "debug" in error.value.likely + error.value.cure
        adb.disconnect(phone.serial)


def test_a_phone_that_is_not_there(adb: AdbServer) -> None:
    with pytest.raises(ConfigError, match="is not connected") as error:
        connect("127.0.0.1:1", SHORT)
    assert "adb connect 127.0.0.1:1" in error.value.seen
    assert "pair" in error.value.cure


def test_a_full_phone_is_named(served: Served) -> None:
    served.handset.files.remove(helper.TARGET)
    served.handset.files.full = True
    with pytest.raises(StorageFull) as error:
        connect(served.serial, SHORT)
    assert "storage is full" in str(error.value)


def test_what_does_not_fit_leaves_nothing_behind(backend: Uiautomator2Backend, served: Served, tmp_path: Path) -> None:
    package = tmp_path / "notes.apk"
    package.write_bytes(package_of(demo_app()))
    served.switch_on("storage_full")
    for do in (lambda: backend.install(package), lambda: backend.push(package, "/sdcard/notes.apk")):
        with pytest.raises(StorageFull) as error:
            do()
        assert error.value.cure == "free some space on the phone"
    served.switch_off("storage_full")
    assert "apex-install" not in backend.shell("ls /data/local/tmp").text
    assert backend.install(package) == APP


def test_records_and_log_while_the_server_is_dead(backend: Uiautomator2Backend, served: Served) -> None:
    served.switch_on("driver_hung")
    before = backend.clock.now()
    with served.pace.held() as phone:
        assert phone.machine.front is not None
        phone.machine.crash(phone.machine.front, "java.lang.IllegalStateException", "no session")
    assert [record.way for record in backend.records(APP, before)] == ["java"]
    assert "FATAL EXCEPTION" in backend.log(0).text
    assert backend.app_state(APP).pid == 0


def test_the_doctor_and_the_list(
    served: Served, adb: AdbServer, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ADBUTILS_ADB_PATH", adb_program())
    adb.connect(served.serial, 5.0)
    assert main(["doctor"]) == 0
    shown = capsys.readouterr().out
    assert f"{served.serial} (Virtual phone, device)" in shown
    assert "ok     driver: installed" in shown
    assert "ok     speed: a picture takes 0." in shown
    lease = Lease([served.serial])
    lease.take(0)
    assert main(["doctor"]) == 0
    assert f"hint   use: in use by process {os.getpid()} " in capsys.readouterr().out
    lease.release()
    served.switch_on("slow", 1.2)
    assert main(["doctor"]) == 0
    assert "try: --apex-slow=1.5" in capsys.readouterr().out
    served.switch_off("slow")
    served.switch_on("locked")
    assert main(["doctor"]) == 1
    assert "WRONG  screen: locked" in capsys.readouterr().out
    assert main(["devices"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "virtual  (the built-in phone)",
        f"{served.serial} (Virtual phone, device)",
    ]


def test_a_lock_screen_goes_by_waking_where_it_has_no_passcode(backend: Uiautomator2Backend, served: Served) -> None:
    served.handset.lock = "swipe"
    backend.wake()
    assert not served.handset.lock


def test_a_passcode_is_named(backend: Uiautomator2Backend, served: Served) -> None:
    served.handset.lock = "passcode"
    for do in (backend.wake, lambda: backend.launch(APP), lambda: backend.activate(APP)):
        with pytest.raises(ScreenLocked, match="can't unlock") as error:
            do()
        assert "passcode" in error.value.likely


def test_an_app_is_not_launched_behind_a_lock_screen(backend: Uiautomator2Backend, served: Served) -> None:
    served.handset.lock = "swipe"
    backend.launch(APP)
    assert not served.handset.lock


def test_a_look_says_that_the_screen_is_locked(backend: Uiautomator2Backend, served: Served) -> None:
    assert LOCK_SCREEN not in {window.title for window in backend.capture().windows}
    served.handset.lock = "passcode"
    look = backend.capture()
    (lock,) = (window for window in look.windows if window.title == LOCK_SCREEN)
    assert (lock.app, lock.kind, lock.focused) == ("com.android.systemui", "system", True)
    assert lock.bounds == look.screen.bounds


def test_the_doctor_looks_at_the_phones_that_are_named(adb: AdbServer, served: Served) -> None:
    with serve_phone([demo_app()], modes=["passcode"]) as other:
        adb.connect(other.serial, 10)
        named = list(examine(adb, Limits(), [served.serial, "R58NOPE"]))
        adb.disconnect(other.serial)
    assert not any(other.serial in finding.where for finding in named)
    (wrong,) = (finding for finding in named if finding.level == "wrong")
    assert (wrong.where, wrong.what) == ("R58NOPE", "connection")
    assert any(finding.where.startswith(served.serial) and finding.what == "storage" for finding in named)


def test_a_phone_that_hangs_as_a_whole_is_lost_once_and_not_asked_for_long(
    backend: Uiautomator2Backend, served: Served
) -> None:
    served.switch_on("slow", 60.0)
    before = backend.clock.now()
    for do in (backend.capture, lambda: backend.app_state(APP), lambda: backend.log(0), lambda: backend.stop(APP)):
        with pytest.raises(DeviceLost, match="does not answer"):
            do()
    assert backend.clock.now() - before < 3
    with pytest.raises(DeviceLost, match="does not answer"):
        backend.recover()
    assert backend.clock.now() - before < 8


def test_a_command_that_takes_its_time_is_no_hung_phone(backend: Uiautomator2Backend) -> None:
    assert backend.shell("sleep 2; echo done", 10).text == "done\n"
    with pytest.raises(DriverDead, match="takes longer than 1 s"):
        backend.shell("sleep 3", 1)
    backend.capture()


def test_a_phone_that_hung_for_a_moment_goes_on(backend: Uiautomator2Backend, served: Served) -> None:
    served.switch_on("slow", 1.5)
    with pytest.raises(DeviceLost, match="does not answer"):
        backend.capture()
    served.switch_off("slow")
    backend.recover()
    assert backend.capture().source == "uiautomator2"


def test_a_command_does_not_touch_a_phone_that_a_run_uses(
    served: Served, adb: AdbServer, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["do", f"--device={served.serial}", f"--app={APP}", ""]
    run = Lease(identify(served.serial, SHORT))
    run.take(0)
    assert main(command) == 1
    assert f"the device {served.serial} is in use" in capsys.readouterr().err
    run.release()
    assert main(command) == 0
