"""Windows that belong to the system: dialogs, the home screen, the status bar, the keyboard, toasts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pytest_apex.model.node import NodeState
from pytest_apex.model.snapshot import Window
from pytest_apex.phone.boxes import Box, Frame, Scope
from pytest_apex.phone.layout import Layout
from pytest_apex.phone.log import SYSTEM_PID
from pytest_apex.phone.parts import AppFile, Control
from pytest_apex.phone.platforms import Platform
from pytest_apex.phone.shade import Notification
from pytest_apex.phone.surface import Surface, Touched
from pytest_apex.phone.template import plain
from pytest_apex.phone.theme import LIGHT, Theme

_THEME = Theme({**LIGHT, "wallpaper": (46, 74, 98), "keys": (222, 226, 232), "wide_key": (198, 204, 213)})
NO_SCOPE = Scope(lambda _name: None)
_KEY_ROWS = ("qwertyuiop", "asdfghjkl", "⇧zxcvbnm⌫", "?, .⏎")
_KEY_WIDTHS = {" ": 5.0, "⇧": 1.5, "⌫": 1.5, "?": 1.5, "⏎": 1.5}
_KEY_ICONS = {"⇧": "shift", "⌫": "erase", "⏎": "enter"}
_KEY_LABELS = {" ": "space", "⇧": "shift", "⌫": "delete", "⏎": "return", "?": "symbols"}

Owner = Callable[[Touched, str], None]


@dataclass(frozen=True, slots=True)
class Glass:
    """The screen that windows are laid out on: pixels and pixels a dp."""

    platform: Platform
    width: int
    height: int
    density: float

    def px(self, dp: float) -> int:
        return round(dp * self.density)

    @property
    def layout(self) -> Layout:
        return Layout(Frame(self.density, NO_SCOPE))

    def box(self, role: str, top: int, bottom: int, background: str = "", key: str = "") -> Box:
        """A box as wide as the screen."""
        control = Control("group", background=background)
        return Box(control, key or role, role, 0, top, self.width, bottom, scope=NO_SCOPE)


def dialog(
    glass: Glass, window: Window, theme: Theme, owner: Owner, controls: Sequence[Control], scope: Scope = NO_SCOPE,
    focus: str = "",
) -> Surface:  # fmt: skip
    """A dialog in the middle of the screen, with everything below darkened and out of reach."""
    layout = Layout(Frame(glass.density, scope, focus))
    width = min(glass.width - 2 * glass.px(32), glass.px(340))
    left, pad = (glass.width - width) // 2, glass.px(24)
    panel = Box(Control("group"), "panel", "dialog", left, 0, left + width, 0, scope=scope)
    panel.children = layout.column(controls, scope, "panel", (left + pad, pad, left + width - pad, glass.height), 12)
    panel.bottom = max(box.bottom for box in panel.children) + glass.px(16)
    panel.move(0, max(0, (glass.height - panel.height) // 2))
    root = glass.box("group", 0, glass.height, key="scrim")
    root.states |= int(NodeState.OPAQUE_TO_TOUCH)
    root.children = [panel]
    return Surface(window, root, theme, owner, modal=True, scrim=120)


def system_dialog(glass: Glass, package: str, title: str, owner: Owner, controls: Sequence[Control]) -> Surface:
    window = Window(0, package, "system", title, pid=SYSTEM_PID, focused=True)
    return dialog(glass, window, _THEME, owner, controls)


def crash_controls(app: str) -> Sequence[Control]:
    return (
        Control("text", id="android:id/alertTitle", text=plain(f"{app} keeps stopping"), style="title"),
        Control("button", id="android:id/aerr_app_info", text=plain("App info"), style="plain", fill=True),
        Control("button", id="android:id/aerr_close", text=plain("Close app"), style="plain", fill=True),
    )


def frozen_controls(app: str) -> Sequence[Control]:
    return (
        Control("text", id="android:id/alertTitle", text=plain(f"{app} isn't responding"), style="title"),
        Control("button", id="android:id/aerr_close", text=plain("Close app"), style="plain", fill=True),
        Control("button", id="android:id/aerr_wait", text=plain("Wait"), style="plain", fill=True),
    )


_PURPOSES = {
    "notifications": "send you notifications",
    "camera": "take pictures and record video",
    "location": "access this device’s location",
    "contacts": "access your contacts",
    "microphone": "record audio",
}


def permission_controls(platform: Platform, app: str, permission: str) -> Sequence[Control]:
    purpose = _PURPOSES[permission]
    if platform.points:
        question, allow, deny = f"“{app}” Would Like to {purpose[0].upper()}{purpose[1:]}", "Allow", "Don’t Allow"
        ids = ("", "allow", "deny")
    else:
        question, allow, deny = f"Allow {app} to {purpose}?", "Allow", "Don’t allow"
        base = "com.android.permissioncontroller:id"
        ids = (f"{base}/permission_message", f"{base}/permission_allow_button", f"{base}/permission_deny_button")
    return (
        Control("icon", icon="bell", color="primary"),
        Control("text", id=ids[0], text=plain(question), style="title"),
        Control("button", id=ids[1], text=plain(allow), fill=True),
        Control("button", id=ids[2], text=plain(deny), style="outlined", fill=True),
    )


def launcher(glass: Glass, apps: Sequence[AppFile], owner: Owner, focused: bool) -> Surface:
    """The home screen, with an icon for each app."""
    root = glass.box("window", 0, glass.height)
    layout, cell = glass.layout, max(glass.px(72), glass.width // 4)
    for index, app in enumerate(apps):
        left, top = index % 4 * cell, glass.px(96) + index // 4 * glass.px(104)
        icon = Control(
            "cell",
            id=f"app:{app.id}",
            padding=4,
            align="center",
            on={"tap": ()},
            controls=(
                Control("image", icon=app.icon, width=56, height=56, background="surface"),
                Control("text", text=plain(app.name), style="caption", color="on_primary"),
            ),
        )
        boxes = layout.place(icon, NO_SCOPE, f"app:{app.id}", (left, top, left + cell, glass.height), wrap=False)
        for box in boxes:
            box.id = ""
        root.children += boxes
    window = Window(0, glass.platform.launcher, "launcher", "Home", pid=SYSTEM_PID + 410, focused=focused)
    return Surface(window, root, _THEME, owner, background="wallpaper")


def status_bar(glass: Glass, clock: str, dark: bool, owner: Owner, online: bool = True) -> Surface | None:
    """Time, network and battery at the top; takes the touches there."""
    height = glass.px(glass.platform.bars[0])
    if not height:
        return None
    color = "on_primary" if dark else "text"
    ids = ("", "", "") if glass.platform.points else tuple(
        f"com.android.systemui:id/{name}" for name in ("clock", "wifi_signal", "battery"))  # fmt: skip
    root = glass.box("status_bar", 0, height)
    layout, size = glass.layout, glass.platform.bars[0]
    icon = min(16.0, size * 0.62)
    marks = [
        Control("text", id=ids[0], text=plain(clock), style="caption", color=color, grow=True),
        *([Control("image", id=ids[1], icon="wifi", width=icon, height=icon)] if online else []),
        Control("image", id=ids[2], icon="battery", width=icon, height=icon),
    ]
    area = (glass.px(16), 0, glass.width - glass.px(14), height)
    root.children = layout.row(marks, NO_SCOPE, "bar", area, 4)
    lower = max(0, height - max(box.height for box in root.children))
    for box in root.children:
        box.move(0, lower // 2)
        if box.role == "image":
            box.role, box.control = "icon", Control("icon", icon=box.control.icon, color=color)
            box.label = "Wi-Fi" if box.control.icon == "wifi" else "Battery"
    window = Window(0, glass.platform.status_bar, "status_bar", "StatusBar", pid=SYSTEM_PID + 300)
    return Surface(window, root, _THEME, owner)


def keyboard(glass: Glass, keys: Box, shown: float, owner: Owner) -> Surface:
    """The keyboard, `shown` (0 to 1) of it above the lower edge. Android's does not tell of its keys in a tree."""
    window = Window(0, glass.platform.keyboard_app, "keyboard", "InputMethod", pid=SYSTEM_PID + 777)
    below = round(keys.height * (1 - shown))
    listed = glass.platform.points
    return Surface(window, keys, _THEME, owner, background="keys", dy=below, listed=listed)


