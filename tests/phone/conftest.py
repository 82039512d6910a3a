"""A phone and a finger: `drive(...)` switches one on, with words for what tests do all the time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from pytest_apex.model.action import Sample, Stroke, Track
from pytest_apex.model.node import Node, NodeState
from pytest_apex.model.snapshot import Tree
from pytest_apex.phone.app import load_app
from pytest_apex.phone.parts import AppFile
from pytest_apex.phone.phone import Phone

ROOT = Path(__file__).parents[2]
NOTES = "com.example.notes"
GALLERY = "com.example.gallery"


class Drive:
    """One phone. Words find a control by text, label or id; what is asked for must be there exactly once or is the
    first."""

    def __init__(self, phone: Phone) -> None:
        self.phone = phone

    @property
    def now(self) -> float:
        return self.phone.clock.now()

    def nodes(self) -> list[Node]:
        tree = self.phone.tree()
        return [tree.node(index) for index in range(len(tree))]

    def all(self, word: str) -> list[Node]:
        def fits(node: Node) -> bool:
            return word in (node.text, node.label, node.identifier) or node.identifier.endswith(f":id/{word}")

        return [node for node in self.nodes() if fits(node)]

    def node(self, word: str) -> Node:
        found = self.all(word)
        assert found, f"no {word!r} among {self.texts()}"
        return found[0]

    def has(self, word: str) -> bool:
        return bool(self.all(word))

    def texts(self) -> list[str]:
        return [node.text for node in self.nodes() if node.text and node.window.kind != "status_bar"]

    def play(self, *strokes: Sequence[tuple[float, float, float]], verb: str = "tap") -> None:
        """Strokes of (ms, x, y)."""
        fingers = (Stroke(n, tuple(Sample(*sample) for sample in stroke)) for n, stroke in enumerate(strokes))
        self.phone.touch(Track(verb, tuple(fingers)))

    def tap_at(self, x: float, y: float, ms: float = 60) -> None:
        self.play([(0, x, y), (ms, x, y)])

    def tap(self, word: str, wait: float = 0.6, ms: float = 60) -> None:
        middle = self.node(word).bounds.center
        self.tap_at(middle.x, middle.y, ms)
        self.wait(wait)

    def swipe(self, start: tuple[float, float], end: tuple[float, float], ms: float = 400, rest_ms: float = 0) -> None:
        """A straight line in 20 steps; `rest_ms` at its end, so that nothing runs on."""
        steps = 20
        line = [
            (ms * n / steps, start[0] + (end[0] - start[0]) * n / steps, start[1] + (end[1] - start[1]) * n / steps)
            for n in range(steps + 1)
        ]
        if rest_ms:
            line += [(ms + rest_ms * n / 5, *end) for n in range(1, 6)]
        self.play(line, verb="swipe")

    def wait(self, seconds: float) -> None:
        self.phone.clock.sleep(seconds)

    def start(self, app: str = NOTES, wait: float = 1.0) -> int:
        pid = self.phone.launch(app)
        self.wait(wait)
        return pid

    def log_in(self) -> None:
        self.start()
        self.tap("email")
        self.phone.type_text("ada@example.com")
        self.tap("password")
        self.phone.type_text("correct horse")
        self.phone.press("enter")
        self.wait(0.4)
        self.tap("log_in", wait=1.6)

    def open(self, *words: str) -> None:
        """Log in, then tap one after the other."""
        self.log_in()
        for word in words:
            self.tap(word)

    def enabled(self, word: str) -> bool:
        return self.node(word).has(NodeState.ENABLED)


@pytest.fixture(scope="session")
def notes_app() -> AppFile:
    return load_app((ROOT / "examples/notes_app/app.yaml").read_bytes(), "app.yaml")


@pytest.fixture(scope="session")
def gallery_app() -> AppFile:
    return load_app((ROOT / "fixtures/virtual_apps/gallery.yaml").read_bytes(), "gallery.yaml")


@pytest.fixture
def drive(notes_app: AppFile, gallery_app: AppFile) -> Callable[..., Drive]:
    """`drive(fault="dead_button", platform="ios", seed=3)`: a phone with the notes app and the gallery."""

    def make(fault: str | None = None, platform: str = "android", seed: int = 0) -> Drive:
        return Drive(Phone([notes_app, gallery_app], platform=platform, fault=fault, seed=seed))

    return make


@pytest.fixture
def run_app() -> Callable[..., Drive]:
    """`run_app(yaml)`: a phone with an app written in the test, launched."""

    def make(source: str, platform: str = "android", fault: str | None = None) -> Drive:
        app = load_app(source, "test.yaml")
        driver = Drive(Phone([app], platform=platform, fault=fault))
        driver.start(app.id)
        return driver

    return make


@pytest.fixture
def texts_of() -> Callable[[Tree], list[str]]:
    return lambda tree: [text for text in tree.texts if text]
