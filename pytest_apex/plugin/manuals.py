"""The manuals of a run: found and read once, when the first device test needs them; mistakes are told at the start."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import pytest

from pytest_apex.plugin import options
from pytest_apex.plugin.answers import all_of
from pytest_apex.plugin.devices import lease, needs_device
from pytest_apex.plugin.installing import say
from pytest_apex.plugin.stash import MANUALS, RESULTS, SETTINGS
from pytest_apex.plugin.workers import is_worker

if TYPE_CHECKING:
    from pytest_apex.manual.winners import Shelf
    from pytest_apex.model.manual import Identity, MatchedManual, NoManual


class Manuals:
    """All manuals that this run knows. Nothing is looked for before something is asked."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config

    @cached_property
    def shelf(self) -> Shelf:
        from pytest_apex.manual.winners import shelve
        from pytest_apex.manual_files import entry_points, gather

        config = self._config
        answers = config.hook.pytest_apex_manual_dirs(config=config)
        declared = [*entry_points(), *map(str, all_of([one] if isinstance(one, str) else one for one in answers))]
        return shelve(gather(config.rootpath, config.stash[SETTINGS].app.manuals, declared))

    def find(self, who: Identity, named: str = "") -> MatchedManual | NoManual:
        """The manual of an app, or why there is none; the one called `named`, if a name is given."""
        return self.shelf.find(who, named)

    def complaints(self) -> list[str]:
        """What is wrong or odd about the files, a text each: all mistakes of all files first."""
        shelf = self.shelf
        told = [one.told("is left out of this run: it has") for one in shelf.rejected]
        if shelf.skipped:
            told.append(f"skipped, as no line --- with fields is at the head: {', '.join(shelf.skipped)}")
        return [*told, *(f"{line} (a warning)" for line in shelf.warnings), *map(str, shelf.losers)]


def manuals_of(config: pytest.Config) -> Manuals:
    """The manuals of this run, one for all tests of the process."""
    return config.stash.setdefault(MANUALS, Manuals(config))


@pytest.hookimpl(trylast=True)
def pytest_collection_finish(session: pytest.Session) -> None:
    """Say what is wrong with the manuals before the first device test. Workers leave it to the end of the run, which
    the controller tells."""
    config = session.config
    if SETTINGS not in config.stash or options.runs_nothing(config) or lease(config, config.stash[SETTINGS]) is None:
        return
    if not any(needs_device(item) for item in session.items):
        return
    manuals = manuals_of(config)
    complaints = manuals.complaints()
    if is_worker(config):
        for complaint in complaints:
            config.stash[RESULTS].trouble(complaint)
        return
    from pytest_apex.errors import printable

    for complaint in complaints:
        say(config, f"apex: {printable(complaint)}")
    rejected = [one.file.shown for one in manuals.shelf.rejected]
    if rejected:
        told = f"manuals left out for their mistakes, which pytest-apex check tells: {', '.join(rejected)}"
        config.stash[RESULTS].trouble(printable(told))
