"""How long it takes to judge a stored run again.

    python tests/quality/bench_judge.py                          500 failing tests, each with its own screens
    python tests/quality/bench_judge.py --tests 100 --nodes 300

Makes a run from values (no phone): each test failed on a screen of its own at the full resolution of a phone. Then
`pytest-apex judge` reads it, its start included. Ends with 1 when that takes longer than `--limit` seconds, or when a
verdict is not the one that was stored.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from PIL import Image, ImageDraw

from pytest_apex.evidence.cases import JudgedFailure, write_cases
from pytest_apex.evidence.store import Store, attempt_folder
from pytest_apex.model.case import Case, Failure, LastTouch, ProcessEvent
from pytest_apex.model.geometry import Insets, Rect, Size
from pytest_apex.model.node import NodeState
from pytest_apex.model.screen import Screen
from pytest_apex.model.snapshot import AppInFront, Snapshot, TreeBuilder, Window
from pytest_apex.model.verdict import Attempt
from pytest_apex.reports.results import ResultsWriter
from pytest_apex.verify.judge import judge
from pytest_apex.vision.image import from_image

APP = "com.example.bench"
SCREEN = Screen(Size(1080, 2400), density=2.625, insets=Insets(top=63, bottom=126))


def look(number: int, nodes: int, rng: random.Random, at: float) -> Snapshot:
    """A screen of cards with texts, as many nodes as asked for."""
    page = Image.new("RGB", (1080, 2400), "#fafafa")
    draw = ImageDraw.Draw(page)
    builder = TreeBuilder()
    builder.window(Window(0, APP, bounds=SCREEN.bounds, focused=True))
    builder.open("group", SCREEN.bounds)
    for row in range(nodes - 1):
        top = 80 + row * 2200 / nodes
        box = Rect(40, top, 40 + rng.randrange(200, 1000), top + 2000 / nodes)
        draw.rectangle((box.left, box.top, box.right, box.bottom), fill=f"#{rng.randrange(1 << 24):06x}")
        builder.leaf("text", box, text=f"Row {row} of {number}", identifier=f"{APP}:id/row_{row}",
                     states=int(NodeState.ENABLED | NodeState.VISIBLE))  # fmt: skip
    picture = from_image(page)
    return Snapshot(f"s{number}", at, builder.build(), SCREEN, AppInFront(APP, 100, "Bench"), picture)


def make_run(run_dir: Path, tests: int, nodes: int, seed: int) -> None:
    """A run of failing tests, stored as a live run stores it."""
    rng = random.Random(seed)
    store, results = Store(run_dir), ResultsWriter(run_dir)
    for number in range(tests):
        test = f"tests/test_bench.py::test_{number}"
        now = look(number, nodes, rng, 20.0)
        case = Case(
            Failure("check", f"expected {number} to have the text '5'", kind="functional.wrong_value", waited_s=5.0),
            app=APP, read_since_action=True, since=10.0, before=look(number, nodes, rng, 9.0), now=now, pid=100,
            pid_now=100, in_front=APP, processes=(ProcessEvent(1.0, APP, 100, "launched", by_test=True),),
            last_touch=LastTouch("step-004", "tap", 'tap "Add"', "changed", repeatable=True),
        )  # fmt: skip
        folder = attempt_folder(test, 1)
        write_cases(run_dir / folder, store, [JudgedFailure("call", case)])
        results.attempt(Attempt(test, 1, "failed", judge(case), folder=folder))
    results.close()


def main() -> int:
    parser = argparse.ArgumentParser(description="how long it takes to judge a stored run again")
    parser.add_argument("--tests", type=int, default=500)
    parser.add_argument("--nodes", type=int, default=120)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=float, default=20.0, metavar="SECONDS")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="apex-judge-") as folder:
        began = time.perf_counter()
        make_run(Path(folder), arguments.tests, arguments.nodes, arguments.seed)
        made = time.perf_counter()
        done = subprocess.run(
            [sys.executable, "-m", "pytest_apex", "judge", folder], capture_output=True, text=True, encoding="utf-8"
        )
        took = time.perf_counter() - made
    screen = f"{arguments.nodes} nodes, {SCREEN.size} pixels"
    print(f"made in {made - began:.1f} s: {arguments.tests} failing tests, {screen}")
    print(f"judged again in {took:.1f} s ({took / arguments.tests * 1000:.0f} ms a test; limit {arguments.limit:g} s)")
    print(done.stdout + done.stderr, end="")
    same = done.returncode == 0 and done.stdout.startswith(f"{arguments.tests} judged again: 0 changed")
    return 1 if took > arguments.limit or not same else 0


if __name__ == "__main__":
    sys.exit(main())
