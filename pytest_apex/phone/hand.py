"""Where touches and keys go: from samples to gestures to the control under the finger."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

from pytest_apex.model.action import Track
from pytest_apex.model.node import NodeState
from pytest_apex.phone import remote
from pytest_apex.phone.boxes import Box
from pytest_apex.phone.formats import shaped
from pytest_apex.phone.pages import Fling
from pytest_apex.phone.process import Process
from pytest_apex.phone.several import Several
from pytest_apex.phone.stage import Owners
from pytest_apex.phone.surface import TAKES_TOUCH, Touched
from pytest_apex.phone.template import as_text
from pytest_apex.phone.touch import Gesture, Recognizer, Wants

if TYPE_CHECKING:
    from pytest_apex.phone.phone import Phone

#: How far content runs on after a swipe: its speed at the end, for this long.
_FLING_S = 0.12
#: How many gestures are remembered.
_REMEMBERED = 100
#: A moment later than due, so that rounding never makes it too early.
_LATER_MS = 0.1


class Hand:
    """Plays tracks on a phone. A touch belongs to what lies under it when it comes down."""

    def __init__(self, phone: Phone) -> None:
        self._phone = phone
        self._machine = phone.machine
        self._recognizer: Recognizer | None = None
        self._several: Several | None = None
        self._touched: list[Touched] = []
        self._held: set[int] = set()
        #: What touches were taken for, the last last. A scroll is told once, with all its way.
        self.recognised: deque[Gesture] = deque(maxlen=_REMEMBERED)
        self._scrolling = False
        self.owners = Owners(self._on_app, self._on_dialog, self._on_launcher, self._on_key, lambda _item, _kind: None,
                             self._on_shade)  # fmt: skip

    # Playing a track

    def play(self, track: Track) -> None:
        if self._held:  # the system ends a touch that was left when another one begins
            self._let_go()
        timeline, start = self._phone.clock, self._phone.clock.now()
        events: list[tuple[float, int, int, str, float, float]] = []
        for number, stroke in enumerate(track.strokes):
            first, last = stroke.samples[0], stroke.samples[-1]
            # At one moment all moves come first, and a finger that lifts before one that touches down.
            events += [(sample.t_ms, 0, number, "move", sample.x, sample.y) for sample in stroke.samples[1:]]
            events.append((last.t_ms, 1 if last.t_ms > first.t_ms else 3, number, "up", last.x, last.y))
            events.append((first.t_ms, 2, number, "down", first.x, first.y))
        down: set[int] = set()
        unit = self._phone.unit
        for t_ms, moment in groupby(sorted(events, key=lambda event: event[:2]), key=lambda event: event[0]):
            timeline.advance_to(start + t_ms / 1000)
            for _, _, number, kind, x, y in moment:
                self._event(down, number, kind, x * unit, y * unit)
            self._recognizers()[1].look()

    def event(self, kind: str, finger: int, x: float, y: float) -> None:
        """One event of a finger, now: `down`, `move`, `up`, or `cancel`, which ends all touches without effect. One
        that does not fit is ignored, as the system does."""
        if kind == "cancel":
            self._let_go()
            return
        if (kind == "down") is (finger in self._held):
            return
        unit = self._phone.unit
        self._event(self._held, finger, kind, x * unit, y * unit)
        self._recognizers()[1].look()

    def _let_go(self) -> None:
        self._recognizer = self._several = None
        self._held.clear()

    def _event(self, down: set[int], number: int, kind: str, x: float, y: float) -> None:
        if not self._machine.awake:
            # A sleeping screen takes no touch, and lets go of the fingers that were on it.
            self._let_go()
            down.clear()
            return
        one, several = self._recognizers()
        now = self._phone.clock.now() * 1000
        if kind == "down":
            down.add(number)
            self._do(several.down(now, number, x, y))
            if len(down) > 1:
                one.cancel()
            else:
                self._down(one, now, x, y)
        elif kind == "move" and number in down:
            several.move(number, x, y)
            if len(down) == 1:
                self._do(one.move(now, x, y))
        elif kind == "up" and number in down:
            if len(down) == 1:
                self._do(one.up(now, x, y))
            self._do(several.up(now, number))
            down.discard(number)
        self._plan(one)

    def _recognizers(self) -> tuple[Recognizer, Several]:
        if self._recognizer is None or self._several is None:
            limits, density = self._phone.limits, self._phone.stage.glass.density
            self._recognizer, self._several = Recognizer(limits, density), Several(limits, density)
        return self._recognizer, self._several

    def _plan(self, recognizer: Recognizer) -> None:
        """Let the recogniser hear of the moment at which something is due by time alone."""
        due = recognizer.deadline()
        if due is not None:
            timeline = self._phone.clock
            seconds = max(0.0, (due + _LATER_MS) / 1000 - timeline.now())
            timeline.after(seconds, lambda: self._do(recognizer.time(timeline.now() * 1000)))

    def _down(self, recognizer: Recognizer, now: float, x: float, y: float) -> None:
        self._scrolling = False
        before, self._touched = self._touched, self._under(x, y)
        found = recognizer.down(now, x, y, self._wants())
        # A tap that stays single because this touch is another one belongs to what was touched before.
        single = [gesture for gesture in found if gesture.kind == "tap"]
        if single:
            after, self._touched = self._touched, before
            self._do(single)
            self._touched = after
        self._do([gesture for gesture in found if gesture.kind != "tap"])
        if self._machine.front is not None and self._machine.front.blocked_at is not None:
            self._machine.unanswered_touch(self._machine.front)

    def _wants(self) -> Wants:
        target, scroller = self._target(), self._scroller()
        if target is None:
            return Wants(scroller.box.rect if scroller else (0, 0, 0, 0), scroll_y=scroller is not None)
        on, enabled = target.box.control.on, target.box.has(NodeState.ENABLED)
        return Wants(
            bounds=target.box.rect,
            long_press="long_press" in on and enabled,
            double_tap="double_tap" in on and enabled,
            scroll_y=scroller is not None,
        )

    def _under(self, x: float, y: float) -> list[Touched]:
        """All boxes under a point in the topmost window that takes touches there, topmost first."""
        for surface in reversed(self._phone.scene().surfaces):
            found = surface.touched(x, y)
            if found is not None:
                return found
        return []

    def _target(self) -> Touched | None:
        return next((item for item in self._touched if item.box.has(TAKES_TOUCH)), None)

    def _scroller(self) -> Touched | None:
        return next((item for item in self._touched if item.box.scroll is not None and item.box.scroll[1]), None)

    # What a gesture does

    def _do(self, gestures: list[Gesture]) -> None:
        swiped = False
        for gesture in gestures if self._machine.awake else ():
            self._remember(gesture)
            if gesture.kind in ("scroll", "fling"):
                self._scroll(gesture)
            elif gesture.kind == "swipe":
                swiped = self._answer(f"swipe_{gesture.direction}")
            elif gesture.kind == "pinch":
                self._answer("pinch_open" if gesture.scale > 1 else "pinch_close")
            elif gesture.kind == "twist":
                self._answer("twist_right" if gesture.degrees > 0 else "twist_left")
            elif not swiped:
                target = self._target()
                if target is not None and target.surface.owner is not None:
                    target.surface.owner(target, gesture.kind)

    def _remember(self, gesture: Gesture) -> None:
        if gesture.kind == "scroll" and self._scrolling:
            so_far = self.recognised[-1]
            gesture = replace(so_far, dx=so_far.dx + gesture.dx, dy=so_far.dy + gesture.dy)
            self.recognised.pop()
        self._scrolling = gesture.kind == "scroll"
        self.recognised.append(gesture)

    def _answer(self, name: str) -> bool:
        """What listens to a gesture, from the touched control outwards."""
        for item in self._touched:
            if name in item.box.control.on and item.surface.owner is not None:
                item.surface.owner(item, name)
                return True
        return False

    def _scroll(self, gesture: Gesture) -> None:
        front, scroller = self._machine.front, self._scroller()
        if front is None or front.page is None or scroller is None or front.blocked_at is not None:
            return
        key, (offset, most) = scroller.box.key, scroller.box.scroll or (0, 0)
        start = front.page.scrolls.get(key, offset)
        if gesture.kind == "scroll":
            front.scroll_to(key, min(most, max(0.0, start - gesture.dy)))
            return
        distance = min(most - start, max(-start, -gesture.dy * _FLING_S))
        if distance:
            front.run_on(Fling(key, start, distance, front.now()))

    # Owners of windows

    def _on_app(self, touched: Touched, gesture: str) -> None:
        """A gesture on a control of the app in front."""
        front, box = self._machine.front, touched.box
        if front is None or front.blocked_at is not None or front.transition is not None:
            return
        when = box.control.enabled_when
        if box.has(NodeState.ENABLED) and (when is None or when.holds(box.scope)):
            self._act(front, box, gesture)

    def _act(self, front: Process, box: Box, gesture: str) -> None:
        control = box.control
        if gesture == "tap":
            if control.id and self._machine.fault.swallows(control.id):
                return
            if control.role == "text_field":
                front.set_focus(box.key)
                self._machine.show_keyboard(True)
                self._reveal(box)
            elif control.bind:
                front.set_value(control.bind, not front.value(control.bind))
                front.run(control.on.get("change", ()), box.scope)
        front.run(control.on.get(gesture, ()), box.scope)

    def _reveal(self, field: Box) -> None:
        """Scroll a field that the keyboard would cover above it."""
        front, glass = self._machine.front, self._phone.stage.glass
        scroller = next((item.box for item in self._touched if item.box.role == "scroll"), None)
        if front is None or front.page is None or scroller is None:
            return
        hidden = field.bottom + glass.px(16) - (glass.height - glass.px(self._phone.platform.keyboard))
        if hidden > 0:
            front.scroll_to(scroller.key, front.page.scrolls.get(scroller.key, 0) + hidden)

    def _on_dialog(self, touched: Touched, gesture: str) -> None:
        if gesture == "tap" and touched.box.role == "button":
            self._machine.answer(touched.box.id)

    def _on_launcher(self, touched: Touched, gesture: str) -> None:
        kind, _, app = touched.box.key.partition(":")
        if gesture == "tap" and kind == "app":
            self._machine.launch(app)

    def _on_shade(self, touched: Touched, gesture: str) -> None:
        kind, _, number = touched.box.control.id.partition(":")
        if gesture == "tap" and kind == "notification":
            self._machine.open_notification(int(number))

    def _on_key(self, touched: Touched, gesture: str) -> None:
        letter = touched.box.key.removeprefix("key ")
        if gesture != "tap":
            return
        if letter == "⌫":
            self._erase()
        elif letter == "⏎":
            self._enter(self.focused_field)
        elif letter not in "⇧?":
            self.key_into(self.focused_field, letter)

    # Keys and text

    def press(self, key: str) -> None:
        if key == "power":
            self._machine.set_awake(not self._machine.awake)
        elif self._machine.awake:
            self._press(key)

    def _press(self, key: str) -> None:
        if key in remote.DIRECTIONS or key == "select":
            remote.press(self._phone, key, self._on_app)
        elif key in ("back", "menu"):
            self._back()
        elif key in ("home", "crown"):
            self._machine.bring(None)
        elif key == "enter":
            self._enter(self.focused_field)
        elif key == "delete":
            self._erase()

    def turn_crown(self, turns: float) -> None:
        """Scroll what scrolls on the screen of the app in front by so many heights of it."""
        front = self._machine.front
        box = next((box for box in self._shown() if box.scroll is not None and box.scroll[1]), None)
        if front is None or front.page is None or box is None or front.blocked_at is not None or self._machine.dialog:
            return
        offset, most = box.scroll or (0, 0)
        front.scroll_to(box.key, min(most, max(0.0, offset + turns * box.height)))

    def _shown(self) -> Iterator[Box]:
        """All boxes of all windows."""
        waiting = [surface.boxes for surface in self._phone.scene().surfaces]
        while waiting:
            box = waiting.pop()
            yield box
            waiting.extend(box.children)

    def _back(self) -> None:
        machine, front = self._machine, self._machine.front
        if machine.dialog is not None:
            machine.answer("")
        elif machine.shade.open:
            machine.open_shade(False)
        elif machine.keyboard_up:
            machine.show_keyboard(False)
        elif front is not None and front.blocked_at is None and front.page is not None:
            front.go_back()

    def _takes_text(self, front: Process | None) -> bool:
        free = self._machine.awake and self._machine.dialog is None
        return front is not None and front.blocked_at is None and free

    @property
    def focused_field(self) -> Box | None:
        """The text field that typing goes to."""
        front = self._machine.front
        if front is None or not front.focus or not self._takes_text(front):
            return None
        fields = (box for box in self._shown() if box.key == front.focus and box.role == "text_field")
        return next(fields, None)

    def _edit(self, field: Box | None, change: Callable[[str], str]) -> bool:
        """Change the text of a field that still has the focus."""
        front = self._machine.front
        if field is None or front is None or not self._is_focused(field):
            return False
        name = field.control.bind
        front.set_value(name, shaped(field.control, change(as_text(front.value(name)))))
        front.run(field.control.on.get("change", ()), field.scope)
        return True

    def key_into(self, field: Box | None, letter: str) -> bool:
        """One keystroke; False, and nothing happens, if the field has not got the focus any more."""
        if letter == "\n" and field is not None:
            return self._is_focused(field) and self._enter(field)
        came = self._machine.fault.typed(field.control.id, letter) if field is not None else letter
        return self._edit(field, lambda text: text + came)

    def _is_focused(self, field: Box) -> bool:
        front = self._machine.front
        return front is not None and front.focus == field.key and self._takes_text(front)

    def edit(self, change: Callable[[str], str]) -> bool:
        """Change the text at once. What it brings new is lost on the way as keystrokes would be."""
        field = self.focused_field
        if field is None:
            return False

        def arrive(old: str) -> str:
            new = change(old)
            kept = old if new.startswith(old) else ""
            return kept + "".join(self._machine.fault.typed(field.control.id, letter) for letter in new[len(kept) :])

        return self._edit(field, arrive)

    def _erase(self) -> None:
        self._edit(self.focused_field, lambda text: text[:-1])

    def _enter(self, field: Box | None) -> bool:
        """The enter key: what the field says, a new line in a field of several lines, else the keyboard goes."""
        front = self._machine.front
        if field is None or front is None:
            return False
        if "submit" in field.control.on:
            front.run(field.control.on["submit"], field.scope)
        elif field.control.lines > 1:
            return self._edit(field, lambda text: text + "\n")
        else:
            self._machine.show_keyboard(False)
        return True

    def do_action(self, item: Touched, name: str) -> None:
        """A secondary action of a control of the app in front."""
        front, box = self._machine.front, item.box
        if front is not None and front.blocked_at is None and front.transition is None and box.has(NodeState.ENABLED):
            front.run(box.control.actions.get(name, ()), box.scope)
