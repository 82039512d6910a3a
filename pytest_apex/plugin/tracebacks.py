"""Tracebacks that end at the test's own line: what happens inside of pytest-apex is not what its user looks for."""

from __future__ import annotations

import sysconfig
from pathlib import Path
from types import FrameType, TracebackType

_OURS = str(Path(__file__).parents[1])
#: Where nobody's tests are: Python itself, and what is installed.
_INSTALLED = tuple({sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib")})


def trim(trace: TracebackType | None) -> bool:
    """Cut the traceback where the user's code calls ours. Returns whether there is no code of the user's in it: then
    the message alone is worth showing."""
    users = False
    above: TracebackType | None = None
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if file.startswith(_OURS):
            if users and above is not None:
                above.tb_next = None
                return False
        elif is_users(file):
            users = True
        above, trace = trace, trace.tb_next
    return not users


def is_users(file: str) -> bool:
    """Whether a file is the user's own: neither ours nor Python's nor that of an installed package."""
    return not file.startswith((_OURS, *_INSTALLED))


def users_line(trace: TracebackType | None) -> str:
    """The innermost line of the user's own code, as `file:line`; empty when there is none."""
    found = ""
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if is_users(file):
            found = f"{file}:{trace.tb_lineno}"
        trace = trace.tb_next
    return found


def users_line_of(frame: FrameType | None) -> str:
    """The same of code that is running."""
    while frame is not None:
        file = frame.f_code.co_filename
        if is_users(file) and not file.startswith("<"):  # a worker of pytest-xdist runs in a `<string>`
            return f"{file}:{frame.f_lineno}"
        frame = frame.f_back
    return ""
