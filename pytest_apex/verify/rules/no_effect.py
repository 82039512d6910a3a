"""Rule 7: had the last touch any effect?"""

from __future__ import annotations

from pytest_apex.model.case import Case
from pytest_apex.verify.rules.base import Rule, Ruling
from pytest_apex.verify.rules.facts import headline, named, reads_screen


def ask(case: Case) -> Ruling:
    """Decides after a second touch without effect; a single touch without effect is a fact, not a verdict."""
    touch = case.last_touch
    if case.failure.type == "no_effect":
        name = named(touch) if touch is not None else case.failure.target
        return Ruling("yes: the touch was repeated in vain", (headline(case),), "functional.no_effect", _twice(name))
    if touch is None or touch.effect != "none":
        return Ruling("no: the last act had an effect" if touch is not None else "no: nothing was done before")
    if not reads_screen(case) or case.failure.kind.startswith("visual."):
        return Ruling("no: the check does not ask what the touch did")
    fact = f"{named(touch)} changed nothing: tree, pixels, focus, log and process"
    if not touch.repeated:
        why = "it may be touched twice, but was not" if touch.repeatable else "it must not be touched twice"
        return Ruling(f"not decided: no effect seen, {why}", (fact,))
    return Ruling(
        "yes: two touches changed nothing",
        (fact, "touched once more, to no avail"),
        "functional.no_effect",
        _twice(named(touch)),
        "test" if case.failure.near_misses else "",
    )


def _twice(name: str) -> str:
    return f"{name} has no effect, touched twice"


RULE = Rule("no effect", "Had the last touch any effect at all?", ask)
