"""Apple's side: a system log in syslog form, and crash reports (`.ips`) for what crashed. Ends that are no crash leave
none, and nobody tells of an app that hangs."""

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
        self._system(at, f"[app<{who.app}>:{who.pid}] Process exited.")

    def stopped(self, at: float, who: Who) -> None:
        self._system(at, f"[app<{who.app}>:{who.pid}] Terminated by request.")

    def crashed(self, at: float, who: Who, exception: str, message: str, screen: str) -> None:
        told = f"*** Terminating app due to uncaught exception '{exception}', reason: '{message}'"
        self._write(at, "E", who.name, who.pid, told)
        self.died(at, who)
        abort = {"exception": {"type": "EXC_CRASH", "signal": "SIGABRT"},
                 "termination": {"namespace": "SIGNAL", "code": 6, "indicator": "Abort trap: 6"},
                 "asi": {"CoreFoundation": [told], who.name: [f"in {screen}"]}}  # fmt: skip
        self._report(at, who, abort)

    def signalled(self, at: float, who: Who) -> None:
        self.died(at, who)
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
        self.stopped(at, who)

    def reclaimed(self, at: float, who: Who, adj: int) -> None:
        state = "frontmost" if adj == 0 else "suspended"
        told = f"memorystatus: killing process {who.pid} [{who.name}] ({state}), reason: per-process-limit"
        self._write(at, "I", "kernel", 0, told)
        self.died(at, who)

    def exited(self, at: float, who: Who, status: int) -> None:
        self._system(at, f"[app<{who.app}>:{who.pid}] Process exited voluntarily, status {status}.")

    def exit_info(self, app: str) -> str:  # noqa: ARG002 (no such record for any app)
        return ""

    def crash_texts(self, app: str, since: float) -> list[str]:
        return [report.text for report in self._reports if report.app == app and report.at >= since]
