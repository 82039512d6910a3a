"""From looks to stored files: redacted first, and an unchanged picture encoded once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

from pytest_apex.errors import ApexError
from pytest_apex.evidence.redact import Redactor
from pytest_apex.evidence.store import Store
from pytest_apex.model.geometry import Point, Rect
from pytest_apex.model.snapshot import Picture, Snapshot
from pytest_apex.model.step import Step
from pytest_apex.model.verdict import Artifact

#: Further places to black out, in the units of the tree.
ExtraBoxes: TypeAlias = Callable[[Snapshot], Sequence[Rect]]

#: Stored pictures whose place is remembered: the screens a test goes back and forth between.
_KNOWN_PICTURES = 16
#: Redacted snapshots that are remembered: before, after, and after with the touch, of two steps that share a look.
_HIDDEN = 3


class Keeper:
    """Stores looks of one attempt. What can't be redacted is not stored: all methods raise `ApexError` then, and when
    the store can't be written."""

    def __init__(self, store: Store, redactor: Redactor, extra_boxes: ExtraBoxes) -> None:
        self._store = store
        self._redactor = redactor
        self._extra_boxes = extra_boxes
        self._known: OrderedDict[str, Artifact] = OrderedDict()
        self._hidden: OrderedDict[tuple[int, int], tuple[Snapshot, Snapshot]] = OrderedDict()

    def look(self, snapshot: Snapshot, kind: str, caption: str, step: str, *, tree: bool = True) -> list[Artifact]:
        """The picture, if there is one, as `kind`, and the tree as text."""
        hidden = self.redacted(snapshot)
        kept = []
        if hidden.picture is not None:
            changed = hidden.picture is not snapshot.picture
            kept.append(self.picture(hidden.picture, kind, caption, step, redacted=changed))
        if tree:
            kept.append(self._text(hidden.to_text(), "tree", f"tree {caption}", step, hidden.tree is not snapshot.tree))
        return kept

    def touch(self, step: Step) -> list[Artifact]:
        """The picture after the step with its touch drawn in; nothing for a step without a touch."""
        if step.track is None or step.after is None or step.after.picture is None:
            return []
        from pytest_apex.vision.overlay import draw_touch  # loads Pillow: only when something is drawn

        hidden = self.redacted(step.after)
        assert hidden.picture is not None
        points = [Point(at.x * hidden.screen.scale, at.y * hidden.screen.scale) for at in step.track.points]
        drawn = draw_touch(hidden.picture, points, step.verb)
        changed = hidden.picture is not step.after.picture
        return [self.picture(drawn, "touch", "after, with the touch", step.id, redacted=changed)]

    def picture(self, picture: Picture, kind: str, caption: str, step: str, *, redacted: bool) -> Artifact:
        """A picture that is free of secrets."""
        known = self._known.get(picture.key)
        if known is None:
            known = self._store.put(picture.png(), kind=kind, suffix=".png", media_type="image/png")
            self._known[picture.key] = known
            while len(self._known) > _KNOWN_PICTURES:
                self._known.popitem(last=False)
        return replace(known, kind=kind, caption=self._redactor.text(caption), step=step, redacted=redacted)

    def text(self, text: str, kind: str, caption: str) -> Artifact:
        """A text such as a log."""
        masked = self._redactor.text(text)
        return self._text(masked, kind, caption, "", masked != text)

    def forget(self) -> None:
        """Let go of everything held."""
        self._known.clear()
        self._hidden.clear()

    def _text(self, text: str, kind: str, caption: str, step: str, redacted: bool) -> Artifact:
        return self._store.put(
            text.encode("utf-8", "backslashreplace"),
            kind=kind,
            suffix=".txt",
            media_type="text/plain",
            caption=self._redactor.text(caption),
            step=step,
            redacted=redacted,
        )

    def redacted(self, snapshot: Snapshot) -> Snapshot:
        """The snapshot without its secrets, as they are known now."""
        key = (id(snapshot), self._redactor.knows)
        known = self._hidden.get(key)
        if known is not None:  # the entry holds the snapshot, so that its id stays its own
            return known[1]
        hidden = self._redactor.snapshot(snapshot, self.boxes_of_others(snapshot))
        self._hidden[key] = (snapshot, hidden)
        while len(self._hidden) > _HIDDEN:
            self._hidden.popitem(last=False)
        return hidden

    def boxes_of_others(self, snapshot: Snapshot) -> Sequence[Rect]:
        """What the project's hooks hide, besides secrets."""
        try:
            return tuple(self._extra_boxes(snapshot))
        except ApexError:
            raise
        except Exception as error:  # someone else's hook: without its answer nothing may be stored
            raise ApexError(
                "can't keep the picture: a hook that says what to hide in it failed",
                seen=f"{type(error).__name__}: {error}",
                cure="correct the project's pytest_apex_redact",
            ) from error
