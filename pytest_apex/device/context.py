"""What everything that acts or looks in one test shares."""

from __future__ import annotations

import hashlib
import random
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import FrameType
from typing import Any

from pytest_apex.backends.abilities import NamesApps
from pytest_apex.backends.base import Backend
from pytest_apex.device.baselines import Baselines
from pytest_apex.device.looking.eyes import Eyes
from pytest_apex.device.looking.known import Known
from pytest_apex.device.looking.living import Living
from pytest_apex.device.looking.settle import Rest
from pytest_apex.device.looking.watch import Watch
from pytest_apex.errors import ApexError, CapabilityMissing, CheckFailed, ConfigError
from pytest_apex.evidence.recorder import Recorder
from pytest_apex.gestures.humanize import PERSONAS, HumanizeConfig
from pytest_apex.model.action import Sample
from pytest_apex.model.geometry import Rect
from pytest_apex.model.screen import DeviceInfo
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.model.step import Source, Step
from pytest_apex.model.target import Target
from pytest_apex.settings import Settings

_HOUSE = str(Path(__file__).parents[1])
#: Packages between a test and what it calls; what starts a worker: whatever called that is no test.
_MACHINERY, _WORKER = frozenset({"_pytest", "pluggy", "runpy"}), frozenset({"execnet", "__channelexec__"})


@dataclass
class LastAct:
    """The last act of the test, as far as a second touch and the judge ask."""

    step: Step
    target: Target | None = None
    repeatable: bool = False
    repeated: bool = False
    confirmed: bool = False
    """A check held since: where the act led is where the test expected to be."""


@dataclass(frozen=True)
class Touched:
    """Where the last touch lifted that another may make a double tap of, and when: seconds on the device's clock."""

    at: Sample
    ended: float


@dataclass
class Context:
    """One device in one test."""

    backend: Backend
    settings: Settings
    recorder: Recorder
    test: str
    info: DeviceInfo
    watch: Watch
    eyes: Eyes
    humanize: HumanizeConfig
    settled: Snapshot | None = None
    last_act: LastAct | None = None
    #: Where the device's log ended when the last act began.
    log_from: int = 0
    touched: Touched | None = None
    read_since_act: bool = False
    soft: list[CheckFailed] = field(default_factory=list)
    on_pause: Callable[[], None] | None = None
    #: Asks a person at the terminal for something; within what it returns the terminal is theirs.
    person: Callable[[str], AbstractContextManager[None]] | None = None
    extra_checks: tuple[Any, ...] = ()
    turned: bool = False
    #: What has to be as before once the test is over, by its name, and how.
    undo: dict[str, Callable[[], None]] = field(default_factory=dict)
    living: Living = field(default_factory=Living)
    baselines: Baselines = field(default_factory=Baselines)
    #: Where a look changes by itself, as far as the app's manual tells, in units of the tree.
    live_regions: Callable[[Snapshot], Sequence[Rect]] = lambda _look: ()
    known: Known = field(default_factory=Known)
    #: What was done although it can't be undone, and the words of controls that looked like it, each time.
    undone: list[str] = field(default_factory=list)
    suspicious: list[str] = field(default_factory=list)

    @property
    def notes(self) -> list[str]:
        """What is to be told of the test even if it passes, one line each."""
        return self.watch.notes

    @property
    def app_label(self) -> str:
        """The name of the app under test as people see it, once its window was seen, or where the device tells it."""
        good, app = self.eyes.good, self.watch.app
        label = good.app.label if good is not None and good.app.id == app else ""
        return label or (self.backend.app_label(app) if app and isinstance(self.backend, NamesApps) else "")

    def need(self, capability: str, what: str) -> None:
        """Raise `CapabilityMissing` unless the device has it."""
        if capability not in self.backend.capabilities:
            raise CapabilityMissing(
                f"{self.info} can't {what}",
                seen=f"it can: {', '.join(sorted(self.backend.capabilities))}",
                likely=f"the test was meant for a device with {capability!r}",
                cure=f'mark the test with gestures("{capability}"), so that it is skipped where it can\'t run',
            )

    def rng(self, step: str) -> tuple[int, random.Random]:
        """The random source of one step, from run, test and step: it can be replayed alone."""
        text = f"{self.settings.touch.seed}/{self.test}/{step}"
        seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:6], "big")
        return seed, random.Random(seed)

    def resting(self, *, wait_for_loading: bool) -> Rest:
        """How long the screen may take to come to rest."""
        limit = self.settings.timeouts.settle
        return Rest(limit, self.limit("settle"), wait_for_loading, self.living, self.live_regions)

    def limit(self, name: str) -> str:
        """A time-out for people: its option, value and where it was set."""
        value = getattr(self.settings.timeouts, name)
        option = "--apex-timeout" if name == "check" else f"--apex-{name}-timeout"
        origin = self.settings.origin("timeout" if name == "check" else f"{name}_timeout")
        return f"{option} {value:g} s ({origin})"


def humanize_config(word: str) -> HumanizeConfig:
    """`off` is off, `on` the usual hand, anything else names a persona; the environment sets the finer points.

    Whether to humanize at all was decided before, with the environment in its place.
    """
    if word == "off":
        return HumanizeConfig(enabled=False)
    if word != "on" and word not in PERSONAS:
        raise ConfigError(f"there is no hand {word!r}", cure=f"on, off or one of {', '.join(PERSONAS)}")
    return replace(HumanizeConfig.from_env(PERSONAS.get(word, HumanizeConfig())), enabled=True)


def caller() -> Source | None:
    """The line outside of this package that asked for the act; None for a launch that a fixture asks for."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        name = frame.f_code.co_filename
        package = str(frame.f_globals.get("__name__")).partition(".")[0]
        if package in _WORKER:
            break
        if not (name.startswith(_HOUSE) or package in _MACHINERY or _starts_pytest(name, package)):
            return Source(name, frame.f_lineno)
        frame = frame.f_back
    return None


def _starts_pytest(name: str, package: str) -> bool:
    """The script `pytest`, `python -m pytest`, and Python's own frames around them."""
    path = Path(name)
    return name.startswith("<frozen ") or (package == "__main__" and "pytest" in (path.stem, path.parent.name))


def wait_error(error: ApexError, waited_s: float, limit: str) -> ApexError:
    """Say in the error how long it was waited for, and which limit ran out."""
    error.tried = f"{error.tried} (waited {waited_s:.1f} s; limit {limit})"
    return error
