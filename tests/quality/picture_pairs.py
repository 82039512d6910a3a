"""300 pairs of pictures, made from the cut-outs in `fixtures/pictures` by seven kinds of change.

Only whole numbers and `random.Random` are used: the pairs are the same everywhere. What pixelmatch counts for each is
in `tests/quality/pixelmatch_counts.json`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

ROOT = Path(__file__).resolve().parents[2]
PICTURES = ROOT / "fixtures" / "pictures"
COUNTS = Path(__file__).with_name("pixelmatch_counts.json")
PAIRS = 300
#: Names of the settings, and what pixelmatch is given.
SETTINGS = {
    "usual": {"threshold": 0.1, "includeAA": False},
    "tolerant": {"threshold": 0.2, "includeAA": False},
    "every edge": {"threshold": 0.1, "includeAA": True},
}


def clock(page: Any, rng: random.Random) -> None:
    """Other digits somewhere: a few small bars, with smoothed ends."""
    height, width = page.shape[:2]
    left, top = rng.randrange(width - 60), rng.randrange(height - 20)
    for digit in range(4):
        x = left + 14 * digit
        for _ in range(rng.randrange(1, 4)):
            y = top + rng.randrange(14)
            page[y : y + 3, x : x + 9] = 40
            page[y : y + 3, x + 9] = (page[y : y + 3, x + 9].astype(int) + 40) // 2


def block(page: Any, rng: random.Random) -> None:
    """A hundredth of the picture inverted."""
    height, width = page.shape[:2]
    tall = rng.randrange(24, 64)
    wide = height * width // 100 // tall
    y, x = rng.randrange(height - tall), rng.randrange(width - wide)
    page[y : y + tall, x : x + wide] = 255 - page[y : y + tall, x : x + wide]


def edges(page: Any, rng: random.Random) -> None:
    """Every edge from some row on smoothed a little otherwise, as another graphics chip does it."""
    share = rng.randrange(2, 7)
    page = page[rng.randrange(page.shape[0] // 4) :]
    whole = page.astype(int)
    beside = np.roll(whole, rng.choice((1, -1)), axis=rng.choice((0, 1)))
    page[:] = (whole * (16 - share) + beside * share + 8) // 16


def moved(page: Any, rng: random.Random) -> None:
    """The page from some row on one pixel farther."""
    below = page[rng.randrange(page.shape[0] // 4) :]
    below[:] = np.roll(below, rng.choice((1, -1)), axis=rng.choice((0, 1)))


def inverted(page: Any, rng: random.Random) -> None:
    """Another theme: light becomes dark, colours become others."""
    page ^= np.array([rng.randrange(160, 256) for _ in range(3)], dtype=np.uint8)


def lighter(page: Any, rng: random.Random) -> None:
    """What is in one line of the page a little lighter or darker."""
    height = page.shape[0]
    tall = rng.randrange(16, 40)
    top = rng.randrange(height - tall)
    line = page[top : top + tall].astype(int)
    page[top : top + tall] = np.clip(line + rng.choice((-1, 1)) * rng.randrange(12, 60), 0, 255)


def specks(page: Any, rng: random.Random) -> None:
    """Single pixels anywhere, at the rim and in the corners too."""
    height, width = page.shape[:2]
    places = [(0, 0), (height - 1, width - 1), (0, rng.randrange(width)), (rng.randrange(height), 0)]
    places += [(rng.randrange(height), rng.randrange(width)) for _ in range(rng.randrange(20, 200))]
    for y, x in places:
        page[y, x] = [rng.randrange(256) for _ in range(3)]


KINDS: tuple[Callable[[Any, random.Random], None], ...] = (clock, block, edges, moved, inverted, lighter, specks)


@dataclass(frozen=True)
class Pair:
    """`key` says which pixels it has."""

    number: int
    name: str
    approved: Any
    actual: Any

    @property
    def key(self) -> str:
        return sha256(self.approved.tobytes() + self.actual.tobytes()).hexdigest()[:16]


@lru_cache(maxsize=1)
def pages() -> tuple[tuple[str, Any], ...]:
    """Names and pixels (height, width, 3) of the cut-outs. Their number has no factor in common with that of the
    kinds, so that each meets each."""
    files = sorted(PICTURES.glob("*.png"))
    return tuple((file.stem, np.asarray(Image.open(file).convert("RGB"))) for file in files)


def pair(number: int) -> Pair:
    """The pair with this number, from 0."""
    name, page = pages()[number % len(pages())]
    change = KINDS[number % len(KINDS)]
    actual = page.copy()
    change(actual, random.Random(number))
    return Pair(number, f"{name}, {change.__name__}", page, actual)


def pairs() -> Iterator[Pair]:
    return map(pair, range(PAIRS))
