"""Where touches and keys go: from samples to gestures to the control under the finger."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_apex.model.action import Track
from pytest_apex.model.node import NodeState
from pytest_apex.phone.layout import Box
from pytest_apex.phone.process import Fling
from pytest_apex.phone.surface import Touched
from pytest_apex.phone.touch import THRESHOLDS, Gesture, Recognizer, Wants

if TYPE_CHECKING:
    from pytest_apex.phone.phone import Phone

#: How far content runs on after a swipe: its speed at the end for this long.
_FLING_S = 0.12
_LATER_MS = 0.1


class Hand:
    """Plays tracks on a phone. A touch belongs to what lies under it when it comes down."""

    def __init__(self, phone: Phone) -> None:
        self._phone = phone
        self._recognizer: Recognizer | None = None
        self._touched: list[Touched] = []

    # Playing a track

    def play(self, track: Track) -> None:
        phone = self._phone
        start = phone.timeline.now()
        events: list[tuple[float, int, int, str, float, float]] = []
        for number, stroke in enumerate(track.strokes):
            samples = stroke.samples
            for index, sample in enumerate(samples):
                kind = "down" if index == 0 else "move"
                events.append((sample.t_ms, 1, number, kind, sample.x, sample.y))
            events.append((samples[-1].t_ms, 0 if len(samples) > 1 else 2, number, "up", samples[-1].x, samples[-1].y))
        down: set[int] = set()
        for t_ms, _, number, kind, x, y in sorted(events, key=lambda event: (event[0], event[1])):
            phone.timeline.advance_to(start + t_ms / 1000)
            self._event(down, number, kind, x * phone.unit, y * phone.unit)

    def _event(self, down: set[int], number: int, kind: str, x: float, y: float) -> None:
        recognizer = self._get_recognizer()
        now = self._phone.timeline.now() * 1000
        if kind == "down":
            down.add(number)
            if len(down) > 1:
                recognizer.cancel()
                return
            self._down(recognizer, now, x, y)
        elif kind == "move" and len(down) == 1:
            self._do(recognizer.move(now, x, y))
        elif kind == "up":
            if len(down) == 1:
                self._do(recognizer.up(now, x, y))
            down.discard(number)
        self._plan(recognizer)

    def _get_recognizer(self) -> Recognizer:
        if self._recognizer is None:
            phone = self._phone
            limits = THRESHOLDS.get(phone.platform.name, THRESHOLDS["ios"])
            self._recognizer = Recognizer(limits, phone.stage.glass.density)
        return self._recognizer

    def _plan(self, recognizer: Recognizer) -> None:
        """Let the recogniser hear of the time at which something is due by time alone."""
        due = recognizer.deadline()
        if due is not None:
            timeline = self._phone.timeline
            seconds = max(0.0, (due + _LATER_MS) / 1000 - timeline.now())
            timeline.after(seconds, lambda: self._do(recognizer.time(timeline.now() * 1000)))

    def _down(self, recognizer: Recognizer, now: float, x: float, y: float) -> None:
        before = self._touched
        self._touched = self._under(x, y)
        target = self._target()
        wants = Wants((0, 0, 0, 0))
        if target is not None:
            on = target.box.control.on
            scroller = self._scroller()
            wants = Wants(
                bounds=target.box.rect,
                long_press="long_press" in on and target.box.has(NodeState.ENABLED),
                double_tap="double_tap" in on and target.box.has(NodeState.ENABLED),
                scroll_y=scroller is not None,
            )
        elif (scroller := self._scroller()) is not None:
            wants = Wants(bounds=scroller.box.rect, scroll_y=True)
        found = recognizer.down(now, x, y, wants)
        after, self._touched = self._touched, before
        self._do([gesture for gesture in found if gesture.kind == "tap"])  # a tap of before that stays single
        self._touched = after
        self._do([gesture for gesture in found if gesture.kind != "tap"])

    def _under(self, x: float, y: float) -> list[Touched]:
        """All boxes under a point in the topmost window that takes touches there."""
        for surface in reversed(self._phone.surfaces()):
            found = surface.touched(x, y)
            if found is not None:
                return found
        return []

    def _target(self) -> Touched | None:
        takes = NodeState.CLICKABLE | NodeState.LONG_CLICKABLE | NodeState.OPAQUE_TO_TOUCH
        return next((item for item in self._touched if item.box.has(takes)), None)

    def _scroller(self) -> Touched | None:
        return next((item for item in self._touched if item.box.scroll is not None and item.box.scroll[1]), None)

    # What a gesture does

    def _do(self, gestures: list[Gesture]) -> None:
        swiped = False
        for gesture in gestures:
            if gesture.kind in ("scroll", "fling"):
                self._scroll(gesture)
            elif gesture.kind == "swipe":
                swiped = self._swipe(gesture)
            elif not swiped:
                target = self._target()
                if target is not None and target.surface.owner is not None:
                    target.surface.owner(target, gesture.kind)

    def _swipe(self, gesture: Gesture) -> bool:
        name = f"swipe_{gesture.direction}"
        for item in self._touched:
            if name in item.box.control.on and item.surface.owner is not None:
                item.surface.owner(item, name)
                return True
        return False

    def _scroll(self, gesture: Gesture) -> None:
        front, scroller = self._phone.front, self._scroller()
        if front is None or front.page is None or scroller is None or front.blocked_at is not None:
            return
        key, (offset, most) = scroller.box.key, scroller.box.scroll or (0, 0)
        if gesture.kind == "scroll":
            front.fling = None
            current = front.page.scrolls.get(key, offset)
            front.page.scrolls[key] = round(min(most, max(0.0, current - gesture.dy)))
            front.changed()
            return
        start = front.page.scrolls.get(key, offset)
        distance = min(most - start, max(-start, -gesture.dy * _FLING_S))
        if distance:
            fling = front.fling = Fling(key, start, distance, front.now())
            page = front.page

            def rest() -> None:
                page.scrolls[key] = fling.offset(fling.started + fling.seconds)
                if front.fling is fling:
                    front.fling = None
                front.changed()

            front.after(fling.seconds, rest)

    # Owners of windows

    def on_app(self, touched: Touched, gesture: str) -> None:
        """A gesture on a control of the app in front."""
        front = self._phone.front
        box = touched.box
        if front is None or not front.alive or front.blocked_at is not None or front.transition is not None:
            return
        control = box.control
        if not box.has(NodeState.ENABLED) or not self._still_enabled(box):
            return
        if gesture == "tap":
            if control.id and self._phone.fault.swallows_tap(control.id):
                return
            if control.role == "text_field":
                front.set_focus(box.key)
                self._phone.show_keyboard()
                self._reveal(box)
            elif control.bind:
                front.set_value(control.bind, not front.value(control.bind))
                front.run(control.on.get("change", ()), box.scope)
        front.run(control.on.get(gesture, ()), box.scope)

    @staticmethod
    def _still_enabled(box: Box) -> bool:
        when = box.control.enabled_when
        return when is None or when.holds(box.scope)

    def _reveal(self, field: Box) -> None:
        """Scroll a field that the keyboard would cover above it."""
        phone, front = self._phone, self._phone.front
        scroller = next((item.box for item in self._touched if item.box.role == "scroll"), None)
        if front is None or front.page is None or scroller is None or scroller.scroll is None:
            return
        glass = phone.stage.glass
        hidden = field.bottom + glass.px(16) - (glass.height - glass.px(phone.platform.keyboard))
        if hidden > 0:
            front.page.scrolls[scroller.key] = front.page.scrolls.get(scroller.key, 0) + hidden
            front.changed()

    def on_dialog(self, touched: Touched, gesture: str) -> None:
        if gesture == "tap" and touched.box.role == "button":
            self._phone.answer(touched.box.id)

    def on_launcher(self, touched: Touched, gesture: str) -> None:
        key = touched.box.key
        if gesture == "tap" and key.startswith("app:"):
            self._phone.launch(key.partition(":")[2])

    def on_key(self, touched: Touched, gesture: str) -> None:
        letter = touched.box.key.removeprefix("key ")
        if gesture != "tap" or self._phone.focused_field is None:
            return
        if letter == "⌫":
            self._erase()
        elif letter == "⏎":
            self._enter()
        elif letter not in "⇧?":
            self._type(letter)

    # Keys

    def press(self, key: str) -> None:
        if key == "back":
            self._back()
        elif key in ("home", "crown"):
            self._phone.go_home()
        elif key == "enter":
            self._enter()
        elif key == "delete":
            self._erase()

    def _back(self) -> None:
        phone, front = self._phone, self._phone.front
        if phone.dialog is not None:
            phone.answer("")
        elif phone.keyboard_up:
            phone.hide_keyboard()
        elif front is not None and front.blocked_at is None and front.page is not None:
            front.go_back()

    def _type(self, letter: str) -> None:
        field, front = self._phone.focused_field, self._phone.front
        if field is not None and front is not None:
            front.set_value(field.control.bind, f"{front.value(field.control.bind) or ''}{letter}")

    def _erase(self) -> None:
        field, front = self._phone.focused_field, self._phone.front
        if field is not None and front is not None:
            front.set_value(field.control.bind, f"{front.value(field.control.bind) or ''}"[:-1])

    def _enter(self) -> None:
        """The enter key: what the field says, a new line in a field of several lines, else the keyboard goes."""
        field, front = self._phone.focused_field, self._phone.front
        if field is None or front is None:
            return
        if "submit" in field.control.on:
            front.run(field.control.on["submit"], field.scope)
        elif field.control.lines > 1:
            self._type("\n")
        else:
            self._phone.hide_keyboard()
