"""The server keeps one toast without its time: what was shown since which act is told all the same."""

from __future__ import annotations

from typing import Any

from pytest_apex.backends.uiautomator2.toasts import Toasts
from pytest_apex.errors import DriverDead


class Server:
    """Keeps the last toast; a clock that is set by hand."""

    def __init__(self) -> None:
        self.last: str | None = None
        self.dead = False
        self.at = 0.0

    def now(self) -> float:
        return self.at

    def sleep(self, seconds: float) -> None:
        self.at += seconds

    def ask(self, method: str) -> Any:
        if self.dead:
            raise DriverDead("dead")
        if method == "clearLastToast":
            self.last = None
        return self.last


def test_a_toast_belongs_to_the_act_before_it() -> None:
    server = Server()
    toasts = Toasts(server.ask, server)
    server.at = 10.0
    toasts.before_act()
    server.last = "[Saved]"
    server.at = 20.0
    toasts.before_act()  # the next act: what it shows is new
    server.at, server.last = 25.0, "Deleted"
    assert [(toast.text, toast.at) for toast in toasts.since(0.0)] == [("Saved", 10.0), ("Deleted", 20.0)]
    assert [toast.text for toast in toasts.since(20.0)] == ["Deleted"]
    assert toasts.since(20.1) == []


def test_the_same_toast_again_is_another_one() -> None:
    server = Server()
    toasts = Toasts(server.ask, server)
    for at in (1.0, 2.0):
        server.at = at
        toasts.before_act()
        server.last = "Saved"
    assert [toast.at for toast in toasts.since(0.0)] == [1.0, 2.0]


def test_a_server_that_does_not_answer_is_the_acts_to_tell() -> None:
    server = Server()
    toasts = Toasts(server.ask, server)
    server.dead = True
    toasts.before_act()
