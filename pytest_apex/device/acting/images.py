"""Finding a control by how it looks: a small picture, looked for on the screen's, at exactly its size."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path

from pytest_apex.device.context import caller
from pytest_apex.errors import ConfigError, SourceError
from pytest_apex.hierarchy import query
from pytest_apex.model.geometry import Rect
from pytest_apex.model.node import Node
from pytest_apex.model.snapshot import Picture, Snapshot
from pytest_apex.model.target import Target
from pytest_apex.vision.image import read_png
from pytest_apex.vision.locate import find_image


def seek(snapshot: Snapshot, target: Target) -> list[Node]:
    """All controls that a target means, images included: see `hierarchy.query.find`."""
    return query.find(snapshot, target, images=_places)


def template(image: str | os.PathLike[str]) -> str:
    """The file of an image: an absolute path, or one from the folder of the calling test or the working directory on.
    Raises `ConfigError` if it is no picture."""
    if not isinstance(image, (str, os.PathLike)) or not str(image):
        raise ConfigError("find(image=…) takes the path of a PNG", seen=repr(image)[:120])
    asked = Path(image)
    source = caller()
    beside = [Path(source.file).parent / asked] if source is not None else []
    found = next((path for path in (*beside, asked) if path.is_file()), asked)
    _picture(str(found.absolute()))
    return str(found.absolute())


def _places(snapshot: Snapshot, path: str) -> list[Rect]:
    if snapshot.picture is None:
        return []
    return [place.scaled(1 / snapshot.screen.scale) for place in find_image(snapshot.picture, _picture(path))]


@lru_cache(maxsize=32)
def _picture(path: str) -> Picture:
    try:
        return read_png(Path(path))
    except SourceError as error:
        raise ConfigError(
            f"find(image=…) takes the path of a PNG: {path}",
            seen=f"{error.tried} {error.seen}".strip(),
            cure="give a path from the test's folder or the working directory on",
        ) from error
