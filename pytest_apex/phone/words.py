"""Fitting text into lines of a given width."""

from __future__ import annotations

from collections.abc import Callable

from pytest_apex.vision.canvas import text_width

ELLIPSIS = "…"


def wrap_text(text: str, size: int, bold: bool, width: int, most: int) -> tuple[str, ...]:
    """Text in lines of at most `width` pixels, broken between words (in a word that is too long, between letters); at
    most `most` lines if not 0, the last with an ellipsis."""
    lines: list[str] = []
    for paragraph in text.split("\n") if text else ():
        line = ""
        for word in paragraph.split(" "):
            longer = f"{line} {word}" if line else word
            if text_width(longer, size, bold) <= width:
                line = longer
                continue
            if line:
                lines.append(line)
            line = word
            while text_width(line, size, bold) > width and len(line) > 1:
                part = _longest(line, size, bold, width)
                lines.append(line[:part])
                line = line[part:]
        lines.append(line)
    if most and len(lines) > most:
        rest = " ".join(lines[most - 1 :])
        lines = [*lines[: most - 1], fit_text(rest, size, bold, width)]
    return tuple(lines)


def _longest(text: str, size: int, bold: bool, width: int) -> int:
    """How many first letters fit; at least one."""
    return max(_most(len(text), lambda count: text_width(text[:count], size, bold) <= width), 1)


def fit_text(text: str, size: int, bold: bool, width: int) -> str:
    """One line; what is too long ends with an ellipsis."""
    text = text.replace("\n", " ")
    if not text or text_width(text, size, bold) <= width:
        return text
    fits = _most(len(text), lambda count: text_width(text[:count] + ELLIPSIS, size, bold) <= width)
    return text[:fits].rstrip() + ELLIPSIS


def fit_end(text: str, size: int, width: int) -> str:
    """The last letters that fit, as a field shows what is being typed."""
    return text[len(text) - _most(len(text), lambda count: text_width(text[len(text) - count :], size) <= width) :]


def _most(count: int, fits: Callable[[int], bool]) -> int:
    """The largest number up to `count` that fits, where all smaller ones do; each is measured as a whole, so that they
    are halved and not tried one by one."""
    least = 0
    while least < count:
        middle = (least + count + 1) // 2
        least, count = (middle, count) if fits(middle) else (least, middle - 1)
    return least
