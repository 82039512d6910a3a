"""Random and broken texts into the command language: no error but its own, and what is read is written back the same.

    python tests/quality/fuzz_language.py --count 100000 --seed 1

A third of the inputs are right by construction, a third are such texts cut, spliced and stuffed, a third are words and
characters of any kind. The same seed gives the same inputs. The exit code is 1 if anything failed.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from pytest_apex.errors import CommandError  # noqa: E402
from pytest_apex.gestures.language import format_commands, parse_commands  # noqa: E402

#: Seconds of computing for an input: some to begin with, and so many for each character (twenty times what is usual).
SECONDS, SECONDS_A_CHARACTER = 0.5, 100e-6

WORDS = (
    "t", "d", "f", "drag", "mt", "b", "sender", "keyboard", "kbd", "w", "orientation", "c", "r", "h", "p", "u", "s",
    "a", "[", "]", ",", "[]", "faceDown", "portrait", "landscapeLeft", "up", "select", "menu", "0", "1", "100", "0.3",
)  # fmt: skip
HOSTILE = (
    "nan", "inf", "-inf", "1e999", "1e5", "-0", "+1", "--1", ".", "-", "0x10", "1_0", "1.", "9" * 400, "0." + "0" * 400,
    "1000001", "٣", "²", "\x00", "\n", "\t", "\x85", "\u2028", "\ufeff", "\ud800", "\udc00", "\U0010ffff", "é", "中",
    "\\", "\\u", "\\u{", "\\u{}", "\\u{0}", "\\u{D800}", "\\u{110000}", "\\u{zz}", "\\u{0000000000041}", "]" * 30,
    "[" * 30, "," * 30, " " * 300, "'", '"', "%s", "{}", "${x}",
)  # fmt: skip


def right(rng: random.Random) -> str:
    """A text that can be read, in all its looseness."""
    text = " ".join(rng.choice(_COMMANDS)(rng) for _ in range(rng.choice((0, 1, 1, 2, 3, 6))))
    if rng.random() < 0.3:
        text += f" sender keyboard kbd {_typed(rng)}"
    return text


def broken(rng: random.Random) -> str:
    text = right(rng)
    for _ in range(rng.choice((1, 1, 2, 4))):
        at, to = sorted(rng.randrange(len(text) + 1) for _ in range(2))
        head, middle, tail = text[:at], text[at:to], text[to:]
        put = rng.choice(("", " ", right(rng), rng.choice(HOSTILE), rng.choice(WORDS), middle * rng.choice((2, 3, 20))))
        text = rng.choice(
            (head, middle + tail, head + middle[1:] + tail, head + put + tail, head + put + middle + tail)
        )
    return text


def soup(rng: random.Random) -> str:
    """Words, hostile ones and any characters."""
    pieces = [
        rng.choice((rng.choice(WORDS), rng.choice(WORDS), rng.choice(HOSTILE), _number(rng), _any_text(rng)))
        for _ in range(rng.randrange(12))
    ]
    return rng.choice((" ", " ", "")).join(pieces)


KINDS: tuple[Callable[[random.Random], str], ...] = (right, broken, soup)


def _number(rng: random.Random) -> str:
    whole, decimals = rng.choice((0, 7, 1080, rng.randrange(1_000_001))), rng.choice((0, 1, 3, 17))
    text = f"{rng.choice(('', '', '-'))}{whole}"
    return text + ("." + "".join(rng.choice("0123456789") for _ in range(decimals)) if decimals else "")


def _coordinate(rng: random.Random) -> str:
    return f"{rng.choice(('', '', '-', '00'))}{rng.randrange(3000)}" + rng.choice(("", ".5", ".0", ".123456789"))


def _time(rng: random.Random) -> str:
    return rng.choice((f"{rng.randrange(1, 3601)}", f"{rng.randrange(1, 4000) / 1000}", ".25", "0.500000"))


def _point(rng: random.Random) -> str:
    return f"{_coordinate(rng)} {_coordinate(rng)}"


def _fingers(rng: random.Random) -> str:
    def frame(*fingers: str) -> str:
        slots = [*fingers, *(rng.choice((_point(rng), "")) for _ in range(rng.randrange(4)))]
        return f"[{rng.choice((', ', ',', ' ,')).join(slots)}]{rng.choice((' ', ''))}{_time(rng)}"

    return " ".join(("mt", frame(_point(rng)), *(frame() for _ in range(rng.randrange(4)))))


def _typed(rng: random.Random) -> str:
    pieces = (rng.choice((_plain(rng), " ", "t 1 2", r"\u{000A}", r"\u{1f600}", r"\u", "\\")) for _ in range(4))
    return "x" + "".join(pieces)


def _plain(rng: random.Random) -> str:
    """Characters that stand for themselves."""
    return "".join(letter for letter in _any_text(rng) if letter.isprintable() and letter != "{")


def _any_text(rng: random.Random) -> str:
    highest = rng.choice((0x7F, 0x7F, 0x17F, 0x2FFF, 0x10FFFF))
    return "".join(chr(rng.randrange(highest + 1)) for _ in range(rng.randrange(12)))


def _maybe(spelt: str, rng: random.Random) -> str:
    return rng.choice(("", f" {spelt}"))


_COMMANDS: tuple[Callable[[random.Random], str], ...] = (
    lambda rng: f"t {_point(rng)}{_maybe(_time(rng), rng)}",
    lambda rng: f"d  {_point(rng)}",
    lambda rng: f"t {_point(rng)} f {_point(rng)}{_maybe(_time(rng), rng)}",
    lambda rng: f"drag {_point(rng)} {_point(rng)}{_maybe(_time(rng) + _maybe(_time(rng), rng), rng)}",
    _fingers,
    lambda rng: f"b {rng.choice('hpudcsa')}{_maybe(_time(rng), rng)}",
    lambda rng: f"w {_time(rng)}",
    lambda rng: f"orientation {rng.choice(('faceDown', 'faceUp', 'landscapeLeft', 'portraitUpsideDown'))}",
    lambda rng: f"c {_coordinate(rng)}",
    lambda rng: f"r {rng.choice(('up', 'playpause', 'home'))}",
)


@dataclass
class Report:
    outcomes: Counter[str] = field(default_factory=Counter)
    characters: int = 0
    slowest: tuple[float, str] = (0.0, "")
    failures: list[str] = field(default_factory=list)


def check(text: str) -> str:
    """`read` or `refused`; raises for anything that the language promises not to do."""
    try:
        actions = parse_commands(text)
    except CommandError as error:
        if not 1 <= error.column <= len(text) + 1:
            raise AssertionError(f"column {error.column} of {len(text)}") from None
        str(error).encode()
        return "refused"
    written = format_commands(actions)
    if parse_commands(written) != actions:
        raise AssertionError(f"written as {written!r}, it reads back as something else")
    return "read"


def run(count: int, seed: int, first: int = 0) -> Report:
    """Inputs `first` to `first + count` of a seed."""
    report = Report()
    for number in range(first, first + count):
        kind = KINDS[number % len(KINDS)]
        text = kind(random.Random(f"{seed}/{number}"))
        report.characters += len(text)
        started = time.process_time()
        try:
            outcome = check(text)
            if kind is right and outcome != "read":
                raise AssertionError("a right text is refused")
        except Exception as error:  # noqa: BLE001 - whatever it is, it is what is looked for
            outcome = "failed"
            report.failures.append(f"{number}: {type(error).__name__}: {error}\n    {ascii(text)[:300]}")
        took = time.process_time() - started
        report.slowest = max(report.slowest, (took, f"input {number}, {len(text)} characters"))
        if took > SECONDS + SECONDS_A_CHARACTER * len(text):
            report.failures.append(f"{number}: took {took:.2f} s for {len(text)} characters")
        report.outcomes[f"{kind.__name__}: {outcome}"] += 1
    return report


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="begin with this input, to do one again")
    arguments = parser.parse_args()
    started = time.monotonic()
    report = run(arguments.count, arguments.seed, arguments.first)
    for outcome, count in sorted(report.outcomes.items()):
        print(f"{count:8}  {outcome}")
    print(f"{report.characters} characters in {time.monotonic() - started:.1f} s")
    print(f"slowest: {report.slowest[0] * 1000:.1f} ms ({report.slowest[1]})")
    for failure in report.failures[:20]:
        print(f"FAILED {failure}")
    print(f"{len(report.failures)} failures")
    return 1 if report.failures else 0


if __name__ == "__main__":
    raise SystemExit(main())
