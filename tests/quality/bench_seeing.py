"""What reading, indexing, finding and comparing of big trees cost, as ratios measured side by side in one run.

    python tests/quality/bench_seeing.py [--nodes 5000] [--rounds 9]

The tree is a uiautomator dump of a long list: of each eight nodes three are controls, a row with wrappers, texts, a
check box and a button, all of them on the screen. Each round measures everything once, in processor time; of all rounds
the least counts. The floor of the first ratio is what any reader has to do in Python at least: parse (lxml's own time,
1.0) and take the attributes that a tree is made of from each element.

The exit code is 1 if a ratio is not held.
"""

from __future__ import annotations

import argparse
import gc
import sys
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

import uiautomator2.xpath as their_engine  # noqa: E402
from lxml import etree  # noqa: E402

from pytest_apex.hierarchy import readers  # noqa: E402
from pytest_apex.hierarchy.diff import diff  # noqa: E402
from pytest_apex.hierarchy.query import find  # noqa: E402
from pytest_apex.hierarchy.state import index_state  # noqa: E402
from pytest_apex.model.look import Hit  # noqa: E402
from pytest_apex.model.snapshot import Snapshot  # noqa: E402
from pytest_apex.model.target import By, Target  # noqa: E402

#: What has to be held.
SEEING_AT_MOST, QUERIES_AT_LEAST, DIFF_AT_MOST = 6.0, 5.0, 2.0
#: The attributes that a tree of ours is made of.
ATTRIBUTES = (
    "class", "text", "resource-id", "content-desc", "package", "bounds", "checkable", "checked", "clickable", "enabled",
    "focusable", "focused", "scrollable", "long-clickable", "password", "selected", "visible-to-user",
)  # fmt: skip
_NODE = (
    '<node index="{index}" text="{text}" resource-id="{id}" class="{kind}" package="com.example.notes" '
    'content-desc="{label}" checkable="{checkable}" checked="false" clickable="{tap}" enabled="true" '
    'focusable="{tap}" focused="false" scrollable="{scroll}" long-clickable="false" password="false" '
    'selected="false" visible-to-user="true" bounds="[{box[0]},{box[1]}][{box[2]},{box[3]}]"'
)


def node(index: int, kind: str, box: tuple[int, int, int, int], *, text: str = "", id: str = "", label: str = "",
         tap: bool = False, checkable: bool = False, scroll: bool = False) -> str:  # fmt: skip
    flags = {"tap": tap, "checkable": checkable, "scroll": scroll}
    return _NODE.format(
        index=index, kind=kind, box=box, text=text, label=label, id=id and f"com.example.notes:id/{id}",
        **{name: str(flag).lower() for name, flag in flags.items()},
    )  # fmt: skip


def row(number: int, y: int, ago: str) -> str:
    end = y + 4
    return (
        node(number, "android.view.ViewGroup", (0, y, 1080, end), id="row", tap=True) + ">"
        + node(0, "android.widget.ImageView", (0, y, 100, end), id="icon") + " />"
        + node(1, "android.widget.LinearLayout", (100, y, 900, end)) + ">"
        + node(0, "android.widget.TextView", (100, y, 900, y + 2), text=f"Note number {number}", id="title") + " />"
        + node(1, "android.widget.TextView", (100, y + 2, 900, end), text=f"{number % 60} {ago}", id="when") + " />"
        + "</node>"
        + node(2, "android.widget.FrameLayout", (900, y, 1080, end)) + ">"
        + node(0, "android.widget.CheckBox", (900, y, 980, end), id="done", label="Done", tap=True, checkable=True)
        + " />"
        + node(1, "android.widget.ImageButton", (980, y, 1080, end), id="more", label="More options", tap=True)
        + " /></node></node>"
    )  # fmt: skip


