"""The faults of the built-in phone through a real Appium server: the verdicts have to be those in process.

    python tests/quality/appium_matrix.py android --servers FOLDER      the UiAutomator2 driver, over a real adb
    python tests/quality/appium_matrix.py ios tvos --servers FOLDER     the XCUITest driver
    python tests/quality/appium_matrix.py grid --servers FOLDER         one fault a category, through Selenium Grid
    … --every                 every fault, not those alone whose evidence comes another way through Appium
    … --keep FOLDER           leave what ran there, a folder a fault
    … --here FOLDER           beside what `matrix.py --keep FOLDER` left; it tells which tests show a fault
    … --only dead_button      one of them
    … --only none --whole     the whole example suite

FOLDER is where `npm ci` was done for `tests/wire/servers`. Of each fault run the first test that fails by it, of an
innocent one the test that meets it. The servers are started once. Ends with 1 where a test is called otherwise; what
can't run here is told as "not run".
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import Manager, get_context
from pathlib import Path
from queue import Queue

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))

from expected import EXPECTED, Run
from wire.android import own_adb
from wire.servers import appium, grid
from wire_matrix import ALWAYS, MEETS, ROOT, SEED, SHORTER, SUITE, Both

from pytest_apex.backends.uiautomator2.adb import AdbServer, AdbTrouble
from pytest_apex.backends.virtual import demo_app
from pytest_apex.model.verdict import Attempt
from pytest_apex.phone_wires.serve import serve_phone
from pytest_apex.phone_wires.wda.serve import serve_wda
from pytest_apex.reports.results import read_results

PATIENCE_S, EACH_S = 600, 0.5
#: What is waited for in vain is waited for in real time here.
WAITS_IN_VAIN = {"endless_load": ("--apex-load-timeout=4",), "anr": ("--apex-load-timeout=4",)}
#: Without `--every`: where the evidence comes another way than over adb, and one of each category with its twin.
FEW = {
    "tvos": ("none", "dead_button", "lost_touch", "cut_label", "native_crash", "driver_dead", "driver_restart"),
    "grid": ("dead_button", "cut_label", "native_crash", "driver_dead", "lost_touch"),
    "ios": (
        "dead_button", "lost_touch", "cut_label", "native_crash", "silent_exit", "low_memory_kill", "device_lost",
        "reconnect", "driver_dead", "driver_restart", "permission_dialog",
    ),
    "android": (
        "dead_button", "lost_touch", "cut_label", "native_crash", "anr", "other_app_anr", "silent_exit",
        "low_memory_kill", "device_lost", "reconnect", "driver_dead", "driver_restart", "stale_tree",
    ),
}  # fmt: skip

#: Tests that need what Appium's drivers have not.
NOT_THERE = ("test_saving_is_confirmed", "test_a_draft_survives_when_memory_is_short")


@dataclass(frozen=True)
class Server:
    """A running Appium server, and what it was started with. `usbmux` is the port that its driver for iOS asks."""

    url: str
    adb: int = 0
    usbmux: int = 0


def compare(way: str, run: Run, arguments: argparse.Namespace, slots: Queue[Server]) -> Both:
    """One fault on a phone of its own, in a process of its own."""
    both, server = Both(run, way), slots.get()
    started = time.monotonic()
    try:
        with tempfile.TemporaryDirectory(prefix="appium-matrix-") as scratch:
            folder = Path(arguments.keep) / way / run.folder if arguments.keep else Path(scratch)
            both.trouble = _compare(both, arguments.here, arguments.whole, server, folder)
    finally:
        slots.put(server)
    both.seconds = time.monotonic() - started
    return both


def _compare(both: Both, kept: str, whole: bool, server: Server, folder: Path) -> str:
    """Fill in both sides; what is wrong, "" for nothing."""
    run, platform = both.run, "android" if both.way == "grid" else both.way
    here = list(read_results(Path(kept) / run.folder)) if kept else []
    tests = () if whole else _shown_by(run, here)
    # A fault may show in none but tests that can't be run here: then how another fares alone is asked anew.
    alone = bool(here) and bool(_failing(here)) and not _failing([one for one in here if one.test in tests])
    if platform != "android" or not here or (tests and alone):
        query = "&".join([f"platform={platform}", f"seed={SEED}", *([f"fault={run.fault}"] if run.fault else [])])
        here = _suite(run, folder / "here", tests, [f"--apex-device=virtual?{query}"])
        tests = tests or (() if whole else _shown_by(run, here))
    with _phone(platform, run.fault, server) as options:
        over = _suite(run, folder / "wire", tests, [*options, *WAITS_IN_VAIN.get(run.fault, SHORTER)])
    both.here = _failing([one for one in here if not tests or one.test in tests])
    both.wire, both.ran = _failing(over), len(over)
    both.why = {one.test: " | ".join((str(one.verdict), *one.verdict.why, *one.also)) for one in over}
    missing = set(tests) - {one.test for one in over}
    return f"did not run through Appium: {', '.join(sorted(missing)) or 'any test'}" if missing or not over else ""


def _shown_by(run: Run, attempts: Sequence[Attempt]) -> tuple[str, ...]:
    """The tests to run: the first that fails by the fault, or the one that meets it."""
    failing = [
        one.test for one in attempts if one.outcome not in ("passed", "skipped") and _name(one.test) not in NOT_THERE
    ]
    meets = MEETS.get(run.fault, ALWAYS)
    return tuple(failing[:1] or [one.test for one in attempts if _name(one.test) == meets])


def _name(test: str) -> str:
    return test.rpartition("::")[2]


@contextmanager
def _phone(platform: str, fault: str, server: Server) -> Iterator[list[str]]:
    """A phone with this fault within the server's reach, and the options of pytest for it."""
    with ExitStack() as stack:
        if platform == "android":
            served = stack.enter_context(serve_phone([demo_app()], fault=fault or None, seed=SEED))
            adb = AdbServer()  # the one that the environment names
            adb.connect(served.serial, 5.0)
            stack.callback(adb.disconnect, served.serial)
            # As a cable does: adb has the phone again as soon as it is there.
            stack.enter_context(_again_and_again(lambda: _plug_in(adb, served.serial)))
            name = served.serial
            caps = {
                "platformName": "Android", "adbPort": server.adb, "systemPort": appium.free_port(),
                "skipServerInstallation": True, "skipDeviceInitialization": True, "skipUnlock": True,
                "suppressKillServer": True,
            }  # fmt: skip
        else:
            apple = stack.enter_context(
                serve_wda([demo_app()], platform=platform, fault=fault or None, seed=SEED, usbmux=server.usbmux)
            )
            name = apple.udid
            # As what runs WebDriverAgent on a real one does: it is started again when it has ended.
            stack.enter_context(_again_and_again(lambda: apple.device.driver.alive or apple.start_driver()))
            system = {"ios": "iOS", "tvos": "tvOS"}[platform]
            caps = {"platformName": system, "platformVersion": "17.5", "webDriverAgentUrl": apple.url}
        yield [
            f"--apex-device={name}", "--apex-backend=appium", f"--apex-appium-url={server.url}",
            f"--apex-appium-caps={json.dumps(caps)}",
        ]  # fmt: skip


