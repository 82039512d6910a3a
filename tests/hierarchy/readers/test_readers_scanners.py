"""The two scanners of XML against each other, and against a parser that nobody here wrote."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree
from xml.sax.saxutils import quoteattr

import pytest

from pytest_apex.hierarchy.readers import strict, tolerant
from pytest_apex.hierarchy.readers.notes import Notes
from pytest_apex.hierarchy.readers.table import Table, TableWriter, Wanted

WORDS = ("class", "text", "bounds", "type", "label", "x")
PIECES = (
    "a",
    "Grüße",
    "&",
    "<",
    ">",
    '"',
    "'",
    "\n",
    "\t",
    " ",
    "=",
    "/>",
    "</node>",
    "😀",
    'b="c"',
    "&amp;",
    "\\",
    "]]>",
)


def wanted() -> Wanted[dict[str, str]]:
    return Wanted("hierarchy", WORDS, ("clickable", "enabled"), dict)


def by_strict(text: str) -> Table[dict[str, str]] | None:
    writer = TableWriter(wanted())
    return writer.finish(Notes()) if strict.scan(text, writer, Notes()) else None


def by_tolerant(text: str) -> Table[dict[str, str]]:
    writer = TableWriter(wanted())
    tolerant.scan(text, writer, Notes())
    return writer.finish(Notes())


def by_parser(text: str) -> list[tuple[Any, ...]]:
    """Tag, attributes and parent of each element below the outermost one, in document order."""
    top = ElementTree.fromstring(text)
    rows: list[tuple[Any, ...]] = []
    waiting = [(element, -1) for element in reversed(top)]
    while waiting:
        element, parent = waiting.pop()
        number = len(rows)
        rows.append((element.tag, *(element.get(name, "") for name in WORDS), parent))
        waiting.extend((child, number) for child in reversed(element))
    return rows


def rows_of(table: Table[dict[str, str]]) -> list[tuple[Any, ...]]:
    return [(*row[: len(WORDS) + 1], parent) for row, parent in zip(table.words, table.parents, strict=True)]


def random_xml(rng: random.Random, quote: Callable[[str], str], depth: int = 0) -> str:
    words = ["".join(rng.choice(PIECES) for _ in range(rng.randrange(4))) for _ in range(4)]
    names = rng.sample(("class", "text", "bounds", "clickable", "label", "a-b", "x"), rng.randrange(5))
    attributes = "".join(f"{rng.choice((' ', '  ', chr(10)))}{name}={quote(rng.choice(words))}" for name in names)
    tag = rng.choice(("node", "node", "android.widget.Button", "a.b.C"))
    inside = "".join(random_xml(rng, quote, depth + 1) for _ in range(rng.randrange(4))) if depth < 6 else ""
    space = rng.choice(("", "\n  ", " "))
    return f"{space}<{tag}{attributes}>{inside}{space}</{tag}>" if inside else f"{space}<{tag}{attributes}{space}/>"


def escaped(word: str) -> str:
    """In double quotes, as the dumpers write."""
    quoted = quoteattr(word, {"'": "&apos;"})
    return quoted if quoted.startswith('"') else '"' + quoted[1:-1].replace('"', "&quot;") + '"'


@pytest.mark.parametrize("seed", range(40))
def test_well_formed_xml_reads_as_any_parser_reads_it(seed: int) -> None:
    rng = random.Random(seed)
    quote = escaped if seed % 2 else quoteattr
    text = f'<hierarchy rotation="0">{"".join(random_xml(rng, quote) for _ in range(3))}</hierarchy>'
    expected = by_parser(text)
    assert rows_of(by_tolerant(text)) == expected
    fast = by_strict(text)
    assert (fast is not None) == ("='" not in text.replace("&apos;", ""))
    if fast is not None:
        assert rows_of(fast) == expected
        assert fast.kinds == by_tolerant(text).kinds
        assert fast.ends == by_tolerant(text).ends


def test_captures_read_as_any_parser_reads_them(capture: Callable[[str], Path]) -> None:
    for name in ("rn_forms_screen", "rtl_pharmacy_home", "appium_theapp_login", "huawei_launcher_chinese"):
        text = capture(name).read_text("utf-8-sig")
        text = text[text.index("<hierarchy") :].strip()
        fast = by_strict(text)
        assert fast is not None
        assert rows_of(fast) == by_parser(text) == rows_of(by_tolerant(text))


@pytest.mark.parametrize(
    "odd",
    [
        "<a b='1'/>",
        "<!-- c --><a/>",
        "<?pi?><a/>",
        "<![CDATA[x]]><a/>",
        '<a b="1" b="2"/>',
        '<a b="1"c="2"/>',
        '<a b="1" c/>',
        '<a b="1 c="2"/>',
        '<a b="<"/>',
        "<a></b>",
        "</a>",
        "<a>",
        '<a b="1"',
        '<a "1"/>',
        "<a b=1/>",
        '<a>say "hi"</a>',
        "< a/>",
        "<1/>",
    ],
)
def test_what_is_not_as_it_should_be_is_left_to_the_tolerant_one(odd: str) -> None:
    assert by_strict(f"<hierarchy>{odd}</hierarchy>") is None
    by_tolerant(f"<hierarchy>{odd}</hierarchy>")


def test_the_outermost_element_is_no_node() -> None:
    for table in (by_strict('<hierarchy rotation="1"><a/></hierarchy>'), by_tolerant("<hierarchy rotation='1'><a/>")):
        assert table is not None
        assert table.container == {"rotation": "1"}
        assert [row[0] for row in table.words] == ["a"]
