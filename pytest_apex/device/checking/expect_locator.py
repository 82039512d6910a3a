"""Checks on one control."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pytest_apex.device import arguments
from pytest_apex.device.acting import images
from pytest_apex.device.acting.find import obscured
from pytest_apex.device.acting.values import CHECKABLE_ROLES
from pytest_apex.device.checking import hidden
from pytest_apex.device.checking.approved_picture import ApprovedPicture
from pytest_apex.device.checking.expect_base import Text, part, shown, whole
from pytest_apex.device.checking.expect_frames import FrameChecks
from pytest_apex.device.checking.hidden import Mask
from pytest_apex.device.checking.tolerance import Tolerance
from pytest_apex.device.checking.waiting import Answer
from pytest_apex.hierarchy import hit, query
from pytest_apex.hierarchy.names import shown_text
from pytest_apex.model.look import Hit
from pytest_apex.model.node import Node, NodeState
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.vision import color
from pytest_apex.vision.pixels import covering


class LocatorChecks(FrameChecks):
    """Checks on one control. Each waits up to `timeout` seconds on the device's clock (default: the check time-out),
    and raises `CheckFailed` if it does not hold by then; its `not_…` waits for the opposite."""

    # Presence

    def to_be_visible(self, *, timeout: float | None = None) -> None:
        """Exactly one control fits, and at least a part of it can be seen."""

        def ask(snapshot: Snapshot, node: Node) -> Answer:
            place = hit.find_hit(snapshot, node)
            hidden = not isinstance(place, Hit) and place.why in ("off_screen", "no_area", "hidden")
            return Answer(not hidden, f"{node}: {place}", "functional.not_reachable", cure=getattr(place, "how", ""))

        self._ask_one("to be visible", ask, timeout)

    def to_be_hidden(self, *, timeout: float | None = None) -> None:
        """No control that fits can be seen."""

        def ask(snapshot: Snapshot) -> Answer:
            found = images.seek(snapshot, self._target)
            return Answer(not found, f"still there: {', '.join(map(str, found[:3]))}", "functional.wrong_state")

        self._ask("to be hidden", ask, timeout)

    def not_to_be_visible(self, *, timeout: float | None = None) -> None:
        """The same as `to_be_hidden`."""
        self.to_be_hidden(timeout=timeout)

    def not_to_be_hidden(self, *, timeout: float | None = None) -> None:
        """The same as `to_be_visible`."""
        self.to_be_visible(timeout=timeout)

    def to_have_count(self, count: int, *, timeout: float | None = None) -> None:
        """As many controls fit."""
        arguments.whole(count, "to_have_count()", least=0)
        self._count(f"to fit {count} controls", lambda found: found == count, timeout)

    def not_to_have_count(self, count: int, *, timeout: float | None = None) -> None:
        """More controls fit, or fewer."""
        arguments.whole(count, "not_to_have_count()", least=0)
        self._count(f"not to fit {count} controls", lambda found: found != count, timeout)

    # Text and value

    def to_have_text(self, text: Text, *, timeout: float | None = None) -> None:
        """Its whole text is `text`, case and spaces included; a pattern has to match the whole text."""
        self._text(f"to have the text {shown(text)}", lambda now: whole(text, now), True, timeout)

    def not_to_have_text(self, text: Text, *, timeout: float | None = None) -> None:
        self._text(f"not to have the text {shown(text)}", lambda now: whole(text, now), False, timeout)

    def to_contain_text(self, text: Text, *, timeout: float | None = None) -> None:
        """`text` is a part of its text; a pattern has to match somewhere."""
        self._text(f"to contain the text {shown(text, empty=False)}", lambda now: part(text, now), True, timeout)

    def not_to_contain_text(self, text: Text, *, timeout: float | None = None) -> None:
        self._text(f"not to contain the text {shown(text, empty=False)}", lambda now: part(text, now), False, timeout)

    def to_have_value(self, value: Text, *, timeout: float | None = None) -> None:
        """A field holds `value`; a slider, picker, switch or progress bar stands at it."""
        self._value(f"to have the value {shown(value)}", value, True, timeout)

    def not_to_have_value(self, value: Text, *, timeout: float | None = None) -> None:
        self._value(f"not to have the value {shown(value)}", value, False, timeout)

    # State

    def to_be_enabled(self, *, timeout: float | None = None) -> None:
        """It takes touches and text."""
        self._state("to be enabled", lambda node: node.enabled, True, timeout)

    def not_to_be_enabled(self, *, timeout: float | None = None) -> None:
        self.to_be_disabled(timeout=timeout)

    def to_be_disabled(self, *, timeout: float | None = None) -> None:
        """It is there, and takes no touches."""
        self._state("to be disabled", lambda node: node.enabled, False, timeout)

    def not_to_be_disabled(self, *, timeout: float | None = None) -> None:
        self.to_be_enabled(timeout=timeout)

    def to_be_checked(self, *, timeout: float | None = None) -> None:
        """It is on; a mistake of the test for anything but a switch, check box or radio button."""
        self._state("to be checked", lambda node: node.has(NodeState.CHECKED), True, timeout, checkable=True)

    def not_to_be_checked(self, *, timeout: float | None = None) -> None:
        self._state("not to be checked", lambda node: node.has(NodeState.CHECKED), False, timeout, checkable=True)

    def to_be_focused(self, *, timeout: float | None = None) -> None:
        """It has the focus of keyboard or remote."""
        self._state("to be focused", lambda node: node.has(NodeState.FOCUSED), True, timeout)

    def not_to_be_focused(self, *, timeout: float | None = None) -> None:
        self._state("not to be focused", lambda node: node.has(NodeState.FOCUSED), False, timeout)

    def to_be_tappable(self, *, timeout: float | None = None) -> None:
        """Enabled, and a finger reaches it: visible and not covered."""

        def ask(snapshot: Snapshot, node: Node) -> Answer:
            touchable = query.touchable(node)
            if not touchable.enabled:
                return Answer(False, f"{node} is disabled", "functional.wrong_state")
            place = hit.find_hit(snapshot, touchable)
            if isinstance(place, Hit):
                return Answer(True)
            error = obscured(place, self._target)
            cover = place.by
            return Answer(
                False,
                error.seen,
                "functional.not_reachable",
                error.likely,
                error.cure,
                covered_by=str(cover or ""),
                covered_by_app=cover.window.app if cover is not None else "",
            )

        self._ask_one("to be tappable", ask, timeout)

    def not_to_be_tappable(self, *, timeout: float | None = None) -> None:
        """Disabled, covered or off the screen."""

        def ask(snapshot: Snapshot, node: Node) -> Answer:
            touchable = query.touchable(node)
            reached = touchable.enabled and isinstance(hit.find_hit(snapshot, touchable), Hit)
            return Answer(not reached, f"{node} can be tapped", "functional.wrong_state")

        self._ask_one("not to be tappable", ask, timeout)

    # Picture

    def to_match(
        self, name: str, *, mask: Sequence[Mask] | Mask = (), threshold: float = 0.1,
        max_diff_pixels: int | None = None, max_diff_ratio: float | None = None, max_window_pixels: int | None = None,
        timeout: float | None = None,
    ) -> None:  # fmt: skip
        """It looks like the approved picture `name`, on the settled screen and as far as it is on it; see
        `expect(device.screen).to_match`. Nothing is resized: another size is a difference."""
        tolerance = Tolerance.of(threshold, max_diff_pixels, max_diff_ratio, max_window_pixels)
        masks = hidden.masks(mask)
        self._match(ApprovedPicture(self._ctx, name, masks, tolerance, self._one, str(self._target)), timeout)

    def to_have_color(self, wanted: str, *, tolerance: float = 3.0, timeout: float | None = None) -> None:
        """Its main or its text colour is `wanted` (`#RRGGBB`), within `tolerance` in CIEDE2000."""
        self._color(wanted, tolerance, True, timeout)

    def not_to_have_color(self, unwanted: str, *, tolerance: float = 3.0, timeout: float | None = None) -> None:
        self._color(unwanted, tolerance, False, timeout)

    # How they ask

    def _ask_one(
        self, claim: str, ask: Callable[[Snapshot, Node], Answer], timeout: float | None, *, needs: str = "tree"
    ) -> None:
        """Ask of the one control that fits; another number of them is the answer."""

        def ask_it(snapshot: Snapshot) -> Answer:
            node = self._one(snapshot)
            return node if isinstance(node, Answer) else ask(snapshot, node)

        self._ask(claim, ask_it, timeout, needs=needs)

    def _count(self, claim: str, holds: Callable[[int], bool], timeout: float | None) -> None:
        def ask(snapshot: Snapshot) -> Answer:
            found = len(images.seek(snapshot, self._target))
            return Answer(holds(found), f"{found} controls fit", "functional.wrong_value")

        self._ask(claim, ask, timeout)

    def _text(self, claim: str, fits: Callable[[str], bool], wanted: bool, timeout: float | None) -> None:
        def ask(_snapshot: Snapshot, node: Node) -> Answer:
            texts = [text for text in (node.text, node.label) if text] or [shown_text(node)]
            return Answer(any(map(fits, texts)) == wanted, f"its text is {texts[0]!r}", "functional.wrong_value")

        self._ask_one(claim, ask, timeout)

    def _value(self, claim: str, value: Text, wanted: bool, timeout: float | None) -> None:
        def ask(_snapshot: Snapshot, node: Node) -> Answer:
            now = node.text if node.has(NodeState.EDITABLE) else node.value
            return Answer(whole(value, now) == wanted, f"its value is {now!r}", "functional.wrong_value")

        self._ask_one(claim, ask, timeout)

    def _state(
        self,
        claim: str,
        reads: Callable[[Node], bool],
        wanted: bool,
        timeout: float | None,
        *,
        checkable: bool = False,
    ) -> None:
        def ask(snapshot: Snapshot, node: Node) -> Answer:
            if checkable and not node.has(NodeState.CHECKABLE) and node.role not in CHECKABLE_ROLES:
                return Answer(False, f"{node} is no switch, check box or radio button", "test.config")
            because = query.incomplete_field(snapshot, node) if not node.enabled else None
            likely = f"the form is incomplete: {because}" if because is not None else ""
            return Answer(reads(node) == wanted, f"{node} is not", "functional.wrong_state", likely)

        self._ask_one(claim, ask, timeout)

    def _color(self, wanted: str, tolerance: float, holds: bool, timeout: float | None) -> None:
        arguments.number(tolerance, "tolerance=", least=0.0)
        rgb = color.parse_color(wanted)

        def ask(snapshot: Snapshot, node: Node) -> Answer:
            if snapshot.picture is None:
                return Answer(False, "no picture", "unsure.no_picture")
            box = query.touchable(node).bounds.scaled(snapshot.screen.scale)
            if covering(box, snapshot.picture.size).is_empty:
                return Answer(False, f"{node} has no pixels on the picture", "functional.not_reachable")
            swatch = color.dominant(snapshot.picture, box)
            away = min(color.delta_e2000(rgb, swatch.background), color.delta_e2000(rgb, swatch.foreground))
            seen = f"{color.to_hex(swatch.background)} with {color.to_hex(swatch.foreground)}, {away:.1f} away"
            return Answer((away <= tolerance) == holds, seen, "visual.wrong_color")

        word = "to have" if holds else "not to have"
        self._ask_one(f"{word} the colour {wanted} (tolerance {tolerance:g})", ask, timeout, needs="picture")
