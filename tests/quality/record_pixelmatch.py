"""Record what pixelmatch counts for the pairs of `picture_pairs.py`, into `pixelmatch_counts.json`.

    python tests/quality/record_pixelmatch.py

Needs node and npm; nothing else does: tests read the recorded file.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))

import picture_pairs

VERSION = "7.2.0"
SCRIPT = Path(__file__).with_name("record_pixelmatch.mjs")


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        counts = counted(Path(folder))
    lines = [
        f"  {json.dumps([pair.name, pair.key, *found])}"
        for pair, found in zip(picture_pairs.pairs(), counts, strict=True)
    ]
    head = {"pixelmatch": VERSION, "settings": picture_pairs.SETTINGS}
    text = json.dumps(head, indent=1)[:-2] + ',\n "counts": [\n' + ",\n".join(lines) + "\n ]\n}\n"
    picture_pairs.COUNTS.write_text(text, "utf-8")
    print(f"{len(lines)} pairs, {len(lines) * len(picture_pairs.SETTINGS)} counts of pixelmatch {VERSION} recorded")
    return 0


def counted(folder: Path) -> list[list[int]]:
    """The counts of each pair, one for each of the settings."""
    jobs = []
    for pair in picture_pairs.pairs():
        height, width = pair.approved.shape[:2]
        jobs.append({"number": pair.number, "width": width, "height": height})
        for side, pixels in (("a", pair.approved), ("b", pair.actual)):
            opaque = np.full((height, width, 1), 255, dtype=np.uint8)
            (folder / f"{pair.number}.{side}").write_bytes(np.concatenate([pixels, opaque], axis=2).tobytes())
    (folder / "jobs.json").write_text(json.dumps({"pairs": jobs, "settings": picture_pairs.SETTINGS}), "utf-8")
    (folder / "package.json").write_text("{}", "utf-8")
    npm, node = shutil.which("npm") or "npm", shutil.which("node") or "node"
    subprocess.run([npm, "install", "--silent", "--no-audit", f"pixelmatch@{VERSION}"], cwd=folder, check=True)
    done = subprocess.run([node, str(SCRIPT), str(folder)], check=True, capture_output=True, text=True)
    return list(json.loads(done.stdout))


if __name__ == "__main__":
    raise SystemExit(main())
