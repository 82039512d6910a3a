"""Reading the hierarchies that Android's and Apple's tools write, whatever happened to them on the way."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from pytest_apex.errors import SourceError
from pytest_apex.hierarchy import read_text
from pytest_apex.hierarchy.readers import android_xml, debug_description, device_interaction, sniff, xcuitest_xml
from pytest_apex.hierarchy.readers.encoding import decode, one_line_end, printable, whole
from pytest_apex.hierarchy.readers.framing import unframed
from pytest_apex.hierarchy.readers.limits import MAX_SIZE
from pytest_apex.hierarchy.readers.notes import Notes
from pytest_apex.model.snapshot import Picture, Snapshot

_READERS = {
    sniff.ANDROID_XML: android_xml.read,
    sniff.XCUITEST_XML: xcuitest_xml.read,
    sniff.DEBUG_DESCRIPTION: debug_description.read,
    sniff.DEVICE_INTERACTION: device_interaction.read,
}

#: How the text of Xcode's device interaction begins.
_XCODES = ("Device orientation:", "Application bundle identifier:", "Application UI orientation:", "Application, pid: ")


def read(data: bytes | str | os.PathLike[str], *, picture: Picture | None = None) -> Snapshot:
    """The snapshot in a hierarchy: `bytes` and `str` are its content, a path is one only as `os.PathLike`.

    Read are uiautomator's dumps (adb, uiautomator2), the page sources of Appium's UiAutomator2 and XCUITest drivers,
    `XCUIApplication.debugDescription`, what Xcode's device interaction writes, and the product's own text form. Broken
    ones are read as far as they go; `Snapshot.notes` tells what was wrong. Limits: `readers.limits`.

    `picture` is the screen at the same moment; it gives the scale. Raises `SourceError` for anything else.
    """
    notes = Notes()
    name, content = _content(data)
    if isinstance(content, bytes):
        sniff.refuse_binary(content)
        text = decode(content, notes)
    else:
        text = whole(content, notes)
    text = one_line_end(text)
    if sniff.is_ours(text):
        return _our_text(text, picture, notes)
    text = unframed(text, notes)
    kind = sniff.kind_of(text)
    snapshot = _READERS[kind](text, picture, notes)
    # A tree with nothing in it is one all the same if its outermost element is there: drivers send such.
    if not len(snapshot) and not sniff.has_root(text):
        raise sniff.refusal("a piece of one without any control", f"{len(text):,} characters of {kind}")
    return replace(snapshot, id=name)


def from_text(source: str) -> Snapshot:
    """Read what `hierarchy.text` wrote, equal up to `raw` and the picture, or what Xcode's device interaction writes.

    Raises `SourceError` for anything else.
    """
    if not isinstance(source, str):
        raise SourceError(
            "the text form of a hierarchy is a str",
            seen=f"a value of type {type(source).__name__}",
            cure="Snapshot.from_source(…) reads bytes and files",
        )
    body = source.lstrip("\ufeff \t\r\n")
    if read_text.is_ours(body):
        return read_text.read(body)
    if body.startswith(_XCODES):
        return read(body)
    raise SourceError(
        "this is not a hierarchy in text form",
        seen=f"{body[:80]!r}" if body else "nothing",
        cure="it begins with 'Device orientation:' or 'Application bundle identifier:'",
    )


def _content(data: object) -> tuple[str, bytes | str]:
    """A name for the source, and what is in it."""
    name = ""
    if isinstance(data, os.PathLike):
        name, data = _file(Path(data))
    if isinstance(data, (bytearray, memoryview)):
        data = bytes(data)
    if not isinstance(data, (bytes, str)):
        raise SourceError(
            "a hierarchy is read from bytes, text or a path",
            seen=f"a value of type {type(data).__name__}",
            cure="give the content, or pathlib.Path(...) for a file",
        )
    if len(data) > MAX_SIZE:
        raise _too_large(len(data))
    return name, data


def _file(path: Path) -> tuple[str, bytes]:
    try:
        size = path.stat().st_size
        if size > MAX_SIZE:
            raise _too_large(size)
        return path.name, path.read_bytes()
    except (OSError, ValueError) as error:
        raise SourceError(f"the file {str(path)!r} can't be read", seen=f"{type(error).__name__}: {error}") from error


def _too_large(size: int) -> SourceError:
    return SourceError(
        "the source is too large for a hierarchy",
        seen=f"{size:,} bytes; the limit is {MAX_SIZE:,}",
        likely="it is a log or a recording of many screens",
        cure="cut the tree of one screen out of it",
    )


def _our_text(text: str, picture: Picture | None, notes: Notes) -> Snapshot:
    found = read_text.read(printable(text, notes).lstrip())  # its writer escapes them: a bare one is damage
    return replace(found, picture=picture or found.picture, notes=(*found.notes, *notes.lines()))
