"""Deep links of an app file: `notes://item/{id}` and what opening it does."""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import unquote

from pytest_apex.marked_yaml import At
from pytest_apex.phone.parts import AppFile, Effect, Link
from pytest_apex.phone.read_effects import Names, read_effects

_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*://\S*", re.ASCII)
_PART = re.compile(r"\{([A-Za-z_]\w*)\}", re.ASCII)


def read_links(links: Iterable[tuple[str, At]], names: Names) -> tuple[Link, ...]:
    """Each link with its effects; a part in braces stands for anything but `/`, `?`, `#` and `&`."""
    return tuple(link for url, at in links if (link := _link(url, at, names)) is not None)


def _link(url: str, at: At, names: Names) -> Link | None:
    pieces = _PART.split(url)
    words = pieces[1::2]
    if not _SCHEME.fullmatch(url) or "{" in "".join(pieces[::2]) or len(set(words)) < len(words):
        at.mistake(f'"{url}" is no link such as notes://item/{{id}}')
        return None
    pattern = "".join(
        f"(?P<{piece}>[^/?#&]+)" if number % 2 else re.escape(piece) for number, piece in enumerate(pieces)
    )
    return Link(url, re.compile(pattern), read_effects(at, names.with_words(frozenset(words))))


def open_link(app: AppFile, url: str) -> tuple[tuple[Effect, ...], dict[str, str]] | None:
    """What the app does for a URL, and what the parts in braces are there; None if it has no such link."""
    for link in app.links:
        match = link.pattern.fullmatch(url)
        if match is not None:
            return link.then, {name: unquote(value) for name, value in match.groupdict().items()}
    return None
