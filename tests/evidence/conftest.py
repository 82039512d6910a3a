"""Screens to keep evidence of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from PIL import Image

from pytest_apex.model.action import Sample, Stroke, Tap, Track
from pytest_apex.model.change import Change
from pytest_apex.model.geometry import Point, Rect, Size
from pytest_apex.model.look import Hit, Settled
from pytest_apex.model.node import NodeState
from pytest_apex.model.screen import Screen
from pytest_apex.model.snapshot import AppInFront, Picture, Snapshot, TreeBuilder, Window
from pytest_apex.model.step import Step
from pytest_apex.vision import image

FIELD = int(NodeState.ENABLED | NodeState.VISIBLE | NodeState.EDITABLE)


@dataclass(frozen=True)
class Field:
    """A row of the screen: 180 units wide, 20 high."""

    text: str = ""
    role: str = "text_field"
    states: int = FIELD
    identifier: str = ""
    label: str = ""
    value: str = ""
    hint: str = ""


@pytest.fixture
def field() -> type[Field]:
    return Field


@pytest.fixture
def screen_with() -> Callable[..., Snapshot]:
    """A screen of 200×200 units with the given fields below each other, and a picture of twice that size."""

    def make(*fields: Field, picture: Picture | None = None, scale: float = 2.0, id: str = "s1") -> Snapshot:
        builder = TreeBuilder()
        builder.window(Window(0, "com.example.notes", title="Notes"))
        builder.open("group", (0, 0, 200, 200))
        for place, field in enumerate(fields):
            builder.leaf(
                field.role,
                (10, 10 + place * 30, 190, 30 + place * 30),
                text=field.text,
                label=field.label,
                identifier=field.identifier,
                value=field.value,
                hint=field.hint,
                states=field.states,
            )
        raw = [{}, *({"text": field.text, "class": "android.widget.EditText"} for field in fields)]
        side = round(200 * scale)
        return Snapshot(
            id=id,
            taken_at=1.0,
            tree=builder.build(raw.__getitem__),
            screen=Screen(Size(200, 200), density=scale, scale=scale),
            app=AppInFront("com.example.notes", 412, "Notes"),
            picture=picture or image.from_image(Image.new("RGB", (side, side), "white")),
            source="test",
        )

    return make


@pytest.fixture
def tap_between() -> Callable[..., Step]:
    """A tap that led from one look to another."""

    def make(id: str, before: Snapshot, after: Snapshot, **fields: Any) -> Step:
        point = Point(100, 20)
        track = Track("tap", (Stroke(0, (Sample(0, 100, 20), Sample(60, 100, 20))),))
        return Step(
            id=id,
            verb="tap",
            named='tap "Save"',
            action=Tap(point),
            settled_before=Settled(before, 10, 2),
            hit=Hit(before.nodes[-1], point, Rect(10, 10, 190, 30)),
            track=track,
            settled_after=Settled(after, 20, 2),
            change=Change(before.id, after.id, appeared=('"Saved" (text)',)),
            effect="changed",
            started=5.0,
            took_ms=80.0,
            **fields,
        )

    return make
