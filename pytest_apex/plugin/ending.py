"""The end of an attempt: what it leaves on disk, and the record that every report is made from."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_apex.device.context import Context
    from pytest_apex.evidence.redact import Redactor
    from pytest_apex.model.manual import MatchedManual
    from pytest_apex.model.verdict import Artifact, Attempt, Verdict
    from pytest_apex.plugin.attempts import LiveAttempt


def close(attempt: LiveAttempt) -> tuple[Artifact, ...]:
    """End the device and the recording; pictures that waited are stored if anything failed."""
    attempt.closed = True
    if attempt.device is not None:
        attempt.device.finish()
    if attempt.recorder is None:
        return ()
    if attempt.failures:
        from pytest_apex.plugin.judging import judged_as_stored

        attempt.recorder.keep_cases(judged_as_stored(attempt))
    return attempt.recorder.close(failed=bool(attempt.failures))


def finished(attempt: LiveAttempt, evidence: Sequence[Artifact], redactor: Redactor) -> Attempt:
    """The record that every report is made from, free of secrets."""
    from pytest_apex.evidence.store import attempt_folder
    from pytest_apex.model.verdict import Attempt

    worst = attempt.worst
    device = attempt.device
    notes = device.context.notes if device is not None else ()
    others = [f"{failed.phase}: {failed.verdict}" for failed in attempt.failures if failed is not worst]
    record: Attempt = redactor.value(
        Attempt(
            test=attempt.item.nodeid,
            n=attempt.n,
            outcome=attempt.outcome,
            verdict=_with_notes(worst.verdict if worst is not None else _unfailed(attempt), notes),
            device=attempt.device_id,
            duration_s=round(attempt.duration_s, 3),
            folder=attempt.folder or attempt_folder(attempt.item.nodeid, attempt.n),
            evidence=tuple(evidence),
            also=(*others, *attempt.also),
            phase=worst.phase if worst is not None else "call",
            facts=_facts(attempt),
        )
    )
    return record


def _unfailed(attempt: LiveAttempt) -> Verdict:
    from pytest_apex.model.verdict import Outcome, Verdict

    if attempt.outcome == "passed":
        return Verdict(Outcome.PASS)
    return Verdict(Outcome.NOT_RUN, reason=attempt.reason)


def _with_notes(verdict: Verdict, notes: Sequence[str]) -> Verdict:
    return replace(verdict, notes=(*verdict.notes, *(note for note in notes if note not in verdict.notes)))


def _known(ctx: Context) -> dict[str, str]:
    """Which manuals were used, and what the guard put on record."""
    from pytest_apex.reports.results import MANUALS, SUSPICIOUS, UNDONE

    told = {MANUALS: map(_found, ctx.known.used.values()), UNDONE: ctx.undone, SUSPICIOUS: ctx.suspicious}
    return {name: text for name, lines in told.items() if (text := "\n".join(lines))}


def _approved(ctx: Context, root: Path) -> dict[str, str]:
    """Which approved pictures and trees were asked for."""
    from pytest_apex.reports.results import BASELINE_FOLDER, BASELINES, BASELINES_WRITTEN

    folder, asked = ctx.baselines.folder, ctx.baselines.asked
    if folder is None or not asked:
        return {}
    files = sorted(os.path.relpath(file, root) for file in asked)
    told = {BASELINES: "\n".join(files), BASELINE_FOLDER: os.path.relpath(folder, root)}
    written = "\n".join(os.path.relpath(file, root) for file in ctx.baselines.written)
    return told | ({BASELINES_WRITTEN: written} if written else {})


def _found(used: MatchedManual) -> str:
    """A manual, by what it was found, and what of its acts can be checked only as far as tests declare them."""
    intents = [str(act) for act in used.manual.irreversible if act.what == "intent"]
    unchecked = f"; checked only where a test declares it: {', '.join(intents)}" if intents else ""
    return f"{used.manual}, by {used.by}{' (weak)' if used.weak else ''}{unchecked}"


def _facts(attempt: LiveAttempt) -> dict[str, str]:
    path, line, _name = attempt.item.location
    facts = {"file": path, "line": str((line or 0) + 1)}
    if attempt.device is not None:
        facts.update(platform=attempt.device.info.platform, app=attempt.device.app.id)
        facts.update(_known(attempt.device.context))
        facts.update(_approved(attempt.device.context, attempt.item.config.rootpath))
    worst = attempt.worst
    if worst is not None and worst.left_out:
        from pytest_apex.plugin.judging import group_of
        from pytest_apex.reports.results import LEFT_OUT

        facts[LEFT_OUT] = group_of(worst.verdict)
    return facts
