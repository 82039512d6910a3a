"""Lines of logcat in its usual formats: threadtime, time, brief, tag, long, and what Android Studio copies."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pytest_apex.records.timescale import read_time

#: Longer lines are cut: nothing that is looked for stands that far to the right.
_MAX_LINE = 4000


@dataclass(frozen=True, slots=True)
class LogLine:
    """One message. `at` as `log_seconds`, None without a time; `pid` 0 without one."""

    at: float | None
    pid: int
    level: str
    tag: str
    text: str


_WHEN = r"(?P<when>(?:\d{4}-)?\d\d-\d\d +\d\d:\d\d:\d\d(?:[.,]\d{1,9})?)(?: [+-]\d{4})?"
_LEVEL = r"(?P<level>[VDIWEFA])"
# Heads only, and none with two unbounded parts in a row: a hostile line costs no more than a usual one.
_HEADS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{_WHEN} +(?:[a-z0-9_]+ +)?(?P<pid>\d{{1,9}}) +\d{{1,9}} {_LEVEL} ",  # threadtime, with a uid or without
        rf"{_WHEN} +{_LEVEL}/(?P<tag>[^(]{{0,100}})\( *(?P<pid>\d{{1,9}})\): ?",  # time
        rf"{_LEVEL}/(?P<tag>[^(]{{0,100}})\( *(?P<pid>\d{{1,9}})\): ?",  # brief
        rf"{_WHEN} +(?P<pid>\d{{1,9}})-\d{{1,9}}/\S{{1,200}} {_LEVEL}/",  # Studio, up to 2022
        rf"{_WHEN} +(?P<pid>\d{{1,9}})-\d{{1,9}} +(?P<tag>\S{{1,100}}) +\S{{1,200}} +{_LEVEL}  ",  # Studio, since
        rf"(?P<pid>){_LEVEL}[ /](?=[\w.$-]{{1,60}} *: )",  # tag
    )
)
_LONG = re.compile(rf"\[ {_WHEN} +(?P<pid>\d{{1,9}}): *\d{{1,9}} {_LEVEL}/(?P<tag>[^\]]{{0,100}})\]$")


def read_lines(text: str) -> list[LogLine]:
    """All messages; what a message continues on the next lines is a message with the same head."""
    return list(_parsed(text.splitlines()))


def _parsed(rows: Iterable[str]) -> Iterator[LogLine]:
    head: LogLine | None = None
    in_long = False
    for row in rows:
        line = row[:_MAX_LINE].rstrip("\r")
        long = _LONG.match(line.rstrip())
        if long is not None:
            head, in_long = _made(long, long["tag"].strip(), ""), True
        elif (found := _parse(line)) is not None:
            head, in_long = found, False
            yield found
        elif head is not None and line.strip() and (in_long or line[0] in " \t"):
            yield LogLine(head.at, head.pid, head.level, head.tag, line.strip())


def _parse(line: str) -> LogLine | None:
    for pattern in _HEADS:
        found = pattern.match(line)
        if found is None:
            continue
        rest = line[found.end() :]
        if "tag" in pattern.groupindex:
            return _made(found, found["tag"].strip(), rest.strip())
        tag, colon, message = rest.partition(":")
        return _made(found, tag.strip(), message.strip()) if colon else None
    return None


def _made(found: re.Match[str], tag: str, text: str) -> LogLine:
    when = found.groupdict().get("when")
    return LogLine(read_time(when) if when else None, int(found["pid"] or 0), found["level"], tag, text)
