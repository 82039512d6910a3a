"""Adb's protocol on values and on a socket pair: no adb, no phone, no waiting."""

from __future__ import annotations

import io
import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import cast

import pytest

from pytest_apex.backends.choice import connected_phones
from pytest_apex.backends.uiautomator2 import adb, files, shell, trouble
from pytest_apex.backends.uiautomator2.adb import AdbServer, AdbTrouble, Deadline, Listed, Stream, read_devices
from pytest_apex.backends.uiautomator2.connecting import find, the_only
from pytest_apex.backends.uiautomator2.handset import Handset
from pytest_apex.backends.uiautomator2.limits import Limits
from pytest_apex.errors import BackendMissing, ConfigError, DeviceLost, DriverDead, StorageFull

LISTING = """List of devices attached
R58M123ABC             device usb:1-1 product:oriole model:Pixel_6 device:oriole transport_id:1
emulator-5554          offline transport_id:2
192.168.1.20:5555      unauthorized transport_id:3
0123456789             no permissions (missing udev rules? user is in the plugdev group); see [http://x] usb:1-2
"""


def test_devices_are_read_with_their_states() -> None:
    found = read_devices(LISTING)
    assert [(one.serial, one.state) for one in found] == [
        ("R58M123ABC", "device"),
        ("emulator-5554", "offline"),
        ("192.168.1.20:5555", "unauthorized"),
        ("0123456789", "no permissions"),
    ]
    assert str(found[0]) == "R58M123ABC (Pixel 6, device)"
    assert read_devices("") == []


@pytest.mark.parametrize("state", ["offline", "unauthorized", "no permissions", "recovery", "bootloader", "odd"])
def test_each_state_that_is_no_use_is_named_with_a_cure(state: str) -> None:
    error = trouble.unusable(Listed("R58", state))
    assert error is not None
    assert state in error.tried
    assert error.likely
    assert error.cure


def test_a_usable_phone_has_no_trouble() -> None:
    assert trouble.unusable(Listed("R58", "device")) is None


def test_an_address_that_is_gone_tells_of_pairing() -> None:
    assert "adb pair 192.168.1.20:PORT" in trouble.absent("192.168.1.20:5555", []).cure
    assert "plug it in" in trouble.absent("R58", []).cure
    assert "Wireless debugging" in trouble.absent("adb-R58-x7ab._adb-tls-connect._tcp", []).cure


def test_a_variable_that_names_no_adb_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ADBUTILS_ADB_PATH", str(tmp_path / "none"))
    with pytest.raises(AdbTrouble) as told:
        adb.adb_program()
    error = trouble.no_server(told.value)
    assert isinstance(error, BackendMissing)
    assert str(tmp_path / "none") in error.seen
    assert (error.likely, error.cure) == ("ADBUTILS_ADB_PATH names no program", "correct it, or unset it")


def test_no_adb_program_is_missing_and_no_server_is_lost() -> None:
    assert isinstance(trouble.no_server(AdbTrouble("server", "no adb program: none")), BackendMissing)
    assert isinstance(trouble.no_server(AdbTrouble("server", "refused")), DeviceLost)


class TestAuto:
    def test_the_only_one_that_can_be_used(self) -> None:
        assert the_only(read_devices(LISTING)).serial == "R58M123ABC"

    def test_none(self) -> None:
        with pytest.raises(ConfigError, match="there is none"):
            the_only([])

    def test_several_are_listed(self) -> None:
        with pytest.raises(ConfigError, match="there are several") as error:
            the_only([Listed("one", "device"), Listed("two", "device")])
        assert error.value.seen.splitlines() == ["one (no name, device)", "two (no name, device)"]

    def test_one_that_can_not_be_used_says_why(self) -> None:
        with pytest.raises(ConfigError, match="is unauthorized"):
            the_only([Listed("one", "unauthorized")])


@pytest.fixture
def line() -> Iterator[tuple[Stream, socket.socket]]:
    """A stream and its other end."""
    near, far = socket.socketpair()
    with near, far:
        yield Stream(near, Deadline(5.0)), far


