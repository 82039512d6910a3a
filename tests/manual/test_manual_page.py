"""Every manual on the page about manuals is one, and the page knows every field and verb."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pytest_apex.manual.load import ROOT, load_manual
from pytest_apex.model.manual import STEP_VERBS, Tier

PAGE = (Path(__file__).parents[2] / "docs" / "manuals.md").read_text("utf-8")
BLOCKS = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
#: What a part of a manual needs of the rest.
REST = {
    "match": "match: {bundleId: com.example.notes}\n",
    "screens": "screens: {login: Log in, list: Notes}\n",
    "controls": "controls: {send: Send}\n",
}


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_each_block_is_a_manual_or_a_part_of_one(number: int) -> None:
    block = BLOCKS[number]
    rest = "".join(text for key, text in REST.items() if not re.search(rf"^{key}:", block, re.MULTILINE))
    assert load_manual(block + rest, "manuals/notes.yaml").match.bundle_ids


def test_there_are_blocks() -> None:
    assert len(BLOCKS) >= 8


@pytest.mark.parametrize("word", [*ROOT.by_name, *STEP_VERBS, *(tier.value for tier in Tier)])
def test_each_field_verb_and_tier_is_described(word: str) -> None:
    assert re.search(rf"`{word}`|^\s*{word}:", PAGE, re.MULTILINE)
