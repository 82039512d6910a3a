"""Parts of the device with words of their own: the screen."""

from __future__ import annotations

from pytest_apex.device.context import Context
from pytest_apex.model.screen import Screen


class ScreenFacet:
    """What is on the screen; for `expect(device.screen)`."""

    def __init__(self, context: Context) -> None:
        self._ctx = context

    def __repr__(self) -> str:
        return f"<screen of {self._ctx.info.id}>"

    @property
    def facts(self) -> Screen:
        """Size, density, scale, rotation and insets as they are now."""
        return self._ctx.eyes.look().screen
