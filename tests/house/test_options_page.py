"""Each option and marker has its heading in docs/options.md, with every way in that it has, and its default."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pytest_apex.plugin.marker_rules import RULES
from pytest_apex.plugin.options import OPTIONS, Option
from pytest_apex.settings import Settings


@pytest.fixture(scope="module")
def sections(root: Path) -> dict[str, str]:
    """Heading (its first code word) and text of each section."""
    page = (root / "docs" / "options.md").read_text("utf-8")
    parts = re.split(r"^### (.*)$", page, flags=re.MULTILINE)
    return {match.group(1): text for heading, text in zip(parts[1::2], parts[2::2], strict=True)
            if (match := re.search(r"`([^`( ]+)", heading))}  # fmt: skip


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_each_option_is_described_with_all_its_ways_in(option: Option, sections: dict[str, str]) -> None:
    heading = option.switch if option.flag else option.dest
    assert heading in sections
    text = sections[heading]
    assert len(text.split()) > 5
    ways = [option.dest] if option.flag else []
    for name in (*ways, *option.env):
        assert f"`{name}`" in text


def usual(option: Option) -> str:
    """The default as people write it; "" where nothing is set, or where it is no value but a rule."""
    part, _, name = option.place.partition(".")
    value = getattr(getattr(Settings(), part), name)
    if isinstance(value, bool):
        return "on" if value else "off"
    return f"{value:g}" if isinstance(value, (int, float)) else value if isinstance(value, str) else ""


@pytest.mark.parametrize("option", [option for option in OPTIONS if usual(option) and option.name != "seed"],
                         ids=lambda option: option.name)  # fmt: skip
def test_the_default_that_is_told_is_the_default(option: Option, sections: dict[str, str]) -> None:
    default = re.escape(usual(option))
    assert re.search(rf"[Dd]efault:? `?{default}\b", sections[option.switch if option.flag else option.dest])
    assert option.bare or re.search(rf"default: {default}\)|\b{default} \(default\)", option.help)


@pytest.mark.parametrize("option", [option for option in OPTIONS if option.many], ids=lambda option: option.name)
def test_a_list_is_called_one(option: Option, sections: dict[str, str]) -> None:
    assert re.search(r"\blist\b", sections[option.switch if option.flag else option.dest])


@pytest.mark.parametrize("marker", sorted(RULES))
def test_each_marker_is_described(marker: str, sections: dict[str, str]) -> None:
    assert len(sections[f"@pytest.mark.{marker}"].split()) > 5


def test_nothing_is_described_that_is_not_there(sections: dict[str, str]) -> None:
    known = {option.switch if option.flag else option.dest for option in OPTIONS}
    known |= {f"@pytest.mark.{marker}" for marker in RULES}
    known.add("--apex-doctor")  # it runs nothing, so that it is no setting of a run
    assert set(sections) - known == set()
