"""Patterns of `apex_redact`: read, and refused when they would mask everything."""

from __future__ import annotations

import re

from pytest_apex.errors import ConfigError

#: A pattern that finds something in each of these finds something in every word.
_ALL_SORTS = ("q", "Q", "5")


def is_expression(entry: str) -> bool:
    """Whether an entry is a pattern: it stands between slashes, or is nothing but slashes."""
    return entry in ("/", "//") or (len(entry) > 2 and entry.startswith("/") and entry.endswith("/"))


def expression_of(entry: str) -> re.Pattern[str]:
    """The pattern. Raises `ConfigError` for one that can't be read, that matches the empty text, or every word."""
    try:
        expression = re.compile(entry[1:-1])
    except re.error as error:
        at = "" if error.pos is None else f" at column {error.pos + 2}"
        raise ConfigError(
            f"can't read the pattern {entry} in apex_redact",
            seen=f"{error.msg}{at}",
            likely="what stands between slashes is a regular expression",
            cure="correct it, or leave out the slashes if the text itself is the secret",
        ) from error
    seen = ""
    if expression.search(""):
        seen = "it matches the empty text"
    elif all(map(expression.search, _ALL_SORTS)):
        seen = "it matches every word"
    if seen:
        raise ConfigError(
            f"the pattern {entry} in apex_redact would mask everything",
            seen=seen,
            likely="a * where a + is meant, or a pattern without anything of the secret in it",
            cure="name what a secret looks like, such as /sk_[a-z0-9]+/",
        )
    return expression
