"""What `import pytest_apex` offers."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import pytest_apex
from pytest_apex.device.app import AppFacet, AppsFacet
from pytest_apex.device.checking.expect_device import DeviceChecks
from pytest_apex.device.checking.expect_locator import LocatorChecks
from pytest_apex.device.checking.expect_screen import AppChecks, ScreenChecks
from pytest_apex.device.checking.expect_step import StepChecks
from pytest_apex.device.facets import ScreenFacet
from pytest_apex.device.web import WebFacet

CHECKS = (LocatorChecks, ScreenChecks, AppChecks, DeviceChecks, StepChecks)


def declared_for_types(root: Path) -> set[str]:
    tree = ast.parse((root / "pytest_apex" / "__init__.py").read_text("utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    return {
        alias.asname or alias.name for node in block.body if isinstance(node, ast.ImportFrom) for alias in node.names
    }


def test_all_names_resolve_and_no_other(root: Path) -> None:
    assert set(pytest_apex.__all__) == set(pytest_apex._HOME) | {"__version__"}
    assert set(pytest_apex._HOME) == declared_for_types(root)
    assert len(pytest_apex.__all__) == len(set(pytest_apex.__all__))


@pytest.mark.parametrize("name", sorted(pytest_apex.__all__))
def test_each_public_name_leads_somewhere_and_says_what_it_is(name: str) -> None:
    value = getattr(pytest_apex, name)
    assert value is not None
    if name != "__version__":
        assert (value.__doc__ or "").strip()


@pytest.mark.parametrize("owner", [pytest_apex.Device, pytest_apex.Locator, pytest_apex.Snapshot, pytest_apex.Step,
                                   AppFacet, AppsFacet, ScreenFacet, WebFacet, *CHECKS])  # fmt: skip
def test_each_word_of_theirs_says_what_it_does(owner: type) -> None:
    """Those with `not_` in front are the opposite of what is described."""
    words = [name for name in dir(owner) if not name.startswith(("_", "not_"))]
    described = [name for name in words if (getattr(owner, name).__doc__ or "").strip()]
    fields = set(getattr(owner, "__dataclass_fields__", ()))
    assert set(words) - set(described) - fields == set()


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'tap'"):
        _ = pytest_apex.tap


def test_it_is_typed(root: Path) -> None:
    assert (root / "pytest_apex" / "py.typed").is_file()
