"""Reading the text on a picture, with RapidOCR where it is installed (`pip install pytest-apex[ocr]`; its models come
in the package, nothing is downloaded).

For screens whose tree says nothing: games, canvases. Reading a whole screen takes seconds, so it is done only where
someone asks, and once for a picture.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np

from pytest_apex.errors import ConfigError
from pytest_apex.model.geometry import Rect, union
from pytest_apex.model.snapshot import Picture
from pytest_apex.vision.pixels import covering, crop

#: Readings that the model is less sure of are noise: icons, textures.
_SURE = 0.6
#: Room around a cut-out; letters at its very edge are read badly.
_MARGIN = 8
#: Lines whose middles are nearer than this share of the lower one's height stand in one row.
_ROW = 0.5
#: Text is looked for on a picture of at most so many pixels a side, and read on the picture as it is. RapidOCR's own
#: way enlarges a picture until its shorter side has 736: twice as slow on a phone's screen, 20 times on one label, and
#: it found no more.
_LONGEST = 1280


@dataclass(frozen=True, slots=True)
class ReadText:
    """A line of text as it was read. `box` is in pixels; `score` is how sure the model is, 0 to 1."""

    text: str
    box: Rect
    score: float


#: Takes an array (height, width, 3), blue first as OpenCV has it, and gives the lines in it.
Engine: TypeAlias = Any


@dataclass(frozen=True, slots=True)
class _Part:
    """A box of a picture; equal parts have equal pixels."""

    key: str
    box: Rect
    picture: Picture = field(compare=False, repr=False)


def is_installed() -> bool:
    """Whether texts can be read."""
    return importlib.util.find_spec("rapidocr") is not None and importlib.util.find_spec("onnxruntime") is not None


def read_text(picture: Picture, box: Rect | None = None) -> tuple[ReadText, ...]:
    """The lines of text in a picture, or in a box of it (pixels), from top to bottom. Raises `ConfigError` where
    RapidOCR is not installed."""
    whole = Rect(0, 0, picture.size.width, picture.size.height)
    part = covering(box.grown(_MARGIN), picture.size) if box is not None else whole
    return _read(_Part(picture.key, part, picture))


def in_rows(lines: Sequence[ReadText]) -> list[ReadText]:
    """The lines that stand side by side in one row, put together: the model cuts a line at wide spaces."""
    rows: list[ReadText] = []
    for line in sorted(lines, key=lambda line: (line.box.center.y, line.box.left)):
        if rows and _in_one_row(rows[-1].box, line.box):
            left, right = sorted((rows[-1], line), key=lambda part: part.box.left)
            rows[-1] = ReadText(f"{left.text} {right.text}", union((left.box, right.box)), min(left.score, right.score))
        else:
            rows.append(line)
    return rows


def _in_one_row(one: Rect, other: Rect) -> bool:
    return abs(one.center.y - other.center.y) < _ROW * min(one.height, other.height)


def same_words(read: str, wanted: str) -> bool:
    """Whether `wanted` is a part of what was read: case and spaces are not what a model is good at."""
    return _squeezed(wanted) in _squeezed(read)


def _squeezed(text: str) -> str:
    return "".join(text.split()).casefold()


# Holds the last few: a check asks the same picture again until its screen changes.
@lru_cache(maxsize=4)
def _read(asked: _Part) -> tuple[ReadText, ...]:
    part = asked.box
    pixels = crop(asked.picture, part)
    if not pixels.size:
        return ()
    found = engine()(np.ascontiguousarray(pixels[..., ::-1]))
    if found.txts is None:
        return ()
    lines = zip(found.boxes, found.txts, found.scores, strict=True)
    read = [ReadText(words, _around(corners, part), float(score)) for corners, words, score in lines if score >= _SURE]
    return tuple(sorted(read, key=lambda line: (line.box.top, line.box.left)))


def _around(corners: Any, part: Rect) -> Rect:
    points = [(float(x) + part.left, float(y) + part.top) for x, y in corners]
    return union(Rect(x, y, x + 1, y + 1) for x, y in points)


@lru_cache(maxsize=1)
def engine() -> Engine:
    """The reader, made once in a process: loading its models takes a second or two."""
    if not is_installed():
        raise ConfigError(
            "texts on a picture can't be read",
            seen="RapidOCR and ONNX Runtime are not installed",
            cure="pip install 'pytest-apex[ocr]'",
        )
    from rapidocr import RapidOCR  # heavy, and not everybody's

    return RapidOCR(
        params={
            "Global.log_level": "error",
            "Global.use_cls": False,
            "Det.limit_type": "max",
            "Det.limit_side_len": _LONGEST,
        }
    )
