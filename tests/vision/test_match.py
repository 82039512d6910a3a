"""`compare_images`: counts, places, masks, early ends, sizes; and the proof that it can compare at all."""

from __future__ import annotations

import io
import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageDraw

from pytest_apex import compare_images
from pytest_apex.errors import ComparatorBroken, ConfigError, SizesDiffer, SourceError
from pytest_apex.model.geometry import Rect, Size
from pytest_apex.vision import match, pixelmatch, proof
from pytest_apex.vision.image import from_image, from_png


def page(*boxes: tuple[tuple[int, int, int, int], Any], size: tuple[int, int] = (200, 300)) -> Image.Image:
    image = Image.new("RGB", size, "white")
    for (left, top, right, bottom), color in boxes:
        ImageDraw.Draw(image).rectangle((left, top, right - 1, bottom - 1), fill=color)
    return image


BLOCK = ((40, 60, 60, 70), "black")


def noisy(seed: int, size: tuple[int, int] = (90, 150)) -> tuple[Image.Image, Image.Image]:
    """Two pictures of few colours: neighbours are often equal, edges are everywhere, also at the rim."""
    rng = np.random.default_rng(seed)
    one = rng.choice(
        np.array([0, 90, 128, 170, 255], dtype=np.uint8), (size[1], size[0]), p=[0.1, 0.05, 0.05, 0.1, 0.7]
    )
    one = np.repeat(np.repeat(one[::2, ::2], 2, axis=0), 2, axis=1)[: size[1], : size[0]]
    other = np.where(rng.random(one.shape) < 0.2, np.roll(one, 1, axis=1), one)
    return Image.fromarray(one).convert("RGB"), Image.fromarray(other).convert("RGB")


@pytest.fixture
def unproven() -> Iterator[None]:
    """The proof is given anew, in the test and after it."""
    proof._fault.cache_clear()
    yield
    proof._fault.cache_clear()


def as_file(image: Image.Image) -> Any:
    target = io.BytesIO()
    image.save(target, "PNG")
    return from_png(target.getvalue())


@pytest.mark.parametrize("alpha", ["opaque", "see-through", "one of them", "alpha alone"])
def test_files_with_an_alpha_channel_count_as_what_they_look_like(alpha: str) -> None:
    one, other = noisy(7)
    veil = Image.new("L", one.size, 255)
    if alpha == "see-through":
        ImageDraw.Draw(veil).rectangle((20, 20, 70, 90), fill=120)
    one.putalpha(veil)
    if alpha != "one of them":
        other.putalpha(veil)
    if alpha == "alpha alone":
        other = one.copy()
        other.putalpha(Image.new("L", one.size, 90))
    seen = [Image.alpha_composite(Image.new("RGBA", one.size, "white"), each.convert("RGBA")).convert("RGB")
            for each in (one, other)]  # fmt: skip
    found = match.compare_pictures(as_file(one), as_file(other))
    assert found == compare_images(*seen)
    assert found.count


def test_the_same_page() -> None:
    found = compare_images(page(BLOCK), page(BLOCK))
    assert (found.count, found.ratio, found.unequal, found.boxes, found.complete) == (0, 0.0, 0, (), True)
    assert found.size == Size(200, 300)


def test_a_block_with_its_place_cluster_and_window() -> None:
    found = compare_images(page(), page(BLOCK))
    assert (found.count, found.unequal) == (200, 200)
    assert found.ratio == 200 / 60000
    assert found.boxes == (Rect(40, 60, 60, 70),)
    assert (found.largest_cluster, found.window_count) == (200, 200)


def test_places_apart_are_counted_apart() -> None:
    found = compare_images(page(), page(BLOCK, ((150, 200, 190, 240), "black")))
    assert found.count == 200 + 1600
    assert found.boxes == (Rect(40, 60, 60, 70), Rect(150, 200, 190, 240))
    assert (found.largest_cluster, found.window_count) == (1600, 32 * 32)


def test_scattered_noise_fills_no_window() -> None:
    image = page()
    places = [(x, y) for x in range(3, 200, 20) for y in range(3, 300, 20)]
    for place in places:
        image.putpixel(place, (0, 0, 0))
    found = compare_images(page(), image)
    assert found.count == len(places) > 100
    assert found.window_count == 4


def test_a_distance_under_the_threshold_is_let_be_and_told() -> None:
    faint = page(((40, 60, 60, 70), (245, 245, 245)))
    found = compare_images(page(), faint)
    assert (found.count, found.unequal, found.boxes) == (0, 200, ())
    assert compare_images(page(), faint, threshold=0.02).count == 200
    assert compare_images(page(), faint, threshold=0).count == 200


def test_an_even_area_of_another_shade_is_told_apart_from_smoothed_edges() -> None:
    def shades(one: Image.Image, other: Image.Image, *masks: Rect) -> tuple[Rect, ...]:
        return match.other_shades(from_image(one), from_image(other), masks)

    faint = page(((40, 60, 60, 70), (248, 248, 248)))
    assert shades(page(), faint) == (Rect(41, 61, 59, 69),)
    assert shades(page(), faint, Rect(30, 50, 70, 80)) == ()
    assert shades(page(), page(((40, 60, 60, 70), (253, 253, 253)))) == ()
    assert shades(page(), page(((40, 60, 46, 66), (200, 200, 200)))) == ()
    assert shades(page(), page()) == ()
    one, other = proof.pair()
    assert shades(one, other, Rect(*proof._BLOCK)) == ()


def test_smoothed_edges_are_excused_unless_asked_for() -> None:
    one, other = proof.pair()
    assert compare_images(one, other, masks=[Rect(*proof._BLOCK)]).count == 0
    assert compare_images(one, other, masks=[proof._BLOCK], include_aa=True).count == 52


