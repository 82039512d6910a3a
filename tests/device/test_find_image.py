"""Finding a control by how it looks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pytest_apex.device.expect import expect
from pytest_apex.errors import ConfigError, TargetAmbiguous, TargetNotFound
from pytest_apex.model.geometry import Rect


def cut_out(device: Any, box: Rect, file: Path) -> Path:
    scale = device.snapshot().screen.scale
    edges = [round(edge * scale) for edge in (box.left, box.top, box.right, box.bottom)]
    device.screenshot().pixels().crop(edges).save(file)
    return file


def test_the_control_under_the_picture(seeing: Any, tmp_path: Path) -> None:
    device = seeing()
    file = cut_out(device, device.find(id="more").box, tmp_path / "more.png")
    step = device.find(image=file).tap()
    assert step.hit.node.identifier.endswith("more")
    assert device.find(image=str(file)).text == "More"
    expect(device.find(image=file)).to_be_visible()
    device.tap(device.find(id="settings"))
    expect(device.find(image=file)).to_be_hidden()
    with pytest.raises(TargetNotFound):
        device.find(image=file).tap()


def test_two_that_look_alike_are_ambiguous(seeing: Any, tmp_path: Path) -> None:
    device = seeing()
    file = cut_out(device, device.find(id="wifi").box, tmp_path / "switch.png")
    with pytest.raises(TargetAmbiguous):
        device.find(image=file).tap()
    assert device.find(image=file, within=device.find(id="network")).count() == 1


def test_what_is_no_picture(seeing: Any, tmp_path: Path) -> None:
    device = seeing()
    (tmp_path / "text.png").write_text("hello", "utf-8")
    for wrong in (tmp_path / "none.png", tmp_path / "text.png", "", 5):
        with pytest.raises(ConfigError, match=r"find\(image=…\) takes the path of a PNG"):
            device.find(image=wrong)


def test_a_path_from_the_tests_folder_on(seeing: Any, tmp_path: Path) -> None:
    device = seeing()
    cut_out(device, device.find(id="more").box, tmp_path / "more.png")
    beside = tmp_path / "test_beside.py"
    beside.write_text("def find(device):\n    return device.find(image='more.png')\n", "utf-8")
    scope: dict[str, Any] = {}
    exec(compile(beside.read_text("utf-8"), str(beside), "exec"), scope)
    assert scope["find"](device).text == "More"
