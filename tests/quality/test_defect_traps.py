"""What looks like a defect and is none, or can't be told: one page a trap, beside the twins in `fixtures/defects`."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
if str(HERE) not in sys.path:
    sys.path.insert(0, str(HERE))

from drawn_page import read_page  # noqa: E402

from pytest_apex.model.snapshot import Snapshot  # noqa: E402
from pytest_apex.verify.checks import check_defects, policy_of  # noqa: E402

TITLE = "items:\n  - {role: text, text: My notes, box: [16, 40], size: 20}\n"


def page(items: str, phone: str = "{}", palette: str = "") -> Snapshot:
    return read_page(f"phone: {phone}\n{TITLE}{items}").capture()


def found(look: Snapshot, palette: tuple[str, ...] = ()) -> list[str]:
    answer = check_defects(look, policy=policy_of(accessibility=True, palette=palette or None))
    return [finding.kind for finding in answer.findings]


def unknown(look: Snapshot, rule: str) -> list[str]:
    answer = check_defects(look, policy=policy_of(accessibility=True))
    return [item for item in answer.unknown if item.startswith(f"{rule}: ")]


# Occluded

COVERED = "  - {role: text, text: Delivered on Monday, box: [16, 100]}\n"


def test_a_transparent_layer_covers_nothing() -> None:
    assert found(page(COVERED + "  - {role: group, box: [80, 96, 260, 130]}\n")) == []


def test_a_text_that_ends_before_the_cover_is_whole() -> None:
    wide = "  - {role: text, text: Delivered on Monday, box: [16, 100, 310, 124]}\n"
    assert found(page(wide + '  - {role: card, box: [200, 96, 310, 130], fill: "#0057B8"}\n')) == []


def test_a_text_wholly_behind_something_may_be_the_other_side() -> None:
    assert found(page(COVERED + '  - {role: card, box: [10, 90, 260, 140], fill: "#0057B8"}\n')) == []


def test_a_snackbar_goes_away_by_itself() -> None:
    assert found(page(COVERED + '  - {role: toast, box: [80, 96, 310, 130], fill: "#323232"}\n')) == []


def test_what_is_under_a_page_is_not_looked_at() -> None:
    assert found(page(COVERED + '  - {role: group, box: [100, 60, 320, 560], fill: "#FAFAFA"}\n')) == []


# Missing images


@pytest.mark.parametrize(
    "image",
    [
        '{role: image, label: Dot, box: [16, 100, 36, 120], image: "#E0E0E0"}',
        '{role: image, label: Line, box: [16, 100, 304, 130], image: "#E0E0E0"}',
        '{role: image, box: [16, 100, 96, 180], image: "#E0E0E0"}',
        '{role: image, label: Red, box: [16, 100, 96, 180], image: "#C62828"}',
        '{role: icon, label: Gear, box: [16, 100, 56, 140], image: "icon:gear"}',
    ],
    ids=["a dot", "a divider", "decoration", "a swatch", "an icon"],
)
def test_images_that_are_there(image: str) -> None:
    assert found(page(f"  - {image}\n")) == []


@pytest.mark.parametrize("radius", [0, 8, 24])
def test_a_frame_without_its_picture_may_have_round_corners(radius: int) -> None:
    frame = f'{{role: image, label: Portrait, box: [16, 100, 64, 148], fill: "#E0E0E0", radius: {radius}'
    assert found(page(f"  - {frame}}}\n")) == ["visual.missing_image"]
    assert found(page(f'  - {frame}, image: "icon:note", ink: "#303030"}}\n')) == []


def test_a_ring_is_drawn() -> None:
    ring = '{role: image, label: Ring, box: [16, 100, 64, 148], fill: "#404040", radius: 24}'
    hole = '{role: image, only_drawn: true, box: [24, 108, 56, 140], fill: "#FFFFFF", radius: 16}'
    assert found(page(f"  - {ring}\n  - {hole}\n")) == []


def test_an_image_under_a_text_is_its_ground() -> None:
    card = '  - {role: image, label: Card, box: [16, 100, 304, 200], image: "#E0E0E0"}\n'
    assert found(page(card + "  - {role: text, text: On a card, box: [30, 130]}\n")) == []


def test_an_image_that_a_list_cuts() -> None:
    inner = '[{role: image, label: Portrait, box: [16, 160, 96, 240], image: "#E0E0E0"}]'
    assert found(page(f"  - {{role: list, scrolls: true, box: [0, 100, 320, 210], children: {inner}}}\n")) == []


# Contrast


@pytest.mark.parametrize(
    "item",
    [
        '{role: button, text: Later, box: [16, 100, 304, 152], clickable: true, enabled: false, ink: "#DDDDDD"}',
        '{role: text_field, hint: Your name, box: [16, 100, 304, 152], editable: true, ink: "#DDDDDD", label: Name}',
        '{role: text, text: Not drawn at all, drawn: "", box: [16, 100, 304, 130]}',
        '{role: text, text: Large enough, size: 28, box: [16, 100], ink: "#888888"}',
    ],
    ids=["disabled", "a hint", "transparent", "large"],
)
def test_pale_on_purpose(item: str) -> None:
    assert found(page(f"  - {item}\n")) == []


def test_a_text_without_ink_is_unknown() -> None:
    look = page('  - {role: text, text: Not drawn at all, drawn: "", box: [16, 100, 304, 130]}\n')
    assert len(unknown(look, "low_contrast")) == 1


def test_a_small_text_is_held_to_the_stricter_ratio() -> None:
    small = '  - {role: text, text: The small print of it, size: 11, box: [16, 100], ink: "#8C8C8C"}\n'
    usual = '  - {role: text, text: A usual text of it, size: 16, box: [16, 100], ink: "#8C8C8C"}\n'
    phone = "{width: 1080, height: 1920, density: 3}"
    assert found(page(small, phone)) == ["accessibility.contrast"]
    assert found(page(usual, phone)) == []


# Touch targets

KEY = "  - {{role: button, text: '{}', align: center, box: [{}, 100, {}, 136], clickable: true}}\n"
KEYS = "".join(KEY.format(at, 16 + 40 * at, 52 + 40 * at) for at in range(6))
ICON = "  - {{role: button, label: {}, image: 'icon:close', box: [{}, 100, {}, {}], clickable: true}}\n"


def test_keys_of_one_size_are_one_report() -> None:
    answer = check_defects(page(KEYS), policy=policy_of(rules={"touch_target": "warn"}))
    [finding] = answer.findings
    assert len(finding.nodes) == 6
    assert "5 beside it" in finding.reason


def test_nobody_touches_a_television() -> None:
    assert found(page(KEYS, "{width: 1920, height: 1080, density: 2}")) == []


def test_an_untold_density_is_unknown() -> None:
    look = page(KEYS, "{width: 1080, height: 1920, density: 3}")
    look = replace(look, screen=replace(look.screen, density=1.0))
    assert "accessibility.touch_target" not in found(look)
    assert len(unknown(look, "touch_target")) == 1


@pytest.mark.parametrize(
    ("box", "reported"),
    [("[100, 100, 148, 148]", False), ("[100, 100, 146, 148]", True), ("[0, 100, 34, 148]", False)],
    ids=["large", "narrow", "at the edge"],
)
def test_sizes(box: str, reported: bool) -> None:
    look = page(f"  - {{role: button, label: Help, image: 'icon:gear', box: {box}, clickable: true}}\n")
    assert ("accessibility.touch_target" in found(look)) is reported


def test_points_on_ios() -> None:
    phone = "{platform: ios, width: 750, height: 1334, density: 2}"
    fits = "  - {role: button, label: Help, image: 'icon:gear', box: [100, 100, 144, 144], clickable: true}\n"
    assert found(page(fits, phone)) == []
    assert found(page(fits.replace("144, 144", "144, 142"), phone)) == ["accessibility.touch_target"]


def test_a_tiny_one_beside_another_says_so() -> None:
    two = ICON.format("One", 100, 120, 120) + ICON.format("Two", 120, 140, 120)
    [finding] = check_defects(page(two), policy=policy_of(rules={"touch_target": "warn"})).findings
    assert "close to another" in finding.reason


# Labels


def test_one_control_told_twice_is_no_duplicate() -> None:
    inner = "[{role: button, label: Open, image: 'icon:note', box: [20, 104, 68, 152], clickable: true}]"
    outer = f"  - {{role: cell, label: Open, clickable: true, box: [0, 100, 320, 156], children: {inner}}}\n"
    assert found(page(outer)) == []


def test_a_field_may_be_named_by_the_text_beside_it() -> None:
    look = page("  - {role: text_field, text: Ada, box: [16, 100, 304, 152], editable: true}\n")
    assert found(look) == []
    look = page('  - {role: text_field, drawn: " ", box: [16, 100, 304, 152], editable: true}\n')
    assert found(look) == []
    assert len(unknown(look, "missing_label")) == 1


# Misaligned


def rows(*shifts: tuple[float, float]) -> str:
    cells = "".join(
        f"      - {{role: cell, box: [0, {100 + 60 * at}, 320, {160 + 60 * at}], children: ["
        f"{{role: text, text: Row {at}, box: [{16 + dx}, {118 + 60 * at + dy}]}}]}}\n"
        for at, (dx, dy) in enumerate(shifts)
    )
    return f"  - role: list\n    scrolls: true\n    box: [0, 100, 320, 560]\n    children:\n{cells}"


STILL = (0.0, 0.0)


@pytest.mark.parametrize("odd", [(6.0, 0.0), (0.0, 6.0), (0.0, -6.0)], ids=["right", "down", "up"])
def test_one_row_that_is_off(odd: tuple[float, float]) -> None:
    assert found(page(rows(STILL, STILL, odd, STILL, STILL))) == ["visual.misaligned"]


@pytest.mark.parametrize("odd", [(0.0, 0.7), (0.0, 18.0), (0.5, 0.0)], ids=["rounding", "another place", "a pixel"])
def test_rows_that_are_in_line(odd: tuple[float, float]) -> None:
    assert found(page(rows(STILL, STILL, odd, STILL, STILL))) == []


# Off the screen


def test_a_grid_goes_on_below() -> None:
    cards = ", ".join(
        f"{{role: card, label: Card {at}, clickable: true, fill: '#EEEEEE', "
        f"box: [{16 + 150 * (at % 2)}, {100 + 200 * (at // 2)}, {150 + 150 * (at % 2)}, {290 + 200 * (at // 2)}]}}"
        for at in range(6)
    )
    phone = "{platform: ios, width: 750, height: 1134, density: 2}"
    assert (
        found(page(f"  - {{role: list, scrolls: true, box: [0, 100, 375, 567], children: [{cards}]}}\n", phone)) == []
    )


@pytest.mark.parametrize(("left", "cut"), [(284, True), (258, False)])
def test_an_icon_that_the_edge_cuts(left: int, cut: bool) -> None:
    icon = ICON.format("Close", left, left + 60, 160)
    assert ("visual.off_screen" in found(page(icon))) is cut


def test_a_line_under_a_button_at_the_edge_is_not_cut() -> None:
    tab = "{role: button, text: Lists, align: center, box: [220, 100, 320, 152], clickable: true}"
    line = '{role: group, box: [220, 149, 320, 152], fill: "#0057B8", only_drawn: true}'
    assert found(page(f"  - {tab}\n  - {line}\n")) == []


# Badges


def test_a_round_badge_over_an_icon_is_not_cut() -> None:
    icon = "  - {role: button, label: Box, image: 'icon:box', box: [200, 100, 264, 164], clickable: true}\n"
    badge = (
        "  - {role: text, text: '9', size: 11, align: center, box: [232, 98, 252, 118], fill: '#8A2B06', radius: 10,"
        " ink: '#FFFFFF'}\n"
    )
    assert found(page(icon + badge)) == []


# Wrong colours


def test_colours_of_states_toasts_and_pictures_are_their_own() -> None:
    items = (
        '  - {role: button, text: Later, box: [16, 100, 304, 152], clickable: true, enabled: false, fill: "#DDDDDD"}\n'
        "  - {role: image, label: Sea, box: [16, 160, 304, 220], image: photo}\n"
        '  - {role: toast, box: [16, 500, 304, 552], fill: "#323232", children: [{role: text, text: Saved, '
        'box: [30, 514], ink: "#FFEE00"}]}\n'
    )
    assert found(page(items), ("#FFFFFF", "#202020")) == []


# Letters that end with their box

IPHONE = "{platform: ios, width: 640, height: 1136, density: 2}"


def in_box(text: str, height: float) -> Snapshot:
    """A text in a box of so many points; its letters stand on a line 15 points below the box's top."""
    return page(f'  - {{role: text, text: "{text}", box: [16, 100, 300, {100 + height}]}}\n', IPHONE)


