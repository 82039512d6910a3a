"""What a look for defects is asked for beyond the rules' own ways: severities, a palette, known defects."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from pytest_apex.errors import ConfigError
from pytest_apex.model.geometry import Rect
from pytest_apex.model.node import Node
from pytest_apex.model.verdict import Finding
from pytest_apex.verify.checks.wrong_color import TOLERANCE
from pytest_apex.vision.color import parse_color
from pytest_apex.vision.pixels import Color

SEVERITIES = ("fail", "warn", "off")
#: Boxes of the tree are rounded to whole units.
_ROUNDING = 1.0


@dataclass(frozen=True, slots=True)
class KnownDefect:
    """Findings that someone knows of and does not want to hear of again: those of `rule` and of `kind` (`visual`,
    `visual.truncated`; "" for any) at the controls in `nodes`, which are named as findings name them, or inside
    `boxes`; with neither, anywhere. `reason` is for the record."""

    rule: str = ""
    kind: str = ""
    nodes: frozenset[str] = frozenset()
    boxes: tuple[Rect, ...] = ()
    reason: str = ""

    def covers(self, finding: Finding) -> bool:
        if self.rule not in ("", finding.rule) or not f"{finding.kind}.".startswith(
            f"{self.kind}." if self.kind else ""
        ):
            return False
        if not self.nodes and not self.boxes:
            return True
        box = finding.box
        inside = box is not None and any(known.encloses(box, _ROUNDING) for known in self.boxes)
        return inside or not self.nodes.isdisjoint(finding.nodes)


def known_at(nodes: Iterable[Node], reason: str) -> KnownDefect | None:
    """Whatever is wrong with these controls and with what is inside them; None for no controls."""
    named, boxes = set(), []
    for node in nodes:
        boxes.append(node.bounds)
        named |= {str(node), *map(str, node.descendants)}
    return KnownDefect(nodes=frozenset(named), boxes=tuple(boxes), reason=reason) if boxes else None


@dataclass(frozen=True, slots=True)
class Policy:
    """`rules` changes severities by a rule's name; `palette` turns `wrong_color` on; with `accessibility`, or where
    `rules` names a rule of it, that group is looked at too. Known defects are left out, and listed."""

    rules: Mapping[str, str] = field(default_factory=dict, hash=False)
    palette: tuple[Color, ...] = ()
    tolerance: float = TOLERANCE
    accessibility: bool = False
    known: tuple[KnownDefect, ...] = ()

    def severity(self, finding: Finding) -> str:
        return self.rules.get(finding.rule, finding.severity)


def checked_rules(
    rules: Mapping[str, str], names: Sequence[str], groups: Mapping[str, Sequence[str]]
) -> dict[str, str]:
    """`{"truncated": "warn"}` as it is, with the rules of a group in its place; `ConfigError` for a rule or severity
    that does not exist."""
    if not isinstance(rules, Mapping):
        raise ConfigError(
            "rules= takes the severity of each rule by its name",
            seen=repr(rules)[:120],
            cure='rules={"truncated": "warn", "overlap": "off"}',
        )
    severities: dict[str, str] = {}
    for name, severity in rules.items():
        if name not in names and name not in groups:
            raise unknown_rule(name, [*names, *groups])
        if severity not in SEVERITIES:
            raise ConfigError(
                f"the rule {name!r} can't have this severity",
                seen=repr(severity),
                cure=f"one of {', '.join(SEVERITIES)}",
            )
        severities |= dict.fromkeys(groups.get(name, (name,)), severity)
    return {**severities, **{name: severity for name, severity in rules.items() if name in names}}


def unknown_rule(name: object, names: Sequence[str]) -> ConfigError:
    near = difflib.get_close_matches(str(name), names, n=1)
    return ConfigError(
        "there is no such rule for defects",
        seen=repr(name),
        likely=f"{near[0]!r} is meant" if near else "",
        cure=f"one of {', '.join(names)}",
    )


def palette_of(colors: Iterable[str] | None) -> tuple[Color, ...]:
    """`["#0057B8", "#FFFFFF"]` as colours, none for None; `ConfigError` for what is none, and for an empty list, which
    would ask nothing."""
    if colors is None:
        return ()
    if isinstance(colors, str) or not isinstance(colors, Iterable):
        raise ConfigError(
            "palette= takes a list of colours", seen=repr(colors)[:120], cure='palette=["#0057B8", "#FFFFFF"]'
        )
    known = tuple(parse_color(color) for color in colors)
    if not known:
        raise ConfigError("palette= has no colour in it", cure="list the declared colours, or leave palette= out")
    return known
