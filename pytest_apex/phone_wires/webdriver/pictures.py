"""Pictures as the WebDriver standard has them: PNG in base64."""

from __future__ import annotations

import base64

from pytest_apex.model.snapshot import Picture
from pytest_apex.phone_wires.webdriver.faults import Fault
from pytest_apex.vision.image import from_image


def base64_png(picture: Picture, box: tuple[int, int, int, int] | None = None) -> str:
    """The picture, or what is inside a box of it (left, top, right, bottom in pixels). Raises `Fault` for an empty
    box."""
    if box is not None:
        if box[0] >= box[2] or box[1] >= box[3]:
            raise Fault("element not interactable", "The element has no area on the screen")
        picture = from_image(picture.pixels().crop(box))
    return base64.b64encode(picture.png()).decode()
