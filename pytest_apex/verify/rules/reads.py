"""What each rule reads of a case, in words: its evidence, also where it does not hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pytest_apex.model.case import Case
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.verify.rules.facts import began, in_front, loading_signs, named, needs, subject

#: What is listed of a long list.
_LISTED = 3


def read_by(rule: str, case: Case) -> tuple[str, ...]:
    """The facts that a rule read; () for one that is not known here."""
    read = READS.get(rule)
    return tuple(fact for fact in read(case) if fact) if read is not None else ()


def _crash(case: Case) -> tuple[str, ...]:
    app = subject(case)
    if not app:
        return ()
    now = "nobody could tell" if case.pid_now is None else f"pid {case.pid_now}" if case.pid_now else "no process"
    before = f"pid {case.pid}" if case.pid else "no process known"
    since = began(case)
    recent = [record for record in case.records if record.at is None or record.at >= since]
    records = ", ".join(f"{record.way} of {record.app or record.pid}" for record in recent[:_LISTED])
    return (f"{before} before, {now} now", f"records since {since:.1f} s: {records or 'none'}")


def _harness(case: Case) -> tuple[str, ...]:
    events = [event for event in case.harness if event.at >= began(case)]
    told = [f"{event.what}{' (recovered)' if event.recovered else ''} at {event.at:.1f} s" for event in events]
    return (*told[-_LISTED:], f"the check read the {needs(case)}" if needs(case) else "", _capture(case.now))


def _capture(look: Snapshot | None) -> str:
    if look is None:
        return "no fresh look at the screen"
    picture = f"a picture of {look.picture.size}" if look.picture is not None else "no picture"
    return f"{look.id}: {len(look)} nodes, {picture}"


def _not_the_apps(case: Case) -> tuple[str, ...]:
    failure = case.failure
    what = f"{failure.exception or failure.type}{f' at {failure.source}' if failure.source else ''}"
    read = "the test read from the device since its last act" if case.read_since_action else ""
    return (what, read)


def _in_the_way(case: Case) -> tuple[str, ...]:
    covered = f"covered by {case.failure.covered_by}" if case.failure.covered_by else ""
    network = "the device has no network" if case.offline else ""
    windows = [f"{window.kind} of {window.app or '?'}" for window in case.now.windows] if case.now is not None else []
    return (
        f"in front: {in_front(case) or 'unknown'}",
        covered,
        f"windows: {', '.join(windows)}" if windows else "",
        network,
    )


def _not_settled(case: Case) -> tuple[str, ...]:
    signs = loading_signs(case)
    waited = f"waited {case.failure.waited_s:.1f} s" if case.failure.waited_s else ""
    limit = f"limit: {case.failure.timeout_name}" if case.failure.timeout_name else ""
    return (str(case.unsettled or ""), f"loading: {', '.join(signs[:_LISTED])}" if signs else "", waited, limit)


def _no_effect(case: Case) -> tuple[str, ...]:
    touch = case.last_touch
    if touch is None:
        return ()
    again = ", touched once more" if touch.repeated else ""
    return (f"{named(touch)}: effect {touch.effect}{again}",)


def _expected(case: Case) -> tuple[str, ...]:
    return (f"disabled because of {case.failure.because}" if case.failure.because else "",)


def _visual(case: Case) -> tuple[str, ...]:
    found = [f"{finding.rule}: {finding.reason}" for finding in case.failure.findings[:_LISTED]]
    return (f"asked for {case.failure.kind}" if case.failure.kind else "", *found)


def _functional(case: Case) -> tuple[str, ...]:
    near = case.failure.near_misses
    asked = f"asked for {case.failure.target}" if case.failure.target else ""
    return (asked, f"near misses: {', '.join(near[:_LISTED])}" if near else "", _capture(case.now))


READS: Mapping[str, Callable[[Case], tuple[str, ...]]] = {
    "crash": _crash,
    "harness": _harness,
    "not the app's": _not_the_apps,
    "in the way": _in_the_way,
    "expected": _expected,
    "not settled": _not_settled,
    "no effect": _no_effect,
    "visual": _visual,
    "functional": _functional,
}
