"""From controls and variables to boxes: where everything is, in whole pixels, and what it says.

A simple flow: columns and rows, lists with one row per item, content that scrolls, a toolbar, a bar at the bottom, a
floating button. Sizes follow Material's usual ones: 48 dp to touch, 56 dp for bars and fields, 16 dp at the sides.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pytest_apex.model.node import NodeState
from pytest_apex.phone.boxes import Box, Frame, Scope
from pytest_apex.phone.parts import Control
from pytest_apex.phone.states import states_of
from pytest_apex.phone.template import as_text, look_up
from pytest_apex.phone.words import fit_end, fit_text, wrap_text
from pytest_apex.vision.canvas import Box as PixelBox
from pytest_apex.vision.canvas import ink_columns, line_height, text_width

#: Font size in sp and weight of each text style.
TEXT_SIZES: Mapping[str, tuple[float, bool]] = {
    "headline": (26, True),
    "title": (19, True),
    "body": (15, False),
    "label": (14, True),
    "caption": (12.5, False),
}
BULLET = "•"


class Layout:
    """Lays out one screen, dialog or bar."""

    def __init__(self, frame: Frame) -> None:
        self._frame = frame
        self._makers = {
            "text": self._text,
            "link": self._text,
            "button": self._button,
            "icon": self._icon,
            "image": self._image,
            "text_field": self._text_field,
            "switch": self._toggle,
            "checkbox": self._toggle,
            "progress": self._progress,
            "space": self._space,
        }

    def px(self, dp: float) -> int:
        return round(dp * self._frame.density)

    # Containers

    def column(
        self, controls: Sequence[Control], scope: Scope, key: str, area: PixelBox, gap: float, align: str = ""
    ) -> list[Box]:
        """Controls one below the other from the top of `area`; the last may fill it down to the bottom by scrolling."""
        left, top, right, bottom = area
        boxes: list[Box] = []
        for index, control in enumerate(controls):
            name = f"{key}/{control.id or index}"
            made = self.place(control, scope, name, (left, top, right, bottom), wrap=False)
            if not made:
                continue
            self._align(made, align or control.align, left, right)
            boxes.extend(made)
            top = max(top, max(box.bottom for box in made) - self._shift_down(control, scope)) + self.px(gap)
        return boxes

    def _shift_down(self, control: Control, scope: Scope) -> int:
        """How far a fault moved the control down: the flow below it stays where it was."""
        quirk = control.quirk
        return self.px(quirk.dy) if quirk is not None and quirk.item in (None, scope.row) else 0

    @staticmethod
    def _align(boxes: list[Box], align: str, left: int, right: int) -> None:
        spare = right - left - boxes[0].width
        if spare > 0 and align in ("center", "end"):
            for box in boxes:
                box.move(spare // 2 if align == "center" else spare, 0)

    def row(self, controls: Sequence[Control], scope: Scope, key: str, area: PixelBox, gap: float) -> list[Box]:
        """Controls side by side, each as wide as it needs, middles on one line; `grow` shares out what is left."""
        left, top, right, bottom = area
        shown = [(f"{key}/{c.id or i}", c) for i, c in enumerate(controls) if self._is_shown(c, scope)]
        spare = right - left - self.px(gap) * max(0, len(shown) - 1)
        fixed: dict[str, list[Box]] = {}
        for name, control in shown:
            if not control.grow:
                fixed[name] = self.place(control, scope, name, (0, top, max(0, spare), bottom), wrap=True)
                spare -= fixed[name][0].width if fixed[name] else 0
        growing = sum(control.grow for _, control in shown)
        boxes: list[Box] = []
        for name, control in shown:
            share = max(0, spare) // growing if control.grow else 0
            made = fixed.get(name) or self.place(control, scope, name, (0, top, share, bottom), wrap=True)
            for box in made:
                box.move(left, 0)
            boxes.extend(made)
            left += (share if control.grow else (made[0].width if made else 0)) + self.px(gap)
        height = max((box.height for box in boxes), default=0)
        for box in boxes:
            box.move(0, (height - box.height) // 2)
        return boxes

    @staticmethod
    def _is_shown(control: Control, scope: Scope) -> bool:
        return control.visible_when is None or control.visible_when.holds(scope)

    def place(self, control: Control, scope: Scope, key: str, area: PixelBox, *, wrap: bool) -> list[Box]:
        """The box of one control at the top left of `area`, as wide as `area` or, with `wrap`, as it needs; with a
        cover after it where a fault lays one. Empty where the control does not show."""
        if not self._is_shown(control, scope):
            return []
        if control.width is not None:
            area = (area[0], area[1], min(area[2], area[0] + self.px(control.width)), area[3])
        box = self._new(control, scope, key, area)
        fill = control.fill if control.fill is not None else not wrap
        if control.role in self._makers:
            self._makers[control.role](box, fill or control.grow)
        else:
            self._container(box, fill or control.grow, area[3])
        if control.height is not None:
            box.bottom = box.top + self.px(control.height)
        return self._with_quirk(box)

    def _new(self, control: Control, scope: Scope, key: str, area: PixelBox) -> Box:
        box = Box(control, key, control.role, *area, scope=scope)
        box.id = control.id
        box.text, box.label = scope.text(control.text), scope.text(control.label)
        box.value, box.hint = scope.text(control.value), scope.text(control.hint)
        box.states = states_of(control, scope, focused=self._frame.focus == key)
        return box

    def _container(self, box: Box, fill: bool, floor: int) -> None:
        control, scope = box.control, box.scope
        padding = self.px(control.padding if control.padding is not None else _padding(control.role))
        gap = control.gap if control.gap is not None else _gap(control.role)
        area = (box.left + padding, box.top + padding, box.right - padding, floor - padding)
        if control.role == "list":
            box.children = self._rows(control, scope, box.key, area, gap)
        elif control.row:
            box.children = self.row(control.controls, scope, box.key, area, gap)
        else:
            box.children = self.column(control.controls, scope, box.key, area, gap, control.align)
        end = max((child.bottom for child in box.children), default=box.top + padding)
        box.bottom = end + padding
        if control.role == "cell":
            box.bottom = max(box.bottom, box.top + self.px(56))
            self._center_content(box, end + padding)
        if control.row and control.align in ("center", "end") and box.children:
            spare = box.right - padding - max(child.right for child in box.children)
            for child in box.children:
                child.move(max(0, spare // 2 if control.align == "center" else spare), 0)
        if not fill and box.children:
            box.right = max(child.right for child in box.children) + padding
        if control.scroll:
            self.scrolling(box, floor)

    @staticmethod
    def _center_content(box: Box, end: int) -> None:
        for child in box.children:
            child.move(0, (box.bottom - end) // 2)

    def _rows(self, control: Control, scope: Scope, key: str, area: PixelBox, gap: float) -> list[Box]:
        items = look_up(control.items, scope) or []
        left, top, right, bottom = area
        quirk = control.quirk
        boxes: list[Box] = []
        for index, item in enumerate(items):
            if quirk is not None and quirk.skip and quirk.item == index:
                continue
            inner = Scope(scope, {control.item_name: item}, index)
            made = self.column(control.controls, inner, f"{key}[{index}]", (left, top, right, bottom), gap)
            boxes.extend(made)
            if made:
                top = max(top, made[-1].bottom + self.px(gap))
        return boxes

    def scrolling(self, box: Box, floor: int) -> None:
        """Make `box` a window on its content, down to `floor`."""
        most = max(0, box.bottom - floor)
        box.bottom = floor
        offset = min(max(0, self._frame.scrolls.get(box.key, 0)), most)
        for child in box.children:
            child.move(0, -offset)
        box.scroll = (offset, most)
        box.clips = True
        if most:
            box.states |= int(NodeState.SCROLLABLE | NodeState.FOCUSABLE)

    def _with_quirk(self, box: Box) -> list[Box]:
        quirk = box.control.quirk
        if quirk is None or quirk.skip or quirk.item not in (None, box.scope.row):
            return [box]
        box.move(self.px(quirk.dx), self.px(quirk.dy))
        if quirk.slide:
            box.move(self._frame.slide, 0)
        if quirk.cut:
            self._cut(box, quirk.cut)
        if quirk.cover:
            cover = Box(Control("group"), f"{box.key}+cover", "other", *box.rect, scope=box.scope)
            # Clickable too: all that a dump of Android tells of a layer that takes touches.
            cover.states = int(NodeState.VISIBLE | NodeState.ENABLED | NodeState.CLICKABLE | NodeState.OPAQUE_TO_TOUCH)
            return [box, cover]
        return [box]

    @staticmethod
    def _cut(box: Box, share: float) -> None:
        """Narrow a one-line text to about `share` of its width, there where it cuts through the most ink."""
        columns = ink_columns(box.text, box.size, box.bold)
        around = range(round(len(columns) * (share - 0.08)), round(len(columns) * (share + 0.08)))
        at = max(around, key=lambda column: min(columns[column : column + 2], default=0))
        box.lines = (box.text,)
        box.right = box.left + at + 1
        box.cut = True

    # Controls

    def _font(self, box: Box, style: str) -> None:
        size, box.bold = TEXT_SIZES[style]
        box.size = self.px(size)

    def _text(self, box: Box, fill: bool) -> None:
        self._font(box, box.control.style or "body")
        most = box.width
        box.lines = wrap_text(box.text, box.size, box.bold, most, box.control.lines)
        box.bottom = box.top + max(1, len(box.lines)) * line_height(box.size)
        box.centered = box.control.align == "center"
        if box.role == "link":
            box.bottom = box.top + max(box.height, self.px(48))
        if not (fill and box.control.fill):
            widths = [text_width(line, box.size, box.bold) for line in box.lines]
            # At one pixel a dp a bold letter may reach the last pixel in full strength, as if it were cut there.
            beside = 1 if widths and self._frame.density == 1 else 0
            box.right = box.left + max(widths, default=0) + beside

    def _button(self, box: Box, fill: bool) -> None:
        style = box.control.style or "primary"
        self._font(box, "label")
        box.inset = self.px(14 if style in ("chip", "plain") else 20)
        box.bottom = box.top + self.px(56 if style == "floating" else 40 if style == "chip" else 48)
        icon = self.px(20) + self.px(8) if box.control.icon else 0
        room = box.width - 2 * box.inset - icon
        box.lines = (fit_text(box.text, box.size, box.bold, room),)
        box.centered = True
        if not fill or (box.control.fill is None and style in ("plain", "chip", "floating")):
            box.right = box.left + text_width(box.lines[0], box.size, box.bold) + 2 * box.inset + icon

    def _icon(self, box: Box, _fill: bool) -> None:
        side = self.px(box.control.width or (56 if box.control.style == "floating" else 48))
        box.right, box.bottom = box.left + side, box.top + side

    def _image(self, box: Box, fill: bool) -> None:
        if not fill:
            box.right = box.left + min(box.width, self.px(box.control.width or 40))
        box.bottom = box.top + self.px(box.control.height or 40)

    def _text_field(self, box: Box, _fill: bool) -> None:
        value = as_text(look_up(box.control.bind, box.scope))
        box.text = BULLET * len(value) if box.control.password else value
        self._font(box, "body")
        box.inset = self.px(16)
        room = box.width - 2 * box.inset
        rows = box.control.lines or 1
        if rows == 1:
            box.lines = (fit_end(box.text, box.size, room),)
        else:
            box.lines = wrap_text(box.text, box.size, False, room, 0)[-rows:]
        box.bottom = box.top + self.px(56) + (rows - 1) * line_height(box.size)

    def _toggle(self, box: Box, fill: bool) -> None:
        self._font(box, "body")
        knob = self.px(52 if box.role == "switch" else 24)
        gap = self.px(12) if box.text else 0
        box.lines = (fit_text(box.text, box.size, False, box.width - knob - gap),)
        box.bottom = box.top + self.px(48)
        if not fill:
            box.right = box.left + text_width(box.lines[0], box.size) + knob + gap

    def _progress(self, box: Box, _fill: bool) -> None:
        if box.control.value is None:
            box.right = box.left + self.px(40)
            box.bottom = box.top + self.px(40)
        else:
            box.bottom = box.top + self.px(6)

    def _space(self, box: Box, _fill: bool) -> None:
        box.bottom = box.top + self.px(box.control.height or 8)
        if not box.control.grow:
            box.right = box.left + self.px(box.control.width or 8)


def _padding(role: str) -> float:
    return 16 if role == "card" else 12 if role == "cell" else 0


def _gap(role: str) -> float:
    return 0 if role == "list" else 4 if role == "cell" else 8
