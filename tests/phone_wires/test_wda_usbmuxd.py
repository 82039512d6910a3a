"""The usbmuxd of the built-in iPhone, its lockdown and its services, as tools of Apple's devices use them."""

from __future__ import annotations

import plistlib
import shutil
import socket
import ssl
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from pytest_apex.errors import ConfigError
from pytest_apex.phone.parts import AppFile
from pytest_apex.phone_wires.wda.serve import ServedWda, serve_wda

from .client import StepClock

LOCKDOWN = 62078


class Mux:
    def __init__(self, served: ServedWda) -> None:
        host, _, port = served.usbmux.partition(":")
        self.sock: socket.socket = socket.create_connection((host, int(port)), 10)

    def take(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            more = self.sock.recv(count - len(data))
            if not more:
                raise EOFError
            data += more
        return data

    def ask(self, **message: Any) -> dict[str, Any]:
        body = plistlib.dumps(message)
        self.sock.sendall(struct.pack("<IIII", 16 + len(body), 1, 8, 7) + body)
        size, _, _, tag = struct.unpack("<IIII", self.take(16))
        assert tag == 7
        return dict(plistlib.loads(self.take(size - 16)))

    def connect(self, port: int) -> int:
        answer = self.ask(MessageType="Connect", DeviceID=1, PortNumber=socket.htons(port))
        return int(answer["Number"])

    def request(self, **message: Any) -> dict[str, Any]:
        body = plistlib.dumps(message)
        self.sock.sendall(struct.pack(">I", len(body)) + body)
        return self.receive()

    def receive(self) -> dict[str, Any]:
        (size,) = struct.unpack(">I", self.take(4))
        return dict(plistlib.loads(self.take(size)))

    def encrypt(self) -> None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        self.sock = context.wrap_socket(self.sock)


@contextmanager
def muxed(served: ServedWda, port: int = 0) -> Iterator[Mux]:
    mux = Mux(served)
    try:
        if port:
            assert mux.connect(port) == 0
        yield mux
    finally:
        mux.sock.close()


@pytest.fixture(scope="module")
def served(app: AppFile) -> Iterator[ServedWda]:
    if shutil.which("openssl") is None:
        pytest.skip("no openssl here")
    with serve_wda([app], usbmux=0, clock=StepClock(), os_version="17.5") as phone:
        yield phone


def test_the_device_is_listed_while_it_is_there(served: ServedWda) -> None:
    with muxed(served) as mux:
        (device,) = mux.ask(MessageType="ListDevices")["DeviceList"]
        assert device["Properties"]["SerialNumber"] == served.udid
        served.switch_on("offline")
        assert mux.ask(MessageType="ListDevices")["DeviceList"] == []
        assert mux.connect(LOCKDOWN) != 0
        served.switch_off("offline")


def test_its_pair_record_is_for_its_own_id(served: ServedWda) -> None:
    with muxed(served) as mux:
        answer = mux.ask(MessageType="ReadPairRecord", PairRecordID=served.udid)
        record = plistlib.loads(answer["PairRecordData"])
        assert record["HostCertificate"].startswith(b"-----BEGIN CERTIFICATE")
        assert mux.ask(MessageType="ReadPairRecord", PairRecordID="other")["Number"] != 0


def test_lockdown_tells_values_and_starts_services_inside_tls(served: ServedWda) -> None:
    with muxed(served, LOCKDOWN) as mux:
        assert mux.request(Request="QueryType")["Type"] == "com.apple.mobile.lockdown"
        assert mux.request(Request="GetValue", Key="ProductVersion")["Value"] == "17.5"
        assert mux.request(Request="StartSession", HostID="x", SystemBUID="y")["EnableSessionSSL"] is True
        mux.encrypt()
        assert mux.request(Request="GetValue")["Value"]["UniqueDeviceID"] == served.udid
        assert mux.request(Request="StartService", Service="com.apple.afc") == {
            "Request": "StartService",
            "Error": "InvalidService",
        }
        port = mux.request(Request="StartService", Service="com.apple.mobile.installation_proxy")["Port"]
    with muxed(served, port) as mux:
        found = mux.request(Command="Lookup", ClientOptions={"BundleIDs": ["com.example.notes", "com.nope"]})
        assert list(found["LookupResult"]) == ["com.example.notes"]
        assert mux.request(Command="Browse", ClientOptions={})["CurrentList"][0]["CFBundleDisplayName"] == "Notes"
        assert mux.receive() == {"Status": "Complete"}


def test_the_log_runs_along(served: ServedWda) -> None:
    with muxed(served, LOCKDOWN) as mux:
        port = mux.request(Request="StartService", Service="com.apple.syslog_relay")["Port"]
    with muxed(served, port) as mux:
        with served.pace.held() as phone:
            phone.launch("com.example.notes")
        line = b""
        while b"\0" not in line:
            line += mux.take(1)
    assert line.endswith(b"\n\0")
    assert b"Bootstrap success! [app<com.example.notes>" in line


@pytest.mark.parametrize(
    "data",
    [
        b"\xff" * 64,
        struct.pack("<IIII", 2**31, 1, 8, 1),
        struct.pack("<IIII", 20, 1, 8, 1) + b"oops",
        struct.pack("<IIII", 16 + 9, 1, 8, 1) + b"<plist/>\n",
    ],
)
def test_what_is_no_message_ends_the_connection(data: bytes, served: ServedWda) -> None:
    with muxed(served) as mux:
        mux.sock.sendall(data)
        assert mux.sock.recv(10) == b""
    with muxed(served) as mux:
        assert mux.ask(MessageType="ReadBUID")["BUID"]


def test_without_openssl_it_says_so(app: AppFile, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(ConfigError, match="needs a certificate"):
        serve_wda([app], usbmux=0)