def keyboard_keys(glass: Glass) -> Box:
    """The keyboard's boxes where it is all up; they never change."""
    height = glass.px(glass.platform.keyboard)
    top = glass.height - height
    root = glass.box("keyboard", top, glass.height, "keys")
    pad, row_height = glass.px(5), (height - glass.px(glass.platform.bars[1]) - glass.px(6)) // len(_KEY_ROWS)
    unit = (glass.width - 2 * pad) / 10
    for number, letters in enumerate(_KEY_ROWS):
        wide = sum(_KEY_WIDTHS.get(letter, 1.0) for letter in letters) * unit
        left = pad + (glass.width - 2 * pad - wide) / 2
        y = top + glass.px(6) + number * row_height
        for letter in letters:
            width = _KEY_WIDTHS.get(letter, 1.0) * unit
            edges = (round(left) + glass.px(2), y, round(left + width) - glass.px(2), y + row_height - glass.px(6))
            root.children.append(_key(glass, letter, edges))
            left += width
    return root


def _key(glass: Glass, letter: str, edges: tuple[int, int, int, int]) -> Box:
    wide = letter in _KEY_WIDTHS and letter != " "
    control = Control("group", icon=_KEY_ICONS.get(letter, ""), background="wide_key" if wide else "surface")
    box = Box(control, f"key {letter}", "key", *edges, scope=NO_SCOPE)
    box.text = "" if letter == " " or control.icon else letter
    box.label = _KEY_LABELS.get(letter, letter)
    box.size = glass.px(17)
    box.states |= int(NodeState.CLICKABLE)
    return box


