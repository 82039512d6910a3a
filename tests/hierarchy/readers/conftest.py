"""Small hierarchies in the words of each source."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from pytest_apex.model.geometry import Size

CAPTURES = Path(__file__).parents[3] / "fixtures" / "captures"


@dataclass(frozen=True)
class Shot:
    """A picture of which only the size is asked for."""

    size: Size
    key: str = "shot"

    def png(self) -> bytes:
        return b""

    def pixels(self) -> Any:
        raise AssertionError("a reader looks at no pixel")


@pytest.fixture
def shot() -> Callable[[float, float], Shot]:
    return lambda width, height: Shot(Size(width, height))


@pytest.fixture(scope="session")
def capture() -> Callable[[str], Path]:
    """The file of a capture."""

    def find(name: str) -> Path:
        [path] = (CAPTURES / name).glob("tree.*")
        return path

    return find


def node(inside: str = "", tag: str = "node", **given: str) -> str:
    """A node of a dump; `_` in names stands for `-`. What every dumper writes is filled in."""
    told = {"class": "android.view.View", "package": "com.example.notes", "bounds": "[0,0][100,200]"}
    told |= {name.rstrip("_").replace("_", "-"): value for name, value in given.items()}
    words = " ".join(f'{name}="{value}"' for name, value in told.items())
    return f"<{tag} {words}>{inside}</{tag}>" if inside else f"<{tag} {words} />"


def dump(*nodes: str, **root: str) -> str:
    """A dump of these trees."""
    words = "".join(f' {name}="{value}"' for name, value in ({"rotation": "0"} | root).items())
    return f"<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>\n<hierarchy{words}>{''.join(nodes)}</hierarchy>"


@pytest.fixture
def make() -> Callable[..., str]:
    return node


@pytest.fixture
def make_dump() -> Callable[..., str]:
    return dump
