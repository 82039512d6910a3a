"""Property lists over a connection: of bounded size, and nothing but dictionaries."""

from __future__ import annotations

import plistlib
import struct
from collections.abc import Mapping
from typing import Any, Protocol
from xml.parsers.expat import ExpatError

MOST_PLIST = 1024 * 1024
#: How long a message may take to come (seconds).
_COMING_S = 600.0
_LENGTH = struct.Struct(">I")


class BadPlist(Exception):
    """What came is no message."""


class Source(Protocol):
    def read(self, timeout: float | None = None) -> bytes: ...


class Sink(Protocol):
    def write(self, data: bytes) -> None: ...


class Reader:
    """Takes messages apart as they come."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._rest = b""

    def take(self, count: int) -> bytes:
        """Exactly so many bytes. Raises `BadPlist` when the connection ends before."""
        while len(self._rest) < count:
            data = self._source.read(_COMING_S)
            if not data:
                raise BadPlist
            self._rest += data
        data, self._rest = self._rest[:count], self._rest[count:]
        return data

    def plist(self, size: int) -> Mapping[str, Any]:
        """A property list of so many bytes. Raises `BadPlist`."""
        data = self.take(size)
        try:
            found = plistlib.loads(data)
        except (plistlib.InvalidFileException, ExpatError, ValueError, KeyError, TypeError, AttributeError, IndexError,
                OverflowError, RecursionError, struct.error) as error:  # fmt: skip
            raise BadPlist from error
        if not isinstance(found, dict):
            raise BadPlist
        return found

    def message(self) -> Mapping[str, Any]:
        """One with its length in front, as lockdown and its services send them."""
        (size,) = _LENGTH.unpack(self.take(_LENGTH.size))
        if not 0 < size <= MOST_PLIST:
            raise BadPlist
        return self.plist(size)


def send(sink: Sink, message: Mapping[str, Any]) -> None:
    """Write a message with its length in front."""
    body = plistlib.dumps(dict(message))
    sink.write(_LENGTH.pack(len(body)) + body)
