"""Rule 9: does an assertion, check or target not hold on a settled, healthy screen?"""

from __future__ import annotations

import re
from dataclasses import replace

from pytest_apex.model.case import Case, LastTouch
from pytest_apex.verify.rules.base import Rule, Ruling
from pytest_apex.verify.rules.crash import ended_by_test
from pytest_apex.verify.rules.facts import cure_told, headline, is_missing, named, needs, reads_screen, subject, told
from pytest_apex.verify.rules.in_the_way import left_by_test
from pytest_apex.verify.windows import is_home

_KINDS = {
    "assertion": "functional.assertion",
    "check": "functional.assertion",
    "target_not_found": "functional.missing_element",
    "target_obscured": "functional.not_reachable",
    "target_off_screen": "functional.not_reachable",
    "target_disabled": "functional.wrong_state",
}
_QUOTED, _BARS = re.compile(r'"(.+?)"'), frozenset({"toolbar", "navigation_bar"})
_NO_APP = "no app is under test, so that the home screen was taken for it: name the app with apex_app or --apex-app"


def ask(case: Case) -> Ruling:
    """Without a fresh look nobody knows whether the screen was healthy."""
    if reads_screen(case) and case.now is None:
        return Ruling("can't tell: there is no fresh look at the screen")
    if needs(case) == "process":
        return _process(case)
    kind = case.failure.kind if case.failure.kind.startswith("functional.") else _kind(case)
    if not kind:
        return Ruling("no: this is no question to the app")
    ruling = _missing(case) if kind == "functional.missing_element" else _other(case, kind)
    if reads_screen(case) and _nothing_under_test(case):
        facts = (f"in front: {case.app}", *ruling.evidence)
        return replace(ruling, reason=f"{ruling.reason}; {_NO_APP}", evidence=facts, suspect="test")
    if case.failure.because:
        return replace(ruling, reason=f"{ruling.reason}; {case.failure.because}", suspect="test")
    lost = _ended_while_away(case)
    return replace(ruling, reason=f"{ruling.reason}; {lost}", evidence=(lost, *ruling.evidence)) if lost else ruling


def _nothing_under_test(case: Case) -> bool:
    """Whether no app was named, and the home screen was in front when the test began. Who tests a home screen launches
    it."""
    if not case.app or not is_home(case.app, case.now):
        return False
    return not any(event.what == "launched" and event.app == case.app for event in case.processes)


def _other(case: Case, kind: str) -> Ruling:
    return Ruling("yes: it does not hold on a settled, healthy screen", _seen(case), kind, told(case))


def _ended_while_away(case: Case) -> str:
    """That the app began anew when it came back last: the system may end it in the background, and the app has to
    save what it showed. "" if it lives since it was launched."""
    own = [event for event in case.processes if event.app == subject(case) and event.what != "seen"]
    away, back = own[-2:] if len(own) > 1 else (None, None)
    if away is None or back is None or (away.what, back.what) != ("background", "launched") or away.pid == back.pid:
        return ""
    return f"the system had ended {back.app} in the background (pid {away.pid}), and it began anew (pid {back.pid})"


def _kind(case: Case) -> str:
    """By type, for failures that bring no kind; a kind of another category is not this rule's to change."""
    return _KINDS.get(case.failure.type, "") if not case.failure.kind else ""


def _missing(case: Case) -> Ruling:
    if case.now is not None and not case.now.screen.awake:
        reason = f"{headline(case)}; the test itself switched the screen off"
        return Ruling("yes: it is not on the screen", _seen(case), "functional.missing_element", reason, "test")
    near = case.failure.near_misses
    if near:
        cure = cure_told(case) or "is the test's word for it right?"
        reason = f"{headline(case)}; the nearest is {near[0]}: {cure}"
        facts = (f"near misses: {', '.join(near[:3])}", *_seen(case))
        return Ruling("yes: it is not on the screen", facts, "functional.missing_element", reason, "test")
    if left_by_test(case) and case.in_front and case.in_front != subject(case):
        reason = f"{headline(case)}; {case.in_front} is in front since the test itself left the app"
        return Ruling("yes: it is not on the screen", _seen(case), "functional.missing_element", reason, "test")
    touch = case.last_touch
    if touch is not None and touch.navigated and not touch.confirmed and not _titled(case, touch):
        reason = (
            f"{named(touch)} led to another screen than the one with {case.failure.target or 'what was looked for'}"
        )
        facts = (f"{named(touch)} opened another screen, and nothing that was looked for there was found", *_seen(case))
        return Ruling("yes: another screen is shown", facts, "functional.wrong_destination", reason)
    return Ruling("yes: it is not on the screen", _seen(case), "functional.missing_element", headline(case))


def _titled(case: Case, touch: LastTouch) -> bool:
    """Whether the screen that a touch led to is headed by the words of what was touched: `Settings` under `Settings` is
    where it should lead, whatever is missing there."""
    words = _QUOTED.findall(touch.target)
    if case.now is None or not words:
        return False
    heads = [node for node in case.now.nodes if node.visible and any(up.role in _BARS for up in node.ancestors)]
    return any(word.casefold() in (head.text.casefold(), head.label.casefold()) for head in heads for word in words)


def _process(case: Case) -> Ruling:
    app = subject(case)
    if case.failure.kind.startswith("crash.") and not ended_by_test(case, app) and case.pid:
        return Ruling("can't tell: nobody could say whether the process lives")
    suspect = "test" if ended_by_test(case, app) else ""
    reason = f"{headline(case)}; the test itself ended it" if suspect else headline(case)
    return Ruling("yes: the app is not in the state asked for", (), "functional.wrong_state", reason, suspect)


def _seen(case: Case) -> tuple[str, ...]:
    """What else was seen: a last touch without effect, and defects of looks that are on the same screen."""
    facts = []
    touch = case.last_touch
    if touch is not None and touch.effect == "none" and is_missing(case):
        facts.append(f"{named(touch)} had changed nothing")
    findings = (*case.failure.findings, *case.findings_now)
    facts.extend(f"also seen: {finding.rule}: {finding.reason}" for finding in findings[:3])
    return tuple(dict.fromkeys(facts))


RULE = Rule("functional", "Does it not hold on a settled, healthy screen?", ask)
