"""The rubric's rules, one module each, in the order in which they are asked."""

from __future__ import annotations

from pytest_apex.verify.rules import (
    crash,
    expected,
    functional,
    harness,
    in_the_way,
    no_effect,
    not_settled,
    not_the_apps,
    visual,
)
from pytest_apex.verify.rules.base import Rule, Ruling

#: The first one that holds decides.
RULES: tuple[Rule, ...] = (
    crash.RULE,
    harness.RULE,
    not_the_apps.RULE,
    in_the_way.RULE,
    expected.RULE,
    not_settled.RULE,
    no_effect.RULE,
    visual.RULE,
    functional.RULE,
)

__all__ = ["RULES", "Rule", "Ruling"]
