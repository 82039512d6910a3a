"""What two captures differ in: tree and pixels."""

from __future__ import annotations

from pytest_apex.hierarchy.diff import diff
from pytest_apex.model.change import Change
from pytest_apex.model.geometry import Rect
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.vision.compare import difference


def compare(before: Snapshot, after: Snapshot, pushed: tuple[int, int] = (0, 0)) -> Change:
    """The change from one capture to a later one, exactly: every pixel counts.

    `pixel_ratio` is None when one of them has no picture, and 1 when the pictures differ in size; `regions` are in the
    units of the later tree. `pushed` is where the content was pushed in between (see `hierarchy.diff.node_diff`).
    """
    tree = diff(before, after, pushed)
    ratio: float | None = None
    regions: tuple[Rect, ...] = ()
    if before.picture is not None and after.picture is not None:
        pixels = difference(before.picture, after.picture)
        ratio = pixels.ratio if pixels.same_size else 1.0
        boxes = pixels.boxes if pixels.same_size else (after.screen.bounds.scaled(after.screen.scale),)
        regions = tuple(box.scaled(1 / after.screen.scale) for box in boxes)
    return Change(
        before=before.id,
        after=after.id,
        appeared=tree.appeared,
        vanished=tree.vanished,
        moved=tree.moved,
        altered=tree.altered,
        pixel_ratio=ratio,
        regions=regions,
        navigated=tree.navigated,
        scrolled=tree.scrolled,
    )
