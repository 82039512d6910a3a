"""The way to what only some devices can do: by capability and protocol, refused by name where it is missing."""

from __future__ import annotations

from typing import TypeVar

from pytest_apex.device.context import Context
from pytest_apex.errors import CapabilityMissing

_T = TypeVar("_T")


def door(ctx: Context, kind: type[_T], capability: str, what: str) -> _T:
    """The backend as one that has an ability of `backends.abilities`; `CapabilityMissing` where it has not.

    `what` reads on after "the device can't".
    """
    ctx.need(capability, what)
    if not isinstance(ctx.backend, kind):
        raise CapabilityMissing(
            f"{ctx.info} can't {what}",
            seen=f"{type(ctx.backend).__name__} declares {capability!r} and lacks methods of {kind.__name__}",
            likely="a mistake in the backend",
            cure="tell its maker",
        )
    return ctx.backend
