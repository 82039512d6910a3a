"""Ranges of app versions."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_apex.manual.versions import fits, overlap, parts_of

law = settings(max_examples=100, derandomize=True, deadline=None)


@pytest.mark.parametrize(
    ("version_range", "version", "fit"),
    [
        ("", "1.4", True), ("", "", True), (">=1.4", "1.4", True), (">=1.4", "1.4.0", True), (">=1.4", "1.3.9", False),
        (">1.4", "1.4.0", False), (">1.4", "1.4.1", True), ("<2", "1.99", True), ("<2", "2.0", False),
        ("<=2", "2.0.0", True), ("<=2", "2.0.1", False), ("==1.4", "1.4.7", True), ("1.4", "1.4.7", True),
        ("==1.4", "1.5", False), ("!=1.4", "1.4.7", False), ("!=1.4", "1.5", True), (">=1.4, <2", "1.9", True),
        (">=1.4, <2", "2", False), ("1", "1.10 (build 7)", True), (">=1.9", "1.10", True),
        (">=2026.10", "2026.10.1-rc3", True), ("==1.0.0", "1", True), (">=1", "", None), (">=1", "beta", None),
        (">=1", "v1.2", True),
    ],
)  # fmt: skip
def test_a_version_is_in_a_range(version_range: str, version: str, fit: bool | None) -> None:
    assert fits(version_range, version) is fit


_LONG = pytest.param(" " * 1_000_000 + "x", id="a megabyte of spaces")


@pytest.mark.parametrize("text", ["newest", ">=", "=> 1", "1.x", ">=1 <2", "1,,2", "~=1.4", "", "1.", "٣", _LONG])
def test_what_is_no_range(text: str) -> None:
    assert parts_of(text) is None


@pytest.mark.parametrize(
    ("one", "other", "meet"),
    [
        ("", "", True), ("", "<2", True), ("<2", ">=2", False), ("<=2", ">=2", True), ("<2", ">1.9", True),
        ("1.4", "1.4.2", True), ("1.4", "1.5", False), ("!=1", "1", False), (">1, <2", "1.5", True),
        (">1.4", "<=1.4", False), ("<1", "0", True), (">=3", "!=3", True),
    ],
)  # fmt: skip
def test_two_ranges_overlap(one: str, other: str, meet: bool) -> None:
    assert overlap(one, other) is meet
    assert overlap(other, one) is meet


_NUMBERS = st.lists(st.integers(0, 3), min_size=1, max_size=3).map(lambda parts: ".".join(map(str, parts)))
_RANGES = st.lists(
    st.builds(str.__add__, st.sampled_from([">=", "<=", ">", "<", "==", "!="]), _NUMBERS), min_size=1, max_size=3
).map(", ".join)
#: Fine enough for every range above.
_GRID = [f"{a}.{b}.{c}.{d}" for a in range(5) for b in range(5) for c in range(5) for d in range(2)]


@law
@given(_RANGES, _RANGES)
def test_ranges_overlap_where_a_version_is_in_both(one: str, other: str) -> None:
    assert overlap(one, other) is any(fits(one, version) and fits(other, version) for version in _GRID)
