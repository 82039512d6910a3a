"""Faults on the line between the backend and the server on the phone, seeded: no call hangs beyond its limit, no act
reaches the phone twice, and no error is anybody's but the harness's.

    python tests/quality/wire_faults.py                  # 500 faults, some minutes
    python tests/quality/wire_faults.py --count 50 --seed 7

The phone is the built-in one behind a real adb. Each act has a place of its own on the screen, so that the phone's
journal tells which acts came, and how often. Ends with 1 if anything of the above does not hold.
"""

from __future__ import annotations

import argparse
import random
import socket
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from quality.bad_line import FAULTS, BadLine
from wire.android import APP, end_adb, own_adb

from pytest_apex.backends.uiautomator2 import helper
from pytest_apex.backends.uiautomator2.adb import AdbServer
from pytest_apex.backends.uiautomator2.backend import Uiautomator2Backend
from pytest_apex.backends.uiautomator2.connection import Connection
from pytest_apex.backends.uiautomator2.handset import Handset
from pytest_apex.backends.uiautomator2.limits import Limits
from pytest_apex.backends.virtual import demo_app
from pytest_apex.errors import ApexError, DeviceLost, DriverDead
from pytest_apex.model.action import Sample, Stroke, Track
from pytest_apex.phone_wires.serve import Served, serve_phone

#: Short, so that hundreds of hangs can be waited for; `late` answers are within them.
LIMITS = Limits(ping=0.4, look=0.8, act=0.8, shell=5, start=10, back=10, boot=20, install=20, silence=5)
LATE_S = 0.2
#: The longest way of one call: its own limit, a ping and a look before it, the server started anew, and once more.
LONGEST_S = 2 * (LIMITS.act + LIMITS.look + LIMITS.ping) + LIMITS.start
#: One fault in so many is the death of adb's server.
_ADB_EVERY = 25


@dataclass
class Report:
    """`count` has the faults that hit a call, `hit` which ones those were."""

    count: Counter[str] = field(default_factory=Counter)
    hit: Counter[str] = field(default_factory=Counter)
    outcome: Counter[str] = field(default_factory=Counter)
    longest_s: float = 0.0
    wrong: list[str] = field(default_factory=list)
    acts: int = 0
    arrived: int = 0


