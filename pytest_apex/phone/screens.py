"""Laying out a whole screen: toolbar, content, a bar at the bottom, a floating button."""

from __future__ import annotations

from pytest_apex.phone.boxes import Box, Frame
from pytest_apex.phone.layout import Layout
from pytest_apex.phone.parts import Back, Control, ScreenPart
from pytest_apex.phone.template import plain
from pytest_apex.vision.canvas import Box as PixelBox


def lay_screen(part: ScreenPart, frame: Frame, size: tuple[int, int], bars: tuple[int, int], floor: int) -> Box:
    """A whole screen. `bars` are the heights of the system bars at top and bottom; `floor` is where the keyboard begins
    (the screen's height without one): scrolling content can be scrolled free of it."""
    layout = Layout(frame)
    width, height = size
    top, bottom = bars[0], height - bars[1]
    root = Box(Control("group"), "root", "window", 0, 0, width, height, scope=frame.scope)
    toolbar = _toolbar(layout, part, frame, width, top)
    if toolbar is not None:
        root.children.append(toolbar)
        top = toolbar.bottom
    below = None
    if part.bottom:
        below = _bottom_bar(layout, part, frame, width, bottom)
        bottom = below.top
    if part.controls:
        root.children.append(_content(layout, part, frame, (0, top, width, bottom), min(floor, bottom)))
    if below is not None:
        root.children.append(below)
    if part.floating is not None:
        edge = (width - layout.px(16), bottom - layout.px(16))
        for box in layout.place(part.floating, frame.scope, "floating", (0, 0, width, height), wrap=True):
            box.move(edge[0] - box.right, edge[1] - box.bottom)
            root.children.append(box)
    return root


def _content(layout: Layout, part: ScreenPart, frame: Frame, area: PixelBox, floor: int) -> Box:
    left, top, right, bottom = area
    pad = layout.px(part.padding)
    content = Box(Control("group"), "content", "scroll" if part.scroll else "group", *area, scope=frame.scope)
    inner = (left + pad, top + pad, right - pad, bottom)
    content.children = layout.column(part.controls, frame.scope, "content", inner, part.gap, part.align)
    if part.scroll:
        content.bottom = max((box.bottom for box in content.children), default=top) + pad + bottom - floor
        layout.scrolling(content, bottom)
    return content


def _toolbar(layout: Layout, part: ScreenPart, frame: Frame, width: int, top: int) -> Box | None:
    if part.title is None and not part.toolbar and not part.up:
        return None
    bar = Box(
        Control("group", background="surface"), "toolbar", "toolbar", 0, top, width, top + layout.px(56), frame.scope
    )
    left = 4 if part.up else 16
    up = (UP,) if part.up else ()
    title = Control("text", text=part.title or plain(""), style="title", grow=True, lines=1)
    area = (layout.px(left), bar.top, width - layout.px(4), bar.bottom)
    bar.children = layout.row((*up, title, *part.toolbar), frame.scope, "toolbar", area, 4)
    height = max((box.height for box in bar.children), default=0)
    for box in bar.children:
        box.move(0, (bar.height - height) // 2)
    return bar


def _bottom_bar(layout: Layout, part: ScreenPart, frame: Frame, width: int, bottom: int) -> Box:
    bar = Box(Control("group", background="surface"), "bottom", "group", 0, 0, width, 0, scope=frame.scope)
    pad = layout.px(part.padding)
    bar.children = layout.column(
        part.bottom, frame.scope, "bottom", (pad, layout.px(12), width - pad, bottom), part.gap
    )
    bar.bottom = max((box.bottom for box in bar.children), default=0) + layout.px(12)
    bar.move(0, bottom - bar.bottom)
    return bar


#: The arrow that leads back.
UP = Control("icon", icon="back", label=plain("Navigate up"), on={"tap": (Back(),)})