class TestStream:
    def test_a_service_is_asked_with_its_length(self, line: tuple[Stream, socket.socket]) -> None:
        stream, far = line
        far.sendall(b"OKAY")
        stream.ask("host:version")
        assert far.recv(100) == b"000chost:version"

    def test_no_is_told_with_its_words(self, line: tuple[Stream, socket.socket]) -> None:
        stream, far = line
        far.sendall(b"FAIL0006no way")
        with pytest.raises(AdbTrouble) as error:
            stream.ask("host:x")
        assert (error.value.kind, error.value.text) == ("refused", "no way")

    @pytest.mark.parametrize("answer", [b"", b"OK", b"HTTP/1.1 200", b"FAIL00zz"])
    def test_anything_else_is_a_loss_and_no_traceback(self, line: tuple[Stream, socket.socket], answer: bytes) -> None:
        stream, far = line
        far.sendall(answer)
        far.shutdown(socket.SHUT_WR)
        with pytest.raises(AdbTrouble) as error:
            stream.expect_okay()
        assert error.value.kind == "lost"

    def test_silence_ends_at_the_limit(self) -> None:
        near, far = socket.socketpair()
        with near, far, pytest.raises(AdbTrouble) as error:
            Stream(near, Deadline(0.0)).read(4)
        assert error.value.kind == "silent"


def test_no_server_at_an_address_of_another_machine_is_started() -> None:
    with pytest.raises(AdbTrouble) as error:
        AdbServer("127.0.0.2", 1).version()
    assert error.value.kind == "elsewhere"


def test_the_server_is_where_the_environment_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANDROID_ADB_SERVER_HOST", "box")
    monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", "5999")
    assert (AdbServer().host, AdbServer().port) == ("box", 5999)
    monkeypatch.setenv("ANDROID_ADB_SERVER_HOST", "")
    monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", "")
    assert (AdbServer().host, AdbServer().port) == ("127.0.0.1", 5037)


