"""What several rules read from a case."""

from __future__ import annotations

from pytest_apex.hierarchy import loading
from pytest_apex.model.case import Case, LastTouch
from pytest_apex.model.node import Node
from pytest_apex.verify.windows import foreground, is_home, is_splash

#: Failures that ask the screen nothing: the test, the project or the guard is at fault, whatever is shown.
_ASKS_NOTHING = frozenset({"config", "capability", "refused", "skipped", "error", "target_stale"})


def subject(case: Case) -> str:
    """The app that is judged: the one under test, else the one that was in front at the last good look."""
    if case.app or case.before is None:
        return case.app
    return "" if is_home(case.before.app.id, case.before) else case.before.app.id


def label_of(case: Case, app: str) -> str:
    """The app's name as people see it, where a look tells."""
    for look in (case.before, case.now):
        if look is not None and look.app.id == app and look.app.label:
            return look.app.label
    return ""


def began(case: Case) -> float:
    """From when on things belong to this failure: the failing step, or the last good look if that is older, but never
    what was before the test."""
    start = min(case.since, case.before.taken_at) if case.before is not None else case.since
    first = min((event.at for event in case.processes), default=start)
    return max(start, first)


def needs(case: Case) -> str:
    """What the failed question read: `tree`, `picture`, `process` or "" for nothing."""
    failure = case.failure
    if failure.type in _ASKS_NOTHING or (failure.type == "assertion" and not case.read_since_action):
        return ""
    return failure.needs


def reads_screen(case: Case) -> bool:
    return needs(case) in ("tree", "picture")


def is_missing(case: Case) -> bool:
    """Whether the failure is about a control that is not there."""
    return case.failure.type == "target_not_found" or case.failure.kind == "functional.missing_element"


def headline(case: Case) -> str:
    """The first line of the failure's message, for a reason."""
    lines = case.failure.message.strip().splitlines()
    return lines[0].strip().rstrip(".") if lines else case.failure.type.replace("_", " ")


def _part(case: Case, mark: str) -> str:
    """The first line of a part of the failure's message, such as `seen:`; "" if it has none."""
    lines = (line.strip() for line in case.failure.message.splitlines()[1:])
    return next((line.removeprefix(mark).strip() for line in lines if line.startswith(mark)), "")


def cure_told(case: Case) -> str:
    """What the failure itself says to try."""
    return _part(case, "try:")


def told(case: Case) -> str:
    """The headline with what was seen instead, for a reason."""
    seen = _part(case, "seen:")
    return f"{headline(case)}; {seen}" if seen else headline(case)


def named(touch: LastTouch) -> str:
    """`step-004 tap "Save"`."""
    return f"{touch.step} {touch.target or touch.verb}"


def after(case: Case) -> str:
    """` after step-004 tap "Save"`, or nothing."""
    return f" after {named(case.last_touch)}" if case.last_touch is not None else ""


def in_front(case: Case) -> str:
    """Id of the app in front at the failure; "" when nobody could tell."""
    return case.in_front or (case.now.app.id if case.now is not None else "")


def loading_signs(case: Case) -> tuple[str, ...]:
    """What says that something is still loading, in words."""
    if case.now is None:
        return ()
    signs = tuple(f"{sign} {sign.bounds}" for sign in loading.loading_signs(case.now))
    front = foreground(case.now)
    if signs or front is None or not is_splash(front):
        return signs
    return (f'splash "{front.title or front.activity}"',)


def texts_of(node: Node) -> str:
    """All words on a control and inside it, in reading order."""
    words = [item.text or item.label for item in (node, *node.descendants) if item.visible and item.role != "button"]
    return " ".join(dict.fromkeys(word.strip() for word in words if word.strip()))
