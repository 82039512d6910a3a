"""For authors of plugins and backends: a virtual device, the contract that every backend keeps, a project runner.

Unlike the plugin, this module loads pictures and the built-in phone at once: pytester forgets what is loaded while it
is in use, and numpy refuses to be loaded twice.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from pytest_apex.backends import virtual
from pytest_apex.device.device import Device
from pytest_apex.evidence.recorder import Recorder
from pytest_apex.evidence.redact import Redactor
from pytest_apex.evidence.store import Store
from pytest_apex.reports.results import attempt_to_dict, read_results
from pytest_apex.reports.runs import read_latest
from pytest_apex.settings import Settings
from pytest_apex.testing.contract import BackendContract
from pytest_apex.verify import judge as _judge
from pytest_apex.vision import image as _image

_LOADED = (_judge, _image)


@contextmanager
def virtual_device(
    folder: Path, spec: str = "virtual", *, app: str = "", settings: Settings | None = None
) -> Iterator[Device]:
    """A `Device` on the built-in phone, outside of a test run; its evidence goes to `folder`.

    `spec` is what `--device` takes; `app` is the id of the app to launch ("": what is in front). Raises `ConfigError`
    for a spec or app that can't be.
    """
    settings = settings or Settings()
    recorder = Recorder(folder, Store(folder), Redactor(settings.keep.redact), settings.keep.policy)
    device = Device(virtual.connect(spec, settings), settings, recorder, test="virtual_device")
    try:
        device.start(app)
        yield device
    finally:
        device.finish()
        recorder.close(failed=False)


def run_project(
    pytester: pytest.Pytester, files: Mapping[str, str], *args: str, plugins: tuple[str, ...] = ()
) -> pytest.RunResult:
    """Write `files` into pytester's folder and run pytest there, in this process, with pytest-apex and `plugins`
    (names that `-p` takes) and no other installed plugin. Texts are dedented.

    `pytest_plugins = ["pytester"]` has to stand in the root conftest of the tests that use it.
    """
    for name, text in files.items():
        path = pytester.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text).lstrip("\n"), "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
        named = [part for plugin in ("apex", *plugins) for part in ("-p", plugin)]
        # This process has imported the plugin before: its assertions stay as they are, and that is fine.
        quiet = ("-W", "ignore:Module already imported:pytest.PytestAssertRewriteWarning")
        return pytester.runpytest_inprocess(*named, *quiet, *args)


def last_run(folder: Path) -> Path:
    """The folder of the last run in a project. Raises `ApexError` when there was none."""
    return read_latest(folder / ".apex")


def results_of(folder: Path) -> list[dict[str, Any]]:
    """The lines of `results.jsonl` of the last run in a project, in order."""
    return [attempt_to_dict(attempt) for attempt in read_results(last_run(folder))]


__all__ = ["BackendContract", "last_run", "results_of", "run_project", "virtual_device"]
