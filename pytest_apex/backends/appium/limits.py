"""How long each kind of request may take, in seconds."""

from __future__ import annotations

from dataclasses import dataclass

from pytest_apex.backends.limits import stretched
from pytest_apex.settings import Timeouts


@dataclass(frozen=True, slots=True)
class Limits:
    """`ping`: whether the server is there; `look`: a request that only looks, with all its tries; `act`: a touch or
    key, beyond its own length; `app`: what starts, ends or installs an app; `open`: a new session, which may install
    and start a driver on the device; `back`: a server that is gone."""

    ping: float = 3.0
    look: float = 15.0
    act: float = 15.0
    app: float = 60.0
    open: float = 300.0
    back: float = 10.0

    @classmethod
    def of(cls, timeouts: Timeouts) -> Limits:
        """As the settings stretch them."""
        return stretched(cls(), timeouts, with_launch=("app", "open"))
