"""A picture that is not there."""

from __future__ import annotations

from pytest_apex.model.geometry import Rect
from pytest_apex.model.node import Node, NodeState
from pytest_apex.model.snapshot import Picture, Snapshot
from pytest_apex.model.verdict import CheckResult, Finding
from pytest_apex.verify.checks.base import result
from pytest_apex.verify.checks.page import Page, page_of
from pytest_apex.vision import color

_PICTURES = frozenset({"image", "icon"})
#: Smaller ones (dp) are marks, dots and dividers, and so is what is so many times as long as wide.
_LEAST_DP, _LONGEST = 24.0, 4.0
#: The edge of a frame is not looked at, in dp.
_FRAME_DP = 2.0
#: From this share on, an area is of one colour.
_PLAIN = 0.995
#: A corner as round as can be (half the height) lies outside of a box smaller by this share at each edge, and of strips
#: across its middle that are so wide.
_CORNER, _STRIP = 0.15, 0.2
#: A plain area whose channels differ by more is painted on purpose: a swatch, a cover. Frames of pictures that did not
#: load are grey.
_GREY = 24


class MissingImage:
    """Image controls of one colour. Those without a name that are not touched may be decoration, coloured ones may be
    swatches, and several plain ones of different colours are: `unknown`."""

    name = "missing_image"
    claim = "every picture is drawn"
    kind = "visual.missing_image"

    def applies(self, snapshot: Snapshot) -> bool:
        return page_of(snapshot).has_pixels

    def run(self, snapshot: Snapshot) -> CheckResult:
        page, findings, unknown = page_of(snapshot), [], []
        plain = [(node, *found) for node in page.nodes if (found := _plain(page, node)) is not None]
        for node, box, shade in plain:
            others = {other for inner, _, other in plain if inner != node and inner.parent == node.parent}
            why = _on_purpose(node, shade, others)
            if why:
                unknown.append(f"{node}: plain, {why}")
                continue
            reason = f"{node} shows nothing but {color.to_hex(shade)}"
            findings.append(Finding(self.name, self.kind, reason, nodes=(str(node),), box=box))
        return result(self, findings, tuple(unknown))


def _plain(page: Page, node: Node) -> tuple[Rect, tuple[int, int, int]] | None:
    """The box and colour of an image that shows nothing; None for any other control."""
    box = node.bounds
    if node.role not in _PICTURES or node.text or next(node.children, None) is not None or page.look.picture is None:
        return None
    short, long = sorted((box.width, box.height))
    if short < _LEAST_DP * page.dp or long > _LONGEST * short or page.is_partial(node) or page.is_covered(node):
        return None
    inner = box.grown(-_FRAME_DP * page.dp).scaled(page.look.screen.scale)
    shade, share = color.uniform_share(page.look.picture, inner)
    return (box, shade) if share > _PLAIN or _is_rounded(page.look.picture, inner, shade) else None


def _is_rounded(picture: Picture, box: Rect, shade: tuple[int, int, int]) -> bool:
    """Whether a box (pixels) is of one colour but for its corners, as the frame of a thumbnail or avatar is."""
    wide, high = box.width * (1 - _STRIP) / 2, box.height * (1 - _STRIP) / 2
    parts = (
        box.grown(-_CORNER * min(box.width, box.height)),
        Rect(box.left + wide, box.top, box.right - wide, box.bottom),
        Rect(box.left, box.top + high, box.right, box.bottom - high),
    )
    found = (color.uniform_share(picture, part) for part in parts)
    return all(seen == shade and share > _PLAIN for seen, share in found)


def _on_purpose(node: Node, shade: tuple[int, int, int], others: set[tuple[int, int, int]]) -> str:
    """Why a plain image may be meant so; "" for no reason."""
    if not node.label and not node.has(NodeState.CLICKABLE):
        return "without a name: it may be decoration"
    if max(shade) - min(shade) > _GREY:
        return "coloured: it may be a swatch"
    return "as its neighbours in other colours: they may be swatches" if others - {shade} else ""
