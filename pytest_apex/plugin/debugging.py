"""A person takes over: `device.pause()`, `breakpoint()` and `--pdb`, with session and evidence as they are.

Nothing of ours runs meanwhile, so no time-out does. Without a terminal each is refused with one line.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

import pytest

from pytest_apex.plugin.stash import ATTEMPTS, RUN
from pytest_apex.plugin.workers import is_worker

if TYPE_CHECKING:
    from pytest_apex.device.device import Device

_TERMINAL = pytest.StashKey[bool]()
_PACKAGE = str(Path(__file__).parents[1])


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> Generator[None, object, object]:
    """Whether somebody can type is asked here, before pytest puts standard input aside to capture."""
    early_config.stash[_TERMINAL] = sys.stdin is not None and sys.stdin.isatty()
    return (yield)


def _has_terminal(config: pytest.Config) -> bool:
    return config.stash.get(_TERMINAL, False) and not is_worker(config)


def pytest_collection_finish(session: pytest.Session) -> None:
    config = session.config
    from pytest_apex.plugin.devices import needs_device

    stops = config.option.usepdb or config.option.trace
    if stops and not _has_terminal(config) and any(map(needs_device, session.items)):
        raise pytest.UsageError("apex: --pdb needs a terminal while tests use a device; run it in one, or leave it out")


def pauser(config: pytest.Config) -> Callable[[], None] | None:
    """What `device.pause()` does; None where there is no terminal."""
    if not _has_terminal(config):
        return None

    def pause() -> None:
        from _pytest.debugging import pytestPDB

        open_debugger: Any = pytestPDB._init_pdb
        open_debugger("pause").set_trace(_line_of_the_test())

    return pause


def asker(config: pytest.Config) -> Callable[[str], AbstractContextManager[None]]:
    """What `device.hand_over()` asks with; the test is skipped where there is no terminal."""

    def ask(text: str) -> AbstractContextManager[None]:
        if not _has_terminal(config):
            pytest.skip(f"a person is needed, and there is no terminal: {text.partition(chr(10))[0]}")
        return _at_the_terminal(config, text)

    return ask


@contextmanager
def _at_the_terminal(config: pytest.Config, text: str) -> Iterator[None]:
    """What is captured rests; what was asked stands in the terminal."""
    capture: Any = config.pluginmanager.get_plugin("capturemanager")
    with capture.global_and_fixture_disabled() if capture is not None else nullcontext():
        writer = config.get_terminal_writer()
        writer.line()
        for line in text.splitlines():
            writer.line(f"apex: {line}", bold=True)
        writer.flush()
        yield


def _line_of_the_test() -> FrameType:
    frame = sys._getframe()
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame = frame.f_back
    return frame


def pytest_enter_pdb(config: pytest.Config) -> None:
    """Show where the device is before the prompt opens, whoever opened it."""
    device = config.stash[ATTEMPTS].device_in_use if ATTEMPTS in config.stash else None
    if device is None:
        return
    if not _has_terminal(config):
        _refuse(config)
    writer = config.get_terminal_writer()
    for line in describe(config, device).splitlines():
        writer.line(line)


def _refuse(config: pytest.Config) -> None:
    from pytest_apex.errors import ConfigError

    capture = config.pluginmanager.get_plugin("capturemanager")
    if capture is not None:
        capture.resume()  # the debugger had put it aside
    raise ConfigError("breakpoint() needs a terminal while a test uses a device", cure="run it in one, without -n")


def describe(config: pytest.Config, device: Device) -> str:
    """The indexed state, and where the picture was stored."""
    from pytest_apex.errors import ApexError
    from pytest_apex.hierarchy.state import index_state

    recorder = device.context.recorder
    try:
        snapshot = device.context.eyes.look()
    except ApexError as error:
        return f"apex: the device can't be looked at: {recorder.redactor.text(str(error))}"
    kept = recorder.attach("pause", snapshot)
    picture = f"apex: picture {config.stash[RUN].folder / kept.path}" if kept is not None else "apex: no picture kept"
    return f"{recorder.redactor.text(index_state(snapshot).text)}\n{picture}"
