"""Keys by name, as Android's codes (`android.view.KeyEvent`)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

KEYS: Mapping[str, int] = MappingProxyType(
    {
        "home": 3, "back": 4, "call": 5, "end_call": 6, "up": 19, "down": 20, "left": 21, "right": 22, "center": 23,
        "select": 23, "volume_up": 24, "volume_down": 25, "power": 26, "camera": 27, "tab": 61, "space": 62,
        "enter": 66, "delete": 67, "headset": 79, "menu": 82, "search": 84, "playpause": 85, "page_up": 92,
        "page_down": 93, "escape": 111, "forward_delete": 112, "move_home": 122, "move_end": 123, "volume_mute": 164,
        "recent": 187, "sleep": 223, "wake": 224,
    }
)  # fmt: skip

#: Asks whether `input keyevent` takes `--duration`: the help of newer systems tells so.
ASK_HOLD = "input"
#: Before this API, `input` starts a Java process of its own and knows no such word.
HOLD_SDK = 33


def holds_keys(told: str) -> bool:
    return "--duration" in told
