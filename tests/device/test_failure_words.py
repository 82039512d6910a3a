"""What is told of a control that another library did not find."""

from __future__ import annotations

import pytest
from uiautomator2.exceptions import UiObjectNotFoundError, XPathElementNotFoundError

from pytest_apex.device.failure import failure_of


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
