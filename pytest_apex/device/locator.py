"""A control that a test means: lazy, strict, looked for anew at each use."""

from __future__ import annotations

import os
from collections.abc import Callable

from pytest_apex.device import arguments
from pytest_apex.device.acting import (
    act,
    find,
    guarding,
    images,
    scrolling,
    second,
    selecting,
    touching,
    values,
    writing,
)
from pytest_apex.device.acting.act import Words
from pytest_apex.device.context import Context
from pytest_apex.device.sealed import Sealed
from pytest_apex.device.targets import Name, make_target
from pytest_apex.errors import ActionRefused, ConfigError, NoEffect, TargetNotFound, TargetOffScreen
from pytest_apex.gestures.aim import need_direction, pinch_in, swipe_in, twist_in
from pytest_apex.gestures.rules import rules_for
from pytest_apex.hierarchy import hit
from pytest_apex.hierarchy.names import shown_text
from pytest_apex.model.action import (
    DOUBLE_TAP_MS,
    LONG_PRESS_MS,
    SWIPE_MS,
    DoubleTap,
    Drag,
    LongPress,
    Pointer,
    Tap,
)
from pytest_apex.model.geometry import Rect
from pytest_apex.model.look import Hit
from pytest_apex.model.node import Node, NodeState
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.model.step import Step
from pytest_apex.model.target import Target


