"""Pages as apps have them, drawn by chance: lists, settings, forms, articles, grids, chats, dialogs.

Each is clean, and has things in it that look like defects and are none: a floating button over a row, a badge on an
icon, a half-visible row of chips, a list item that the edge cuts, pale hints and disabled buttons, swatches,
decoration, a snackbar, indented rows, long texts that end in an ellipsis where that is meant.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from drawn_page import Item, Page, Phone, font_size, measure, wrapped

PHONES = (
    ("android", 1080, 2160, 3.0, 1.0),
    ("android", 720, 1280, 2.0, 1.0),
    ("android", 720, 1520, 1.75, 1.15),
    ("android", 480, 854, 1.5, 1.0),
    ("android", 1080, 2220, 2.625, 1.3),
    ("ios", 750, 1334, 2.0, 1.0),
    ("ios", 1170, 2532, 3.0, 1.0),
)


@dataclass(frozen=True)
class Theme:
    ground: str
    surface: str
    ink: str
    quiet: str
    accent: str
    on_accent: str
    dark: bool = False

    @property
    def palette(self) -> list[str]:
        return [self.ground, self.surface, self.ink, self.quiet, self.accent, self.on_accent]


THEMES = (
    Theme("#FFFFFF", "#F2F4F7", "#1B1C1E", "#5A6069", "#0057B8", "#FFFFFF"),
    Theme("#FAF6F0", "#FFFFFF", "#2B1D0E", "#6B5A48", "#8A2B06", "#FFFFFF"),
    Theme("#101216", "#1C1F26", "#EDEFF2", "#A9B0BC", "#8AB4F8", "#101216", dark=True),
    Theme("#000000", "#14181A", "#FFFFFF", "#9FB3B0", "#33D6A6", "#00110C", dark=True),
    Theme("#EDF3EE", "#FFFFFF", "#10241A", "#4A6355", "#0B6B3A", "#FFFFFF"),
)

NAMES = (
    "Ada Lovelace", "Morning walk", "Grocery list", "Quarterly report", "Äpfel und Birnen", "Ideas for winter",
    "Crème brûlée", "Привет из Москвы", "Καλημέρα κόσμε", "Müller & Sons", "Invoice 2041", "The long way home",
    "Weekend in Porto", "Null Island trip", "Fußball am Abend", "Piano lesson", "Dentist at nine", "Paint the fence",
    "Call the plumber", "Book a table", "Train to Zürich", "Water the plants", "Letter to Jo", "Recipe for bread",
)  # fmt: skip
NOTES = (
    "3 items left", "Updated yesterday", "Shared with two people", "Due on Friday", "100 % done", "2.4 MB of 15 GB",
    "com.example.notes", "https://example.com/help", "Nobody has seen this yet", "Draft", "Delivered at 17:40",
    "None of these", "Next to the station", "€ 12.90", "Version 1.4.0", "Also on Mondays",
)  # fmt: skip
SENTENCES = (
    "The ferry leaves twice a day and takes an hour and a half to reach the islands.",
    "Bring a jacket, as the wind on the upper deck is stronger than it looks.",
    "Tickets are sold on board; cards are accepted, and children travel free.",
    "Im Winter fährt das letzte Schiff schon um vier, danach bleibt nur die Brücke.",
    "Nothing beats the view from the lighthouse when the fog has gone by noon.",
)
BUTTONS = ("Save", "Continue", "Add to basket", "Send message", "Share", "Try again", "Sign in", "Book now")
SECTIONS = ("Account", "Notifications", "Privacy", "Appearance", "Storage", "Language", "Backup", "About this app")
ICONS = ("gear", "trash", "bell", "person", "star", "more", "note", "sync", "wifi", "box", "close")


class Maker:
    """Builds one page from the top down. `y` is where the next thing goes."""

    def __init__(self, rng: random.Random, phone: Phone, theme: Theme) -> None:
        self.rng, self.phone, self.theme = rng, phone, theme
        self.width, self.height = phone.dp
        self.top, self.bottom = (24.0, 0.0) if phone.platform == "android" else (44.0, 20.0)
        self.y = self.top
        self.items: list[Item] = []
        self._count = 0

    def new(self, role: str, box: tuple[float, float, float, float], **facts: object) -> Item:
        self._count += 1
        facts.setdefault("ink", self.theme.ink)
        return Item(role, box, id=f"{role}_{self._count}", **facts)  # type: ignore[arg-type]

    def text(self, x: float, y: float, words: str, *, width: float = 0, lines: int = 1, **facts: object) -> Item:
        """A text in a box of its own size, or of a given width."""
        item = self.new("text", (x, y, x, y), text=words, lines=lines, **facts)
        wide, high = measure(item, self.phone)
        if lines > 1:
            room = int(width * self.phone.density)
            count = len(wrapped(words, font_size(item, self.phone), item.bold, self.phone.face, room))
            item.lines, high = count, high * count
        item.box = (x, y, x + (width or wide), y + high + 1 / self.phone.density)
        return item

    def fitting(self, some: Sequence[str], size: float, room: float) -> str:
        """One of some texts that fits into so many dp."""
        latin = self.phone.face != ""  # other fonts may lack Greek and Cyrillic letters
        some = [words for words in some if not latin or max(words) < "\u0180"]
        fits = [words for words in some if measure(Item("text", (0, 0, 0, 0), words, size=size), self.phone)[0] <= room]
        return self.rng.choice(fits) if fits else "Hi"

    def toolbar(self, title: str, *, actions: int = 1, badge: bool = False) -> None:
        high = 56.0
        bar = self.new("toolbar", (0, self.top, self.width, self.top + high), fill=self.theme.surface)
        back = self.new("button", (4, self.top + 4, 52, self.top + 52), label="Back", image="icon:back", clickable=True)
        bar.children.append(back)
        name = self.text(60, self.top + 14, self.fitting([title, "Notes"], 20, self.width - 70 - 52 * actions), size=20)
        bar.children.append(name)
        for at, icon in enumerate(self.rng.sample(ICONS, actions)):
            left = self.width - 52 * (at + 1)
            box = (left, self.top + 4, left + 48, self.top + 52)
            bar.children.append(self.new("button", box, label=icon.title(), image=f"icon:{icon}", clickable=True))
        if badge and actions:
            left = self.width - 26
            box = (left, self.top + 6, left + 18, self.top + 24)
            bar.children.append(self.new("text", box, text=str(self.rng.randint(2, 9)), size=11, align="center",
                                         ink=self.theme.on_accent, fill=self.theme.accent, radius=9))  # fmt: skip
        self.items.append(bar)
        self.y = self.top + high

    def chips(self) -> None:
        """A row that scrolls sideways, the last chip half outside."""
        row = self.new("scroll", (0, self.y, self.width, self.y + 56), scrolls=True)
        left = 16.0
        for words in self.rng.sample([*SECTIONS, *BUTTONS], 7):
            if left > self.width:
                break
            chip = self.new("button", (left, self.y + 4, left, self.y + 52), text=words, size=14, align="center",
                            clickable=True, fill=self.theme.surface, radius=16)  # fmt: skip
            wide = max(56.0, measure(chip, self.phone)[0] + 32)
            chip.box = (left, self.y + 4, left + wide, self.y + 52)
            row.children.append(chip)
            left += wide + 8
        self.items.append(row)
        self.y += 56

    def list_of(self, row: Callable[[float, int], Item], high: float, until: float) -> Item:
        """A list whose last row is cut by its edge."""
        frame = self.new("list", (0, self.y, self.width, until), scrolls=True)
        y, at = self.y + self.rng.choice([0.0, -high * 0.4]), 0
        while y < until and at < 30:
            frame.children.append(row(y, at))
            y, at = y + high, at + 1
        self.items.append(frame)
        self.y = until
        return frame

    def floating(self) -> None:
        left, top = self.width - 72, self.height - self.bottom - 140
        box = (left, top, left + 56, top + 56)
        self.items.append(self.new("button", box, label="New note", image="icon:plus", ink=self.theme.on_accent,
                                   fill=self.theme.accent, radius=28, clickable=True))  # fmt: skip

    def tabs(self) -> None:
        top = self.height - self.bottom - 64
        bar = self.new("tab_bar", (0, top, self.width, self.height - self.bottom), fill=self.theme.surface)
        names = ["Home", "Lists", "Search", "Me"]
        wide = self.width / len(names)
        for at, (name, icon) in enumerate(zip(names, ("note", "box", "search", "person"), strict=True)):
            tab = self.new("tab", (at * wide, top, (at + 1) * wide, top + 64), label=name, clickable=True)
            middle = (at + 0.5) * wide
            tab.children.append(self.new("icon", (middle - 12, top + 8, middle + 12, top + 32), image=f"icon:{icon}"))
            words = self.text(0, top + 36, name, size=12)
            words.moved(at * wide + (wide - (words.box[2] - words.box[0])) / 2, 0)
            tab.children.append(words)
            bar.children.append(tab)
        self.items.append(bar)

    def button(self, y: float, words: str, *, enabled: bool = True, left: float = 16, width: float = 0) -> Item:
        fill, ink = (self.theme.accent, self.theme.on_accent) if enabled else (self.theme.surface, "#9A9FA6")
        box = (left, y, left + (width or self.width - 2 * left), y + 52)
        radius = self.rng.choice([0, 8, 26])
        return self.new("button", box, text=words, align="center", fill=fill, ink=ink, radius=radius, clickable=True,
                        enabled=enabled)  # fmt: skip

    def page(self) -> Page:
        return Page(self.phone, self.theme.ground, self.items, self.top, self.bottom, self.theme.dark)


def list_page(make: Maker) -> None:
    rng, theme = make.rng, make.theme
    make.toolbar(rng.choice(["Notes", "Inbox", "Journeys"]), actions=rng.choice([1, 2]), badge=True)
    if rng.random() < 0.6:
        make.chips()
    switch, names = rng.random() < 0.3, rng.sample(NAMES, len(NAMES))

    def row(y: float, at: int) -> Item:
        cell = make.new("cell", (0, y, make.width, y + 72), clickable=True)
        cell.children.append(make.new("image", (16, y + 12, 64, y + 60), label=f"Portrait {at}", image="photo"))
        room = make.width - 80 - 80
        cell.children.append(
            make.text(80, y + 12, make.fitting(names[at : at + 4] or names, 16, room), bold=at % 3 == 0)
        )
        note = make.text(80, y + 38, make.fitting(NOTES, 14, room), size=14, ink=theme.quiet)
        cell.children.append(note)
        box = (make.width - 60, y + 12, make.width - 12, y + 60)
        icon = "check" if switch else "more"
        cell.children.append(make.new("button", box, label="Options", image=f"icon:{icon}", clickable=True))
        return cell

    make.list_of(row, 72, make.height - make.bottom - 64)
    make.tabs()
    make.floating()


def settings_page(make: Maker) -> None:
    rng, theme = make.rng, make.theme
    make.toolbar("Settings", actions=0)
    sections = rng.sample(SECTIONS, len(SECTIONS))

    def row(y: float, at: int) -> Item:
        cell = make.new("cell", (0, y, make.width, y + 56), clickable=True)
        cell.children.append(make.new("icon", (16, y + 16, 40, y + 40), image=f"icon:{ICONS[at % len(ICONS)]}"))
        cell.children.append(make.text(56, y + 16, make.fitting([sections[at % len(sections)]], 16, make.width - 170)))
        value = make.text(0, y + 18, make.fitting(("On", "Off", "Never", "5 min"), 14, 80), size=14, ink=theme.quiet)
        value.moved(make.width - 16 - value.box[2], 0)
        cell.children.append(value)
        return cell

    make.list_of(row, 56, make.y + 56 * min(7.4, (make.height - make.y - 150) / 56))
    left = 16.0
    for name, shade in (("Red", "#C62828"), ("Green", "#2E7D32"), ("Grey", "#757575"), ("Blue", "#1565C0")):
        box = (left, make.y + 12, left + 48, make.y + 60)
        make.items.append(make.new("image", box, label=name, image=shade, clickable=True))
        left += 60
    line = make.new("image", (0, make.y + 72, make.width, make.y + 73), image=theme.surface)
    make.items += [line, make.new("image", (0, make.y + 76, make.width, make.y + 116), image=theme.surface)]
    make.items.append(make.text(16, make.y + 86, "Version 1.4.0", size=12, ink=theme.quiet))


def form_page(make: Maker) -> None:
    rng, theme = make.rng, make.theme
    make.toolbar(rng.choice(["Sign in", "Your address", "New account"]), actions=1)
    make.y += 16
    for name, hint, typed in (
        ("Name", "How we call you", "Ada"),
        ("E-mail", "name@example.com", ""),
        ("Password", "At least eight letters", ""),
    ):
        make.items.append(make.text(16, make.y, name, size=14))
        make.y += 26 * make.phone.font_scale
        box = (16, make.y, make.width - 16, make.y + 52)
        make.items.append(make.new("text_field", box, text=typed, hint=hint, fill=theme.surface, radius=6, pad=12,
                                   ink=theme.ink if typed else "#A4A8AE", editable=True))  # fmt: skip
        make.y += 68
    words = rng.choice(SENTENCES[:3])
    terms = make.text(16, make.y, words, width=make.width - 32, lines=4, size=14, ink=theme.quiet)
    make.items.append(terms)
    make.y = terms.box[3] + 16
    make.items.append(make.button(make.y, rng.choice(BUTTONS)))
    make.items.append(make.button(make.y + 64, "Not yet", enabled=False))
    if rng.random() < 0.5:
        box = (12, make.height - make.bottom - 68, make.width - 12, make.height - make.bottom - 12)
        note = make.new("toast", box, fill="#323232" if not theme.dark else "#E0E0E0", radius=4)
        note.children.append(make.text(28, box[1] + 16, make.fitting(("Saved", "No connection"), 14, 200), size=14,
                                       ink=theme.surface if not theme.dark else "#101010"))  # fmt: skip
        make.items.append(note)


def article_page(make: Maker) -> None:
    rng, theme = make.rng, make.theme
    make.toolbar("Article", actions=2)
    frame = make.new("scroll", (0, make.y, make.width, make.height - make.bottom), scrolls=True)
    frame.children.append(make.new("image", (0, make.y, make.width, make.y + 160), label="The ferry", image="photo"))
    on_photo = make.text(16, make.y + 60, "Photo of the day", size=18, ink="#FFFFFF", bold=True)
    frame.children.append(on_photo)
    y = make.y + 176
    title = make.text(16, y, make.fitting(NAMES, 24, make.width - 32), size=24, bold=True)
    frame.children.append(title)
    y = title.box[3] + 8
    actions = [make.button(0, words, width=(make.width - 48) / 2) for words in rng.sample(("Share", "Save", "Book"), 2)]
    for at, words in enumerate(rng.sample(SENTENCES, 4)):
        part = make.text(16, y, words, width=make.width - 32, lines=9)
        frame.children.append(part)
        y = part.box[3] + 12
        if at == 0:
            for place, action in enumerate(actions):
                action.moved(place * ((make.width - 48) / 2 + 16), y)
                frame.children.append(action)
            y += 64
    make.items.append(frame)
    if rng.random() < 0.5:
        make.floating()
    del theme


def grid_page(make: Maker) -> None:
    rng, theme = make.rng, make.theme
    make.toolbar("Gallery", actions=1, badge=True)
    make.chips()
    wide = (make.width - 48) / 2
    frame = make.new("list", (0, make.y, make.width, make.height - make.bottom), scrolls=True)
    for at in range(8):
        left, y = 16 + (at % 2) * (wide + 16), make.y + 8 + (at // 2) * 196
        if y > make.height:
            break
        card = make.new("card", (left, y, left + wide, y + 184), fill=theme.surface, radius=8, clickable=True)
        box = (left + 8, y + 8, left + wide - 8, y + 120)
        card.children.append(make.new("image", box, label=f"Picture{' of' * at}", image="photo"))
        card.children.append(make.text(left + 12, y + 126, make.fitting(NAMES, 14, wide - 24), size=14))
        price = make.text(left + 12, y + 152, f"€ {rng.randint(2, 90)}.{rng.randint(10, 99)}", size=14, ink=theme.quiet)
        card.children.append(price)
        frame.children.append(card)
    make.items.append(frame)


def chat_page(make: Maker) -> None:
    rng, theme = make.rng, make.theme
    make.toolbar("Ada", actions=2)
    frame = make.new("list", (0, make.y, make.width, make.height - make.bottom - 68), scrolls=True)
    y = make.y + 8
    while y < make.height:
        mine, words = rng.random() < 0.5, rng.choice([*NOTES, *SENTENCES])
        fill, ink = (theme.accent, theme.on_accent) if mine else (theme.surface, theme.ink)
        words_item = make.text(0, y + 8, words, width=make.width * 0.6, lines=6, size=15, ink=ink)
        if words_item.lines == 1:
            words_item = make.text(0, y + 8, words, size=15, ink=ink)
        wide = words_item.box[2] + 24
        left = make.width - 12 - wide if mine else 12
        bubble = make.new("cell", (left, y, left + wide, words_item.box[3] + 8), fill=fill, radius=14)
        words_item.moved(left + 12, 0)
        bubble.children.append(words_item)
        frame.children.append(bubble)
        y = bubble.box[3] + rng.choice([4, 10])
    make.items.append(frame)
    base = make.height - make.bottom - 60
    make.items.append(make.new("text_field", (12, base, make.width - 76, base + 52), hint="Message", fill=theme.surface,
                               radius=26, pad=16, ink="#A4A8AE", editable=True))  # fmt: skip
    make.items.append(make.new("button", (make.width - 64, base, make.width - 12, base + 52), label="Send",
                               image="icon:next", clickable=True))  # fmt: skip


def dialog_page(make: Maker) -> None:
    settings_page(make)
    make.items.append(Item("group", (0, 0, make.width, make.height), fill="#4A4A4A", only_drawn=True))
    top = make.height * 0.3
    dialog = make.new("dialog", (24, top, make.width - 24, top + 216), fill=make.theme.surface, radius=12)
    dialog.children.append(make.text(48, top + 20, make.rng.choice(["Delete this note?", "Leave the page?"]), size=18))
    body = make.text(48, top + 60, make.rng.choice(SENTENCES[:3]), width=make.width - 96, lines=5, size=14,
                     ink=make.theme.quiet)  # fmt: skip
    dialog.children.append(body)
    base = max(top + 140, body.box[3] + 12)
    dialog.box = (24, top, make.width - 24, base + 64)
    for at, words in enumerate(("Cancel", "Delete")):
        left = make.width / 2 + at * 80 - 30
        box = (left, base, left + 76, base + 52)
        dialog.children.append(make.new("button", box, text=words, size=14, clickable=True, align="center",
                                        ink=make.theme.accent))  # fmt: skip
    make.items.append(dialog)


def profile_page(make: Maker) -> None:
    """Nothing scrolls here."""
    rng, theme = make.rng, make.theme
    make.toolbar("Profile", actions=1)
    y = make.y + 16
    make.items.append(make.new("image", (make.width / 2 - 48, y, make.width / 2 + 48, y + 96), label="Portrait",
                               image="photo"))  # fmt: skip
    name = make.text(0, y + 108, make.fitting(NAMES, 22, make.width - 40), size=22, bold=True)
    name.moved((make.width - name.box[2]) / 2, 0)
    make.items.append(name)
    y = name.box[3] + 16
    for words in rng.sample(NOTES, 4):
        if y > make.height - make.bottom - 150:
            break
        line = make.new("group", (16, y, make.width - 16, y + 44), fill=theme.surface, radius=6)
        line.children.append(make.text(28, y + 10, make.fitting((words, "Draft"), 16, make.width - 56)))
        make.items.append(line)
        y += 52
    for words in rng.sample(BUTTONS, 2):
        make.items.append(make.button(y, words))
        y += 64


TEMPLATES = (list_page, settings_page, form_page, article_page, grid_page, chat_page, dialog_page, profile_page)


def clean_page(
    rng: random.Random, faces: Sequence[str], template: Callable[[Maker], None] | None = None
) -> tuple[Page, Theme]:
    """A page by chance, and the theme it is painted in."""
    platform, width, height, density, font_scale = rng.choice(PHONES)
    phone = Phone(platform, width, height, density, font_scale, rng.choice(faces))
    theme = rng.choice(THEMES)
    make = Maker(rng, phone, theme)
    (template or rng.choice(TEMPLATES))(make)
    return make.page(), theme
