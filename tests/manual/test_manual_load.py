"""Reading one manual: its two forms, and what is meant by short and by loose writing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pytest_apex.errors import ManualError
from pytest_apex.manual import load
from pytest_apex.manual.appearances import odd_kind
from pytest_apex.manual.load import SUMMARY_LENGTH, is_manual_name, load_manual
from pytest_apex.manual.lookup import control_called
from pytest_apex.model.geometry import Rect
from pytest_apex.model.manual import Manual, Match, Tier, key_combination
from pytest_apex.model.target import By, Target

MATCH = "match: {bundleId: com.example.notes}\n"


def manual(text: str, source: str = "manuals/notes.yaml") -> Manual:
    return load_manual(text, source)


def mistakes(text: str | bytes, source: str = "manuals/notes.yaml") -> list[str]:
    with pytest.raises(ManualError) as caught:
        load_manual(text, source)
    return [str(one).removeprefix(f"{source}:") for one in caught.value.mistakes]


def test_the_smallest_manual_says_which_app_it_is_for() -> None:
    assert manual(MATCH) == Manual("notes", "manuals/notes.yaml", Match(("com.example.notes",)))


@pytest.mark.parametrize("text", ["", "summary: Notes", "match:", "match: 3", "[]", "match: {version: '2'}"])
def test_a_manual_that_is_for_no_app_is_none(text: str) -> None:
    assert mistakes(text)


def test_prose_and_fields_of_a_markdown_file() -> None:
    read = manual(f"---\n{MATCH}---\n\n# Notes\n\nKeeps notes,\nnewest first.\n\nMore.\n", "manuals/notes.md")
    assert read.body == "# Notes\n\nKeeps notes,\nnewest first.\n\nMore."
    assert read.summary == "Keeps notes, newest first."
    assert (read.name, read.source) == ("notes", "manuals/notes.md")


def test_a_summary_that_is_given_goes_before_the_prose() -> None:
    assert manual(f"---\n{MATCH}summary: Short\n---\nLong\n", "n.md").summary == "Short"


def test_a_summary_from_the_prose_is_short() -> None:
    summary = manual(f"---\n{MATCH}---\n{'word ' * 200}", "n.md").summary
    assert len(summary) == SUMMARY_LENGTH
    assert summary.endswith("…")


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("end", ["---", "..."])
def test_places_count_from_the_first_line_of_a_markdown_file(newline: str, mark: str, end: str) -> None:
    text = mark + newline.join(["---", "match: {bundleId: a}", "controls:", "  save: {lable: x}", end, "Prose"])
    assert mistakes(text, "n.md") == ['4:10  controls.save: unknown key "lable"; did you mean "label"?']


def test_prose_that_is_no_utf8_is_told_with_its_line() -> None:
    assert mistakes(f"---\n{MATCH}---\nfine\nnot ".encode() + b"\xff\n", "n.md") == ["5:1  not UTF-8: byte 0xff"]


def test_a_rule_in_the_prose_ends_nothing() -> None:
    assert manual(f"---\n{MATCH}---\nOne\n\n---\n\nTwo\n", "n.md").body == "One\n\n---\n\nTwo"


@pytest.mark.parametrize(
    "written",
    ["bundleId: a", "bundle_id: a", "BUNDLEID: a", "bundle-id: a", "bundleIds: [a]", "Bundle Id: [a]"],
)
def test_keys_of_match_are_read_however_they_are_written(written: str) -> None:
    assert manual(f"match: {{{written}}}").match == Match(("a",))


def test_keys_elsewhere_are_read_as_they_are() -> None:
    assert mistakes(f"{MATCH}Controls: {{}}") == ['2:1  unknown key "Controls"; did you mean "controls"?']


def test_the_ways_to_a_control_stand_in_the_order_in_which_they_are_tried() -> None:
    (control,) = manual(f"{MATCH}controls: {{save: {{text: Save, label: S, id: [a, b], role: button}}}}").controls
    button = By("role", "button")
    assert control.targets == tuple(
        Target((by, button)) for by in (By("id", "a"), By("id", "b"), By("label", "S"), By("text", "Save"))
    )


def test_part_of_the_words_of_a_control() -> None:
    (control,) = manual(f"{MATCH}controls: {{hello: {{text: Welcome, exact: false}}}}").controls
    assert control.targets == (Target((By("text", "Welcome"),), exact=False),)


def test_a_region_is_x_y_width_height() -> None:
    read = manual(f"{MATCH}controls: {{save: {{region: [900, 0, 100, 50]}}}}")
    assert read.controls[0].region == Rect(900, 0, 1000, 50)
    assert read.warnings == (
        "manuals/notes.yaml:2:12  controls.save: has a region only: whatever lies there is taken for it; "
        "give id, label or text",
    )


def test_a_region_beside_another_way_is_no_warning() -> None:
    assert manual(f"{MATCH}controls: {{save: {{id: a, region: [900, 0, 100, 50]}}}}").warnings == ()


def test_a_list_of_what_cant_be_undone_is_the_normal_tier() -> None:
    acts = manual(f"{MATCH}irreversible: [key:cmd+enter, intent:pay]").irreversible
    assert [(str(one), one.tier) for one in acts] == [("key:cmd+enter", Tier.NORMAL), ("intent:pay", Tier.NORMAL)]


def test_what_cant_be_undone_by_tier() -> None:
    text = f"{MATCH}irreversible: {{hand_off: [intent:pay], critical: 'region:0,0,10,20', normal: [key:enter]}}"
    acts = manual(text).irreversible
    assert [(one.tier.value, str(one)) for one in acts] == [
        ("normal", "key:enter"), ("critical", "region:0,0,10,20"), ("hand_off", "intent:pay"),
    ]  # fmt: skip
    assert acts[1].region == Rect(0, 0, 10, 20)


def test_each_says_how_far_it_can_be_checked() -> None:
    text = f"{MATCH}controls: {{pay: Pay}}\nirreversible: [key:enter, 'region:0,0,10,20', control:pay, intent:pay]"
    checked = {one.what: one.checked for one in manual(text).irreversible}
    assert set(checked) == {"key", "region", "control", "intent"}
    assert "declares this purpose" in checked["intent"]


@pytest.mark.parametrize(
    ("written", "keys"),
    [
        ("cmd+enter", ("cmd", "enter")), ("Enter+CMD", ("cmd", "enter")), ("return + Command", ("cmd", "enter")),
        ("shift+ctrl+a", ("ctrl", "shift", "a")), ("Page Down", ("page_down",)), ("⌘+⏎", ("cmd", "enter")),
        ("", ()), ("cmd+", ()), ("+", ()), ("a+a", ()), ("cmd+command", ()),
    ],
)  # fmt: skip
def test_order_and_case_of_a_combination_do_not_matter(written: str, keys: tuple[str, ...]) -> None:
    assert key_combination(written) == keys


@pytest.mark.parametrize("number", ["0123", "1.40", "12"])
def test_a_number_is_no_text_as_it_may_have_lost_zeros(number: str) -> None:
    assert mistakes(f"{MATCH}flows: {{a: {{steps: [{{type: {number}}}]}}}}") == [
        "2:28  flows.a.steps[0].type: expected text, got a number; put it in quotes"
    ]


def test_a_name_from_the_control_that_has_mistakes_is_no_second_mistake() -> None:
    told = mistakes(f"{MATCH}controls: {{save: {{id: 3}}}}\nirreversible: [control:save]")
    assert told == ["2:23  controls.save.id: expected text, got a number; put it in quotes"]


@pytest.mark.parametrize("name", ["save", "SAVE", "keep it", "Keep  It"])
def test_a_control_is_meant_by_its_name_or_alias_in_any_case(name: str) -> None:
    text = f"{MATCH}controls: {{save: {{id: a, aliases: [keep it, Save]}}}}\nirreversible: ['control:{name}']"
    assert manual(text).irreversible[0].value == name


@pytest.mark.parametrize(
    ("file", "is_one"),
    [
        ("notes.yaml", True), ("notes.md", True), ("com.example.notes.yaml", True), ("_notes.yaml", False),
        (".notes.yaml", False), ("README.md", False), ("readme.md", False), ("notes.yml", False), ("notes.txt", False),
        ("yaml", False),
    ],
)  # fmt: skip
def test_which_files_are_manuals(file: str, is_one: bool) -> None:
    assert is_manual_name(file) is is_one


def test_a_file_that_is_full_of_mistakes_is_read_in_a_time_that_grows_with_it() -> None:
    """Each of these took minutes where a mistake is looked for among all others."""
    many = range(6000)
    empty = "".join(f"  c{n}: {{}}\n" for n in many)
    assert len(mistakes(f"{MATCH}controls:\n{empty}")) == len(many)
    unknown = "".join(f"- control:control number {n}\n" for n in many)
    assert len(mistakes(f"{MATCH}controls: {{c: C}}\nirreversible:\n{unknown}")) == len(many)


def test_a_long_chain_of_flows_and_a_circle_at_its_end() -> None:
    chain = "".join(f"  f{n}: {{steps: [{{flow: f{n + 1}}}]}}\n" for n in range(3000))
    fine = f"{MATCH}flows:\n{chain}  f3000: {{steps: [{{wait: 1}}]}}\n"
    assert len(manual(fine).flows) == 3001
    (told,) = mistakes(fine.replace("{wait: 1}", "{flow: f2000}"))
    names = " → ".join(f"f{n}" for n in range(2000, 2008))
    assert told == f"2003:3  flows.f2000: leads into itself: {names} → … → f3000 → f2000"


def test_each_circle_is_told_once() -> None:
    flows = {"a": "b", "b": "c", "c": "a", "d": "a", "e": "e", "f": "g", "g": "h"}
    lines = "".join(f"  {name}: {{steps: [{{flow: {to}}}]}}\n" for name, to in flows.items())
    assert mistakes(f"{MATCH}flows:\n{lines}  h: {{steps: [{{wait: 1}}]}}\n") == [
        "3:3  flows.a: leads into itself: a → b → c → a", "7:3  flows.e: leads into itself: e → e",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("value", "what"),
    [
        ("!!", 'expected a purpose in words, got "!!"'),
        ("send-*", '"send-*" is a pattern, which is for what is allowed; here each purpose is named'),
    ],
)
def test_an_intent_is_a_purpose_in_words(value: str, what: str) -> None:
    assert mistakes(f'{MATCH}irreversible: ["intent:{value}"]') == [f"2:16  irreversible[0]: {what}"]
    assert manual(f"{MATCH}irreversible: ['intent:Really send?', 'intent:支付']").irreversible


def test_nothing_in_place_of_the_acts_is_told() -> None:
    assert mistakes(f"{MATCH}irreversible:\n") == [
        "2:14  irreversible: expected a list of acts, or a list for each tier (normal, critical, hand_off), got nothing"
    ]


@pytest.mark.parametrize("group", ["controls", "live_regions"])
def test_a_region_without_its_key_is_told(group: str) -> None:
    (told,) = mistakes(f"{MATCH}{group}: {{clock: [0, 0, 1000, 100]}}")
    assert told.endswith("a region is written {region: [x, y, width, height]}")


def test_several_texts_of_a_control_may_stand_alone() -> None:
    assert len(manual(f"{MATCH}controls: {{save: [Save, Keep]}}").controls[0].targets) == 2


@pytest.mark.parametrize(("one", "other"), [("\u00e9", "e\u0301"), ("save", "sa\u200bve"), ("Save  it", "save it")])
def test_names_that_look_the_same_are_one_name(one: str, other: str) -> None:
    (told,) = mistakes(f"{MATCH}controls:\n  {one}: {{id: a}}\n  {other}: {{id: b}}\n")
    assert "is taken by the control in line 3" in told
    read = manual(f"{MATCH}controls: {{{one}: {{id: a}}}}\nirreversible: ['control:{other}']\n")
    assert control_called(read, other) is control_called(read, read.irreversible[0].value) is read.controls[0]


def test_a_name_that_nobody_sees_is_none() -> None:
    (told,) = mistakes(f"{MATCH}controls:\n  \u200b: {{id: a}}\n")
    assert "expected a name before the colon" in told


def test_a_kind_that_nothing_tells_is_a_warning() -> None:
    text = f"{MATCH}expected: {{cut: {{what: a line is cut, reason: accepted, kind: KIND}}}}"
    assert manual(text.replace("KIND", "visual.truncatd")).warnings == (
        'manuals/notes.yaml:2:12  expected.cut.kind: only a check of your own can tell "visual.truncatd"; '
        'did you mean "visual.truncated"?',
    )


@pytest.mark.parametrize(
    "kind", ["visual", "visual.truncated", "accessibility.touch_target", "transient.harness.blind_tree"]
)
def test_a_kind_that_is_told_is_no_warning(kind: str) -> None:
    read = manual(f"{MATCH}expected: {{cut: {{what: a line is cut, reason: accepted, kind: {kind}}}}}")
    assert (read.expected[0].kind, read.warnings) == (kind, ())


def test_every_kind_that_the_tool_tells_is_known() -> None:
    package = Path(load.__file__).parents[1]
    kinds = re.compile(r'"((?:functional|visual|transient|accessibility)\.[a-z_.]+[a-z])"')
    files = [path for room in ("verify", "device", "vision") for path in (package / room).rglob("*.py")]
    told = {kind for path in files for kind in kinds.findall(path.read_text("utf-8"))}
    assert len(told) > 25
    assert {kind for kind in told if odd_kind(kind)} == set()
