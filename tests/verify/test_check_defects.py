"""All checks together: outcomes, one cause one report, what could not be judged, checks of others."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pytest_apex.errors import ConfigError
from pytest_apex.model.geometry import Size
from pytest_apex.model.node import NodeState
from pytest_apex.model.snapshot import Snapshot, TreeBuilder
from pytest_apex.model.verdict import CheckResult, Finding, Outcome
from pytest_apex.verify import checks
from pytest_apex.verify.checks import ACCESSIBILITY, BUILTIN, check_defects, find_defects, rule_names
from pytest_apex.vision.image import from_png


class Brand:
    """A check of someone else."""

    name = "brand"
    claim = "the logo is there"
    kind = "visual.brand"

    def __init__(self, answer: Any, applies: bool = True) -> None:
        self._answer, self._applies = answer, applies

    def applies(self, snapshot: Snapshot) -> bool:
        return self._applies

    def run(self, snapshot: Snapshot) -> CheckResult:
        if isinstance(self._answer, Exception):
            raise self._answer
        return CheckResult(self.name, self.claim, Outcome.PASS, tuple(self._answer), ("the small print",))


def told(answer: CheckResult) -> tuple[str, ...]:
    """What is unknown, beside the contrast of the test's texts: they are drawn as bars."""
    return tuple(item for item in answer.unknown if not item.startswith("low_contrast: "))


def test_the_built_in_checks() -> None:
    assert [check.name for check in BUILTIN] == [
        "blank", "unresolved_text", "occluded", "overlap", "off_screen", "truncated", "low_contrast", "missing_image",
        "misaligned",
    ]  # fmt: skip
    assert all(check.kind == f"visual.{check.name}" and check.claim for check in BUILTIN)


def test_the_group_for_people_who_see_less_well() -> None:
    assert [check.name for check in ACCESSIBILITY] == ["touch_target", "contrast", "duplicate_label", "missing_label"]
    assert all(check.kind == f"accessibility.{check.name}" and check.claim for check in ACCESSIBILITY)
    assert len(set(rule_names())) == len(BUILTIN) + len(ACCESSIBILITY) + 1


def test_a_clean_screen_passes(make: Any) -> None:
    answer = check_defects(make.look())
    assert (answer.outcome, answer.findings, told(answer)) == (Outcome.PASS, (), ())


@pytest.mark.parametrize("picture", [None, "black", "secure"])
def test_without_a_picture_nothing_is_passed(make: Any, picture: str | None) -> None:
    answer = check_defects(make.look(picture=picture))
    assert answer.outcome is Outcome.UNSURE
    assert "picture" in answer.unknown[0]


def test_without_a_picture_the_tree_is_still_read(make: Any) -> None:
    answer = check_defects(make.look(make.page(make.N("text", "{{name}}")), picture=None))
    assert answer.outcome is Outcome.FAIL
    assert [finding.rule for finding in answer.findings] == ["unresolved_text"]


@pytest.mark.parametrize("size", [Size(480, 240), Size(240, 240), Size(480, 480), Size(0, 0), Size(240, 478)])
def test_a_picture_of_another_size_tells_nothing(make: Any, size: Size) -> None:
    look = make.look()
    answer = check_defects(replace(look, screen=replace(look.screen, size=size)))
    fits = size == Size(240, 478)
    assert (answer.outcome is Outcome.PASS) is fits
    assert fits or "size" in answer.unknown[0]


@pytest.mark.parametrize("title", ["Mail keeps stopping", None])
def test_a_dialog_of_the_system_hides_the_app(make: Any, title: str | None) -> None:
    dialog = make.crash_dialog(title) if title else make.permission_dialog()
    assert check_defects(make.look(make.page(), dialog)).outcome is Outcome.UNSURE


def test_a_dialog_of_the_app_is_judged_and_what_lies_under_it_named(make: Any) -> None:
    below = make.N("text", "{{hidden}}", (20, 60, 90, 80))
    answer = check_defects(make.look(make.page(below, make.own_dialog("Delete?"))))
    assert (answer.outcome, answer.findings) == (Outcome.PASS, ())
    assert "under dialog" in answer.unknown[0]
    inside = check_defects(make.look(make.page(below, make.own_dialog("{{question}}"))))
    assert [finding.rule for finding in inside.findings] == ["unresolved_text"]


