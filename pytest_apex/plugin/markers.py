"""Markers: registered, and what they change in the settings of a test."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pytest_apex.settings import Settings


_CHECKED = pytest.StashKey[bool]()
#: A test with one of these in its closure uses a device.
DEVICE_FIXTURES = frozenset({"apex_device", "apex_backend"})


def pytest_configure(config: pytest.Config) -> None:
    from pytest_apex.plugin.marker_rules import RULES

    config.addinivalue_line("markers", "apex: set by pytest-apex on every test that uses a device")
    for _rule, written, says in RULES.values():
        config.addinivalue_line("markers", f"{written}: {says} (pytest-apex)")


def uses_device(item: pytest.Item) -> bool:
    return not DEVICE_FIXTURES.isdisjoint(getattr(item, "fixturenames", ()))


def pytest_itemcollected(item: pytest.Item) -> None:
    if uses_device(item):
        item.add_marker("apex")


@pytest.hookimpl(wrapper=True)
def pytest_pycollect_makeitem(collector: pytest.Collector) -> Generator[None, object, object]:
    """Wrong arguments are told while the file is collected, before any test runs."""
    if isinstance(collector, pytest.Module) and not collector.stash.get(_CHECKED, False):
        from pytest_apex.plugin.marker_check import complaint

        collector.stash[_CHECKED] = True
        wrong = complaint(collector)
        if wrong:
            raise collector.CollectError(wrong)
    return (yield)


def meaning_of(item: pytest.Item, name: str) -> Any:
    """What the closest mark of that name means for the test, or None. Raises `ConfigError`."""
    mark = item.get_closest_marker(name)
    if mark is None:
        return None
    from pytest_apex.plugin.marker_rules import meaning

    try:
        return meaning(name, mark.args, mark.kwargs)
    except ValueError as error:
        from pytest_apex.errors import ConfigError

        raise ConfigError(f"the marker {name} can't be used: {error}", cure="correct the marker") from None


def settings_for(settings: Settings, item: pytest.Item) -> Settings:
    """The settings as this test's markers change them."""
    app = meaning_of(item, "app")
    if app is not None:
        settings = _with_app(settings, app)
    how = meaning_of(item, "humanize")
    if how is not None:
        settings = settings.changed("touch", {"humanize": "marker"}, humanize=how)
    permissions = meaning_of(item, "permissions")
    if permissions is not None:
        default, each = permissions
        settings = settings.changed(
            "app", {"permissions": "marker"},
            permissions=default or settings.app.permissions, permission_of={**settings.app.permission_of, **each},
        )  # fmt: skip
    allowed = meaning_of(item, "allow_irreversible")
    if allowed is not None:
        settings = settings.changed("touch", {"allow_here": "marker"}, allow_here=allowed)
    times = meaning_of(item, "retry_transient")
    if times is not None:
        settings = settings.changed("judging", {"retry_transient": "marker"}, retry_transient=times)
    return settings


def _with_app(settings: Settings, given: dict[str, Any]) -> Settings:
    names = {"id": "app", "args": "app_args", "env": "app_env", "reset": "reset"}
    return settings.changed("app", {names[field]: "marker" for field in given}, **given)
