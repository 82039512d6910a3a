"""The multiplexer that Apple's tools ask for devices (`usbmuxd`), with one device on it: its lockdown service, its list
of apps, its log."""

from __future__ import annotations

import plistlib
import struct
from collections.abc import Callable, Mapping
from typing import Any

from pytest_apex.phone_wires.wda.device import AppleDevice
from pytest_apex.phone_wires.wda.lockdown import LOCKDOWN_PORT, Lockdown, Pairing
from pytest_apex.phone_wires.wda.plists import MOST_PLIST, BadPlist, Reader
from pytest_apex.phone_wires.wda.services import SERVICES
from pytest_apex.phone_wires.wda.sockets import Listener, SocketChannel

_HEAD = struct.Struct("<IIII")
#: The kind of a message with a property list, and results of `Connect`.
_PLIST, _OK, _BAD_DEVICE, _REFUSED, _BAD_COMMAND = 8, 0, 2, 3, 1
_DEVICE, _BUID = 1, "5B8F0A4C-2D1E-4F3A-9C6B-7E8D9F0A1B2C"
Serve = Callable[[SocketChannel], None]


class Usbmuxd:
    """`there` says whether the device is plugged in."""

    def __init__(self, device: AppleDevice, port: int, there: Callable[[], bool]) -> None:
        self._device, self._there = device, there
        self._pairing = Pairing.make(_BUID)
        self._lockdown = Lockdown(device, self._pairing)
        self._listener = Listener(port, "apex usbmuxd", self._serve)
        self.port = self._listener.port

    def close(self) -> None:
        self._listener.close()

    def _serve(self, channel: SocketChannel) -> None:
        reader = Reader(channel)
        try:
            while True:
                size, _version, kind, tag = _HEAD.unpack(reader.take(_HEAD.size))
                if kind != _PLIST or not _HEAD.size < size <= MOST_PLIST:
                    return
                serve = self._message(channel, tag, reader.plist(size - _HEAD.size))
                if serve is not None:
                    serve(channel)
                    return
        except BadPlist:
            return  # what is no message ends the connection, as it does there

    def _message(self, channel: SocketChannel, tag: int, message: Mapping[str, Any]) -> Serve | None:
        """Answer one message; what serves the connection from now on, if it now belongs to the device."""
        kind = str(message.get("MessageType"))
        device = self._device
        device.journal.add(device.pace.real_now(), "usbmux", kind[:50])
        if kind == "Connect":
            return self._connect(channel, tag, message)
        if kind == "ListDevices":
            self._send(channel, tag, {"DeviceList": [self._attached()] if self._there() else []})
        elif kind == "Listen":
            self._send(channel, tag, _result(_OK))
            if self._there():
                self._send(channel, 0, self._attached())
        elif kind == "ReadBUID":
            self._send(channel, tag, {"BUID": _BUID})
        elif kind == "ReadPairRecord" and message.get("PairRecordID") == device.udid:
            self._send(channel, tag, {"PairRecordData": self._pairing.record()})
        else:
            self._send(channel, tag, _result(_BAD_DEVICE if kind == "ReadPairRecord" else _BAD_COMMAND))
        return None

    def _connect(self, channel: SocketChannel, tag: int, message: Mapping[str, Any]) -> Serve | None:
        number = message.get("PortNumber")
        if message.get("DeviceID") != _DEVICE or not self._there():
            self._send(channel, tag, _result(_BAD_DEVICE))
            return None
        port = (number & 0xFF) << 8 | number >> 8 & 0xFF if isinstance(number, int) else 0
        serve = self._port(port)
        self._send(channel, tag, _result(_OK if serve is not None else _REFUSED))
        return serve

    def _port(self, port: int) -> Serve | None:
        if port == LOCKDOWN_PORT:
            return self._lockdown.serve
        service = SERVICES.get(port)
        if service is None:
            return None
        return lambda channel: service.serve(self._device, channel)

    def _attached(self) -> dict[str, Any]:
        properties = {"ConnectionSpeed": 480_000_000, "ConnectionType": "USB", "DeviceID": _DEVICE, "LocationID": 1,
                      "ProductID": 0x12A8, "SerialNumber": self._device.udid,
                      "USBSerialNumber": self._device.udid}  # fmt: skip
        return {"DeviceID": _DEVICE, "MessageType": "Attached", "Properties": properties}

    def _send(self, channel: SocketChannel, tag: int, message: Mapping[str, Any]) -> None:
        body = plistlib.dumps(dict(message))
        channel.write(_HEAD.pack(_HEAD.size + len(body), 1, _PLIST, tag) + body)


def _result(number: int) -> dict[str, Any]:
    return {"MessageType": "Result", "Number": number}
