"""Programs that a shell has started on the phone and that go on for a while."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass(slots=True)
class Program:
    """`asked` is set when someone asks it to end (SIGINT, SIGTERM), `killed` when it has to (SIGKILL)."""

    name: str
    pid: int
    asked: threading.Event = field(default_factory=threading.Event)
    killed: bool = False

    def signal(self, *, kill: bool) -> None:
        self.killed = self.killed or kill
        self.asked.set()


class Programs:
    def __init__(self, first_pid: int) -> None:
        self._pids = itertools.count(first_pid)
        self._running: dict[int, Program] = {}

    @contextmanager
    def running(self, name: str) -> Iterator[Program]:
        """A program under way, known by its name and pid meanwhile."""
        program = Program(name, next(self._pids))
        self._running[program.pid] = program
        try:
            yield program
        finally:
            self._running.pop(program.pid, None)

    def all(self) -> list[Program]:
        return list(self._running.values())