def _plug_in(adb: AdbServer, serial: str) -> None:
    if not any(one.serial == serial and one.state == "device" for one in adb.devices()):
        adb.disconnect(serial)
        adb.connect(serial, 1.0)


@contextmanager
def _again_and_again(do: Callable[[], object]) -> Iterator[None]:
    over = threading.Event()

    def loop() -> None:
        while not over.wait(EACH_S):
            with suppress(AdbTrouble):
                do()

    thread = threading.Thread(target=loop, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join(PATIENCE_S)


def _suite(run: Run, folder: Path, tests: Sequence[str], options: Sequence[str]) -> list[Attempt]:
    named = [f"{SUITE}/{test}" for test in tests] or [SUITE]
    command = [
        sys.executable, "-m", "pytest", *named, f"--apex-seed={SEED}", f"--apex-artifacts={folder}", "-q",
        "-p", "no:cacheprovider", "-p", "no:randomly", *run.options, *options,
    ]  # fmt: skip
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("APEX_", "PYTEST_"))}
    # All built-in phones of one seed have one id, and are still one each: who uses which is not told between the runs.
    environment["TMPDIR"] = str(folder.parent / "temporary")
    Path(environment["TMPDIR"]).mkdir(parents=True, exist_ok=True)
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, timeout=PATIENCE_S, check=False)
    if os.environ.get("APPIUM_MATRIX_SAYS"):
        sys.stderr.write(done.stdout.decode(errors="replace"))
    if not (folder / "results.jsonl").is_file():
        sys.stderr.write((done.stdout + done.stderr).decode(errors="replace")[-2000:])
        return []
    return list(read_results(folder))


