"""Values as plain JSON."""

from __future__ import annotations

import json
import re
from pathlib import PurePosixPath

from pytest_apex.evidence.plain import json_line, plain, step_to_dict
from pytest_apex.model.action import TypeText
from pytest_apex.model.geometry import Point, Rect
from pytest_apex.model.look import Unsettled
from pytest_apex.model.step import Source, Step
from pytest_apex.model.target import By, Target
from pytest_apex.model.verdict import Artifact, Category, CheckResult, Finding, Outcome


def test_each_kind_of_value_has_a_plain_form() -> None:
    assert plain(Point(1, 2.5)) == [1, 2.5]
    assert plain(Rect(1, 2, 3, 4)) == [1, 2, 3, 4]
    assert plain(Category.CRASH) == "crash"
    assert plain(Target((By("id", "save"),))) == "id='save'"
    assert plain(re.compile("^Log")) == "/^Log/"
    assert plain(PurePosixPath("a/b")) == "a/b"
    assert plain(b"abc") == "<3 bytes>"
    assert plain({1: {"b", "a"}}) == {"1": ["a", "b"]}
    assert plain(float("inf")) == "inf"
    assert plain(Finding("r", "visual.overlap", "why", box=Rect(0, 0, 1, 1)))["box"] == [0, 0, 1, 1]


def test_a_step_names_its_looks_and_leaves_out_what_is_empty(screen_with, tap_between) -> None:
    before, after = screen_with(id="s1"), screen_with(id="s2")
    artifact = Artifact("before", "store/x.png", "image/png", "0" * 64, step="step-001")
    step = tap_between("step-001", before, after, source=Source("test_a.py", 7), evidence=(artifact,))
    fields = json.loads(json_line(step_to_dict(step)))
    assert fields["before"] == {"settled": True, "snapshot": "s1", "waited_ms": 10, "probes": 2}
    assert fields["after"]["snapshot"] == "s2"
    assert fields["action"] == {"verb": "tap", "at": [100, 20], "hold_ms": 0}
    assert fields["hit"]["point"] == [100, 20]
    assert fields["track"]["strokes"] == [{"finger": 0, "samples": [[0, 100, 20], [60, 100, 20]]}]
    assert fields["change"]["words"] == 'appeared: "Saved" (text)'
    assert fields["source"] == "test_a.py:7"
    assert fields["evidence"][0]["path"] == "store/x.png"
    assert "purpose" not in fields


def test_an_unsettled_look_says_why(screen_with) -> None:
    step = Step("step-001", "tap", "tap", settled_after=Unsettled(screen_with(), 5000, 40, "animating", ("spinner",)))
    assert step_to_dict(step)["after"] == {
        "settled": False,
        "snapshot": "s1",
        "waited_ms": 5000,
        "probes": 40,
        "why": "animating",
        "moving": ["spinner"],
    }


def test_a_secret_text_is_never_written() -> None:
    hidden = step_to_dict(Step("step-001", "type", "type", action=TypeText("sesame", secret=True)))
    shown = step_to_dict(Step("step-001", "type", "type", action=TypeText("milk")))
    assert hidden["action"] == {"verb": "type", "text": "•••", "secret": True}
    assert shown["action"]["text"] == "milk"


def test_checks_keep_their_outcome() -> None:
    result = CheckResult("overlap", "no text over text", Outcome.UNSURE, unknown=("no picture",))
    assert step_to_dict(Step("s", "look", "look", checks=(result,)))["checks"][0]["outcome"] == "unsure"


def test_a_line_survives_half_a_surrogate_pair_and_line_separators() -> None:
    line = json_line({"text": "a\ud83d\u2028b\nc"})
    assert line.count(b"\n") == 1
    assert json.loads(line) == {"text": "a\ud83d\u2028b\nc"}
