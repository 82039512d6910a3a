"""Words of our own in what is written: a common word as a password ("test") must not make them unreadable."""

from __future__ import annotations

import re

#: Fields, of records and of the dictionaries made of them, that hold nothing but words and names of our own.
FIELDS = frozenset(
    {
        "event", "outcome", "verdict", "category", "kind", "phase", "folder", "path", "media_type", "sha256", "step",
        "rule", "verb", "effect", "severity", "suspect", "platform", "file", "left_out",
    }
)  # fmt: skip
#: Fields that hold the id of a test: names from source code, and parameters.
TESTS = frozenset({"test"})

#: Names that are made of hashes or counted. A short secret ("1234") may stand in one by chance; masking it would break
#: the way to the file and hide nothing.
_MADE = re.compile(r"store/[0-9a-f]{32}\.\w+|[0-9a-f]{64}|tests/[\w.-]+-[0-9a-f]{8}/attempt-\d+|step-\d{3,}")

#: What a failing message begins with: `[functional.no_effect] `. Reports sort by it.
PREFIX = re.compile(r"\[(?:functional|visual|transient|crash|test|unsure)\b[\w.]*\] ")
#: A line of its own in the message of a failure that may be the test's mistake.
SUSPECT_LINE = "suspect: test"


def is_made(text: str) -> bool:
    """Whether a text is a name that was made of hashes or counted."""
    return _MADE.fullmatch(text) is not None
