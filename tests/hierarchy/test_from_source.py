"""`Snapshot.from_source`: the public door to the readers."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

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


@pytest.mark.parametrize("picture", [b"no picture", Path("there/is/none.png")])
def test_a_bad_picture_is_our_error(picture: bytes | Path) -> None:
    with pytest.raises(ApexError):
        Snapshot.from_source(DUMP, picture)
