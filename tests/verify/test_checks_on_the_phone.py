"""The checks on the built-in phone: each fault by its own rule, and nothing on clean screens."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pytest_apex.backends.virtual import VirtualBackend, demo_app, read_app
from pytest_apex.gestures.compile import RULES, compile_action
from pytest_apex.hierarchy import hit, query
from pytest_apex.model.action import Swipe, Tap
from pytest_apex.model.geometry import Point
from pytest_apex.model.look import Hit
from pytest_apex.model.node import NodeState
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.model.target import By, Target
from pytest_apex.model.verdict import Finding, Outcome
from pytest_apex.phone.app import load_app
from pytest_apex.phone.parts import AppFile
from pytest_apex.phone.phone import Phone
from pytest_apex.verify.checks import check_defects

SHELF = Path(__file__).with_name("phone_app.yaml")


class Hand:
    """A person at the phone."""

    def __init__(self, app: AppFile, *, fault: str | None = None, platform: str = "android") -> None:
        self.phone = Phone([app], fault=fault, platform=platform, seed=7)
        self.backend = VirtualBackend(self.phone)
        self.backend.launch(app.id)
        self.wait(3)

    def wait(self, seconds: float = 1.5) -> None:
        self.backend.clock.sleep(seconds)

    def look(self) -> Snapshot:
        return self.backend.capture()

    def tap(self, identifier: str) -> None:
        look = self.look()
        node = query.find(look, Target((By("id", identifier),)))[0]
        self.touch(look, node.index)

    def touch(self, look: Snapshot, index: int) -> None:
        place = hit.find_hit(look, look.nodes[index])
        if isinstance(place, Hit):
            self.backend.perform(compile_action(Tap(place.point), RULES[self.phone.platform.name]))
            self.wait()

    def scroll(self, share: float) -> None:
        """Move the content up by a share of the screen's height."""
        width, height = self.look().screen.size.width, self.look().screen.size.height
        start, end = Point(width / 2, height * 0.8), Point(width / 2, height * (0.8 - share))
        self.backend.perform(compile_action(Swipe(start, end), RULES[self.phone.platform.name]))
        self.wait()


def fails(look: Snapshot) -> list[Finding]:
    return [finding for finding in check_defects(look).findings if finding.severity == "fail"]


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize(
    ("fault", "rule", "words"),
    [
        ("text_overlap", "overlap", "'Bought, borrowed and lent'"),
        ("cut_label", "truncated", "'2.4 MB of 15 GB used' is cut at the right"),
        ("off_screen", "off_screen", '"Tidy up"'),
        ("misaligned", "misaligned", '"The kite, 2011" ('),
        ("blank", "blank", "the app shows nothing"),
        ("unresolved_text", "unresolved_text", "'{{user.name}}'"),
    ],
)
@pytest.mark.parametrize("platform", ["android", "ios"])
def test_each_fault_is_found_by_its_own_rule_and_once(
    platform: str, fault: str, rule: str, words: str, dark: bool
) -> None:
    hand = Hand(read_app(SHELF), fault=fault, platform=platform)
    if dark and fault != "blank":
        hand.tap("dark")
    [finding] = fails(hand.look())
    assert finding.rule == rule
    assert finding.kind == f"visual.{rule}"
    assert words in finding.reason


@pytest.mark.parametrize(
    ("platform", "fault"),
    [
        ("android", None),
        ("ios", None),
        ("android", "wrong_color"),
        ("android", "covered_button"),
        ("android", "ticking_clock"),
        ("android", "empty_list"),
    ],
)
def test_screens_without_such_a_fault(platform: str, fault: str | None) -> None:
    hand = Hand(read_app(SHELF), fault=fault, platform=platform)
    assert fails(hand.look()) == []
    for share in (0.03, 0.05, 0.07, 0.11, 0.2, 0.4):
        hand.scroll(share)
        assert fails(hand.look()) == [], share
    hand.scroll(-0.6)
    hand.tap("search")
    assert fails(hand.look()) == []
    hand.backend.type_text("a title that is much longer than the field is wide, so that it scrolls")
    assert fails(hand.look()) == []


def test_a_toast_over_a_label_hides_it_for_a_moment_only() -> None:
    app = load_app(
        """
        {app: com.example.stock, name: Stock, start: home, data: {}, screens: {home: {title: Stock, controls: [
          {role: space, height: 570}, {role: button, id: check, text: Check the stock, on_tap: {toast: All there}}]}}}
        """,
        "stock.yaml",
    )
    hand = Hand(app)
    hand.tap("check")
    look = hand.look()
    [label] = [node for node in look.nodes if node.text == "Check the stock"]
    [toast] = [node for node in look.nodes if node.role == "toast"]
    assert label.bounds.intersect(toast.bounds).height > 10
    assert fails(look) == []


def test_a_dialog_with_the_page_dimmed_below() -> None:
    hand = Hand(read_app(SHELF))
    hand.tap("tidy")
    answer = check_defects(hand.look())
    assert answer.outcome is Outcome.PASS
    assert answer.findings == ()
    assert any("lies under" in item for item in answer.unknown)


def test_what_is_not_seen_is_not_passed() -> None:
    app = read_app(SHELF)
    hand = Hand(app)
    hand.backend.stop(app.id)
    hand.phone.launch(app.id)
    splash = check_defects(hand.look())
    assert splash.outcome is not Outcome.FAIL


@pytest.mark.parametrize("platform", ["android", "ios"])
def test_a_walk_through_the_demo_app_finds_nothing(platform: str) -> None:
    """Signed in, then every control that each new screen offers."""
    hand = Hand(demo_app(), platform=platform)
    for name, text in (("email", "ada@example.com"), ("password", "hunter22")):
        hand.tap(name)
        assert fails(hand.look()) == []
        hand.backend.type_text(text)
    if "back" in hand.phone.platform.keys:
        hand.backend.press("back")
    hand.wait()
    hand.tap("log_in")
    hand.wait(3)
    seen: set[str] = set()
    for _ in range(40):
        look = hand.look()
        bad = fails(look)
        assert bad == [], [node.name for node in look.nodes if node.name]
        # The control that was touched least recently, whatever the screen: a walk that gets everywhere.
        choices = [node for node in look.nodes if node.has(NodeState.CLICKABLE) and node.window.kind != "status_bar"]
        fresh = [node for node in choices if f"{node.identifier}{node.name}" not in seen]
        if not fresh:
            seen.clear()
            fresh = choices
        seen.add(f"{fresh[0].identifier}{fresh[0].name}")
        hand.touch(look, fresh[0].index)


def test_the_label_of_an_icon_is_no_text_that_was_cut() -> None:
    """As WebDriverAgent tells it: a button's title is its label, whether it is drawn or not."""
    hand = Hand(demo_app(), platform="ios")
    for field, text in (("email", "ada@example.com"), ("password", "correct")):
        hand.tap(field)
        hand.backend.type_text(text)
    hand.tap("log_in")
    hand.wait(4)
    look = hand.look()
    tree = look.tree
    titled = tuple(text or label for text, label in zip(tree.texts, tree.labels, strict=True))
    assert titled != tuple(tree.texts)
    assert fails(replace(look, tree=replace(tree, texts=titled))) == []
