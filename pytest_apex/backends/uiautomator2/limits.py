"""How long each kind of call may take, in seconds."""

from __future__ import annotations

from dataclasses import dataclass

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
        """From the settings: who shortens or stretches those, shortens or stretches these."""
        return cls(
            ping=0.6 * timeouts.settle,
            look=2 * timeouts.settle,
            act=2 * timeouts.settle,
            shell=4 * timeouts.settle,
            start=timeouts.launch,
            back=2 * timeouts.settle,
            boot=4 * timeouts.launch,
            install=6 * timeouts.launch,
            silence=4 * timeouts.settle,
        )