def _failing(attempts: Sequence[Attempt]) -> dict[str, str]:
    return {one.test: one.verdict.kind for one in attempts if one.outcome not in ("passed", "skipped")}


@contextmanager
def _servers(way: str, folder: Path, jobs: int) -> Iterator[list[Server]]:
    """What runs a way's tests: `jobs` places, at one server, or at a server each where its driver knows one usbmuxd."""
    with ExitStack() as stack:
        logs = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="appium-matrix-")))
        if way in ("android", "grid"):
            adb = stack.enter_context(own_adb())
            one = appium.start(folder, logs / "server.log")
            stack.callback(one.stop)
            url = one.url
            if way == "grid":
                slot = {"platformName": "Android", "appium:automationName": "UiAutomator2"}
                between = grid.start(folder, logs, url, slot, count=jobs)
                stack.callback(between.stop)
                url = between.url
            yield [Server(url, adb.port)] * jobs
            return
        made = []
        for number in range(jobs):
            usbmux = appium.free_port()
            one = appium.start(folder, logs / f"server-{number}.log", usbmux=usbmux)
            stack.callback(one.stop)
            made.append(Server(one.url, usbmux=usbmux))
        yield made


def run_way(way: str, runs: Sequence[Run], arguments: argparse.Namespace) -> list[Both]:
    """The runs that were called otherwise."""
    wrong, began = list[Both](), time.monotonic()
    with _servers(way, arguments.servers, arguments.jobs) as places, Manager() as manager:
        slots = manager.Queue()
        for place in places:
            slots.put(place)
        # A process for each phone: in one, they would wait for each other. Most of a run is waiting.
        with ProcessPoolExecutor(arguments.jobs, get_context("spawn")) as pool:
            for one in [pool.submit(compare, way, run, arguments, slots) for run in runs]:
                both = one.result()
                print(both.line(), flush=True)
                wrong += [both] if both.mistakes else []
    print(f"{way}: {len(runs)} runs in {time.monotonic() - began:.0f} s; {len(wrong)} not as in process")
    return wrong


def not_run(way: str, servers: Path) -> str:
    """Why a way can't be gone on this machine; "" where it can."""
    programs = ["node", *(["adb"] if way in ("android", "grid") else []), *(["java"] if way == "grid" else [])]
    missing = [name for name in programs if shutil.which(name) is None]
    if missing:
        return f"there is no {' and no '.join(missing)} on the PATH"
    if not (servers / "node_modules/appium").is_dir() or (way == "grid" and grid.jar_in(servers) is None):
        return f"the servers are not installed in {servers}: npm ci there"
    return ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ways", nargs="+", choices=("android", "ios", "tvos", "grid"))
    parser.add_argument("--servers", type=Path, default=ROOT / "tests/wire/servers", metavar="FOLDER")
    parser.add_argument("--here", default="", metavar="FOLDER", help="what `matrix.py --keep FOLDER` left")
    parser.add_argument("--only", action="append", default=[], metavar="FAULT")
    parser.add_argument("--every", action="store_true", help="every fault")
    parser.add_argument("--keep", default="", metavar="FOLDER", help="leave what ran there, a folder a fault")
    parser.add_argument("--whole", action="store_true", help="the whole suite")
    parser.add_argument("--jobs", type=int, default=4, metavar="N", help="phones at a time (default: 4)")
    arguments = parser.parse_args()
    wrong, missing = list[Both](), False
    for way in arguments.ways:
        why = not_run(way, arguments.servers)
        if why:
            print(f"not run: {way}: {why}")
            missing |= os.environ.get("CI", "").lower() in ("1", "true")
            continue
        chosen = arguments.only or FEW[way]
        every = arguments.every and not arguments.only
        runs = [run for run in EXPECTED if not run.by_adb and (every or (run.fault or "none") in chosen)]
        wrong += run_way(way, runs, arguments)
    for both in wrong:
        print(both.told())
    return 1 if wrong or missing else 0


if __name__ == "__main__":
    sys.exit(main())
