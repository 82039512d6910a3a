"""How well a text stands out from its ground: the contrast ratio of WCAG 2.2, 1 (equal) to 21 (black on white)."""

from __future__ import annotations

import numpy as np

from pytest_apex.model.geometry import Rect
from pytest_apex.model.snapshot import Picture
from pytest_apex.vision.pixels import Color, crop

#: Pixels nearer to the ground, in their farthest channel, are no ink.
_LEVELS = 12
#: The ratio that so many of the ink's pixels stay below. Smoothing thins strokes: the most frequent colour of small
#: text is a blend, only the middles of its strokes have the text's own. The 99.5th percentile of a text's box, a
#: fifth of which is ink, is this one of the ink.
_QUANTILE = 0.975

_CHANNEL = np.arange(256) / 255
_LINEAR = np.where(_CHANNEL <= 0.04045, _CHANNEL / 12.92, ((_CHANNEL + 0.055) / 1.055) ** 2.4).astype(np.float32)
_WEIGHTS = (0.2126, 0.7152, 0.0722)


def luminance(color: Color) -> float:
    """Relative luminance of an sRGB colour, 0 to 1 (WCAG 2.2)."""
    return sum(weight * float(_LINEAR[part]) for weight, part in zip(_WEIGHTS, color, strict=True))


def ratio(one: Color, other: Color) -> float:
    """The contrast ratio of two colours."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def contrast(picture: Picture, box: Rect, ground: Color) -> float | None:
    """The ratio between what is drawn in `box` (pixels) and its ground; None where nothing is."""
    pixels = crop(picture, box)
    if not pixels.size:
        return None
    far = np.abs(pixels.astype(np.int16) - np.array(ground, dtype=np.int16)).max(axis=2)
    ink = pixels[far > _LEVELS]
    if not len(ink):
        return None
    light = sum(weight * _LINEAR[ink[:, at]] for at, weight in enumerate(_WEIGHTS))
    base = luminance(ground)
    ratios = (np.maximum(light, base) + 0.05) / (np.minimum(light, base) + 0.05)
    return float(np.quantile(ratios, _QUANTILE))
