"""Does the comparison count what pixelmatch counts? All 300 pairs, three settings, to the pixel.

    python tests/quality/exact_counts.py

Ends with 1 if a count differs, or if a pair is not the recorded one.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from PIL import Image

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import picture_pairs

from pytest_apex.vision.match import compare_images


def recorded() -> dict[str, Any]:
    """The stored counts: `counts` has a row for each pair, its name, its key, one count for each of the settings."""
    return dict(json.loads(picture_pairs.COUNTS.read_text("utf-8")))


def ours(pair: picture_pairs.Pair, setting: dict[str, Any]) -> int:
    approved, actual = Image.fromarray(pair.approved), Image.fromarray(pair.actual)
    return compare_images(approved, actual, setting["threshold"], include_aa=setting["includeAA"]).count


def wrong(numbers: range) -> list[str]:
    """What is not as recorded, one line each."""
    table = recorded()
    lines = []
    for number in numbers:
        pair = picture_pairs.pair(number)
        name, key, *counts = table["counts"][number]
        if (pair.name, pair.key) != (name, key):
            lines.append(f"{number} ({pair.name}): not the recorded pair: record it anew")
            continue
        for (setting, options), count in zip(table["settings"].items(), counts, strict=True):
            found = ours(pair, options)
            if found != count:
                lines.append(f"{number} ({name}), {setting}: {found:,} instead of {count:,}")
    return lines


def main() -> int:
    table = recorded()
    lines = wrong(range(picture_pairs.PAIRS))
    print(*lines, sep="\n", end="\n" if lines else "")
    total = len(table["counts"]) * len(table["settings"])
    some = sum(1 for row in table["counts"] if any(row[2:]))
    print(
        f"{total - len(lines)} of {total} counts equal those of pixelmatch {table['pixelmatch']} ({some} pairs differ)"
    )
    return 1 if lines or len(table["counts"]) != picture_pairs.PAIRS else 0


if __name__ == "__main__":
    raise SystemExit(main())