class Locator(Sealed):
    """What `device.find(…)` returns. Touches nothing until one of its verbs is called; page objects may keep it.

    Verbs that act wait until exactly one control fits, is at rest, enabled and uncovered (at most the check time-out,
    longer while something loads), and return the `Step`. They raise a `TargetProblem` that names what was there
    instead, `ActionRefused`, `CapabilityMissing`, or a `DeviceProblem`. `purpose` and `expected_outcome` are words for
    the report; nothing checks them.
    """

    def __init__(self, context: Context, target: Target) -> None:
        self._ctx = context
        self._target = target

    def __repr__(self) -> str:
        return f"<Locator {self._target}>"

    def __bool__(self) -> bool:
        """Refused: a locator has not looked yet, so it would always be true."""
        raise ConfigError(
            f"a locator is neither true nor false: {self._target}",
            likely="it was used in a condition or an assert",
            cure="expect(…).to_be_visible() waits; .is_visible() tells how it is now",
        )

    @property
    def target(self) -> Target:
        """What is looked for."""
        return self._target

    # Narrowing

    def find(
        self, text: Name | None = None, *, id: Name | None = None, label: Name | None = None, role: str | None = None,
        xpath: str | None = None, image: str | os.PathLike[str] | None = None, nth: int | None = None,
        exact: bool = True,
    ) -> Locator:  # fmt: skip
        """A control inside this one."""
        inner = make_target(
            text, id=id, label=label, role=role, xpath=xpath, image=image, within=self._target, nth=nth, exact=exact,
            names=self._ctx.known,
        )  # fmt: skip
        return Locator(self._ctx, inner)

    @property
    def first(self) -> Locator:
        """The first one that fits, in the order of the tree."""
        return self.nth(0)

    @property
    def last(self) -> Locator:
        """The last one that fits, in the order of the tree."""
        return self.nth(-1)

    def nth(self, number: int) -> Locator:
        """The one with this number, from 0; -1 is the last."""
        return Locator(self._ctx, self._target.pick(arguments.whole(number, "nth()")))

    def all(self) -> list[Locator]:
        """One locator for each control that fits now."""
        return [self.nth(number) for number in range(self.count())]

    # Reading

    def _now(self) -> Snapshot:
        self._ctx.read_since_act = True
        return self._ctx.eyes.look()

    def _node(self) -> Node:
        return find.find_one(self._now(), self._target)

    def count(self) -> int:
        """How many controls fit now."""
        return len(images.seek(self._now(), self._target))

    @property
    def text(self) -> str:
        """What a person reads on it now, texts inside included; `TargetNotFound` when it isn't there."""
        return shown_text(self._node())

    @property
    def value(self) -> str:
        """What a field, slider or switch holds now."""
        node = self._node()
        return node.text if node.has(NodeState.EDITABLE) else node.value

    @property
    def box(self) -> Rect:
        """Where it is now, in units of the tree."""
        return self._node().bounds

    def is_visible(self) -> bool:
        """Whether at least a part of it can be seen now. Does not wait: to wait, use `expect(…).to_be_visible()`."""
        snapshot = self._now()
        return any(node.visible for node in images.seek(snapshot, self._target))

    # Acting

    def _touch(
        self, verb: str, named: str, make: Callable[[Hit], Pointer], words: Words, *, repeat: bool = True,
        enabled: bool = True, end_area: Rect | None = None,
    ) -> Step:  # fmt: skip
        return touching.touch(
            self._ctx, self._target, make, verb=verb, named=named, words=words, repeat=repeat, enabled=enabled,
            end_area=end_area,
        )  # fmt: skip

    def tap(self, *, hold_ms: int = 0, repeat: bool = True, purpose: str = "", expected_outcome: str = "") -> Step:
        """Touch it once: buttons, links, rows, fields. `repeat=False` forbids the one second touch after a touch
        without any effect. On tvOS the remote brings the focus there and selects it."""
        arguments.milliseconds(hold_ms, "hold_ms")
        arguments.flag(repeat, "repeat=")
        words = Words(purpose, expected_outcome)
        if selecting.by_remote(self._ctx) and not hold_ms:
            return selecting.select(self._ctx, self._target, words=words, repeat=repeat)
        return self._touch("tap", f"tap {self._target}", lambda at: Tap(at.point, hold_ms), words, repeat=repeat)

    def double_tap(self, *, interval_ms: int = DOUBLE_TAP_MS, purpose: str = "", expected_outcome: str = "") -> Step:
        """Touch it twice: zooms into a picture or map, selects a word. `interval_ms` is the pause, from the first touch
        up to the second touch down."""
        arguments.milliseconds(interval_ms, "interval_ms")
        words = Words(purpose, expected_outcome)
        return self._touch(
            "double_tap", f"double tap {self._target}", lambda at: DoubleTap(at.point, interval_ms), words
        )

    def long_press(self, *, duration_ms: int = LONG_PRESS_MS, purpose: str = "", expected_outcome: str = "") -> Step:
        """Press and hold it: brings up a context menu, selects a row. To move it then, `drag_to`: it holds first, too,
        as a drag that begins without a long press only scrolls."""
        arguments.milliseconds(duration_ms, "duration_ms")
        words = Words(purpose, expected_outcome)
        return self._touch(
            "long_press", f"long press {self._target}", lambda at: LongPress(at.point, duration_ms), words
        )

    def swipe(
        self, direction: str, *, duration_ms: int = SWIPE_MS, purpose: str = "", expected_outcome: str = ""
    ) -> Step:
        """Swipe over it: turns a page, uncovers what a row hides, closes a sheet. `direction` is where the finger
        moves."""
        arguments.milliseconds(duration_ms, "duration_ms", least=1)
        need_direction("swipe", direction)
        words = Words(purpose, expected_outcome)
        return self._touch(
            "swipe",
            f"swipe {direction} on {self._target}",
            lambda at: swipe_in(at.area, direction, duration_ms),
            words,
            enabled=False,
        )

    def pinch(self, *, scale: float, purpose: str = "", expected_outcome: str = "") -> Step:
        """Two fingers on it, as for zoom: apart for a `scale` over 1, together for one under 1."""
        arguments.number(scale, "scale")
        words = Words(purpose, expected_outcome)
        return self._touch(
            "pinch",
            f"pinch {self._target} by {scale:g}",
            lambda at: pinch_in(at.area, scale, rules_for(self._ctx.info)),
            words,
            enabled=False,
        )

    def twist(self, *, degrees: float, purpose: str = "", expected_outcome: str = "") -> Step:
        """Two fingers turn on it, as for a map; clockwise is positive."""
        arguments.number(degrees, "degrees")
        words = Words(purpose, expected_outcome)
        return self._touch(
            "twist",
            f"twist {self._target} by {degrees:g}°",
            lambda at: twist_in(at.area, degrees, rules_for(self._ctx.info)),
            words,
            enabled=False,
        )

    def drag_to(self, to: Locator, *, purpose: str = "", expected_outcome: str = "") -> Step:
        """Press it, hold, move to another control, release: reorders rows, drops a thing into another."""
        if not isinstance(to, Locator):
            raise ConfigError("drag_to() takes a locator", seen=repr(to)[:120], cure="drag_to(device.find(…))")
        end = touching.wait_ready(self._ctx, to._target, enabled=False).hit
        words = Words(purpose, expected_outcome)
        return self._touch(
            "drag",
            f"drag {self._target} to {to._target}",
            lambda at: Drag(at.point, end.point),
            words,
            end_area=end.area,
        )

    def fill(self, text: str, *, secret: bool = False, purpose: str = "", expected_outcome: str = "") -> Step:
        """Empty the field, type `text` into it and read back what arrived. A `secret` text is masked wherever it would
        be written. `TextLost` when characters got lost on the way; what the app makes of them on purpose is noted."""
        writing.keep_secret(self._ctx, text, secret=secret)
        writing.check_typable(text, "fill()")
        arguments.flag(secret, "secret=")
        return self._fill(text, secret=secret, words=Words(purpose, expected_outcome))

    def _fill(self, text: str, *, secret: bool, words: Words, note: str = "") -> Step:
        guarding.of_text(self._ctx, text, f"fill {self._target}", words.purpose)
        self._focus(text)
        if self._filled():
            self.clear()
        return writing.type_text(self._ctx, text, secret=secret, target=self._target, words=words, note=note)

    def clear(self, *, purpose: str = "", expected_outcome: str = "") -> Step:
        """Empty the field."""
        self._focus()
        return writing.clear(self._ctx, self._target, Words(purpose, expected_outcome))

    def _focus(self, text: str = "") -> None:
        """Give the field the focus, by a touch where it has not got it; nothing but a text field is touched. `text` is
        what will be typed: a secret from now on if the field is one for passwords."""
        node = touching.wait_ready(self._ctx, self._target).hit.node
        writing.keep_secret(self._ctx, text, secret=node.has(NodeState.PASSWORD))
        if not node.has(NodeState.EDITABLE):
            raise ActionRefused(
                f"{self._target} takes no text",
                seen=str(node),
                likely="it is no text field",
                cure='aim at the field itself: find(role="text_field", …) or its id',
            )
        if node.has(NodeState.FOCUSED):
            return
        self.tap(purpose="focus the field")
        if self._focused() or (second.touch_again(self._ctx) and self._focused()):
            return
        error = NoEffect(
            f"{self._target} did not take the focus when it was touched",
            seen=str(node),
            likely="the app ignores touches there",
            cure="look at the picture after the touch",
        )
        error.target = self._target
        raise error

    def _focused(self) -> bool:
        snapshot = self._ctx.settled or self._ctx.eyes.look()
        return any(
            node.has(NodeState.FOCUSED)
            for found in images.seek(snapshot, self._target)
            for node in writing.with_inside(found)
        )

    def _filled(self) -> bool:
        node = find.find_one(self._ctx.settled or self._ctx.eyes.look(), self._target)
        return bool(node.text)

    def check(self, *, purpose: str = "", expected_outcome: str = "") -> Step | None:
        """Make sure that a switch, check box or radio button is on; touches nothing (returns None) if it is. A label
        stands for the one in its row or on its line; two are an error."""
        return values.set_checked(self._ctx, self._target, True, Words(purpose, expected_outcome))

    def uncheck(self, *, purpose: str = "", expected_outcome: str = "") -> Step | None:
        """Make sure that a switch or check box is off; a label stands for the one in its row or on its line."""
        return values.set_checked(self._ctx, self._target, False, Words(purpose, expected_outcome))

    def set_value(self, value: str, *, purpose: str = "", expected_outcome: str = "") -> Step:
        """Fill the text field that it is, or that is in its row. `CapabilityMissing` for a slider or picker, which no
        backend can set to a value."""
        writing.check_typable(value, "set_value()")
        field = values.field_of(self._ctx, self._target)
        locator = Locator(self._ctx, field.target)
        return locator._fill(value, secret=False, words=Words(purpose, expected_outcome), note=field.note)

    def do(self, action: str, *, purpose: str = "", expected_outcome: str = "") -> Step:
        """Do a secondary action that it offers, by its name: what a screen reader has in its menu (Archive, Delete …),
        often the only other way to what a swipe or a long press does. `device.state()` lists them; `ActionRefused` with
        the list for one that it does not offer."""
        return values.do_action(self._ctx, self._target, action, Words(purpose, expected_outcome))

    def scroll_into_view(self, *, max_swipes: int = 20) -> None:
        """Scroll what scrolls until a finger reaches it; `TargetNotFound` or `TargetOffScreen` when nothing moves
        any more, or after `max_swipes`. Waits for what the app still has to fill in, as finding does."""
        patience = scrolling.Patience(self._ctx)
        for _ in range(arguments.whole(max_swipes, "max_swipes", least=0)):
            snapshot = act.settle_before(self._ctx).snapshot
            found = images.seek(snapshot, self._target)
            if found and isinstance(hit.find_hit(snapshot, found[0]), Hit):
                return
            step = scrolling.scroll(self._ctx, "down")
            if step.effect == "none" and not patience.sees_more(snapshot):
                max_swipes = 0  # the end was reached
                break
        snapshot = act.settle_before(self._ctx).snapshot
        try:
            find.reach(snapshot, find.find_one(snapshot, self._target), self._target)
        except (TargetNotFound, TargetOffScreen) as error:
            raise find.ended_by(error, max_swipes) from None
