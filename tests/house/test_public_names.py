"""What `import pytest_apex` offers."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import pytest_apex


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


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'tap'"):
        _ = pytest_apex.tap


def test_it_is_typed(root: Path) -> None:
    assert (root / "pytest_apex" / "py.typed").is_file()
