"""Every fault of the built-in phone, seen in process and over a real adb: the verdicts have to be the same.

    python tests/quality/wire_matrix.py                      every fault, and none; some minutes
    python tests/quality/wire_matrix.py --only dead_button   one of them
    python tests/quality/wire_matrix.py --whole              the whole suite over the wire, not its part alone
    python tests/quality/wire_matrix.py --here FOLDER        beside what `matrix.py --keep FOLDER` left
    python tests/quality/wire_matrix.py --keep FOLDER        leave what ran over the wire there, a folder a fault

In process the whole demo suite runs, and over the wire without a fault. Under one, over the wire, in real time, run two
of the tests that failed there for each kind, or have something on record, and an innocent one. Ends with 1 where a test
is called otherwise.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))

from expected import EXPECTED, Run
from wire.android import own_adb

from pytest_apex.backends.uiautomator2 import helper
from pytest_apex.backends.uiautomator2.adb import AdbServer
from pytest_apex.backends.virtual import demo_app
from pytest_apex.model.verdict import Attempt
from pytest_apex.phone_wires.serve import serve_phone
from pytest_apex.reports.results import read_results

ROOT = Path(__file__).parents[2]
SUITE = "examples/notes_app"
PATIENCE_S = 1200
SEED = 1
#: Loading is waited for in real time here; the longest innocent one takes 8 s.
SHORTER = ("--apex-load-timeout=12",)
#: Tests that run over the wire for each kind of failure.
EACH = 2
#: Runs over the wire under every fault: the innocent part of what it shows.
ALWAYS = "test_a_new_note_comes_first"
#: Which test meets an innocent fault, where it is not that one: nothing tells it apart in process.
MEETS = {
    "stray_touch": "test_the_archive_is_empty_at_first",
    "slow_load": "test_sync",
    "disabled_until_complete": "test_an_empty_note_cannot_be_saved",
    "empty_list": "test_the_shared_shelf",
    "ticking_clock": "test_the_list_shows_all_notes",
    "restart_by_test": "test_the_app_starts_anew_after_a_stop",
    "killed_in_background": "test_a_draft_survives_when_memory_is_short",
    "other_app_crash": "test_the_archive_is_empty_at_first",
    "other_app_anr": "test_about_tells_the_version",
    "permission_dialog": "test_sync",
    "reconnect": "test_dark_mode",
}


@dataclass
class Both:
    """The kinds of the failing tests, by test, in process and over the wire; `way` is how, where there are several."""

    run: Run
    way: str = ""
    here: dict[str, str] = field(default_factory=dict)
    wire: dict[str, str] = field(default_factory=dict)
    ran: int = 0
    seconds: float = 0.0
    trouble: str = ""
    why: dict[str, str] = field(default_factory=dict)

    @property
    def differing(self) -> list[str]:
        names = sorted({*self.here, *self.wire})
        return [name for name in names if _family(self.here.get(name, "")) != _family(self.wire.get(name, ""))]

    @property
    def mistakes(self) -> list[str]:
        if self.trouble:
            return [self.trouble]
        return [
            f"{name}: in process {self.here.get(name, 'passed')}, over the wire {self.wire.get(name, 'passed')}"
            for name in self.differing
        ]

    def told(self) -> str:
        """What a mistake's own verdict said, for the end of the output: the rest of it may be cut."""
        return "\n".join([self.line(), *(f"  {name}: {self.why.get(name, 'passed')}" for name in self.differing)])

    def line(self) -> str:
        told = "; ".join(self.mistakes) or f"the same: {', '.join(sorted(set(self.wire.values()))) or 'all passed'}"
        way = f"{self.way:<8}" if self.way else ""
        return f"{way}{self.run.name:<44} {self.ran:3} tests {self.seconds:6.0f} s  {told}"


def _family(kind: str) -> str:
    """Ways of dying are one family: which of its records comes first is a matter of milliseconds."""
    return "crash" if kind.startswith("crash.") else kind


