"""Records of attempts: to plain JSON and back, and on disk."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pytest_apex.errors import ApexError, SourceError
from pytest_apex.evidence.redact import Redactor
from pytest_apex.evidence.store import safe_name
from pytest_apex.model.verdict import Artifact, Category
from pytest_apex.reports.base import attempt_key
from pytest_apex.reports.junit import properties
from pytest_apex.reports.results import ResultsWriter, attempt_from_dict, attempt_to_dict, read_results

NODEID = "tests/test_notes.py::test_save"
PICTURE = Artifact("before", "store/ab.png", "image/png", "ab" * 32, "before", "step-001", True)


def test_a_record_has_the_fields_of_the_contract(attempt, rules) -> None:
    record = attempt_to_dict(
        attempt(
            "functional.no_effect", "nothing happened", rules=rules, evidence=(PICTURE,), duration_s=1.23456,
            also=("teardown: test.error",), suspect="test", n=2,
        )
    )  # fmt: skip
    assert {name: record[name] for name in list(record)[:12]} == {
        "test": NODEID,
        "outcome": "failed",
        "verdict": "fail",
        "category": "functional",
        "kind": "functional.no_effect",
        "reason": "nothing happened",
        "suspect": "test",
        "device": "virtual",
        "attempt": 2,
        "duration_s": 1.235,
        "evidence": [
            {
                "kind": "before",
                "path": "store/ab.png",
                "media_type": "image/png",
                "sha256": "ab" * 32,
                "caption": "before",
                "step": "step-001",
                "redacted": True,
            }
        ],
        "also": ["teardown: test.error"],
    }


@pytest.mark.parametrize("kind", ["", "functional.no_effect", "visual.overlap", "crash.anr", "test.error", "unsure.x"])
def test_a_record_comes_back_as_it_went(attempt, rules, kind: str) -> None:
    one = attempt(
        kind, rules=rules, notes=("waited 7 s",), evidence=(PICTURE,), facts={"platform": "ios"}, phase="setup"
    )
    assert attempt_from_dict(json.loads(json.dumps(attempt_to_dict(one)))) == one


def test_a_verdict_without_a_category_has_null(attempt) -> None:
    assert attempt_to_dict(attempt("test.error"))["category"] is None


@pytest.mark.parametrize(
    "broken",
    [{}, {"test": "t"}, {"test": "t", "attempt": 1, "outcome": "failed", "verdict": "perhaps"}, {"evidence": 7}],
)
def test_what_is_no_record_is_refused(broken: dict) -> None:
    with pytest.raises(SourceError, match="can't read the record of an attempt"):
        attempt_from_dict(broken)


def test_a_record_of_an_older_version_has_defaults(attempt) -> None:
    record = attempt_to_dict(attempt("crash.anr"))
    old = {name: record[name] for name in ("test", "attempt", "outcome", "verdict", "category", "kind")}
    assert attempt_from_dict(old).verdict.category is Category.CRASH


def test_a_writer_leaves_results_run_and_verdicts(tmp_path: Path, attempt, run_info) -> None:
    writer = ResultsWriter(tmp_path)
    writer.open(run_info)
    described = json.loads((tmp_path / "run.json").read_text("utf-8"))
    assert (described["seed"], described["ended"]) == (7, "")
    first = attempt("functional.no_effect")
    again = attempt(n=2, folder="tests/given/attempt-2")
    writer.attempt(first, [])
    writer.attempt(again, [])
    assert read_results(tmp_path) == [first, again]  # on disk before the run ends
    writer.close()
    described = json.loads((tmp_path / "run.json").read_text("utf-8"))
    assert described["ended"]
    assert described["counts"] == {"failed": 1, "passed": 1}
    assert described["devices"][0]["id"] == "virtual"
    assert described["devices"][0]["tags"] == ["a", "b"]
    assert described["options"]["timeout"] == {"value": "10", "origin": "command line"}
    assert described["versions"]["pytest"] == pytest.__version__
    verdict = tmp_path / "tests" / safe_name(NODEID) / "attempt-1" / "verdict.json"
    assert json.loads(verdict.read_text("utf-8"))["kind"] == "functional.no_effect"
    assert (tmp_path / "tests" / "given" / "attempt-2" / "verdict.json").is_file()


def test_nothing_secret_is_written(tmp_path: Path, attempt, run_info) -> None:
    writer = ResultsWriter(tmp_path, Redactor(["sesame"]))
    writer.open(run_info)  # an option whose value is the secret
    writer.attempt(attempt("functional.wrong_value", 'expected "sesame"', also=("sesame",)), [])
    writer.close()
    for path in tmp_path.rglob("*"):
        assert not path.is_file() or b"sesame" not in path.read_bytes()


def test_a_torn_last_result_is_left_out(tmp_path: Path, attempt) -> None:
    writer = ResultsWriter(tmp_path)
    writer.attempt(attempt(), [])
    with (tmp_path / "results.jsonl").open("ab") as file:
        file.write(b'{"test": "tests/test_no')
    assert len(read_results(tmp_path)) == 1


def test_a_folder_without_results_is_told(tmp_path: Path) -> None:
    with pytest.raises(ApexError, match=r"results\.jsonl"):
        read_results(tmp_path)


def test_junit_gets_category_kind_device_and_what_was_observed(attempt) -> None:
    one = attempt("functional.missing_element", suspect="test", notes=("a permission dialog",), also=("teardown: x",))
    assert properties(one) == [
        ("apex.category", "functional"),
        ("apex.kind", "functional.missing_element"),
        ("apex.device", "virtual"),
        ("apex.suspect", "test"),
        ("apex.note", "a permission dialog"),
        ("apex.note", "teardown: x"),
    ]
    assert properties(attempt("test.error", device="")) == [("apex.kind", "test.error")]


def test_an_attempt_has_a_key() -> None:
    assert attempt_key(NODEID, 2) == f"{NODEID}#2"
