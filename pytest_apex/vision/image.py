"""Pictures that are decoded or encoded only when someone asks, once."""

from __future__ import annotations

import io
import math
import os
import struct
import zlib
from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path

import numpy as np
from PIL import Image

from pytest_apex.errors import SourceError
from pytest_apex.model.geometry import Rect, Size
from pytest_apex.model.snapshot import Picture
from pytest_apex.vision import fastpng

#: More pixels than any phone, tablet or television shows (an 8K frame has 33 million): a larger picture is refused
#: before it is decoded.
MAX_PIXELS = 64_000_000

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
#: What Pillow raises for broken files, by experience with mutated ones.
_BROKEN = (OSError, SyntaxError, ValueError, TypeError, KeyError, IndexError, EOFError, struct.error, zlib.error)
#: Beginnings of what devices and shells send instead of a PNG.
_LOOK_ALIKES = (
    (b"\xff\xd8\xff", "a JPEG"),
    (b"RIFF", "a WebP"),
    (b"\xff\xfe", "a file that was redirected through PowerShell, which breaks binary data"),
    (b"\xef\xbb\xbf", "a text with a byte order mark"),
    (_SIGNATURE, "a PNG that was cut short"),
    (b"\x89PNG", "a PNG whose line ends were translated"),
    (b"<", "XML or HTML"),
    (b"{", "JSON"),
    (b"iVBORw0KGgo", "a PNG in base64"),
    (b"version https://git-lfs", "a pointer of Git LFS, whose content was not fetched (git lfs pull)"),
)


def from_png(data: bytes) -> Picture:
    """A picture as the device sent it; only its head is read now.

    Raises `SourceError` for anything that does not begin like a PNG. Damage further on shows when `pixels()` is asked
    for, as `SourceError` too.
    """
    return _Encoded(data, _size_of(data))


def read_png(source: bytes | os.PathLike[str]) -> Picture:
    """A picture from bytes or from a file; `SourceError` for what can't be read or is none."""
    if isinstance(source, (bytes, bytearray, memoryview)):
        return from_png(bytes(source))
    if not isinstance(source, os.PathLike):
        raise SourceError(
            "a picture is read from bytes or from a path",
            seen=f"a value of type {type(source).__name__}",
            cure="give the content of a PNG, or pathlib.Path(...) for a file",
        )
    try:
        return from_png(Path(source).read_bytes())
    except OSError as error:
        raise SourceError(f"can't read the picture {source}", seen=error.strerror or str(error)) from error


def from_jpeg(data: bytes) -> Picture:
    """A picture that a device sent as JPEG, decoded now; raises `SourceError` for anything else."""
    try:
        image = Image.open(io.BytesIO(data), formats=["JPEG"])
        image.load()
    except _BROKEN as error:
        raise SourceError("can't read the picture: it is not a JPEG", seen=_look_alike(data)) from error
    return from_image(image)


def side_by_side(pictures: Sequence[Picture]) -> Picture:
    """Pictures of one height as one, from left to right."""
    return from_image(Image.fromarray(np.hstack([np.asarray(picture.pixels()) for picture in pictures])))


def from_image(image: Image.Image, key: str | None = None) -> Picture:
    """A picture that was drawn here. The image belongs to the picture from now on: don't draw on it any more.

    `key`, if the drawer has one, saves hashing the pixels.
    """
    return _Drawn(as_rgb(image), key)


def forget_decoded() -> None:
    """Let go of the pixels that are kept of the last few pictures."""
    _decode.cache_clear()
    _decode_as_is.cache_clear()


def as_decoded(picture: Picture) -> Image.Image:
    """The pixels in RGB, or in RGBA where the file has them so: for those who look at parts of them only, which
    `as_rgb` makes RGB."""
    image: Image.Image = _decode_as_is(picture.png()) if isinstance(picture, _Encoded) else picture.pixels()
    return image if image.mode == "RGBA" else picture.pixels()


def cut(picture: Picture, box_px: Rect) -> tuple[Picture, Rect]:
    """The whole pixels of a picture that a box touches, as a picture of its own, and where they are. Raises
    `SourceError` where the box misses the picture."""
    left, top = max(0, math.floor(box_px.left)), max(0, math.floor(box_px.top))
    right = min(int(picture.size.width), math.ceil(box_px.right))
    bottom = min(int(picture.size.height), math.ceil(box_px.bottom))
    if right <= left or bottom <= top:
        raise SourceError(f"there is nothing at {box_px} of a picture of {picture.size} pixels")
    part = Rect(float(left), float(top), float(right), float(bottom))
    return from_image(picture.pixels().crop((left, top, right, bottom))), part


