"""Waiting for a check to hold: look, ask, look again, until the time-out that applies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pytest_apex.device.acting import ended, interruptions, pushed_back, second
from pytest_apex.device.context import Context, caller
from pytest_apex.device.looking.settle import pause, settle
from pytest_apex.errors import CheckFailed
from pytest_apex.hierarchy import loading
from pytest_apex.model.action import Wait
from pytest_apex.model.case import Failure
from pytest_apex.model.look import Settled, Unsettled
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.model.step import Step
from pytest_apex.model.verdict import Finding
from pytest_apex.verify.pictures import is_black, is_blind


@dataclass(frozen=True)
class Answer:
    """What a check saw in one look. `kind` is what a failure is if nothing else explains it; `sure` ends the
    waiting."""

    holds: bool
    seen: str = ""
    kind: str = "functional.wrong_value"
    likely: str = ""
    cure: str = ""
    near_misses: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    covered_by: str = ""
    covered_by_app: str = ""
    sure: bool = False


@dataclass(frozen=True)
class Question:
    """One check: what it claims in words, what it reads (`tree`, `picture` or `process`), how it asks one look."""

    claim: str
    ask: Callable[[Snapshot], Answer]
    target: str = ""
    needs: str = "tree"
    settled: bool = False


def await_check(ctx: Context, question: Question, timeout: float | None) -> None:
    """Return once the check holds; raise `CheckFailed` when its time is over.

    Not given, `timeout` is the check time-out, extended to the load time-out while a loading sign is visible. After
    a tap
    without any effect the control is touched once more, if the rubric's rule 7 allows it, and the check asked again.
    """
    ctx.read_since_act = True
    clock = ctx.backend.clock
    started = clock.now()
    outcome = _ask_until(ctx, question, timeout)
    again = not outcome.answer.holds and not outcome.unsettled and not outcome.ended and timeout is None
    if again and (second.touch_again(ctx) or pushed_back.bring_back(ctx, outcome.snapshot)):
        ctx.read_since_act = True
        outcome = _ask_until(ctx, question, timeout)
    if outcome.answer.holds:
        if ctx.last_act is not None:
            ctx.last_act.confirmed = True
        ctx.recorder.event("check", claim=question.claim, holds=True, waited_s=round(clock.now() - started, 2))
        return
    ctx.recorder.event("check", claim=question.claim, holds=False, seen=outcome.answer.seen)
    raise _failed(ctx, question, outcome, timeout, clock.now() - started)


@dataclass(frozen=True)
class _Outcome:
    answer: Answer
    unsettled: Unsettled | None
    limit: str
    snapshot: Snapshot
    ended: bool = False


def _ask_until(ctx: Context, question: Question, timeout: float | None) -> _Outcome:
    clock, limits = ctx.backend.clock, ctx.settings.timeouts
    started = clock.now()
    while True:
        resting = _look(ctx, question)
        snapshot = resting.snapshot
        unsettled = resting if isinstance(resting, Unsettled) else None
        answer = question.ask(snapshot) if not (question.settled and unsettled) else Answer(False, str(unsettled))
        answer = _unseen(ctx, question, snapshot) or answer
        if answer.holds:
            return _Outcome(answer, None, "", snapshot)
        ctx.settled = None
        if interruptions.clear(ctx, snapshot):
            continue
        signs = loading.loading_signs(snapshot)
        waited = clock.now() - started
        if ctx.watch.died() is not None or ended.told_of(ctx, snapshot):
            return _Outcome(answer, None, _limit(ctx, timeout, bool(signs)), snapshot, ended=True)
        limit = timeout if timeout is not None else (limits.load if signs else limits.check)
        if waited >= limit or answer.sure:
            return _end(ctx, answer, snapshot, waited, timeout)
        clock.sleep(min(pause(waited), max(0.001, limit - waited)))


def _unseen(ctx: Context, question: Question, snapshot: Snapshot) -> Answer | None:
    """Nothing that a stale or blind tree, a black picture or a screen that is off says is an answer: neither that a
    check holds, nor that it does not."""
    if question.needs == "process":
        return None
    if not snapshot.screen.awake:
        return Answer(
            False,
            "the screen is off",
            "unsure.screen_off",
            "it went off by itself, or by a key",
            "device.wake() switches it on",
        )
    if ctx.eyes.lag:
        return Answer(False, f"the tree does not follow the picture: {ctx.eyes.lag}", "unsure.stale_tree")
    if question.needs == "tree" and is_blind(snapshot):
        return Answer(False, "the tree says nothing, beside a picture that shows something", "unsure.blind_tree")
    if question.needs == "picture" and is_black(snapshot):
        return Answer(False, "the picture is black", "unsure.secure_picture")
    return None


def _look(ctx: Context, question: Question) -> Settled | Unsettled:
    if question.settled:
        return settle(ctx.eyes.look, ctx.backend.clock, ctx.resting(wait_for_loading=True), previous=ctx.settled)
    return Settled(ctx.eyes.look(), 0.0, 1)


def _limit(ctx: Context, timeout: float | None, busy: bool) -> str:
    return "timeout= of the test" if timeout is not None else ctx.limit("load" if busy else "check")


def _end(ctx: Context, answer: Answer, snapshot: Snapshot, waited: float, timeout: float | None) -> _Outcome:
    """What state the screen is in when the time is over: rule 6 asks."""
    signs = loading.loading_signs(snapshot)
    name = _limit(ctx, timeout, bool(signs))
    if signs:
        words = tuple(f"{sign} {sign.bounds}" for sign in signs)
        return _Outcome(answer, Unsettled(snapshot, waited * 1000, 1, "loading", words, name), name, snapshot)
    if ctx.watch.died() is not None:
        return _Outcome(answer, None, name, snapshot)
    resting = settle(ctx.eyes.look, ctx.backend.clock, ctx.resting(wait_for_loading=False))
    return _Outcome(answer, resting if isinstance(resting, Unsettled) else None, name, snapshot)


def _did_nothing(step: Step) -> bool:
    """Whether it should have changed something, and did not; time that passed owes nothing."""
    return step.effect == "none" and not isinstance(step.action, Wait)


def _failed(ctx: Context, question: Question, outcome: _Outcome, timeout: float | None, waited: float) -> CheckFailed:
    answer = outcome.answer
    likely = answer.likely
    if outcome.unsettled is not None:
        likely = f"the screen was not at rest: {outcome.unsettled}"
    elif not answer.sure and ctx.last_act is not None and _did_nothing(ctx.last_act.step):
        likely = f"{ctx.last_act.step.named} ({ctx.last_act.step.id}) had no effect"
    chance = ctx.humanize.enabled and ctx.last_act is not None and ctx.last_act.step.track is not None
    cure = answer.cure + (f"\nreplay the same hand with --apex-seed {ctx.settings.touch.seed}" if chance else "")
    error = CheckFailed(
        f"expected {question.claim}, but it did not hold within {waited:.1f} s (limit {outcome.limit})",
        seen=answer.seen,
        likely=likely,
        cure=cure.strip(),
    )
    error.unsettled = outcome.unsettled
    error.failure = Failure(
        type="check",
        message=str(error),
        kind=answer.kind,
        # A check of the picture asks the tree where to look.
        needs="tree" if answer.kind in ("unsure.stale_tree", "unsure.blind_tree") else question.needs,
        exception=type(error).__name__,
        target=question.target,
        near_misses=answer.near_misses,
        covered_by=answer.covered_by,
        covered_by_app=answer.covered_by_app,
        explicit_timeout=timeout,
        waited_s=waited,
        timeout_name=outcome.limit,
        findings=answer.findings,
        source=str(caller() or ""),
    )
    return error
