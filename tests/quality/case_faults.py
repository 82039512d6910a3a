"""Faults of the scripted cases alone: how an app looks, and what a phone does not tell."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from unittest.mock import patch

from pytest_apex.backends.base import AppState
from pytest_apex.backends.virtual import VirtualBackend
from pytest_apex.errors import DeviceProblem, DeviceRestarted
from pytest_apex.hierarchy import near
from pytest_apex.model.geometry import Rect
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.phone.edits import edit_control
from pytest_apex.phone.parts import AppFile, Control, Place, Quirk
from pytest_apex.vision import image, proof


def _painted(app: AppFile, place: Place) -> AppFile:
    """A text is as pale as that, or an image of one colour."""
    return edit_control(app, place.control, lambda one: replace(one, color=place.color, background=place.color))


def _plaster(app: AppFile, place: Place) -> AppFile:
    """Something opaque, `by` dp wide, lies over the beginning of a text."""
    cover = Control("group", id="plaster", width=place.by, height=24, background="soft", quirk=Quirk(dy=-28))

    def covered(text: Control) -> Control:
        return Control("group", gap=4, controls=(text, cover))

    return edit_control(app, place.control, covered)


LOOKS: Mapping[str, Callable[[AppFile, Place], AppFile]] = {"painted": _painted, "plaster": _plaster}


class CasePhone(VirtualBackend):
    """A phone that may keep things to itself, by words: `wordless` (no records, no log), `sightless` (no pictures),
    `skewed` (pictures of another size than the screen)."""

    words: frozenset[str] = frozenset()
    #: What it refuses from now on, and what once the test has failed.
    refuses: frozenset[str] = frozenset()
    refuses_then: frozenset[str] = frozenset()
    restarted = False

    @property
    def capabilities(self) -> frozenset[str]:
        return super().capabilities - ({"records", "log"} if "wordless" in self.words else set())

    def capture(self) -> Snapshot:
        self._need("looks")
        look = super().capture()
        if "sightless" in self.words:
            return replace(look, picture=None)
        if "skewed" in self.words and look.picture is not None:
            size = look.picture.size
            return replace(look, picture=image.cut(look.picture, Rect(0, 0, size.width, size.height // 2))[0])
        return look

    def app_state(self, app: str) -> AppState:
        self._need("processes")
        return super().app_state(app)

    def recover(self) -> str:
        done = super().recover()
        if self.restarted:
            self.restarted = False
            raise DeviceRestarted("the phone was restarted, and the app with it", cure="run the test again")
        return done

    def _need(self, what: str) -> None:
        if what in self.refuses:
            raise DeviceProblem(f"the phone tells nothing of its {what}", likely="a fault of its software")


@contextmanager
def broken_comparator() -> Iterator[None]:
    """Pictures can't be compared."""
    proof._fault.cache_clear()
    with patch.object(proof, "COUNTS", (0, 0, 0, 0)):
        yield
    proof._fault.cache_clear()


@contextmanager
def broken_search() -> Iterator[None]:
    """pytest-apex itself breaks where it looks for near misses."""
    with patch.object(near, "_LENGTH", "long"):
        yield
