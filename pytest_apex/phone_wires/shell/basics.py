"""Small commands of toybox: `echo`, `grep`, `head`, `test`, `date` and their like."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta

from pytest_apex.phone.log import EPOCH
from pytest_apex.phone_wires.shell.call import Call, Tool, nothing, number, options

_MOST_READ = 64 * 1024 * 1024
_DATE_WORDS = re.compile(r"%[-_0^#]?([A-Za-z%])")
#: The longest that `sleep` sleeps at a time, so that it ends with whoever called it.
_NAP_S = 0.1


def echo(call: Call) -> int:
    words = list(call.args)
    end = "\n"
    while words and words[0] in ("-n", "-e", "-ne", "-en"):
        end = "" if "n" in words[0] else end
        words.pop(0)
    call.out((" ".join(words) + end).encode("utf-8", "surrogateescape"))
    return 0


def printf(call: Call) -> int:
    text = call.args[0] if call.args else ""
    for value in call.args[1:]:
        text = text.replace("%s", value, 1)
    call.out(text.replace("\\n", "\n").replace("\\t", "\t").encode("utf-8", "surrogateescape"))
    return 0


def sleep(call: Call) -> int:
    left = number(call.args[0]) if call.args else None
    if left is None or left < 0:
        return call.fail(f"sleep: bad time '{call.args[0] if call.args else ''}'")
    while left > 0 and not call.ended():
        call.handset.pace.sleep(min(left, _NAP_S))
        left -= _NAP_S
    return 0


def _lines(call: Call, paths: Sequence[str]) -> list[bytes] | None:
    """The lines of files, or of standard input; None if a file is not there (told already)."""
    if not paths:
        return call.read_all(_MOST_READ).splitlines(keepends=True)
    found: list[bytes] = []
    for path in paths:
        data = call.handset.files.read(path)
        if data is None:
            call.fail(f"{call.name}: {path}: No such file or directory")
            return None
        found += data.splitlines(keepends=True)
    return found


def grep(call: Call) -> int:
    given, words = options(call.args, ("-e", "-m"), ("-i", "-v", "-c", "-q", "-a", "-E", "-F", "-o", "-s", "-w"))
    patterns = given.get("-e") or [words.pop(0) if words else ""]
    text = "|".join(re.escape(one) if "-F" in given else one for one in patterns)
    if "-E" not in given and "-F" not in given:
        text = re.sub(r"\\([|+?(){}])", r"\1", text)
    try:
        pattern = re.compile(text.encode(), re.IGNORECASE if "-i" in given else 0)
    except (re.error, RecursionError, OverflowError):
        return call.fail(f"grep: bad regex '{text}'", code=2)
    lines = _lines(call, words)
    if lines is None:
        return 2
    found = [line for line in lines if bool(pattern.search(line.rstrip(b"\r\n")[:10_000])) is ("-v" not in given)]
    most = given.get("-m", [""])[0]
    found = found[: int(most)] if most.isdecimal() else found
    if "-c" in given:
        call.print(str(len(found)))
    elif "-o" in given:
        call.out(b"".join(match[0] + b"\n" for line in found for match in pattern.finditer(line)))
    elif "-q" not in given:
        call.out(b"".join(line if line.endswith(b"\n") else line + b"\n" for line in found))
    return 0 if found else 1


def _count(call: Call) -> tuple[int, list[str]]:
    given, words = options(call.args, ("-n",))
    text = given.get("-n", [""])[0]
    for word in list(words):
        if re.fullmatch(r"-\d{1,9}", word):
            text = word[1:]
            words.remove(word)
    return (int(text) if re.fullmatch(r"\d{1,9}", text) else 10), words


def head(call: Call) -> int:
    count, paths = _count(call)
    lines = _lines(call, paths)
    if lines is None:
        return 1
    call.out(b"".join(lines[:count]))
    return 0


def tail(call: Call) -> int:
    count, paths = _count(call)
    lines = _lines(call, paths)
    if lines is None:
        return 1
    call.out(b"".join(lines[-count:] if count else []))
    return 0


def wc(call: Call) -> int:
    given, paths = options(call.args, (), ("-l", "-c", "-w"))
    lines = _lines(call, paths)
    if lines is None:
        return 1
    whole = b"".join(lines)
    counts = {"-l": whole.count(b"\n"), "-w": len(whole.split()), "-c": len(whole)}
    return call.print(" ".join(str(counts[name]) for name in counts if name in given or not given))


def date(call: Call) -> int:
    with call.handset.pace.held() as phone:
        now = phone.clock.now()
    moment = EPOCH + timedelta(seconds=now)
    words = [word for word in call.args if word.startswith("+")]
    if not words:
        return call.print(f"{moment:%a %b} {moment.day:2d} {moment:%H:%M:%S} UTC {moment:%Y}")
    whole = int(EPOCH.timestamp()) + int(now)
    numbers: Mapping[str, str] = {"s": str(whole), "N": f"{int(now % 1 * 1e9):09d}", "%": "%"}

    def told(found: re.Match[str]) -> str:
        if found[1] in numbers:
            return numbers[found[1]]
        return moment.strftime(f"%{found[1]}") if found[1] in "aAbBdeFHIjmMpSTuwyYzZ" else found[0]

    return call.print(_DATE_WORDS.sub(told, words[0][1:]))


def identity(call: Call) -> int:
    if "-u" in call.args:
        return call.print("2000")
    groups = "1004(input),1007(log),1011(adb),1015(sdcard_rw),1028(sdcard_r),3001(net_bt_admin),3003(inet)"
    return call.print(f"uid=2000(shell) gid=2000(shell) groups=2000(shell),{groups} context=u:r:shell:s0")


def which(call: Call) -> int:
    known = [name for name in call.args if name in TOOLS or name in ("am", "pm", "input", "cmd", "logcat", "dumpsys")]
    call.print(*(f"/system/bin/{name}" for name in known))
    return 0 if len(known) == len(call.args) else 1


def test(call: Call) -> int:
    """`test` and `[`, with one expression."""
    args = list(call.args)
    if call.name == "[":
        if args[-1:] != ["]"]:
            return call.fail("/system/bin/sh: [: missing ]", code=2)
        args.pop()
    negated = args[:1] == ["!"]
    if negated:
        args.pop(0)
    holds = _holds(call, args)
    if holds is None:
        return call.fail(f"/system/bin/sh: {call.name}: {' '.join(args)}: unexpected operator/operand", code=2)
    return 0 if holds is not negated else 1


_COMPARED: Mapping[str, Callable[[float, float], bool]] = {
    "-eq": lambda a, b: a == b,
    "-ne": lambda a, b: a != b,
    "-lt": lambda a, b: a < b,
    "-le": lambda a, b: a <= b,
    "-gt": lambda a, b: a > b,
    "-ge": lambda a, b: a >= b,
}


def _holds(call: Call, args: Sequence[str]) -> bool | None:
    if len(args) < 2:
        return bool(args and args[0])
    if len(args) == 2:
        found = call.handset.files.stat(args[1])
        tests: Mapping[str, bool] = {
            "-e": found is not None,
            "-f": found is not None and not found.is_folder,
            "-d": found is not None and found.is_folder,
            "-r": found is not None,
            "-s": found is not None and found.size > 0,
            "-n": bool(args[1]),
            "-z": not args[1],
        }
        return tests.get(args[0])
    if args[1] in ("=", "=="):
        return args[0] == args[2]
    if args[1] == "!=":
        return args[0] != args[2]
    left, right = number(args[0]), number(args[2])
    compare = _COMPARED.get(args[1])
    return None if compare is None or left is None or right is None else compare(left, right)


TOOLS: Mapping[str, Tool] = {
    "echo": echo,
    "printf": printf,
    "sleep": sleep,
    "grep": grep,
    "head": head,
    "tail": tail,
    "wc": wc,
    "date": date,
    "id": identity,
    "whoami": lambda call: call.print("shell"),
    "uname": lambda call: call.print("Linux" if not call.args else "Linux localhost 6.1.99-android14 aarch64 Toybox"),
    "which": which,
    "test": test,
    "[": test,
    "true": nothing,
    ":": nothing,
    "false": lambda _call: 1,
    "cd": nothing,
    "sync": nothing,
    "wait": nothing,
}
