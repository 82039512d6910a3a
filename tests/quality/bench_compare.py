"""What comparing two pictures costs, files in and verdict out, as ratios measured side by side in one run.

    python tests/quality/bench_compare.py [--rounds 7] [--node FOLDER]

Pages of the built-in phone in two sizes and six kinds of pairs. The floor is what nobody can do without: decoding both
PNGs in two threads with the same decoder. In each round everything is measured once, one after another; of all rounds
the least time of each page counts, for the floor as for us, and of all pages the median ratio. Whole counts are
compared, but for `another page`, where the verdict is all that is asked. With `--node`, a folder in which
`npm install pixelmatch@7.2.0 pngjs` was done, pixelmatch is measured too (decoding and counting; node has
started); PyPI's pixelmatch and odiff (its start included) are if they are installed.

The exit code is 1 if a limit is not held.
"""

from __future__ import annotations

import argparse
import io
import json
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(ROOT))

import picture_pairs  # noqa: E402

from pytest_apex.vision import fastpng, match  # noqa: E402
from pytest_apex.vision import image as pictures  # noqa: E402

SIZES = ((1080, 2400, 2.625), (1290, 2796, 3.0))
APPS = ("shop", "trips", "gallery", "share_sheet")
#: What has to be held, as ratios to the floor.
LIMITS = {
    "the same file": 1.25, "the same pixels": 1.25, "clock": 1.25, "1 % changed": 1.25, "edges smoothed": 1.75,
    "another page": 1.5,
}  # fmt: skip
#: Peak memory of one comparison in a process of its own, in MB.
MEMORY = 120


def pages(folder: Path) -> Iterator[tuple[str, Image.Image]]:
    """The first screen of each app in each size."""
    from pytest_apex.testing import virtual_device

    for width, height, density in SIZES:
        for app in APPS:
            text = (ROOT / "fixtures" / "virtual_apps" / f"{app}.yaml").read_text("utf-8")
            size = f"size: {{width: {width}, height: {height}, density: {density}}}"
            file = folder / f"{app}-{width}.yaml"
            others = re.sub(r"^size: .*\n", "", text, flags=re.MULTILINE)
            file.write_text(f"{others.rstrip()}\n{size}\n", "utf-8")
            named = re.search(r"^app: *(\S+)", text, re.MULTILINE)
            assert named is not None
            with virtual_device(folder, f"virtual:{file}", app=named[1]) as device:
                yield f"{app} {width}×{height}", device.screenshot().pixels().copy()


def changed(page: Image.Image, kind: str, seed: int) -> Image.Image:
    pixels = np.asarray(page).copy()
    rng = random.Random(seed)
    if kind == "clock":
        picture_pairs.clock(pixels[:120, :400], rng)
    elif kind == "1 % changed":
        picture_pairs.block(pixels, rng)
    elif kind == "edges smoothed":
        whole = pixels.astype(np.int16)
        pixels[:] = (whole * 13 + np.roll(whole, 1, axis=1) * 3 + 8) // 16
    elif kind == "another page":
        pixels ^= 255
    return Image.fromarray(pixels)


def saved(page: Image.Image, path: Path, level: int = 6) -> Path:
    """As devices write them: Android with an alpha channel, Apple without."""
    (page.convert("RGBA") if page.width == SIZES[0][0] else page).save(path, compress_level=level)
    return path


def floor(a: Path, b: Path) -> None:
    """Both decoded by the decoder that the comparison uses, in two threads, straight from the files."""

    fast = fastpng.decoder()

    def decode(path: Path) -> None:
        data = path.read_bytes()
        if fast is not None:
            fast(data)
        else:
            Image.open(io.BytesIO(data)).load()

    with ThreadPoolExecutor(1) as pool:
        other = pool.submit(decode, b)
        decode(a)
        other.result()


def ours(a: Path, b: Path, enough: int | None) -> int:
    """Files in, verdict out; nothing is remembered from one time to the next."""
    pictures.forget_decoded()
    one, other = pictures.read_png(a), pictures.read_png(b)
    return match.compare_pictures(one, other, match.Rules(enough=enough)).count


def timed(do: Callable[[], Any]) -> float:
    began = time.perf_counter()
    do()
    return (time.perf_counter() - began) * 1000


def in_node(folder: Path, jobs: list[tuple[str, str, str]]) -> dict[str, float]:
    """Milliseconds of pixelmatch for each job: the least of three, files in, count out."""
    script = """
        import fs from 'node:fs'; import {performance} from 'node:perf_hooks';
        import {createRequire} from 'node:module'; import {pathToFileURL} from 'node:url';
        const require = createRequire(process.cwd() + '/x.js');
        const {default: pixelmatch} = await import(pathToFileURL(require.resolve('pixelmatch')));
        const {PNG} = require('pngjs'); const times = {};
        for (const [name, a, b] of JSON.parse(fs.readFileSync(0, 'utf8'))) {
            times[name] = Infinity;
            for (let n = 0; n < 3; n++) {
                const began = performance.now();
                const [p, q] = [a, b].map((file) => PNG.sync.read(fs.readFileSync(file)));
                pixelmatch(p.data, q.data, null, p.width, p.height, {threshold: 0.1});
                times[name] = Math.min(times[name], performance.now() - began);
            }
        }
        process.stdout.write(JSON.stringify(times));"""
    done = subprocess.run(
        ["node", "--input-type=module", "-e", script], cwd=folder, input=json.dumps(jobs), check=True,
        capture_output=True, text=True,
    )  # fmt: skip
    return dict(json.loads(done.stdout))


