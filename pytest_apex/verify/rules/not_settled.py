"""Rule 6: was the screen at rest when it was judged?"""

from __future__ import annotations

from pytest_apex.model.case import Case
from pytest_apex.verify.rules.base import Rule, Ruling
from pytest_apex.verify.rules.facts import headline, loading_signs, reads_screen

#: Waiting ends up to one look before the limit.
_TOLERANCE_S = 0.25


def ask(case: Case) -> Ruling:
    """Loading, then movement."""
    if not reads_screen(case):
        return Ruling("no: the check does not read the screen")
    unsettled = case.unsettled
    signs = loading_signs(case)
    if signs or (unsettled is not None and unsettled.why == "loading"):
        return _loading(case, signs or (unsettled.moving if unsettled is not None else ()))
    if unsettled is not None:
        return _moving(case, unsettled.why, unsettled.moving, unsettled.waited_ms / 1000)
    if case.failure.type == "unsettled":
        return _moving(case, "animating", (), case.failure.waited_s)
    return Ruling("no: the screen was at rest")


def _loading(case: Case, signs: tuple[str, ...]) -> Ruling:
    waited = _waited(case)
    what = signs[0] if signs else "a loading sign"
    facts = (f"{what} still visible after {waited:.1f} s", f"limit: {_limit(case)}")
    if not _load_limit_reached(case, waited):
        reason = f"{what} was still visible after {waited:.1f} s ({_limit(case)}): give it more time, or find out why"
        return Ruling("yes: still loading", facts, "transient.loading", f"still loading: {reason}")
    reason = f"loading does not end: {what} was still visible after {waited:.1f} s ({_limit(case)})"
    return Ruling("yes: loading does not end", facts, "functional.stuck_loading", reason)


def _waited(case: Case) -> float:
    settling = case.unsettled.waited_ms / 1000 if case.unsettled is not None else 0.0
    return max(case.failure.waited_s, settling)


def _load_limit_reached(case: Case, waited: float) -> bool:
    """A `timeout=` of the test is hard, and one shorter than the load time-out proves nothing."""
    if case.failure.explicit_timeout is not None and case.failure.explicit_timeout < case.load_timeout:
        return False
    named = any(word in _limit(case) for word in ("load", "launch"))
    return named or waited >= case.load_timeout - _TOLERANCE_S


def _limit(case: Case) -> str:
    if case.failure.explicit_timeout is not None:
        return f"timeout={case.failure.explicit_timeout:g} of the test"
    told = case.unsettled.limit if case.unsettled is not None else ""
    return case.failure.timeout_name or told or "asked at once"


def _moving(case: Case, why: str, moving: tuple[str, ...], waited: float) -> Ruling:
    what = ", ".join(moving[:3]) or "something"
    kind = "keyboard" if why == "keyboard" else "animating"
    return Ruling(
        "yes: the screen never came to rest",
        (f"still moving after {waited:.1f} s: {what}",),
        f"transient.{kind}",
        f"the screen never came to rest; still moving: {what} ({headline(case)})",
    )


RULE = Rule("not settled", "Was the screen still loading or moving when it was judged?", ask)
