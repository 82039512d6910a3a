"""Mutated hierarchies into the readers: no error but our own, whole trees only, bounded time and memory.

    python tests/quality/fuzz_readers.py --count 20000 --seed 1

Sources are the captures, their text forms, and a few hostile ones made here. Each is cut, spliced, bit-flipped, stuffed
with what breaks parsers, nested thousands deep or repeated to thousands of nodes; several of these at once. The same
seed gives the same inputs. The exit code is 1 if anything failed; the inputs that did are kept in `--keep DIR`.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import sys
import time
import tracemalloc
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from pytest_apex.errors import ApexError  # noqa: E402
from pytest_apex.hierarchy.readers import limits, read  # noqa: E402
from pytest_apex.hierarchy.text import to_text  # noqa: E402
from pytest_apex.model.snapshot import Snapshot  # noqa: E402

#: Seconds of computing for an input: some to begin with, and so many for each byte (ten times what was measured).
SECONDS, SECONDS_A_BYTE = 1.0, 10e-6
#: Bytes of memory for an input: the shortest node that there can be takes some ten bytes in a file.
MEMORY, MEMORY_A_BYTE = 16 * 1024 * 1024, 200
#: An input is not grown beyond this.
LARGEST = 2_000_000

HOSTILE = (
    b"\x00", b"\x0b", b"\x1b[31m", b"&", b"&amp", b"&#0;", b"&#55357;&#56832;", b"&#xD83D;", b"&#99999999;", b"&xxe;",
    b"<", b">", b"/>", b"</node>", b"</hierarchy>", b"<hierarchy", b"<node ", b"<!--", b"-->", b"<![CDATA[", b"]]>",
    b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>', b'<!ENTITY a "&b;&b;">', b"<?xml?>", b'"', b"'", b"'\"",
    b"=", b"\xed\xa0\xbd", b"\xff\xfe", b"\xf0\x9f\x98\x80", b"\xe2\x80\x8f", b"\xef\xbf\xbf", b"\xc0\x80", b"\r\n",
    b"\t", b"\\n", b"[-5,-5][0,0]", b"[10,10][5,5]", b"[0,0][99999999999999999999,1]",
    b"{{inf, nan}, {-1.0, 1e400}}", b"hitPoint: {1, 2}", b", Selected", b", label: '", b", value: ",
    b"Element subtree:\n", b"------------------------\n", b"Application bundle identifier: a\n",
    b"\n  Button, {{0.0, 0.0}, {1.0, 1.0}}", "→".encode(), b"{", b"}", b" " * 50,
)  # fmt: skip

Mutation = Callable[[bytes, random.Random, Sequence[bytes]], bytes]


def cut(data: bytes, rng: random.Random, _: Sequence[bytes]) -> bytes:
    at = rng.randrange(len(data) + 1)
    return rng.choice((data[:at], data[at:]))


def take_out(data: bytes, rng: random.Random, _: Sequence[bytes]) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + data[at + rng.randrange(1, 400) :]


def splice(data: bytes, rng: random.Random, sources: Sequence[bytes]) -> bytes:
    other = rng.choice(sources)
    return data[: rng.randrange(len(data) + 1)] + other[rng.randrange(len(other)) :]


def flip(data: bytes, rng: random.Random, _: Sequence[bytes]) -> bytes:
    changed = bytearray(data or b" ")
    for _ in range(rng.choice((1, 3, 20))):
        changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def stuff(data: bytes, rng: random.Random, _: Sequence[bytes]) -> bytes:
    for _ in range(rng.choice((1, 2, 8))):
        at = rng.randrange(len(data) + 1)
        data = data[:at] + rng.choice(HOSTILE) * rng.choice((1, 1, 1, 3, 300)) + data[at:]
    return data


def swap(data: bytes, rng: random.Random, _: Sequence[bytes]) -> bytes:
    """One kind of character for another, everywhere."""
    old, new = rng.choice(
        ((b'"', b"'"), (b"\n", b""), (b"\n", b"\r\n"), (b" ", b"\t"), (b"false", b"true"), (b"0", b"-9"))
    )
    return data.replace(old, new)


def deepen(data: bytes, rng: random.Random, _: Sequence[bytes]) -> bytes:
    """A tag (or line) inside itself, thousands of times."""
    at = data.find(rng.choice((b"<node", b"<XCUI", b"\n")), rng.randrange(len(data) + 1))
    end = data.find(b">", at) + 1
    times = rng.choice((50, 3000, 12_000))
    if at < 0 or end <= at:
        return data + b"".join(b" " * depth + b"Other, {{0.0, 0.0}, {1.0, 1.0}}\n" for depth in range(min(times, 1500)))
    opening = data[at:end].replace(b"/>", b">")
    times = min(times, (LARGEST - len(data)) // max(1, len(opening)))
    closing = b"</" + opening[1:].split(b" ")[0].rstrip(b">") + b">"
    return data[:at] + opening * times + data[end:] + closing * rng.choice((0, times))


def grow(data: bytes, rng: random.Random, _: Sequence[bytes]) -> bytes:
    """A piece many times."""
    at = rng.randrange(len(data) + 1)
    piece = data[at : at + rng.randrange(1, 3000)]
    return data[:at] + piece * min(rng.choice((2, 20, 400)), (LARGEST - len(data)) // max(1, len(piece))) + data[at:]


def wrap(data: bytes, rng: random.Random, _: Sequence[bytes]) -> bytes:
    """As shells, loggers and servers hand it on."""
    text = data.decode("utf-8", "replace")
    return rng.choice(
        (
            lambda: json.dumps({"value": text}).encode(),
            lambda: repr(text).encode("utf-8", "replace"),
            lambda: text.encode("utf-16"),
            lambda: text.encode("utf-16-be"),
            lambda: text.encode("utf-8-sig"),
            lambda: "".join(f"dump.xml:{number}:{line}\n" for number, line in enumerate(text.split("\n"), 1)).encode(),
            lambda: b"UI hierchary dumped to: /sdcard/window_dump.xml\n" + data + b"\nKilled\n",
            lambda: data + b"\n" + data,
        )
    )()


MUTATIONS: tuple[Mutation, ...] = (
    cut,
    cut,
    take_out,
    splice,
    splice,
    flip,
    flip,
    stuff,
    stuff,
    swap,
    deepen,
    grow,
    wrap,
)


@dataclass
class Report:
    """What came of all inputs."""

    outcomes: Counter[str] = field(default_factory=Counter)
    failures: list[tuple[int, str]] = field(default_factory=list)
    slowest: tuple[float, int] = (0.0, 0)
    largest: tuple[int, int] = (0, 0)
    most_nodes: int = 0
    most_memory: tuple[int, int] = (0, 0)


def sources() -> list[bytes]:
    """The captures, the text forms of some, and trees of nothing."""
    captures = [path.read_bytes() for path in sorted((ROOT / "fixtures" / "captures").glob("*/tree.*"))]
    forms = [to_text(read(data)).encode() for data in captures if b"<hierarchy" in data]
    small = [b'<hierarchy rotation="1"/>', b"<AppiumAUT></AppiumAUT>", b"<node/>", b"Application, pid: 1, label: ''\n"]
    return captures + forms[::5] + small


def mutated(seed: int, number: int, known: Sequence[bytes]) -> bytes:
    """The input with this number."""
    rng = random.Random(f"{seed}/{number}")
    data = rng.choice(known)
    for _ in range(rng.choice((1, 1, 2, 2, 3, 5))):
        data = rng.choice(MUTATIONS)(data, rng, known)[:LARGEST]
    return data


def check(snapshot: Snapshot) -> None:
    """Whether a tree is whole: every reader of it takes that for granted."""
    tree = snapshot.tree
    count = len(tree)
    columns = (
        tree.ends, tree.roles, tree.classes, tree.texts, tree.labels, tree.identifiers, tree.values, tree.hints,
        tree.states, tree.window_of,
    )  # fmt: skip
    assert all(len(column) == count for column in columns), "columns of different length"
    assert len(tree.boxes) == 4 * count, "boxes"
    assert all(-1e9 < edge < 1e9 for edge in tree.boxes), "an edge that is not finite"
    assert count <= limits.MAX_NODES, "more nodes than the limit"
    depth = [0] * count
    for index, (parent, end) in enumerate(zip(tree.parents, tree.ends, strict=True)):
        assert -1 <= parent < index < end <= count, "order of parents and ends"
        if parent >= 0:
            depth[index] = depth[parent] + 1
            assert end <= tree.ends[parent], "a child ends after its parent"
            assert tree.window_of[index] == tree.window_of[parent], "a child in another window"
    assert max(depth, default=0) < limits.MAX_DEPTH, "deeper than the limit"
    assert list(tree.window_of) == sorted(tree.window_of), "windows out of order"
    assert [window.index for window in tree.windows] == list(range(len(tree.windows))), "numbers of windows"
    for column in (tree.texts, tree.labels, tree.identifiers, tree.values, tree.hints, tree.classes, snapshot.notes):
        text = "".join(column)
        text.encode("utf-8")
        assert not any(ord(char) < 32 and char not in "\t\n\r" for char in set(text)), "a control character"
    for index in {0, count // 2, count - 1} if count else ():
        assert isinstance(tree.raw(index), dict), "raw"


def one(data: bytes, number: int, report: Report, measure: bool = False) -> None:
    """Read one input and enter what came of it."""
    if measure:
        tracemalloc.start()
    begin = time.process_time()
    try:
        try:
            snapshot = read(data)
        except ApexError as error:
            report.outcomes[f"refused: {str(error.likely)[:60]}"] += 1
        else:
            took = time.process_time() - begin
            report.outcomes["read"] += 1
            report.most_nodes = max(report.most_nodes, len(snapshot))
            check(snapshot)
            begin = time.process_time() - took
    except Exception as error:  # noqa: BLE001 - this is what is looked for
        report.failures.append((number, f"{type(error).__name__}: {error}"))
    took = time.process_time() - begin
    report.slowest = max(report.slowest, (took, number))
    report.largest = max(report.largest, (len(data), number))
    if measure:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        report.most_memory = max(report.most_memory, (peak, number))
        if peak > MEMORY + MEMORY_A_BYTE * len(data):
            report.failures.append((number, f"{peak / 1e6:.1f} MB of memory for {len(data)} bytes"))
    elif took > SECONDS + SECONDS_A_BYTE * len(data):
        report.failures.append((number, f"{took:.1f} s for {len(data)} bytes"))


def run(count: int, seed: int, first: int = 0, measure_every: int = 50) -> Report:
    known, report = sources(), Report()
    for number in range(first, first + count):
        one(mutated(seed, number, known), number, report, measure=number % measure_every == measure_every - 1)
    return report


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="number of the first input, to look at one again")
    parser.add_argument("--keep", type=Path, help="folder for the inputs that failed")
    given = parser.parse_args()
    report = run(given.count, given.seed, given.first)
    for outcome, times in report.outcomes.most_common(25):
        print(f"{times:7}  {outcome}")
    print(f"slowest: {report.slowest[0]:.2f} s (input {report.slowest[1]}), largest: {report.largest[0]:,} bytes")
    print(f"most nodes: {report.most_nodes:,}, most memory in a read: {report.most_memory[0] / 1e6:.0f} MB")
    print(f"process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB at most")
    for number, what in report.failures[:20]:
        print(f"FAILED input {number}: {what}")
        if given.keep:
            given.keep.mkdir(parents=True, exist_ok=True)
            (given.keep / str(number)).write_bytes(mutated(given.seed, number, sources()))
    print(f"{given.count} inputs, {len(report.failures)} failures")
    return 1 if report.failures else 0


if __name__ == "__main__":
    raise SystemExit(main())
