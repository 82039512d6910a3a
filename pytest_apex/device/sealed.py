"""What tests hold takes no attributes but its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_apex.errors import ConfigError


class Sealed:
    """An attribute that is misspelt, or meant as an act (`device.orientation = "landscape_left"`), would do nothing and
    say nothing: it is refused. A class that somebody else derives may have what it likes."""

    __slots__ = ()

    if not TYPE_CHECKING:  # type checkers would take any attribute for settable

        def __setattr__(self, name: str, value: object) -> None:
            own = getattr(type(self), name, None)
            settable = isinstance(own, property) and own.fset is not None
            if name.startswith("_") or settable or not type(self).__module__.startswith("pytest_apex."):
                object.__setattr__(self, name, value)
                return
            setter = f"set_{name}"
            raise ConfigError(
                f"{name} of {self!r} can't be set",
                seen="it is read only" if own is not None else f"{type(self).__name__} has no attribute of that name",
                cure=f"call {setter}(…)"
                if hasattr(type(self), setter)
                else "call a verb; keep your own values elsewhere",
            )