def test_masks_do_not_count_nor_does_their_area() -> None:
    actual = page(BLOCK, ((150, 200, 190, 240), "black"))
    found = compare_images(page(), actual, masks=[Rect(39.5, 59.2, 60.1, 70)])
    assert found.boxes == (Rect(150, 200, 190, 240),)
    assert found.ratio == pytest.approx(1600 / (60000 - 22 * 11))
    assert compare_images(page(), actual, masks=[(0, 0, 200, 300)]).count == 0
    assert compare_images(page(), actual, masks=[(-50, -50, 0, 0), (500, 500, 600, 600)]).count == 1800


@pytest.mark.parametrize(
    "masks",
    [
        5,
        None,
        "image",
        [None],
        [(1, 2, 3)],
        [("a", 0, 1, 1)],
        [(9, 9, 4, 4)],
        [(0, 0, 0, 0)],
        [(float("nan"), 0, 1, 1)],
    ],
)
def test_a_mask_that_can_hide_nothing_is_refused(masks: Any) -> None:
    with pytest.raises(ConfigError, match="masks= takes rectangles"):
        compare_images(page(), page(BLOCK), masks=masks)


def test_one_mask_needs_no_list() -> None:
    assert compare_images(page(), page(BLOCK), masks=(0, 0, 200, 300)).count == 0  # type: ignore[arg-type]


def test_a_mask_is_a_mask_wherever_a_band_begins() -> None:
    rng = random.Random(3)
    one, other = noisy(3, (90, 400))
    for _ in range(8):
        left, top = rng.randrange(90), rng.randrange(400)
        mask = (left, top, left + rng.randrange(1, 60), top + rng.randrange(1, 200))
        painted = [image.copy() for image in (one, other)]
        for image in painted:
            image.paste((0, 0, 0), mask)
        assert compare_images(one, other, masks=[mask]).count == compare_images(*painted).count


@pytest.mark.parametrize("seed", range(4))
def test_bands_make_no_difference(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = noisy(seed)
    whole = compare_images(one, other)
    assert 0 < whole.count < whole.unequal
    monkeypatch.setattr(match, "_STRIP", 3)
    monkeypatch.setattr(match, "_BAND", 7)
    monkeypatch.setattr(pixelmatch, "_TOGETHER", 13)
    assert compare_images(one, other) == whole
    assert compare_images(other, one).count == whole.count, "which one is the approved one makes no difference"


def test_it_ends_when_there_are_too_many() -> None:
    one = page(size=(300, 2000))
    found = compare_images(one, page(((0, 0, 300, 2000), "black"), size=(300, 2000)), enough=10)
    assert not found.complete
    assert 10 < found.count < 300 * 100
    enough = compare_images(page(), page(BLOCK), enough=200)
    assert (enough.complete, enough.count) == (True, 200)
    assert compare_images(page(), page(BLOCK), enough=199).count > 199


def test_other_sizes_are_an_error_that_names_both() -> None:
    with pytest.raises(SizesDiffer) as caught:
        compare_images(page(), page(size=(200, 299)))
    assert "200×300" in caught.value.seen
    assert "200×299" in caught.value.seen


def test_no_picture_is_decoded_for_another_size_or_for_equal_files() -> None:
    whole = from_image(page()).png()
    broken = whole[:60] + bytes(len(whole) - 60)
    assert match.compare_pictures(from_png(broken), from_png(bytes(bytearray(broken)))).count == 0
    with pytest.raises(SizesDiffer):
        match.compare_pictures(from_png(broken), from_image(page(size=(10, 10))))
    with pytest.raises(SourceError):
        match.compare_pictures(from_png(broken), from_png(whole))


def test_what_is_transparent_lies_on_white() -> None:
    clear = Image.new("RGBA", (200, 300), (0, 0, 0, 0))
    assert compare_images(page(), clear).count == 0
    opaque = page(BLOCK).convert("RGBA")
    assert compare_images(page(BLOCK), opaque).unequal == 0


@pytest.mark.parametrize("threshold", [-0.1, 1.5, float("nan"), True, "0.1", None])
def test_wrong_thresholds(threshold: Any) -> None:
    with pytest.raises(ConfigError, match="threshold="):
        compare_images(page(), page(), threshold=threshold)


def test_no_images() -> None:
    with pytest.raises(ConfigError, match="two Pillow images"):
        compare_images("approved.png", page())  # type: ignore[arg-type]


def nothing(*_: Any, **__: Any) -> tuple[Any, int]:
    return np.zeros(0, dtype=np.int64), 0


def everything(band: pixelmatch.Band, *_: Any, **__: Any) -> tuple[Any, int]:
    return np.arange(band.a.shape[1] + 1, band.a.shape[1] + 5), 4


def breaks(*_: Any, **__: Any) -> tuple[Any, int]:
    raise ValueError("no such thing")


@pytest.mark.usefixtures("unproven")
@pytest.mark.parametrize("broken", [nothing, everything, breaks, lambda *_, **__: None])
def test_a_comparison_that_fails_its_own_test_never_answers(broken: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pixelmatch, "differing", broken)
    with pytest.raises(ComparatorBroken, match="can't be compared here"):
        compare_images(page(), page())
    with pytest.raises(ComparatorBroken):
        compare_images(page(), page(BLOCK))


@pytest.mark.usefixtures("unproven")
def test_the_proof_is_given_once(monkeypatch: pytest.MonkeyPatch) -> None:
    given = []
    pair = proof.pair
    monkeypatch.setattr(proof, "pair", lambda: given.append(1) or pair())
    compare_images(page(), page())
    compare_images(page(), page(BLOCK))
    assert given == [1]
