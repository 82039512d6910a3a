"""The device's side of a connection: handshake, streams, flow, and clients that keep to no rule."""

from __future__ import annotations

import random
import socket
import struct
import threading
from contextlib import suppress

import pytest

from pytest_apex.phone_wires.adb.packets import AUTH, CLSE, CNXN, OKAY, OPEN, VERSION, WRTE, Packet, pack
from pytest_apex.phone_wires.serve import Served

from .client import AdbClient


def test_the_phone_introduces_itself(adb: AdbClient) -> None:
    assert adb.banner.startswith(b"device::ro.product.name=virtual_phone;ro.product.model=Virtual phone;")
    assert adb.banner.endswith(b"features=shell_v2,cmd,stat_v2")


def test_shell_without_frames_joins_both_outputs(adb: AdbClient) -> None:
    assert adb.shell("echo one; nix; echo $?") == (
        "one\n/system/bin/sh: nix: inaccessible or not found\n127\n"
    )  # fmt: skip


def test_shell_with_frames_keeps_them_apart_and_tells_the_code(adb: AdbClient) -> None:
    assert adb.shell2("echo out; nix") == (127, "out\n", "/system/bin/sh: nix: inaccessible or not found\n")
    assert adb.shell2("true") == (0, "", "")
    assert adb.shell2("exit 5")[0] == 5


def test_standard_input_reaches_a_command(adb: AdbClient) -> None:
    stream = adb.open("shell,v2:cat")
    assert stream is not None
    stream.write(struct.pack("<BI", 0, 3) + b"abc" + struct.pack("<BI", 4, 0))
    assert stream.read_all() == struct.pack("<BI", 1, 3) + b"abc" + struct.pack("<BI", 3, 1) + b"\0"


def test_a_shell_without_a_line_takes_lines(adb: AdbClient) -> None:
    stream = adb.open("shell:")
    assert stream is not None
    stream.write(b"echo a\necho b\nexit\n")
    assert stream.read_all() == b"a\nb\n"


def test_what_nobody_serves_is_refused(adb: AdbClient) -> None:
    assert adb.open("tcp:1234") is None
    assert adb.open("tcp:9008") is None
    assert adb.open("nonsense:") is None
    assert adb.open("localabstract:nobody") is None


def test_a_port_can_be_added(served: Served, adb: AdbClient) -> None:
    served.services.ports[6790] = lambda: lambda stream: stream.write(b"here")
    stream = adb.open("tcp:6790")
    assert stream is not None
    assert stream.read_all() == b"here"


def test_a_named_socket_is_listed_and_reached(served: Served, adb: AdbClient) -> None:
    served.services.sockets["webview_devtools_remote_4242"] = lambda: lambda stream: stream.write(b"page")
    assert "@webview_devtools_remote_4242" in adb.shell("cat /proc/net/unix")
    stream = adb.open("localabstract:webview_devtools_remote_4242")
    assert stream is not None
    assert stream.read_all() == b"page"


def test_nothing_is_sent_before_the_last_is_taken(adb: AdbClient) -> None:
    adb.send(Packet(OPEN, 7, 0, b"shell:cat /data/local/tmp/big\0"))
    assert adb.receive().command == OKAY
    first = adb.receive()
    assert first.command == WRTE
    adb.socket.settimeout(0.2)
    with pytest.raises(TimeoutError):
        adb.receive()
    adb.socket.settimeout(10)
    adb.send(Packet(OKAY, 7, first.first))
    assert adb.receive().command == CLSE


@pytest.mark.parametrize("seed", range(20))
def test_garbage_ends_the_connection_and_nothing_else(served: Served, seed: int) -> None:
    chance = random.Random(seed)
    with socket.create_connection(("127.0.0.1", served.port), 10) as rude:
        if seed % 2:
            rude.sendall(pack(Packet(CNXN, VERSION, 4096, b"host::")))
        with suppress(OSError):  # the phone may hang up at the first bytes
            rude.sendall(chance.randbytes(chance.randrange(24, 400)))
            rude.shutdown(socket.SHUT_WR)
            while rude.recv(4096):
                pass
    with AdbClient(served.port) as polite:
        assert polite.shell("echo still here") == "still here\n"


_CALL = b'POST /jsonrpc/0 HTTP/1.1\r\nContent-Length: 40\r\n\r\n{"method":"click","params":[1,2],"id":1}'
#: What a client says in a session, as if all were answered as expected.
_TALK = b"".join(
    pack(packet)
    for packet in (
        Packet(CNXN, VERSION, 4096, b"host::features=shell_v2"),
        Packet(OPEN, 1, 0, b"sync:\0"),
        Packet(WRTE, 1, 1, b"STAT" + struct.pack("<I", 4) + b"/sdc"),
        Packet(OKAY, 1, 1),
        Packet(WRTE, 1, 1, b"SEND" + struct.pack("<I", 15) + b"/sdcard/x,33188DATA" + struct.pack("<I", 3) + b"abc"),
        Packet(OPEN, 2, 0, b"shell,v2:echo hi; logcat -d | head -3\0"),
        Packet(OKAY, 2, 2),
        Packet(OPEN, 3, 0, b"tcp:9008\0"),
        Packet(WRTE, 3, 3, _CALL),
        Packet(CLSE, 1, 1),
    )
)


