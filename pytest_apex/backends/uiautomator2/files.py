"""Files to and from the phone: the `sync:` service of adb (AOSP `packages/modules/adb/SYNC.TXT`)."""

from __future__ import annotations

import struct
import time
from typing import BinaryIO

from pytest_apex.backends.abilities import Progress
from pytest_apex.backends.uiautomator2.adb import AdbTrouble, Deadline, Stream
from pytest_apex.errors import ActionRefused, StorageFull

#: The protocol's largest piece.
_PIECE = 64 * 1024
#: A regular file that everybody may read and run.
_MODE = 0o100755


def send(
    stream: Stream, source: BinaryIO, size: int, target: str, silence: float, progress: Progress | None = None
) -> None:
    """Write `source` to `target`; `silence` is how long no piece may be taken. Raises `AdbTrouble`, `ActionRefused`,
    `StorageFull`."""
    _request(stream, b"SEND", f"{target},{_MODE}")
    sent = 0
    while piece := source.read(_PIECE):
        stream.deadline = Deadline(silence)
        stream.send(b"DATA" + struct.pack("<I", len(piece)) + piece)
        sent += len(piece)
        if progress is not None and size:
            progress(min(sent / size, 1.0))
    stream.deadline = Deadline(silence)
    stream.send(b"DONE" + struct.pack("<I", int(time.time())))
    word, length = struct.unpack("<4sI", stream.read(8))
    if word == b"FAIL":
        raise _refused(f"can't write {target} on the phone", stream.read(length))
    if word != b"OKAY":
        raise AdbTrouble("lost", f"neither yes nor no to a file but {word!r}")


def receive(stream: Stream, source: str, target: BinaryIO, silence: float) -> None:
    """Read `source` into `target`. Raises `AdbTrouble`, `ActionRefused`."""
    _request(stream, b"RECV", source)
    while True:
        stream.deadline = Deadline(silence)
        word, length = struct.unpack("<4sI", stream.read(8))
        if word == b"DONE":
            return
        if word == b"FAIL":
            raise _refused(f"can't read {source} on the phone", stream.read(length))
        if word != b"DATA" or length > _PIECE:
            raise AdbTrouble("lost", f"no piece of a file but {word!r}")
        target.write(stream.read(length))


def _request(stream: Stream, word: bytes, path: str) -> None:
    data = path.encode()
    stream.send(word + struct.pack("<I", len(data)) + data)


def _refused(tried: str, words: bytes) -> ActionRefused | StorageFull:
    told = words.decode(errors="replace").strip()
    if "No space left" in told:
        return storage_full(tried, told)
    return ActionRefused(
        tried,
        seen=told,
        likely="there is no such place, or adb may not go there",
        cure="a path below /sdcard or /data/local/tmp",
    )


def storage_full(tried: str, told: str) -> StorageFull:
    return StorageFull(tried, seen=told, likely="the phone's storage is full", cure="free some space on the phone")
