"""`logcat`: the log of the phone, as a whole or as it grows."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone

from pytest_apex.phone.log import EPOCH, Who
from pytest_apex.phone_wires.shell.call import Call, Tool, options

#: How often a log that is followed is looked at (seconds).
_LOOK_S = 0.05
_LINE = re.compile(r"(\d\d-\d\d) (\d\d:\d\d:\d\d\.\d{3}) +(\d+) +(\d+) ([VDIWEFA]) (.*?) *: (.*)", re.DOTALL)
_LEVELS = "VDIWEFS"
_VALUES = ("-b", "-v", "-t", "-T", "-e", "-m", "-f", "-r", "-n", "-G", "--buffer", "--format", "--regex", "--pid",
           "--uid")  # fmt: skip
_FLAGS = ("-d", "-c", "-g", "-D", "-B", "-L", "-S", "-s", "--clear", "--dump", "--wrap", "--print", "-p", "-P")
_BUFFERS = ("main", "system", "radio", "events", "crash")


@dataclass(frozen=True, slots=True)
class _Line:
    day: str
    time: str
    pid: str
    tid: str
    level: str
    tag: str
    text: str

    @property
    def buffer(self) -> str:
        if self.tag.startswith(("am_", "wm_")):
            return "events"
        if (self.tag == "AndroidRuntime" and self.level == "E") or (
            self.tag in ("DEBUG", "libc") and self.level == "F"
        ):
            return "crash"
        return "system" if self.tag in ("ActivityManager", "ActivityTaskManager") else "main"

    @property
    def moment(self) -> datetime:
        """A log tells no year: it is that of the phone."""
        return datetime.fromisoformat(f"{EPOCH.year}-{self.day}T{self.time}+00:00")

    def told(self, form: str) -> str:
        """The line in a format of `logcat -v`."""
        who, text = f"{self.level}/{self.tag}", self.text
        pids = f"{int(self.pid):5d} {int(self.tid):5d}"
        forms: Mapping[str, Callable[[], str]] = {
            "brief": lambda: f"{who:<10}({int(self.pid):5d}): {text}",
            "tag": lambda: f"{who:<10}: {text}",
            "raw": lambda: text,
            "process": lambda: f"{self.level}({int(self.pid):5d}) {text}  ({self.tag})",
            "time": lambda: f"{self.day} {self.time} {who:<10}({int(self.pid):5d}): {text}",
            "epoch": lambda: f"{self.moment.timestamp():14.3f} {pids} {self.level} {self.tag:<8}: {text}",
            "year": lambda: f"{EPOCH.year}-{self.day} {self.time} {pids} {self.level} {self.tag:<8}: {text}",
        }
        return forms.get(form, lambda: f"{self.day} {self.time} {pids} {self.level} {self.tag:<8}: {text}")()


def _read(line: str) -> _Line | None:
    found = _LINE.fullmatch(line)
    return _Line(*found.groups()) if found else None


@dataclass(slots=True)
class _Wanted:
    """What a reader wants to see."""

    buffers: frozenset[str]
    form: str
    rest: str
    tags: Mapping[str, str]
    pid: str
    since: datetime | None
    pattern: re.Pattern[str] | None

    def fits(self, line: _Line) -> bool:
        level = self.tags.get(line.tag, self.rest)
        return (
            line.buffer in self.buffers
            and level != "S"
            and _LEVELS.index(line.level) >= _LEVELS.index(level)
            and self.pid in ("", line.pid)
            and (self.since is None or line.moment >= self.since)
            and (self.pattern is None or self.pattern.search(line.text) is not None)
        )


def logcat(call: Call) -> int:
    args = _spread(call.args)
    given, words = options(args, _VALUES, _FLAGS)
    wanted = _wanted(given, words)
    if isinstance(wanted, str):
        return call.fail(f"logcat: {wanted}")
    cleared = call.handset.log_cleared
    if "-c" in given or "--clear" in given:
        with call.handset.pace.held() as phone:
            call.handset.log_cleared = phone.log.count
        return 0
    if "-g" in given:
        return call.print(
            *(f"{name}: ring buffer is 256 KiB (12 KiB consumed), max entry is 5120 B" for name in _BUFFERS)
        )
    if "-G" in given:
        return 0
    last = given.get("-t", given.get("-T", [""]))[-1]
    with call.handset.pace.held() as phone:
        text, seen = phone.log.from_line(cleared), phone.log.count
    lines = [line for line in map(_read, text.splitlines()) if line is not None and wanted.fits(line)]
    if last.isdecimal():
        lines = lines[-min(int(last), 10**6) :] if int(last) else []
    heads: set[str] = set()
    _print(call, lines, wanted.form, heads)
    if "-d" in given or "--dump" in given or "-t" in given:
        return 0
    if (
        not heads and "main" in wanted.buffers
    ):  # the log of a real phone is never empty, and tools wait for a first line
        heads.add("main")
        call.print("--------- beginning of main")
    return _follow(call, wanted, seen, heads)


def _follow(call: Call, wanted: _Wanted, seen: int, heads: set[str]) -> int:
    while not call.ended():
        with call.handset.pace.held() as phone:
            count = phone.log.count
            text = phone.log.from_line(seen) if count != seen else ""
        seen = count
        lines = [line for line in map(_read, text.splitlines()) if line is not None and wanted.fits(line)]
        _print(call, lines, wanted.form, heads)
        call.handset.pace.nap(_LOOK_S)
    return 0


def _print(call: Call, lines: Sequence[_Line], form: str, heads: set[str]) -> None:
    told = []
    for line in lines:
        if line.buffer not in heads:
            heads.add(line.buffer)
            told.append(f"--------- beginning of {line.buffer}")
        told.append(line.told(form))
    if told:
        call.print(*told)


def _spread(args: Sequence[str]) -> list[str]:
    """`-bcrash` and `--pid=12` as two words each."""
    found = []
    for word in args:
        name, sign, value = word.partition("=")
        if sign and name.startswith("--"):
            found += [name, value]
        elif len(word) > 2 and word[:2] in ("-b", "-v", "-t", "-T") and word[2] != "-":
            found += [word[:2], word[2:]]
        else:
            found.append(word)
    return found


def _wanted(given: Mapping[str, list[str]], words: Sequence[str]) -> _Wanted | str:
    """What the arguments ask for, or what is wrong with them."""
    names = [name for value in given.get("-b", given.get("--buffer", ["default"])) for name in value.split(",")]
    buffers: set[str] = set()
    for name in names:
        if name == "all":
            buffers.update(_BUFFERS)
        elif name == "default":
            buffers.update(("main", "system", "crash"))
        elif name in _BUFFERS:
            buffers.add(name)
        else:
            return f"Unknown buffer '{name}'"
    form = next((value for value in given.get("-v", given.get("--format", [])) if value != "color"), "threadtime")
    text = given.get("-e", given.get("--regex", [""]))[-1]
    try:
        pattern = re.compile(text) if text else None
    except (re.error, RecursionError, OverflowError):
        return f"bad regex '{text}'"
    since = given.get("-T", given.get("-t", [""]))[-1]
    at = None if not since or since.isdecimal() else _moment(since)
    if since and not since.isdecimal() and at is None:
        return f"-T '{since}' not in time format"
    tags = dict(word.rpartition(":")[::2] for word in words if ":" in word)
    rest = "S" if "-s" in given else tags.pop("*", "V")
    levels = {tag: (level or "V").upper()[:1] for tag, level in tags.items()}
    if any(level not in _LEVELS for level in (*levels.values(), rest)):
        return "Invalid filter expression"
    if "-s" in given:
        levels.update({word: "V" for word in words if ":" not in word})
    return _Wanted(frozenset(buffers), form, rest, levels, given.get("--pid", [""])[-1], at, pattern)


def _moment(text: str) -> datetime | None:
    """`03-02 09:41:00.000`, with or without a year, or seconds since 1970."""
    if re.fullmatch(r"\d{1,10}\.\d{1,9}", text):
        return datetime.fromtimestamp(float(text), timezone.utc)
    found = re.fullmatch(r"(\d{4}-)?(\d\d-\d\d) (\d\d:\d\d:\d\d\.\d{3})\d*", text)
    if found is None:
        return None
    try:
        return datetime.fromisoformat(f"{found[1] or f'{EPOCH.year}-'}{found[2]}T{found[3]}+00:00")
    except ValueError:
        return None


def log(call: Call) -> int:
    """`log [-p LEVEL] [-t TAG] TEXT`: a line of the shell's own in the log."""
    given, words = options(call.args, ("-p", "-t", "-b"))
    level = given.get("-p", ["i"])[-1].upper()[:1]
    with call.handset.pace.held() as phone:
        now = phone.clock.now()
        who = Who("shell", "shell", "", 501, 2000)
        phone.log.write(now, who, level if level in "VDIWEF" else "I", given.get("-t", ["log"])[-1], " ".join(words))
    return 0


TOOLS: Mapping[str, Tool] = {"logcat": logcat, "log": log}
