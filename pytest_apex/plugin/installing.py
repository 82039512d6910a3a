"""The package of the app under test: built once a run, installed before the first test that uses a device."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pytest_apex.plugin.options import runs_nothing
from pytest_apex.plugin.stash import ATTEMPTS, INSTALLED, SETTINGS
from pytest_apex.plugin.workers import is_worker

if TYPE_CHECKING:
    from pytest_apex.backends.abilities import Installs
    from pytest_apex.backends.base import Backend
    from pytest_apex.settings import Settings

#: Lines of a failing build that are shown.
_LAST_LINES = 15


def check_package(settings: Settings) -> list[str]:
    """What can be said of it before anything runs, one text a mistake."""
    app = settings.app
    if app.reset == "reinstall" and not app.path:
        return [f"reset is reinstall ({settings.origin('reset')}), and no package is named: --apex-app-path FILE"]
    if app.build or not app.path or Path(app.path).exists():
        return []
    return [f"there is no file {app.path} (app_path, {settings.origin('app_path')})"]


def build(config: pytest.Config) -> None:
    """Run `apex_build`, in the ini file's folder. Raises `pytest.UsageError` with its last lines if it fails."""
    settings = config.stash[SETTINGS]
    command = settings.app.build
    if not command or is_worker(config) or runs_nothing(config):
        return
    folder = config.inipath.parent if config.inipath is not None else config.rootpath
    say(config, f"apex: building: {command}")
    done = subprocess.run(
        command, shell=True, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    if done.returncode:
        lines = done.stdout.decode("utf-8", "replace").rstrip().splitlines()[-_LAST_LINES:]
        told = "\n".join(f"  {line}" for line in lines) or "  (it printed nothing)"
        text = f"apex: apex_build ended with exit code {done.returncode}: {command}\n{told}"
        raise pytest.UsageError(config.stash[ATTEMPTS].redactor.text(text))
    if settings.app.path and not Path(settings.app.path).exists():
        raise pytest.UsageError(f"apex: apex_build made no file {settings.app.path}\n  it ran: {command}")


def build_before_workers(config: pytest.Config) -> None:
    """Under pytest-xdist the controller builds, before its workers begin; it does not know what they will collect."""
    if config.pluginmanager.hasplugin("dsession"):
        build(config)


def installed(config: pytest.Config, backend: Backend, settings: Settings) -> Settings:
    """The settings, with the package installed on this device; the app's id is the package's where none is named.

    Raises `CapabilityMissing` where the device can't, and what installing raises.
    """
    if not settings.app.path:
        return settings
    done = config.stash.setdefault(INSTALLED, {})
    if id(backend) not in done:
        done[id(backend)] = _install(config, backend, config.stash[SETTINGS])
    if settings.app.id:
        return settings
    return settings.changed("app", {"app": "the package"}, id=done[id(backend)])


def _install(config: pytest.Config, backend: Backend, settings: Settings) -> str:
    package, app = Path(settings.app.path), settings.app.id
    installer = _installer(backend, "install the app first")
    if app and installer.installed_digest(app) == installer.package_digest(package):
        return app
    return installer.install(package, progress=_progress(config, package.name))


def reinstall(backend: Backend, settings: Settings) -> None:
    """Install the package anew, with nothing left of what was there."""
    from pytest_apex.errors import ConfigError

    if not settings.app.path:
        raise ConfigError(
            "there is no package to install again", seen="reset is reinstall", cure="name it: --apex-app-path FILE"
        )
    got = _installer(backend, "install the app again").install(Path(settings.app.path), keep_data=False)
    if got != settings.app.id:
        raise ConfigError(
            f"{settings.app.path} is not the app under test",
            seen=f"it is {got}, and {settings.app.id} is under test",
            cure="reset that one with reset=data, or name its package",
        )


def _installer(backend: Backend, what: str) -> Installs:
    from pytest_apex.backends.abilities import Installs
    from pytest_apex.errors import CapabilityMissing

    if "install" not in backend.capabilities or not isinstance(backend, Installs):
        raise CapabilityMissing(
            f"the device {backend.name} can't {what}",
            seen=f"it can: {', '.join(sorted(backend.capabilities))}",
            cure="install it by hand, and leave out --apex-app-path and reset=reinstall",
        )
    return backend


def say(config: pytest.Config, line: str) -> None:
    """One line on the terminal, unless it is to be quiet."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if reporter is not None and reporter.verbosity >= 0:
        reporter.write_line(line)


def _progress(config: pytest.Config, name: str) -> Callable[[float], None] | None:
    """Tell how far it is, where someone watches."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None or is_worker(config) or reporter.verbosity < 0 or not reporter.isatty:
        return None
    return lambda share: reporter.rewrite(f"apex: installing {name} {share:4.0%}" if share < 1 else "", erase=True)
