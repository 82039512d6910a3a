"""What two captures differ in."""

from __future__ import annotations

from dataclasses import dataclass

from pytest_apex.model.geometry import Rect


@dataclass(frozen=True, slots=True)
class FieldChange:
    """One field of one control: `FieldChange('"Save" (button)', "enabled", "False", "True")`."""

    node: str
    field: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Change:
    """From one snapshot to a later one. Controls are named in words, so that the value can be stored and printed.

    `scrolled` tells of each list how far it went (`"Notes" (list) down by 320`); its rows are then not among the moved,
    appeared and vanished. `pixel_ratio` is the share of the picture's pixels that differ (None: no pictures to compare)
    and `regions` where, in the units of the tree; `navigated` says that another screen is shown.
    """

    before: str
    after: str
    appeared: tuple[str, ...] = ()
    vanished: tuple[str, ...] = ()
    moved: tuple[str, ...] = ()
    altered: tuple[FieldChange, ...] = ()
    pixel_ratio: float | None = None
    regions: tuple[Rect, ...] = ()
    navigated: bool = False
    scrolled: tuple[str, ...] = ()

    @property
    def in_tree(self) -> bool:
        return bool(self.appeared or self.vanished or self.moved or self.altered or self.scrolled)

    @property
    def is_empty(self) -> bool:
        return not self.in_tree and not self.pixel_ratio and not self.navigated

    def __str__(self) -> str:
        if self.is_empty:
            return "nothing changed"
        parts = []
        if self.navigated:
            parts.append("another screen")
        if self.scrolled:
            parts.append(f"scrolled: {', '.join(self.scrolled)}")
        for word, names in (("appeared", self.appeared), ("vanished", self.vanished), ("moved", self.moved)):
            if names:
                more = f" and {len(names) - 3} more" if len(names) > 3 else ""
                parts.append(f"{word}: {', '.join(names[:3])}{more}")
        parts.extend(f"{item.node} {item.field}: {item.before} → {item.after}" for item in self.altered[:3])
        if len(self.altered) > 3:
            parts.append(f"{len(self.altered) - 3} more fields")
        if not self.in_tree and self.pixel_ratio:
            parts.append(f"pixels only ({self.pixel_ratio:.2%})")
        return "; ".join(parts)
