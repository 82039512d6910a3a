"""HTML from values: every text is escaped, whatever app, device or test it came from. Only `Html` is taken as it is."""

from __future__ import annotations

import html

from pytest_apex.errors import printable

#: Longer texts are cut, with a mark: the run's folder has them whole.
LONGEST = 4000
_EMPTY = frozenset({"meta", "input", "image", "use"})


class Html(str):
    """Text that is HTML already."""

    __slots__ = ()


def text(value: object) -> Html:
    """A value as text of a page, in an attribute too."""
    if isinstance(value, Html):
        return value
    words = printable(str(value))
    shown = words if len(words) <= LONGEST else f"{words[:LONGEST]}… ({len(words) - LONGEST} more characters)"
    return Html(html.escape(shown, quote=True))


def join(*parts: object) -> Html:
    """Parts one after the other; empty ones are left out."""
    return Html("".join(text(part) for part in parts if part))


def el(name: str, /, *children: object, **attributes: object) -> Html:
    """An element. `class_` is `class`, `data_row` is `data-row`; an attribute that is None or False is left out."""
    words = "".join(_attribute(key, value) for key, value in attributes.items() if value is not None)
    if name in _EMPTY:
        return Html(f"<{name}{words}>" if name in ("meta", "input") else f"<{name}{words}/>")
    return Html(f"<{name}{words}>{join(*children)}</{name}>")


def _attribute(key: str, value: object) -> str:
    if value is False:
        return ""
    name = key.rstrip("_").replace("_", "-")
    return f" {name}" if value is True else f' {name}="{text(value)}"'
