"""Rule 1: did the app die or freeze, and not by the test's own doing?"""

from __future__ import annotations

import math
from collections.abc import Iterable

from pytest_apex.model.case import Case, CrashRecord, ProcessEvent
from pytest_apex.verify.dialogs import error_dialog, names_app
from pytest_apex.verify.rules.base import Rule, Ruling
from pytest_apex.verify.rules.facts import after, began, label_of, subject

#: What a record's way is called in the rubric.
_KINDS = {
    "java": "process_died",
    "ios": "process_died",
    "native": "native",
    "anr": "anr",
    "exit": "exit",
    "low_memory": "killed",
    "killed": "killed",
}
#: Ways that are nobody's crash if the test itself ended the process.
_QUIET = frozenset({"exit", "low_memory", "killed"})
#: Seconds by which a record may lie ahead of the look that was taken after it: two clocks were compared.
_AHEAD_S = 60.0
#: Seconds between a stop that the test asked for and what the platform writes of it.
_STOP_TAKES_S = 3.0


def ask(case: Case) -> Ruling:
    """The clearest evidence decides: a record of a crash or freeze, a dialog that names the app, a record of an exit,
    the process itself."""
    app = subject(case)
    if not app:
        return Ruling("no: no app under test is known")
    records = [record for record in case.records if _counts(case, app, record)]
    loud = [record for record in records if record.way not in _QUIET]
    quiet = [record for record in records if record.way in _QUIET]
    looks = [_by_record(case, app, loud), _by_dialog(case, app)]
    if case.failure.type != "device_restarted":  # all processes ended with the device
        looks += [_by_record(case, app, quiet), _by_pid(case, app)]
    for look in looks:
        if look is not None:
            return look
    return Ruling(_healthy(case, app), notes=_left_out(case, app))


def _by_record(case: Case, app: str, records: Iterable[CrashRecord]) -> Ruling | None:
    record = next(iter(records), None)
    if record is None:
        return None
    verbs = {"anr": "stopped answering", "exit": "ended itself", "low_memory": "was killed", "killed": "was killed"}
    verb = verbs.get(record.way, "crashed")
    of = f"{record.source or 'crash'} record of pid {record.pid or '?'}: {record.reason}"
    return Ruling(
        f"yes: {app} {verb}",
        (of, *_process_facts(case)),
        f"crash.{_KINDS.get(record.way, 'process_died')}",
        f"{app} {verb}{after(case)}: {record.reason or 'no reason on record'}",
    )


def _by_dialog(case: Case, app: str) -> Ruling | None:
    dialog = error_dialog(case.now) if case.now is not None else None
    if dialog is None or not names_app(dialog, app, label_of(case, app)):
        return None
    frozen = dialog.kind == "anr"
    return Ruling(
        f"yes: the system says so of {app}",
        (f'system dialog "{dialog.title}"', *_process_facts(case)),
        "crash.anr" if frozen else "crash.dialog",
        f'{app} {"stopped answering" if frozen else "crashed"}{after(case)}: the system shows "{dialog.title}"',
    )


def _by_pid(case: Case, app: str) -> Ruling | None:
    """The process is gone or another one."""
    told = case.failure.type == "app_died"
    expected = expected_pid(case, app)
    events = [event for event in _events(case, app) if not event.by_test and event.what in ("gone", "changed")]
    lost = bool(expected) and case.pid_now is not None and case.pid_now != expected
    # A phone that was away may have been restarted: then nothing but a record tells of a crash.
    away = any(event.what == "device_lost" and event.at >= began(case) for event in case.harness)
    if not (told or lost or events) or (away and not told) or _sent_away(case, app):
        return None
    if ended_from_outside(case, app):
        return None
    now = f"pid {case.pid_now}" if case.pid_now else "no process"
    facts = (
        f"pid {expected or case.pid} before, {now} now",
        *(f"{event.what} at {event.at:.1f} s" for event in events),
    )
    state = "came back with another process" if case.pid_now else "its process is gone"
    return Ruling(
        f"yes: {state}",
        facts,
        "crash.process_died",
        f"{app} died{after(case)}: {state}, and the test did not end it",
    )


