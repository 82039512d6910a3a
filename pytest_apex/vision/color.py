"""Colours: reading them, telling how far apart two look, finding those of a control."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from math import atan2, cos, degrees, exp, hypot, radians, sin, sqrt

from pytest_apex.errors import ConfigError
from pytest_apex.model.geometry import Rect
from pytest_apex.model.snapshot import Picture
from pytest_apex.vision.pixels import Color, counted, crop, unpacked

_HEX = re.compile(r"#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})")
_RGB = re.compile(r"rgb\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)")
_AS = 'write it as "#0057B8" or "rgb(0, 87, 184)"'

#: Colours that are searched for the foreground; anti-aliased text has hundreds, its own is among the most frequent.
_CANDIDATES = 64
#: The share of the pixels beside the background that a foreground needs. Blends at the edges of thin strokes come in
#: many colours with few pixels each.
_MIN_SHARE = 0.02


@dataclass(frozen=True, slots=True)
class Swatch:
    """The two colours of a control.

    `background` is its most frequent colour and `share` that colour's part of all pixels. `foreground` is the colour
    farthest from it among the frequent others; equal to the background on a plain area.
    """

    background: Color
    foreground: Color
    share: float


def parse_color(text: str) -> Color:
    """`#0057B8`, `0057b8`, `#05b` or `rgb(0, 87, 184)`. Raises `ConfigError` for anything else."""
    if not isinstance(text, str):
        raise ConfigError("a colour is given as text", seen=repr(text)[:120], cure=_AS)
    if (found := _HEX.fullmatch(text.strip())) is not None:
        digits = found[1] if len(found[1]) == 6 else "".join(digit * 2 for digit in found[1])
        return unpacked(int(digits, 16))
    if (found := _RGB.fullmatch(text.strip())) is not None and all(int(part) <= 255 for part in found.groups()):
        return int(found[1]), int(found[2]), int(found[3])
    raise ConfigError(f"{text!r} is not a colour", cure=_AS)


def to_hex(color: Color) -> str:
    """`#0057B8`."""
    return "#{:02X}{:02X}{:02X}".format(*color)


@lru_cache(maxsize=4096)
def delta_e2000(rgb1: Color, rgb2: Color) -> float:
    """How different two sRGB colours look: CIEDE2000. 1 is about the smallest difference seen side by side; 100 is
    black against white."""
    return delta_e2000_lab(to_lab(rgb1), to_lab(rgb2))


def to_lab(color: Color) -> tuple[float, float, float]:
    """sRGB (IEC 61966-2-1, white D65) to CIE L*a*b*."""
    r, g, b = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in (c / 255 for c in color)
    )
    x = (0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047
    y = 0.2126729 * r + 0.7151522 * g + 0.0721750 * b
    z = (0.0193339 * r + 0.1191920 * g + 0.9503041 * b) / 1.08883
    fx, fy, fz = (part ** (1 / 3) if part > 216 / 24389 else (24389 / 27 * part + 16) / 116 for part in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def delta_e2000_lab(lab1: tuple[float, float, float], lab2: tuple[float, float, float]) -> float:
    """CIEDE2000 with all weights 1, in the steps of Sharma, Wu and Dalal, "The CIEDE2000 color-difference formula"
    (Color Research and Application 30, 2005)."""
    (l1, a1, b1), (l2, a2, b2) = lab1, lab2
    pull = (1 - _saturation((hypot(a1, b1) + hypot(a2, b2)) / 2)) / 2
    c1, h1 = _polar(a1 * (1 + pull), b1)
    c2, h2 = _polar(a2 * (1 + pull), b2)
    turn, hue = _hues(c1, h1, c2, h2)
    lightness, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    t = (
        1
        - 0.17 * cos(radians(hue - 30))
        + 0.24 * cos(radians(2 * hue))
        + 0.32 * cos(radians(3 * hue + 6))
        - 0.20 * cos(radians(4 * hue - 63))
    )
    bend = (lightness - 50) ** 2
    dl = (l2 - l1) / (1 + 0.015 * bend / sqrt(20 + bend))
    dc = (c2 - c1) / (1 + 0.045 * chroma)
    dh = 2 * sqrt(c1 * c2) * sin(radians(turn / 2)) / (1 + 0.015 * chroma * t)
    rotation = -sin(radians(60 * exp(-(((hue - 275) / 25) ** 2)))) * 2 * _saturation(chroma)
    return sqrt(max(0.0, dl**2 + dc**2 + dh**2 + rotation * dc * dh))


def _saturation(chroma: float) -> float:
    return sqrt(chroma**7 / (chroma**7 + 25.0**7))


def _polar(a: float, b: float) -> tuple[float, float]:
    """Chroma and hue angle in degrees, 0 for greys."""
    return hypot(a, b), degrees(atan2(b, a)) % 360


def _hues(c1: float, h1: float, c2: float, h2: float) -> tuple[float, float]:
    """The turn from one hue to the other the short way, and the mean hue."""
    if c1 * c2 == 0:
        return 0.0, h1 + h2
    turn = h2 - h1
    if abs(turn) <= 180:
        return turn, (h1 + h2) / 2
    mean = (h1 + h2 + (360 if h1 + h2 < 360 else -360)) / 2
    return (turn - 360 if turn > 180 else turn + 360), mean


def uniform_share(picture: Picture, box_px: Rect) -> tuple[Color, float]:
    """The most frequent colour in a box and its share of the pixels, 0 to 1; black and 0 where there are no pixels."""
    pixels = crop(picture, box_px)
    if not pixels.size:
        return (0, 0, 0), 0.0
    colors, counts = counted(pixels)
    return unpacked(int(colors[0])), float(counts[0] / counts.sum())


def dominant(picture: Picture, box_px: Rect, *, step: int = 1) -> Swatch:
    """Background and foreground of what is drawn in a box, by every `step`th row and column. Raises `ConfigError` where
    the box has no pixels."""
    pixels = crop(picture, box_px)[::step, ::step]
    if not pixels.size:
        raise ConfigError("the control has no pixels on the picture", seen=f"{box_px} on {picture.size}")
    colors, counts = counted(pixels)
    background = unpacked(int(colors[0]))
    others = int(counts[1:].sum())
    frequent = colors[1:_CANDIDATES][counts[1:_CANDIDATES] >= max(1.0, others * _MIN_SHARE)]
    rivals = [unpacked(int(color)) for color in frequent] or [unpacked(int(color)) for color in colors[1:_CANDIDATES]]
    foreground = max(rivals, key=lambda color: delta_e2000(background, color), default=background)
    return Swatch(background, foreground, float(counts[0] / counts.sum()))
