"""The JSON Schema of manuals, made from the tables that read them."""

from __future__ import annotations

from typing import Any

from pytest_apex.manual.flows import steps_schema
from pytest_apex.manual.load import ROOT
from pytest_apex.manual.targets import NEEDS, SHOWN, TARGET


def manual_schema() -> dict[str, Any]:
    """For `NAME.yaml`, and for the head of `NAME.md`. What it can't say is left to `pytest-apex check`: names that must
    be declared, numbers that must fit together, days of the calendar."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "App manual of pytest-apex",
        **ROOT.schema(),
        "$defs": {"steps": steps_schema(), **{one.ref: one.definition() for one in (TARGET, SHOWN, NEEDS)}},
    }
