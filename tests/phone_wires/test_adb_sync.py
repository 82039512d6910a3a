"""Files to and from the phone by the sync service, byte by byte."""

from __future__ import annotations

import stat
import struct

import pytest

from pytest_apex.phone_wires.files import FILE_BYTES, Files, clean
from pytest_apex.phone_wires.serve import Served

from .client import AdbClient, OpenStream


@pytest.fixture
def sync(adb: AdbClient) -> OpenStream:
    stream = adb.open("sync:")
    assert stream is not None
    return stream


def request(kind: bytes, path: str) -> bytes:
    return kind + struct.pack("<I", len(path.encode())) + path.encode()


def send(sync: OpenStream, path: str, *chunks: bytes) -> bytes:
    """The answer to a SEND."""
    sync.write(request(b"SEND", f"{path},33188"))
    for chunk in chunks:
        sync.write(b"DATA" + struct.pack("<I", len(chunk)) + chunk)
    sync.write(b"DONE" + struct.pack("<I", 1_700_000_000))
    kind, length = sync.read(4), struct.unpack("<I", sync.read(4))[0]
    return kind + sync.read(length)


def receive(sync: OpenStream, path: str) -> bytes:
    sync.write(request(b"RECV", path))
    data = b""
    while (kind := sync.read(4)) == b"DATA":
        data += sync.read(struct.unpack("<I", sync.read(4))[0])
    length = struct.unpack("<I", sync.read(4))[0]
    return data if kind == b"DONE" else kind + sync.read(length)


def test_what_is_pushed_is_pulled_again(sync: OpenStream) -> None:
    data = bytes(range(256)) * 1000
    assert (
        send(
            sync,
            "/data/local/tmp/a b",
            data[:60_000],
            data[60_000:100_000],
            data[100_000:160_000],
            data[160_000:220_000],
            data[220_000:],
        )
        == b"OKAY"
    )
    assert receive(sync, "/data/local/tmp/a b") == data
    assert receive(sync, "/data/local/tmp/../tmp/a b") == data


def test_stat_in_both_forms(sync: OpenStream) -> None:
    send(sync, "/sdcard/x", b"12345")
    sync.write(request(b"STAT", "/sdcard/x"))
    assert struct.unpack("<4sIII", sync.read(16)) == (b"STAT", stat.S_IFREG | 0o644, 5, 1_700_000_000)
    sync.write(request(b"STAT", "/sdcard/nix"))
    assert struct.unpack("<4sIII", sync.read(16)) == (b"STAT", 0, 0, 0)
    sync.write(request(b"STA2", "/storage/emulated/0/x"))
    told = struct.unpack("<4sIQQIIIIQqqq", sync.read(72))
    assert (told[0], told[1], told[4], told[8], told[10]) == (b"STA2", 0, stat.S_IFREG | 0o644, 5, 1_700_000_000)
    sync.write(request(b"LST2", "/nix"))
    assert struct.unpack("<4sI", sync.read(72)[:8]) == (b"LST2", 2)


def test_list_of_a_folder(sync: OpenStream) -> None:
    send(sync, "/sdcard/pictures/a.png", b"1")
    send(sync, "/sdcard/pictures/more/b.png", b"22")
    sync.write(request(b"LIST", "/sdcard/pictures"))
    found = {}
    while (kind := sync.read(4)) == b"DENT":
        mode, size, _, length = struct.unpack("<IIII", sync.read(16))
        found[sync.read(length)] = (stat.S_ISDIR(mode), size)
    assert kind == b"DONE"
    sync.read(16)
    assert found == {b"a.png": (False, 1), b"more": (True, 4096)}


def test_what_is_not_there_or_not_allowed(sync: OpenStream) -> None:
    assert receive(sync, "/nix") == b"FAILNo such file or directory"
    assert receive(sync, "/sdcard") == b"FAILIs a directory"
    assert send(sync, "/system/bin/x", b"1") == b"FAILcouldn't create file: Read-only file system"
    assert send(sync, "/data/app/x", b"1") == b"FAILcouldn't create file: Permission denied"


def test_a_full_disk_takes_nothing(served: Served, sync: OpenStream) -> None:
    served.switch_on("storage_full")
    assert send(sync, "/sdcard/x", b"1") == b"FAILwrite failed: No space left on device"


@pytest.mark.parametrize("sent", [b"NIX!" + bytes(4), b"STAT" + struct.pack("<I", 5000), request(b"SEND", "nomode")])
def test_what_is_no_request_ends_the_stream(sync: OpenStream, sent: bytes) -> None:
    sync.write(sent)
    assert sync.read_all().startswith(b"FAIL")


def test_quit_ends_it(sync: OpenStream) -> None:
    sync.write(b"QUIT" + bytes(4))
    assert sync.read_all() == b""


@pytest.mark.parametrize(
    ("path", "place"),
    [("a", "/a"), ("/a/../b", "/b"), ("//a//b/", "/a/b"), ("/../../x", "/x"), ("/storage/emulated/0/a", "/sdcard/a"),
     ("/sdcardx", "/sdcardx"), ("/a\0b", "/ab")],
)  # fmt: skip
def test_one_place_has_one_name(path: str, place: str) -> None:
    assert clean(path) == place


def test_no_way_leads_out_of_where_a_shell_may_write() -> None:
    files = Files(lambda: 0)
    assert not files.write("/data/local/tmp/../../../system/x", b"")
    assert not files.write("/data/local/tmp", b"")
    assert files.write("/data/local/tmp/x/y", b"1")
    assert files.names("/data/local/tmp") == ["x"]
    assert files.remove("/data/local/tmp/x")
    assert files.stat("/data/local/tmp/x/y") is None
    assert FILE_BYTES > 0
