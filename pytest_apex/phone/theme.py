"""Colours of an app, by name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TypeAlias

Color: TypeAlias = tuple[int, int, int]

_HEX = re.compile(r"#[0-9A-Fa-f]{6}")


def read_color(text: str) -> Color | None:
    """`#0057B8` as red, green, blue; None for anything else."""
    if not _HEX.fullmatch(text):
        return None
    return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16)


def _palette(**colors: int) -> Mapping[str, Color]:
    return {name: (value >> 16, value >> 8 & 255, value & 255) for name, value in colors.items()}


LIGHT = _palette(
    primary=0x0057B8, on_primary=0xFFFFFF, background=0xF4F6FA, surface=0xFFFFFF, text=0x1A1C1E, muted=0x55595F,
    outline=0xC3C7CF, error=0xB3261E, soft=0xDCE8F7, disabled=0xE1E3E6, on_disabled=0x85898F, inverse=0x2F3033,
    on_inverse=0xF1F0F4,
)  # fmt: skip
DARK = _palette(
    primary=0x9FC9FF, on_primary=0x00315F, background=0x111318, surface=0x1D2024, text=0xE2E2E6, muted=0xB0B4BC,
    outline=0x43474E, error=0xF2B8B5, soft=0x24384F, disabled=0x2A2D31, on_disabled=0x73777F, inverse=0xE2E2E6,
    on_inverse=0x2F3033,
)  # fmt: skip

NAMES = frozenset(LIGHT)


class Theme:
    """Colour names to colours; a name may also be `#RRGGBB`."""

    def __init__(self, colors: Mapping[str, Color]) -> None:
        self._colors = colors

    def __getitem__(self, name: str) -> Color:
        color = self._colors.get(name) or read_color(name)
        if color is None:
            raise KeyError(name)
        return color
