"""`Snapshot.from_source`: the public door to the readers."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw

from pytest_apex import ApexError, Snapshot
from pytest_apex.errors import SourceError
from pytest_apex.model.geometry import Size

DUMP = b"""<?xml version='1.0'?><hierarchy rotation="0"><node class="android.widget.Button" text="Save"
 package="com.example" clickable="true" enabled="true" bounds="[0,0][200,100]"/></hierarchy>"""


def test_content_and_path_are_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "dump.xml"
    path.write_bytes(DUMP)
    for source in (DUMP, DUMP.decode(), path):
        (button,) = [node for node in Snapshot.from_source(source).nodes if node.text == "Save"]
        assert button.role == "button"
    with pytest.raises(SourceError):
        Snapshot.from_source(str(path))


def test_a_picture_comes_along(tmp_path: Path) -> None:
    path = tmp_path / "screen.png"
    Image.new("RGB", (200, 100), "white").save(path)
    for picture in (path, path.read_bytes()):
        snapshot = Snapshot.from_source(DUMP, picture)
        assert snapshot.picture is not None
        assert snapshot.picture.size == snapshot.screen.size == Size(200, 100)
        assert snapshot.screen.scale == 1.0


@pytest.mark.parametrize(
    "picture", [b"no picture", b"", Path("there/is/none.png"), Path(), 3, "screen.png", [], object()]
)
def test_a_bad_picture_is_our_error(picture: Any) -> None:
    with pytest.raises(ApexError):
        Snapshot.from_source(DUMP, picture)


def shot(width: int, height: int, ground: str = "white", drawn: bool = True) -> bytes:
    page = Image.new("RGB", (width, height), ground)
    if drawn:
        ImageDraw.Draw(page).ellipse((5, 5, width - 5, height - 5), fill="red")
    data = io.BytesIO()
    page.save(data, "PNG")
    return data.getvalue()


def dump(*texts: str, size: tuple[int, int] = (400, 800)) -> str:
    inside = "".join(
        f'<node class="android.widget.TextView" text="{text}" bounds="[10,{at * 60}][200,{at * 60 + 40}]"/>'
        for at, text in enumerate(texts)
    )
    wide, high = size
    return f'<hierarchy rotation="0"><node class="a.View" bounds="[0,0][{wide},{high}]">{inside}</node></hierarchy>'


@pytest.mark.parametrize(
    ("source", "picture", "begins"),
    [
        (dump(), shot(400, 800), "blind tree:"),
        (dump("One", "Two", "Three"), shot(400, 800, "black", drawn=False), "secure picture:"),
        (dump("One", "Two", "Three"), shot(800, 400), "turned:"),
        (dump("One", "Two", "Three", size=(800, 400)), shot(400, 800), "turned:"),
        (dump("One"), shot(400, 800)[:300], "can't decode the picture"),
    ],
)
def test_a_pair_that_does_not_go_together_says_so(source: str, picture: bytes, begins: str) -> None:
    (note,) = Snapshot.from_source(source, picture).notes
    assert note.startswith(begins)


@pytest.mark.parametrize(
    ("source", "picture"),
    [
        (dump("One", "Two", "Three"), shot(400, 800)),
        (dump("One", "Two", "Three"), shot(800, 1600)),
        (dump("One", "Two", "Three", size=(800, 400)), shot(800, 400)),
        (dump(), shot(400, 800, drawn=False)),
        (dump("One", "Two"), None),
    ],
)
def test_a_pair_that_goes_together_says_nothing(source: str, picture: bytes | None) -> None:
    assert Snapshot.from_source(source, picture).notes == ()


@pytest.mark.parametrize("pair", [((400, 800), (1600, 800), 2.0), ((800, 400), (400, 800), 1.0)])
def test_the_scale_of_a_turned_pair(pair: tuple[tuple[int, int], tuple[int, int], float]) -> None:
    size, taken, scale = pair
    assert Snapshot.from_source(dump("One", size=size), shot(*taken)).screen.scale == scale


@pytest.mark.parametrize("source", [None, 5, b"Device orientation: Portrait", Path("tree.txt"), [], "", "x"])
def test_no_text_is_our_error(source: Any) -> None:
    with pytest.raises(SourceError):
        Snapshot.from_text(source)
