"""What is told of a control that another library did not find."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable

import pytest
from uiautomator2.exceptions import UiObjectNotFoundError, XPathElementNotFoundError

from pytest_apex.device.examining.failure import failure_of, root_of
from pytest_apex.errors import AppDied, TargetNotFound
from pytest_apex.gestures.language import parse_commands
from pytest_apex.model.snapshot import TreeBuilder


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (
            UiObjectNotFoundError({"code": -32002, "data": "Selector [text='Save (all)']", "method": "wait"}),
            "no control fits [text='Save (all)']",
        ),
        (
            XPathElementNotFoundError("#(XPath(\"//*[@text='Save']\"))"),
            "no control fits XPath(\"//*[@text='Save']\")",
        ),
        (UiObjectNotFoundError("gone"), "no control fits gone"),
        (UiObjectNotFoundError(), "no control fits ?"),
        (AssertionError("assert 1 == 2"), "assert 1 == 2"),
        (ValueError(), "ValueError"),
    ],
)
def test_its_selector_and_no_more(error: Exception, words: str) -> None:
    assert failure_of(error).message == words


class _Mute(Exception):
    def __str__(self) -> str:
        raise ValueError("no words")


def test_an_error_that_cannot_be_told_is_one_all_the_same() -> None:
    failure = failure_of(_Mute())
    assert (failure.type, failure.exception) == ("error", "_Mute")
    assert failure.message.startswith("_Mute, which can't be told")


def raised_from(outer: Exception, *causes: Exception) -> Exception:
    """`outer`, with the first of the causes as its cause, and so on."""
    chain = [outer, *causes]
    for error, cause in itertools.pairwise(chain):
        error.__cause__ = cause
    return outer


def test_a_page_objects_own_error_is_about_what_it_was_raised_from() -> None:
    missing, died = TargetNotFound("no control fits Save"), AppDied("it died")
    assert root_of(raised_from(RuntimeError("page"), missing)) is missing
    assert root_of(raised_from(RuntimeError("page"), ValueError("step"), died)) is died
    # What is ours or asserts speaks for itself, whatever led to it.
    assert root_of(raised_from(missing, died)) is missing
    asserted = AssertionError("wrong")
    assert root_of(raised_from(asserted, died)) is asserted
    # A mistake that was raised while another error was handled, or from none of ours, stays the test's.
    mistake = KeyError("x")
    mistake.__context__ = missing
    assert root_of(mistake) is mistake
    other = raised_from(RuntimeError("db"), ConnectionError("refused"))
    assert root_of(other) is other


def test_a_ring_of_causes_ends() -> None:
    one, two = ValueError("one"), ValueError("two")
    one.__cause__, two.__cause__ = two, one
    assert root_of(one) is one


def test_of_a_group_the_first_that_is_about_the_app() -> None:
    class Group(Exception):
        def __init__(self, *inside: Exception) -> None:
            self.exceptions = inside

    missing = TargetNotFound("no control fits Save")
    assert root_of(Group(ValueError("a"), Group(KeyError("b"), missing), AssertionError("c"))) is missing
    of_others = Group(ValueError("a"), KeyError("b"))
    assert root_of(of_others) is of_others


def raised(act: Callable[[], object]) -> Exception:
    """What the act raises."""
    try:
        act()
    except Exception as error:  # noqa: BLE001 - whatever it is
        return error
    raise AssertionError("nothing was raised")


def test_a_mistake_of_our_own_is_nobody_elses() -> None:
    tree = TreeBuilder().build()
    failure = failure_of(raised(lambda: tree.node(5).window))
    assert failure.kind == "unsure.internal_error"
    assert re.match(r"pytest-apex itself failed at pytest_apex/model/node\.py:\d+: IndexError: ", failure.message)
    assert "test_failure_words.py" in failure.source


def test_mistakes_of_a_test_are_not_taken_for_ours() -> None:
    wrong_argument = raised(lambda: TreeBuilder().open("text", 5))  # type: ignore[arg-type]
    refused = raised(lambda: parse_commands("q 1 2"))
    own = raised(lambda: {}["price"])
    for error in (wrong_argument, refused, own):
        assert failure_of(error).kind != "unsure.internal_error", error
