"""Allure, in a whole run: statuses, prefix, labels, steps, pictures, categories; also from workers."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Project = Callable[..., pytest.RunResult]

TESTS = """
import allure

def test_good(device):
    device.tap("Go")

def test_functional(device):
    with allure.step("mine"):
        device.tap("Go")
    assert device.find("Done").text == "no"

def test_mistake(device):
    nonsense

def test_unit():
    assert 1 == 2
"""


def read(folder: Path) -> dict[str, Any]:
    results = [json.loads(path.read_text("utf-8")) for path in folder.glob("*-result.json")]
    return {result["name"]: result for result in results}


@pytest.mark.parametrize("workers", [(), ("-n1",)], ids=["alone", "xdist"])
def test_a_run(small: Project, pytester: pytest.Pytester, workers: tuple[str, ...]) -> None:
    plugins = ("allure_pytest", "xdist") if workers else ("allure_pytest",)
    small(TESTS, "--alluredir=allure", *workers, plugins=plugins).assert_outcomes(passed=1, failed=3)
    folder = pytester.path / "allure"
    found = read(folder)
    statuses = {name.removeprefix("test_"): result["status"] for name, result in found.items()}
    assert statuses == {"good": "passed", "functional": "failed", "mistake": "broken", "unit": "failed"}
    functional = found["test_functional"]
    assert functional["statusDetails"]["message"].startswith("[functional.assertion] ")
    labels = {label["name"]: label["value"] for label in functional["labels"]}
    assert (labels["apex.category"], labels["apex.device"]) == ("functional", "virtual")
    names = [step["name"] for step in functional["steps"]]
    assert any(name.startswith("step-001 launch") for name in names)
    mine = next(step for step in functional["steps"] if step["name"] == "mine")
    assert any("tap" in step["name"] for step in mine["steps"])
    assert any(item["type"] == "image/png" for item in mine["steps"][0]["attachments"])
    assert all((folder / item["source"]).is_file() for item in mine["steps"][0]["attachments"])
    assert not [label for label in found["test_unit"]["labels"] if label["name"].startswith("apex.")]
    assert (folder / "categories.json").is_file()
    assert "virtual" in (folder / "environment.properties").read_text("utf-8")


def test_reruns_are_retries_of_one_test(small: Project, pytester: pytest.Pytester) -> None:
    test = """
        tries = []

        def test_flaky(device):
            tries.append(1)
            assert device.find("Hello").text == "no" or len(tries) > 1
    """
    small(test, "--alluredir=allure", "--reruns=1", plugins=("allure_pytest", "rerunfailures"))
    results = [json.loads(path.read_text("utf-8")) for path in (pytester.path / "allure").glob("*-result.json")]
    assert {result["status"] for result in results} == {"passed", "failed"}
    assert len({result["historyId"] for result in results}) == 1


def test_half_characters_end_no_run(small: Project, pytester: pytest.Pytester) -> None:
    test = r"""
        import allure

        def test_half(device):
            allure.attach("odd \udcff", "note")
            with allure.step("step \ud800"):
                pass
            raise ValueError("bad \ud800 text")

        def test_whole(device):
            raise ValueError("good \U0001f600 text")
    """
    small(test, "--alluredir=allure", plugins=("allure_pytest",)).assert_outcomes(failed=2)
    found = read(pytester.path / "allure")
    assert r"bad \ud800 text" in found["test_half"]["statusDetails"]["message"]
    assert r"step \ud800" in {step["name"] for step in found["test_half"]["steps"]}
    assert "good 😀 text" in found["test_whole"]["statusDetails"]["message"]
