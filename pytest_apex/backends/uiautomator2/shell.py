"""Commands for the phone's shell: several in one call, and what comes back."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

#: Between the answers of commands that went in one call; what no program prints by chance.
_MARK = "@apex:"


@dataclass(frozen=True, slots=True)
class Answer:
    """What one command printed, and its exit code."""

    text: str
    code: int = 0

    @property
    def line(self) -> str:
        """Its text on one line, or its first line."""
        return self.text.strip().partition("\n")[0].strip()


def packed(commands: Sequence[str]) -> str:
    """One call for several commands, each with a line after it that tells its number and exit code."""
    return "; ".join(f"{command}; echo {_MARK}{number}:$?" for number, command in enumerate(commands))


def unpacked(text: str, count: int) -> list[Answer]:
    """The answers in the order of the commands; empty with code 255 for those whose end never came."""
    answers = [Answer("", 255)] * count
    begins = 0
    for mark in re.finditer(rf"{_MARK}(\d+):(\d+)\r?(?:\n|$)", text):
        number = int(mark[1])
        if number < count:
            answers[number] = Answer(text[begins : mark.start()].replace("\r\n", "\n"), int(mark[2]))
        begins = mark.end()
    return answers


def frames(chunks: Iterable[bytes]) -> tuple[bytes, int]:
    """Output and exit code from packets of shell v2 (id, length, data: 1 stdout, 2 stderr, 3 exit code); code 255 when
    the connection ended without one."""
    buffer, output = bytearray(), bytearray()
    for chunk in chunks:
        buffer += chunk
        while len(buffer) >= 5:
            kind, length = struct.unpack("<BI", buffer[:5])
            if len(buffer) < 5 + length:
                break
            data = bytes(buffer[5 : 5 + length])
            del buffer[: 5 + length]
            if kind in (1, 2):
                output += data
            elif kind == 3:
                return bytes(output), data[0] if data else 255
    return bytes(output), 255