def shade(glass: Glass, notifications: Sequence[Notification], owner: Owner) -> Surface:
    """The notification shade over the whole screen, the newest first."""
    panel = "com.android.systemui:id/notification_panel"
    root = glass.box("group", 0, glass.height, key="shade")
    root.id = panel
    root.states |= int(NodeState.OPAQUE_TO_TOUCH)
    controls = [
        Control("text", id="com.android.systemui:id/no_notifications", text=plain("No notifications"), color="muted")
    ]
    if notifications:
        controls = [_notification(item) for item in reversed(notifications)]
    side = glass.px(12)
    area = (side, glass.px(glass.platform.bars[0] + 56), glass.width - side, glass.height)
    root.children = glass.layout.column(controls, NO_SCOPE, "shade", area, 8)
    for box in root.children:
        box.id = "com.android.systemui:id/expandableNotificationRow" if notifications else box.id
    window = Window(0, glass.platform.status_bar, "system", "NotificationShade", pid=SYSTEM_PID + 300, focused=True)
    return Surface(window, root, _THEME, owner, background="soft", modal=True)


def _notification(item: Notification) -> Control:
    """A card; its id tells the shade which one was tapped."""
    words = [("android:id/app_name_text", item.app.name, "caption"), ("android:id/title", item.title, "label"),
             ("android:id/text", item.text, "body")]  # fmt: skip
    lines = tuple(Control("text", id=name, text=plain(text), style=style) for name, text, style in words if text)
    return Control("card", id=f"notification:{item.number}", padding=12, gap=2, on={"tap": ()}, controls=lines)


def toast(glass: Glass, app: str, pid: int, text: str) -> Surface:
    """A short message near the lower edge; touches go through it."""
    control = Control(
        "card",
        background="inverse",
        padding=12,
        controls=(Control("text", text=plain(text), color="on_inverse"),),
    )
    width = glass.width - 2 * glass.px(32)
    box = glass.layout.place(control, NO_SCOPE, "toast", (0, 0, width, glass.height), wrap=True)[0]
    box.role = "toast"
    box.text = text
    box.move((glass.width - box.width) // 2, glass.height - glass.px(glass.platform.bars[1] + 72) - box.height)
    window = Window(0, app, "toast", "Toast", pid=pid)
    return Surface(window, box, _THEME, listed=False)
