"""The sync service: files to and from the phone (AOSP: `packages/modules/adb/SYNC.TXT`)."""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from zlib import crc32

from pytest_apex.phone_wires.adb.streams import Stream, StreamClosed
from pytest_apex.phone_wires.files import FILE_BYTES, Stat
from pytest_apex.phone_wires.handset import Handset

#: A path, and a chunk of data (`SYNC_DATA_MAX`).
_MOST_PATH, _MOST_CHUNK = 1024, 64 * 1024
#: A client that says nothing for so long is gone (seconds).
_LIMIT_S = 600.0
_ENOENT = 2
_WORD = struct.Struct("<4sI")
#: After the id: error, device, inode, mode, links, user, group, size, three times.
_STAT2 = struct.Struct("<4sIQQIIIIQqqq")
_NOWHERE = Stat(0, 0, 0)


def serve_sync(stream: Stream, handset: Handset) -> None:
    """Requests of one client until it quits."""
    while True:
        try:
            kind, length = _WORD.unpack(stream.take(_WORD.size, _LIMIT_S))
        except StreamClosed:
            return
        if kind == b"QUIT":
            return
        request = _REQUESTS.get(kind)
        if request is None or length > _MOST_PATH:
            _fail(stream, f"unknown command {kind!r}" if request is None else "path too long")
            return
        path = stream.take(length, _LIMIT_S).decode("utf-8", "surrogateescape")
        with handset.pace.held():
            handset.journal.add(handset.pace.real_now(), "sync", kind.decode("ascii", "replace"), path)
        handset.pace.sleep(handset.slow_s)
        request(stream, handset, path)


def _fail(stream: Stream, why: str) -> None:
    told = why.encode("utf-8", "replace")
    stream.write(_WORD.pack(b"FAIL", len(told)) + told)


def _stat(stream: Stream, handset: Handset, path: str) -> None:
    found = handset.files.stat(path) or _NOWHERE
    stream.write(struct.pack("<4sIII", b"STAT", found.mode, found.size, found.modified))


def _stat2(name: bytes) -> Callable[[Stream, Handset, str], None]:
    def answer(stream: Stream, handset: Handset, path: str) -> None:
        found = handset.files.stat(path)
        error, told = (0, found) if found is not None else (_ENOENT, _NOWHERE)
        time = told.modified
        inode = crc32(path.encode("utf-8", "surrogateescape"))
        stream.write(
            _STAT2.pack(name, error, 1, inode, told.mode, 1, 2000, 2000, told.size, time, time, time)
        )  # fmt: skip

    return answer


def _list(stream: Stream, handset: Handset, path: str) -> None:
    for name in handset.files.names(path):
        found = handset.files.stat(f"{path.rstrip('/')}/{name}")
        if found is not None:
            told = name.encode("utf-8", "surrogateescape")
            stream.write(struct.pack("<4sIIII", b"DENT", found.mode, found.size, found.modified, len(told)) + told)
    stream.write(struct.pack("<4sIIII", b"DONE", 0, 0, 0, 0))


def _receive(stream: Stream, handset: Handset, path: str) -> None:
    data = handset.files.read(path)
    if data is None:
        _fail(stream, "No such file or directory" if handset.files.stat(path) is None else "Is a directory")
        return
    for start in range(0, len(data), _MOST_CHUNK):
        chunk = data[start : start + _MOST_CHUNK]
        stream.write(_WORD.pack(b"DATA", len(chunk)) + chunk)
    stream.write(_WORD.pack(b"DONE", 0))


def _send(stream: Stream, handset: Handset, path: str) -> None:
    path, _, mode = path.rpartition(",")
    if not path:
        _fail(stream, "missing , in ID_SEND")
        raise StreamClosed
    data = bytearray()
    while True:
        kind, length = _WORD.unpack(stream.take(_WORD.size, _LIMIT_S))
        if kind == b"DONE":
            break
        if kind != b"DATA" or length > _MOST_CHUNK:
            _fail(stream, "invalid data message")
            raise StreamClosed
        chunk = stream.take(length, _LIMIT_S)
        if len(data) <= FILE_BYTES:
            data += chunk
    bits = int(mode) if mode.isdecimal() else 0o644
    if not handset.files.may_write(path):
        _fail(stream, f"couldn't create file: {_why_not(path)}")
    elif len(data) > FILE_BYTES or not handset.files.write(path, bytes(data), bits, length):
        _fail(stream, "write failed: No space left on device")
    else:
        stream.write(_WORD.pack(b"OKAY", 0))


def _why_not(path: str) -> str:
    return "Read-only file system" if path.startswith("/system") else "Permission denied"


_REQUESTS: Mapping[bytes, Callable[[Stream, Handset, str], None]] = {
    b"STAT": _stat,
    b"STA2": _stat2(b"STA2"),
    b"LST2": _stat2(b"LST2"),
    b"LIST": _list,
    b"RECV": _receive,
    b"SEND": _send,
}