@pytest.mark.parametrize("seed", range(40))
def test_a_session_with_changed_bytes_harms_nobody(served: Served, seed: int) -> None:
    chance = random.Random(seed)
    talk = bytearray(_TALK)
    for _ in range(chance.randrange(1, 6)):
        talk[chance.randrange(24, len(talk))] = chance.randrange(256)
    with socket.create_connection(("127.0.0.1", served.port), 10) as rude, suppress(OSError):
        rude.sendall(talk[: chance.choice([len(talk), chance.randrange(len(talk))])])
        rude.shutdown(socket.SHUT_WR)
        while rude.recv(4096):
            pass
    with AdbClient(served.port) as polite:
        assert polite.shell("echo still here") == "still here\n"


def test_a_client_that_did_not_introduce_itself_opens_nothing(served: Served) -> None:
    with AdbClient(served.port, greet=False) as client:
        client.send(Packet(OPEN, 1, 0, b"shell:id\0"))
        with pytest.raises((EOFError, ConnectionError)):
            client.receive()
    assert served.journal.entries("open") == []


def _flood(client: AdbClient, stream: int) -> None:
    for _ in range(200):
        client.send(Packet(WRTE, 2, stream, bytes(256 * 1024)))
    while True:
        client.receive()


def test_a_client_that_does_not_wait_is_dropped(served: Served) -> None:
    with AdbClient(served.port) as client:
        done = threading.Event()
        served.services.ports[7777] = lambda: lambda _stream: bool(done.wait(10)) and None
        client.send(Packet(OPEN, 2, 0, b"tcp:7777\0"))
        opened = client.receive()
        with pytest.raises((EOFError, ConnectionError)):
            _flood(client, opened.first)
        done.set()


def test_too_many_streams_are_refused(adb: AdbClient) -> None:
    answers = []
    for number in range(1, 300):
        adb.send(Packet(OPEN, number, 0, b"shell:logcat\0"))
        while (packet := adb.receive()).second != number or packet.command == WRTE:
            adb.send(Packet(OKAY, packet.second, packet.first))
        answers.append(packet.command)
    assert answers.count(OKAY) == 256
    assert set(answers[256:]) == {CLSE}


def test_all_threads_end_with_the_phone(served: Served, adb: AdbClient) -> None:
    assert adb.open("shell:logcat") is not None
    served.close()
    left = [thread.name for thread in threading.enumerate() if thread.name.startswith("apex")]
    assert left == []


# Modes


def test_an_unauthorized_computer_is_asked_for_ever_until_it_is_allowed(served: Served) -> None:
    served.switch_on("unauthorized")
    with AdbClient(served.port, greet=False) as client:
        client.send(Packet(CNXN, VERSION, 4096, b"host::"))
        for _ in range(3):
            assert client.receive().command == AUTH
            client.send(Packet(AUTH, 2, 0, b"signature"))
        assert client.receive().command == AUTH
        client.send(Packet(AUTH, 3, 0, b"key"))
        served.switch_off("unauthorized")
        assert client.receive().command == CNXN


def test_offline_breaks_the_connection_and_takes_no_new_one(served: Served, adb: AdbClient) -> None:
    served.switch_on("offline")
    with pytest.raises((EOFError, ConnectionError)):
        adb.receive()
    with pytest.raises((EOFError, ConnectionError)):
        AdbClient(served.port)
    served.switch_off("offline")
    with AdbClient(served.port) as again:
        assert again.shell("echo back") == "back\n"


def test_a_reboot_is_gone_and_comes_back_another(served: Served, adb: AdbClient, clock: object) -> None:
    before = adb.shell("cat /proc/sys/kernel/random/boot_id")
    adb.shell("am start -n com.example.notes/.MainActivity")
    assert adb.shell("pidof com.example.notes") != ""
    served.reboot(3.0)
    with pytest.raises((EOFError, ConnectionError)):
        AdbClient(served.port)
    served.pace.sleep(3.1)
    with AdbClient(served.port) as again:
        assert again.shell("cat /proc/sys/kernel/random/boot_id") != before
        assert again.shell("pidof com.example.notes") == ""


def test_slow_answers_late(served: Served, adb: AdbClient) -> None:
    served.switch_on("slow", 2.0)
    before = served.pace.real_now()
    adb.shell("echo")
    assert served.pace.real_now() - before == pytest.approx(2.0)
    served.switch_off("slow")
    before = served.pace.real_now()
    adb.shell("echo")
    assert served.pace.real_now() == before
