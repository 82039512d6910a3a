"""`to_match`: approved pictures, what is not compared, what differs, and how they are renewed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageChops, ImageDraw

from pytest_apex.device import baselines
from pytest_apex.device.examining.failure import failure_of
from pytest_apex.device.expect import expect
from pytest_apex.errors import CheckFailed, ConfigError
from pytest_apex.evidence.journal import read_journal
from pytest_apex.model.geometry import Rect
from pytest_apex.settings import Keep, Settings
from pytest_apex.testing import virtual_device
from pytest_apex.verify.judge import judge
from pytest_apex.vision import proof
from pytest_apex.vision.image import from_image, read_png

APP = Path(__file__).parent / "picture_app.yaml"
KEY = "android-16.virtual-phone.360x720@1.light.font-1.en-us.portrait"
Paint = Callable[[ImageDraw.ImageDraw, int], None]


@pytest.fixture
def approving(tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """`approving("missing")`: a device that keeps its approved pictures in `tmp_path/approved`."""
    with ExitStack() as stack:

        def make(update: str = "none", options: str = "", redact: tuple[str, ...] = ()) -> Any:
            keep = Keep(baselines=str(tmp_path / "approved"), update_baselines=update, redact=redact)
            spec = f"virtual:{APP}?{options}".rstrip("?")
            settings = Settings(keep=keep)
            return stack.enter_context(virtual_device(tmp_path, spec, app="com.example.pictures", settings=settings))

        yield make


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "approved" / f"home.{KEY}.png"


@pytest.fixture
def approved(approving: Callable[..., Any]) -> None:
    expect(approving("missing").screen).to_match("home")


def painted(device: Any, paint: Paint) -> None:
    """From now on each picture is painted over; `paint` is told how many there were before."""
    capture = device.context.backend.capture
    count = iter(range(10_000))

    def painting() -> Any:
        look = capture()
        image = look.picture.pixels().copy()
        paint(ImageDraw.Draw(image), next(count))
        return replace(look, picture=from_image(image))

    device.context.backend.capture = painting


def spot(box: tuple[int, int, int, int], color: Any = "red") -> Paint:
    return lambda draw, _: draw.rectangle((box[0], box[1], box[2] - 1, box[3] - 1), fill=color)


def failed(device: Any, name: str = "home", **options: Any) -> CheckFailed:
    with pytest.raises(CheckFailed) as caught:
        expect(device.screen).to_match(name, **{"timeout": 0.5, **options})
    return caught.value


def verdict_of(device: Any, error: CheckFailed) -> Any:
    return judge(device.examine(failure_of(error), error))


def kept(device: Any) -> dict[str, Any]:
    """The pictures that were attached, by their kind."""
    attached = device.context.recorder._attached
    return {artifact.kind: artifact for artifact in attached if artifact.media_type == "image/png"}


def opened(path: Path) -> Image.Image:
    return read_png(path).pixels()


# Written, matched, missing


def test_written_when_missing_in_the_devices_own_bytes_and_matched_from_then_on(
    approving: Callable[..., Any], file: Path
) -> None:
    device = approving("missing")
    expect(device.screen).to_match("home")
    assert file.read_bytes() == device.screenshot().png()
    assert any('approved picture "home" was written' in note for note in device.context.notes)
    strict = approving()
    expect(strict.screen).to_match("home")
    assert not strict.context.notes
    assert not kept(strict)


@pytest.mark.usefixtures("approved")
def test_another_encoding_of_the_same_pixels_matches(approving: Callable[..., Any], file: Path) -> None:
    before = file.read_bytes()
    opened(file).save(file, compress_level=9)
    assert file.read_bytes() != before
    expect(approving().screen).to_match("home")


def test_a_missing_one_is_unsure_at_once_and_leaves_a_candidate(
    approving: Callable[..., Any], file: Path, tmp_path: Path
) -> None:
    device = approving()
    before = device.context.backend.clock.now()
    error = failed(device, timeout=None)
    assert device.context.backend.clock.now() - before < 3
    verdict = verdict_of(device, error)
    assert (verdict.category, verdict.kind) == (None, "unsure.no_baseline")
    assert not file.parent.exists()
    assert (tmp_path / error.look_at).read_bytes() == device.screenshot().png()
    assert "--apex-update-baselines missing" in error.cure


@pytest.mark.usefixtures("approved")
@pytest.mark.parametrize(
    ("facts", "key"),
    [
        ({"dark": True}, KEY.replace("light", "dark")),
        ({"font_scale": 1.3}, KEY.replace("font-1", "font-1.3")),
        ({"locale": "nb-NO"}, KEY.replace("en-us", "nb-no")),
        ({"density": 2.75}, KEY.replace("@1", "@2.75")),
    ],
)
def test_unlike_devices_are_never_compared(
    approving: Callable[..., Any], file: Path, facts: dict[str, Any], key: str
) -> None:
    device = approving()
    capture = device.context.backend.capture

    def otherwise() -> Any:
        look = capture()
        return replace(look, screen=replace(look.screen, **facts))

    device.context.backend.capture = otherwise
    error = failed(device)
    assert error.failure.kind == "unsure.no_baseline"
    assert f"home.{key}.png" in error.seen
    assert failed(approving(options="platform=ios")).failure.kind == "unsure.no_baseline"


# What differs


@pytest.mark.usefixtures("approved")
def test_a_difference_with_its_measure_its_place_and_three_pictures(
    approving: Callable[..., Any], file: Path, tmp_path: Path
) -> None:
    device = approving()
    device.tap(device.find(id="more"))
    error = failed(device, timeout=1.0)
    first, second, third = error.seen.splitlines()
    assert first.startswith(f"{file.name}: ")
    assert " pixels differ (0.0" in first
    assert first.endswith(", at most 0 may")
    assert second.startswith("largest cluster ")
    assert third.startswith("at [")
    assert '"2" (text at ' in third
    assert "mask=" in error.cure
    assert error.failure.kind == "visual.baseline"
    (finding,) = error.failure.findings
    assert '"2" (text at ' in finding.nodes[0]
    verdict = verdict_of(device, error)
    assert (str(verdict.category), verdict.kind) == ("visual", "visual.baseline")
    assert '"2" (text at ' in verdict.reason
    shown = kept(device)
    assert set(shown) == {"approved", "actual", "difference"}
    assert (tmp_path / shown["approved"].path).read_bytes() == file.read_bytes()
    assert error.look_at == str(tmp_path / shown["difference"].path)
    colors = {color for _, color in opened(tmp_path / error.look_at).getcolors(100_000)}
    assert (230, 0, 60) in colors


@pytest.mark.usefixtures("approved")
def test_another_screen_altogether_is_said_to_be_one(approving: Callable[..., Any]) -> None:
    device = approving()
    device.tap(device.find(id="about"))
    error = failed(device)
    assert "another screen altogether" in error.likely
    device.press("back")
    expect(device.screen).to_match("home")


@pytest.mark.usefixtures("approved")
def test_what_never_rests_is_said_to_be_what_to_mask(approving: Callable[..., Any]) -> None:
    device = approving()
    painted(device, lambda draw, n: draw.rectangle((100, 500, 140, 540), fill=(40 * (n % 6), 80, 160)))
    error = failed(device, timeout=6.0)
    assert error.likely.startswith("it changes by itself at [100,500][141,541]: mask it")
    expect(device.screen).to_match("home", mask=(100, 500, 141, 541))


@pytest.mark.usefixtures("approved")
def test_it_waits_for_the_screen_that_is_meant(approving: Callable[..., Any]) -> None:
    device = approving()
    painted(device, lambda draw, n: draw.rectangle((50, 300, 90, 340), fill="red") if n < 12 else None)
    expect(device.screen).to_match("home")


@pytest.mark.usefixtures("approved")
@pytest.mark.parametrize(("spoiled", "holds"), [({0, 1}, True), (set(range(10_000)), False)])
def test_a_difference_has_to_survive_a_second_capture(
    approving: Callable[..., Any], spoiled: set[int], holds: bool
) -> None:
    device = approving()
    painted(device, lambda draw, n: draw.rectangle((50, 300, 90, 340), fill="red") if n in spoiled else None)
    if not holds:
        assert failed(device, timeout=0.001).failure.kind == "visual.baseline"
        return
    expect(device.screen).to_match("home", timeout=0.001)
    assert any("only at a second look" in note for note in device.context.notes)


@pytest.mark.usefixtures("approved")
def test_one_measure_decides_and_it_is_the_one_that_is_printed(approving: Callable[..., Any]) -> None:
    device = approving()
    painted(device, spot((100, 500, 160, 560)))
    compared = 360 * (720 - 48)
    assert f"3,600 of {compared:,} pixels differ (1.4881%), at most 0 may" in failed(device).seen
    seen = failed(device, max_diff_ratio=0.01, max_window_pixels=1024).seen
    assert "(1.4881%), at most 1.0000% may: 2,419 pixels (max_diff_ratio)" in seen
    expect(device.screen).to_match("home", max_diff_ratio=0.015, max_window_pixels=1024)
    seen = failed(device, max_diff_ratio=0.015).seen
    assert "1,024 pixels differ in one window of 32×32, at most 128 may (the usual limit" in seen
    expect(device.screen).to_match("home", max_diff_pixels=3600, max_window_pixels=1024)
    assert (
        "at most 3,599 may (max_diff_pixels)"
        in failed(device, max_diff_pixels=3599, max_diff_ratio=0.9, max_window_pixels=1024).seen
    )


@pytest.mark.usefixtures("approved")
def test_a_lighter_word_is_found_however_large_the_picture(approving: Callable[..., Any]) -> None:
    device = approving()
    box = device.find(id="more").box

    def lighten(draw: ImageDraw.ImageDraw, _: int) -> None:
        image = draw._image
        part = image.crop((int(box.left), int(box.top), int(box.right), int(box.bottom)))
        image.paste(
            ImageChops.lighter(part, Image.new("RGB", part.size, (150, 190, 240))), (int(box.left), int(box.top))
        )

    painted(device, lighten)
    assert "'More'" in failed(device, max_diff_ratio=0.2).seen or '"More"' in failed(device, max_diff_ratio=0.2).seen


@pytest.mark.usefixtures("approved")
def test_another_shade_within_the_threshold_is_told(approving: Callable[..., Any]) -> None:
    device = approving()
    box = device.find(id="more").box
    ground = device.screenshot().pixels().getpixel((int(box.left) + 12, int(box.center.y)))
    other = tuple(level - 12 if level > 12 else level + 12 for level in ground)
    painted(device, spot((int(box.left) + 10, int(box.top) + 10, int(box.left) + 24, int(box.top) + 24), other))
    expect(device.screen).to_match("home")
    (note,) = device.context.notes
    assert note.startswith('"home" has another shade than approved, within threshold=0.1, at [')
    assert '"More"' in note
    failed(device, threshold=0.02)


# What is not compared


@pytest.mark.usefixtures("approved")
@pytest.mark.parametrize(
    "mask",
    [
        lambda device: device.find(id="badge"),
        lambda device: [device.find(id="badge")],
        lambda device: Rect(0, 60, 360, 120),
        lambda device: (0, 60, 360, 120),
        lambda device: "text",
        lambda device: ["image", "TextView"],
    ],
)
def test_masks(approving: Callable[..., Any], mask: Callable[[Any], Any]) -> None:
    device = approving()
    device.tap(device.find(id="more"))
    expect(device.screen).to_match("home", mask=mask(device))
    failed(device, mask=[(0, 0, 3, 3)])


@pytest.mark.usefixtures("approved")
def test_masks_are_on_record_and_an_empty_one_is_told(approving: Callable[..., Any]) -> None:
    device = approving()
    expect(device.screen).to_match("home", mask=[device.find(id="gone"), device.find(id="badge"), "video"])
    told = [note for note in device.context.notes if "hides nothing" in note]
    assert len(told) == 2
    assert "gone" in told[0]
    assert "'video'" in told[1]
    journal = read_journal(device.context.recorder._folder / "steps.jsonl")
    event = [line for line in journal if line["event"] == "baseline"][-1]
    assert any("badge" in line and "][" in line for line in event["hidden"])
    assert any(line.startswith("system bars [0,0]") for line in event["hidden"])


@pytest.mark.usefixtures("approved")
def test_masks_over_half_of_the_screen_are_an_error(approving: Callable[..., Any]) -> None:
    device = approving()
    expect(device.screen).to_match("home", mask=(0, 0, 360, 350))
    with pytest.raises(ConfigError, match=r"hide \d\d% of the screen"):
        expect(device.screen).to_match("home", mask=[(0, 0, 360, 350), (0, 300, 360, 500)])
    with pytest.raises(ConfigError, match="of id='more'"):
        expect(device.find(id="more")).to_match("more", mask=[(0, 0, 360, 720)])


@pytest.mark.usefixtures("approved")
def test_the_systems_bars_do_not_count_and_the_page_right_below_does(approving: Callable[..., Any]) -> None:
    device = approving()
    top = int(device.screen.facts.insets.top)
    painted(device, lambda draw, _: (spot((0, 0, 360, top))(draw, 0), spot((0, 700, 360, 720))(draw, 0)))
    expect(device.screen).to_match("home")
    painted(device, spot((0, top, 360, top + 4)))
    failed(device)


def test_what_the_manual_declares_as_living_does_not_count(approving: Callable[..., Any]) -> None:
    expect(approving("missing").screen).to_match("home")
    device = approving()
    painted(device, spot((100, 500, 160, 560)))
    device.context.live_regions = lambda look: [Rect(100, 500, 160, 560)]
    expect(device.screen).to_match("home")


def test_a_blinking_caret_is_excused_and_nothing_else_in_the_field(approving: Callable[..., Any]) -> None:
    device = approving("missing")
    device.find(id="name").tap()
    expect(device.screen).to_match("focused")
    for _ in range(4):
        device.wait(0.5)
        expect(device.screen).to_match("focused")
    assert not kept(device)
    field = device.find(id="name").box
    left, middle = int(field.left) + 80, int(field.center.y)
    painted(device, spot((left, middle - 6, left + 12, middle + 6), "black"))
    failed(device, "focused")


# One control


def test_one_control_whatever_is_around_it(approving: Callable[..., Any], tmp_path: Path) -> None:
    expect(approving("missing").find(id="shade")).to_match("shade button")
    (stored,) = (tmp_path / "approved").iterdir()
    assert stored.name == f"shade button.{KEY}.png"
    device = approving()
    box = device.find(id="shade").box
    assert opened(stored).size == (box.width, box.height)
    device.tap(device.find(id="more"))
    expect(device.find(id="shade")).to_match("shade button")
    painted(device, spot((int(box.left) + 30, int(box.top) + 10, int(box.left) + 50, int(box.top) + 20)))
    with pytest.raises(CheckFailed) as caught:
        expect(device.find(id="shade")).to_match("shade button", timeout=0.5)
    assert caught.value.failure.kind == "visual.baseline"
    assert caught.value.failure.target == "id='shade'"
    expect(device.find(id="shade")).to_match(
        "shade button", mask=(box.left + 30, box.top + 10, box.left + 50, box.top + 20)
    )


def test_places_are_in_units_of_the_tree_where_pixels_are_smaller(
    approving: Callable[..., Any], tmp_path: Path
) -> None:
    first = approving("missing", "platform=ios")
    expect(first.screen).to_match("home")
    expect(first.find(id="shade")).to_match("shade button")
    device = approving(options="platform=ios")
    scale = device.screen.facts.scale
    assert scale == 2.0
    box = device.find(id="shade").box
    (stored,) = (tmp_path / "approved").glob("shade button.ios-*.png")
    assert opened(stored).size == (box.width * scale, box.height * scale)
    left, top = int(box.left + 20), int(box.top + 10)
    painted(device, spot((2 * left, 2 * top, 2 * left + 20, 2 * top + 20)))
    error = failed(device)
    assert f"at [{left},{top}][{left + 10},{top + 10}]: " in error.seen
    assert error.failure.findings[0].box == Rect(left, top, left + 10, top + 10)
    expect(device.screen).to_match("home", mask=(left, top, left + 10, top + 10))
    expect(device.find(id="shade")).to_match("shade button", mask=(left, top, left + 10, top + 10))
    with pytest.raises(CheckFailed) as caught:
        expect(device.find(id="shade")).to_match("shade button", timeout=0.5)
    assert f"at [{left},{top}][{left + 10},{top + 10}]: " in caught.value.seen


def test_a_control_of_another_size_differs_and_both_sizes_are_named(approving: Callable[..., Any]) -> None:
    device = approving("missing")
    expect(device.find(id="badge")).to_match("it")
    expect_other = approving()
    with pytest.raises(CheckFailed) as caught:
        expect(expect_other.find(id="shade")).to_match("it", timeout=0.5)
    error = caught.value
    badge, shade = device.find(id="badge").box, device.find(id="shade").box
    assert f"{badge.size}" in error.seen
    assert f"{shade.size}" in error.seen
    assert error.failure.kind == "visual.baseline"
    assert set(kept(expect_other)) == {"approved", "actual"}


def test_a_control_that_is_not_there_is_missing(approving: Callable[..., Any]) -> None:
    device = approving("missing")
    with pytest.raises(CheckFailed) as caught:
        expect(device.find(id="nowhere")).to_match("nothing", timeout=0.2)
    assert caught.value.failure.kind == "functional.missing_element"


# What can't be compared


@pytest.mark.usefixtures("approved")
def test_a_screen_of_another_size_is_an_error_that_names_both(approving: Callable[..., Any], file: Path) -> None:
    opened(file).crop((0, 0, 360, 700)).save(file)
    device = approving()
    before = device.context.backend.clock.now()
    error = failed(device, timeout=None)
    assert device.context.backend.clock.now() - before < 3
    assert "360×700" in error.seen
    assert "360×720" in error.seen
    assert verdict_of(device, error).kind == "test.config"


@pytest.mark.parametrize("update", ["none", "missing", "all"])
def test_a_black_picture_never_matches_and_is_never_approved(
    approving: Callable[..., Any], file: Path, update: str
) -> None:
    if update == "none":
        file.parent.mkdir()
        Image.new("RGB", (360, 720)).save(file)
    device = approving(update)
    painted(device, spot((0, 0, 360, 720), "black"))
    error = failed(device)
    verdict = verdict_of(device, error)
    assert (str(verdict.outcome), verdict.kind) == ("unsure", "transient.harness.secure_image")
    assert file.exists() == (update == "none")
    assert not kept(device)


@pytest.mark.usefixtures("approved")
def test_a_comparator_that_fails_its_own_test_is_no_pass(
    approving: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proof, "_fault", lambda _count: "counted nothing")
    device = approving()
    painted(device, spot((1, 100, 2, 101)))
    error = failed(device)
    assert "counted nothing" in error.seen
    assert verdict_of(device, error).kind == "unsure.no_comparator"


def half() -> bytes:
    whole = from_image(Image.effect_noise((360, 720), 90)).png()
    return whole[: len(whole) // 2]


def with_another_byte() -> bytes:
    whole = bytearray(from_image(Image.effect_noise((360, 720), 90)).png())
    whole[len(whole) // 2] ^= 0xFF
    return bytes(whole)


@pytest.mark.parametrize("content", [b"", b"no picture", b"\x89PNG\r\n\x1a\n" + bytes(60), half(), with_another_byte()])
def test_a_damaged_file_is_named_and_may_be_renewed(approving: Callable[..., Any], file: Path, content: bytes) -> None:
    file.parent.mkdir()
    file.write_bytes(content)
    with pytest.raises(ConfigError, match=r"home\.android"):
        expect(approving().screen).to_match("home")
    device = approving("all")
    expect(device.screen).to_match("home")
    assert read_png(file).size == device.screenshot().size


# Renewing


@pytest.mark.usefixtures("approved")
def test_renewed_only_where_it_would_fail_and_with_what_changed(approving: Callable[..., Any], file: Path) -> None:
    opened(file).save(file, compress_level=9)
    before = file.read_bytes()
    device = approving("all")
    expect(device.screen).to_match("home")
    assert file.read_bytes() == before
    assert not device.context.notes
    device.tap(device.find(id="more"))
    expect(device.screen).to_match("home")
    assert file.read_bytes() == device.screenshot().png()
    (note,) = device.context.notes
    assert 'approved picture "home" was renewed' in note
    assert '"2" (text at ' in note
    assert set(kept(device)) == {"approved", "actual", "difference"}
    missing = approving("missing")
    failed(missing)


def test_the_first_of_two_writers_wins_and_the_other_is_compared_with_it(
    approving: Callable[..., Any], file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = approving("missing")
    device = approving("missing")
    device.tap(device.find(id="more"))
    put = baselines.write_bytes

    def late(path: Path, data: bytes, *, new: bool = False) -> bool:
        monkeypatch.setattr(baselines, "write_bytes", put)
        expect(other.screen).to_match("home")
        return put(path, data, new=new)

    monkeypatch.setattr(baselines, "write_bytes", late)
    assert failed(device).failure.kind == "visual.baseline"
    assert file.read_bytes() == other.screenshot().png()
    assert [path.name for path in file.parent.iterdir()] == [file.name]


# Secrets


def test_a_control_that_is_all_secret_can_not_be_compared(approving: Callable[..., Any], tmp_path: Path) -> None:
    device = approving("missing", redact=("73519",))
    device.tap(device.find(id="about"))
    with pytest.raises(ConfigError, match="nothing of id='secret' is compared"):
        expect(device.find(id="secret")).to_match("secret")
    assert not (tmp_path / "approved").exists()


def test_no_secret_pixel_is_written(approving: Callable[..., Any], tmp_path: Path, file: Path) -> None:
    about = file.with_name(file.name.replace("home.", "about."))
    device = approving("missing", redact=("73519",))
    device.tap(device.find(id="about"))
    expect(device.screen).to_match("about")
    box = device.find(id="secret").box
    inside = (int(box.left), int(box.top), int(box.right), int(box.bottom))
    assert opened(about).crop(inside).getcolors() == [((inside[2] - inside[0]) * (inside[3] - inside[1]), (0, 0, 0))]
    expect(device.screen).to_match("about")
    again = approving(redact=("73519",))
    again.tap(again.find(id="about"))
    painted(again, spot((10, 400, 50, 440)))
    failed(again, "about")
    for artifact in kept(again).values():
        colors = opened(tmp_path / artifact.path).convert("L").crop(inside).getcolors()
        assert len(colors) == 1, artifact.caption


# Arguments


@pytest.mark.parametrize(
    "options",
    [
        {"mask": 7},
        {"mask": [None]},
        {"mask": (0, 0, 10)},
        {"mask": (10, 10, 5, 20)},
        {"mask": (0, 0, float("nan"), 5)},
        {"mask": ""},
        {"threshold": 2},
        {"threshold": "0.1"},
        {"max_diff_pixels": -1},
        {"max_diff_pixels": 1.5},
        {"max_diff_ratio": 1.1},
        {"max_window_pixels": True},
        {"timeout": 0},
    ],
)
def test_wrong_arguments_are_mistakes_of_the_test(approving: Callable[..., Any], options: dict[str, Any]) -> None:
    with pytest.raises(ConfigError):
        expect(approving("missing").screen).to_match("home", **options)


def test_a_name_that_no_file_system_takes(approving: Callable[..., Any]) -> None:
    with pytest.raises(ConfigError, match="too long for a file") as error:
        expect(approving("missing").screen).to_match("folder/" + "x" * 300)
    assert error.value.cure == "give it a shorter name"


@pytest.mark.parametrize("name", ["", "../home", "a/../b", 7, "home\n"])
def test_names_that_are_none(approving: Callable[..., Any], name: Any) -> None:
    with pytest.raises(ConfigError, match="what is approved has a name"):
        expect(approving("missing").screen).to_match(name)
