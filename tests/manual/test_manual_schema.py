"""The JSON Schema says of a manual what the reader says, as far as a schema can."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_apex.errors import ManualError
from pytest_apex.manual.load import load_manual
from pytest_apex.manual.schema import manual_schema
from pytest_apex.marked_yaml import Reader

law = settings(max_examples=100, derandomize=True, deadline=None)

EXAMPLES = Path(__file__).parents[2] / "fixtures" / "manuals"
SCHEMA = manual_schema()
TYPES = {"object": dict, "array": list, "string": str, "boolean": bool}


def fits(value: Any, schema: dict[str, Any]) -> bool:
    """Whether a value is valid, by the words of JSON Schema that ours uses; an unknown word is an error."""
    checks = {
        "$ref": lambda to: fits(value, SCHEMA["$defs"][to.rpartition("/")[2]]),
        "type": lambda kind: is_a(value, kind),
        "enum": lambda known: value in known,
        "pattern": lambda pattern: not isinstance(value, str) or bool(re.search(pattern, value)),
        "minimum": lambda low: not is_a(value, "number") or value >= low,
        "maximum": lambda high: not is_a(value, "number") or value <= high,
        "minItems": lambda count: not isinstance(value, list) or len(value) >= count,
        "maxItems": lambda count: not isinstance(value, list) or len(value) <= count,
        "items": lambda one: not isinstance(value, list) or all(fits(item, one) for item in value),
        "required": lambda keys: not isinstance(value, dict) or all(key in value for key in keys),
        "anyOf": lambda many: any(fits(value, one) for one in many),
        "oneOf": lambda many: sum(fits(value, one) for one in many) == 1,
        "properties": lambda _: all(fits(item, one) for key, item in pairs(value) for one in known(schema, key)),
        "patternProperties": lambda _: True,  # with the properties
        "additionalProperties": lambda other: all(
            bool(other) and fits(item, other) for key, item in pairs(value) if not known(schema, key)
        ),
        "description": lambda _: True, "title": lambda _: True, "$schema": lambda _: True, "$defs": lambda _: True,
    }  # fmt: skip
    return all(checks[word](meaning) for word, meaning in schema.items())


def is_a(value: Any, kind: str) -> bool:
    if kind == "number":
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    return isinstance(value, TYPES[kind])


def pairs(value: Any) -> list[tuple[str, Any]]:
    return list(value.items()) if isinstance(value, dict) else []


def known(schema: dict[str, Any], key: str) -> list[dict[str, Any]]:
    named = [schema["properties"][key]] if key in schema.get("properties", {}) else []
    return named + [one for pattern, one in schema.get("patternProperties", {}).items() if re.search(pattern, key)]


def fields_of(path: Path) -> Any:
    text = path.read_text("utf-8")
    return Reader(path.name).open(text.split("---\n")[1] if path.suffix == ".md" else text).node.plain


@pytest.mark.parametrize("path", sorted((EXAMPLES / "good").iterdir()), ids=lambda path: path.name)
def test_a_good_manual_is_valid(path: Path) -> None:
    assert fits(fields_of(path), SCHEMA)


#: What only the reader can tell: names that nothing declares, numbers that must fit together.
BEYOND = {"unknown_names.yaml"}


@pytest.mark.parametrize(
    "path", [one for one in sorted((EXAMPLES / "bad").iterdir()) if one.suffix == ".yaml"], ids=lambda path: path.name
)
def test_a_bad_manual_is_not_valid(path: Path) -> None:
    assert fits(fields_of(path), SCHEMA) is (path.name in BEYOND)


def test_every_key_is_explained() -> None:
    silent: list[str] = []

    def look(schema: Any, path: str) -> None:
        if isinstance(schema, dict):
            for name, one in (schema.get("properties") or {}).items():
                if "description" not in one and not path.endswith("items/oneOf"):
                    silent.append(f"{path}/{name}")
            for word, inner in schema.items():
                look(inner, f"{path}/{word}")
        elif isinstance(schema, list):
            for inner in schema:
                look(inner, path)

    look(SCHEMA, "")
    assert silent == []


def test_the_schema_knows_every_verb_and_every_tier() -> None:
    from pytest_apex.model.manual import STEP_VERBS, Tier

    steps = SCHEMA["$defs"]["steps"]["items"]["oneOf"]
    assert [one["required"][0] for one in steps] == list(STEP_VERBS)
    tiers = SCHEMA["properties"]["irreversible"]["anyOf"][1]
    assert list(tiers["properties"]) == [tier.value for tier in Tier]


_TEXT = st.sampled_from(["Save", "", " ", "save me"])
_VALUE = st.one_of(_TEXT, st.integers(0, 3), st.booleans(), st.none())
_TARGET = st.one_of(
    _VALUE, st.dictionaries(st.sampled_from(["id", "label", "text", "exact", "lable"]), _VALUE, min_size=1, max_size=2)
)
_STEP = st.dictionaries(
    st.sampled_from(["tap", "press", "type", "into", "wait", "purpose", "seconds", "taps"]), _TARGET, max_size=2
)
_DOCUMENT = st.fixed_dictionaries(
    {"match": st.dictionaries(st.sampled_from(["bundleId", "bundle_id", "bundleid"]), _VALUE, max_size=1)},
    optional={
        "summary": _VALUE,
        "controls": st.dictionaries(st.just("save"), _TARGET, max_size=1),
        "live_regions": st.dictionaries(st.just("clock"), _VALUE, max_size=1),
        "flows": st.dictionaries(
            st.just("go"), st.fixed_dictionaries({"steps": st.lists(_STEP, max_size=2)}), max_size=1
        ),
    },
)


@law
@given(_DOCUMENT)
def test_what_is_read_is_valid(document: dict[str, Any]) -> None:
    """And what is not valid is not read: the reader is the stricter of the two."""
    try:
        load_manual(json.dumps(document), "a.yaml")
    except ManualError:
        return
    assert fits(document, SCHEMA)
