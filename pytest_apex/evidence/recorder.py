"""The one place where the evidence of an attempt is kept: its journal, pictures and trees."""

from __future__ import annotations

import time
import warnings
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from pytest_apex.errors import ApexError, SourceError
from pytest_apex.evidence.cases import JudgedFailure, masked, write_cases
from pytest_apex.evidence.journal import Journal
from pytest_apex.evidence.keep import ExtraBoxes, Keeper
from pytest_apex.evidence.plain import step_to_dict
from pytest_apex.evidence.redact import Redactor
from pytest_apex.evidence.store import EvidenceWarning, Store
from pytest_apex.model.case import Case
from pytest_apex.model.geometry import Rect
from pytest_apex.model.snapshot import Picture, Snapshot
from pytest_apex.model.step import Step
from pytest_apex.model.verdict import Artifact

#: Steps whose looks wait in memory until it is known whether the test failed.
RING = 50
#: Steps that are remembered at all; earlier ones are in the journal alone.
REMEMBERED = 200


def _no_boxes(_snapshot: Snapshot) -> Sequence[Rect]:
    return ()


class Recorder:
    """Keeps what happened in one attempt of one test.

    `folder` is the attempt's own (`steps.jsonl`). `policy`: `always` stores pictures and trees at once; `failed` lets
    those of the last 50 steps wait in memory and stores them if the attempt fails; `never` writes the journal alone.
    `extra_boxes` names further places to black out, in the units of the tree. Trouble with the disk never fails a test:
    it is listed in `problems`, and told to `on_trouble`; without that it is said aloud once a run. What is stored at
    once (`always`, `attach`) is masked by what is known to be secret at that time; all else by what is known at the
    end.
    """

    def __init__(
        self,
        folder: Path,
        store: Store,
        redactor: Redactor,
        policy: str,
        extra_boxes: ExtraBoxes = _no_boxes,
        now: Callable[[], float] = time.time,
        on_trouble: Callable[[ApexError], None] | None = None,
    ) -> None:
        self._folder = folder
        self._journal = Journal(folder / "steps.jsonl", redactor, now)
        self._keeper = Keeper(store, redactor, extra_boxes)
        self._store = store
        self.redactor = redactor
        self._policy = policy
        self._now = now
        self._on_trouble = on_trouble
        self._count = 0
        self._begun: OrderedDict[str, float] = OrderedDict()
        self._told: deque[Step] = deque(maxlen=REMEMBERED)
        self._ring: deque[Step] = deque()
        self._attached: list[Artifact] = []
        self._problems: list[str] = []

    @property
    def steps(self) -> list[Step]:
        """The last steps done, at most `REMEMBERED`; those before the last `RING` without their snapshots. Once the
        attempt is closed none has snapshots, and none has a secret in its texts."""
        return [*self._told, *self._ring][-REMEMBERED:]

    @property
    def problems(self) -> tuple[str, ...]:
        """What could not be kept, and why, one line each."""
        return tuple(self._problems)

    def next_id(self) -> str:
        """The id of the next step: `step-001` and so on."""
        self._count += 1
        return f"step-{self._count:03d}"

    def intent(self, step_id: str, verb: str, named: str, **facts: Any) -> None:
        """Put on disk what is about to be done. An intent without a `done` means: maybe done."""
        self._begun[step_id] = self._now()
        while len(self._begun) > RING:
            self._begun.popitem(last=False)
        self._write("intent", step=step_id, verb=verb, named=named, **facts)

    def done(self, step: Step) -> Step:
        """Put on disk what was done. Returns the step with its evidence, if that is kept already, and its times."""
        ended = self._now()
        step = replace(step, wall=(self._begun.pop(step.id, ended), ended))
        if self._policy == "always":
            step = replace(step, evidence=(*step.evidence, *self._keep(step)))
        self._write("done", **{"step" if name == "id" else name: fact for name, fact in step_to_dict(step).items()})
        self._remember(step)
        return step

    def event(self, name: str, **facts: Any) -> None:
        """Put anything else on disk that happened."""
        self._write(name, **facts)

    def attach(
        self, caption: str, what: Snapshot | Picture | str, *, kind: str = "", redacted: bool = False
    ) -> Artifact | None:
        """Keep something that was asked for by name, even if the test passes; None under `never`, or when it can't be.

        A snapshot gives its picture (returned) and its tree. A picture alone can't be searched for secrets: it is
        kept if `redacted` says that it is free of them, or if it is the picture of a recent step.
        """
        if self._policy == "never":
            return None
        kept = self._guarded(partial(self._attachments, caption, what, kind, redacted))
        self._attached.extend(kept)
        if kept:
            self._write("attached", caption=caption, evidence=kept)
        return kept[0] if kept else None

    def attach_film(self, caption: str, film: bytes) -> Artifact | None:
        """Keep a recording of the screen (MP4), even if the test passes. Nothing can be masked in it: where anything is
        to be masked, it is not kept, and `problems` says so."""
        if self._policy == "never":
            return None
        kept = self._guarded(partial(self._film, caption, film))
        self._attached.extend(kept)
        if kept:
            self._write("attached", caption=caption, evidence=kept)
        return kept[0] if kept else None

    def _film(self, caption: str, film: bytes) -> Sequence[Artifact]:
        if self.redactor.knows:
            raise SourceError(
                f"can't keep the recording {caption!r}",
                seen="it may show what has to be masked",
                cure="record a test that types no secret, in a project without apex_redact",
            )
        return (self._store.put(film, kind="video", suffix=".mp4", media_type="video/mp4", caption=caption),)

    def place_of(self, kept: Artifact) -> str:
        """Where the file lies: a path that can be opened from the working directory."""
        path = (self._store.run_dir / kept.path).absolute()
        return str(path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path)

    def hidden(self, snapshot: Snapshot) -> Snapshot:
        """The snapshot as it may be stored: without secrets, and without what a project's hooks hide. Raises
        `ApexError` when such a hook fails."""
        return self._keeper.redacted(snapshot)

    def hidden_boxes(self, snapshot: Snapshot) -> Sequence[Rect]:
        """Where `hidden` blacks the picture out, in units of the tree."""
        return (*self.redactor.boxes(snapshot), *self._keeper.boxes_of_others(snapshot))

    def masked(self, case: Case) -> Case:
        """The case as it may be stored. Raises `ApexError` when a hook that says what to hide fails."""
        return masked(case, self.redactor, self._keeper.boxes_of_others)

    def keep_cases(self, failures: Sequence[JudgedFailure]) -> None:
        """Store what was judged, so that it can be judged again; not under `never`. The cases are free of secrets."""
        if not failures or self._policy == "never":
            return
        try:
            write_cases(self._folder, self._store, failures)
        except ApexError as error:
            self._tell(error)

    def close(self, failed: bool) -> tuple[Artifact, ...]:
        """End the attempt: store what waits if it failed, let go of all snapshots, return everything that is kept."""
        if failed and self._policy == "failed":
            self._ring = deque(self._with_evidence(step) for step in self._ring)
        self._told.extend(_light(step) for step in self._ring)
        self._told = deque((self.redactor.value(step) for step in self._told), maxlen=REMEMBERED)
        self._ring.clear()
        self._begun.clear()
        self._keeper.forget()
        self._write("closed", failed=failed, steps=self._count)
        try:
            self._journal.close()
        except ApexError as error:
            self._tell(error)
        return (*(artifact for step in self._told for artifact in step.evidence), *self._attached)

    def _with_evidence(self, step: Step) -> Step:
        kept = self._keep(step)
        if kept:
            self._write("evidence", step=step.id, evidence=kept)
        return replace(step, evidence=(*step.evidence, *kept))

    def _remember(self, step: Step) -> None:
        if self._policy != "failed":
            step = _light(step)
        self._ring.append(step)
        if len(self._ring) > RING:
            self._told.append(_light(self._ring.popleft()))

    def _keep(self, step: Step) -> tuple[Artifact, ...]:
        parts = [
            partial(self._keeper.look, look, kind, kind, step.id)
            for kind, look in (("before", step.before), ("after", step.after))
            if look is not None
        ]
        parts.append(partial(self._keeper.touch, step))
        return tuple(artifact for part in parts for artifact in self._guarded(part))

    def _attachments(
        self, caption: str, what: Snapshot | Picture | str, kind: str, redacted: bool
    ) -> Sequence[Artifact]:
        if isinstance(what, str):
            return (self._keeper.text(what, kind or "text", caption),)
        if isinstance(what, Snapshot):
            return self._keeper.look(what, kind or "picture", caption, "")
        if redacted:
            return (self._keeper.picture(what, kind or "picture", caption, "", redacted=True),)
        looks = (look for step in reversed(self._ring) for look in (step.after, step.before) if look is not None)
        shown = next((look for look in looks if look.picture is not None and look.picture.key == what.key), None)
        if shown is None and self.redactor.knows:
            raise SourceError(
                f"can't keep the picture {caption!r}",
                seen="it comes without the tree that tells where secrets are",
                cure="attach the snapshot that it belongs to",
            )
        if shown is not None:
            return self._keeper.look(replace(shown, picture=what), kind or "picture", caption, "", tree=False)
        return (self._keeper.picture(what, kind or "picture", caption, "", redacted=False),)

    def _guarded(self, keep: Callable[[], Sequence[Artifact]]) -> Sequence[Artifact]:
        try:
            return keep()
        except ApexError as error:
            self._tell(error)
            return ()

    def _write(self, event: str, **facts: Any) -> None:
        try:
            self._journal.write(event, **facts)
        except ApexError as error:
            self._tell(error)

    def _tell(self, error: ApexError) -> None:
        """Trouble that keeps evidence from being kept: said once a run, noted in this attempt."""
        line = self.redactor.text(" ".join(str(error).split()))
        if line not in self._problems:
            self._problems.append(line)
        if self._on_trouble is not None:
            self._on_trouble(error)
        elif not self._store.told:
            self._store.told = True
            warnings.warn(EvidenceWarning(f"evidence is missing: {self.redactor.text(str(error))}"), stacklevel=4)


def _light(step: Step) -> Step:
    """The step without what holds a tree or picture: its looks, and its hit, whose node is a view on the tree."""
    return replace(step, settled_before=None, settled_after=None, hit=None, track=None)