def memory(a: Path, b: Path) -> float:
    """Peak memory in MB of a process that compares two files and nothing else."""
    code = f"""
        from pathlib import Path
        from pytest_apex.vision import image, match
        match.compare_pictures(image.read_png(Path({str(a)!r})), image.read_png(Path({str(b)!r})))
        print(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")))"""
    lines = "\n".join(line[8:] for line in code.strip("\n").splitlines())
    done = subprocess.run([sys.executable, "-c", lines], cwd=ROOT, check=True, capture_output=True, text=True)
    return int(done.stdout) / 1024


class Bench:
    """Ratios and milliseconds of each kind of pair, over pages and rounds."""

    def __init__(self, folder: Path) -> None:
        self.ratios: dict[str, list[float]] = defaultdict(list)
        self.times: dict[str, list[float]] = defaultdict(list)
        self.floors: list[float] = []
        self.pairs: list[tuple[str, str, Path, Path]] = []
        for number, (name, page) in enumerate(pages(folder)):
            approved = saved(page, folder / f"{number}.png")
            for kind in LIMITS:
                if kind == "the same file":
                    other = Path(shutil.copy(approved, folder / f"{number}-copy.png"))
                elif kind == "the same pixels":
                    other = saved(page, folder / f"{number}-again.png", 5)
                else:
                    other = saved(changed(page, kind, number), folder / f"{number}-{len(self.pairs)}.png")
                self.pairs.append((name, kind, approved, other))

    def measure(self, rounds: int) -> None:
        match.need_comparator()
        least: dict[tuple[str, str], list[float]] = defaultdict(lambda: [float("inf")] * 2)
        for _ in range(rounds):
            for name, kind, a, b in self.pairs:
                enough = 0 if kind == "another page" else None
                both = least[name, kind]
                both[0] = min(both[0], timed(partial(floor, a, b)))
                both[1] = min(both[1], timed(partial(ours, a, b, enough)))
        for (_name, kind), (decoded, took) in least.items():
            self.floors.append(decoded)
            self.times[kind].append(took)
            self.ratios[kind].append(took / decoded)

    def others(self, node: str) -> dict[str, dict[str, float]]:
        """Milliseconds of other tools, by kind: the median over pages."""
        found: dict[str, dict[str, float]] = {}
        if node:
            times = in_node(Path(node), [(f"{name}|{kind}", str(a), str(b)) for name, kind, a, b in self.pairs])
            found["pixelmatch (npm)"] = {
                kind: statistics.median(ms for key, ms in times.items() if key.endswith(f"|{kind}")) for kind in LIMITS
            }
        odiff = shutil.which("odiff")
        if odiff:
            found["odiff"] = {
                kind: statistics.median(
                    timed(partial(subprocess.run, [odiff, a, b], capture_output=True))
                    for _name, this, a, b in self.pairs
                    if this == kind
                )
                for kind in LIMITS
            }
        if find_spec("pixelmatch") is not None:
            found["pixelmatch (PyPI)"] = {"1 % changed": self._pure_python()}
        return found

    def _pure_python(self) -> float:
        from pixelmatch.contrib.PIL import pixelmatch

        _, _, a, b = next(pair for pair in self.pairs if pair[1] == "1 % changed")
        return timed(lambda: pixelmatch(Image.open(a).convert("RGBA"), Image.open(b).convert("RGBA"), None))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--node", default="", help="folder with node_modules of pixelmatch@7.2.0 and pngjs")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder))
        bench.measure(given.rounds)
        others = bench.others(given.node)
        peaks = {kind: memory(a, b) for _name, kind, a, b in bench.pairs[-len(LIMITS) :]}
    return report(bench, others, peaks)


def report(bench: Bench, others: dict[str, dict[str, float]], peaks: dict[str, float]) -> int:
    decoder = "imagecodecs" if fastpng.decoder() is not None else "Pillow"
    print(f"floor: both PNGs decoded in two threads by {decoder}: {statistics.median(bench.floors):.0f} ms (median)\n")
    print(f"{'pair':<16}{'ms':>7}{'× floor':>9}{'at most':>9}{'MB':>6}   " + "".join(f"{name:>19}" for name in others))
    held = True
    for kind, limit in LIMITS.items():
        ratio, took = statistics.median(bench.ratios[kind]), statistics.median(bench.times[kind])
        fits = ratio <= limit and peaks[kind] <= MEMORY
        held = held and fits
        beside = "".join(f"{f'{tool[kind]:,.0f} ms' if kind in tool else '–':>19}" for tool in others.values())
        verdict = "" if fits else "  NOT HELD"
        print(f"{kind:<16}{took:>7.1f}{ratio:>9.2f}{limit:>9.2f}{peaks[kind]:>6.0f}   {beside}{verdict}")
    print(f"\npeak memory of a process that compares one pair, {SIZES[-1][0]}×{SIZES[-1][1]}: at most {MEMORY} MB")
    return 0 if held else 1


if __name__ == "__main__":
    raise SystemExit(main())
