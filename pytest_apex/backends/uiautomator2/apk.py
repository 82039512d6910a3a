"""What a package file tells of itself: its id, from the binary manifest (AOSP: `ResourceTypes.h`)."""

from __future__ import annotations

import struct
import zipfile
from pathlib import Path

from pytest_apex.errors import ConfigError

_MANIFEST = "AndroidManifest.xml"
_MOST = 8 << 20
_POOL, _ELEMENT, _UTF8 = 0x0001, 0x0102, 0x0100


def app_id(package: Path) -> str:
    """The application id of an APK. Raises `ConfigError` for a file that is none."""
    try:
        with zipfile.ZipFile(package) as archive, archive.open(_MANIFEST) as file:
            return _package(file.read(_MOST))
    except OSError as error:
        raise ConfigError(
            f"can't read the package {package}", seen=error.strerror or str(error), cure="--apex-app-path names an APK"
        ) from error
    except (zipfile.BadZipFile, KeyError, ValueError, IndexError, struct.error, RuntimeError) as error:
        raise ConfigError(
            f"{package} is not an Android package",
            seen=f"{type(error).__name__}: {error}",
            likely="it is of another platform, a bundle (.aab, .apks), or cut short",
            cure="an .apk; of a bundle, make one with bundletool --mode=universal",
        ) from error


def _package(data: bytes) -> str:
    strings: list[bytes] = []
    at = 8
    while at + 8 <= len(data):
        kind, head, size = struct.unpack_from("<HHI", data, at)
        if kind == _POOL:
            strings = _strings(data[at : at + size])
        elif kind == _ELEMENT:
            start, width, count = struct.unpack_from("<HHH", data, at + head + 8)
            for number in range(count):
                _, name, raw = struct.unpack_from("<III", data, at + head + start + number * width)
                if strings[name] == b"package":
                    return str(strings[raw], "utf-8")
            break
        if size < 8:
            break
        at += size
    raise ValueError("its manifest names no package")


def _strings(pool: bytes) -> list[bytes]:
    """The texts of a pool as UTF-8."""
    count, _, flags, begin = struct.unpack_from("<IIII", pool, 8)
    offsets = struct.unpack_from(f"<{count}I", pool, 28)
    return [_string(pool, begin + offset, wide=not flags & _UTF8) for offset in offsets]


def _string(pool: bytes, at: int, *, wide: bool) -> bytes:
    if wide:
        length, at = struct.unpack_from("<H", pool, at)[0], at + 2
        if length & 0x8000:
            length, at = (length & 0x7FFF) << 16 | struct.unpack_from("<H", pool, at)[0], at + 2
        return pool[at : at + 2 * length].decode("utf-16-le", "replace").encode()
    at += 2 if pool[at] & 0x80 else 1  # the length in letters, then that in bytes
    length, at = pool[at], at + 1
    if length & 0x80:
        length, at = (length & 0x7F) << 8 | pool[at], at + 1
    return pool[at : at + length]