class Bench:
    """One phone, one backend, the bad line between them."""

    def __init__(self, served: Served, adb: AdbServer, rng: random.Random) -> None:
        self.served, self.adb, self.rng = served, adb, rng
        self.backend = Uiautomator2Backend(Connection(Handset(adb, served.serial, LIMITS)))
        connection = self.backend._connection
        self.line = BadLine(lambda: (adb.host, connection._port), rng, LATE_S, LIMITS.act)
        connection.channel._dial = self._dial
        connection.channel.close()
        self.report = Report()
        self._number = 0

    def _dial(self, timeout: float) -> socket.socket:
        sock = socket.create_connection(("127.0.0.1", self.line.port), timeout)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return sock

    def close(self) -> None:
        self.line.close()
        self.backend.close()

    def place(self) -> tuple[int, int]:
        """A place of its own for each act, on a part of the screen where nothing is."""
        self._number += 1
        return 20 + self._number % 500, 850 + self._number // 500

    def one(self, number: int) -> None:
        """One fault, at one call."""
        fault = "adb_killed" if number % _ADB_EVERY == _ADB_EVERY - 1 else self.rng.choice(FAULTS)
        act, place = self._choose()
        self.served.journal.clear()
        anew = fault == "refused" or self.rng.random() < 0.2
        if anew:  # a new connection is pinged before it is used
            self.backend._connection.channel.close()
        self.line.hit = "adb" if fault == "adb_killed" else ""
        if fault == "adb_killed":
            end_adb(self.adb)
        else:
            self.line.on_ping, self.line.fault = anew and self.rng.random() < 0.5, fault
        before = time.monotonic()
        told = self._told(act)
        took = time.monotonic() - before
        self.line.fault = ""
        where = f"{fault} at {self.line.hit}"
        if self.line.hit:
            self.report.count[fault] += 1
            self.report.hit[self.line.hit] += 1
        self.report.outcome[told.partition(":")[0]] += 1
        self.report.longest_s = max(self.report.longest_s, took)
        if took > LONGEST_S:
            self.report.wrong.append(f"{number}: {where}: took {took:.1f} s")
        if told.startswith("wrong"):
            self.report.wrong.append(f"{number}: {where}: {told}")
        self._check_arrived(number, where, told, place)
        self._bring_back(number, where, told)

    def _choose(self) -> tuple[Callable[[], object], tuple[int, int] | None]:
        kind = self.rng.choice(("tap", "tap", "swipe", "look", "ask"))
        # The calls of each kind: an act asks for the last toast before, a swipe is told in three events.
        self.line.skip = self.rng.choice({"tap": (0, 1, 1, 1), "swipe": (0, 1, 2, 3)}.get(kind, (0,)))
        if kind == "look":
            return self.backend.capture, None
        if kind == "ask":
            return self.backend.clipboard, None
        x, y = self.place()
        end = (x, y) if kind == "tap" else (x, y - 200)
        curve = Sample(60, x + 9, y - 90) if kind == "swipe" else Sample(20, x, y)
        track = Track(kind, (Stroke(0, (Sample(0, x, y), curve, Sample(120, *end))),), humanized=True)
        return (lambda: self.backend.perform(track)), (x, y)

    def _told(self, act: Callable[[], object]) -> str:
        try:
            act()
        except (DeviceLost, DriverDead) as error:
            return f"{type(error).__name__}: {error}"
        except ApexError as error:
            return f"wrong error {type(error).__name__}: {error}"
        except Exception as error:  # noqa: BLE001 - that is what is looked for
            return f"wrong error {type(error).__name__}: {error!r}"
        return "done"

    def _check_arrived(self, number: int, where: str, told: str, place: tuple[int, int] | None) -> None:
        if place is None:
            if self.served.journal.touches:
                self.report.wrong.append(f"{number}: {where}: a look touched the phone")
            return
        downs = [entry for entry in self.served.journal.touches if entry.name == "down"]
        self.report.acts += 1
        self.report.arrived += bool(downs)
        if len(downs) > 1:
            self.report.wrong.append(f"{number}: {where}: {len(downs)} touches for one act ({told})")
        if told == "done" and not downs:
            self.report.wrong.append(f"{number}: {where}: told as done, and nothing came")
        if told.startswith("NotSent") and downs:
            self.report.wrong.append(f"{number}: {where}: told as not sent, and it came")

    def _bring_back(self, number: int, where: str, told: str) -> None:
        try:
            if told != "done":
                self.backend.recover()
            if self.backend.capture().source != "uiautomator2":
                self.backend.recover()
        except ApexError as error:
            self.report.wrong.append(f"{number}: {where}: did not come back: {error}")


def run(count: int, seed: int) -> Report:
    rng = random.Random(seed)
    with own_adb() as adb, serve_phone([demo_app()]) as served:
        served.handset.files.write(helper.TARGET, helper.jar().read_bytes())
        adb.connect(served.serial, 5.0)
        bench = Bench(served, adb, rng)
        try:
            bench.backend.launch(APP)
            bench.backend.clock.sleep(1.0)
            number = 0
            while bench.report.count.total() < count:
                bench.one(number)
                number += 1
        finally:
            bench.close()
        return bench.report


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    report = run(arguments.count, arguments.seed)
    for fault, times in sorted(report.count.items()):
        print(f"{fault:22}{times:5}")
    print("hit: " + ", ".join(f"{what} {times}" for what, times in report.hit.most_common()))
    print("outcome: " + ", ".join(f"{what} {times}" for what, times in report.outcome.most_common()))
    print(f"{report.acts} acts, {report.arrived} arrived, none twice" if not report.wrong else f"{report.acts} acts")
    print(f"longest call {report.longest_s:.1f} s (limit {LONGEST_S:.1f} s)")
    for line in report.wrong:
        print(f"WRONG {line}")
    return 1 if report.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
