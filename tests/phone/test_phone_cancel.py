"""A touch that breaks off: the system ends it without effect, and the next one is whole."""

from __future__ import annotations

from pytest_apex.backends.virtual import demo_app
from pytest_apex.model.action import Sample, Stroke, Track
from pytest_apex.phone.phone import Phone

#: On "Forgot password?".
TAP = Track("tap", (Stroke(0, (Sample(0, 270, 745), Sample(60, 270, 745))),))


def phone() -> Phone:
    made = Phone([demo_app()])
    made.launch("com.example.notes")
    made.clock.sleep(1.0)
    return made


def kinds(made: Phone) -> list[str]:
    made.clock.sleep(1.0)
    return [gesture.kind for gesture in made.recognised]


def test_a_cancelled_touch_has_no_effect() -> None:
    made = phone()
    made.pointer("down", 270, 1000)
    made.pointer("cancel", 0, 0)
    made.pointer("move", 270, 500)
    made.pointer("up", 270, 500)
    assert kinds(made) == []


def test_the_same_touch_not_cancelled_has_one() -> None:
    made = phone()
    made.pointer("down", 270, 1000)
    made.pointer("up", 270, 1000)
    assert kinds(made) == ["tap"]


def test_a_touch_after_one_that_was_left_is_whole() -> None:
    made = phone()
    made.pointer("down", 100, 1000)
    made.touch(TAP)
    made.pointer("move", 100, 500)
    made.pointer("up", 100, 500)
    made.clock.sleep(1.0)
    tree = made.tree()
    assert "Forgot your password?" in {tree.node(at).text for at in range(len(tree))}
