"""How far a picture may be from its approved one, and which measure said so."""

from __future__ import annotations

import math
from dataclasses import dataclass

from pytest_apex.device import arguments
from pytest_apex.vision.clusters import WINDOW
from pytest_apex.vision.match import ImageComparison, Rules

#: So many pixels of a 32×32 window may differ where the test allows any to: noise on text stays under it, a changed
#: icon or word does not.
USUAL_WINDOW = WINDOW * WINDOW // 8


@dataclass(frozen=True, slots=True)
class Tolerance:
    """What `to_match` was given. Without `pixels` and `ratio` nothing may differ; of both the smaller holds. `window`
    is what any one window may hold, so that a large picture hides no small change."""

    threshold: float = 0.1
    pixels: int | None = None
    ratio: float | None = None
    window: int | None = None

    @classmethod
    def of(
        cls, threshold: float, max_diff_pixels: int | None, max_diff_ratio: float | None, max_window_pixels: int | None
    ) -> Tolerance:
        """The arguments of `to_match`; raises `ConfigError` for one that makes no sense."""
        arguments.number(threshold, "threshold=", least=0.0, most=1.0)
        if max_diff_pixels is not None:
            arguments.whole(max_diff_pixels, "max_diff_pixels=", least=0)
        if max_diff_ratio is not None:
            arguments.number(max_diff_ratio, "max_diff_ratio=", least=0.0, most=1.0)
        if max_window_pixels is not None:
            arguments.whole(max_window_pixels, "max_window_pixels=", least=0)
        return cls(threshold, max_diff_pixels, max_diff_ratio, max_window_pixels)

    def allowed(self, compared: int) -> int:
        """How many of so many compared pixels may differ."""
        limits = [limit for limit in (self.pixels, self._of_ratio(compared)) if limit is not None]
        return min(limits, default=0)

    def _of_ratio(self, compared: int) -> int | None:
        # A limit that is a hair under a whole number, as 0.07 · 100 is, means that number.
        return None if self.ratio is None else math.floor(self.ratio * compared + 1e-6)

    def rules(self, compared: int, *, whole: bool) -> Rules:
        """What the comparison is asked; all of it, or no more than the verdict needs."""
        return Rules(self.threshold, enough=None if whole else self.allowed(compared))

    def exceeded(self, found: ImageComparison, compared: int) -> str:
        """The one measure that is over its limit, with both numbers, in words; "" if none is."""
        allowed = self.allowed(compared)
        if found.count > allowed:
            return self._over_all(found, compared, allowed)
        window = USUAL_WINDOW if self.window is None else self.window
        if found.count and found.window_count > window:
            limit = "the usual limit; max_window_pixels= sets another" if self.window is None else "max_window_pixels"
            inside = f"{found.window_count:,} pixels differ in one window of {WINDOW}×{WINDOW}"
            within = f"over all {found.count:,} do, which is within the {allowed:,} allowed"
            return f"{inside}, at most {window:,} may ({limit}); {within}"
        return ""

    def _over_all(self, found: ImageComparison, compared: int, allowed: int) -> str:
        by_ratio = self.ratio is not None and (self.pixels is None or self._of_ratio(compared) == allowed)
        least = "" if found.complete else "at least "
        if by_ratio:
            limit = f"at most {self.ratio:.4%} may: {allowed:,} pixels (max_diff_ratio)"
        else:
            limit = f"at most {allowed:,} may" + (" (max_diff_pixels)" if self.pixels is not None else "")
        return f"{least}{found.count:,} of {compared:,} pixels differ ({found.count / max(1, compared):.4%}), {limit}"