@pytest.mark.parametrize(
    ("text", "height"),
    [("SAVE", 15), ("Hello world", 15), ("Total 12.50", 15), ("Settings", 18.5), ("Paying", 18.5), ("TITLE", 14.5)],
)
def test_letters_that_end_at_the_last_row_of_their_box(text: str, height: float) -> None:
    assert found(in_box(text, height)) == []


@pytest.mark.parametrize(
    ("text", "height"), [("SAVE", 10.5), ("Hello world", 10.5), ("Settings", 16), ("Paying", 16), ("Total 12.50", 11)]
)
def test_letters_of_which_the_lower_part_is_missing(text: str, height: float) -> None:
    assert found(in_box(text, height)) == ["visual.truncated"]


@pytest.mark.parametrize("text", ["SAVE", "Hello world", "Settings", "Paying"])
@pytest.mark.parametrize("early", [0.5, 1, 1.5])
def test_a_box_in_whole_points_that_ends_too_early(text: str, early: float) -> None:
    high = (18.5 if text in ("Settings", "Paying") else 15) - early
    told = f'  - {{role: text, text: "{text}", drawn: "", box: [16, 100, 300, {100 + high}]}}\n'
    drawn = f'  - {{role: text, text: "{text}", only_drawn: true, box: [16, 100, 300, 124]}}\n'
    assert found(page(told + drawn, IPHONE)) == []


def test_where_nobody_can_tell_it_is_unknown() -> None:
    assert "whether it is cut at the bottom" in "".join(unknown(in_box("SAVE", 12.5), "truncated"))
