"""A picture made small for reports."""

from __future__ import annotations

import io

from PIL import Image

from pytest_apex.model.geometry import Size
from pytest_apex.model.snapshot import Picture

#: Small text of a screen stays readable; without subsampling, since that blurs coloured text.
_QUALITY = 80


def thumbnail(picture: Picture, width: int, height: int) -> tuple[bytes, Size]:
    """The picture as JPEG, no larger than `width` × `height` pixels, in its proportions, and its size. Raises
    `SourceError` for one that is damaged."""
    image = picture.pixels().copy()
    image.thumbnail((width, height), Image.Resampling.LANCZOS, reducing_gap=2.0)
    data = io.BytesIO()
    image.save(data, "JPEG", quality=_QUALITY, subsampling=0)
    return data.getvalue(), Size(float(image.width), float(image.height))
