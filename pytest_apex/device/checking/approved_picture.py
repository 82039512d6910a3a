"""A screen, or one control of it, against its approved picture."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pytest_apex.device import baselines
from pytest_apex.device.checking.differing import caret, named
from pytest_apex.device.checking.hidden import MOST, Hidden, hidden
from pytest_apex.device.checking.picture_key import picture_key
from pytest_apex.device.checking.tolerance import Tolerance
from pytest_apex.device.checking.waiting import Answer, Question
from pytest_apex.device.context import Context
from pytest_apex.device.looking.settle import settle
from pytest_apex.errors import CheckFailed, ComparatorBroken, ConfigError, SizesDiffer, SourceError
from pytest_apex.model.geometry import Rect, union
from pytest_apex.model.look import Unsettled
from pytest_apex.model.node import Node
from pytest_apex.model.snapshot import Picture, Snapshot
from pytest_apex.model.target import Target
from pytest_apex.model.verdict import Artifact, Finding
from pytest_apex.verify.pictures import fits, is_black
from pytest_apex.vision import match
from pytest_apex.vision.difference import another_screen, draw_difference
from pytest_apex.vision.image import cut, read_png

_RENEW = "if it is meant: --apex-update-baselines all, or mask= what differs from run to run"


@dataclass(frozen=True)
class Seen:
    """One look as it is compared: `picture` is free of secrets, `masks` are in its pixels, `box` is where it is in the
    look's picture; `compared` is how many pixels no mask covers."""

    snapshot: Snapshot
    picture: Picture
    box: Rect
    hidden: tuple[Hidden, ...]
    masks: tuple[Rect, ...]
    compared: int
    file: Path

    @property
    def scale(self) -> float:
        return self.snapshot.screen.scale

    def on_screen(self, box: Rect) -> Rect:
        """A box of the picture in units of the tree."""
        return box.moved(self.box.left, self.box.top).scaled(1 / self.scale)


