"""Pictures inside the page: small, each once however often it is shown, and no more than fit."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from pytest_apex.errors import SourceError
from pytest_apex.model.geometry import Size
from pytest_apex.reports.html.markup import Html, el, join

#: A screen of a phone at a width that a page shows; a tablet's or television's in its longer side.
_WIDTH, _HEIGHT = 420, 900
#: What all pictures of a page may take, in characters: some 400 of phones.
MOST_BYTES = 12 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class _Small:
    name: str
    data: str
    size: Size


class Album:
    """The pictures of a page. `without` are those that did not fit, `damaged` those that can't be read."""

    def __init__(self, run_dir: Path, most: int = MOST_BYTES) -> None:
        self._run_dir = run_dir.resolve()
        self._left = most
        self._small: dict[str, _Small | None] = {}
        self.without: set[str] = set()
        self.damaged: set[str] = set()

    def load(self, paths: Iterable[str]) -> None:
        """Take in stored pictures, what matters most first, while they fit."""
        for path in paths:
            if path in self._small:
                continue
            self._small[path] = small = self._read(path)
            if small is not None:
                self._left -= len(small.data)

    def _read(self, path: str) -> _Small | None:
        if self._left <= 0:
            self.without.add(path)
            return None
        from pytest_apex.vision.image import read_png
        from pytest_apex.vision.thumbnail import thumbnail

        file = (self._run_dir / path).resolve()
        try:
            if not file.is_relative_to(self._run_dir):
                raise SourceError("a picture of a run lies in its folder")
            picture = read_png(file)
            data, size = thumbnail(picture, _WIDTH, _HEIGHT)
        except SourceError:
            self.damaged.add(path)
            return None
        media, data = min(("jpeg", data), ("png", picture.png()), key=lambda kept: len(kept[1]))
        text = f"data:image/{media};base64,{base64.b64encode(data).decode('ascii')}"
        if len(text) > self._left:
            self._left = 0  # whatever comes later matters less: smaller ones must not go before it
            self.without.add(path)
            return None
        return _Small(f"p{len(self._small)}", text, size)

    def show(self, path: str, caption: str) -> Html:
        """The picture with its caption, or why it is not here."""
        small = self._small.get(path)
        if small is None:
            why = "can't be read" if path in self.damaged else "left out of this page"
            return el("figure", el("p", f"{path}: {why}", class_="quiet"), el("figcaption", caption))
        drawn = el(
            "svg",
            el("use", href=f"#{small.name}"),
            viewBox=f"0 0 {small.size.width:g} {small.size.height:g}",
            width=f"{small.size.width:g}",
            role="img",
            aria_label=caption,
        )
        return el("figure", el("button", drawn, type="button", class_="pic"), el("figcaption", caption))

    def symbols(self) -> Html:
        """What `show` refers to: stands once in the page."""
        kept = (small for small in self._small.values() if small is not None)
        return el("svg", join(*map(_symbol, kept)), class_="album", aria_hidden="true")


def _symbol(small: _Small) -> Html:
    width, height = f"{small.size.width:g}", f"{small.size.height:g}"
    image = el("image", href=Html(small.data), width=width, height=height)
    return el("symbol", image, id=small.name, viewBox=f"0 0 {width} {height}")