@pytest.mark.parametrize("told", ["abc", "0", "65536", "-1", " 5037", "5_037", "５０３７", "9" * 5000])
def test_a_port_that_is_none_is_told_and_no_other_server_is_taken(told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", told)
    with pytest.raises(ConfigError, match="ANDROID_ADB_SERVER_PORT is no port"):
        AdbServer()
    assert connected_phones() == []


@pytest.mark.parametrize(
    ("kind", "says"),
    [
        ("server", "can't be started"),
        ("elsewhere", "where ANDROID_ADB_SERVER_HOST says"),
        ("lost", "does not answer as one"),
        ("silent", "does not answer as one"),
    ],
)
def test_why_there_is_no_server(kind: str, says: str) -> None:
    assert says in trouble.no_server(AdbTrouble(kind, "…")).tried


def answering(told: bytes) -> tuple[AdbServer, threading.Thread]:
    """A server that takes one connection, says `told` to whatever it is asked, and ends."""
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        with listener, suppress(OSError), listener.accept()[0] as peer:
            peer.sendall(told)
            peer.shutdown(socket.SHUT_WR)
            while peer.recv(1000):
                pass

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    return AdbServer("127.0.0.1", listener.getsockname()[1]), thread


@pytest.mark.parametrize("told", [b"", b"CNXN\0\0\0\1", b"OKAY-001", b"OKAY 002ab", b"OKAY0_04abcd", b"OKAY0004zz!!"])
def test_what_is_no_adb_server_is_no_traceback(told: bytes) -> None:
    server, thread = answering(told)
    with pytest.raises(AdbTrouble) as error:
        server.version()
    assert error.value.kind == "lost"
    thread.join(5)


def test_a_phone_named_beside_what_is_no_adb_server_is_a_wrong_setting() -> None:
    server, thread = answering(b"HTTP/1.1 400 Bad Request")
    with pytest.raises(ConfigError, match="does not answer as one"):
        find(server, "R58M123ABC")
    thread.join(5)


class TestShell:
    def test_answers_come_back_in_their_order(self) -> None:
        assert shell.packed(["a", "b c"]) == "a; echo @apex:0:$?; b c; echo @apex:1:$?"
        answers = shell.unpacked("one\ntwo\n@apex:0:0\nlast, no line end@apex:1:3\n", 2)
        assert [(answer.text, answer.code) for answer in answers] == [("one\ntwo\n", 0), ("last, no line end", 3)]
        assert answers[0].line == "one"

    def test_what_never_came_is_empty(self) -> None:
        assert [answer.code for answer in shell.unpacked("one\n@apex:0:0\nhalf", 3)] == [0, 255, 255]
        assert [answer.code for answer in shell.unpacked("", 1)] == [255]

    @pytest.mark.parametrize("size", [1, 3, 7, 1000])
    def test_packets_cut_anywhere(self, size: int) -> None:
        data = b"".join(
            struct.pack("<BI", kind, len(text)) + text for kind, text in ((1, b"out"), (2, b"err"), (3, b"\x07"))
        )
        pieces = [data[at : at + size] for at in range(0, len(data), size)]
        assert shell.frames(pieces) == (b"outerr", 7)

    def test_a_connection_that_ends_early_has_no_exit_code(self) -> None:
        assert shell.frames([struct.pack("<BI", 1, 3) + b"out"]) == (b"out", 255)


class TestFiles:
    def test_a_file_goes_in_pieces_and_tells_how_far(
        self, line: tuple[Stream, socket.socket], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(files, "_PIECE", 6)
        stream, far = line
        far.sendall(b"OKAY\0\0\0\0")
        told: list[float] = []
        files.send(stream, io.BytesIO(b"0123456789"), 10, "/sdcard/a", 5.0, told.append)
        got = far.recv(1000)
        assert got.startswith(b"SEND" + struct.pack("<I", 15) + b"/sdcard/a,33261DATA\x06\0\0\x00012345")
        assert b"DATA\x04\0\0\x006789DONE" in got
        assert told == [0.6, 1.0]

    def test_a_full_phone_is_named(self, line: tuple[Stream, socket.socket]) -> None:
        stream, far = line
        far.sendall(b"FAIL" + struct.pack("<I", 23) + b"No space left on device")
        with pytest.raises(StorageFull) as error:
            files.send(stream, io.BytesIO(b"x"), 1, "/sdcard/a", 5.0)
        assert "storage is full" in error.value.likely

    def test_a_file_comes(self, line: tuple[Stream, socket.socket], tmp_path: Path) -> None:
        stream, far = line
        far.sendall(b"DATA" + struct.pack("<I", 3) + b"abc" + b"DATA" + struct.pack("<I", 1) + b"d" + b"DONE\0\0\0\0")
        target = io.BytesIO()
        files.receive(stream, "/sdcard/a", target, 5.0)
        assert target.getvalue() == b"abcd"

    @pytest.mark.parametrize("answer", [b"WHAT\0\0\0\0", b"DATA\xff\xff\xff\x7f", b"DA"])
    def test_garbage_is_a_loss(self, line: tuple[Stream, socket.socket], answer: bytes) -> None:
        stream, far = line
        far.sendall(answer)
        far.shutdown(socket.SHUT_WR)
        with pytest.raises(AdbTrouble):
            files.receive(stream, "/sdcard/a", io.BytesIO(), 5.0)


def test_the_adb_that_adbutils_brings_is_found() -> None:
    assert Path(adb.adb_program()).exists()


class Hanging:
    """Adb's server with one phone, on which every command hangs; `echo` answers where the phone itself does not."""

    def __init__(self, *, all_of_it: bool) -> None:
        self.all_of_it = all_of_it
        self.asked: list[str] = []

    def devices(self) -> list[Listed]:
        return [Listed("R58", "device")]

    def query(self, service: str, timeout: float) -> str:
        return ""

    def open(self, service: str, timeout: float) -> Hanging:
        return self

    def ask(self, service: str) -> None:
        self.asked.append(service)
        if self.all_of_it or service != "exec:echo":
            raise AdbTrouble("silent", "no answer within 20 s")

    def read_all(self) -> bytes:
        return b"\n"

    def close(self) -> None:
        """Nothing is open."""

    def __enter__(self) -> Hanging:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing is open."""


@pytest.mark.parametrize("call", ["run", "ask"])
@pytest.mark.parametrize(("all_of_it", "kind"), [(True, DeviceLost), (False, DriverDead)])
def test_a_phone_that_hangs_is_lost_and_a_command_that_hangs_is_not(
    call: str, all_of_it: bool, kind: type[Exception]
) -> None:
    server = Hanging(all_of_it=all_of_it)
    phone = Handset(cast("AdbServer", server), "R58", Limits())
    command = "dumpsys window " + "x" * 500
    with pytest.raises(kind) as error:
        phone.run(command) if call == "run" else phone.ask([command])
    assert server.asked[-1] == "exec:echo"
    assert len(str(error.value).splitlines()[0]) < 200


def test_a_server_that_has_to_be_started_first_has_its_time_after_that(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    listening: list[socket.socket] = []

    def start(_port: int) -> None:
        threading.Event().wait(1.0)  # longer than the call itself may take
        listening.append(socket.create_server(("127.0.0.1", port)))
        threading.Thread(target=answer, daemon=True).start()

    def answer() -> None:
        near, _ = listening[0].accept()
        with near:
            near.recv(100)
            near.sendall(b"OKAY00040029")

    monkeypatch.setattr(adb, "start_server", start)
    assert AdbServer("127.0.0.1", port).query("host:version", 0.8) == "0029"
    listening[0].close()
