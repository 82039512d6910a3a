"""Commands for files."""

from __future__ import annotations

import hashlib
import stat
from collections.abc import Callable, Mapping
from datetime import datetime, timezone
from typing import Any

from pytest_apex.phone_wires.shell.call import Call, Tool, nothing, options

_MOST_READ = 64 * 1024 * 1024
#: What a phone's disk holds, in KiB, beside what lies on it here.
_DISK_KIB = 112_000_000


def cat(call: Call) -> int:
    if not call.args or call.args == ["-"]:
        while data := call.source.take_some(64 * 1024):
            call.out(data)
        return 0
    code = 0
    for path in call.args:
        with call.handset.pace.held():
            found = call.handset.files.read(path)
        if found is None:
            code = call.fail(f"cat: {path}: No such file or directory")
        else:
            call.out(found)
    return code


def _digest(make: Callable[[bytes], Any]) -> Tool:
    def tool(call: Call) -> int:
        given, paths = options(call.args, (), ("-b",))
        if not paths:
            return call.print(f"{make(call.read_all(_MOST_READ)).hexdigest()}  -")
        code = 0
        for path in paths:
            data = call.handset.files.read(path)
            if data is None:
                code = call.fail(f"{call.name}: {path}: No such file or directory")
            else:
                digest = make(data).hexdigest()
                call.print(digest if "-b" in given else f"{digest}  {path}")
        return code

    return tool


def _md5(data: bytes) -> Any:
    return hashlib.md5(data, usedforsecurity=False)


def ls(call: Call) -> int:
    given, paths = options(call.args, (), ("-l", "-a", "-la", "-al", "-1", "-d", "-s"))
    long = bool({"-l", "-la", "-al"} & given.keys())
    code = 0
    for path in paths or ["/"]:
        found = call.handset.files.stat(path)
        if found is None:
            code = call.fail(f"ls: {path}: No such file or directory")
            continue
        inside = found.is_folder and "-d" not in given
        for name in call.handset.files.names(path) if inside else [path]:
            each = call.handset.files.stat(f"{path.rstrip('/')}/{name}" if inside else path)
            if each is not None:
                when = datetime.fromtimestamp(each.modified, timezone.utc)
                details = f"{stat.filemode(each.mode)} 1 shell shell {each.size:8d} {when:%Y-%m-%d %H:%M} "
                call.print(f"{details if long else ''}{name}")
    return code


def rm(call: Call) -> int:
    given, paths = options(call.args, (), ("-f", "-r", "-rf", "-fr", "-R"))
    code = 0
    for path in paths:
        if not call.handset.files.may_write(path):
            code = call.fail(f"rm: {path}: Permission denied")
        elif not call.handset.files.remove(path) and not {"-f", "-rf", "-fr"} & given.keys():
            code = call.fail(f"rm: {path}: No such file or directory")
    return code


def mkdir(call: Call) -> int:
    _, paths = options(call.args, ("-m",), ("-p",))
    code = 0
    for path in paths:
        if call.handset.files.may_write(path):
            call.handset.files.make_folder(path)
        elif call.handset.files.stat(path) is None:
            code = call.fail(f"mkdir: '{path}': Permission denied")
    return code


def touch(call: Call) -> int:
    code = 0
    for path in call.args:
        if not call.handset.files.write(path, call.handset.files.read(path) or b""):
            code = call.fail(f"touch: '{path}': Permission denied")
    return code


def copy(call: Call) -> int:
    """`cp` and `mv` of one file."""
    _, paths = options(call.args, (), ("-f", "-p", "-r"))
    if len(paths) != 2:
        return call.fail(f"{call.name}: Needs 2 arguments")
    data = call.handset.files.read(paths[0])
    if data is None:
        return call.fail(f"{call.name}: bad '{paths[0]}': No such file or directory")
    if not call.handset.files.write(paths[1], data):
        return call.fail(f"{call.name}: '{paths[1]}': Permission denied")
    if call.name == "mv":
        call.handset.files.remove(paths[0])
    return 0


def status(call: Call) -> int:
    """`stat -c FORMAT PATH`: size (%s), time (%Y), mode (%a), name (%n)."""
    given, paths = options(call.args, ("-c",))
    code = 0
    for path in paths:
        found = call.handset.files.stat(path)
        if found is None:
            code = call.fail(f"stat: '{path}': No such file or directory")
            continue
        text = given.get("-c", ["%n %s"])[0]
        values = {"%s": str(found.size), "%Y": str(found.modified), "%a": f"{found.mode & 0o777:o}", "%n": path}
        for word, value in values.items():
            text = text.replace(word, value)
        call.print(text)
    return code


def df(call: Call) -> int:
    full = call.handset.files.full
    used = _DISK_KIB - 40 * 1024 if full else 41_000_000 + call.handset.files.used // 1024
    free = max(0, _DISK_KIB - used)
    percent = round(100 * used / _DISK_KIB)
    line = f"/dev/block/dm-52 {_DISK_KIB:11d} {used:9d} {free:9d} {percent:3d}% /data"
    return call.print("Filesystem       1K-blocks      Used Available Use% Mounted on", line)


TOOLS: Mapping[str, Tool] = {
    "cat": cat,
    "md5sum": _digest(_md5),
    "sha1sum": _digest(lambda data: hashlib.sha1(data, usedforsecurity=False)),
    "sha256sum": _digest(hashlib.sha256),
    "ls": ls,
    "rm": rm,
    "mkdir": mkdir,
    "touch": touch,
    "cp": copy,
    "mv": copy,
    "stat": status,
    "df": df,
    "chmod": nothing,
}
