"""One command that runs: its words, its streams, the phone it runs on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from pytest_apex.phone_wires.handset import Handset


class Source(Protocol):
    """Where a command reads from."""

    def take_some(self, most: int, timeout: float | None = None) -> bytes:
        """What there is, at most so many bytes; empty at the end."""


class Given:
    """What the command before a pipe has printed."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def take_some(self, most: int, timeout: float | None = None) -> bytes:  # noqa: ARG002
        data, self._data = self._data[:most], self._data[most:]
        return data


@dataclass(frozen=True, slots=True)
class Call:
    """`ended` says whether whoever started it is gone."""

    name: str
    args: Sequence[str]
    handset: Handset
    source: Source
    out: Callable[[bytes], None]
    err: Callable[[bytes], None]
    ended: Callable[[], bool]

    def print(self, *lines: str) -> int:
        """Lines on standard output; 0, the exit code of what went well."""
        self.out("".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape"))
        return 0

    def fail(self, *lines: str, code: int = 1) -> int:
        """Lines on standard error, and the exit code."""
        self.err("".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape"))
        return code

    def read_all(self, most: int) -> bytes:
        """Standard input up to its end, or up to so many bytes."""
        parts, size = [], 0
        while size < most:
            data = self.source.take_some(most - size)
            if not data:
                break
            parts.append(data)
            size += len(data)
        return b"".join(parts)


Tool = Callable[[Call], int]


def options(
    args: Sequence[str], with_value: Sequence[str] = (), flags: Sequence[str] = ()
) -> tuple[dict[str, list[str]], list[str]]:
    """The options of a command by name, with their values, and the other words. An option that is not known counts as
    a word; after `--` all do."""
    found: dict[str, list[str]] = {}
    words: list[str] = []
    at = 0
    while at < len(args):
        word = args[at]
        at += 1
        if word == "--":
            return found, [*words, *args[at:]]
        if word in with_value:
            found.setdefault(word, []).append(args[at] if at < len(args) else "")
            at += 1
        elif word in flags:
            found.setdefault(word, []).append("")
        else:
            words.append(word)
    return found, words


def number(text: str) -> float | None:
    """A plain decimal number; None for anything else."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if -1e9 < value < 1e9 else None


def nothing(_call: Call) -> int:
    """For commands that do nothing here, and that well."""
    return 0


Tools = Mapping[str, Tool]
