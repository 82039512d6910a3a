"""From bytes to text that can be stored and printed, whatever shell or device wrote them."""

from __future__ import annotations

import codecs
import re

from pytest_apex.hierarchy.readers.notes import Notes

#: Marks at the beginning of a file; UTF-32's begin like UTF-16's and come first.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8", "UTF-8 with a byte order mark"),
    (codecs.BOM_UTF32_LE, "utf-32-le", "UTF-32"),
    (codecs.BOM_UTF32_BE, "utf-32-be", "UTF-32"),
    (codecs.BOM_UTF16_LE, "utf-16-le", "UTF-16"),
    (codecs.BOM_UTF16_BE, "utf-16-be", "UTF-16"),
)
_DECLARED = re.compile(rb"""encoding\s*=\s*["']([A-Za-z0-9_.-]{1,20})["']""")
#: Encodings that an XML declaration may ask for; others are not tried (some of Python's take quadratic time).
_KNOWN = re.compile(
    r"(?:iso[-_]?8859[-_]?\d{1,2}|latin[-_]?1|us-ascii|windows-125\d|cp125\d|gb2312|gbk|gb18030|big5|shift[-_]jis"
    r"|euc[-_](?:jp|kr)|koi8-[ru])",
    re.IGNORECASE,
)
_SURROGATE = re.compile("[\ud800-\udfff]")
#: What no XML can hold and no terminal should get; tab and line ends are none of it.
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]")
REPLACEMENT = "\ufffd"


def decode(data: bytes, notes: Notes) -> str:
    """The text of a source. Never fails: what can't be read becomes U+FFFD, and is noted."""
    for mark, name, told in _MARKS:
        if data.startswith(mark):
            notes.add(f"the file is {told}")
            return whole(_lenient(data[len(mark) :], name, notes), notes)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return whole(_guessed(data, notes), notes)


def whole(text: str, notes: Notes) -> str:
    """Text without byte order mark and lone surrogates; pairs written as two characters are joined."""
    text = text.removeprefix("\ufeff")
    if text.isascii():
        return text
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return joined(text, notes)
    return text


def one_line_end(text: str) -> str:
    """Text in which a line ends with a line feed, whoever wrote it."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def joined(text: str, notes: Notes) -> str:
    """Surrogate pairs as the characters they mean, lone ones as U+FFFD."""
    text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    text, lone = _SURROGATE.subn(REPLACEMENT, text)
    notes.count("half characters (lone surrogates): {}, read as U+FFFD", lone)
    return text


def printable(text: str, notes: Notes) -> str:
    """Text without control characters."""
    text, found = _CONTROL.subn(REPLACEMENT, text)
    notes.count("control characters: {}, read as U+FFFD", found)
    return text


def _guessed(data: bytes, notes: Notes) -> str:
    """For what is not UTF-8: UTF-16 by its zeros, the encoding that the XML names, else UTF-8 with gaps."""
    head = data[:2000]
    if head[1::2].count(0) > len(head) // 3:
        notes.add("the file is UTF-16 without a byte order mark")
        return _lenient(data, "utf-16-le", notes)
    if head[::2].count(0) > len(head) // 3:
        notes.add("the file is UTF-16 without a byte order mark")
        return _lenient(data, "utf-16-be", notes)
    declared = _DECLARED.search(head)
    name = declared[1].decode("ascii") if declared else ""
    if _KNOWN.fullmatch(name):
        notes.add(f"the file is {name}")
        return _lenient(data, name, notes)
    try:
        # Java's modified UTF-8 writes characters beyond U+FFFF as two surrogates of three bytes each.
        return data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return _lenient(data, "utf-8", notes)


def _lenient(data: bytes, name: str, notes: Notes) -> str:
    try:
        return data.decode(name, "surrogatepass" if name.startswith("utf") else "strict")
    except UnicodeDecodeError as error:
        notes.add(f"bytes that are not {error.encoding}, the first at {error.start}, read as U+FFFD")
    except LookupError:
        notes.add(f"the encoding {name} is not known here, read as UTF-8")
        name = "utf-8"
    return data.decode(name, "replace")
