"""The faster decoder: taken for what devices send, and never instead of Pillow where it could differ."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from PIL import Image

from pytest_apex.errors import SourceError
from pytest_apex.vision import fastpng, image


class Codec(ModuleType):
    """Stands for imagecodecs: decodes by Pillow, and counts."""

    def __init__(self) -> None:
        super().__init__("imagecodecs")
        self.decoded = 0

    def spng_decode(self, data: bytes) -> Any:
        self.decoded += 1
        return np.asarray(Image.open(io.BytesIO(data)))


@pytest.fixture
def codec(monkeypatch: pytest.MonkeyPatch) -> Iterator[Codec]:
    made = Codec()
    monkeypatch.setitem(sys.modules, "imagecodecs", made)
    fastpng.decoder.cache_clear()
    image.forget_decoded()
    yield made
    fastpng.decoder.cache_clear()
    image.forget_decoded()


def png(picture: Image.Image, **options: Any) -> bytes:
    target = io.BytesIO()
    picture.save(target, "PNG", **options)
    return target.getvalue()


NOISE = Image.effect_noise((40, 30), 80).convert("RGB")


@pytest.mark.parametrize("mode", ["RGB", "RGBA"])
def test_it_decodes_what_devices_send(codec: Codec, mode: str) -> None:
    assert image.from_png(png(NOISE.convert(mode))).pixels().tobytes() == NOISE.tobytes()
    assert codec.decoded == 1


def test_what_is_transparent_lies_on_white_all_the_same(codec: Codec) -> None:
    clear = Image.new("RGBA", (3, 3), (9, 9, 9, 0))
    assert image.from_png(png(clear)).pixels().getpixel((1, 1)) == (255, 255, 255)
    assert codec.decoded == 1


@pytest.mark.parametrize(
    "data",
    [
        png(NOISE.convert("P")),
        png(NOISE.convert("L")),
        png(NOISE.convert("L").convert("I;16")),
        png(NOISE, transparency=(255, 255, 255)),
    ],
    ids=["palette", "grey", "16 bits", "one colour transparent"],
)
def test_all_else_is_left_to_pillow(codec: Codec, data: bytes) -> None:
    assert image.from_png(data).pixels().size == (40, 30)
    assert codec.decoded == 0


@pytest.mark.usefixtures("codec")
@pytest.mark.parametrize("length", [33, 36, 40, 60, 200])
def test_a_file_cut_short_is_told_as_before(length: int) -> None:
    with pytest.raises(SourceError, match="can't decode"):
        image.from_png(png(NOISE)[:length]).pixels()


def test_without_it_pillow_decodes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "imagecodecs", None)
    fastpng.decoder.cache_clear()
    assert fastpng.decoder() is None
    assert fastpng.decode(png(NOISE)) is None
    fastpng.decoder.cache_clear()
