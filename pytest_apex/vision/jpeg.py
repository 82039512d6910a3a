"""Pictures as JPEG, as some drivers send them."""

from __future__ import annotations

import io

from pytest_apex.model.snapshot import Picture


def to_jpeg(picture: Picture, quality: int = 80, scale: float = 1.0) -> bytes:
    """The picture as JPEG of a quality from 1 to 100, `scale` times as large."""
    image = picture.pixels()
    if scale != 1.0:
        image = image.resize((max(1, round(image.width * scale)), max(1, round(image.height * scale))))
    target = io.BytesIO()
    image.save(target, "JPEG", quality=max(1, min(100, quality)))
    return target.getvalue()
