"""What the plugin adds to the start of every pytest run: `python tests/quality/import_time.py [ROUNDS]`.

Prints what importing pytest takes alone, and with the plugin and all the plugin's parts, in fresh processes taken by
turns, so that a busy machine slows both alike. Nothing is asserted: the ratio is for people.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
PYTEST = "import pytest, _pytest.config"
PLUGIN = f"{PYTEST}, importlib, pytest_apex.plugin as plugin\nfor part in plugin.PARTS: importlib.import_module(part)"


def measure(code: str) -> float:
    """Milliseconds of processor time that the code takes in a fresh process, its start not counted."""
    timed = f"import time\nbegan = time.process_time()\n{code}\nprint((time.process_time() - began) * 1000)"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", timed], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    return float(done.stdout)


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    began = time.monotonic()
    measure(PLUGIN)  # writes the compiled files
    pairs = [(measure(PYTEST), measure(PLUGIN)) for _ in range(rounds)]
    for name, of in (("median", statistics.median), ("best", min)):
        alone, together = (of(column) for column in zip(*pairs, strict=True))
        print(
            f"{name:<7} pytest alone {alone:6.1f} ms, with the plugin {together:6.1f} ms: "
            f"{together - alone:+.1f} ms, ratio {together / alone:.3f}"
        )
    print(f"{rounds} fresh processes each, {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
