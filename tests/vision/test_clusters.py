"""Groups of marked pixels, and the fullest window."""

from __future__ import annotations

import numpy as np
import pytest

from pytest_apex.model.geometry import Rect
from pytest_apex.vision import clusters


def test_groups_have_their_box_and_their_number() -> None:
    marked = np.zeros((100, 90), dtype=bool)
    marked[3:10, 5:8] = True
    marked[90:100, 80:90] = True
    assert clusters.groups(marked, 10, 20) == [(Rect(15, 23, 18, 30), 21), (Rect(90, 110, 100, 120), 100)]
    assert clusters.groups(np.zeros((5, 5), dtype=bool)) == []


@pytest.mark.parametrize(("height", "width"), [(1, 1), (5, 200), (31, 33), (290, 40), (700, 35), (32, 32)])
def test_the_fullest_window_is_the_fullest(height: int, width: int) -> None:
    rng = np.random.default_rng(height * width)
    marked = rng.random((height, width)) < 0.3
    marked[height // 2 : height // 2 + 20, : width // 2] = True
    size = clusters.WINDOW
    by_hand = max(
        int(marked[y : y + size, x : x + size].sum())
        for y in range(max(1, height - size + 1))
        for x in range(max(1, width - size + 1))
    )
    assert clusters.fullest_window(marked) == by_hand
