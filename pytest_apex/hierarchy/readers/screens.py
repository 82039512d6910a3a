"""The screen that a tree was taken from, as far as tree and picture tell."""

from __future__ import annotations

from pytest_apex.hierarchy.readers.notes import Notes
from pytest_apex.model.geometry import Size
from pytest_apex.model.snapshot import Picture

#: Picture and tree have one scale if width and height agree to this share; points are rounded, system bars are not.
_TOLERANCE = 0.03


def fit(size: Size, picture: Picture | None, notes: Notes, *, pixels: bool) -> tuple[Size, float]:
    """Size of the screen in units of the tree, and pixels of the picture a unit.

    `pixels` says that the tree counts pixels itself (Android): a picture as wide as the tree is at its scale, and
    knows the height better, because trees may leave out the navigation bar.
    """
    if picture is None:
        return size, 1.0
    wide, high = picture.size.width, picture.size.height
    if not (wide > 0 and high > 0):
        notes.add("the picture is empty")
        return size, 1.0
    if not (size.width > 0 and size.height > 0):
        return (Size(wide, high), 1.0) if pixels else (size, 1.0)
    if pixels and wide == size.width and high >= size.height * (1 - _TOLERANCE):
        return Size(wide, high), 1.0
    across, along = wide / size.width, high / size.height
    if abs(across - along) > _TOLERANCE * across:
        turned = abs(wide / size.height - high / size.width) <= _TOLERANCE * wide / size.height
        if turned:
            notes.add(f"turned: a picture of {picture.size} beside a tree of {size}")
            return size, wide / size.height
        notes.add(
            f"a picture of {picture.size} does not fit a tree of {size}: they are of different moments or devices"
        )
    return size, across


def orientation(size: Size, rotation: int = 0) -> str:
    """The orientation that a display rotation (quarter turns, as Android counts them) or the shape tells."""
    if rotation % 4 == 2:
        return "portrait_upside_down" if size.height >= size.width else "landscape_right"
    if rotation % 4 == 3:
        return "landscape_right" if size.width > size.height else "portrait_upside_down"
    return "landscape_left" if size.width > size.height else "portrait"
