"""Switching an iPhone, Apple TV or Apple Watch on and putting it on the wire: `serve_wda`."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from pytest_apex.clock import Clock, RealClock
from pytest_apex.errors import ConfigError
from pytest_apex.marked_yaml import nearest
from pytest_apex.phone.parts import AppFile
from pytest_apex.phone.phone import Phone
from pytest_apex.phone_wires.journal import Journal
from pytest_apex.phone_wires.pace import Pace
from pytest_apex.phone_wires.wda.device import AppleDevice
from pytest_apex.phone_wires.wda.server import WdaServer
from pytest_apex.phone_wires.wda.sockets import Listener, SocketChannel
from pytest_apex.phone_wires.wda.usbmuxd import Usbmuxd

PLATFORMS = ("ios", "tvos", "watchos")
#: Troubles that can be switched on: `driver_killed` ends WebDriverAgent until `start_driver`, `driver_hung` lets it
#: take requests and answer none, `slow` answers late, `session_expired` forgets the session, once, `offline` takes the
#: device away, `locked` locks its screen.
MODES = ("driver_killed", "driver_hung", "slow", "session_expired", "offline", "locked")
_TICK_S, _END_S, SLOW_S = 0.05, 5.0, 1.0


def serve_wda(
    apps: Sequence[AppFile],
    *,
    port: int = 0,
    platform: str = "ios",
    usbmux: int | None = None,
    fault: str | None = None,
    seed: int = 0,
    modes: Sequence[str] = (),
    os_version: str = "",
    clock: Clock | None = None,
    beside: Sequence[AppFile] = (),
) -> ServedWda:
    """A device with these apps, its WebDriverAgent at http://127.0.0.1:PORT; `port` 0 takes a free one. With `usbmux`
    (0: a free port) a usbmuxd tells of it too. With other apps `beside` it is an iPad in Split View, whose right half
    is theirs; keys and turns reach one half alone. Use it in a `with`, or close it. Raises `ConfigError`."""
    if platform not in PLATFORMS:
        raise ConfigError(f"no WebDriverAgent on {platform!r}{nearest(platform, PLATFORMS)}")
    phone = Phone(apps, platform=platform, fault=fault, seed=seed)
    right = Phone(beside, platform=platform, seed=seed + 1) if beside else None
    return ServedWda(
        phone, port=port, usbmux=usbmux, seed=seed, modes=modes, os_version=os_version, clock=clock, beside=right
    )


class ServedWda:
    """A device on the wire. `phone` may only be touched inside `pace.held()`; `journal` tells all that came."""

    def __init__(
        self,
        phone: Phone,
        *,
        port: int = 0,
        usbmux: int | None = None,
        seed: int = 0,
        modes: Sequence[str] = (),
        os_version: str = "",
        clock: Clock | None = None,
        beside: Phone | None = None,
    ) -> None:
        for mode in modes:
            _known(mode)
        self.journal = Journal()
        self.pace = Pace(phone, clock or RealClock())
        self.device = AppleDevice(phone, self.pace, self.journal, seed, os_version)
        if beside is not None:
            pace = Pace(beside, clock or RealClock())
            self.device.put_beside(AppleDevice(beside, pace, self.journal, seed, os_version))
        self.server = WdaServer(self.device)
        self._modes: set[str] = set()
        self._closed = threading.Event()
        self._listener = Listener(port, "apex wda", self._serve)
        self.port = self._listener.port
        self.url = f"http://127.0.0.1:{self.port}"
        self._usbmuxd = None
        if usbmux is not None:
            try:
                self._usbmuxd = Usbmuxd(self.device, usbmux, lambda: self.reachable)
            except BaseException:
                self._listener.close()
                raise
        self.pace.after_use = self._check
        for mode in modes:
            self.switch_on(mode)
        self._ticker = threading.Thread(target=self._tick, name="apex device", daemon=True)
        self._ticker.start()

    @property
    def phone(self) -> Phone:
        return self.pace.phone

    @property
    def udid(self) -> str:
        return self.device.udid

    @property
    def usbmux(self) -> str:
        """Where its usbmuxd listens, for `USBMUXD_SOCKET_ADDRESS`; "" without one."""
        return f"127.0.0.1:{self._usbmuxd.port}" if self._usbmuxd is not None else ""

    def __enter__(self) -> ServedWda:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """Switch off; all its threads have ended when it returns. May be called twice."""
        self._closed.set()
        self._listener.close()
        if self._usbmuxd is not None:
            self._usbmuxd.close()
        self._ticker.join(_END_S)

    # Modes

    @property
    def modes(self) -> frozenset[str]:
        """Those that are on."""
        return frozenset(self._modes)

    def switch_on(self, mode: str, seconds: float = SLOW_S) -> None:
        """Switch a mode on (`MODES`); `seconds` is how late `slow` answers. Raises `ConfigError` for an unknown one."""
        _known(mode)
        if mode == "session_expired":
            self.server.expire()
            return
        if mode == "driver_killed":
            self.device.driver.alive = False
        else:
            self._modes.add(mode)
        self._apply(seconds)

    def switch_off(self, mode: str) -> None:
        _known(mode)
        self._modes.discard(mode)
        self._apply(0.0)

    def _apply(self, seconds: float) -> None:
        self.device.driver.hung = "driver_hung" in self._modes
        self.device.slow_s = seconds if "slow" in self._modes else 0.0
        self.device.locked = "locked" in self._modes
        self._check()

    def start_driver(self) -> bool:
        """Start WebDriverAgent again, without a session; False if it dies at once."""
        with self.pace.held() as phone:
            driver = self.device.driver
            driver.alive = phone.restart_driver()
            driver.run += 1
            self.server.expire()
            return driver.alive

    @property
    def reachable(self) -> bool:
        """Whether the device is there."""
        return self.phone.connected and "offline" not in self._modes

    # Threads

    def _serve(self, channel: SocketChannel) -> None:
        if self.reachable and self.device.driver.alive:
            self.server.serve(channel)

    def _tick(self) -> None:
        """Let happen what happens by time alone."""
        while not self._closed.wait(_TICK_S):
            for part in self.device.parts:
                with part.pace.held():
                    pass

    def _check(self) -> None:
        """After each use of the phone: what it has become shows on the wire."""
        if not self.phone.driver_alive:
            self.device.driver.alive = False
        if not self.reachable or not self.device.driver.alive:
            self._listener.drop_all()


def _known(mode: str) -> None:
    if mode not in MODES:
        raise ConfigError(f"unknown mode {mode!r}{nearest(mode, MODES)}", seen=f"known: {', '.join(MODES)}")


__all__ = ["MODES", "PLATFORMS", "ServedWda", "serve_wda"]