class ApprovedPicture:
    """One check against an approved picture: asked of looks, and written where it may be.

    `one` finds the control that is meant, or says why it can't; None means the whole screen.
    """

    def __init__(
        self, context: Context, name: str, masks: Sequence[Target | Rect | str], tolerance: Tolerance,
        one: Callable[[Snapshot], Node | Answer] | None = None, subject: str = "the screen",
    ) -> None:  # fmt: skip
        self._ctx = context
        self._name = name
        self._masks = masks
        self._tolerance = tolerance
        self._one = one
        self._claim = f'{subject} to match the approved picture "{name}"'
        self._subject = subject
        self._confirmed = False
        self._seen: Seen | None = None
        self._approved: Picture | None = None
        self._known: tuple[tuple[object, ...], match.ImageComparison] | None = None
        context.baselines.need(name)

    def question(self) -> Question:
        target = "" if self._one is None else self._subject
        return Question(self._claim, self._ask, target, needs="picture", settled=True)

    def _ask(self, snapshot: Snapshot) -> Answer:
        """What one look says; a look that differs has to be confirmed by a second one."""
        first = self._judge(snapshot, final=self._confirmed)
        if first.holds or first.sure or self._confirmed or not first.findings:
            return first
        again = settle(
            self._ctx.eyes.look, self._ctx.backend.clock, self._ctx.resting(wait_for_loading=True), previous=snapshot
        )
        if isinstance(again, Unsettled):
            return first
        second = self._judge(again.snapshot, final=True)
        self._confirmed = not second.holds
        if second.holds:
            self._ctx.notes.append(f'"{self._name}" matched its approved picture only at a second look')
        return second

    def _judge(self, snapshot: Snapshot, *, final: bool) -> Answer:
        self._seen = None
        seen = self._look(snapshot)
        if isinstance(seen, Answer):
            return seen
        self._seen = seen
        self._approved = self._read(seen.file)
        if self._ctx.baselines.may_write(self._approved is not None):
            return Answer(True)
        if self._approved is None:
            return Answer(
                False, f"there is no {seen.file}", "unsure.no_baseline",
                f"{self._subject} was never approved on a device like this one",
                "look at the candidate; --apex-update-baselines missing approves it", sure=True,
            )  # fmt: skip
        return self._compared(seen, self._approved, final=final)

    def _look(self, snapshot: Snapshot) -> Seen | Answer:
        """What of a look is compared, or why nothing is."""
        if snapshot.picture is None:
            return Answer(False, "no picture", "unsure.no_picture")
        if is_black(snapshot):
            return Answer(False, "the picture is black", "unsure.secure_picture")
        if not fits(snapshot):
            seen = f"a picture of {snapshot.picture.size} pixels beside a screen of {snapshot.screen.size}"
            return Answer(False, seen, "unsure.no_picture", "it was taken while the screen turned")
        screen = snapshot.screen
        box = screen.bounds
        if self._one is not None:
            node = self._one(snapshot)
            if isinstance(node, Answer):
                return node
            box = node.bounds.intersect(screen.bounds)
            if box.is_empty:
                return Answer(False, f"nothing of {node} is on the screen", "functional.not_reachable")
        return self._prepared(snapshot, box)

    def _prepared(self, snapshot: Snapshot, box: Rect) -> Seen:
        places = tuple(hidden(self._ctx, snapshot, self._masks, whole=self._one is None))
        shown = self._ctx.recorder.hidden(snapshot).picture
        assert shown is not None
        scale = snapshot.screen.scale
        picture, area = cut(shown, box.scaled(scale)) if self._one is not None else (shown, box.scaled(scale))
        boxes = [place.scaled(scale).moved(-area.left, -area.top) for one in places for place in one.boxes]
        masks = tuple(match.whole_pixels(boxes, picture.size))
        self._need_enough(places, box)
        key = picture_key(self._ctx.info, snapshot.screen)
        file = self._ctx.baselines.file(self._name, f"{key}.png")
        return Seen(snapshot, picture, area, places, masks, match.shown_pixels(picture.size, masks), file)

    def _need_enough(self, places: Sequence[Hidden], box: Rect) -> None:
        """Raise `ConfigError` for masks that hide most of what the check is about, and where nothing is left of it."""
        system = [place for one in places if not one.asked for place in one.boxes]
        asked = [place for one in places if one.asked for place in one.boxes]
        inside = [place.moved(-box.left, -box.top) for place in system]
        open_area = match.shown_pixels(box.size, match.whole_pixels(inside, box.size))
        inside += [place.moved(-box.left, -box.top) for place in asked]
        left = match.shown_pixels(box.size, match.whole_pixels(inside, box.size))
        if left and (not asked or left >= (1 - MOST) * open_area):
            return
        if not open_area:
            raise ConfigError(
                f"nothing of {self._subject} is compared",
                seen="\n".join(str(one) for one in places),
                cure="compare a larger part of the screen, or check its texts",
            )
        raise ConfigError(
            f'the masks hide {1 - left / max(1, open_area):.0%} of {self._subject}: "{self._name}" would show nothing',
            seen="\n".join(str(one) for one in places if one.asked),
            likely="a mask names a container, and hides all that is inside of it",
            cure=f"mask only what differs from run to run; up to {MOST:.0%} may be masked",
        )

    def _read(self, file: Path) -> Picture | None:
        try:
            data = baselines.read_bytes(file)
            approved = read_png(data) if data is not None else None
            if approved is not None and self._ctx.baselines.may_write(is_there=True):
                approved.pixels()  # the whole of it has to be readable, if it is to stay
            return approved
        except (ConfigError, SourceError) as error:
            if self._ctx.baselines.may_write(is_there=True):
                return None  # whatever it is, it is renewed
            if isinstance(error, ConfigError):
                raise
            raise baselines.unreadable(file, error) from error

    # Comparing

    def _compared(self, seen: Seen, approved: Picture, *, final: bool) -> Answer:
        try:
            found = self._found(seen, approved, whole=final)
        except SourceError as error:  # the actual one was decoded before: it is not black
            raise baselines.unreadable(seen.file, error) from error
        except SizesDiffer as error:
            kind = "visual.baseline" if self._one is not None else "test.config"
            finding = Finding("baseline", kind, f"{self._subject} has another size than approved: {error.seen}")
            findings = (finding,) if self._one is not None else ()
            return Answer(False, error.seen, kind, error.likely, error.cure, findings=findings, sure=not findings)
        except ComparatorBroken as error:
            seen_ = f"{error.tried}: {error.seen}"
            return Answer(False, seen_, "unsure.no_comparator", error.likely, error.cure, sure=True)
        over = self._tolerance.exceeded(found, seen.compared)
        if not over:
            return Answer(True)
        return self._differs(seen, approved, found, over)

    def _found(self, seen: Seen, approved: Picture, *, whole: bool) -> match.ImageComparison:
        """How the look differs; a caret in the focused field is excused. The same two pictures are compared once."""
        key = (approved.key, seen.picture.key, seen.masks)
        if self._known is not None and self._known[0] == key:
            return self._known[1]
        rules = self._tolerance.rules(seen.compared, whole=whole)
        found = match.compare_pictures(approved, seen.picture, rules, seen.masks)
        blinking = caret(seen.snapshot, [seen.on_screen(box) for box in found.boxes]) if found.complete else None
        if blinking is not None:
            masks = (*seen.masks, blinking.scaled(seen.scale).moved(-seen.box.left, -seen.box.top))
            found = match.compare_pictures(approved, seen.picture, rules, masks)
        if found.complete:
            self._known = key, found
        return found

    def _differs(self, seen: Seen, approved: Picture, found: match.ImageComparison, over: str) -> Answer:
        boxes = [seen.on_screen(box) for box in found.boxes]
        nodes = named(seen.snapshot, boxes)
        words = [f"{seen.file.name}: {over}", *(f"at {line}" for line in nodes)]
        if found.complete:
            words.insert(1, f"largest cluster {found.largest_cluster:,} pixels, fullest window {found.window_count:,}")
        likely = "the app looks otherwise than it was approved"
        moving = [box for box in boxes if any(box.overlaps(alive) for alive in self._ctx.living.boxes)]
        if moving:
            likely = f"it changes by itself at {', '.join(map(str, moving[:3]))}: mask it"
        elif self._one is None and another_screen(approved, seen.picture):
            likely = "another screen altogether is shown"
        touched = f" at {', '.join(nodes[:2])}" if nodes else ""
        reason = f'{self._subject} differs from the approved picture "{self._name}": {over}{touched}'
        finding = Finding("baseline", "visual.baseline", reason, nodes=tuple(nodes), box=union(boxes))
        return Answer(False, "\n".join(words), "visual.baseline", likely, _RENEW, findings=(finding,))

    # Keeping

    def keep(self) -> bool:
        """Write what was seen, if it may be and is needed; record what was not compared. False if another process
        approved its own picture meanwhile: then that one has to be asked."""
        seen = self._seen
        if seen is None:
            return True
        self._note(seen)
        approved = self._approved
        if not self._ctx.baselines.may_write(approved is not None):
            self._tell_shades(seen, approved)
            return True
        if approved is None:
            new = self._ctx.baselines.update == "missing"
            if not baselines.write_bytes(seen.file, seen.picture.png(), new=new):
                return False
            self._ctx.baselines.written.append(seen.file)
            self._ctx.notes.append(f'approved picture "{self._name}" was written: {seen.file}')
            return True
        answer = self._renewed(seen, approved)
        if answer is not None:
            baselines.write_bytes(seen.file, seen.picture.png())
            self._ctx.baselines.written.append(seen.file)
            self._attach(seen, approved)
            what = answer.findings[0].reason if answer.findings else answer.seen
            self._ctx.notes.append(f'approved picture "{self._name}" was renewed: {seen.file} ({what})')
        return True

    def _tell_shades(self, seen: Seen, approved: Picture | None) -> None:
        """An even area of another shade, which the threshold lets be, is a note of the test."""
        if approved is None or self._known is None or not self._known[1].unequal:
            return
        boxes = [seen.on_screen(box) for box in match.other_shades(approved, seen.picture, seen.masks)]
        if boxes:
            where = "; ".join(named(seen.snapshot, boxes)[:3])
            limit = f"within threshold={self._tolerance.threshold:g}"
            self._ctx.notes.append(f'"{self._name}" has another shade than approved, {limit}, at {where}')

    def _renewed(self, seen: Seen, approved: Picture) -> Answer | None:
        """Why the approved picture has to be another one; None if it may stay."""
        answer = self._compared(seen, approved, final=True)
        return None if answer.holds else answer

    def keep_failed(self, error: CheckFailed) -> None:
        """Leave approved, actual and difference, or the candidate, with the run's evidence."""
        seen = self._seen
        if seen is None:
            return
        self._note(seen)
        if self._approved is not None:
            shown = self._attach(seen, self._approved)
        else:
            shown = self._put(f"{seen.file.name} (candidate)", seen.picture, "candidate")
        if shown is not None:
            error.look_at = self._ctx.recorder.place_of(shown)

    def _attach(self, seen: Seen, approved: Picture) -> Artifact | None:
        """The three pictures; returns the one that shows most."""
        name = seen.file.name
        self._put(f"{name}: approved", approved, "approved")
        shown = self._put(f"{name}: actual", seen.picture, "actual")
        try:
            rules = self._tolerance.rules(seen.compared, whole=True)
            drawn = draw_difference(approved, seen.picture, rules, seen.masks)
        except SizesDiffer:
            return shown
        return self._put(f"{name}: difference", drawn, "difference")

    def _put(self, caption: str, picture: Picture, kind: str) -> Artifact | None:
        return self._ctx.recorder.attach(caption, picture, kind=kind, redacted=True)

    def _note(self, seen: Seen) -> None:
        """What was not compared is on record; a mask that hides nothing is said aloud."""
        told = [str(one) for one in seen.hidden]
        self._ctx.recorder.event("baseline", picture=self._name, file=str(seen.file), hidden=told)
        for one in seen.hidden:
            if one.asked and not one.boxes:
                self._ctx.notes.append(f'{one.why} hides nothing on this screen (to_match "{self._name}")')
