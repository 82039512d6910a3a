"""Apple's side: a system log in syslog form, crash reports (`.ips`) for what crashed, and one of the memory
(JetsamEvent) for what was killed for it. Nobody tells of an app that hangs."""

from __future__ import annotations

import json
from dataclasses import dataclass

from pytest_apex.phone.log import SYSTEM_PID, Log, Who, moment

_LEVELS = {"V": "Debug", "D": "Debug", "I": "Notice", "W": "Error", "E": "Fault"}


@dataclass(frozen=True, slots=True)
class _Report:
    at: float
    app: str
    text: str


class AppleLog(Log):
    def __init__(self) -> None:
        super().__init__()
        self._reports: list[_Report] = []

    def _write(self, at: float, level: str, sender: str, pid: int, text: str) -> None:
        stamp = f"{moment(at):%b %e %H:%M:%S}"
        for line in text.split("\n"):
            self.add(at, f"{stamp} iPhone {sender}[{pid}] <{_LEVELS[level]}>: {line}")

    def _system(self, at: float, text: str) -> None:
        self._write(at, "I", "SpringBoard(FrontBoard)", SYSTEM_PID, text)

    def write(self, at: float, who: Who, level: str, tag: str, text: str) -> None:
        self._write(at, level, who.name, who.pid, text if tag in (who.name, "System.out") else f"[{tag}] {text}")

    def started(self, at: float, who: Who) -> None:
        self._system(at, f"Bootstrap success! [app<{who.app}>:{who.pid}]")

    def shown(self, at: float, who: Who, took_ms: float) -> None:
        self._system(at, f"[app<{who.app}>:{who.pid}] first frame after {round(took_ms)} ms")

    def died(self, at: float, who: Who) -> None:
        """Said with its cause, by who knows it."""

    def _ended(self, at: float, who: Who, why: str) -> None:
        self._system(at, f"[app<{who.app}>:{who.pid}] Process exited: <RBSProcessExitContext| {why}>.")

    def _ended_by(self, at: float, who: Who, domain: str, code: str) -> None:
        self._ended(at, who, f"specific, status:<RBSProcessExitStatus| domain:{domain} code:{code}>")

    def stopped(self, at: float, who: Who) -> None:
        self._ended_by(at, who, "frontboard(10)", "force-quit(0xfbfbfbfb)")

    def crashed(self, at: float, who: Who, exception: str, message: str, screen: str) -> None:
        told = f"*** Terminating app due to uncaught exception '{exception}', reason: '{message}'"
        self._write(at, "E", who.name, who.pid, told)
        self._ended_by(at, who, "signal(2)", "SIGABRT(6)")
        abort = {"exception": {"type": "EXC_CRASH", "signal": "SIGABRT"},
                 "termination": {"namespace": "SIGNAL", "code": 6, "indicator": "Abort trap: 6"},
                 "asi": {"CoreFoundation": [told], who.name: [f"in {screen}"]}}  # fmt: skip
        self._report(at, who, abort)

    def signalled(self, at: float, who: Who) -> None:
        self._ended_by(at, who, "signal(2)", "SIGSEGV(11)")
        fault = "KERN_INVALID_ADDRESS at 0x0000000000000000"
        segv = {"exception": {"type": "EXC_BAD_ACCESS", "signal": "SIGSEGV", "subtype": fault},
                "termination": {"namespace": "SIGNAL", "code": 11, "indicator": "Segmentation fault: 11"}}  # fmt: skip
        self._report(at, who, segv)

    def _report(self, at: float, who: Who, told: dict[str, object]) -> None:
        stamp = f"{moment(at):%Y-%m-%d %H:%M:%S.%f}"[:-2]
        head = {"app_name": who.name, "timestamp": f"{stamp[:-2]} +0000", "bundleID": who.app, "bug_type": "309"}
        body = {
            "captureTime": f"{stamp} +0000",
            "pid": who.pid,
            "procName": who.name,
            "bundleInfo": {"CFBundleIdentifier": who.app},
            **told,
            "faultingThread": 0,
            "threads": [],
        }
        self._reports.append(_Report(at, who.app, f"{json.dumps(head)}\n{json.dumps(body, indent=2)}\n"))

    def froze(self, at: float, who: Who) -> None:
        """Nobody tells of it."""

    def killed_frozen(self, at: float, who: Who) -> None:
        self._ended_by(at, who, "frontboard(10)", "scene-update watchdog(0x8badf00d)")
        told = "scene-update watchdog transgression: exhausted real (wall clock) time allowance of 10.00 seconds"
        kill = {"exception": {"type": "EXC_CRASH", "signal": "SIGKILL"},
                "termination": {"namespace": "FRONTBOARD", "code": 0x8BADF00D, "reasons": [told]}}  # fmt: skip
        self._report(at, who, kill)

    def reclaimed(self, at: float, who: Who, adj: int) -> None:
        state = "frontmost" if adj == 0 else "suspended"
        told = (
            f"memorystatus: killing_specific_process pid {who.pid} [{who.name}] (per-process-limit {100 - adj // 10})"
        )
        self._write(at, "I", "kernel", 0, told)
        self._ended_by(at, who, "jetsam(1)", "per-process-limit(7)")
        stamp = f"{moment(at):%Y-%m-%d %H:%M:%S.%f}"[:-4]
        head = {"bug_type": "298", "timestamp": f"{stamp} +0000"}
        process = {"pid": who.pid, "name": who.name, "reason": "per-process-limit", "states": [state], "rpages": 92_000}
        body = {"date": f"{stamp} +0000", "largestProcess": who.name, "processes": [process]}
        self._reports.append(_Report(at, who.app, f"{json.dumps(head)}\n{json.dumps(body, indent=2)}\n"))

    def exited(self, at: float, who: Who, status: int) -> None:  # noqa: ARG002 (it is not told)
        self._ended(at, who, "voluntary")

    def exit_info(self, app: str) -> str:  # noqa: ARG002 (no such record for any app)
        return ""

    def crash_texts(self, app: str, since: float) -> list[str]:
        log = self.from_time(since)
        reports = [report.text for report in self._reports if report.app == app and report.at >= since]
        return [log, *reports] if log else reports
