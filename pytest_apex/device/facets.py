"""Parts of the device with words of their own: the screen."""

from __future__ import annotations

from dataclasses import replace

from pytest_apex.device.context import Context
from pytest_apex.device.sealed import Sealed
from pytest_apex.model.screen import Screen
from pytest_apex.vision import ocr
from pytest_apex.vision.ocr import ReadText


class ScreenFacet(Sealed):
    """What is on the screen; for `expect(device.screen)`."""

    def __init__(self, context: Context) -> None:
        self._ctx = context

    def __repr__(self) -> str:
        return f"<screen of {self._ctx.info.id}>"

    @property
    def facts(self) -> Screen:
        """Size, density, scale, rotation and insets as they are now."""
        return self._ctx.eyes.look().screen

    def read_text(self) -> list[ReadText]:
        """The lines of text on the picture of this moment, from top to bottom, with their boxes in units of the tree:
        for screens whose tree says nothing (games, canvases). Needs the extra `ocr`, and some seconds.

        `device.find(point=line.box.center).tap()` touches one.
        """
        snapshot = self._ctx.eyes.look()
        if snapshot.picture is None:
            return []
        lines = ocr.read_text(snapshot.picture)
        return [replace(line, box=line.box.scaled(1 / snapshot.screen.scale)) for line in lines]
