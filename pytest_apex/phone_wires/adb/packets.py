"""Packets of adb: a head of six little-endian words (command, two arguments, length and sum of the data, magic), then
the data. The rules are AOSP's `packages/modules/adb/protocol.txt`."""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass

HEAD = struct.Struct("<6I")
#: Since this version nobody looks at the sum of the data.
VERSION = 0x01000001
#: The most data in one packet (`MAX_PAYLOAD` of adb).
MAX_DATA = 1024 * 1024

CNXN, AUTH, OPEN, OKAY, CLSE, WRTE, STLS = (
    int.from_bytes(name, "little") for name in (b"CNXN", b"AUTH", b"OPEN", b"OKAY", b"CLSE", b"WRTE", b"STLS")
)
_KNOWN = frozenset({CNXN, AUTH, OPEN, OKAY, CLSE, WRTE, STLS})


class WireError(Exception):
    """What came over the wire is not what the protocol allows; the connection ends."""


@dataclass(frozen=True, slots=True)
class Packet:
    command: int
    first: int
    second: int
    data: bytes = b""


def pack(packet: Packet) -> bytes:
    total = sum(packet.data) & 0xFFFFFFFF if packet.command in (CNXN, AUTH) else 0
    magic = packet.command ^ 0xFFFFFFFF
    return HEAD.pack(packet.command, packet.first, packet.second, len(packet.data), total, magic) + packet.data


def read_packet(read: Callable[[int], bytes]) -> Packet:
    """The next packet; `read` returns exactly as many bytes as asked for or raises. `WireError` for what is none."""
    command, first, second, length, _total, magic = HEAD.unpack(read(HEAD.size))
    if command not in _KNOWN or magic != command ^ 0xFFFFFFFF:
        raise WireError(f"not a packet of adb: {command:#010x}")
    if length > MAX_DATA:
        raise WireError(f"a packet of {length} bytes")
    return Packet(command, first, second, read(length) if length else b"")


def banner(facts: dict[str, str], features: tuple[str, ...]) -> bytes:
    """What a device says of itself when it connects."""
    told = "".join(f"{name}={value};" for name, value in facts.items())
    return f"device::{told}features={','.join(features)}".encode()
