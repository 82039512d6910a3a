"""One defect, put into a clean page by chance. Each says which control it sits on; None where the page has no place for
it."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from defect_pages import Theme
from drawn_page import Item, Page, font_size, measure, walk

from pytest_apex.vision.color import delta_e2000, parse_color, to_hex
from pytest_apex.vision.contrast import ratio

PLACEHOLDERS = (
    "{{user.name}}", "Hello ${firstName}", "%1$s items left", "null", "undefined", "(null)", "NaN", "[object Object]",
    "@string/app_title", "R.string.welcome", "settings.account.title", "Terms &amp; conditions", "Sent by %@",
    "Lorem ipsum dolor sit", "home_screen_title", "Price: %d", "R\ufffdsum\ufffd",
)  # fmt: skip


@dataclass(frozen=True)
class Seed:
    """The kind of the finding that is wanted on the control `at` (its words or id). `also` is what it may be called as
    well: a row as wide as the screen that is out of line sticks out."""

    kind: str
    at: Item
    how: str
    also: str = ""


def place(rng: random.Random, page: Page, kind: str, theme: Theme) -> Seed | None:
    """Put a defect of a kind into a page."""
    return SEEDS[kind](rng, page, theme)


# What a page offers


def _whole(page: Page, item: Item, above: tuple[Item, ...]) -> bool:
    """Whether all of an item shows: no edge cuts it, nothing lies over it, and it is in front."""
    width, height = page.phone.dp
    box = (0.0, page.top, width, height - page.bottom)
    for outer in above:
        if outer.scrolls:
            box = (max(box[0], outer.box[0]), max(box[1], outer.box[1]), min(box[2], outer.box[2]),
                   min(box[3], outer.box[3]))  # fmt: skip
    left, top, right, bottom = item.box
    if left < box[0] or top < box[1] + 2 or right > box[2] or bottom > box[3] - 2:
        return False
    later = False
    inside = {id(item), *map(id, above), *(id(child) for child, _ in walk(item.children))}
    for other, _ in walk(page.items):
        later = later or other is item
        if later and id(other) not in inside and _meets(item.box, other.box):
            return False
    return not any(other.role == "dialog" for other in page.items) or any(outer.role == "dialog" for outer in above)


def _meets(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _all(page: Page, role: str) -> list[tuple[Item, tuple[Item, ...]]]:
    found = [(item, above) for item, above in walk(page.items) if item.role == role and _whole(page, item, above)]
    return [
        (item, above) for item, above in found if item.enabled and not any(outer.role == "toast" for outer in above)
    ]


def _texts(page: Page, *, letters: int = 3) -> list[tuple[Item, tuple[Item, ...]]]:
    """Texts on one ground, with so many letters."""
    return [
        (item, above)
        for item, above in _all(page, "text")
        if len(item.text.replace(" ", "")) >= letters and not item.fill and item.text != "Photo of the day"
    ]


def _ground(page: Page, above: tuple[Item, ...]) -> str:
    return next((outer.fill for outer in reversed(above) if outer.fill), page.ground)


def _pick(rng: random.Random, some: list[tuple[Item, tuple[Item, ...]]]) -> tuple[Item, tuple[Item, ...]] | None:
    return rng.choice(some) if some else None


# The defects


def _unresolved(rng: random.Random, page: Page, theme: Theme) -> Seed | None:
    some = [pair for pair in _texts(page) if pair[0].lines == 1 and all(o.role not in ("cell",) for o in pair[1])]
    words = rng.choice(PLACEHOLDERS)
    found = _pick(rng, some)
    if found is None:
        return None
    item = found[0]
    item.text = words
    left, top, _, bottom = item.box
    item.box = (left, top, min(left + measure(item, page.phone)[0], page.phone.dp[0] - 4), bottom)
    return Seed("visual.unresolved_text", item, words)


def _off_screen(rng: random.Random, page: Page, theme: Theme) -> Seed | None:
    some = [pair for pair in [*_texts(page, letters=6), *_all(page, "button")]
            if not any(outer.scrolls or outer.role in ("dialog", "tab") for outer in pair[1])
            and (pair[0].text or pair[0].label) and pair[0].lines == 1]  # fmt: skip
    found = _pick(rng, some)
    if found is None:
        return None
    item, width = found[0], page.phone.dp[0]
    own = item.box[2] - item.box[0]
    words = measure(item, page.phone)[0] if item.text else own
    # As much as really hides letters: a wide button with a short word in its middle still shows it.
    share = rng.uniform(0.25, 0.6) if item.text else rng.uniform(0.42, 0.55)  # icons stand in the middle of their box
    out = words * share + ((own - words) / 2 if item.align == "center" else 0)
    item.moved(width - item.box[2] + out, 0)
    if any(
        _meets(item.box, other.box)
        for other, _ in walk(page.items)
        if (other.text or other.label) and other is not item
    ):
        return None
    return Seed("visual.off_screen", item, f"{out:.0f} dp")


def _truncated(rng: random.Random, page: Page, theme: Theme) -> Seed | None:
    how = rng.choice(["ellipsis", "sideways", "height"])
    if how == "ellipsis":
        found = _pick(rng, [pair for pair in _all(page, "button") if len(pair[0].text) >= 6])
        if found is None:
            return None
        item = found[0]
        keep = rng.randint(2, max(2, len(item.text) // 2))
        item.drawn = item.text[:keep].rstrip() + rng.choice(["…", "..."])
        return Seed("visual.truncated", item, how)
    some = [pair for pair in _texts(page, letters=8) if pair[0].lines == 1 and pair[0].align == "left"]
    found = _pick(rng, some)
    if found is None:
        return None
    item = found[0]
    left, top, right, bottom = item.box
    if how == "sideways":
        item.box = (left, top, left + (right - left) * rng.uniform(0.35, 0.65), bottom)
    else:
        item.box = (left, top, right, top + (bottom - top) * rng.uniform(0.4, 0.6))
    return Seed("visual.truncated", item, how)


def _overlap(rng: random.Random, page: Page, theme: Theme) -> Seed | None:
    some = [pair for pair in _texts(page, letters=5) if pair[0].lines == 1]
    if len(some) < 2:
        return None
    found = _pick(rng, some)
    assert found is not None
    one = found[0]
    rivals = [pair for pair in some if pair[0] is not one and pair[1][-1:] == found[1][-1:]]
    other = _pick(rng, rivals)
    if other is None:
        return None
    item = other[0]
    shift = (one.box[3] - one.box[1]) * rng.uniform(0.2, 0.5) * rng.choice([1, -1])
    if one.box[0] + item.box[2] - item.box[0] + 8 > page.phone.dp[0]:
        return None
    item.moved(one.box[0] - item.box[0] + rng.uniform(0, 8), one.box[1] - item.box[1] + shift)
    return Seed("visual.overlap", item, f"{shift:.0f} dp apart")


def _occluded(rng: random.Random, page: Page, theme: Theme) -> Seed | None:
    some = [pair for pair in _texts(page, letters=6) if pair[0].lines == 1]
    found = _pick(rng, some)
    if found is None:
        return None
    item, above = found
    left, top, right, bottom = item.box
    share = rng.uniform(0.4, 0.85)
    if rng.random() < 0.7:
        box = (right - (right - left) * share, top - rng.uniform(0, 6), right + rng.uniform(0, 30), bottom + 2)
    else:
        share = min(share, 0.65)
        box = (left - 4, bottom - (bottom - top) * share, right + 6, bottom + rng.uniform(2, 20))
    cover = Item(
        rng.choice(["card", "image", "group"]), box, id="cover", fill=rng.choice([theme.accent, theme.surface])
    )
    within = above[-1].children if above else page.items
    within.append(cover)
    return Seed("visual.occluded", item, f"{share:.0%} by a {cover.role}")


def _missing_image(rng: random.Random, page: Page, theme: Theme) -> Seed | None:
    some = [pair for pair in _all(page, "image") if pair[0].image == "photo" and not pair[0].children]
    found = _pick(rng, [pair for pair in some if pair[0].label])
    if found is None:
        return None
    found[0].image = rng.choice(["", "#E0E0E0", "#BDBDBD", "#F5F5F5"])
    return Seed("visual.missing_image", found[0], found[0].image or "nothing")


def _blank(rng: random.Random, page: Page, theme: Theme) -> Seed | None:
    group = Item("group", (0, page.top, page.phone.dp[0], page.phone.dp[1] - page.bottom), id="blank")
    if page.ground == "#000000":
        page.ground = "#101010"  # black pictures are not called blank
    if rng.random() < 0.5:  # the tree is there, nothing of it is drawn
        for item, _ in walk(page.items):
            item.drawn, item.image, item.fill, item.hint = "", "", "", ""
        for item in page.items:
            item.only_drawn = False
    else:
        page.items[:] = [group]
    return Seed("visual.blank", group, "")


def _shade(rng: random.Random, ground: str, least: float, most: float) -> str | None:
    """A colour with a contrast in between to a ground."""
    base = parse_color(ground)
    for _ in range(2000):
        step = rng.randint(-150, 150)
        color = tuple(max(0, min(255, part + step + rng.randint(-6, 6))) for part in base)
        far = max(abs(a - b) for a, b in zip(color, base, strict=True))
        shade = (color[0], color[1], color[2])
        if far > 16 and least <= ratio(shade, base) <= most:
            return to_hex(shade)
    return None


def _contrast_between(least: float, most: float, kind: str) -> Callable[[random.Random, Page, Theme], Seed | None]:
    def seed(rng: random.Random, page: Page, theme: Theme) -> Seed | None:
        found = _pick(rng, _texts(page, letters=4))
        if found is None:
            return None
        shade = _shade(rng, _ground(page, found[1]), least, most)
        if shade is None:
            return None
        found[0].ink = shade
        return Seed(kind, found[0], f"{shade} on {_ground(page, found[1])}")

    return seed


def _touch_target(rng: random.Random, page: Page, theme: Theme) -> Seed | None:
    found = _pick(rng, [pair for pair in _all(page, "button") if not any(outer.clickable for outer in pair[1])])
    if found is None:
        return None
    item = found[0]
    side = rng.uniform(14, 38)
    x, y = (item.box[0] + item.box[2]) / 2, (item.box[1] + item.box[3]) / 2
    wide = item.box[2] - item.box[0] if item.text else side
    item.box = (x - wide / 2, y - side / 2, x + wide / 2, y + side / 2)
    high = measure(item, page.phone)[1]
    if item.text and high > side:
        item.size *= side / high
    return Seed("accessibility.touch_target", item, f"{wide:.0f}×{side:.0f}")


def _wrong_color(rng: random.Random, page: Page, theme: Theme) -> Seed | None:
    known = [parse_color(color) for color in theme.palette]
    for _ in range(300):
        shade = (rng.randint(0, 255), rng.randint(0, 255), rng.randint(0, 255))
        if min(delta_e2000(shade, color) for color in known) < 8:
            continue
        grounded = [pair for pair in _all(page, "button") if pair[0].text and pair[0].fill]
        if grounded and rng.random() < 0.5:
            item = rng.choice(grounded)[0]
            if ratio(shade, parse_color(item.ink)) < 3:
                continue
            item.fill = to_hex(shade)
            return Seed("visual.wrong_color", item, f"ground {item.fill}")
        found = _pick(rng, _texts(page, letters=5))
        if found is None:
            return None
        base = parse_color(_ground(page, found[1]))
        # Smoothed letters of a blend of two declared colours can't be told from one of them.
        if ratio(shade, base) < 3 or _between(shade, base, known):
            continue
        found[0].ink = to_hex(shade)
        return Seed("visual.wrong_color", found[0], f"ink {found[0].ink}")
    return None


def _between(shade: tuple[int, int, int], base: tuple[int, int, int], known: list[tuple[int, int, int]]) -> bool:
    for other in known:
        for step in range(17):
            mixed = [round(a + (b - a) * step / 16) for a, b in zip(base, other, strict=True)]
            if delta_e2000(shade, (mixed[0], mixed[1], mixed[2])) < 8:
                return True
    return False


def _misaligned(rng: random.Random, page: Page, theme: Theme) -> Seed | None:
    lists = [item for item, _ in walk(page.items) if item.role == "list" and len(item.children) >= 5]
    lists = [item for item in lists if len({child.box[0] for child in item.children}) == 1]
    if not lists:
        return None
    frame = rng.choice(lists)
    shown = [row for row in frame.children if _whole(page, row, (frame,)) and len(row.children) > 1]
    if len(shown) < 5:
        return None
    row = rng.choice(shown)
    by = rng.uniform(3, 13) * rng.choice([1, -1])
    at = rng.randrange(min(2, len(row.children)))
    item = rng.choice([row, row.children[at]])
    item.moved(by, 0)
    also = "visual.off_screen" if item is row and item.box[2] - item.box[0] >= page.phone.dp[0] else ""
    return Seed("visual.misaligned", item, f"{by:.0f} dp", also)


def _duplicate_label(rng: random.Random, page: Page, theme: Theme) -> Seed | None:
    some = [pair[0] for pair in [*_all(page, "button"), *_all(page, "tab")]
            if not any(outer.role == "cell" for outer in pair[1])]  # fmt: skip
    if len(some) < 2:
        return None
    one, other = rng.sample(some, 2)
    if one.text:
        other.label, other.text = one.text, other.text and one.text
    elif other.text:
        one.label = other.text
    else:
        other.label = one.label
    if other.text and font_size(other, page.phone) and measure(other, page.phone)[0] > other.box[2] - other.box[0]:
        return None
    for item in (one, other):
        for child in item.children:
            if child.text:
                child.text = item.label
                if measure(child, page.phone)[0] > child.box[2] - child.box[0]:
                    return None
    return Seed("accessibility.duplicate_label", other, one.text or one.label)


def _missing_label(rng: random.Random, page: Page, theme: Theme) -> Seed | None:
    some = [pair for pair in _all(page, "button") if not pair[0].text and pair[0].image]
    found = _pick(rng, [pair for pair in some if not any(outer.clickable for outer in pair[1])])
    if found is None:
        return None
    found[0].label = ""
    return Seed("accessibility.missing_label", found[0], "")


SEEDS: dict[str, Callable[[random.Random, Page, Theme], Seed | None]] = {
    "unresolved_text": _unresolved,
    "occluded": _occluded,
    "overlap": _overlap,
    "off_screen": _off_screen,
    "truncated": _truncated,
    "low_contrast": _contrast_between(1.12, 1.45, "visual.low_contrast"),
    "missing_image": _missing_image,
    "blank": _blank,
    "wrong_color": _wrong_color,
    "misaligned": _misaligned,
    "touch_target": _touch_target,
    "duplicate_label": _duplicate_label,
    "contrast": _contrast_between(1.6, 2.6, "accessibility.contrast"),
    "missing_label": _missing_label,
}
