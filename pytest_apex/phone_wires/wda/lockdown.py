"""Lockdown: the door of an Apple device, which tells what it is and starts its services."""

from __future__ import annotations

import plistlib
import ssl
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_apex.errors import ConfigError
from pytest_apex.phone.log import moment
from pytest_apex.phone_wires.wda.device import AppleDevice
from pytest_apex.phone_wires.wda.plists import BadPlist, Reader, send
from pytest_apex.phone_wires.wda.services import SERVICES
from pytest_apex.phone_wires.wda.sockets import SocketChannel

LOCKDOWN_PORT = 62078
_OPENSSL_S = 60.0


@dataclass(frozen=True, slots=True)
class Pairing:
    """What computer and device know of each other: a certificate of its own for both, as the computer's tools take
    any."""

    buid: str
    key: bytes
    certificate: bytes
    context: ssl.SSLContext

    @classmethod
    def make(cls, buid: str) -> Pairing:
        """Make key and certificate anew with the openssl program. Raises `ConfigError` where there is none."""
        with tempfile.TemporaryDirectory() as folder:
            key, certificate = Path(folder) / "key.pem", Path(folder) / "cert.pem"
            command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", str(key), "-out",
                       str(certificate), "-days", "30", "-subj", "/CN=built-in device"]  # fmt: skip
            try:
                subprocess.run(command, check=True, capture_output=True, timeout=_OPENSSL_S, stdin=subprocess.DEVNULL)
            except (OSError, subprocess.SubprocessError) as error:
                raise ConfigError(
                    "the usbmuxd of the built-in device needs a certificate",
                    seen=f"openssl: {error}",
                    cure="install openssl, or leave the usbmuxd out (bundle ids and the log need it)",
                ) from error
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate, key)
            return cls(buid, key.read_bytes(), certificate.read_bytes(), context)

    def record(self) -> bytes:
        """The pair record of the computer, as a property list."""
        pem = self.certificate
        return plistlib.dumps(
            {"DeviceCertificate": pem, "HostCertificate": pem, "HostPrivateKey": self.key, "RootCertificate": pem,
             "RootPrivateKey": self.key, "HostID": self.buid, "SystemBUID": self.buid, "WiFiMACAddress":
             "02:00:00:00:00:01", "EscrowBag": b""}
        )  # fmt: skip


class _TlsChannel:
    """A channel inside TLS."""

    def __init__(self, sock: ssl.SSLSocket) -> None:
        self._sock = sock

    def read(self, timeout: float | None = None) -> bytes:
        self._sock.settimeout(timeout)
        return self._sock.recv(64 * 1024)

    def write(self, data: bytes) -> None:
        self._sock.sendall(data)


class Lockdown:
    def __init__(self, device: AppleDevice, pairing: Pairing) -> None:
        self._device, self._pairing = device, pairing

    def serve(self, channel: SocketChannel) -> None:
        plain: SocketChannel | _TlsChannel = channel
        try:
            self._talk(channel, plain)
        except BadPlist:
            return  # gone, or no message: the connection ends

    def _talk(self, channel: SocketChannel, plain: SocketChannel | _TlsChannel) -> None:
        reader = Reader(plain)
        while True:
            message = reader.message()
            kind = str(message.get("Request"))
            device = self._device
            device.journal.add(device.pace.real_now(), "lockdown", kind[:50])
            send(plain, {"Request": kind, **self._answer(kind, message)})
            if kind == "StartSession":
                channel.sock.settimeout(30.0)
                plain = _TlsChannel(self._pairing.context.wrap_socket(channel.sock, server_side=True))
                channel.sock = plain._sock
                reader = Reader(plain)
            elif kind == "StopSession":
                return

    def _answer(self, kind: str, message: Mapping[str, Any]) -> dict[str, Any]:
        if kind == "QueryType":
            return {"Type": "com.apple.mobile.lockdown"}
        if kind == "StartSession":
            return {"SessionID": "6D3E0F5A-0000-4000-8000-000000000001", "EnableSessionSSL": True}
        if kind == "GetValue":
            return self._value(message)
        if kind == "StartService":
            name = message.get("Service")
            port = next((port for port, service in SERVICES.items() if service.name == name), 0)
            return {"Service": str(name)[:100], "Port": port} if port else {"Error": "InvalidService"}
        return {} if kind in ("StopSession", "ValidatePair", "Pair") else {"Error": "UnknownRequest"}

    def _value(self, message: Mapping[str, Any]) -> dict[str, Any]:
        told = self._values() if not message.get("Domain") else {}
        key = message.get("Key")
        if key is None:
            return {"Value": told}
        return {"Key": str(key)[:100], "Value": told[key]} if key in told else {"Error": "MissingValue"}

    def _values(self) -> dict[str, Any]:
        device = self._device
        with device.pace.held() as phone:
            now = moment(phone.clock.now())
        return {
            "ActivationState": "Activated",
            "BuildVersion": "23A100",
            "CPUArchitecture": "arm64e",
            "DeviceClass": {"iphone": "iPhone", "tv": "AppleTV", "watch": "Watch"}[device.kind],
            "DeviceName": device.name,
            "HardwareModel": "D83AP",
            "PasswordProtected": False,
            "ProductName": {"iphone": "iPhone OS", "tv": "Apple TVOS", "watch": "Watch OS"}[device.kind],
            "ProductType": device.product,
            "ProductVersion": device.os_version,
            "TimeIntervalSince1970": now.timestamp(),
            "TimeZone": "UTC",
            "TimeZoneOffsetFromUTC": 0.0,
            "UniqueDeviceID": device.udid,
        }
