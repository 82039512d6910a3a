"""A sample of the drawn pages; `python tests/quality/defects.py` is the whole of them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
if str(HERE) not in sys.path:
    sys.path.insert(0, str(HERE))

import defect_seeds  # noqa: E402
import defects  # noqa: E402


@pytest.mark.parametrize("kind", [*defect_seeds.SEEDS])
def test_the_seeded_defect_is_found_and_nothing_else(kind: str) -> None:
    scores = {name: defects.Score() for name in defect_seeds.SEEDS}
    defects.judge(defects.draw(kind, 2, [""]), scores)
    lines = [line for score in scores.values() for line in score.lines]
    assert lines == []
    assert scores[kind].found == 1


@pytest.mark.parametrize("number", range(6))
def test_nothing_is_found_on_a_clean_page(number: int) -> None:
    scores = {name: defects.Score() for name in defect_seeds.SEEDS}
    defects.judge(defects.draw("", number, [""]), scores)
    assert [line for score in scores.values() for line in score.lines] == []


def test_a_page_is_the_same_each_time() -> None:
    one, other = (defects.draw("overlap", 1, [""]).page.picture() for _ in range(2))
    assert one == other


def test_a_missed_defect_and_a_false_finding_are_counted() -> None:
    scores = {name: defects.Score() for name in defect_seeds.SEEDS}
    case = defects.draw("overlap", 2, [""])
    assert case.seed is not None
    case.seed.at.drawn = ""  # not drawn: no overlap to be seen
    defects.judge(case, scores)
    assert (scores["overlap"].seeded, scores["overlap"].found) == (1, 0)
    clean = defects.draw("", 1, [""])
    clean.page.items[0].children[-1].text = "{{title}}"
    defects.judge(clean, scores)
    assert scores["unresolved_text"].false == 1
    assert scores["unresolved_text"].precision == 0
