"""Right-to-left text in the order and the forms in which it is drawn, by Unicode's tables alone.

Pillow shapes Arabic with libraries that not every machine has (none on Windows), and a text would be of another width
without them. The letters' forms for the beginning, middle and end of a word are in the font, and what they are forms of
is in Python's own tables. Enough for words of Hebrew and Arabic (Persian, Urdu) with numbers and Latin words among
them (Unicode Standard Annex 9 without nested embeddings); scripts of India are drawn letter by letter.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import lru_cache

#: Blocks of Arabic's presentation forms.
_FORMS = (*range(0xFB50, 0xFC00), *range(0xFE70, 0xFEFD))
_LAM, _TATWEEL = "\u0644", "\u0640"
_MIRRORED = dict(zip("()[]{}<>«»", ")(][}{><»«", strict=True))
#: What has a direction of its own: letters and numbers.
_STRONG = frozenset({"L", "R", "EN", "AN"})
#: The first letter that is written from right to left (Hebrew's block).
_FIRST = 0x590


def drawn(text: str) -> str:
    """The characters of one line from left to right, as they are drawn; the same text where nothing runs the other way.

    >>> drawn("12 \u05d0\u05d1")
    '\u05d1\u05d0 12'
    """
    if all(ord(letter) < _FIRST for letter in text):
        return text
    if not any(unicodedata.bidirectional(letter) in ("R", "AL", "AN") for letter in text):
        return text
    return _ordered(_clusters(_shaped(text)))


# Forms


@lru_cache(maxsize=1)
def _forms() -> dict[tuple[str, str], str]:
    """`(letters, "initial")` to the character that is drawn for them."""
    found: dict[tuple[str, str], str] = {}
    for code in _FORMS:
        tag, *letters = unicodedata.decomposition(chr(code)).split() or [""]
        if tag in ("<isolated>", "<initial>", "<medial>", "<final>"):
            found.setdefault(("".join(chr(int(one, 16)) for one in letters), tag[1:-1]), chr(code))
    return found


def _shaped(text: str) -> str:
    """Each letter in the form that its neighbours give it; lam and alef as one."""
    units: list[str] = []
    for letter in text:
        if units and units[-1] == _LAM and (_LAM + letter, "isolated") in _forms():
            units[-1] += letter
        else:
            units.append(letter)
    letters = [unit for unit in units if unicodedata.category(unit[0]) != "Mn"]
    shown = iter(
        [
            _form(unit, _joins(before, "initial"), _joins(after, "final"))
            for before, unit, after in zip(["", *letters[:-1]], letters, [*letters[1:], ""], strict=True)
        ]
    )
    return "".join(unit if unicodedata.category(unit[0]) == "Mn" else next(shown) for unit in units)


def _joins(unit: str, form: str) -> bool:
    """Whether a letter joins the one behind it (it has an `initial` form) or before it (a `final` one)."""
    return unit == _TATWEEL or (unit, form) in _forms()


def _form(unit: str, behind_one: bool, before_one: bool) -> str:
    forms = _forms()
    wanted = ["medial", "final"] if behind_one and before_one else ["final"] if behind_one else []
    wanted += ["initial"] if before_one and not behind_one else []
    return next((forms[unit, form] for form in (*wanted, "isolated") if (unit, form) in forms), unit)


# Order


def _clusters(text: str) -> list[str]:
    """Letters, each with the marks that stand on it."""
    found: list[str] = []
    for letter in text:
        if found and unicodedata.category(letter) == "Mn":
            found[-1] += letter
        else:
            found.append(letter)
    return found


def _ordered(clusters: Sequence[str]) -> str:
    """From left to right: what runs from right to left turned round, from the innermost out."""
    kinds = [unicodedata.bidirectional(cluster[0]) for cluster in clusters]
    base = next((kind for kind in kinds if kind in ("L", "R", "AL")), "L") != "L"
    levels = _levels(kinds, base)
    line = [
        (level, _MIRRORED.get(cluster, cluster) if level % 2 else cluster)
        for level, cluster in zip(levels, clusters, strict=True)
    ]
    for level in range(max(levels, default=0), 0, -1):
        line = _turned(line, level)
    return "".join(cluster for _, cluster in line)


def _turned(line: list[tuple[int, str]], level: int) -> list[tuple[int, str]]:
    """The line with each run of at least that level turned round."""
    done: list[tuple[int, str]] = []
    run: list[tuple[int, str]] = []
    for item in line:
        if item[0] >= level:
            run.append(item)
            continue
        done += [*reversed(run), item]
        run = []
    return [*done, *reversed(run)]


def _levels(kinds: Sequence[str], base: bool) -> list[int]:
    """0 for what runs from left to right, 1 for the other way, 2 for numbers and Latin words inside of that."""
    strong = _neutral(_numbers(["R" if kind == "AL" else kind for kind in kinds], base), "R" if base else "L")
    level = {"R": 1, "L": 2 if base else 0, "EN": 2, "AN": 2}
    return [level[kind] for kind in strong]


def _numbers(kinds: list[str], base: bool) -> list[str]:
    """Signs inside and beside numbers belong to them (W4, W5), and numbers among Latin words to those (W7)."""
    for at in range(1, len(kinds) - 1):
        if kinds[at] in ("CS", "ES") and kinds[at - 1] == kinds[at + 1] and kinds[at - 1] in ("EN", "AN"):
            kinds[at] = kinds[at - 1]
    for order in (range(1, len(kinds)), range(len(kinds) - 2, -1, -1)):
        step = 1 if order.step > 0 else -1
        for at in order:
            if kinds[at] == "ET" and kinds[at - step] == "EN":
                kinds[at] = "EN"
    last = "R" if base else "L"
    for at, kind in enumerate(kinds):
        last = kind if kind in ("L", "R") else last
        if kind == "EN" and last == "L":
            kinds[at] = "L"
    return kinds


def _neutral(kinds: list[str], base: str) -> list[str]:
    """Spaces and signs go with their neighbours if both run one way (numbers run with what is from right to left)."""
    before, after = _seen(kinds, base), _seen(kinds[::-1], base)[::-1]
    return [
        kind if kind in _STRONG else one if one == other else base
        for kind, one, other in zip(kinds, before, after, strict=True)
    ]


def _seen(kinds: Sequence[str], base: str) -> list[str]:
    """For each place the way that the last letter or number up to there runs."""
    found, last = [], base
    for kind in kinds:
        last = ("L" if kind == "L" else "R") if kind in _STRONG else last
        found.append(last)
    return found
