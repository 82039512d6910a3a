"""What differs between Android, iOS, tvOS and watchOS, in one table each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pytest_apex.phone.parts import ScreenSize


@dataclass(frozen=True, slots=True)
class Platform:
    """`points`: the tree's units are points, not pixels. `bars` are the system bars at top and bottom in dp or points.
    `size` is the screen where the app file's does not fit the kind of device, `density` pixels a point where it is not
    the app file's. `keyboard` is the height of the on-screen keyboard, 0 where there is none."""

    name: str
    model: str
    os_version: str
    points: bool
    classes: Mapping[str, str]
    capabilities: frozenset[str]
    keys: frozenset[str]
    bars: tuple[float, float] = (0, 0)
    size: ScreenSize | None = None
    density: float | None = None
    keyboard: float = 0
    system: str = ""
    launcher: str = ""
    keyboard_app: str = ""
    permissions_app: str = ""
    status_bar: str = ""
    #: Whether a crash and a frozen app bring up a dialog of the system.
    tells_of_crashes: bool = True

    def screen(self, app: ScreenSize) -> ScreenSize:
        """The screen for an app drawn at `app`'s size."""
        if self.size is not None:
            return self.size
        if self.density is None:
            return app
        by = self.density / app.density
        return ScreenSize(round(app.width * by), round(app.height * by), self.density)


_ANDROID_CLASSES = {
    "window": "android.widget.FrameLayout",
    "dialog": "android.widget.LinearLayout",
    "toolbar": "androidx.appcompat.widget.Toolbar",
    "status_bar": "android.widget.FrameLayout",
    "keyboard": "android.inputmethodservice.SoftInputWindow",
    "key": "android.inputmethodservice.Keyboard$Key",
    "scroll": "android.widget.ScrollView",
    "list": "androidx.recyclerview.widget.RecyclerView",
    "cell": "android.view.ViewGroup",
    "group": "android.widget.LinearLayout",
    "card": "androidx.cardview.widget.CardView",
    "button": "android.widget.Button",
    "link": "android.widget.TextView",
    "text": "android.widget.TextView",
    "text_field": "android.widget.EditText",
    "image": "android.widget.ImageView",
    "icon": "android.widget.ImageButton",
    "switch": "android.widget.Switch",
    "checkbox": "android.widget.CheckBox",
    "progress": "android.widget.ProgressBar",
    "toast": "android.widget.Toast",
    "other": "android.view.View",
}
_APPLE_CLASSES = {
    role: f"XCUIElementType{kind}"
    for role, kind in {
        "application": "Application",
        "window": "Window",
        "dialog": "Alert",
        "toolbar": "NavigationBar",
        "status_bar": "StatusBar",
        "keyboard": "Keyboard",
        "key": "Key",
        "scroll": "ScrollView",
        "list": "Table",
        "cell": "Cell",
        "group": "Other",
        "card": "Other",
        "button": "Button",
        "link": "Link",
        "text": "StaticText",
        "text_field": "TextField",
        "image": "Image",
        "icon": "Button",
        "switch": "Switch",
        "checkbox": "Switch",
        "progress": "ActivityIndicator",
        "toast": "Other",
        "other": "Other",
    }.items()
}
#: What phones alone can do.
_TOUCH = {
    "tap", "double_tap", "long_press", "swipe", "fling", "drag", "pinch", "twist", "multi_touch", "secondary_actions",
    "hide_keyboard", "wake",
}  # fmt: skip
_APPS = {"type", "press", "app_control", "launch_arguments", "records", "log", "permissions"}
_PACKAGES = {"install", "list_apps", "open_url"}
#: What Android lets tools do that Apple's platforms do not.
_SYSTEM = {
    "press_hold", "orientation", "clear_data", "toast", "background", "clipboard", "notifications", "network", "files",
}  # fmt: skip

ANDROID = Platform(
    name="android",
    model="Virtual phone",
    os_version="16",
    points=False,
    classes=_ANDROID_CLASSES,
    capabilities=frozenset({*_TOUCH, *_APPS, *_PACKAGES, *_SYSTEM}),
    keys=frozenset({"back", "home", "enter", "delete", "power", "volume_up", "volume_down"}),
    bars=(24, 24),
    keyboard=252,
    system="android",
    launcher="com.google.android.apps.nexuslauncher",
    keyboard_app="com.google.android.inputmethod.latin",
    permissions_app="com.google.android.permissioncontroller",
    status_bar="com.android.systemui",
)
IOS = Platform(
    name="ios",
    model="Virtual iPhone",
    os_version="27.0",
    points=True,
    classes=_APPLE_CLASSES,
    capabilities=frozenset({*_TOUCH, *_APPS, *_PACKAGES, "orientation", "clipboard"}),
    keys=frozenset({"home", "enter", "delete", "volume_up", "volume_down"}),
    bars=(44, 34),
    density=2.0,
    keyboard=260,
    system="com.apple.springboard",
    launcher="com.apple.springboard",
    keyboard_app="com.apple.InputUI",
    permissions_app="com.apple.springboard",
    status_bar="com.apple.springboard",
    tells_of_crashes=False,
)
TVOS = Platform(
    name="tvos",
    model="Virtual Apple TV",
    os_version="27.0",
    points=True,
    classes=_APPLE_CLASSES,
    capabilities=frozenset({*_APPS, *_PACKAGES, "remote", "press_hold"}),
    keys=frozenset({"up", "down", "left", "right", "select", "menu", "playpause", "home"}),
    size=ScreenSize(1280, 720, 1.0),
    system="com.apple.PineBoard",
    launcher="com.apple.HeadBoard",
    permissions_app="com.apple.PineBoard",
    tells_of_crashes=False,
)
WATCHOS = Platform(
    name="watchos",
    model="Virtual Apple Watch",
    os_version="27.0",
    points=True,
    classes=_APPLE_CLASSES,
    capabilities=frozenset({"tap", "long_press", "swipe", "fling", "crown", *(_APPS - {"type"})}),
    keys=frozenset({"crown", "side", "action", "home"}),
    bars=(20, 0),
    size=ScreenSize(396, 484, 2.0),
    system="com.apple.Carousel",
    launcher="com.apple.Carousel",
    permissions_app="com.apple.Carousel",
    status_bar="com.apple.Carousel",
    tells_of_crashes=False,
)

PLATFORMS: Mapping[str, Platform] = {item.name: item for item in (ANDROID, IOS, TVOS, WATCHOS)}
