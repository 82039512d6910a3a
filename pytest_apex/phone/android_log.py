"""Android's log as `logcat -b all -v threadtime` prints it, and `dumpsys activity exit-info`.

Events: AOSP `services/core/java/com/android/server/am/EventLogTags.logtags`. Exit records: `ApplicationExitInfo`, API
30 and newer. Signals: `bionic/linker` and `debuggerd`; kills for memory: `system/memory/lmkd`.
"""

from __future__ import annotations

from dataclasses import dataclass

from pytest_apex.phone.log import EPOCH, SYSTEM_PID, Log, Who, moment

#: `ApplicationExitInfo` reasons: number and name as dumpsys prints it.
_REASONS = {
    "exit_self": (1, "EXIT_SELF"),
    "low_memory": (3, "LOW_MEMORY"),
    "crash": (4, "APP CRASH(EXCEPTION)"),
    "native_crash": (5, "APP CRASH(NATIVE)"),
    "anr": (6, "ANR"),
    "user_requested": (10, "USER REQUESTED"),
}
_FLAGS = 551075396


def _seconds(at: float, pattern: str) -> str:
    """Date and time to the millisecond."""
    return f"{moment(at):{pattern}.%f}"[:-3]


@dataclass(frozen=True, slots=True)
class _Exit:
    at: float
    who: Who
    reason: str
    status: int
    description: str

    def lines(self, number: int) -> list[str]:
        code, name = _REASONS[self.reason]
        uid, pad = self.who.uid, " " * 10
        return [
            f"        ApplicationExitInfo #{number}:",
            f"{pad}timestamp={_seconds(self.at, '%Y-%m-%d %H:%M:%S')} pid={self.who.pid} realUid={uid} "
            f"packageUid={uid} definingUid={uid} user=0",
            f"{pad}process={self.who.app} reason={code} ({name}) subreason=0 (UNKNOWN) status={self.status}",
            f"{pad}importance=100 pss=64MB rss=148MB description={self.description or 'null'} state=empty trace=null",
        ]


