"""Facts about the phone: what is asked of its shell, and what the answers say."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from pytest_apex.backends.uiautomator2.shell import Answer
from pytest_apex.model.geometry import Size

#: What stays as it is while the phone is connected.
ASK_FIXED = (
    "getprop ro.product.model",
    "getprop ro.build.version.release",
    "getprop ro.build.version.sdk",
    "getprop ro.product.manufacturer",
    "getprop ro.build.fingerprint",
    "cat /proc/sys/kernel/random/boot_id",
)
#: What a user or a test may change meanwhile.
ASK_CHANGING = (
    "wm size",
    "wm density",
    "settings get system font_scale",
    "getprop persist.sys.locale; getprop ro.product.locale",
    "cmd uimode night",
    "cmd device_state print-state",
    "settings get secure long_press_timeout",
    "dumpsys window displays | grep -E 'mCurrentRotation=|mRotation=|split-screen|WindowingMode=multi-window'",
)

_SIZE = re.compile(r"(Override|Physical) size: (\d+)x(\d+)")
_DENSITY = re.compile(r"(Override|Physical) density: (\d+)")
_ROTATION = re.compile(r"m(?:Current)?Rotation=(?:ROTATION_)?(\d+)")
_FOLD = re.compile(r"(?:^|name='?|\bDeviceState\b.*?')([A-Z][A-Z_]{2,})\b", re.MULTILINE)


_NO_SIZE = Size(0, 0)


@dataclass(frozen=True, slots=True)
class Fixed:
    model: str = ""
    release: str = ""
    sdk: int = 0
    maker: str = ""
    fingerprint: str = ""
    boot: str = ""


@dataclass(frozen=True, slots=True)
class Changing:
    """`size` as the screen is turned now; `dpi` 160 is one pixel a dp. `fold` and `split` are "" where the phone does
    not tell."""

    size: Size = _NO_SIZE
    dpi: int = 160
    font_scale: float = 1.0
    locale: str = ""
    dark: bool = False
    fold: str = ""
    split: str = ""
    rotation: int = 0
    long_press_ms: int | None = None

    @property
    def density(self) -> float:
        return self.dpi / 160


def read_fixed(answers: list[Answer]) -> Fixed:
    model, release, sdk, maker, fingerprint, boot = (answer.line if not answer.code else "" for answer in answers)
    return Fixed(model, release, int(sdk) if sdk.isdecimal() else 0, maker, fingerprint, boot)


def read_changing(answers: list[Answer]) -> Changing:
    size, density, font, locale, night, state, press, windows = (answer.text for answer in answers)
    turned = _ROTATION.search(windows)
    found = Changing(
        size=_read_size(size),
        dpi=_read_dpi(density),
        font_scale=_read_number(font, 1.0),
        locale=next((line.strip() for line in locale.splitlines() if line.strip()), ""),
        dark="yes" in night.partition(":")[2],
        fold=_read_fold(state) if not answers[5].code else "",
        split="split" if "split-screen" in windows or "=multi-window" in windows else "",
        rotation=_quarter_turns(int(turned[1])) if turned else 0,
        long_press_ms=int(press) if press.strip().isdecimal() else None,
    )
    if found.rotation % 2:
        found = replace(found, size=Size(found.size.height, found.size.width))
    return found


def _quarter_turns(told: int) -> int:
    """Rotations are told as 0 to 3 by older systems, in degrees by newer ones."""
    return told // 90 % 4 if told >= 4 else told


def _read_size(text: str) -> Size:
    told = {match[1]: Size(int(match[2]), int(match[3])) for match in _SIZE.finditer(text)}
    return told.get("Override") or told.get("Physical") or Size(0, 0)


def _read_dpi(text: str) -> int:
    told = {match[1]: int(match[2]) for match in _DENSITY.finditer(text)}
    return told.get("Override") or told.get("Physical") or 160


def _read_number(text: str, default: float) -> float:
    try:
        number = float(text.strip())
    except ValueError:  # `null` where it was never changed
        return default
    return number if 0 < number < 100 else default


def _read_fold(text: str) -> str:
    """`OPENED`, `HALF_OPENED`, `CLOSED` … of a phone that folds; any other knows one state alone, or none."""
    found = _FOLD.findall(text)
    return found[-1].lower() if found and found[-1] not in ("DEFAULT", "UNKNOWN") else ""


def report_facts(fixed: Fixed, changing: Changing, deaf: str = "") -> dict[str, str]:
    """For the report, in words; what is not known is left out. `deaf` is why foreign touches are not told."""
    facts = {
        "model": f"{fixed.maker} {fixed.model}".strip(),
        "android": f"{fixed.release} (API {fixed.sdk})" if fixed.sdk else fixed.release,
        "density": f"{changing.dpi} dpi",
        "locale": changing.locale,
        "font_scale": f"{changing.font_scale:g}",
        "dark": "yes" if changing.dark else "no",
        "fold": changing.fold,
        "split_screen": changing.split,
        "build": fixed.fingerprint,
        "foreign_touches": f"not noticed: {deaf}" if deaf else "",
    }
    return {name: text for name, text in facts.items() if text}
