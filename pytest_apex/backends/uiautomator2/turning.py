"""Orientations as display rotations, on phones and on tablets that are wide by nature."""

from __future__ import annotations

from pytest_apex.errors import CapabilityMissing
from pytest_apex.model.geometry import Size

_PHONE = ("portrait", "landscape_left", "portrait_upside_down", "landscape_right")
#: A tablet that is wide at rotation 0 is upright at 1 and at 3.
_TABLET = ("landscape_left", "portrait", "landscape_right", "portrait_upside_down")
#: The server's word for a rotation (uiautomator2: `orientation`); it ignores `upsidedown`, which the settings do.
WORDS = ("natural", "left", "", "right")


def orientation_of(size: Size, rotation: int) -> str:
    """The orientation of a screen of this size, as it is turned now."""
    return _names(size, rotation)[rotation % 4]


def rotation_for(name: str, size: Size, rotation: int) -> int:
    """The rotation (0 to 3) that gives an orientation; `size` and `rotation` are as they are now. Raises
    `CapabilityMissing` for lying flat."""
    names = _names(size, rotation)
    if name not in names:
        raise CapabilityMissing(
            f"an Android phone can't be told to lie {name.replace('_', ' ')}",
            seen=f"it can be turned to {', '.join(sorted(names))}",
            likely="its sensors decide that, and adb can't move them",
            cure="one of the four that it can be turned to",
        )
    return names.index(name)


def _names(size: Size, rotation: int) -> tuple[str, ...]:
    tall_now = size.height >= size.width
    return _PHONE if tall_now == (rotation % 2 == 0) else _TABLET
