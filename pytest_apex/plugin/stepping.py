"""The recorder of a test, with the hooks and reports that watch its steps."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pytest_apex.errors import ApexError
from pytest_apex.evidence.recorder import Recorder
from pytest_apex.evidence.redact import Redactor
from pytest_apex.evidence.store import Store
from pytest_apex.model.geometry import Rect
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.model.step import Step
from pytest_apex.plugin.answers import all_of
from pytest_apex.verify.guard import destructive_word, destructive_word_in


class WatchedRecorder(Recorder):
    """Tells the project's hooks, and whoever is in `watchers`, of each step once it is on disk."""

    def __init__(
        self,
        item: pytest.Item,
        folder: Path,
        store: Store,
        redactor: Redactor,
        policy: str,
        on_trouble: Callable[[ApexError], None],
    ) -> None:
        super().__init__(
            folder, store, redactor, policy, extra_boxes=lambda snapshot: _hidden(item, snapshot), on_trouble=on_trouble
        )
        self._item = item
        self.watchers: list[Callable[[Step], None]] = []
        #: The first act on a control whose words say that it sends, pays or destroys, in words.
        self.irreversible = ""

    def intent(self, step_id: str, verb: str, named: str, **facts: Any) -> None:
        # Before it is done: an act that a lost device cut off may have arrived.
        if facts.get("irreversible") or destructive_word_in(str(facts.get("node", ""))):
            self._may_be_irreversible(f"{step_id} {named}")
        super().intent(step_id, verb, named, **facts)
        self._item.ihook.pytest_apex_step_started(item=self._item, step_id=step_id)

    def done(self, step: Step) -> Step:
        if step.hit is not None and destructive_word(step.hit.node):
            self._may_be_irreversible(f"{step.id} {step.named}")
        kept = super().done(step)
        for watch in self.watchers:
            watch(kept)
        self._item.ihook.pytest_apex_step_finished(item=self._item, step=kept)
        return kept

    def _may_be_irreversible(self, act: str) -> None:
        self.irreversible = self.irreversible or self.redactor.text(act)


def _hidden(item: pytest.Item, snapshot: Snapshot) -> list[Rect]:
    return list(all_of(item.ihook.pytest_apex_redact(snapshot=snapshot)))
