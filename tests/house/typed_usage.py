"""What must, and what must not, type-check for those who use the package: `mypy tests/house/typed_usage.py`.

Nothing here is run. A line that has to be an error carries `type: ignore` with the error's code; as unused ignores are
errors too, mypy ends with 0 only if each is one.
"""

from __future__ import annotations

import random

from pytest_apex import ApexError, Category, Device, Locator, Outcome, Snapshot, Step, Verdict, expect
from pytest_apex.gestures.humanize import HumanizeConfig, jitter_duration, jitter_point, swipe_waypoints
from pytest_apex.model.geometry import Point


def acting_returns_steps(device: Device) -> None:
    step: Step = device.tap("Log in", purpose="sign in", expected_outcome="the list opens")
    step = device.long_press("Draft", duration_ms=1200)
    step = device.swipe("up")
    print(step.change, step.effect)
    device.tap("Log in", "sign in")  # type: ignore[call-arg,arg-type]
    device.double_tap("Photo", interval_ms="80")  # type: ignore[arg-type]
    device.tapp("Log in")  # type: ignore[attr-defined]


def the_life_of_an_app(device: Device) -> None:
    step: Step = device.app.install("notes.apk", keep_data=False)
    step = device.app.background(5)
    step = device.apps["com.example.other"].activate()
    step = device.open_url("notes://item/3")
    device.clipboard = device.clipboard.upper()
    device.network = not device.network
    with device.offline(), device.record("sync"):
        print(step.effect, device.shell("ls").exit_code)
    expect(device).to_have_toast("Saved")
    expect.soft(device).not_to_have_toast("Error")
    expect(device).to_be_visible()  # type: ignore[attr-defined]
    device.orientation = "portrait"  # type: ignore[attr-defined]
    device.clipboard = 7  # type: ignore[assignment]
    device.network = "off"  # type: ignore[assignment]
    device.app.background("5")  # type: ignore[arg-type]


def finding_returns_locators(device: Device) -> None:
    field: Locator = device.find(id="email")
    field.fill("ada@example.com", secret=True)
    field.fill(1234)  # type: ignore[arg-type]
    snapshot: Snapshot = device.snapshot()
    snapshot.id = "other"  # type: ignore[misc]


def checks_fit_what_they_are_asked_of(device: Device) -> None:
    expect(device.find("Welcome, Ada")).to_be_visible(timeout=5)
    expect(device.screen).to_have_no_defects()
    expect(device.screen).to_have_no_defects(ignore=[device.find(id="ad"), "misaligned"], rules={"truncated": "warn"})
    expect(device.screen).to_have_no_defects(palette=["#0057B8"], rules=["truncated"])  # type: ignore[arg-type]
    expect(device.find("Save")).to_be_aligned("left", device.find("Cancel"), tolerance=2)
    expect(device.find("Save")).to_be_within(device.screen)
    expect(device.find("Save")).not_to_overlap("Cancel")  # type: ignore[arg-type]
    expect(device.app).to_be_running()
    expect.soft(device.find("Welcome")).not_to_be_visible()
    expect(device.screen).to_match_tree("home", mask=[device.find(id="clock")])
    expect(device.screen).to_match("home", mask=[device.find(id="clock"), (0, 0, 200, 40), "video"], threshold=0.2)
    expect(device.find("Save")).to_match("save", max_diff_ratio=0.001)
    expect(device.screen).to_match("home", max_diff_pixels="3")  # type: ignore[arg-type]
    expect(device.tap("More")).to_change_only("badge", device.find(id="count"))
    expect(device.swipe("up")).to_change_nothing()
    expect(device.state()[7]).to_be_checked()
    expect(device.tap("More")).to_be_visible()  # type: ignore[attr-defined]
    expect(device.tap("More")).to_change_only(7)  # type: ignore[arg-type]
    expect(device.app).to_have_text("Notes")  # type: ignore[attr-defined]
    expect(device.find("Save")).to_be_visible(timeout="5")  # type: ignore[arg-type]
    expect("Save")  # type: ignore[call-overload]


def verdicts_are_values(verdict: Verdict, error: ApexError) -> str:
    if verdict.outcome is Outcome.FAIL and verdict.category is Category.CRASH:
        return verdict.reason
    verdict.kind = "visual.overlap"  # type: ignore[misc]
    return error.seen


def a_hand_takes_its_chance_as_an_argument() -> tuple[Point, int]:
    rng = random.Random(1)
    x, y = jitter_point(3.0, 4.0, radius=HumanizeConfig().radius, rng=rng)
    swipe_waypoints((x, y), Point(5, 6), curvature=0.1, n=8, rng=rng)
    jitter_point(3.0, 4.0, 5.0, rng)  # type: ignore[call-arg]
    return jitter_point(3.0, 4.0, radius=5.0, rng=rng), jitter_duration(500, spread=0.15, rng=rng)
