"""Switching a phone on and putting it on the wire: `serve_phone`."""

from __future__ import annotations

import socket
import threading
from collections.abc import Sequence
from contextlib import suppress

from pytest_apex.clock import Clock, RealClock
from pytest_apex.errors import ConfigError
from pytest_apex.phone.parts import AppFile
from pytest_apex.phone.phone import Phone
from pytest_apex.phone_wires.adb.connection import Connection
from pytest_apex.phone_wires.adb.packets import banner
from pytest_apex.phone_wires.adb.services import AdbServices
from pytest_apex.phone_wires.handset import APPIUM_PORT, SERVER_PORT, Handset
from pytest_apex.phone_wires.journal import Journal
from pytest_apex.phone_wires.modes import Mode, mode_of
from pytest_apex.phone_wires.pace import Pace
from pytest_apex.phone_wires.package import package_of
from pytest_apex.phone_wires.shell.tools import tools
from pytest_apex.phone_wires.uia2.server import Uia2Server
from pytest_apex.phone_wires.uiautomator.server import UiautomatorServer

#: The features that a client is told.
FEATURES = ("shell_v2", "cmd", "stat_v2")
#: How often what happens by time alone is looked at, in real seconds.
_TICK_S = 0.05
#: How long a thread may take to end.
_END_S = 5.0
#: How late a slow phone answers if not told otherwise, and how long one that starts anew is gone (seconds).
SLOW_S, REBOOT_S = 1.0, 5.0


def serve_phone(
    apps: Sequence[AppFile],
    *,
    port: int = 0,
    fault: str | None = None,
    seed: int = 0,
    modes: Sequence[str] = (),
    clock: Clock | None = None,
) -> Served:
    """A phone with these apps, reachable over adb at 127.0.0.1; `port` 0 takes a free one. Use it in a `with`, or
    close it. Raises `ConfigError` for an unknown fault or mode, or a port that is taken."""
    return Served(Phone(apps, fault=fault, seed=seed), port=port, seed=seed, modes=modes, clock=clock)


