"""A device whose screen is a script: a function from time to what is shown."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw

from pytest_apex.backends import virtual
from pytest_apex.device.device import Device
from pytest_apex.evidence.recorder import Recorder
from pytest_apex.evidence.redact import Redactor
from pytest_apex.evidence.store import Store
from pytest_apex.manual.load import load_manual
from pytest_apex.manual.winners import Shelf
from pytest_apex.model.geometry import Insets, Rect, Size
from pytest_apex.model.node import NodeState
from pytest_apex.model.screen import Screen
from pytest_apex.model.snapshot import AppInFront, Snapshot, TreeBuilder, Window
from pytest_apex.settings import Settings, Touch
from pytest_apex.testing import virtual_device
from pytest_apex.vision import image

APP = "com.example.script"
ACCOUNT = Path(__file__).parent / "manual_app.yaml"
WIDTH, HEIGHT = 200, 400
USUAL = int(NodeState.ENABLED | NodeState.VISIBLE)


@dataclass(frozen=True)
class Part:
    """One control of a scripted screen, drawn as a filled box."""

    role: str
    box: tuple[float, float, float, float]
    text: str = ""
    color: str = "#336699"
    states: int = USUAL
    identifier: str = ""


@dataclass
class ScriptClock:
    """Time that passes only when someone sleeps."""

    at: float = 100.0

    def now(self) -> float:
        return self.at

    def sleep(self, seconds: float) -> None:
        self.at += seconds


@dataclass
class ScriptedScreen:
    """`show(seconds)` says what is on the screen so many seconds after the start; each look takes 20 ms, or what
    `takes()` says."""

    show: Callable[[float], Sequence[Part]]
    takes: Callable[[], float] = lambda: 0.02
    clock: ScriptClock = field(default_factory=ScriptClock)
    looks: int = 0
    started: float = 100.0

    def look(self) -> Snapshot:
        self.clock.sleep(self.takes())
        self.looks += 1
        parts = self.show(self.clock.now() - self.started)
        return snapshot_of(parts, f"look-{self.looks}", self.clock.now())


def snapshot_of(parts: Sequence[Part], name: str = "look-1", at: float = 0.0) -> Snapshot:
    builder = TreeBuilder()
    builder.window(Window(0, APP, title="Script", bounds=Rect(0, 0, WIDTH, HEIGHT), pid=7, focused=True))
    builder.open("window", (0, 0, WIDTH, HEIGHT))
    picture = Image.new("RGB", (WIDTH, HEIGHT), "#ffffff")
    draw = ImageDraw.Draw(picture)
    for part in parts:
        builder.leaf(part.role, part.box, text=part.text, states=part.states, identifier=part.identifier)
        left, top, right, bottom = part.box
        draw.rectangle((left, top, right - 1, bottom - 1), fill=part.color)
    return Snapshot(
        id=name,
        taken_at=at,
        tree=builder.build(),
        screen=Screen(Size(WIDTH, HEIGHT), insets=Insets()),
        app=AppInFront(APP, 7, "Script"),
        picture=image.from_image(picture),
        source="script",
    )


@pytest.fixture
def part() -> type[Part]:
    return Part


@pytest.fixture
def screen() -> type[ScriptedScreen]:
    return ScriptedScreen


@pytest.fixture
def still() -> list[Part]:
    """Three controls that do nothing."""
    return [
        Part("text", (10, 10, 190, 40), "Title"),
        Part("button", (10, 60, 190, 100), "Save"),
        Part("text", (10, 120, 190, 150), "Body"),
    ]


@pytest.fixture
def as_snapshot() -> Any:
    return snapshot_of


@pytest.fixture
def seeing(tmp_path: Path) -> Iterator[Callable[..., Device]]:
    """`seeing("fault=dead_button")`: a device with the app of `seeing_app.yaml` in front."""
    with ExitStack() as stack:

        def make(options: str = "", settings: Settings | None = None) -> Device:
            spec = f"virtual:{Path(__file__).parent / 'seeing_app.yaml'}?{options}".rstrip("?")
            return stack.enter_context(virtual_device(tmp_path, spec, app="com.example.seeing", settings=settings))

        yield make


@pytest.fixture
def account(tmp_path: Path) -> Iterator[Callable[..., Device]]:
    """`account(manual)`: a device with the app of `manual_app.yaml` in front, and a manual of these words, or none."""
    with ExitStack() as stack:

        def make(manual: str, spec: str = "", **touch: Any) -> Device:
            settings = Settings(touch=Touch(**{"humanize": "off", **touch}))
            recorder = Recorder(tmp_path, Store(tmp_path), Redactor(()), "never")
            shelf = Shelf((load_manual(textwrap.dedent(manual), "manuals/account.yaml"),)) if manual else None
            backend = virtual.connect(f"virtual:{ACCOUNT}{spec}", settings)
            device = Device(backend, settings, recorder, test="account", manuals=shelf)
            device.start("com.example.account")
            stack.callback(recorder.close, failed=False)
            return device

        yield make