def test_a_blind_tree_tells_nothing(make: Any) -> None:
    blind = make.look(make.W([make.N("group", "", (0, 0, 240, 480))]))
    drawn = check_defects(replace(blind, picture=make.look().picture))
    assert drawn.outcome is Outcome.UNSURE
    assert drawn.unknown[0].startswith("the tree says nothing")
    assert check_defects(replace(blind, picture=make.look(picture="blank").picture)).outcome is Outcome.FAIL  # is blank


def test_a_blank_screen_is_one_finding(make: Any) -> None:
    [finding] = find_defects(make.look(make.page(make.N("text", "{{x}}")), picture="blank"))
    assert finding.kind == "visual.blank"


def test_home_screen_and_splash_are_not_blank(make: Any) -> None:
    home = make.look(make.home(), picture="blank", front="com.example.launcher")
    assert find_defects(home) == []
    splash = make.W([make.N("group", box=(0, 0, 240, 480))], title="Splash Screen com.example.notes")
    assert find_defects(make.look(splash, picture="blank")) == []


def test_one_cause_one_report(make: Any) -> None:
    node = make.N("button", "{{share}}", (150, 60, 280, 90), states=NodeState.VISIBLE | NodeState.CLICKABLE)
    assert [finding.rule for finding in find_defects(make.look(make.page(node)))] == ["unresolved_text"]
    node.text = "Share"
    assert [finding.rule for finding in find_defects(make.look(make.page(node)))] == ["off_screen"]


def test_a_check_of_someone_else(make: Any) -> None:
    look = make.look()
    finding = Finding("brand", "visual.brand", "no logo")
    answer = check_defects(look, [Brand([finding])])
    assert (answer.outcome, answer.findings) == (Outcome.FAIL, (finding,))
    assert told(answer) == ("brand: the small print",)
    assert check_defects(look, [Brand([finding], applies=False)]).outcome is Outcome.PASS
    mild = Finding("brand", "visual.brand", "an old logo", "warn")
    assert check_defects(look, [Brand([mild])]).outcome is Outcome.PASS


def test_a_check_that_raises_is_unknown(make: Any) -> None:
    answer = check_defects(make.look(), [Brand(ZeroDivisionError("division by zero"))])
    assert answer.outcome is Outcome.PASS
    assert told(answer) == ("brand: ZeroDivisionError: division by zero",)


def test_nothing_on_the_screen_and_no_window(make: Any) -> None:
    answer = check_defects(make.look(make.W([], kind="status_bar")))
    assert answer.outcome is Outcome.PASS
    assert answer.unknown == ("no window is in front",)


def test_ten_thousand_levels(make: Any) -> None:
    builder = TreeBuilder()
    for at in range(10_000):
        builder.open(("list", "cell", "text", "button")[at % 4], (0, 40, 300, 200), text=f"{{{{x{at % 3}}}}}")
    look = replace(make.look(), tree=builder.build())
    assert {finding.rule for finding in find_defects(look)} <= {"unresolved_text", "off_screen"}


@pytest.mark.parametrize("edge", [float("inf"), float("-inf"), float("nan")])
def test_edges_that_are_no_numbers(make: Any, edge: float) -> None:
    boxes = [(edge, edge, edge, edge), (0, 0, edge, edge), (edge, 10, 50, 60), (20, 90, 10, 80), (0, edge, 99, 120)]
    nodes = [make.N(role, "Text", box) for box in boxes for role in ("text", "button", "list")]
    look = make.look(make.page(make.N("text", "usual"), *nodes), picture=None)
    drawn = replace(look, picture=make.look().picture)
    assert checks.check_defects(drawn).outcome in (Outcome.PASS, Outcome.FAIL)


@pytest.mark.parametrize("wrong", [None, 5, b"x", {}, "<hierarchy/>", Snapshot])
def test_what_is_no_snapshot_is_refused(wrong: Any) -> None:
    with pytest.raises(ConfigError, match="looked for in a Snapshot"):
        find_defects(wrong)


def test_a_picture_that_can_not_be_decoded_passes_nothing_and_ends_nothing(make: Any) -> None:
    look = make.look()
    half = from_png(look.picture.png()[:-40])
    answer = check_defects(replace(look, picture=half))
    assert answer.outcome is Outcome.UNSURE
    assert "can't decode the picture" in answer.unknown[0]
