"""What to try when timing is the suspect: where a temporary log line in the app would tell."""

from __future__ import annotations

from pytest_apex.model.case import Case
from pytest_apex.verify.rules.facts import loading_signs, named

_UNSETTLED = frozenset({"transient.loading", "transient.animating", "functional.stuck_loading"})
#: A check that waited no longer than that, because the test said so, may have looked too early.
_SHORT_S = 2.0
_EARLY = frozenset(
    {"functional.missing_element", "functional.wrong_value", "functional.wrong_state", "functional.wrong_destination"}
)
_TELLS = "device.app.log then tells whether it takes long or never ends"


def cure(case: Case, kind: str) -> str:
    """One sentence: what to log, and where in the app. "" where timing is no suspect."""
    if kind in _UNSETTLED:
        return f"{_log(case)} where {_what(case)} begins and where it ends{_where(case)}; {_TELLS}"
    short = case.failure.explicit_timeout
    if kind in _EARLY and short is not None and short <= _SHORT_S:
        what = case.failure.target or "what was looked for"
        late = f"if it comes later than timeout={short:g}, the test looks too early"
        return f"{_log(case)} where the app shows {what}{_where(case)}: {late}"
    return ""


def _log(case: Case) -> str:
    return f"a temporary log line in the app ({'Log.d' if case.platform == 'android' else 'os_log'})"


def _what(case: Case) -> str:
    signs = loading_signs(case)
    moving = case.unsettled.moving if case.unsettled is not None else ()
    first = next(iter(signs or moving), "")
    return f"the work behind {first}" if first else "what still moves"


def _where(case: Case) -> str:
    """The screen, and the step that began it."""
    app = case.now.app if case.now is not None else None
    screen = f" on {app.activity or app.id}" if app is not None and (app.activity or app.id) else ""
    return f"{screen}{f' after {named(case.last_touch)}' if case.last_touch is not None else ''}"
