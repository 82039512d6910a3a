"""The iPhone, Apple TV or Apple Watch with what tools ask of it beside its screen."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from pytest_apex.model.action import Track
from pytest_apex.model.snapshot import Picture
from pytest_apex.phone.phone import Phone
from pytest_apex.phone_wires.journal import Journal
from pytest_apex.phone_wires.pace import Pace
from pytest_apex.phone_wires.playing import play

#: By platform: name, product type, what WebDriverAgent calls the kind of device.
_KINDS = {
    "ios": ("Virtual iPhone", "iPhone16,1", "iphone", "iOS"),
    "tvos": ("Virtual Apple TV", "AppleTV14,1", "tv", "tvOS"),
    "watchos": ("Virtual Apple Watch", "Watch7,1", "watch", "watchOS"),
}


@dataclass(slots=True)
class Driver:
    """WebDriverAgent on the device: `run` counts its starts."""

    alive: bool = True
    run: int = 1
    hung: bool = False


class AppleDevice:
    """All threads share it; whoever reads or changes the phone does so inside `pace.held()`."""

    def __init__(self, phone: Phone, pace: Pace, journal: Journal, seed: int = 0, os_version: str = "") -> None:
        self.pace = pace
        self.journal = journal
        self.platform = phone.platform
        self.name, self.product, self.kind, self.os_name = _KINDS[phone.platform.name]
        self.os_version = os_version or phone.platform.os_version
        digest = hashlib.sha256(f"{self.kind} {seed}".encode()).hexdigest().upper()
        #: As real devices have them since 2018.
        self.udid = f"00008101-{digest[:16]}"
        self.driver = Driver()
        self.locked = False
        self.slow_s = 0.0

    def picture(self) -> Picture:
        with self.pace.held() as phone:
            return phone.renderer.drawn(phone.frame())

    def play(self, track: Track) -> None:
        play(track, self.pace, self.journal, locked=self.locked)
