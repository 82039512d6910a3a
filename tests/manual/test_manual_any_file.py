"""Whatever a file holds: a manual or its mistakes, each inside the file, and nothing else."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_apex.errors import ManualError
from pytest_apex.manual.load import ROOT, load_manual
from pytest_apex.model.manual import STEP_VERBS, Manual

law = settings(max_examples=100, derandomize=True, deadline=None)

_KEYS = st.sampled_from(
    [*ROOT.by_name, *STEP_VERBS, "id", "label", "text", "role", "exact", "shows", "hides", "appears", "region",
     "aliases", "reason", "kind", "until", "versions", "needs", "steps", "screen", "into", "normal", "critical",
     "bundleId", "BUNDLE_id", "version", "locale", "a", "b", ""]
)  # fmt: skip
_WORDS = st.sampled_from(
    ["a", "b", "", " ", "Save", "key:enter", "key:+", "region:0,0,10,10", "region:nan,1,2,3", "control:a", "intent:x",
     ":", "visual", "visual.cut", "button", "up", "t 1 2", "t 1", ">=1", "2027-01-31", "de-AT", "\ud800", "\x00"]
)  # fmt: skip
_LEAVES = st.one_of(
    _WORDS, st.integers(-1, 2000), st.floats(allow_nan=False, allow_infinity=False), st.booleans(), st.none()
)
_VALUES = st.recursive(
    _LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_KEYS, inner, max_size=4), max_leaves=12
)
_DOCUMENTS = st.dictionaries(st.sampled_from(list(ROOT.by_name)), _VALUES, max_size=5)


def read(data: str | bytes, source: str) -> Manual | ManualError:
    try:
        return load_manual(data, source)
    except ManualError as error:
        wrong = error
    for mistake in wrong.mistakes:
        assert 1 <= mistake.line <= len(data) + 2  # YAML breaks lines at more than \n
        assert mistake.column >= 1
        assert mistake.what
    assert wrong.mistakes
    assert str(wrong).encode("utf-8", "strict")
    return wrong


@law
@given(_DOCUMENTS)
def test_any_fields(document: dict[str, object]) -> None:
    known = {"match": {"bundleId": "com.example.a"}, **document}
    plain = read(json.dumps(known), "a.yaml")
    headed = read(f"---\n{json.dumps(known)}\n---\nProse", "a.md")
    assert type(plain) is type(headed)
    if isinstance(plain, ManualError) and isinstance(headed, ManualError):
        assert [one.what for one in plain.mistakes] == [one.what for one in headed.mistakes]


@law
@given(st.binary(max_size=300) | st.text(max_size=300), st.sampled_from(["a.yaml", "a.md"]))
def test_any_bytes(data: bytes | str, source: str) -> None:
    read(data, source)


@law
@given(st.lists(st.sampled_from(["---\n", "match: {bundleId: a}\n", "...\n", "x\n", "\r\n", "\ufeff", "--- \n"])))
def test_any_lines_of_a_markdown_file(lines: list[str]) -> None:
    read("".join(lines), "a.md")
