"""Pictures: lazily read, lazily written, always the same bytes."""

from __future__ import annotations

import io
import random
import struct
import zlib

import pytest
from PIL import Image

from pytest_apex.errors import SourceError
from pytest_apex.model.geometry import Size
from pytest_apex.vision import image
from pytest_apex.vision.image import from_image, from_png


def drawn(mode: str = "RGB", color: object = (10, 200, 30), size: tuple[int, int] = (7, 5)) -> Image.Image:
    return Image.new(mode, size, color)  # type: ignore[arg-type]


def encoded(picture: Image.Image, **options: object) -> bytes:
    target = io.BytesIO()
    picture.save(target, "PNG", **options)  # type: ignore[arg-type]
    return target.getvalue()


def test_a_drawn_picture_is_encoded_once_and_reads_back_equal() -> None:
    picture = from_image(drawn())
    assert picture.png() is picture.png()
    back = from_png(picture.png())
    assert (back.size, picture.size) == (Size(7, 5), Size(7, 5))
    assert back.pixels().tobytes() == picture.pixels().tobytes()


def test_equal_pixels_are_equal_bytes_and_equal_keys_whatever_the_image_carries() -> None:
    noisy = drawn()
    noisy.info.update(icc_profile=b"profile", dpi=(72, 72), comment="x")
    one, other = from_image(drawn()), from_image(noisy)
    assert one.png() == other.png()
    assert one.key == other.key
    assert one.key != from_image(drawn(color=(10, 200, 31))).key
    assert one.key != from_image(drawn(size=(5, 7))).key


def test_a_given_key_is_kept_and_the_devices_bytes_are_not_touched() -> None:
    assert from_image(drawn(), key="screen-7").key == "screen-7"
    data = encoded(drawn(), compress_level=9)
    assert from_png(data).png() is data
    assert from_png(data).key == from_png(bytes(bytearray(data))).key


def test_the_size_is_known_without_decoding() -> None:
    data = encoded(drawn())
    assert from_png(data[:40]).size == Size(7, 5)


@pytest.mark.parametrize(
    ("picture", "color"),
    [
        (drawn("RGBA", (255, 0, 0, 255)), (255, 0, 0)),
        (drawn("RGBA", (0, 0, 0, 0)), (255, 255, 255)),  # what is transparent lies on white
        (drawn("L", 90), (90, 90, 90)),
        (drawn("LA", (90, 255)), (90, 90, 90)),
        (drawn("1", 1), (255, 255, 255)),
        (drawn("P", 0).convert("P"), (0, 0, 0)),
        (drawn("I;16", 0x8000), (128, 128, 128)),
    ],
)
def test_every_kind_of_png_becomes_rgb(picture: Image.Image, color: tuple[int, int, int]) -> None:
    pixels = from_png(encoded(picture)).pixels()
    assert pixels.mode == "RGB"
    assert pixels.getpixel((3, 3)) == color


def test_a_transparent_palette_entry_lies_on_white() -> None:
    picture = Image.new("P", (4, 4), 1)
    picture.putpalette([0, 0, 0, 255, 0, 0])
    assert from_png(encoded(picture, transparency=1)).pixels().getpixel((0, 0)) == (255, 255, 255)


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"", "nothing"),
        (b"\xff\xd8\xff\xe0\x00\x10JFIF", "JPEG"),
        (b"<html><body>404</body></html>", "HTML"),
        (b'{"value": {"error": "x"}}', "JSON"),
        (b"\xff\xfe\x89\x00P\x00N\x00G", "PowerShell"),
        (b"\x89PNG\n\x1a\n" + b"x" * 60, "line ends"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "cut short"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n", "git lfs pull"),
        (b"iVBORw0KGgoAAAANSUhEUg==", "base64"),
        (b"Error: device offline", "unknown"),
    ],
)
def test_a_look_alike_is_refused_by_its_name(data: bytes, what: str) -> None:
    with pytest.raises(SourceError) as error:
        from_png(data)
    assert what in str(error.value)


def head(width: int, height: int, depth: int = 8, kind: int = 2) -> bytes:
    body = b"IHDR" + struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n\x00\x00\x00\x0d" + body + struct.pack(">I", zlib.crc32(body))


@pytest.mark.parametrize(("width", "height"), [(0, 5), (5, 0), (60_000, 60_000), (2**31, 1), (2**32 - 1, 2**32 - 1)])
def test_a_size_that_no_screen_has_is_refused_before_decoding(width: int, height: int) -> None:
    with pytest.raises(SourceError, match="no screen has this size"):
        from_png(head(width, height))


@pytest.mark.parametrize("kind", [0, 2, 3, 4, 6])
@pytest.mark.parametrize("depth", [1, 7, 8, 16])
def test_a_head_without_a_body(depth: int, kind: int) -> None:
    with pytest.raises(SourceError, match="decode"):
        from_png(head(4, 4, depth, kind)).pixels()


def test_a_bomb_of_text_is_refused() -> None:
    packed = b"zTXtc\x00\x00" + zlib.compress(b"\x00" * 80_000_000)
    chunk = struct.pack(">I", len(packed) - 4) + packed + struct.pack(">I", zlib.crc32(packed))
    with pytest.raises(SourceError, match="decode"):
        from_png(head(4, 4) + chunk).pixels()


def test_image_data_whose_checksum_does_not_hold_is_damaged_and_not_another_picture() -> None:
    row = bytes([0]) + bytes(range(12))
    data = b"IDAT" + zlib.compress(row * 4, 0)
    end = struct.pack(">I", zlib.crc32(data))
    sound = head(4, 4) + struct.pack(">I", len(data) - 4) + data
    assert from_png(sound + end).pixels().getpixel((0, 0)) == (0, 1, 2)
    at = sound.index(bytes(range(12)))
    flipped = sound[:at] + b"\xff" + sound[at + 1 :]
    with pytest.raises(SourceError, match=r"decode[\s\S]*checksum of the image data at byte 33"):
        from_png(flipped + end).pixels()


@pytest.mark.parametrize("seed", range(6))
def test_damaged_files_raise_nothing_but_our_error(seed: int) -> None:
    rng = random.Random(seed)
    noise = Image.effect_noise((40, 30), 60).convert(["RGB", "RGBA", "P", "L", "LA", "1"][seed])
    good = encoded(noise, icc_profile=b"p" * 200)
    for _ in range(60):
        data = bytearray(good)
        for _ in range(rng.randrange(1, 6)):
            data[rng.randrange(8, len(data))] = rng.randrange(256)
        data = data[: rng.randrange(20, len(data) + 1)] if rng.random() < 0.4 else data
        try:
            assert from_png(bytes(data)).pixels().mode == "RGB"
        except SourceError:
            continue


def test_only_the_last_few_decoded_pictures_stay_in_memory() -> None:
    pictures = [from_png(encoded(drawn(color=(n, 0, 0)))) for n in range(20)]
    for picture in pictures:
        picture.pixels()
    assert image._decode.cache_info().currsize <= 6
    assert pictures[0].pixels().getpixel((0, 0)) == (0, 0, 0)
