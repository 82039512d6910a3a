"""Limits of single calls, stretched as the settings are."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, replace
from typing import TYPE_CHECKING, TypeVar

from pytest_apex.settings import Timeouts

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    _L = TypeVar("_L", bound=DataclassInstance)


def stretched(limits: _L, timeouts: Timeouts, with_launch: Iterable[str]) -> _L:
    """Limits as they are at the default settings: who shortens or stretches those, shortens or stretches these. Those
    in `with_launch` go with the launch time-out, the others with that of settling."""
    usual, launched = Timeouts(), frozenset(with_launch)
    settle, launch = timeouts.settle / usual.settle, timeouts.launch / usual.launch
    names = [field.name for field in fields(limits)]
    return replace(limits, **{name: getattr(limits, name) * (launch if name in launched else settle) for name in names})
