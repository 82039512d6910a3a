"""A film of JPEG pictures in an MP4 file (ISO/IEC 14496-12, -14): what `screenrecord` leaves on the phone.

A real phone writes H.264; players take Motion JPEG in the same container.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

#: Ticks a second of all times in the file.
_SCALE = 1000
#: Object type of MPEG-4 systems for "visual, JPEG" (ISO/IEC 14496-1, table 5).
_JPEG = 0x6C
_MATRIX = struct.pack(">9I", 0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)


def _box(name: bytes, *parts: bytes) -> bytes:
    body = b"".join(parts)
    return struct.pack(">I4s", 8 + len(body), name) + body


def _full(name: bytes, *parts: bytes, flags: int = 0) -> bytes:
    return _box(name, struct.pack(">I", flags), *parts)


def make_mp4(pictures: Sequence[tuple[float, bytes]], size: tuple[int, int], seconds: float) -> bytes:
    """Pictures (JPEG), each with the second at which it appears, as a film of so many seconds."""
    head = _box(b"ftyp", b"isom", struct.pack(">I", 512), b"isomiso2mp41")
    sizes = [len(data) for _, data in pictures]
    begins = [round(at * _SCALE) for at, _ in pictures]
    lasts = [
        max(1, after - before) for before, after in zip(begins, [*begins[1:], round(seconds * _SCALE)], strict=True)
    ]
    first = len(head) + 8
    offsets = [first + sum(sizes[:number]) for number in range(len(sizes))]
    return head + _box(b"mdat", *(data for _, data in pictures)) + _movie(sizes, offsets, lasts, size)


def _movie(sizes: Sequence[int], offsets: Sequence[int], lasts: Sequence[int], size: tuple[int, int]) -> bytes:
    length, (width, height) = sum(lasts), size
    table = _box(
        b"stbl",
        _full(b"stsd", struct.pack(">I", 1), _entry(width, height)),
        _full(b"stts", struct.pack(">I", len(lasts)), *(struct.pack(">II", 1, last) for last in lasts)),
        _full(b"stsc", struct.pack(">IIII", 1, 1, 1, 1)),
        _full(b"stsz", struct.pack(">II", 0, len(sizes)), *(struct.pack(">I", one) for one in sizes)),
        _full(b"stco", struct.pack(">I", len(offsets)), *(struct.pack(">I", one) for one in offsets)),
    )
    media = _box(
        b"minf",
        _full(b"vmhd", bytes(8), flags=1),
        _box(b"dinf", _full(b"dref", struct.pack(">I", 1), _full(b"url ", flags=1))),
        table,
    )
    track = _box(
        b"trak",
        _full(b"tkhd", struct.pack(">IIIII", 0, 0, 1, 0, length), bytes(16), _MATRIX,
              struct.pack(">II", width << 16, height << 16), flags=3),
        _box(
            b"mdia",
            _full(b"mdhd", struct.pack(">IIIIHH", 0, 0, _SCALE, length, 0x55C4, 0)),
            _full(b"hdlr", bytes(4), b"vide", bytes(12), b"video\0"),
            media,
        ),
    )  # fmt: skip
    head = _full(b"mvhd", struct.pack(">IIIIIH", 0, 0, _SCALE, length, 0x10000, 0x0100), bytes(10), _MATRIX, bytes(24),
                 struct.pack(">I", 2))  # fmt: skip
    return _box(b"moov", head, track)


def _entry(width: int, height: int) -> bytes:
    """The sample entry `mp4v`, whose `esds` says JPEG."""
    config = struct.pack(">BBBBIII", 0x04, 13, _JPEG, 0x11, 0, 0, 0)[:15]
    descriptor = struct.pack(">BBHB", 0x03, 3 + len(config) + 3, 1, 0) + config + struct.pack(">BBB", 0x06, 1, 2)
    visual = struct.pack(">6xH16xHHIII H32xHh", 1, width, height, 0x480000, 0x480000, 0, 1, 24, -1)
    return _box(b"mp4v", visual, _full(b"esds", descriptor))