def expected_pid(case: Case, app: str) -> int:
    """The process that should be alive: the one that the test knew last; 0 if the test ended it, or none was known."""
    pid = case.pid
    for event in _events(case, app):
        if event.by_test and event.what in ("launched", "stopped"):
            pid = event.pid if event.what == "launched" else 0
    return pid


def ended_from_outside(case: Case, app: str) -> CrashRecord | None:
    """The record that a user or a tool ended the process that the test relied upon, which the test did not do: another
    run on the same device, or `am force-stop` by hand."""
    pid, start = expected_pid(case, app), began(case)
    return next(
        (
            record
            for record in case.records
            if record.way == "user"
            and record.app in ("", app)
            and 0 < pid == record.pid
            and (record.at is None or record.at >= start)
        ),
        None,
    )


def ended_by_test(case: Case, app: str) -> bool:
    """Whether the test itself ended the app and did not start it again."""
    doing = [event.what for event in case.processes if event.app == app and event.by_test]
    return bool(doing) and doing[-1] == "stopped"


def _events(case: Case, app: str) -> list[ProcessEvent]:
    start = began(case)
    return [event for event in case.processes if event.app == app and event.at >= start]


def _counts(case: Case, app: str, record: CrashRecord) -> bool:
    """Whether a record tells of this app, of this time, and of something that the test did not do itself."""
    known = {case.pid, *(event.pid for event in case.processes if event.app == app)} - {0}
    if record.way == "user" or not (record.app == app or (not record.app and record.pid in known)):
        return False
    if record.at is None:
        # Undated: only the process that was alive in this step can have died in it.
        return record.pid != 0 and record.pid == (expected_pid(case, app) or case.pid)
    return record.at >= began(case) and not _impossible(case, record) and not _own_doing(case, app, record)


def _impossible(case: Case, record: CrashRecord) -> bool:
    """Whether a record is of a time to come while its process lives: a line of another time zone, or of a clock that
    was set. (A crashed process may live as long as its dialog is there, but not an hour ahead.)"""
    if case.now is None or record.at is None or record.way == "anr":
        return False
    return record.at > case.now.taken_at + _AHEAD_S and 0 < record.pid == case.pid_now


def _own_doing(case: Case, app: str, record: CrashRecord) -> bool:
    if record.way not in _QUIET or record.at is None:
        return False
    begun = [event.at for event in case.processes if event.what == "launched" and event.pid == record.pid]
    for event in case.processes:
        # What was done before the process began can't have ended it: each start stops what runs first.
        if begun and event.at <= begun[-1]:
            continue
        # A launch ends the process before it; a stop ends its own.
        ended = event.pid != record.pid if event.what == "launched" else event.pid in (0, record.pid)
        named = event.app == app and event.by_test and event.what in ("stopped", "launched")
        if named and ended and abs(record.at - event.at) <= _STOP_TAKES_S:
            return True
    return record.way != "exit" and _sent_away(case, app, record.at)


def _sent_away(case: Case, app: str, at: float = math.inf) -> bool:
    """Whether the test had the app in the background then, where the platform may end it for memory."""
    doing = [event.what for event in case.processes if event.app == app and event.by_test and event.at <= at]
    return bool(doing) and doing[-1] == "background"


def _process_facts(case: Case) -> tuple[str, ...]:
    if not case.pid or case.pid_now is None or case.pid_now == case.pid:
        return ()
    return (f"pid {case.pid} before, {f'pid {case.pid_now}' if case.pid_now else 'no process'} now",)


def _healthy(case: Case, app: str) -> str:
    if case.pid_now:
        return f"no: {app} lives (pid {case.pid_now}), nothing tells of a crash"
    if ended_by_test(case, app):
        return f"no: the test itself ended {app}"
    return "no: nothing tells of a crash"


def _left_out(case: Case, app: str) -> tuple[str, ...]:
    """Crashes of others, said once and not held against the app."""
    others = {record.app for record in case.records if record.app and record.app != app and record.way != "user"}
    return tuple(f"harness.other_app: a crash or exit of {other} is on record" for other in sorted(others))


RULE = Rule("crash", "Did the app under test die or freeze, and not by the test's own doing?", ask)
