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
from pytest_apex.vision.image import side_by_side

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
        #: Parts of one screen that show an app each, from left to right, and where this one begins, in points.
        self.parts: list[AppleDevice] = [self]
        self.left = 0.0
        #: The app that was launched or activated last, as the first part knows it.
        self.active = ""

    def put_beside(self, other: AppleDevice) -> None:
        """One screen with this one, at its right edge: apps in Split View of an iPad."""
        other.left, other.parts = self.width, self.parts
        self.parts.append(other)

    @property
    def width(self) -> float:
        """Of the whole screen, in points. Whoever asks may hold one of the phones, so the others are not waited for."""
        return sum(part.pace.phone.screen().size.width for part in self.parts)

    def part_of(self, app: str) -> AppleDevice | None:
        """The part that has an app."""
        for part in self.parts:
            with part.pace.held() as phone:
                if phone.app_state(app)[0] != "not_installed":
                    return part
        return None

    def picture(self) -> Picture:
        pictures = []
        for part in self.parts:
            with part.pace.held() as phone:
                pictures.append(phone.renderer.drawn(phone.frame()))
        return pictures[0] if len(pictures) == 1 else side_by_side(pictures)

    def play(self, track: Track) -> None:
        """In points of the whole screen. A touch that reaches an app which is not the active one is in the journal
        (`inactive`), and takes place."""
        first = track.strokes[0].samples[0]
        part = next((part for part in reversed(self.parts) if part.left <= first.x), self)
        with part.pace.held() as phone:
            app = phone.in_front().id
        active = self.parts[0].active
        if len(self.parts) > 1 and app != active and self.part_of(app) is not None:
            self.journal.add(self.pace.real_now(), "inactive", app, active)
        play(track, part.pace, self.journal, locked=self.locked, left=part.left)
