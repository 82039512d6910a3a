"""What the built-in phone shows is called the same when it is read from its dump, which ends at the screen's edge."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pytest_apex import Snapshot, find_defects
from pytest_apex.backends.virtual import VirtualBackend, read_app
from pytest_apex.phone.phone import Phone
from pytest_apex.phone_wires.uiautomator.dump import dump

SHELF = Path(__file__).parents[1] / "verify" / "phone_app.yaml"


def looks(fault: str | None) -> tuple[Snapshot, Snapshot]:
    """One screen, as the phone knows it and as its dump tells it."""
    phone = Phone([read_app(SHELF)], fault=fault)
    phone.launch(phone.machine.apps[0].id)
    phone.clock.sleep(3)
    inside = VirtualBackend(phone).capture()
    return inside, replace(inside, tree=Snapshot.from_source(dump(phone)).tree)


@pytest.mark.parametrize("fault", ["text_overlap", "cut_label", "off_screen", "misaligned", "blank", "unresolved_text"])
def test_a_defect_has_its_kind_in_the_dump_too(fault: str) -> None:
    inside, dumped = ([found.kind for found in find_defects(look) if found.severity == "fail"] for look in looks(fault))
    assert dumped == inside == [f"visual.{fault.replace('text_overlap', 'overlap').replace('cut_label', 'truncated')}"]


def test_a_clean_screen_is_clean_in_the_dump_too() -> None:
    assert [find_defects(look) for look in looks(None)] == [[], []]
