"""Pages that are described in density-independent units, and come as a capture: a picture drawn on the canvas of the
built-in phone, and the tree that a platform would report.

On Android the tree's boxes are whole pixels, cut at the edges of the screen and of scrolling containers; on iOS they
are points, as they are, and buttons repeat their words on a text inside.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import yaml

from pytest_apex.model.geometry import Insets, Rect, Size
from pytest_apex.model.node import NodeState
from pytest_apex.model.screen import Screen
from pytest_apex.model.snapshot import AppInFront, Snapshot, TreeBuilder, Window
from pytest_apex.vision import canvas
from pytest_apex.vision.color import parse_color

APP = "com.example.pages"
_SHOWN = NodeState.ENABLED | NodeState.VISIBLE


@dataclass(frozen=True)
class Phone:
    """Pixels, and how many of them make one unit."""

    platform: str
    width: int
    height: int
    density: float
    font_scale: float = 1.0
    face: str = ""

    @property
    def dp(self) -> tuple[float, float]:
        return self.width / self.density, self.height / self.density


@dataclass
class Item:
    """A control: where it is (dp: left, top, right, bottom), what the tree says of it and what is drawn.

    `drawn` is what the picture shows of its `text`; `image` is `photo`, `icon:NAME` or a colour; `only_drawn` items are
    in no tree. `lines` above 1 wraps. Children are drawn over it, in order; `scrolls` cuts them.
    """

    role: str
    box: tuple[float, float, float, float]
    text: str = ""
    label: str = ""
    hint: str = ""
    id: str = ""
    size: float = 16
    bold: bool = False
    align: str = "left"
    lines: int = 1
    ink: str = "#202020"
    fill: str = ""
    radius: float = 0
    image: str = ""
    drawn: str | None = None
    pad: float = 0
    enabled: bool = True
    clickable: bool = False
    editable: bool = False
    scrolls: bool = False
    only_drawn: bool = False
    children: list[Item] = field(default_factory=list)

    def moved(self, dx: float, dy: float) -> None:
        """Take it and what is inside it elsewhere."""
        left, top, right, bottom = self.box
        self.box = (left + dx, top + dy, right + dx, bottom + dy)
        for child in self.children:
            child.moved(dx, dy)


def walk(items: list[Item]) -> Iterator[tuple[Item, tuple[Item, ...]]]:
    """Every item with those around it, outermost first, in the order of the tree."""
    waiting: list[tuple[Item, tuple[Item, ...]]] = [(item, ()) for item in reversed(items)]
    while waiting:
        item, above = waiting.pop()
        yield item, above
        waiting.extend((child, (*above, item)) for child in reversed(item.children))


@dataclass
class Page:
    """What is on a phone's screen. `top` and `bottom` are the system's bars in dp."""

    phone: Phone
    ground: str
    items: list[Item]
    top: float = 24
    bottom: float = 0
    dark: bool = False

    def capture(self) -> Snapshot:
        phone = self.phone
        scale = 1.0 if phone.platform == "android" else phone.density
        unit = phone.density / scale
        size = Size(phone.width / scale, phone.height / scale)
        screen = Screen(
            size, density=phone.density, scale=scale, insets=Insets(top=self.top * unit, bottom=self.bottom * unit),
            font_scale=phone.font_scale, dark=self.dark,
        )  # fmt: skip
        return Snapshot(
            "page", 0.0, _tree(self, unit), screen, AppInFront(APP), self.picture(), platform=phone.platform
        )

    def picture(self) -> canvas.DrawnPicture:
        size = (self.phone.width, self.phone.height)
        stamps = [canvas.rect((0, 0, *size), parse_color(self.ground))]
        stamps += _stamps(self.items, self.phone, (0, 0, *size))
        clock = "#FFFFFF" if self.dark else "#202020"
        bar = Item("text", (16, 4, 70, self.top), drawn="9:41", size=12, ink=clock)
        stamps += _stamps([bar], Phone("", *size, self.phone.density), (0, 0, *size))
        return canvas.Renderer().picture(tuple(stamps), size)


def read_page(text: str) -> Page:
    """A page from YAML: `phone` (platform, width, height, density), `ground`, `items` in the words of `Item`. A box of
    two numbers is the place of a text that takes the room it needs."""
    data = yaml.safe_load(text)
    phone = Phone(**{"platform": "android", "width": 480, "height": 854, "density": 1.5, **data.get("phone", {})})
    items = [_item(one, phone) for one in data["items"]]
    return Page(phone, data.get("ground", "#FFFFFF"), items)


def _item(data: dict[str, Any], phone: Phone) -> Item:
    children = [_item(child, phone) for child in data.pop("children", [])]
    box = tuple(data.pop("box"))
    item = Item(box=(*box, *box)[:4], children=children, **data)
    if len(box) == 2:
        wide, high = measure(item, phone)
        item.box = (box[0], box[1], box[0] + wide, box[1] + high)
    return item


# The tree


def _tree(page: Page, unit: float) -> object:
    builder = TreeBuilder()
    width, height = page.phone.dp
    whole = (0.0, 0.0, width, height)
    builder.window(Window(0, APP, bounds=Rect(0, 0, width * unit, height * unit), focused=True))
    builder.open("group", _scaled(whole, unit, page.phone.platform == "android"))
    for item in page.items:
        _add(builder, item, page.phone, unit, whole)
    builder.close()
    return builder.build()


def _add(builder: TreeBuilder, item: Item, phone: Phone, unit: float, clip: tuple[float, ...]) -> None:
    android = phone.platform == "android"
    box = _meet(item.box, clip) if android else item.box
    if item.only_drawn or box[0] >= box[2] or box[1] >= box[3]:
        return
    title = item.label if not android and item.role == "button" else ""
    builder.open(
        item.role, _scaled(box, unit, android), text=item.text or title, label=item.label, hint=item.hint,
        identifier=item.id, states=_states(item), class_name=item.role,
    )  # fmt: skip
    if not android and item.role == "button" and item.text:
        builder.leaf("text", _scaled(item.box, unit, False), text=item.text, class_name="text")
    inside = _meet(item.box, clip) if item.scrolls else clip
    for child in item.children:
        _add(builder, child, phone, unit, inside)
    builder.close()


def _states(item: Item) -> int:
    states = _SHOWN if item.enabled else NodeState.VISIBLE
    named = (
        (item.clickable, NodeState.CLICKABLE),
        (item.scrolls, NodeState.SCROLLABLE),
        (item.editable, NodeState.EDITABLE | NodeState.CLICKABLE),
    )
    for given, state in named:
        states |= state if given else NodeState(0)
    return int(states)


def _scaled(box: tuple[float, ...], unit: float, whole: bool) -> tuple[float, float, float, float]:
    left, top, right, bottom = (edge * unit for edge in box)
    return (round(left), round(top), round(right), round(bottom)) if whole else (left, top, right, bottom)


def _meet(one: tuple[float, ...], other: tuple[float, ...]) -> tuple[float, float, float, float]:
    return max(one[0], other[0]), max(one[1], other[1]), min(one[2], other[2]), min(one[3], other[3])


# The picture


def _stamps(items: list[Item], phone: Phone, clip: canvas.Box) -> list[canvas.Stamp]:
    made: list[canvas.Stamp] = []
    for item in items:
        box = _pixels(item.box, phone)
        if item.fill:
            radius = round(item.radius * phone.density)
            made.append(canvas.rounded(box, parse_color(item.fill), radius, clip))
        made += _image(item, box, clip)
        made += _words(item, phone, box, clip)
        made += _stamps(item.children, phone, canvas.meet(box, clip) if item.scrolls else clip)
    return made


def _pixels(box: tuple[float, ...], phone: Phone) -> canvas.Box:
    left, top, right, bottom = (round(edge * phone.density) for edge in box)
    return left, top, right, bottom


def _image(item: Item, box: canvas.Box, clip: canvas.Box) -> list[canvas.Stamp]:
    left, top, right, bottom = box
    if item.image == "photo":
        return _photo(box, clip, len(item.label))
    if item.image.startswith("icon:"):
        side = round(min(right - left, bottom - top) * 0.7)
        x, y = (left + right - side) // 2, (top + bottom - side) // 2
        return [canvas.icon((x, y, x + side, y + side), parse_color(item.ink), item.image[5:], clip)]
    return [canvas.rect(box, parse_color(item.image), clip=clip)] if item.image else []


def _photo(box: canvas.Box, clip: canvas.Box, seed: int) -> list[canvas.Stamp]:
    """A landscape: bands of a sky, a sun, hills."""
    left, top, right, bottom = box
    width, height = right - left, bottom - top
    made = []
    for band in range(16):
        y = top + height * band // 16
        shade = (60 + 9 * band, 110 + 6 * band, (190 + 37 * seed) % 256)
        made.append(canvas.rect((left, y, right, top + height * (band + 1) // 16), shade, clip=clip))
    sun = max(2, height // 5)
    made.append(canvas.rounded((left + width // 2, top + sun, left + width // 2 + sun, top + 2 * sun), (250, 220, 120),
                               sun // 2, clip))  # fmt: skip
    for hill in range(3):
        x = left + width * hill // 3
        low = top + height * (11 + hill) // 16
        made.append(canvas.rect((x, low, x + width // 3, bottom), (40 + 30 * hill, 90 + 10 * hill, 60), clip=clip))
    return made


def _words(item: Item, phone: Phone, box: canvas.Box, clip: canvas.Box) -> list[canvas.Stamp]:
    words = item.text if item.drawn is None else item.drawn
    words = words or (item.hint if item.editable else "")
    if not words:
        return []
    size = font_size(item, phone)
    high, pad = canvas.line_height(size, phone.face), round(item.pad * phone.density)
    lines = wrapped(words, size, item.bold, phone.face, box[2] - box[0] - 2 * pad) if item.lines > 1 else [words]
    y = box[1] if item.role == "text" else (box[1] + box[3] - high * len(lines)) // 2
    inside = canvas.meet(box, clip)
    made = []
    for line in lines[: item.lines]:
        width = canvas.text_width(line, size, item.bold, phone.face)
        x = {"left": box[0] + pad, "right": box[2] - pad - width}.get(item.align, (box[0] + box[2] - width) // 2)
        made.append(canvas.text(x, y, line, parse_color(item.ink), size, bold=item.bold, clip=inside, face=phone.face))
        y += high
    return made


def font_size(item: Item, phone: Phone) -> int:
    return max(6, round(item.size * phone.density * phone.font_scale))


def measure(item: Item, phone: Phone) -> tuple[float, float]:
    """Width and height of an item's text on one line, in dp."""
    size = font_size(item, phone)
    width = canvas.text_width(item.text, size, item.bold, phone.face)
    return (width + 1) / phone.density, canvas.line_height(size, phone.face) / phone.density


def wrapped(words: str, size: int, bold: bool, face: str, width: int) -> list[str]:
    """Lines that fit a width in pixels, broken at spaces."""
    lines: list[str] = []
    for word in words.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and canvas.text_width(longer, size, bold, face) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
