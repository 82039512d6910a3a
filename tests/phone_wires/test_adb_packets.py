"""Packets: what is packed is read again, what is none is refused before its data is awaited."""

from __future__ import annotations

import io
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_apex.phone_wires.adb.packets import (
    AUTH,
    CLSE,
    CNXN,
    MAX_DATA,
    OKAY,
    OPEN,
    WRTE,
    Packet,
    WireError,
    banner,
    pack,
    read_packet,
)

_WORDS = st.integers(0, 2**32 - 1)


@given(st.sampled_from([CNXN, AUTH, OPEN, OKAY, CLSE, WRTE]), _WORDS, _WORDS, st.binary(max_size=200))
def test_pack_and_read_agree(command: int, first: int, second: int, data: bytes) -> None:
    packet = Packet(command, first, second, data)
    assert read_packet(io.BytesIO(pack(packet)).read) == packet


def test_the_bytes_are_those_of_the_protocol() -> None:
    assert pack(Packet(OKAY, 1, 2)) == b"OKAY" + struct.pack("<5I", 1, 2, 0, 0, 0xFFFFFFFF ^ 0x59414B4F)
    assert pack(Packet(CNXN, 0, 0, b"ab"))[16:20] == struct.pack("<I", ord("a") + ord("b"))


@pytest.mark.parametrize(
    "head",
    [
        b"GET / HTTP/1.1\r\nHost: x\r\n",
        struct.pack("<6I", WRTE, 1, 2, MAX_DATA + 1, 0, WRTE ^ 0xFFFFFFFF),
        struct.pack("<6I", WRTE, 1, 2, 0, 0, 0),
        bytes(24),
    ],
)
def test_what_is_no_packet_is_refused(head: bytes) -> None:
    with pytest.raises(WireError):
        read_packet(io.BytesIO(head.ljust(24, b" ")).read)


def test_the_banner_tells_product_and_features() -> None:
    told = banner({"ro.product.name": "a", "ro.product.model": "B 1"}, ("shell_v2", "cmd"))
    assert told == b"device::ro.product.name=a;ro.product.model=B 1;features=shell_v2,cmd"
