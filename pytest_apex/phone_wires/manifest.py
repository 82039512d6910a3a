"""The binary manifest of a package that is made here, so that tools can read whose it is (AOSP: `ResourceTypes.h`)."""

from __future__ import annotations

import struct

_XML, _POOL, _ELEMENT, _UTF8, _STRING = 0x0003, 0x0001, 0x0102, 0x0100, 3
_NONE = 0xFFFFFFFF
_NAMES = ("manifest", "package", "versionName")


def write_manifest(package: str, version: str) -> bytes:
    """`<manifest package="…" versionName="…">`, without its end: readers need no more."""
    pool = _pool([*_NAMES, package, version])
    attributes = b"".join(
        struct.pack("<IIIHBBI", _NONE, name, value, 8, 0, _STRING, value) for name, value in ((1, 3), (2, 4))
    )
    body = struct.pack("<IIHHHHHH", _NONE, 0, 20, 20, 2, 0, 0, 0) + attributes
    element = struct.pack("<HHIII", _ELEMENT, 16, 16 + len(body), 1, _NONE) + body
    return struct.pack("<HHI", _XML, 8, 8 + len(pool) + len(element)) + pool + element


def _pool(texts: list[str]) -> bytes:
    bodies = [_length(len(text)) + _length(len(text.encode())) + text.encode() + b"\0" for text in texts]
    offsets, at = [], 0
    for body in bodies:
        offsets.append(at)
        at += len(body)
    data = b"".join(bodies)
    data += bytes(-len(data) % 4)
    begin = 28 + 4 * len(texts)
    head = struct.pack("<IIIII", len(texts), 0, _UTF8, begin, 0)
    return struct.pack("<HHI", _POOL, 28, begin + len(data)) + head + struct.pack(f"<{len(texts)}I", *offsets) + data


def _length(count: int) -> bytes:
    """One byte up to 127, two above."""
    return bytes([count]) if count < 0x80 else bytes([0x80 | count >> 8, count & 0xFF])