class Served:
    """A phone on the wire. `phone` may only be touched inside `pace.held()`; `journal` tells all that came."""

    def __init__(
        self, phone: Phone, *, port: int = 0, seed: int = 0, modes: Sequence[str] = (), clock: Clock | None = None
    ) -> None:
        if phone.platform.name != "android":
            raise ConfigError(f"a {phone.platform.name} device is not reached over adb")
        wanted = [mode_of(mode) for mode in modes]
        self._listener = _listen(port)
        self.port: int = self._listener.getsockname()[1]
        self.serial = f"127.0.0.1:{self.port}"
        self.journal = Journal()
        self.pace = Pace(phone, clock or RealClock())
        self.handset = Handset(phone, self.pace, self.journal, f"APEX{self.port:05d}", seed)
        self.server = UiautomatorServer(self.handset)
        self.appium = Uia2Server(self.handset)
        self.services = AdbServices(self.handset, tools(self.server, self.appium, self.reboot), self.reboot)
        self.services.ports[SERVER_PORT] = self.server.port
        self.services.ports[APPIUM_PORT] = self.appium.port
        for app in phone.machine.apps:
            self.handset.add_package(app, package_of(app), 0.0)
        self._connections: list[Connection] = []
        self._threads: list[threading.Thread] = []
        self._guard = threading.Lock()
        self._modes: set[Mode] = set()
        self._back_at = 0.0
        self._closed = threading.Event()
        self.pace.after_use = self._check
        for mode in wanted:
            self.switch_on(mode)
        self._start(self._accept, "apex adbd")
        self._start(self._tick, "apex phone")

    @property
    def phone(self) -> Phone:
        return self.pace.phone

    def __enter__(self) -> Served:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """Switch off; all its threads have ended when it returns. May be called twice."""
        self._closed.set()
        with suppress(OSError):  # it may be closed already
            self._listener.shutdown(socket.SHUT_RDWR)  # wakes who waits for a client
        self._drop_all()
        for thread in self._threads:
            thread.join(_END_S)
        self._listener.close()

    # Modes

    @property
    def modes(self) -> frozenset[str]:
        """Those that are on."""
        return frozenset(mode.value for mode in self._modes)

    def switch_on(self, mode: str, seconds: float | None = None) -> None:
        """Switch a mode on (`modes.MODES`); `seconds` is how late `slow` answers, or how long `reboot` is gone. Raises
        `ConfigError` for an unknown one."""
        wanted = mode_of(mode)
        if wanted is Mode.REBOOT:
            self.reboot(REBOOT_S if seconds is None else seconds)
            return
        if wanted is Mode.DRIVER_KILLED:
            with self.pace.held():
                self.handset.server.pid = self.handset.appium.pid = 0
            return
        if wanted is Mode.SESSION_EXPIRED:
            self.appium.expire()
            return
        if wanted is Mode.SCREEN_OFF:
            self.handset.wake(False)
            return
        if wanted in (Mode.LOCKED, Mode.PASSCODE):
            self.handset.lock = "swipe" if wanted is Mode.LOCKED else "passcode"
            return
        self._modes.add(wanted)
        self._hang()
        self.handset.files.full = Mode.STORAGE_FULL in self._modes
        if wanted is Mode.SLOW:
            self.handset.slow_s = SLOW_S if seconds is None else seconds
        if wanted in (Mode.OFFLINE, Mode.UNAUTHORIZED):
            self._drop_all()

    def switch_off(self, mode: str) -> None:
        """Switch a mode off again."""
        self._modes.discard(mode_of(mode))
        self.handset.files.full = Mode.STORAGE_FULL in self._modes
        self._hang()
        if mode in (Mode.LOCKED, Mode.PASSCODE):
            self.handset.lock = ""
        if mode == Mode.SLOW:
            self.handset.slow_s = 0.0
        if mode == Mode.UNAUTHORIZED:
            with self._guard:
                waiting = list(self._connections)
            for connection in waiting:
                connection.admit()

    def _hang(self) -> None:
        self.handset.server.hung = self.handset.appium.hung = Mode.DRIVER_HUNG in self._modes

    def reboot(self, seconds: float = REBOOT_S) -> None:
        """Gone for some seconds, then back with a new boot id, all apps stopped and no server."""
        with self.pace.held() as phone:
            for app in phone.machine.apps:
                phone.stop(app.id)
            phone.machine.dialog = None
            phone.machine.bring(None)
            self.handset.boot()
            self._hang()
            self._back_at = self.pace.real_now() + seconds
        self._drop_all()

    @property
    def reachable(self) -> bool:
        """Whether it takes connections now."""
        here = self.phone.connected and Mode.OFFLINE not in self._modes
        return here and self.pace.real_now() >= self._back_at

    # Threads

    def _start(self, target: object, name: str, *args: object) -> None:
        thread = threading.Thread(target=target, args=args, name=name, daemon=True)  # type: ignore[arg-type]
        self._threads = [one for one in self._threads if one.is_alive()]
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while not self._closed.is_set():
            try:
                sock, _ = self._listener.accept()
            except OSError:
                return  # switched off
            if not self.reachable:
                sock.close()
                continue
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            connection = Connection(sock, self._banner(), self.services, lambda: Mode.UNAUTHORIZED in self._modes)
            with self._guard:
                self._connections.append(connection)
            self._start(self._serve, "apex adb connection", connection)

    def _serve(self, connection: Connection) -> None:
        connection.run()
        with self._guard:
            if connection in self._connections:
                self._connections.remove(connection)
        connection.join(_END_S)

    def _banner(self) -> bytes:
        names = ("ro.product.name", "ro.product.model", "ro.product.device")
        properties = self.handset.properties
        return banner({name: properties[name] for name in names}, FEATURES)

    def _tick(self) -> None:
        """Let happen what happens by time alone."""
        while not self._closed.wait(_TICK_S):
            with self.pace.held():
                pass

    def _check(self) -> None:
        """After each use of the phone: what the phone has become shows on the wire."""
        if not self.phone.driver_alive:
            self.handset.server.pid = self.handset.appium.pid = 0
        if self._connections and not self.reachable:
            self._drop_all()

    def _drop_all(self) -> None:
        with self._guard:
            gone, self._connections = self._connections, []
        for connection in gone:
            connection.drop()


def _listen(port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", port))
        listener.listen(64)
    except (OSError, OverflowError) as error:
        listener.close()
        raise ConfigError(
            f"can't listen on 127.0.0.1:{port}", seen=str(error), cure="name another port, or 0 for a free one"
        ) from error
    return listener


__all__ = ["FEATURES", "Served", "serve_phone"]