class _Encoded:
    """PNG bytes; decoded pixels are kept for the last few pictures only, so that many waiting ones stay small."""

    __slots__ = ("_data", "_key", "_size")

    def __init__(self, data: bytes, size: Size) -> None:
        self._data = data
        self._size = size
        self._key = ""

    @property
    def size(self) -> Size:
        return self._size

    @property
    def key(self) -> str:
        if not self._key:
            self._key = blake2b(self._data, digest_size=16).hexdigest()
        return self._key

    def png(self) -> bytes:
        return self._data

    def pixels(self) -> Image.Image:
        return _decode(self._data)

    def __repr__(self) -> str:
        return f"<Picture {self._size}>"


class _Drawn:
    """An image in memory; encoded on the first call of `png`, with the same bytes for the same pixels."""

    __slots__ = ("_image", "_key", "_png")

    def __init__(self, image: Image.Image, key: str | None) -> None:
        self._image = image
        self._key = key or ""
        self._png = b""

    @property
    def size(self) -> Size:
        return Size(*self._image.size)

    @property
    def key(self) -> str:
        if not self._key:
            digest = blake2b(repr(self._image.size).encode(), digest_size=16)
            digest.update(self._image.tobytes())
            self._key = digest.hexdigest()
        return self._key

    def png(self) -> bytes:
        if not self._png:
            target = io.BytesIO()
            # Level 1 takes a third of the time of the default for a sixth more bytes on drawn screens. Nothing of the
            # image's `info` may reach the file: equal pixels are equal bytes.
            self._image.save(target, "PNG", compress_level=1, icc_profile=None, transparency=None)
            self._png = target.getvalue()
        return self._png

    def pixels(self) -> Image.Image:
        return self._image

    def __repr__(self) -> str:
        return f"<Picture {self.size}>"


def _size_of(data: bytes) -> Size:
    """Width and height from the head of a PNG."""
    if data[:8] != _SIGNATURE or data[12:16] != b"IHDR" or len(data) < 33:
        raise SourceError(
            "can't read the picture: it is not a PNG",
            seen=f"{_look_alike(data)} ({len(data)} bytes)",
            cure="take the screenshot again, or convert the file to PNG",
        )
    width, height = struct.unpack(">II", data[16:24])
    if not 0 < width * height <= MAX_PIXELS:
        raise SourceError(
            "can't read the picture: no screen has this size",
            seen=f"{width}×{height} pixels; up to {MAX_PIXELS:,} pixels are read",
            likely="the file is damaged",
        )
    return Size(width, height)


def _look_alike(data: bytes) -> str:
    head = data[:64].lstrip()
    return next(
        (what for start, what in _LOOK_ALIKES if head.startswith(start)), "unknown bytes" if head else "nothing"
    )


@lru_cache(maxsize=6)
def _decode(data: bytes) -> Image.Image:
    return as_rgb(_decode_as_is(data))


@lru_cache(maxsize=2)
def _decode_as_is(data: bytes) -> Image.Image:
    try:
        _need_sound(data)
        fast = fastpng.decode(data)
        if fast is not None:
            return fast
        image = Image.open(io.BytesIO(data), formats=["PNG"])
        image.load()
        return image
    except _BROKEN as error:
        raise SourceError(
            "can't decode the picture",
            seen=f"{type(error).__name__}: {error}",
            likely="the file was cut short or damaged on its way",
            cure="take the screenshot again",
        ) from error


def _need_sound(data: bytes) -> None:
    """Raise `OSError` for image data whose checksum is not its own. Pillow reads past these sums, and what one damaged
    byte makes of a picture looks like another picture. Data that ends early is left to the decoder."""
    at, whole = 8, memoryview(data)
    while at + 12 <= len(data):
        length = int.from_bytes(whole[at : at + 4], "big")
        end = at + 8 + length
        is_whole = data[at + 4 : at + 8] == b"IDAT" and end + 4 <= len(data)
        if is_whole and zlib.crc32(whole[at + 4 : end]) != int.from_bytes(whole[end : end + 4], "big"):
            raise OSError(f"the checksum of the image data at byte {at} does not hold")
        at = end + 4


def as_rgb(image: Image.Image) -> Image.Image:
    """RGB without side data. What is transparent lies on white; 16 bits of grey become 8."""
    if image.mode == "RGB" and "transparency" not in image.info:
        return image
    if image.mode.startswith("I"):
        return Image.fromarray((np.asarray(image).astype(np.uint32) >> 8).astype(np.uint8)).convert("RGB")
    if image.mode == "RGBA" and image.getchannel("A").getextrema() == (255, 255):
        return image.convert("RGB")  # what Android sends: nothing of it is transparent
    if image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info:
        above = image.convert("RGBA")
        ground = Image.new("RGBA", above.size, "white")
        return Image.alpha_composite(ground, above).convert("RGB")
    return image.convert("RGB")
