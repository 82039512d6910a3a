"""Drawing for the built-in phone: a display list of stamps becomes a picture, only when someone asks for its pixels.

A `Stamp` is one colour pressed through one mask (a rounded rectangle, a line of text, an arc, an icon) at a
whole-pixel place. A display list is a tuple of stamps, bottom to top; equal lists give equal keys, equal pixels and
equal PNG bytes. Text is set in the font carried along, with Pillow's basic layout, so that no library of the machine
changes it; what runs from right to left is put in order before (see `bidi`).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from PIL import Image, ImageChops, ImageDraw, ImageFont

from pytest_apex.model.geometry import Size
from pytest_apex.model.snapshot import Picture
from pytest_apex.vision import image as pictures
from pytest_apex.vision.bidi import drawn
from pytest_apex.vision.icons import ICONS, draw_icon

Box: TypeAlias = tuple[int, int, int, int]
Color: TypeAlias = tuple[int, int, int]

FONT_FILE = Path(__file__).with_name("fonts") / "DejaVuSans.ttf"
#: Curves are drawn this many times larger and scaled down: Pillow draws them without smoothing.
_OVERSAMPLE = 4
#: The first letter (Hebrew's block) that may be higher or lower than the font's line.
_OTHER_SCRIPTS = 0x590
#: Pictures whose pixels are kept by one `Renderer`; 2 MB each at the demo's size.
_KEPT = 12


class Stamp(NamedTuple):
    """One colour through one mask. `box` is where the whole mask lies; only what is inside `clip` shows."""

    kind: str
    box: Box
    color: Color
    args: tuple[Any, ...] = ()
    clip: Box | None = None
    alpha: int = 255

    def moved(self, dx: int, dy: int) -> Stamp:
        clip = _moved(self.clip, dx, dy) if self.clip else None
        return self._replace(box=_moved(self.box, dx, dy), clip=clip)

    def faded(self, share: float) -> Stamp:
        """The same with `share` (0 to 1) of its opacity."""
        return self._replace(alpha=round(self.alpha * share))

    @property
    def visible(self) -> Box:
        return meet(self.box, self.clip) if self.clip else self.box


Display: TypeAlias = tuple[Stamp, ...]


def meet(a: Box, b: Box) -> Box:
    """The common part of two boxes; left >= right or top >= bottom when there is none."""
    return max(a[0], b[0]), max(a[1], b[1]), min(a[2], b[2]), min(a[3], b[3])


def is_empty(box: Box) -> bool:
    return box[0] >= box[2] or box[1] >= box[3]


def _moved(box: Box, dx: int, dy: int) -> Box:
    return box[0] + dx, box[1] + dy, box[2] + dx, box[3] + dy


# Text


@lru_cache(maxsize=64)
def _font(size: int, face: str = "") -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(face or FONT_FILE, size, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=64)
def line_height(size: int, face: str = "") -> int:
    """Pixels from the top of the tallest to the bottom of the lowest letter at a font size in pixels. `face` is another
    font's file."""
    return sum(_font(size, face).getmetrics())


