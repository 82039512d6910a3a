"""Inputs that others tripped over, whole: from the app on the phone to what the test is told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from pytest_apex.device.device import Device
from pytest_apex.device.expect import expect
from pytest_apex.testing import virtual_device

APP = """
app: com.example.rows
name: Rows
start: home
data:
  busy: false
  opened: ""
  rows: [{name: Bread}, {name: Butter}, {name: Cheese}]
screens:
  home:
    title: Rows
    on_open: [{load: DELAY, flag: busy, then: [{append: rows, item: {name: News}, first: true}]}]
    controls:
      - {role: text, id: opened, text: "Opened {opened}"}
      - role: list
        id: rows
        items: rows
        as: row
        controls:
          - {role: cell, id: row, on_tap: {set: {opened: "{row.name}"}}, controls: [{role: text, text: "{row.name}"}]}
"""
On = Callable[..., Device]


@pytest.fixture
def on(tmp_path: Path) -> Iterator[On]:
    with ExitStack() as stack:

        def make(platform: str = "android", delay: int = 60_000) -> Device:
            file = tmp_path / "app.yaml"
            file.write_text(APP.replace("DELAY", str(delay)), "utf-8")
            return stack.enter_context(
                virtual_device(tmp_path, f"virtual:{file}?platform={platform}", app="com.example.rows")
            )

        yield make


@pytest.mark.parametrize("platform", ["android", "ios"])
@pytest.mark.parametrize("delay", range(200, 1700, 150))
def test_a_row_that_comes_above_while_another_is_tapped(on: On, platform: str, delay: int) -> None:
    """The neighbour that takes its place is never tapped instead."""
    device = on(platform, delay)
    device.find("Butter").tap()
    expect(device.find(id="opened")).to_have_text("Opened Butter")
    expect(device.find("News")).to_be_visible()


@pytest.mark.parametrize("name", ["landscape_left", "portrait"])
def test_a_tap_lands_where_the_control_is_whichever_way_the_device_is_held(on: On, name: str) -> None:
    device = on()
    device.set_orientation(name)
    for row in ("Cheese", "Bread"):
        assert device.find(row).tap().effect == "changed"
        expect(device.find(id="opened")).to_have_text(f"Opened {row}")
