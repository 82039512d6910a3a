"""`check`, `uncheck` and `set_value` aimed at the label of a row."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_apex.device.expect import expect
from pytest_apex.errors import ActionRefused, CapabilityMissing, ConfigError, TargetAmbiguous


def test_a_label_stands_for_the_switch_in_its_row(seeing: Any) -> None:
    device = seeing()
    step = device.find("Wi-Fi").check()
    assert step.note == '"wifi" (switch): the one in the row of "Wi-Fi"'
    assert step.hit.node.role == "switch"
    expect(device.find(id="wifi")).to_be_checked()
    assert device.find("Wi-Fi").check() is None
    assert device.find("Wi-Fi").uncheck() is not None
    expect(device.find(id="wifi")).not_to_be_checked()


def test_the_switch_itself_needs_no_note(seeing: Any) -> None:
    assert seeing().find(id="wifi").check().note == ""


def test_two_in_a_row_are_an_error_that_names_them(seeing: Any) -> None:
    device = seeing()
    with pytest.raises(TargetAmbiguous, match='2 controls are in the row of "Feedback"') as caught:
        device.find("Feedback").check()
    assert [node.identifier.rpartition("/")[2] for node in caught.value.candidates] == ["sound", "haptics"]
    expect(device.find(id="sound")).not_to_be_checked()
    expect(device.find(id="haptics")).not_to_be_checked()


def test_a_label_without_one_is_refused(seeing: Any) -> None:
    with pytest.raises(ActionRefused, match="is no switch, check box or radio button, and none is in its row"):
        seeing().find("Inbox").check()


def test_set_value_fills_the_field_on_the_line_of_its_label(seeing: Any) -> None:
    device = seeing()
    step = device.find("Name").set_value("Ada")
    assert step.note == '"name" (text_field): the one in the row of "Name"'
    assert device.find(id="name").value == "Ada"
    device.find(id="name").set_value("Bob")
    assert device.find(id="name").value == "Bob"


def test_a_slider_is_refused_by_the_name_of_what_the_device_cannot(
    seeing: Any, screen: Any, still: Any, part: Any
) -> None:
    device = seeing()
    slider = screen(lambda t: [*still, part("slider", (10, 200, 190, 230), "Volume")])
    device.context.eyes.look = slider.look
    with pytest.raises(CapabilityMissing, match="can't set a slider to a value"):
        device.find("Volume").set_value("3")


@pytest.mark.parametrize("label", ["Wi-Fi", "Feedback"])
def test_a_row_of_the_other_kind_names_the_verb_for_it(seeing: Any, label: str) -> None:
    device = seeing()
    with pytest.raises(ActionRefused) as caught:
        device.find(label).set_value("on")
    assert caught.value.cure == "check() or uncheck() for a switch, check box or radio button"
    assert "(switch at " in caught.value.seen
    with pytest.raises(ActionRefused) as caught:
        device.find("Name").check()
    assert caught.value.cure == "set_value(…) for a text field, slider or picker"
    with pytest.raises(ActionRefused) as caught:
        device.find("Inbox").set_value("on")
    assert caught.value.cure.startswith("aim at the control itself")


@pytest.mark.parametrize("value", [True, None, 5, b"on"])
def test_what_is_no_text_is_refused_by_the_verb_that_was_called(seeing: Any, value: Any) -> None:
    device = seeing()
    for verb in ("set_value", "fill"):
        with pytest.raises(ConfigError, match=rf"{verb}\(\) takes text"):
            getattr(device.find("Name"), verb)(value)
    with pytest.raises(ConfigError, match="max_swipes takes a whole number"):
        device.find("Name").scroll_into_view(max_swipes=str(value))