def compare(run: Run, here: list[Attempt] | None, *, whole: bool = False, keep: str | None = None) -> Both:
    """One fault on a phone of its own. `here` is what the suite said in process; None: run it first."""
    both, started = Both(run), time.monotonic()
    with ExitStack() as stack:
        kept = Path(keep) / run.folder if keep else None
        folder = kept or stack.enter_context(tempfile.TemporaryDirectory(prefix="wire-matrix-"))
        if here is None:
            device = f"virtual?seed={SEED}" + (f"&fault={run.fault}" if run.fault else "")
            here = _suite(device, run, Path(folder) / "here", ())
        wanted = () if whole or run.name == "none" else _wanted(here, MEETS.get(run.fault, ALWAYS))
        adb = AdbServer()
        with serve_phone([demo_app()], fault=run.fault or None, seed=SEED) as served:
            served.handset.files.write(helper.TARGET, helper.jar().read_bytes())
            adb.connect(served.serial, 5.0)
            over = _suite(served.serial, run, Path(folder) / "wire", wanted, *SHORTER)
            adb.disconnect(served.serial)
    here = [one for one in here if not wanted or _name(one.test) in wanted]
    over = [one for one in over if not wanted or _name(one.test) in wanted]  # `-k` takes parts of names too
    both.here, both.wire, both.ran = _failing(here), _failing(over), len(over)
    both.why = {_name(one.test): " | ".join((str(one.verdict), *one.verdict.why, *one.also)) for one in over}
    both.seconds = time.monotonic() - started
    ran = {_name(attempt.test) for attempt in over}
    missing = [name for name in both.here if name not in ran]
    if missing or not over:
        both.trouble = f"did not run over the wire: {', '.join(missing) or 'any test'}"
    return both


def _wanted(attempts: list[Attempt], meets: str) -> tuple[str, ...]:
    """Names of the tests to run over the wire."""
    told: dict[str, list[str]] = {}
    for one in attempts:
        if one.outcome != "passed" or one.also:
            told.setdefault(one.verdict.kind, []).append(_name(one.test))
    wanted = [name for names in told.values() for name in list(dict.fromkeys(names))[:EACH]]
    return tuple(dict.fromkeys([*wanted, meets, ALWAYS]))


def _suite(device: str, run: Run, folder: Path, names: tuple[str, ...], *options: str) -> list[Attempt]:
    command = [
        sys.executable, "-m", "pytest", SUITE, f"--apex-device={device}", f"--apex-seed={SEED}",
        f"--apex-artifacts={folder}", "-q", "-p", "no:cacheprovider", "-p", "no:randomly", *run.options, *options,
    ]  # fmt: skip
    if names:
        command += ["-k", " or ".join(names)]
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("APEX_", "PYTEST_"))}
    subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, timeout=PATIENCE_S, check=False)
    return list(read_results(folder))


def _failing(attempts: list[Attempt]) -> dict[str, str]:
    return {_name(one.test): one.verdict.kind for one in attempts if one.outcome not in ("passed", "skipped")}


def _name(test: str) -> str:
    return test.rpartition("::")[2].partition("[")[0]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--whole", action="store_true")
    parser.add_argument("--jobs", type=int, default=4, metavar="N", help="phones at a time (default: 4)")
    parser.add_argument("--here", metavar="FOLDER", help="what `matrix.py --keep FOLDER` left: nothing runs in process")
    parser.add_argument("--keep", metavar="FOLDER", help="leave what ran over the wire there")
    arguments = parser.parse_args()
    runs = [run for run in EXPECTED if not arguments.only or (run.fault or "none") in arguments.only]
    wrong, began = list[Both](), time.monotonic()
    # A process for each phone: in one, they would wait for each other. Nearly all of a run is waiting.
    with own_adb(), ProcessPoolExecutor(arguments.jobs, get_context("spawn")) as pool:
        waiting = [
            pool.submit(compare, run, _kept(arguments.here, run), whole=arguments.whole, keep=arguments.keep)
            for run in runs
        ]
        for one in waiting:
            both = one.result()
            print(both.line(), flush=True)
            wrong += [both] if both.mistakes else []
    print(f"{len(runs)} runs over the wire in {time.monotonic() - began:.0f} s; {len(wrong)} not as in process")
    for both in wrong:
        print(both.told())
    return 1 if wrong else 0


def _kept(folder: str | None, run: Run) -> list[Attempt] | None:
    return None if folder is None else list(read_results(Path(folder) / run.folder))


if __name__ == "__main__":
    sys.exit(main())
