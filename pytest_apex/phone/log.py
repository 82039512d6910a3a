"""What the phone writes down: its log as `logcat -v threadtime` prints it, and why processes ended.

Formats: AOSP `logcat` threadtime; events after `services/core/java/com/android/server/am/EventLogTags.logtags`; exit
records as `dumpsys activity exit-info` prints them (API 30 and newer).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone

#: The moment the phone's clock stands at 0.
EPOCH = datetime(2026, 3, 2, 9, 41, tzinfo=timezone.utc)
#: Process id of the system server, which writes about all others.
SYSTEM_PID = 1523
#: Lines that are kept, as in a ring buffer.
_KEPT = 20_000

#: `ApplicationExitInfo` reasons: number and name as dumpsys prints it.
EXIT_REASONS = {
    "exit_self": (1, "EXIT_SELF"),
    "low_memory": (3, "LOW_MEMORY"),
    "crash": (4, "APP CRASH(EXCEPTION)"),
    "native": (5, "APP CRASH(NATIVE)"),
    "anr": (6, "ANR"),
    "user_requested": (10, "USER REQUESTED"),
}


def moment(at: float) -> datetime:
    """A time of the phone's clock as a date (UTC)."""
    return EPOCH + timedelta(seconds=at)


def _stamp(at: float) -> str:
    return f"{moment(at):%m-%d %H:%M:%S.%f}"[:-3]


@dataclass(frozen=True, slots=True)
class ExitRecord:
    """Why a process ended; `reason` is a key of `EXIT_REASONS`."""

    at: float
    app: str
    pid: int
    uid: int
    reason: str
    status: int = 0
    description: str = ""

    def lines(self, number: int) -> Sequence[str]:
        code, name = EXIT_REASONS[self.reason]
        stamp = f"{moment(self.at):%Y-%m-%d %H:%M:%S.%f}"[:-3]
        pad = " " * 10
        return (
            f"        ApplicationExitInfo #{number}:",
            f"{pad}timestamp={stamp} pid={self.pid} realUid={self.uid} packageUid={self.uid} definingUid={self.uid} user=0",
            f"{pad}process={self.app} reason={code} ({name}) subreason=0 (UNKNOWN) status={self.status}",
            f"{pad}importance=100 pss=64MB rss=148MB description={self.description or 'null'} state=empty trace=null",
        )


