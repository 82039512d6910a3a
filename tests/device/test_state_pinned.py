"""Numbers of `device.state()`: they stay with their control, and are refused once it is gone or another one."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_apex.device.examining.failure import failure_of
from pytest_apex.device.expect import expect
from pytest_apex.errors import CheckFailed, ConfigError, TargetNotFound, TargetStale
from pytest_apex.verify.judge import judge


def numbered(state: Any, words: str) -> int:
    """The number on the line with these words."""
    line = next(line for line in state.text.splitlines() if words in line)
    return int(line.strip()[1:].partition("]")[0])


def test_a_state_reads_like_a_text_and_counts_its_controls(seeing: Any) -> None:
    state = seeing().state()
    assert str(state) == state.text
    assert '[1] button "More" #more' in state.text
    assert len(state) == len(list(state)) == len(state.nodes)
    assert repr(state) == f"<state of com.example.seeing: {len(state)} controls>"


def test_a_number_acts_on_its_control(seeing: Any) -> None:
    device = seeing()
    step = device.state()[1].tap()
    assert step.named == 'tap [1] "More" (button)'
    assert device.find(id="badge").text == "2"


def test_it_stays_with_the_control_when_others_move_change_and_scroll(seeing: Any) -> None:
    device = seeing()
    state = device.state()
    switch, six = state[numbered(state, "#wifi")], state[numbered(state, '"Three"')]
    device.tap(device.find(id="both"))
    assert switch.text == ""
    expect(switch).to_be_checked()
    device.swipe("up")
    six.tap()
    device.swipe("down")
    expect(device.find(id="badge")).to_have_text("Three")


def test_a_control_that_is_gone_is_refused_at_once(seeing: Any) -> None:
    device = seeing()
    state = device.state()
    row = state[numbered(state, "#more")]
    device.swipe("up")
    before = device.context.backend.clock.now()
    with pytest.raises(TargetStale, match="is not what it was") as caught:
        row.tap()
    assert "it is gone" in caught.value.seen
    assert device.context.backend.clock.now() - before < 1
    with pytest.raises(TargetStale):
        _ = row.text
    case = device.examine(failure_of(caught.value))
    assert judge(case).category is None


def test_the_same_words_on_another_screen_are_another_control(seeing: Any) -> None:
    device = seeing()
    state = device.state()
    details = state[numbered(state, '"Details"')]
    details.tap()
    expect(device.find("Made in Bergen")).to_be_visible()
    assert device.find("Details", nth=-1).count() == 1
    with pytest.raises(TargetStale) as caught:
        details.tap()
    assert "another screen" in caught.value.seen
    # The innocent twin: back where it was read, it works again.
    device.press("back")
    expect(details).to_be_visible()


def test_a_check_on_a_control_that_is_gone_tells_it(seeing: Any) -> None:
    device = seeing()
    state = device.state()
    row = state[numbered(state, "#more")]
    device.swipe("up")
    with pytest.raises(CheckFailed) as caught:
        expect(row).to_be_visible(timeout=0.2)
    assert "it is gone" in caught.value.seen


def test_numbers_that_nothing_has(seeing: Any) -> None:
    state = seeing().state()
    with pytest.raises(TargetNotFound, match="nothing has the number 99") as caught:
        state[99]
    assert f"0 to {len(state) - 1}" in caught.value.seen
    with pytest.raises(TargetNotFound):
        state[-1]
    with pytest.raises(ConfigError):
        state["1"]


def test_no_step_holds_the_look_that_its_number_was_read_from(seeing: Any) -> None:
    device = seeing()
    step = device.state()[1].tap()
    assert step.target is not None
    assert [by.value for by in step.target.by] == ['[1] "More" (button)']
