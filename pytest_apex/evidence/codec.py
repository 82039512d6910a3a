"""Values of the model as JSON and back: nothing rounded, nothing lost, what is as usual left out."""

from __future__ import annotations

import dataclasses
import enum
import types
import typing
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from pytest_apex.errors import SourceError
from pytest_apex.model.snapshot import Snapshot


class NotThat(SourceError):
    """A value that is not of its type. `place` is the way to it: `failure.findings[0].box`."""

    def __init__(self, place: str, expected: str, found: object) -> None:
        self.place = place
        super().__init__(
            f"{place}: expected {expected}",
            seen=repr(found)[:120],
            likely="it was written by another version of pytest-apex, or cut short",
        )


def encode(value: Any, keep: Callable[[Snapshot], Any]) -> Any:
    """`value` as JSON's own types. `keep` stores a snapshot and says what stands for it."""
    if value is None or (isinstance(value, str | bool | int | float) and not isinstance(value, enum.Enum)):
        return value
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, Snapshot):
        return keep(value)
    if isinstance(value, tuple | list | frozenset):
        return [encode(item, keep) for item in value]
    if isinstance(value, Mapping):
        return {str(name): encode(item, keep) for name, item in value.items()}
    return {
        item.name: encode(getattr(value, item.name), keep)
        for item in dataclasses.fields(value)
        if getattr(value, item.name) != _usual(item)
    }


def _usual(field: dataclasses.Field[Any]) -> Any:
    made = field.default_factory
    return made() if made is not dataclasses.MISSING else field.default


def decode(kind: Any, data: Any, load: Callable[[Any], Snapshot], place: str = "") -> Any:
    """The value of type `kind` that `encode` was given; `load` makes a snapshot of what stands for it. Fields that are
    not known any more are left out. Raises `SourceError` that says where it is not as it has to be."""
    origin = typing.get_origin(kind)
    if origin in (typing.Union, types.UnionType):
        return _decode_union(kind, data, load, place)
    if origin in (tuple, list, frozenset):
        return _decode_list(origin, typing.get_args(kind)[0], data, load, place)
    if origin is not None:  # a mapping of texts
        if not isinstance(data, dict):
            raise NotThat(place, "an object", data)
        return dict(data)
    if kind is Snapshot:
        return load(data)
    if dataclasses.is_dataclass(kind):
        return _decode_fields(kind, data, load, place)
    if kind is float and isinstance(data, int) and not isinstance(data, bool):
        return float(data)
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        return _decode_enum(kind, data, place)
    if type(data) is not kind:
        raise NotThat(place, {str: "a text", bool: "true or false"}.get(kind, "a number"), data)
    return data


def _decode_union(kind: Any, data: Any, load: Callable[[Any], Snapshot], place: str) -> Any:
    if data is None:
        return None
    (inner,) = (part for part in typing.get_args(kind) if part is not types.NoneType)
    return decode(inner, data, load, place)


def _decode_list(made: Any, kind: Any, data: Any, load: Callable[[Any], Snapshot], place: str) -> Any:
    if not isinstance(data, list):
        raise NotThat(place, "a list", data)
    return made(decode(kind, item, load, f"{place}[{at}]") for at, item in enumerate(data))


def _decode_enum(kind: type[enum.Enum], data: Any, place: str) -> enum.Enum:
    try:
        return kind(data)
    except ValueError:
        raise NotThat(place, f"one of {', '.join(str(item.value) for item in kind)}", data) from None


def _decode_fields(kind: Any, data: Any, load: Callable[[Any], Snapshot], place: str) -> Any:
    if not isinstance(data, dict):
        raise NotThat(place or "it", "an object", data)
    given = {}
    for name, (hint, needed) in _hints(kind).items():
        inside = f"{place}.{name}" if place else name
        if name in data:
            given[name] = decode(hint, data[name], load, inside)
        elif needed:
            raise NotThat(inside, "a value", None)
    return kind(**given)


@lru_cache(maxsize=64)
def _hints(kind: Any) -> dict[str, tuple[Any, bool]]:
    """The type of each field, and whether it has to be given."""
    hints = typing.get_type_hints(kind)
    return {
        item.name: (hints[item.name], _usual(item) is dataclasses.MISSING)
        for item in dataclasses.fields(kind)
        if item.init
    }
