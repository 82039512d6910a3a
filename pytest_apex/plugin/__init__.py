"""The pytest plugin: adds the hook specs and names its parts. Each part is one kind of glue.

Nothing heavy is imported here or in any part: what needs a device, a picture or a report is loaded by its first use.
"""

from __future__ import annotations

import pytest

#: In this order: a part stands before those that import it, or pytest warns that it can't rewrite its assertions.
PARTS = (
    "pytest_apex.plugin.options",
    "pytest_apex.plugin.workers",
    "pytest_apex.plugin.markers",
    "pytest_apex.plugin.retrying",
    "pytest_apex.plugin.lost",
    "pytest_apex.plugin.timeouts",
    "pytest_apex.plugin.session",
    "pytest_apex.plugin.manuals",
    "pytest_apex.plugin.builtin",
    "pytest_apex.plugin.fixtures",
    "pytest_apex.plugin.hooks",
    "pytest_apex.plugin.cleaning",
    "pytest_apex.plugin.header",
    "pytest_apex.plugin.doctor",
    "pytest_apex.plugin.debugging",
)


def pytest_addhooks(pluginmanager: pytest.PytestPluginManager) -> None:
    from pytest_apex import hookspecs

    pluginmanager.add_hookspecs(hookspecs)
    # As `pytest_plugins`, each would first be looked for in the metadata of all that is installed.
    for part in PARTS:
        pluginmanager.import_plugin(part)