@lru_cache(maxsize=4096)
def text_width(text: str, size: int, bold: bool = False, face: str = "") -> int:
    """Width of one line in pixels."""
    return -int(-_font(size, face).getlength(drawn(text)) // 1) + (_weight(size) if bold and text else 0)


def _weight(size: int) -> int:
    """Bold is the regular face pressed twice, this many pixels apart: one face is carried, not two."""
    return max(1, round(size / 20))


@lru_cache(maxsize=1024)
def _text_mask(text: str, size: int, bold: bool, face: str = "") -> Image.Image:
    font, beyond = _font(size, face), _beyond(text, size)
    mask = Image.new("L", (max(1, text_width(text, size, bold, face)), line_height(size, face) + 2 * beyond))
    ImageDraw.Draw(mask).text((0, font.getmetrics()[0] + beyond), drawn(text), fill=255, font=font, anchor="ls")
    if bold:
        shifted = Image.new("L", mask.size)
        shifted.paste(mask, (_weight(size), 0))
        mask = ImageChops.lighter(mask, shifted)
    return mask


def _beyond(text: str, size: int) -> int:
    """How far letters may stick out of their line: those of other scripts are higher, and reach lower, than the font's
    own measures say."""
    return size // 4 if any(ord(letter) >= _OTHER_SCRIPTS for letter in text) else 0


def ink_columns(text: str, size: int, bold: bool = False) -> tuple[int, ...]:
    """How much ink (0 to 255 a pixel, summed) each column of a line of text has."""
    mask = _text_mask(text, size, bold)
    columns = mask.resize((mask.width, 1), Image.Resampling.BOX).tobytes()
    return tuple(value * mask.height for value in columns)


# Shapes


def _smooth(width: int, height: int, draw: Callable[[ImageDraw.ImageDraw, int], None]) -> Image.Image:
    """A mask drawn `_OVERSAMPLE` times larger by `draw(pen, factor)`, then scaled down."""
    large = Image.new("L", (width * _OVERSAMPLE, height * _OVERSAMPLE))
    draw(ImageDraw.Draw(large), _OVERSAMPLE)
    return large.resize((width, height), Image.Resampling.BOX)


@lru_cache(maxsize=128)
def _corner(radius: int) -> Image.Image:
    """The top left quarter of a disc."""
    return _smooth(radius, radius, lambda pen, by: pen.ellipse((0, 0, 2 * radius * by, 2 * radius * by), fill=255))


@lru_cache(maxsize=256)
def _round_mask(width: int, height: int, radius: int) -> Image.Image:
    radius = min(radius, width // 2, height // 2)
    mask = Image.new("L", (width, height), 255)
    if radius <= 0:
        return mask
    corner = _corner(radius)
    mirrored = corner.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
    right, bottom = width - radius, height - radius
    mask.paste(corner, (0, 0))
    mask.paste(mirrored, (right, 0))
    mask.paste(corner.transpose(Image.Transpose.FLIP_TOP_BOTTOM), (0, bottom))
    mask.paste(mirrored.transpose(Image.Transpose.FLIP_TOP_BOTTOM), (right, bottom))
    return mask


@lru_cache(maxsize=256)
def _ring_mask(width: int, height: int, radius: int, line: int) -> Image.Image:
    mask = _round_mask(width, height, radius).copy()
    inner = _round_mask(max(1, width - 2 * line), max(1, height - 2 * line), max(0, radius - line))
    mask.paste(0, (line, line, line + inner.width, line + inner.height), inner)
    return mask


@lru_cache(maxsize=256)
def _arc_mask(width: int, height: int, start: int, sweep: int, line: int) -> Image.Image:
    def draw(pen: ImageDraw.ImageDraw, by: int) -> None:
        pen.arc((0, 0, width * by - 1, height * by - 1), start, start + sweep, fill=255, width=line * by)

    return _smooth(width, height, draw)


@lru_cache(maxsize=256)
def _icon_mask(width: int, height: int, name: str) -> Image.Image:
    return _smooth(width, height, lambda pen, by: draw_icon(pen, name, width * by))


_MASKS: dict[str, Callable[..., Image.Image]] = {
    "round": lambda size, radius: _round_mask(*size, radius),
    "ring": lambda size, radius, line: _ring_mask(*size, radius, line),
    "arc": lambda size, start, sweep, line: _arc_mask(*size, start, sweep, line),
    "icon": lambda size, name: _icon_mask(*size, name),
    "text": lambda _size, *text: _text_mask(*text),
}


def rect(box: Box, color: Color, alpha: int = 255, clip: Box | None = None) -> Stamp:
    return Stamp("rect", box, color, (), clip, alpha)


def rounded(box: Box, color: Color, radius: int, clip: Box | None = None) -> Stamp:
    return Stamp("round", box, color, (radius,), clip)


def ring(box: Box, color: Color, radius: int, line: int = 1, clip: Box | None = None) -> Stamp:
    """The outline of a rounded rectangle, `line` pixels wide."""
    return Stamp("ring", box, color, (radius, line), clip)


def arc(box: Box, color: Color, start: int, sweep: int, line: int, clip: Box | None = None) -> Stamp:
    """Part of a circle from `start` over `sweep` degrees, clockwise from three o'clock."""
    return Stamp("arc", box, color, (start, sweep, line), clip)


def icon(box: Box, color: Color, name: str, clip: Box | None = None) -> Stamp:
    """One of `vision.icons.ICONS` in a square box."""
    return Stamp("icon", box, color, (name,), clip)


def text(
    x: int, y: int, words: str, color: Color, size: int, *, bold: bool = False, clip: Box | None = None, face: str = ""
) -> Stamp:
    """One line of text; (x, y) is the top left of its line. `face` is another font's file."""
    beyond = _beyond(words, size)
    box = (x, y - beyond, x + text_width(words, size, bold, face), y + line_height(size, face) + beyond)
    return Stamp("text", box, color, (words, size, bold, face) if face else (words, size, bold), clip)


# Pictures


def _press(target: Image.Image, stamp: Stamp, region: Box) -> None:
    """Draw the part of `stamp` inside `region`."""
    shown = meet(stamp.visible, region)
    if is_empty(shown) or stamp.alpha <= 0:
        return
    if stamp.kind == "rect":
        if stamp.alpha >= 255:
            target.paste(stamp.color, shown)
        else:
            target.paste(stamp.color, shown, Image.new("L", (shown[2] - shown[0], shown[3] - shown[1]), stamp.alpha))
        return
    left, top, right, bottom = stamp.box
    mask = _MASKS[stamp.kind]((max(1, right - left), max(1, bottom - top)), *stamp.args)
    if shown != stamp.box:
        mask = mask.crop(_moved(shown, -left, -top))
    if stamp.alpha < 255:
        mask = mask.point([value * stamp.alpha // 255 for value in range(256)])
    target.paste(stamp.color, shown, mask)


def draw(stamps: Sequence[Stamp], size: tuple[int, int]) -> Image.Image:
    """The display list as an image of `size` pixels, from nothing."""
    target = Image.new("RGB", size)
    for stamp in stamps:
        _press(target, stamp, (0, 0, *size))
    return target


def _damage(old: Display, new: Display) -> Box | None:
    """The box in which two display lists may differ; None when that takes as long to find as to draw."""
    before, after = set(old), set(new)
    if len(before) != len(old) or len(after) != len(new):
        return None
    kept = before & after
    if [stamp for stamp in old if stamp in kept] != [stamp for stamp in new if stamp in kept]:
        return None
    boxes = [box for box in (stamp.visible for stamp in before ^ after) if not is_empty(box)]
    if not boxes:
        return (0, 0, 0, 0)
    return (
        min(box[0] for box in boxes), min(box[1] for box in boxes),
        max(box[2] for box in boxes), max(box[3] for box in boxes),
    )  # fmt: skip


class Renderer:
    """Draws display lists of one screen. Keeps the last few pictures, and redraws only where a list differs from the
    one drawn before it."""

    def __init__(self) -> None:
        self._drawn: OrderedDict[DrawnPicture, Picture] = OrderedDict()
        self._last: DrawnPicture | None = None
        #: How often it drew, and how much of a screen each time (tests and measurements read this).
        self.redraws = 0
        self.pixels_drawn = 0

    def picture(self, display: Display, size: tuple[int, int]) -> DrawnPicture:
        """The picture of a display list; the same object while the list stays equal. Nothing is drawn yet."""
        last = self._last
        if last is not None and last.display == display and last.pixel_size == size:
            return last
        self._last = DrawnPicture(display, size, self)
        return self._last

    def drawn(self, picture: DrawnPicture) -> Picture:
        """The picture with its pixels, drawn now or kept from before; keeps its PNG bytes as well."""
        kept = self._drawn.pop(picture, None)
        if kept is None:
            kept = pictures.from_image(self._draw(picture), key=picture.key)
        self._drawn[picture] = kept
        if len(self._drawn) > _KEPT:
            self._drawn.popitem(last=False)
        return kept

    def _draw(self, picture: DrawnPicture) -> Image.Image:
        self.redraws += 1
        width, height = picture.pixel_size
        base = next(reversed(self._drawn), None)
        damage = _damage(base.display, picture.display) if base and base.pixel_size == picture.pixel_size else None
        if base is None or damage is None:
            self.pixels_drawn += width * height
            return draw(picture.display, picture.pixel_size)
        region = meet(damage, (0, 0, width, height))
        target: Image.Image = self._drawn[base].pixels().copy()
        if is_empty(region):
            return target
        self.pixels_drawn += (region[2] - region[0]) * (region[3] - region[1])
        target.paste(0, region)
        for stamp in picture.display:
            _press(target, stamp, region)
        return target


class DrawnPicture:
    """A `Picture` that holds its display list, a few kilobytes, and is drawn when asked. Equal lists are equal."""

    __slots__ = ("_hash", "_key", "_renderer", "display", "pixel_size")

    def __init__(self, display: Display, pixel_size: tuple[int, int], renderer: Renderer) -> None:
        self.display = display
        self.pixel_size = pixel_size
        self._renderer = renderer
        self._key = ""
        self._hash = hash((display, pixel_size))

    @property
    def size(self) -> Size:
        return Size(*self.pixel_size)

    @property
    def key(self) -> str:
        if not self._key:
            text = repr((self.pixel_size, [tuple(stamp) for stamp in self.display]))
            self._key = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
        return self._key

    def png(self) -> bytes:
        return self._renderer.drawn(self).png()

    def pixels(self) -> Image.Image:
        image: Image.Image = self._renderer.drawn(self).pixels()
        return image

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, DrawnPicture)
            and self._hash == other._hash
            and self.pixel_size == other.pixel_size
            and self.display == other.display
        )

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return f"<Picture {self.size}, drawn from {len(self.display)} stamps>"


__all__ = [
    "FONT_FILE", "ICONS", "Box", "Color", "Display", "DrawnPicture", "Renderer", "Stamp", "arc", "draw", "icon",
    "ink_columns", "is_empty", "line_height", "meet", "rect", "ring", "rounded", "text", "text_width",
]  # fmt: skip