class Log:
    """Lines with a running number, so that a reader can go on where it stopped."""

    def __init__(self) -> None:
        self._lines: deque[tuple[float, str]] = deque(maxlen=_KEPT)
        self._count = 0
        self.exits: list[ExitRecord] = []

    @property
    def count(self) -> int:
        """Lines written so far."""
        return self._count

    def write(self, at: float, level: str, tag: str, text: str, pid: int, tid: int = 0) -> None:
        for line in text.split("\n"):
            self._lines.append((at, f"{_stamp(at)} {pid:5d} {tid or pid:5d} {level} {tag:<8}: {line}"))
            self._count += 1

    def system(self, at: float, level: str, tag: str, text: str) -> None:
        """A line of the system server."""
        self.write(at, level, tag, text, SYSTEM_PID, SYSTEM_PID + 24)

    def from_line(self, number: int) -> str:
        """All lines from a running number on."""
        skip = max(0, number - (self._count - len(self._lines)))
        return "".join(f"{line}\n" for index, (_, line) in enumerate(self._lines) if index >= skip)

    def from_time(self, at: float) -> str:
        return "".join(f"{line}\n" for when, line in self._lines if when >= at)

    # What the system writes about processes

    def started(self, at: float, app: str, activity: str, pid: int, uid: int) -> None:
        component = f"{{{app}/{activity}}}"
        self.system(at, "I", "ActivityTaskManager", f"START u0 {{act=android.intent.action.MAIN cmp={app}/{activity}}}")
        self.system(at, "I", "am_proc_start", f"[0,{pid},{uid},{app},next-top-activity,{component}]")
        self.system(
            at, "I", "ActivityManager", f"Start proc {pid}:{app}/u0a{uid - 10000} for next-top-activity {component}"
        )

    def shown(self, at: float, app: str, activity: str, took_ms: float) -> None:
        self.system(at, "I", "ActivityTaskManager", f"Displayed {app}/{activity} for user 0: +{round(took_ms)}ms")

    def died(self, at: float, app: str, pid: int) -> None:
        self.system(at, "I", "ActivityManager", f"Process {app} (pid {pid}) has died: fg  TOP")
        self.system(at, "I", "am_proc_died", f"[0,{pid},{app},0,2]")

    def stopped(self, at: float, app: str, pid: int, uid: int) -> None:
        """Someone outside stopped the app, as `am force-stop` does."""
        why = f"stop {app} due to from pid {SYSTEM_PID + 9000}"
        self.system(
            at, "I", "ActivityManager", f"Force stopping {app} appid={uid} user=0: from pid {SYSTEM_PID + 9000}"
        )
        self.system(at, "I", "ActivityManager", f"Killing {pid}:{app}/u0a{uid - 10000} (adj 0): {why}")
        self.system(at, "I", "am_kill", f"[0,{pid},{app},0,{why}]")
        self.exits.append(ExitRecord(at, app, pid, uid, "user_requested", 0, why))

    def crashed(self, at: float, app: str, pid: int, uid: int, exception: str, message: str, place: str) -> None:
        """An exception on the main thread that nobody caught."""
        head = f"{exception}: {message}" if message else exception
        kind, _, line = place.rpartition(":")
        frames = (
            f"FATAL EXCEPTION: main\nProcess: {app}, PID: {pid}\n{head}\n"
            f"\tat {app}.{kind}.onClick({kind}.java:{line})\n"
            "\tat android.view.View.performClick(View.java:8047)\n"
            "\tat android.view.View$PerformClick.run(View.java:31549)\n"
            "\tat android.os.Handler.handleCallback(Handler.java:995)\n"
            "\tat android.os.Looper.loop(Looper.java:288)\n"
            "\tat android.app.ActivityThread.main(ActivityThread.java:8934)"
        )
        self.write(at, "E", "AndroidRuntime", frames, pid)
        self.system(at, "I", "am_crash", f"[{pid},0,{app},551075396,{exception},{message},{kind}.java,{line},0]")
        self.system(at, "W", "ActivityTaskManager", f"  Force finishing activity {app}/.MainActivity")
        self.write(at, "I", "Process", f"Sending signal. PID: {pid} SIG: 9", pid)
        self.died(at, app, pid)
        self.exits.append(ExitRecord(at, app, pid, uid, "crash", 0, "crash"))

    def froze(self, at: float, app: str, activity: str, pid: int) -> None:
        """The app did not answer to input for five seconds."""
        reason = f"Input dispatching timed out ({app}/{activity} is not responding. Waited 5001ms for MotionEvent)"
        self.system(at, "I", "am_anr", f"[0,{pid},{app},551075396,{reason}]")
        self.system(at, "E", "ActivityManager", f"ANR in {app} ({app}/{activity})\nPID: {pid}\nReason: {reason}")

    def killed_frozen(self, at: float, app: str, pid: int, uid: int) -> None:
        """The user closed an app that did not answer."""
        self.system(
            at, "I", "ActivityManager", f"Killing {pid}:{app}/u0a{uid - 10000} (adj 0): user request after error"
        )
        self.system(at, "I", "am_kill", f"[0,{pid},{app},0,user request after error]")
        self.exits.append(ExitRecord(at, app, pid, uid, "anr", 0, "user request after error"))

    def exited(self, at: float, app: str, pid: int, uid: int, status: int) -> None:
        """The process ended itself."""
        self.write(at, "I", "System.out", "System.exit called, status: " + str(status), pid)
        self.died(at, app, pid)
        self.exits.append(ExitRecord(at, app, pid, uid, "exit_self", status))

    def exit_info(self, app: str) -> str:
        """`dumpsys activity exit-info APP`: newest first."""
        records = [record for record in self.exits if record.app == app]
        lines = ["ACTIVITY MANAGER PROCESS EXIT INFO (dumpsys activity exit-info)",
                 f"Last Timestamp of Persistence Into Persistent Storage: {EPOCH:%Y-%m-%d %H:%M:%S}.000",
                 f"  package: {app}"]  # fmt: skip
        if records:
            lines.append(f"    Historical Process Exit for uid={records[0].uid}")
        for number, record in enumerate(reversed(records)):
            lines.extend(record.lines(number))
        return "\n".join(lines) + "\n"
