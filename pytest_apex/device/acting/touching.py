"""What a test touches: waited for with everything that may bring it, then touched."""

from __future__ import annotations

from collections.abc import Callable

from pytest_apex.device.acting import act, ready, second
from pytest_apex.device.acting.act import Ready, Words
from pytest_apex.device.context import Context
from pytest_apex.model.action import Pointer
from pytest_apex.model.geometry import Rect
from pytest_apex.model.look import Hit
from pytest_apex.model.step import Step
from pytest_apex.model.target import Target


def wait_ready(ctx: Context, target: Target, *, enabled: bool = True) -> Ready:
    """Wait until the control can be touched. Where it does not come, the last touch is done once more if it may be."""
    return ready.wait_ready(ctx, target, enabled=enabled, again=second.touch_again)


def touch(
    ctx: Context,
    target: Target,
    make: Callable[[Hit], Pointer],
    *,
    verb: str,
    named: str,
    words: Words,
    repeat: bool = True,
    end_area: Rect | None = None,
    enabled: bool = True,
    note: str = "",
) -> Step:
    """One pointer gesture on one control, as in `act.touch`, once it is ready."""

    def look() -> Ready:
        return wait_ready(ctx, target, enabled=enabled)

    return act.touch(
        ctx, target, look, make, verb=verb, named=named, words=words, repeat=repeat, end_area=end_area, note=note
    )
