"""From boxes to a display list: what each kind of control looks like."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from pytest_apex.model.node import NodeState
from pytest_apex.phone.boxes import Box
from pytest_apex.phone.theme import Theme
from pytest_apex.vision import canvas
from pytest_apex.vision.canvas import Stamp

#: A spinner turns by this many degrees a frame of 1/60 s.
_TURN = 6
#: A caret is shown for half a second and hidden for another (Android: `Editor.BLINK`, 500 ms).
_BLINK = 30


@dataclass(slots=True)
class Painter:
    """Paints the boxes of one window. `frame` counts sixtieths of a second; only moving things look at it."""

    theme: Theme
    density: float
    frame: int
    out: list[Stamp]

    def px(self, dp: float) -> int:
        return round(dp * self.density)

    def paint(self, box: Box, clip: canvas.Box) -> None:
        shown = canvas.meet(box.rect, clip)
        if canvas.is_empty(shown):
            return
        draw = _PAINTERS.get(box.role)
        if draw is not None:
            draw(self, box, shown if box.cut else clip)
        if box.role != "text_field" and box.has(NodeState.FOCUSED):
            self.outline(box, clip, "text", 12, 2)
        inner = shown if box.clips else clip
        for child in box.children:
            self.paint(child, inner)

    def fill(self, box: Box, clip: canvas.Box, color: str, radius: float = 0) -> None:
        if radius:
            self.out.append(canvas.rounded(box.rect, self.theme[color], self.px(radius), clip))
        else:
            self.out.append(canvas.rect(box.rect, self.theme[color], clip=clip))

    def outline(self, box: Box, clip: canvas.Box, color: str, radius: float, line: float = 1) -> None:
        self.out.append(canvas.ring(box.rect, self.theme[color], self.px(radius), max(1, self.px(line)), clip))

    def words(self, x: int, y: int, text: str, box: Box, color: str, clip: canvas.Box) -> None:
        if text:
            self.out.append(canvas.text(x, y, text, self.theme[color], box.size, bold=box.bold, clip=clip))

    def icon(self, name: str, center: tuple[int, int], dp: float, color: str, clip: canvas.Box) -> None:
        side = self.px(dp)
        left, top = center[0] - side // 2, center[1] - side // 2
        self.out.append(canvas.icon((left, top, left + side, top + side), self.theme[color], name, clip))


def _middle(box: Box) -> tuple[int, int]:
    return (box.left + box.right) // 2, (box.top + box.bottom) // 2


def _text(painter: Painter, box: Box, clip: canvas.Box) -> None:
    color = box.control.color or ("primary" if box.role == "link" else
                                  "muted" if box.control.style == "caption" else "text")  # fmt: skip
    height = canvas.line_height(box.size)
    top = box.top + (box.height - height * len(box.lines)) // 2
    for index, line in enumerate(box.lines):
        x = box.left
        if box.centered:
            x += (box.width - canvas.text_width(line, box.size, box.bold)) // 2
        painter.words(x, top + index * height, line, box, color, clip)


#: Background, text and outline of each button style.
_BUTTONS: Mapping[str, tuple[str, str, str]] = {
    "primary": ("primary", "on_primary", ""),
    "floating": ("primary", "on_primary", ""),
    "outlined": ("", "primary", "outline"),
    "plain": ("", "primary", ""),
    "chip": ("", "text", "outline"),
}


def _button(painter: Painter, box: Box, clip: canvas.Box) -> None:
    control = box.control
    back, front, line = _BUTTONS[control.style or "primary"]
    if control.style == "chip" and box.has(NodeState.SELECTED):
        back, front, line = "soft", "primary", ""
    back, front = control.background or back, control.color or front
    if not box.has(NodeState.ENABLED):
        back, front = ("disabled" if back else ""), "on_disabled"
    radius = 16 if control.style == "floating" else 12 if control.style == "chip" else 24
    if back:
        painter.fill(box, clip, back, radius)
    if line:
        painter.outline(box, clip, line, radius)
    x, y = _middle(box)
    words = box.lines[0] if box.lines else ""
    width = canvas.text_width(words, box.size, box.bold)
    if control.icon:
        space = painter.px(20) + painter.px(8)
        start = x - (width + space) // 2
        painter.icon(control.icon, (start + painter.px(10), y), 20, front, clip)
        x += space // 2
    painter.words(x - width // 2, y - canvas.line_height(box.size) // 2, words, box, front, clip)


def _icon(painter: Painter, box: Box, clip: canvas.Box) -> None:
    color = box.control.color or "text"
    if box.control.style == "floating":
        painter.fill(box, clip, box.control.background or "primary", 16)
        color = box.control.color or "on_primary"
    elif box.control.background:
        painter.fill(box, clip, box.control.background, 24)
    painter.icon(box.control.icon or "star", _middle(box), 24, color, clip)


def _image(painter: Painter, box: Box, clip: canvas.Box) -> None:
    painter.fill(box, clip, box.control.background or "soft", 12)
    side = min(box.width, box.height) / painter.density * 0.55
    painter.icon(box.control.icon or "star", _middle(box), side, box.control.color or "primary", clip)
    if box.control.quirk is not None and box.control.quirk.video:
        _film(painter, box, clip)


def _film(painter: Painter, box: Box, clip: canvas.Box) -> None:
    """Two bars that run through the picture, thirty times a second another step."""
    frame, inner = painter.frame // 2, canvas.meet(box.rect, clip)
    wide, high = max(1, box.width // 5), max(1, box.height // 6)
    x = box.left + frame * painter.px(3) % max(1, box.width - wide)
    y = box.top + frame * painter.px(2) % max(1, box.height - high)
    painter.out.append(canvas.rect((x, box.top, x + wide, box.bottom), painter.theme["primary"], clip=inner))
    painter.out.append(canvas.rect((box.left, y, box.right, y + high), painter.theme["error"], clip=inner))


def _text_field(painter: Painter, box: Box, clip: canvas.Box) -> None:
    focused = box.has(NodeState.FOCUSED)
    line = "error" if box.has(NodeState.INVALID) else "primary" if focused else "outline"
    painter.fill(box, clip, "surface", 8)
    painter.outline(box, clip, line, 8, 2 if focused else 1)
    inner = canvas.meet((box.left + 2, box.top + 2, box.right - 2, box.bottom - 2), clip)
    x, height = box.left + box.inset, canvas.line_height(box.size)
    if not box.text and not focused:
        painter.words(x, box.top + (painter.px(56) - height) // 2, box.hint, box, "muted", inner)
        return
    small = painter.px(11.5)
    label = canvas.text(
        x, box.top + painter.px(6), box.hint, painter.theme[line if focused else "muted"], small, clip=inner
    )
    painter.out.append(label)
    top = box.top + painter.px(26)
    for index, words in enumerate(box.lines):
        painter.words(x, top + index * height, words, box, "text", inner)
    blinks = box.control.quirk is not None and box.control.quirk.blink
    if focused and not (blinks and painter.frame // _BLINK % 2):
        last = box.lines[-1] if box.lines else ""
        left = x + canvas.text_width(last, box.size) + 1
        y = top + max(0, len(box.lines) - 1) * height
        caret = (left, y + 1, left + max(1, painter.px(1)), y + height - 1)
        painter.out.append(canvas.rect(caret, painter.theme["primary"], clip=inner))


def _switch(painter: Painter, box: Box, clip: canvas.Box) -> None:
    _toggle_words(painter, box, clip, box.left)
    checked = box.has(NodeState.CHECKED)
    width, height = painter.px(48), painter.px(28)
    left, top = box.right - width, (box.top + box.bottom - height) // 2
    track = (left, top, box.right, top + height)
    painter.out.append(canvas.rounded(track, painter.theme["primary" if checked else "disabled"], height // 2, clip))
    if not checked:
        painter.out.append(canvas.ring(track, painter.theme["on_disabled"], height // 2, painter.px(1.5), clip))
    side = painter.px(20 if checked else 16)
    middle = box.right - height // 2 if checked else left + height // 2
    knob = (
        middle - side // 2,
        top + (height - side) // 2,
        middle - side // 2 + side,
        top + (height - side) // 2 + side,
    )
    color = "on_primary" if checked else "on_disabled"
    painter.out.append(canvas.rounded(knob, painter.theme[color], side // 2, clip))


def _checkbox(painter: Painter, box: Box, clip: canvas.Box) -> None:
    side = painter.px(20)
    left, top = box.left + painter.px(2), (box.top + box.bottom - side) // 2
    square = (left, top, left + side, top + side)
    if box.has(NodeState.CHECKED):
        painter.out.append(canvas.rounded(square, painter.theme["primary"], painter.px(3), clip))
        painter.icon("check", (left + side // 2, top + side // 2), 18, "on_primary", clip)
    else:
        color = "error" if box.has(NodeState.INVALID) else "muted"
        painter.out.append(canvas.ring(square, painter.theme[color], painter.px(3), painter.px(2), clip))
    _toggle_words(painter, box, clip, left + side + painter.px(12))


def _toggle_words(painter: Painter, box: Box, clip: canvas.Box, x: int) -> None:
    y = (box.top + box.bottom - canvas.line_height(box.size)) // 2
    color = "text" if box.has(NodeState.ENABLED) else "on_disabled"
    painter.words(x, y, box.lines[0] if box.lines else "", box, box.control.color or color, clip)


def _progress(painter: Painter, box: Box, clip: canvas.Box) -> None:
    color = painter.theme[box.control.color or "primary"]
    if box.control.value is None:
        turned = painter.frame * _TURN % 360
        painter.out.append(canvas.arc(box.rect, color, turned, 270, painter.px(4), clip))
        return
    painter.fill(box, clip, "disabled", 3)
    share = max(0.0, min(1.0, _number(box.value) / 100))
    done = (box.left, box.top, box.left + round(box.width * share), box.bottom)
    if done[2] > done[0]:
        painter.out.append(canvas.rounded(done, color, painter.px(3), clip))


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0


def _panel(painter: Painter, box: Box, clip: canvas.Box) -> None:
    radius = {"card": 12, "dialog": 24, "toast": 20}.get(box.role, 0)
    background = box.control.background or ("surface" if box.role in ("card", "dialog") else "")
    if background:
        painter.fill(box, clip, background, radius)
    if box.role == "card":
        painter.outline(box, clip, "outline", radius)


def _cell(painter: Painter, box: Box, clip: canvas.Box) -> None:
    if box.control.background:
        painter.fill(box, clip, box.control.background, 12)


def _key(painter: Painter, box: Box, clip: canvas.Box) -> None:
    painter.fill(box, clip, box.control.background or "surface", 6)
    if box.control.icon:
        painter.icon(box.control.icon, _middle(box), 20, "text", clip)
        return
    x, y = _middle(box)
    width = canvas.text_width(box.text, box.size)
    painter.words(x - width // 2, y - canvas.line_height(box.size) // 2, box.text, box, "text", clip)


_PAINTERS: Mapping[str, Callable[[Painter, Box, canvas.Box], None]] = {
    "text": _text,
    "link": _text,
    "button": _button,
    "icon": _icon,
    "image": _image,
    "text_field": _text_field,
    "switch": _switch,
    "checkbox": _checkbox,
    "progress": _progress,
    "group": _panel,
    "toolbar": _panel,
    "card": _panel,
    "dialog": _panel,
    "toast": _panel,
    "list": _panel,
    "cell": _cell,
    "key": _key,
}
