"""What a look for defects costs, as a share of decoding the picture.

    python tests/quality/bench_defects.py [--runs N]

Pages of 1080×2400 from the generator, encoded as PNG. Of each page one decoding and one look are measured in turn. All
rules together may take 150 ms on a machine that decodes such a picture in 30 ms (two cores, Pillow), which is five
times the decoding. The exit code is 1 beyond that.
"""

from __future__ import annotations

import argparse
import io
import random
import statistics
import sys
import time
from dataclasses import replace
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1])]

from defect_pages import TEMPLATES, THEMES, Maker  # noqa: E402
from drawn_page import Phone  # noqa: E402
from PIL import Image  # noqa: E402

from pytest_apex.verify.checks import find_defects  # noqa: E402
from pytest_apex.vision.image import from_image, from_png  # noqa: E402

PHONE = Phone("android", 1080, 2400, 2.625)
LIMIT = 5.0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    asked = parser.parse_args()
    decodes, looks, ratios = [], [], []
    for number, template in enumerate(TEMPLATES):
        make = Maker(random.Random(number), PHONE, THEMES[number % len(THEMES)])
        template(make)
        capture = make.page().capture()
        assert capture.picture is not None
        png = capture.picture.png()
        palette = make.theme.palette
        for _ in range(asked.runs):
            started = time.perf_counter()
            with Image.open(io.BytesIO(png)) as image:
                image.load()
            decoded = time.perf_counter() - started
            picture = from_image(image.convert("RGB"))
            look = replace(capture, picture=picture)  # a new capture: nothing of it is known
            started = time.perf_counter()
            find_defects(look, palette=palette or None, accessibility=True)
            took = time.perf_counter() - started
            decodes.append(decoded)
            looks.append(took)
            ratios.append(took / decoded)
        assert from_png(png).size == picture.size
    median = statistics.median(ratios)
    print(f"decoding {statistics.median(decodes) * 1000:.0f} ms, all rules {statistics.median(looks) * 1000:.0f} ms")
    print(f"ratio: median {median:.2f}, largest {max(ratios):.2f}; limit {LIMIT:g} for the median")
    return int(median > LIMIT)


if __name__ == "__main__":
    raise SystemExit(main())