def dump(nodes: int, *, first: int = 0, ago: str = "minutes ago") -> bytes:
    """A dump of at least so many nodes, as it comes from a device."""
    rows = range(first, first + -(-(nodes - 2) // 8))
    inside = "\n".join(row(number, 100 + (number - first) * 4, ago) for number in rows)
    head = "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"0\">"
    frame = node(0, "android.widget.FrameLayout", (0, 0, 1080, 100 + 4 * len(rows)))
    screen = node(0, "androidx.recyclerview.widget.RecyclerView", (0, 100, 1080, 100 + 4 * len(rows)), id="list",
                  scroll=True)  # fmt: skip
    return f"{head}{frame}>{screen}>{inside}</node></node></hierarchy>".encode()


def floor(data: bytes) -> int:
    return sum(1 for element in etree.fromstring(data).iter() for name in ATTRIBUTES if element.get(name))


def see(data: bytes) -> int:
    """Parse, index, and the hit point of each indexed control."""
    return sum(1 for hit in index_state(readers.read(data)).hits if isinstance(hit, Hit))


def words(count: int) -> list[str]:
    """Ten things to look for, from the first row to the last; two are not there."""
    last = (count - 2) // 8 - 1
    return [f"Note number {last * at // 7}" for at in range(8)] + ["Nothing like it", "Note number"]


class Clock:
    """The least processor time of each thing, in milliseconds."""

    def __init__(self) -> None:
        self.least: dict[str, float] = {}

    def time(self, name: str, do: Callable[[], Any]) -> Any:
        gc.collect()
        began = time.process_time()
        result = do()
        took = (time.process_time() - began) * 1000
        self.least[name] = min(took, self.least.get(name, took))
        return result


def measure(nodes: int, rounds: int) -> Clock:
    clock = Clock()
    data, text = dump(nodes), dump(nodes).decode()
    others = {"words changed": dump(nodes, ago="minutes before"), "scrolled": dump(nodes, first=40),
              "one row more": dump(nodes + 8), "other content": dump(nodes, first=100_000)}  # fmt: skip
    asked = words(nodes)
    for _ in range(rounds):
        clock.time("lxml", lambda: etree.fromstring(data))
        clock.time("floor", lambda: floor(data))
        before = clock.time("read", lambda: readers.read(data))
        clock.time("see", lambda: see(data))
        clock.time("our queries", lambda: [find(before, Target((By("text", word),))) for word in asked])  # noqa: B023
        page = their_engine.PageSource(text)
        page.root  # noqa: B018 - parses, and renames every element
        clock.time("their queries, parsed once", lambda: [their_engine.XPath(word).all(page) for word in asked])  # noqa: B023
        for name, other in others.items():
            one, two = readers.read(data), readers.read(other)
            clock.time(f"diff, {name}", lambda: diff(one, two))  # noqa: B023
    clock.time("their queries", lambda: [their_engine.XPath(word).all(their_engine.PageSource(text)) for word in asked])
    return clock


def memory(data: bytes) -> tuple[float, float]:
    """Bytes a node: of the snapshot alone, and with all that indexing, hit points and comparing remember of it."""
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    snapshot: Snapshot = readers.read(data)
    gc.collect()
    alone = tracemalloc.get_traced_memory()[0] - before
    index_state(snapshot)
    diff(snapshot, snapshot)
    gc.collect()
    used = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    return alone / len(snapshot), used / len(snapshot)


def report(clock: Clock, nodes: int, size: int) -> list[str]:
    """Prints the figures; returns what is not held."""
    least = clock.least
    base, broken = least["lxml"], []

    def line(what: str, ratio: float, limit: str, holds: bool) -> None:
        print(f"  {what:<58} {ratio:>8.2f} x   {limit}{'' if holds else '   NOT HELD'}")
        if not holds:
            broken.append(what)

    print(
        f"{nodes} nodes, {size / 1e6:.1f} MB; lxml.etree.fromstring takes {base:.1f} ms of processor time, which is 1 x"
    )
    print(f"  {'the floor: parse, and take the attributes in Python':<58} {least['floor'] / base:>8.2f} x")
    print(f"  {'read into a snapshot':<58} {least['read'] / base:>8.2f} x")
    seeing = least["see"] / base
    line(
        "read + index + hit points of the indexed controls",
        seeing,
        f"at most {SEEING_AT_MOST:g}",
        seeing <= SEEING_AT_MOST,
    )
    print(f"  {'that is, over the floor':<58} {least['see'] / least['floor']:>8.2f} x")
    for theirs, what in (
        ("their queries, parsed once", "parsed once"),
        ("their queries", "a dump for each, as in use"),
    ):
        faster = least[theirs] / least["our queries"]
        line(f"ten queries, against uiautomator2's xpath, {what}", faster, f"at least {QUERIES_AT_LEAST:g}",
             faster >= QUERIES_AT_LEAST)  # fmt: skip
    for name in (name for name in least if name.startswith("diff")):
        ratio = least[name] / least["read"]
        line(f"{name}, against reading one of the two", ratio, f"at most {DIFF_AT_MOST:g}", ratio <= DIFF_AT_MOST)
    return broken


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--nodes", type=int, default=5000)
    parser.add_argument("--rounds", type=int, default=9)
    asked = parser.parse_args()
    data = dump(asked.nodes)
    broken = report(measure(asked.nodes, asked.rounds), len(readers.read(data)), len(data))
    alone, used = memory(data)
    print(f"  memory: {alone:.0f} bytes a node for the snapshot, {used:.0f} with what is remembered of it")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
