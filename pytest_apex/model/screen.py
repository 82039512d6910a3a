"""What a device's screen is like, and which device it is."""

from __future__ import annotations

from dataclasses import dataclass, field

from pytest_apex.model.geometry import NO_INSETS, Insets, Rect, Size

PLATFORMS = ("android", "ios", "tvos", "watchos")

ORIENTATIONS = (
    "portrait",
    "portrait_upside_down",
    "landscape_left",
    "landscape_right",
    "face_up",
    "face_down",
)


@dataclass(frozen=True, slots=True)
class Screen:
    """The screen at one moment.

    `size` and `insets` are in the units of the tree; `density` is pixels a dp (Android) or a point (Apple);
    `scale` takes units of the tree to pixels of the picture. A screen that is not `awake` shows nothing and takes no
    touch.
    """

    size: Size
    density: float = 1.0
    scale: float = 1.0
    rotation: int = 0
    insets: Insets = NO_INSETS
    orientation: str = "portrait"
    font_scale: float = 1.0
    locale: str = "en-US"
    dark: bool = False
    awake: bool = True

    @property
    def bounds(self) -> Rect:
        return Rect(0, 0, self.size.width, self.size.height)

    @property
    def app_area(self) -> Rect:
        """The screen without its system bars."""
        return self.bounds.inside(self.insets)


@dataclass(frozen=True, slots=True)
class TouchLimits:
    """How a device itself says that it tells touches apart, in milliseconds; None where it does not tell. People change
    these in its settings: a touch held for `long_press_ms` is a long press; the pause of a double tap is at least
    `double_tap_min_ms`, and its second touch comes down at most `double_tap_max_ms` after the first."""

    long_press_ms: int | None = None
    double_tap_min_ms: int | None = None
    double_tap_max_ms: int | None = None


@dataclass(frozen=True, slots=True)
class DeviceInfo:
    """Facts about a device for reports and for `requires(...)`.

    `dp` is how many units of the tree make one density-independent unit (dp on Android, 1.0 where units are points).
    `touch` is what it tells of its own limits; the platform's usual ones hold for the rest.
    """

    id: str
    platform: str
    model: str
    os_version: str
    screen: Screen
    dp: float = 1.0
    touch: TouchLimits = TouchLimits()
    tags: frozenset[str] = frozenset()
    facts: dict[str, str] = field(default_factory=dict, hash=False)

    def __str__(self) -> str:
        return f"{self.id} ({self.model}, {self.platform} {self.os_version}, {self.screen.size})"
