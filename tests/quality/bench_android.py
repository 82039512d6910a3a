"""What driving an Android phone costs, beside a plain uiautomator2 script that does the same work on the same phone.

    python tests/quality/bench_android.py              # 20 rounds
    python tests/quality/bench_android.py --rounds 50

A round is a tap, a tree, a picture and ten look-ups of controls. The phone is the built-in one behind a real adb, both
drive it in turns, and both waits for it are the same. Ends with 1 if the driver costs more than half of the script, or
a whole act with its evidence more than the script. Settling, which the script does not do, is a line of its own.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

import uiautomator2
from wire.android import APP, own_adb

from pytest_apex.backends.uiautomator2 import helper
from pytest_apex.backends.uiautomator2.connecting import connect
from pytest_apex.backends.virtual import demo_app
from pytest_apex.device.device import Device
from pytest_apex.evidence.recorder import Recorder
from pytest_apex.evidence.redact import Redactor
from pytest_apex.evidence.store import Store
from pytest_apex.hierarchy.query import find
from pytest_apex.model.action import Sample, Stroke, Track
from pytest_apex.model.target import By, Target
from pytest_apex.phone_wires.serve import serve_phone
from pytest_apex.settings import Settings

#: Controls of the demo app's first screen, by text: some are there, some are not.
TEXTS = ("Sign in", "E-mail", "Log in", "Forgot password?", "Notes", "Nobody", "Your notes on every device.", "Save",
         "Password", "Sign in")  # fmt: skip
#: A place where nothing is: a tap there changes nothing, round after round.
PLACE = (270, 1000)
TOUCH_MS = 60
DRIVER_LIMIT, EVIDENCE_LIMIT = 0.5, 1.0


@dataclass
class Times:
    """Milliseconds a round."""

    script: list[float]
    driver: list[float]
    evidence: list[float]
    settling: list[float]


def script_round(phone: Any) -> None:
    """The plain script: each look-up asks the phone."""
    phone.long_click(*PLACE, duration=TOUCH_MS / 1000)
    phone.dump_hierarchy()
    phone.screenshot()
    for text in TEXTS:
        _ = phone(text=text).exists


def driver_round(backend: Any) -> None:
    """The same by our backend: look-ups are made in the tree that is there."""
    samples = (Sample(0, *PLACE), Sample(TOUCH_MS, *PLACE))
    backend.perform(Track("tap", (Stroke(0, samples),)))
    snapshot = backend.capture()
    for text in TEXTS:
        find(snapshot, Target((By("text", text),)))
    assert snapshot.picture is not None
    snapshot.picture.pixels()  # the script's picture is decoded too


def timed(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return (time.perf_counter() - started) * 1000


def act_round(device: Device) -> tuple[float, float]:
    """A whole act with its evidence, and how much of it was waiting for the screen to rest; the looks between the waits
    are work."""
    clock, waited = device.context.backend.clock, 0.0
    sleep = clock.sleep

    def watched(seconds: float) -> None:
        nonlocal waited
        waited += timed(lambda: sleep(seconds))

    clock.sleep = watched  # type: ignore[method-assign]
    try:
        took = timed(lambda: device.perform(f"t {PLACE[0]} {PLACE[1]} {TOUCH_MS / 1000}"))
    finally:
        clock.sleep = sleep  # type: ignore[method-assign]
    snapshot = device.context.eyes.last
    assert snapshot is not None
    return took + timed(lambda: [find(snapshot, Target((By("text", text),))) for text in TEXTS]), waited


def run(rounds: int) -> Times:
    times = Times([], [], [], [])
    with own_adb() as adb, serve_phone([demo_app()]) as served, tempfile.TemporaryDirectory() as folder:
        served.handset.files.write(helper.TARGET, helper.jar().read_bytes())
        adb.connect(served.serial, 5.0)
        backend = connect(served.serial, Settings())
        phone = uiautomator2.connect(served.serial)
        recorder = Recorder(Path(folder), Store(Path(folder)), Redactor(), "always")
        device = Device(backend, Settings(), recorder, test="bench")
        try:
            device.start(APP)
            for number in range(rounds + 1):
                script = timed(lambda: script_round(phone))
                driver = timed(lambda: driver_round(backend))
                whole, waited = act_round(device)
                if number:  # the first round loads what all need
                    times.script.append(script)
                    times.driver.append(driver)
                    times.evidence.append(whole - waited)
                    times.settling.append(waited)
        finally:
            device.finish()
            recorder.close(failed=False)
            backend.close()
            phone.stop_uiautomator(wait=False)
    return times


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=20)
    arguments = parser.parse_args()
    times = run(arguments.rounds)
    base = statistics.median(times.script)
    rows = (
        ("plain uiautomator2 script", times.script, None),
        ("our driver, same work", times.driver, DRIVER_LIMIT),
        ("whole act, with evidence kept", times.evidence, EVIDENCE_LIMIT),
        ("settling: waits between its looks", times.settling, None),
    )
    print(f"{'tap + tree + picture + 10 look-ups':36}{'ms':>8}{'ratio':>8}{'limit':>8}")
    wrong = False
    for name, values, limit in rows:
        middle = statistics.median(values)
        wrong = wrong or (limit is not None and middle > limit * base)
        print(f"{name:36}{middle:8.0f}{middle / base:8.2f}{limit if limit is not None else '':>8}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
