"""Which approved picture a look is compared with: pictures of unlike devices are never compared."""

from __future__ import annotations

import re

from pytest_apex.model.screen import DeviceInfo, Screen

_ODD = re.compile(r"[^a-z0-9]+")


def picture_key(info: DeviceInfo, screen: Screen) -> str:
    """Platform, major version, model, size in pixels, density, theme, font scale, locale and orientation, as a part of
    a file's name: `android-16.pixel-9.1080x2400@2.625.light.font-1.en-us.portrait`."""
    size = screen.size
    width, height = round(size.width * screen.scale), round(size.height * screen.scale)
    parts = (
        f"{info.platform}-{info.os_version.partition('.')[0] or '0'}",
        _plain(info.model) or "any",
        f"{width}x{height}@{screen.density:g}",
        "dark" if screen.dark else "light",
        f"font-{screen.font_scale:g}",
        _plain(screen.locale) or "any",
        "landscape" if width > height else "portrait",
    )
    return ".".join(parts)


def _plain(text: str) -> str:
    """Letters and digits that every file system takes."""
    return _ODD.sub("-", text.lower()).strip("-")[:40]
