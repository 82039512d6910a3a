"""The one second touch of the rubric's rule 7: what gets it, and what never does, counted at the phone."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from pytest_apex.device.device import Device
from pytest_apex.device.examining.failure import failure_of
from pytest_apex.device.expect import expect
from pytest_apex.errors import CheckFailed
from pytest_apex.model.action import Receipt
from pytest_apex.settings import Settings, Touch
from pytest_apex.testing import virtual_device
from pytest_apex.verify.judge import judge

APP = """
app: com.example.touched
name: Touched
start: home
data: {ordered: "no", added: "no", on: false, agreed: false}
faults: {FAULT: {control: CONTROL}}
screens:
  home:
    title: Touched
    controls:
      - {role: text, id: state, text: "ordered {ordered}, added {added}, on {on}, agreed {agreed}"}
      - {role: button, id: order, text: Order now, on_tap: {set: {ordered: "yes"}}}
      - {role: button, id: send, text: Send, on_tap: {set: {ordered: sent}}}
      - {role: button, id: add, text: Add, on_tap: {set: {added: "yes"}}}
      - {role: switch, id: on, text: Airplane, bind: on}
      - {role: checkbox, id: agreed, text: Agree, bind: agreed}
"""


def touches(device: Device, act: Callable[[], object]) -> tuple[int, str]:
    """How many gestures reach the phone until nobody waits for an effect any more, and whether there was one."""
    backend, sent = device.context.backend, list[object]()
    perform, press = backend.perform, backend.press

    def selected(key: str, hold_ms: int = 0) -> Receipt:
        sent.extend(["select"] * (key == "select"))
        return press(key, hold_ms)

    before = device.find(id="state").text
    backend.perform = lambda track: (sent.append(track), perform(track))[1]  # type: ignore[method-assign]
    backend.press = selected  # type: ignore[method-assign]
    act()
    state = device.find(id="state")
    with suppress(CheckFailed):
        expect(state).not_to_have_text(before)
    return len(sent), "yes" if state.text != before else "no"


@pytest.mark.parametrize("platform", ["android", "ios", "tvos"])
@pytest.mark.parametrize(
    ("control", "count"), [("order", 1), ("send", 1), ("on", 1), ("agreed", 1), ("add", 2)]
)  # fmt: skip
def test_a_lost_touch(tmp_path: Path, platform: str, control: str, count: int) -> None:
    file = tmp_path / "app.yaml"
    file.write_text(APP.replace("FAULT", "lost_touch").replace("CONTROL", control), "utf-8")
    with virtual_device(
        tmp_path, f"virtual:{file}?fault=lost_touch&platform={platform}", app="com.example.touched"
    ) as on:
        sent, state = touches(on, lambda: on.find(id=control).tap())
        assert sent == count
        assert state == ("yes" if count == 2 else "no")
        assert any(note.startswith("transient.missed_touch") for note in on.context.notes) is (count == 2)


@pytest.mark.parametrize("how", ["once", "off", "double", "long"])
def test_what_is_never_done_twice(tmp_path: Path, how: str) -> None:
    file = tmp_path / "app.yaml"
    file.write_text(APP.replace("FAULT", "lost_touch").replace("CONTROL", "add"), "utf-8")
    settings = Settings(touch=Touch(repeat=how != "off"))
    spec = f"virtual:{file}?fault=lost_touch"
    with virtual_device(tmp_path, spec, app="com.example.touched", settings=settings) as on:
        add = on.find(id="add")
        ways = {
            "once": lambda: add.tap(repeat=False),
            "off": add.tap,
            "double": add.double_tap,
            "long": add.long_press,
        }
        assert touches(on, ways[how])[0] == 1


@pytest.mark.parametrize("platform", ["android", "ios", "tvos"])
@pytest.mark.parametrize(("led", "kind"), [("archive", "wrong_destination"), ("map", "missing_element")])
def test_a_selection_leads_elsewhere_as_a_touch_does(tmp_path: Path, platform: str, led: str, kind: str) -> None:
    screens = {
        name: f"{{title: {name.title()}, controls: [{{role: text, text: {name} here}}]}}" for name in ("archive", "map")
    }
    home = (
        f"{{title: Home, controls: [{{role: button, text: Map, on_tap: {{goto: {led}}}}}, {{role: text, text: Hi}}]}}"
    )
    places = "\n".join(f"  {name}: {screen}" for name, screen in {"home": home, **screens}.items())
    file = tmp_path / "app.yaml"
    file.write_text(f"app: com.example.led\nname: Led\nstart: home\nscreens:\n{places}\n", "utf-8")
    with virtual_device(tmp_path, f"virtual:{file}?platform={platform}", app="com.example.led") as device:
        device.tap("Map")
        with pytest.raises(CheckFailed) as failed:
            expect(device.find("Zoom")).to_be_visible()
        assert judge(device.examine(failure_of(failed.value), failed.value)).kind == f"functional.{kind}"
