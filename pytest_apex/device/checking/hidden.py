"""What of a picture is not compared: the masks of a test, the system's bars, the keyboard, what lives by itself,
secrets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from pytest_apex.device import arguments
from pytest_apex.device.acting import images
from pytest_apex.device.context import Context
from pytest_apex.device.locator import Locator
from pytest_apex.errors import ConfigError
from pytest_apex.model.geometry import Rect
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.model.target import Target

#: What `mask=` takes: a locator, a rectangle in units of the tree, the name of a role or of a platform's class.
Mask: TypeAlias = Locator | Rect | tuple[float, float, float, float] | str
#: Masks that cover more of what is compared than this hide what the check is about.
MOST = 0.5


@dataclass(frozen=True, slots=True)
class Hidden:
    """Places that are not compared, in units of the tree, and why, in words. `asked` says that the test asked for
    it."""

    why: str
    boxes: tuple[Rect, ...]
    asked: bool = False

    def __str__(self) -> str:
        return f"{self.why} {' '.join(map(str, self.boxes))}".rstrip()


def masks(given: object) -> list[Target | Rect | str]:
    """What `mask=` names: one or a list. Raises `ConfigError` for anything else."""
    single = isinstance(given, (Locator, Rect, str)) or _is_box(given)
    items = [given] if single else given
    if not isinstance(items, (list, tuple)):
        raise _wrong(given)
    return [_mask(item) for item in items]


def _is_box(value: object) -> bool:
    return isinstance(value, tuple) and len(value) == 4 and all(isinstance(edge, (int, float)) for edge in value)


def _mask(item: object) -> Target | Rect | str:
    if isinstance(item, Locator):
        return item.target
    if isinstance(item, str) and item.strip():
        return item
    if isinstance(item, tuple) and _is_box(item):
        item = Rect(*(arguments.number(edge, "mask=") for edge in item))
    if isinstance(item, Rect) and not item.is_empty:
        return item
    raise _wrong(item)


def _wrong(given: object) -> ConfigError:
    return ConfigError(
        "mask= takes locators, rectangles (left, top, right, bottom), and names of roles or classes",
        seen=repr(given)[:120],
        cure='mask=[device.find(id="clock"), (0, 0, 200, 40), "image"]',
    )


def hidden(ctx: Context, snapshot: Snapshot, asked: Sequence[Target | Rect | str], *, whole: bool) -> Iterator[Hidden]:
    """All that is not compared on this look. `whole` says that the whole screen is, with the system's bars on it."""
    for mask in asked:
        yield Hidden(_words(mask), tuple(_places(snapshot, mask)), asked=True)
    live = tuple(box.grown(1) for box in ctx.live_regions(snapshot))
    if live:
        yield Hidden("lives by itself, as the manual says", live)
    secret = tuple(box.grown(1) for box in ctx.recorder.hidden_boxes(snapshot))
    if secret:
        yield Hidden("secret", secret)
    if whole:
        yield from _of_the_system(snapshot)


def _words(mask: Target | Rect | str) -> str:
    return f"mask {mask!r}" if isinstance(mask, str) else f"mask {mask}"


def _places(snapshot: Snapshot, mask: Target | Rect | str) -> list[Rect]:
    """Where a mask hides something, a unit wider at each edge: controls are drawn up to there."""
    if isinstance(mask, Rect):
        places = [mask]
    elif isinstance(mask, str):
        names = (mask, mask.lower())
        nodes = (node for node in snapshot.nodes if node.visible)
        places = [node.bounds for node in nodes if _is_called(node.role, node.class_name, names)]
    else:
        places = [node.bounds for node in images.seek(snapshot, mask)]
    found = [place.grown(1).intersect(snapshot.screen.bounds) for place in places if not place.is_empty]
    return [place for place in found if not place.is_empty]


def _is_called(role: str, class_name: str, names: Sequence[str]) -> bool:
    return role in names or class_name in names or class_name.rpartition(".")[2] in names


def _of_the_system(snapshot: Snapshot) -> Iterator[Hidden]:
    screen, area = snapshot.screen.bounds, snapshot.screen.app_area
    bars = (
        Rect(screen.left, screen.top, screen.right, area.top),
        Rect(screen.left, area.bottom, screen.right, screen.bottom),
        Rect(screen.left, area.top, area.left, area.bottom),
        Rect(area.right, area.top, screen.right, area.bottom),
    )
    shown = tuple(bar for bar in bars if not bar.is_empty)
    if shown:
        yield Hidden("system bars", shown)
    keyboards = [window.bounds for window in snapshot.windows if window.kind == "keyboard"]
    shown = tuple(box for box in keyboards if not box.is_empty)
    if shown:
        yield Hidden("keyboard", shown)
