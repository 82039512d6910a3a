"""How long each kind of call may take, in seconds."""

from __future__ import annotations

from dataclasses import dataclass

from pytest_apex.backends.limits import stretched
from pytest_apex.settings import Timeouts


@dataclass(frozen=True, slots=True)
class Limits:
    """`ping`: whether the server is there; `look`: a tree or a picture; `act`: a touch or key, beyond its own length;
    `shell`: a command; `start`: the server on the phone; `back`: a phone that is gone; `boot`: one that starts anew;
    `install`: a package; `silence`: no progress in a transfer."""

    ping: float = 3.0
    look: float = 10.0
    act: float = 10.0
    shell: float = 20.0
    start: float = 30.0
    back: float = 10.0
    boot: float = 120.0
    install: float = 180.0
    silence: float = 20.0

    @classmethod
    def of(cls, timeouts: Timeouts) -> Limits:
        """As the settings stretch them."""
        return stretched(cls(), timeouts, with_launch=("start", "boot", "install"))
