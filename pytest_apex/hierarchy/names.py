"""Comparing the words on controls."""

from __future__ import annotations

import re

_SPACES = re.compile(r"\s+")


def plain(text: str) -> str:
    """Without case and with single spaces: what a person would call the same words."""
    return _SPACES.sub(" ", text).strip().casefold()


def short_id(identifier: str) -> str:
    """The part of an Android resource id after `:id/`; other ids whole."""
    return identifier.rpartition(":id/")[2]