class AndroidLog(Log):
    def __init__(self) -> None:
        super().__init__()
        self._exits: list[_Exit] = []

    def write(self, at: float, who: Who, level: str, tag: str, text: str) -> None:
        self._write(at, level, tag, text, who.pid, who.pid)

    def _write(self, at: float, level: str, tag: str, text: str, pid: int, tid: int) -> None:
        stamp = _seconds(at, "%m-%d %H:%M:%S")
        for line in text.split("\n"):
            self.add(at, f"{stamp} {pid:5d} {tid:5d} {level} {tag:<8}: {line}")

    def _system(self, at: float, level: str, tag: str, text: str) -> None:
        self._write(at, level, tag, text, SYSTEM_PID, SYSTEM_PID + 24)

    def _end(self, at: float, who: Who, reason: str, status: int = 0, description: str = "") -> None:
        self._exits.append(_Exit(at, who, reason, status, description))

    def started(self, at: float, who: Who) -> None:
        component = f"{who.app}/{who.activity}"
        self._system(at, "I", "ActivityTaskManager", f"START u0 {{act=android.intent.action.MAIN cmp={component}}}")
        event = f"[0,{who.pid},{who.uid},{who.app},next-top-activity,{{{component}}}]"
        self._system(at, "I", "am_proc_start", event)
        proc = f"Start proc {who.pid}:{who.app}/u0a{who.uid - 10000} for next-top-activity {{{component}}}"
        self._system(at, "I", "ActivityManager", proc)

    def shown(self, at: float, who: Who, took_ms: float) -> None:
        text = f"Displayed {who.app}/{who.activity} for user 0: +{round(took_ms)}ms"
        self._system(at, "I", "ActivityTaskManager", text)

    def died(self, at: float, who: Who) -> None:
        self._system(at, "I", "ActivityManager", f"Process {who.app} (pid {who.pid}) has died: fg  TOP")
        self._system(at, "I", "am_proc_died", f"[0,{who.pid},{who.app},0,2]")

    def stopped(self, at: float, who: Who) -> None:
        caller = SYSTEM_PID + 9000
        why = f"stop {who.app} due to from pid {caller}"
        text = f"Force stopping {who.app} appid={who.uid} user=0: from pid {caller}"
        self._system(at, "I", "ActivityManager", text)
        self._killed(at, who, why)
        self._end(at, who, "user_requested", description=why)

    def _killed(self, at: float, who: Who, why: str) -> None:
        text = f"Killing {who.pid}:{who.app}/u0a{who.uid - 10000} (adj 0): {why}"
        self._system(at, "I", "ActivityManager", text)
        self._system(at, "I", "am_kill", f"[0,{who.pid},{who.app},0,{why}]")

    def crashed(self, at: float, who: Who, exception: str, message: str, screen: str) -> None:
        head = f"{exception}: {message}" if message else exception
        block = (
            f"FATAL EXCEPTION: main\nProcess: {who.app}, PID: {who.pid}\n{head}\n"
            f"\tat {who.app}.{screen}.onClick({screen}.java:57)\n"
            "\tat android.view.View.performClick(View.java:8047)\n"
            "\tat android.view.View$PerformClick.run(View.java:31549)\n"
            "\tat android.os.Handler.handleCallback(Handler.java:995)\n"
            "\tat android.os.Looper.loop(Looper.java:288)\n"
            "\tat android.app.ActivityThread.main(ActivityThread.java:8934)"
        )
        self.write(at, who, "E", "AndroidRuntime", block)
        event = f"[0,{who.pid},{who.app},{_FLAGS},{exception},{message},{screen}.java,57,0]"
        self._system(at, "I", "am_crash", event)
        component = f"{who.app}/{who.activity}"
        self._system(at, "W", "ActivityTaskManager", f"  Force finishing activity {component}")
        self.write(at, who, "I", "Process", f"Sending signal. PID: {who.pid} SIG: 9")
        self.died(at, who)
        self._end(at, who, "crash", description="crash")

    def froze(self, at: float, who: Who) -> None:
        component = f"{who.app}/{who.activity}"
        reason = f"Input dispatching timed out ({component} is not responding. Waited 5001ms for MotionEvent)"
        self._system(at, "I", "am_anr", f"[0,{who.pid},{who.app},{_FLAGS},{reason}]")
        text = f"ANR in {who.app} ({component})\nPID: {who.pid}\nReason: {reason}"
        self._system(at, "E", "ActivityManager", text)

    def killed_frozen(self, at: float, who: Who) -> None:
        self._killed(at, who, "user request after error")
        self._end(at, who, "anr", description="user request after error")

    def signalled(self, at: float, who: Who) -> None:
        pid, name = who.pid, who.app[-15:]
        told = f"{pid} ({name})"
        fatal = f"Fatal signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0 in tid {told}, pid {told}"
        self.write(at, who, "F", "libc", fatal)
        block = (
            "*** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***\n"
            f"pid: {pid}, tid: {pid}, name: {name}  >>> {who.app} <<<\n"
            "signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0000000000000000\n"
            "Cause: null pointer dereference\n"
            "backtrace:\n"
            "      #00 pc 0000000000015a2c  libnative.so (draw+44)"
        )
        self._write(at, "F", "DEBUG", block, SYSTEM_PID + 7000, SYSTEM_PID + 7000)
        self._system(at, "I", "am_crash", f"[0,{pid},{who.app},{_FLAGS},Native crash,Segmentation fault,unknown,0,0]")
        self._system(at, "W", "ActivityTaskManager", f"  Force finishing activity {who.app}/{who.activity}")
        self.died(at, who)
        self._end(at, who, "native_crash", 11, "crash")

    def reclaimed(self, at: float, who: Who, adj: int) -> None:
        text = (
            f"Kill '{who.app}' ({who.pid}), uid {who.uid}, oom_score_adj {adj} to free 151552kB rss, 0kB swap; reason: "
            "device is low on swap (0kB < 10485kB) and thrashing (312%)"
        )
        self._write(at, "I", "lowmemorykiller", text, SYSTEM_PID - 1100, SYSTEM_PID - 1100)
        self.died(at, who)
        self._end(at, who, "low_memory", 9)

    def exited(self, at: float, who: Who, status: int) -> None:
        self.write(at, who, "I", "System.out", f"System.exit called, status: {status}")
        self.died(at, who)
        self._end(at, who, "exit_self", status)

    def exit_info(self, app: str) -> str:
        """`dumpsys activity exit-info APP`: newest first."""
        ends = [end for end in self._exits if end.who.app == app]
        lines = [
            "ACTIVITY MANAGER PROCESS EXIT INFO (dumpsys activity exit-info)",
            f"Last Timestamp of Persistence Into Persistent Storage: {_seconds(0, '%Y-%m-%d %H:%M:%S')}",
            f"  package: {app}",
        ]
        if ends:
            lines.append(f"    Historical Process Exit for uid={ends[0].who.uid}")
        # The platform keeps the last 16 records of a package.
        for number, end in enumerate(reversed(ends[-16:])):
            lines.extend(end.lines(number))
        return "\n".join(lines) + "\n"

    def crash_texts(self, app: str, since: float) -> list[str]:
        return [f"{self.from_time(since)}\n{self.exit_info(app)}"]


__all__ = ["EPOCH", "AndroidLog"]
