"""How well a text stands out from its ground: the contrast ratio of WCAG 2.2, 1 (equal) to 21 (black on white)."""

from __future__ import annotations

from typing import Any

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
#: Of more pixels a half is enough.
_MANY = 40_000

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
    if pixels.shape[0] * pixels.shape[1] > _MANY:
        pixels = pixels[::2]  # each second row of several lines of text
    far = _distance(pixels, ground)
    ink = pixels[far > _LEVELS]
    if not len(ink):
        return None
    light = _WEIGHTS[0] * _LINEAR[ink[:, 0]] + _WEIGHTS[1] * _LINEAR[ink[:, 1]] + _WEIGHTS[2] * _LINEAR[ink[:, 2]]
    base = luminance(ground)
    ratios = (np.maximum(light, base) + 0.05) / (np.minimum(light, base) + 0.05)
    place = min(len(ratios) - 1, round(_QUANTILE * (len(ratios) - 1)))
    return float(np.partition(ratios, place)[place])


def _distance(pixels: Any, ground: Color) -> Any:
    """How far each pixel is from the ground, in its farthest channel."""
    far = np.abs(pixels[..., 0].astype(np.int16) - ground[0])
    for channel in (1, 2):  # three times faster than a maximum along the last axis
        np.maximum(far, np.abs(pixels[..., channel].astype(np.int16) - ground[channel]), out=far)
    return far
