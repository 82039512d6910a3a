"""Packages: an APK of the built-in phone is a zip with the app file in it; of others only the name is read."""

from __future__ import annotations

import hashlib
import io
import json
import struct
import zipfile
from dataclasses import dataclass
from pathlib import Path

from pytest_apex.errors import AppFileError
from pytest_apex.phone.app import load_app
from pytest_apex.phone.parts import AppFile, ScreenPart
from pytest_apex.phone_wires.manifest import write_manifest

#: What the zip calls the app file, and an APK its manifest.
APP_ENTRY, MANIFEST_ENTRY = "app.yaml", "AndroidManifest.xml"
#: The most that is unpacked of either.
_MOST = 8 * 1024 * 1024
_BROKEN = (zipfile.BadZipFile, OSError, KeyError, ValueError, EOFError, RuntimeError, NotImplementedError, struct.error)


class BadPackage(Exception):
    """Not a package, or one that the phone can't install; the text is the reason that the package manager gives."""


def make_apk(app_yaml: str | bytes) -> bytes:
    """An installable package of an app file; the same text gives the same bytes."""
    data = app_yaml.encode() if isinstance(app_yaml, str) else app_yaml
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(_entry_of(APP_ENTRY), data)
        try:
            app = load_app(data, APP_ENTRY)
        except AppFileError:  # the phone tells so when it is installed
            manifest = b""
        else:
            manifest = write_manifest(app.id, app.version)
        archive.writestr(_entry_of(MANIFEST_ENTRY), manifest)
    return target.getvalue()


def _entry_of(name: str) -> zipfile.ZipInfo:
    return zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))


def package_of(app: AppFile) -> bytes:
    """The package of an app that is on the phone from the start: of its file; where that is not at hand, of one that
    has its name, its version and an empty screen."""
    try:
        text = Path(app.file).read_bytes()
    except (OSError, ValueError):
        text = b""
    if hashlib.sha256(text).hexdigest() != app.digest:
        told = {"app": app.id, "name": app.name, "version": app.version, "start": "main", "screens": {"main": {}}}
        text = f"{json.dumps(told)}\n# {app.digest}\n".encode()
    return make_apk(text)


def read_apk(data: bytes) -> AppFile:
    """The app in a package. One without an app file becomes an app with one empty screen, if it tells its name.
    Raises `BadPackage`."""
    app_yaml = _entry(data, APP_ENTRY)
    if app_yaml is not None:
        try:
            return load_app(app_yaml, APP_ENTRY)
        except AppFileError as error:
            raise BadPackage(f"INSTALL_PARSE_FAILED_MANIFEST_MALFORMED: {error.mistakes[0]}") from error
    manifest = _entry(data, MANIFEST_ENTRY)
    if manifest is None:
        raise BadPackage("INSTALL_FAILED_INVALID_APK: Failed to extract native libraries, res=-2")
    try:
        told = read_manifest(manifest)
    except _BROKEN as error:
        raise BadPackage("INSTALL_PARSE_FAILED_BAD_MANIFEST: Corrupt XML binary file") from error
    return AppFile(
        id=told.package,
        name=told.package.rpartition(".")[2],
        version=told.version,
        start="main",
        screens={"main": ScreenPart("main")},
    )


def _entry(data: bytes, name: str) -> bytes | None:
    """A file of the zip, None if it has none of the name; `BadPackage` if it is no zip."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if name not in archive.namelist():
                return None
            with archive.open(name) as file:
                found = file.read(_MOST + 1)
    except _BROKEN as error:
        raise BadPackage("INSTALL_PARSE_FAILED_NOT_APK: Failed to parse /data/app/vmdl.tmp/base.apk") from error
    if len(found) > _MOST:
        raise BadPackage("INSTALL_PARSE_FAILED_BAD_MANIFEST: too large")
    return found


@dataclass(frozen=True, slots=True)
class Manifest:
    package: str
    version: str


#: Chunks of Android's binary XML (AOSP: `ResourceTypes.h`).
_STRING_POOL, _START_ELEMENT, _UTF8 = 0x0001, 0x0102, 1 << 8
_TYPE_STRING = 0x03


def read_manifest(data: bytes) -> Manifest:
    """Name and version in a binary manifest. Raises `ValueError` or `struct.error` for anything else."""
    strings: list[str] = []
    at = 8
    while at + 8 <= len(data):
        kind, head, size = struct.unpack_from("<HHI", data, at)
        if size < 8:
            break
        if kind == _STRING_POOL:
            strings = _strings(data, at)
        elif kind == _START_ELEMENT:
            found = _attributes(data, at + head, strings)
            if not found.get("package"):
                break
            return Manifest(found["package"], found.get("versionName", "1.0") or "1.0")
        at += size
    raise ValueError("no manifest")


def _strings(data: bytes, at: int) -> list[str]:
    count, _styles, flags, start = struct.unpack_from("<IIII", data, at + 8)
    if count > 100_000:
        raise ValueError("too many strings")
    found = []
    for offset in struct.unpack_from(f"<{count}I", data, at + 28):
        begin = at + start + offset
        found.append(_utf8(data, begin) if flags & _UTF8 else _utf16(data, begin))
    return found


def _utf8(data: bytes, at: int) -> str:
    at += 2 if data[at] & 0x80 else 1
    length = data[at]
    at += 1
    if length & 0x80:
        length = (length & 0x7F) << 8 | data[at]
        at += 1
    return data[at : at + length].decode("utf-8", "replace")


def _utf16(data: bytes, at: int) -> str:
    (length,) = struct.unpack_from("<H", data, at)
    at += 2
    if length & 0x8000:
        (low,) = struct.unpack_from("<H", data, at)
        length, at = (length & 0x7FFF) << 16 | low, at + 2
    return data[at : at + 2 * length].decode("utf-16-le", "replace")


def _attributes(data: bytes, at: int, strings: list[str]) -> dict[str, str]:
    start, size, count = struct.unpack_from("<HHH", data, at + 8)
    found = {}
    for number in range(count):
        _space, name, raw, _size, kind, value = struct.unpack_from("<IIIHxBI", data, at + start + number * size)
        text = strings[value] if kind == _TYPE_STRING else strings[raw] if raw < len(strings) else str(value)
        found[strings[name]] = text
    return found
