"""What stands in an Allure results folder, read back as Allure reads it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import allure_commons
import pytest
from allure_commons import model2  # its classes begin with Test, which pytest would collect
from allure_commons._core import MetaPluginManager
from allure_commons.logger import AllureFileLogger
from allure_commons.model2 import Parameter, Status, StatusDetails
from allure_commons.reporter import AllureReporter

from pytest_apex.evidence.redact import Redactor
from pytest_apex.evidence.store import Store
from pytest_apex.model.change import Change
from pytest_apex.model.step import Source, Step
from pytest_apex.model.target import By, Target
from pytest_apex.model.verdict import Attempt, CheckResult, Outcome
from pytest_apex.reports.allure import AllureReport
from pytest_apex.reports.results import LEFT_OUT

NODEID = "tests/test_notes.py::test_save"
FULL_NAME = "tests.test_notes#test_save"


class Allure:
    """allure-pytest without pytest: its reporter, its files, and ours beside it."""

    def __init__(self, tmp_path: Path, redactor: Redactor) -> None:
        self.run_dir, self.results = tmp_path / "run", tmp_path / "results"
        self.redactor = redactor
        self.files = AllureFileLogger(self.results)
        allure_commons.plugin_manager.register(self.files)
        self.report = AllureReport(self.run_dir, self.results, redactor)
        self.report.register()
        self.reporter = AllureReporter()

    def test(
        self, attempt: Attempt | None, steps: tuple[Step, ...] = (), *, status: str = Status.PASSED, message: str = "",
        trace: str = "", full_name: str = FULL_NAME, open_steps: Sequence[model2.TestStepResult] = (), **fields: Any,
    ) -> dict[str, Any]:  # fmt: skip
        """Report one test as allure-pytest does, ours told of the attempt in between; returns what was written."""
        before = set(self.results.glob("*-result.json"))
        details = StatusDetails(message=message, trace=trace) if message else None
        result = model2.TestResult(name="test_save", fullName=full_name, historyId="0" * 32, status=status,
                            statusDetails=details, start=1000, stop=9000, steps=list(open_steps), **fields)  # fmt: skip
        self.reporter.schedule_test("uuid", result)
        if attempt is not None:
            self.report.attempt(attempt, steps)
        self.reporter.close_test("uuid")
        (path,) = set(self.results.glob("*-result.json")) - before
        return json.loads(path.read_text("utf-8"))

    def text_of(self, attachment: dict[str, str]) -> str:
        return (self.results / attachment["source"]).read_text("utf-8")


@pytest.fixture
def allure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Allure]:
    # A plugin manager of its own, so that a run of these tests with --alluredir is not told of them.
    monkeypatch.setattr(MetaPluginManager, "_plugin_manager", None)
    harness = Allure(tmp_path, Redactor(["sesame"]))
    yield harness
    harness.report.unregister()


def labels(result: dict[str, Any]) -> dict[str, str]:
    return {label["name"]: label["value"] for label in result.get("labels", ())}


def parameters(item: dict[str, Any]) -> dict[str, str]:
    return {parameter["name"]: parameter["value"] for parameter in item.get("parameters", ())}


@pytest.mark.parametrize(
    ("kind", "status"),
    [
        ("functional.no_effect", "failed"),
        ("visual.overlap", "failed"),
        ("crash.anr", "failed"),
        ("transient.loading", "broken"),
        ("transient.harness.device_lost", "broken"),
        ("unsure.no_tree", "broken"),
        ("test.error", "broken"),
    ],
)
@pytest.mark.parametrize("was", [Status.FAILED, Status.BROKEN])
def test_the_verdict_gives_the_status_and_begins_the_message(allure, attempt, kind: str, status: str, was: str) -> None:
    result = allure.test(attempt(kind, "it is so"), status=was, message="CheckFailed: no", trace="line 7")
    assert result["status"] == status
    assert result["statusDetails"]["message"] == f"[{kind}] it is so\n\nCheckFailed: no"
    assert result["statusDetails"]["trace"] == "line 7"
    assert labels(result)["apex.kind"] == kind
    assert labels(result)["apex.device"] == "virtual"


def test_the_category_is_a_label_where_there_is_one(allure, attempt) -> None:
    assert labels(allure.test(attempt("visual.overlap"), status=Status.FAILED))["apex.category"] == "visual"
    assert "apex.category" not in labels(allure.test(attempt("test.error"), status=Status.BROKEN))


def test_a_pass_stays_a_pass_with_what_was_observed(allure, attempt) -> None:
    result = allure.test(attempt(notes=("a permission dialog",)))
    assert result["status"] == "passed"
    assert "statusDetails" not in result
    assert labels(result)["apex.note"] == "a permission dialog"


def test_the_message_says_why_and_names_a_suspect(allure, attempt, rules) -> None:
    one = attempt("functional.no_effect", "nothing happened", rules=rules, suspect="test")
    assert allure.test(one, status=Status.FAILED)["statusDetails"]["message"].split("\n") == [
        "[functional.no_effect] nothing happened",
        "no effect: nothing changed",
        "step-002",
        "touched twice",
        "suspect: test",
    ]


def test_the_message_says_what_to_try(allure, attempt) -> None:
    one = attempt("transient.loading", "still loading", cure="log a line where it ends")
    said = allure.test(one, status=Status.FAILED)["statusDetails"]["message"].split("\n")
    assert said[1] == "try: log a line where it ends"


def test_what_was_left_out_is_skipped_and_says_so(allure, attempt) -> None:
    one = attempt("transient.loading", "still loading", outcome="xfailed", facts={LEFT_OUT: "transient"})
    result = allure.test(one, status=Status.SKIPPED, message="XFAIL")
    assert result["status"] == "skipped"
    assert result["statusDetails"]["message"].startswith("[transient.loading] still loading\nnot judged: left out by")


def test_a_skipped_test_stays_as_it_is(allure, attempt) -> None:
    from dataclasses import replace

    one = attempt(outcome="skipped")
    one = replace(one, verdict=replace(one.verdict, outcome=Outcome.NOT_RUN))
    assert allure.test(one, status=Status.SKIPPED, message="Skipped: no device")["statusDetails"] == {
        "message": "Skipped: no device"
    }


def test_a_test_that_is_not_ours_is_left_alone(allure, attempt) -> None:
    other = allure.test(attempt("crash.anr"), status=Status.PASSED, full_name="tests.test_units#test_save_all")
    assert (other["status"], other.get("labels")) == ("passed", None)
    # the attempt still waits for its own result
    assert allure.test(None, status=Status.FAILED)["statusDetails"]["message"].startswith("[crash.anr]")


@pytest.mark.parametrize(
    ("nodeid", "full_name"),
    [
        ("tests/test_notes.py::TestList::test_save[a::b]", "tests.test_notes.TestList#test_save"),
        ("test_notes.py::test_save", "test_notes#test_save"),
        ("flows/login.flow.yaml::log in", "flows.login.flow#log in"),
    ],
)
def test_a_test_is_recognised_by_allures_name_for_it(allure, attempt, nodeid: str, full_name: str) -> None:
    result = allure.test(attempt("crash.anr", test=nodeid), full_name=full_name, status=Status.FAILED)
    assert labels(result)["apex.kind"] == "crash.anr"


def step(number: int, began: float, ended: float, **more: Any) -> Step:
    return Step(f"step-{number:03d}", "tap", 'tap "Save"', wall=(began, ended), **more)


def test_steps_tell_what_was_meant_and_when(allure, attempt) -> None:
    one = step(
        1, 2.0, 2.5, target=Target((By("text", "Save"),)), purpose="keep the note", expected_outcome="the list opens",
        change=Change("s1", "s2", appeared=('"Saved" (text)',)), source=Source("test_notes.py", 9),
        note="touched twice",
    )  # fmt: skip
    (shown,) = allure.test(attempt(), (one,))["steps"]
    assert shown["name"] == 'step-001 tap "Save"'
    assert (shown["status"], shown["start"], shown["stop"]) == ("passed", 2000, 2500)
    assert shown["statusDetails"]["message"] == "touched twice"
    assert parameters(shown) == {
        "target": '"Save"',
        "purpose": "keep the note",
        "expected_outcome": "the list opens",
        "change": 'appeared: "Saved" (text)',
        "source": "test_notes.py:9",
    }


@pytest.mark.parametrize(
    ("outcomes", "status"),
    [((), "passed"), (("pass",), "passed"), (("pass", "unsure"), "broken"), (("unsure", "fail"), "failed")],
)
def test_checks_of_a_step_give_its_status(allure, attempt, outcomes: tuple[str, ...], status: str) -> None:
    checks = tuple(CheckResult(name, "claim", Outcome(name)) for name in outcomes)
    (shown,) = allure.test(attempt(), (step(1, 2.0, 2.5, checks=checks),))["steps"]
    assert shown["status"] == status


def test_steps_stand_in_order_of_time_inside_the_tests_own_steps(allure, attempt) -> None:
    inner = model2.TestStepResult(name="type the title", start=3100, stop=3900)
    outer = model2.TestStepResult(name="write a note", start=3000, stop=5000, steps=[inner])
    later = model2.TestStepResult(name="look", start=7000, stop=8000)
    ours = (step(1, 2.0, 2.5), step(2, 3.2, 3.5), step(3, 4.0, 4.5), step(4, 6.0, 6.5))
    shown = allure.test(attempt(), ours, open_steps=[outer, later])["steps"]
    names = [[one["name"].split()[0] for one in each.get("steps", ())] for each in shown]
    assert [one["name"].split()[0] for one in shown] == ["step-001", "write", "step-004", "look"]
    assert names == [[], ["type", "step-003"], [], []]
    assert shown[1]["steps"][0]["steps"][0]["name"].startswith("step-002")


def test_evidence_is_copied_once_and_shown_where_it_belongs(allure, attempt) -> None:
    store = Store(allure.run_dir)
    picture = {"kind": "before", "suffix": ".png", "media_type": "image/png"}
    before = store.put(b"\x89PNG\0one", **picture, caption="before", step="step-001")
    again = store.put(b"\x89PNG\0one", **picture, caption="before", step="step-002")
    log = store.put(b"a log", kind="log", suffix=".txt", media_type="text/plain")
    ours = (step(1, 2.0, 2.5, evidence=(before,)), step(2, 3.0, 3.5, evidence=(again,)))
    result = allure.test(attempt("crash.anr", evidence=(before, again, log)), ours, status=Status.FAILED)
    first, second = (shown["attachments"][0] for shown in result["steps"])
    assert (first["name"], first["type"]) == ("before", "image/png")
    assert first["source"] == second["source"]
    assert first["source"].endswith("-attachment.png")
    assert (allure.results / first["source"]).read_bytes() == b"\x89PNG\0one"
    (attached,) = result["attachments"]
    assert (attached["name"], allure.text_of(attached)) == ("log", "a log")


def test_evidence_of_steps_that_are_not_told_any_more_is_the_tests(allure, attempt) -> None:
    old = Store(allure.run_dir).put(b"x", kind="tree", suffix=".txt", media_type="text/plain", step="step-001")
    assert allure.test(attempt(evidence=(old,)), (step(900, 2.0, 2.5),))["attachments"][0]["name"] == "tree"


def test_evidence_that_is_gone_is_said_to_be_missing(allure, attempt) -> None:
    lost = Store(allure.run_dir).put(b"x", kind="tree", suffix=".txt", media_type="text/plain")
    (allure.run_dir / lost.path).unlink()
    assert parameters(allure.test(attempt(evidence=(lost,)))) == {"device": "virtual", "missing evidence": lost.path}


def test_a_test_that_fails_and_passes_when_run_again_is_one_story(allure, attempt) -> None:
    first = allure.test(attempt("transient.loading", "still loading", n=1), status=Status.FAILED)
    second = allure.test(attempt(n=2))
    assert first["historyId"] == second["historyId"]
    assert (first["status"], second["status"]) == ("broken", "passed")
    assert second["statusDetails"] == {
        "flaky": True,
        "message": "passed at attempt 2\nattempt 1: transient.loading: still loading",
    }


def test_one_test_on_two_devices_is_two_stories(allure, attempt) -> None:
    one, two, again = (allure.test(attempt(device=device)) for device in ("pixel", "galaxy", "pixel"))
    assert one["historyId"] == again["historyId"] != two["historyId"]
    assert (parameters(one)["device"], parameters(two)["device"]) == ("pixel", "galaxy")


def test_a_story_goes_on_when_the_test_is_run_again_elsewhere(allure, attempt) -> None:
    first = allure.test(attempt("transient.harness.device_lost", device="pixel", n=1), status=Status.FAILED)
    second = allure.test(attempt(device="galaxy", n=2))
    assert first["historyId"] == second["historyId"]
    counted = [each for each in second["parameters"] if not each.get("excluded")]
    assert counted == [{"name": "device", "value": "pixel", "mode": "hidden"}]
    assert parameters(second)["ran on"] == "galaxy"
    assert labels(second)["apex.device"] == "galaxy"


def test_a_parameter_of_that_name_is_the_tests_own(allure, attempt) -> None:
    result = allure.test(attempt(), parameters=[Parameter(name="device", value="'tablet'")])
    assert (parameters(result), result["historyId"]) == ({"device": "'tablet'"}, "0" * 32)


def test_nothing_secret_is_written_whoever_sends_it(allure, attempt, tmp_path: Path) -> None:
    text, copy = tmp_path / "app.log", tmp_path / "picture.png"
    text.write_text("login sesame", "utf-8")
    copy.write_bytes(b"\x89PNG\0\1\2")
    allure.reporter.schedule_test("u1", model2.TestResult(name="test_login[sesame]", fullName="t#test_login"))
    allure.reporter.attach_data("a1", "stdout: sesame", name="stdout")
    allure.reporter.attach_data("a2", b"log: sesame", name="log")
    allure.reporter.attach_file("a3", str(text), name="file")
    allure.reporter.attach_file("a4", str(copy), name="picture of sesame")
    allure.reporter.global_attach_data("a5", "sesame", name="sesame")
    allure.reporter.global_error("sesame", "sesame")
    allure.reporter.start_step(
        None, "s1", model2.TestStepResult(name="type", parameters=[Parameter("pin", "'sesame'")])
    )
    allure.reporter.stop_step("s1", statusDetails=StatusDetails(message="sesame", trace="fill('sesame')"))
    allure.reporter.close_test("u1")
    group = model2.TestResultContainer(
        afters=[model2.TestAfterResult(name="log out", statusDetails=StatusDetails("sesame"))]
    )
    allure.reporter.start_group("g1", group)
    allure.reporter.stop_group("g1")
    hidden = attempt("functional.wrong_value", 'expected "sesame"', also=("sesame",))
    allure.test(hidden, (step(1, 2.0, 2.5, note="sesame"),), status=Status.FAILED, message="sesame", trace="sesame")
    written = [path for path in allure.results.iterdir() if path.is_file()]
    assert len(written) == 10
    assert [path.name for path in written if b"sesame" in path.read_bytes()] == []
    assert sum("•••".encode() in path.read_bytes() for path in written) == 9
    assert (allure.results / "a4-attachment.attach").read_bytes() == copy.read_bytes()
    assert text.read_text("utf-8") == "login sesame"  # the test's own file stays as it is


def test_ids_are_never_masked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, attempt) -> None:
    monkeypatch.setattr(MetaPluginManager, "_plugin_manager", None)
    allure = Allure(tmp_path, Redactor(["0000"]))
    result = allure.test(None, uuid="0000-1", testCaseId="00001")
    assert (result["historyId"], result["uuid"], result["testCaseId"]) == ("0" * 32, "0000-1", "00001")


def test_what_categories_are_found_by_stays_with_any_word_as_a_secret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, attempt
) -> None:
    monkeypatch.setattr(MetaPluginManager, "_plugin_manager", None)
    allure = Allure(tmp_path, Redactor(["functional", "suspect", "test", "host"]))
    suspected = attempt("functional.no_effect", "the test is functional", suspect="test")
    host = Parameter("host", "'test'")
    result = allure.test(suspected, status=Status.FAILED, message="its tests", parameters=[host])
    assert result["statusDetails"]["message"] == "[functional.no_effect] the ••• is •••\nsuspect: test\n\nits •••s"
    assert {"name": "apex.category", "value": "functional"} in result["labels"]
    assert {"name": "host", "value": "'•••'"} in result["parameters"]


def test_a_file_that_is_not_there_is_allures_to_tell(allure, tmp_path: Path) -> None:
    allure.reporter.schedule_test("u1", model2.TestResult(name="t"))
    with pytest.raises(FileNotFoundError):
        allure.reporter.attach_file("a1", str(tmp_path / "gone.txt"), name="gone")


def test_after_it_left_nothing_is_masked_or_completed(allure, attempt) -> None:
    allure.report.unregister()
    allure.report.unregister()
    assert allure.test(attempt("crash.anr"), status=Status.FAILED, message="sesame")["statusDetails"] == {
        "message": "sesame"
    }


def test_categories_and_environment_are_written_at_both_ends_and_by_no_worker(allure, run_info, tmp_path) -> None:
    names = ["categories.json", "environment.properties"]
    allure.report.open(run_info)
    assert [(allure.results / name).exists() for name in names] == [True, True]
    for name in names:
        (allure.results / name).unlink()  # as a worker that starts with --clean-alluredir does
    allure.report.close()
    assert [(allure.results / name).exists() for name in names] == [True, True]
    assert "sesame" not in (allure.results / names[1]).read_text("latin-1")
    worker = AllureReport(tmp_path, tmp_path / "other", Redactor(), worker=True)
    worker.open(run_info)
    worker.close()
    assert not (tmp_path / "other").exists()
