"""The page of a stored run: everything escaped, nothing foreign, pictures that fit, damage that is told."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import pytest
from PIL import Image

from pytest_apex.errors import ConfigError
from pytest_apex.evidence.journal import Journal
from pytest_apex.evidence.store import attempt_folder
from pytest_apex.model.run import RunInfo
from pytest_apex.model.verdict import Artifact, Attempt, RuleAnswer
from pytest_apex.reports.html.markup import LONGEST, el, text
from pytest_apex.reports.html.page import page_of
from pytest_apex.reports.html.pictures import Album
from pytest_apex.reports.html.stored import Act, Said, read_page
from pytest_apex.reports.html.write import write_empty_page, write_page
from pytest_apex.reports.results import LEFT_OUT, ResultsWriter
from pytest_apex.vision.image import from_image
from pytest_apex.vision.thumbnail import thumbnail

HOSTILE = """</script><script>alert(1)</script><img src=x onerror="alert(2)">'"&\x00\u202e"""


class Reader(HTMLParser):
    """Tags, their attributes, and the text of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.words += data

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


def picture(run: Path, name: str, color: str = "red") -> str:
    (run / "store").mkdir(parents=True, exist_ok=True)
    Image.new("RGB", (60, 120), color).save(run / "store" / name)
    return f"store/{name}"


def kept(kind: str, path: str) -> dict[str, str]:
    return {"kind": kind, "path": path, "media_type": "image/png"}


def store(run: Path, *attempts: Attempt, info: RunInfo | None = None) -> None:
    writer = ResultsWriter(run)
    if info is not None:
        writer.open(info)
    for attempt in attempts:
        writer.attempt(attempt)
    writer.close()


def page(run: Path, **more: int) -> Reader:
    return Reader(page_of(read_page(run), run, **more))


# Markup


def test_texts_are_escaped_in_content_and_in_attributes() -> None:
    told = el("p", HOSTILE, title=HOSTILE)
    parsed = Reader(told)
    assert [tag for tag, _ in parsed.tags] == ["p"]
    assert parsed.all("p")[0]["title"] == HOSTILE.replace("\x00", "\\x00")
    assert "\x00" not in told


def test_markup_is_taken_as_it_is_and_empty_parts_are_left_out() -> None:
    assert el("p", el("b", "x"), "", class_="y", hidden=True, title=None) == '<p class="y" hidden><b>x</b></p>'
    assert el("meta", name="viewport") == '<meta name="viewport">'


def test_a_long_text_is_cut_with_a_mark() -> None:
    assert text("a" * LONGEST) == "a" * LONGEST
    assert text("a" * (LONGEST + 5)).endswith("a… (5 more characters)")


# What is read


def test_the_story_of_an_attempt(tmp_path: Path, attempt: Callable[..., Attempt]) -> None:
    own = attempt_folder("t.py::test_a", 1)
    journal = Journal(tmp_path / own / "steps.jsonl")
    journal.write("intent", step="step-001", named='tap "Save"', purpose="keep it", source="t.py:3")
    change = {"words": "another screen"}
    journal.write("done", step="step-001", named='tap "Save"', effect="changed", change=change, took_ms=12)
    journal.write("check", claim="it to be visible", holds=False, seen="nothing")
    journal.write("shell", command="ls")
    journal.write("intent", step="step-002", named="press back")
    journal.write("evidence", step="step-001", evidence=[kept("before", "store/a.png"), {"kind": "tree"}])
    journal.close()
    store(tmp_path, attempt("functional.no_effect", test="t.py::test_a", folder=own))
    (stored,) = read_page(tmp_path).attempts
    first, check, shell, second = stored.story
    assert isinstance(first, Act)
    assert (first.named, first.purpose, first.change, first.done) == ('tap "Save"', "keep it", "another screen", True)
    assert first.pictures == {"before": "store/a.png"}
    assert check == Said("check", "it to be visible; seen: nothing", holds=False)
    assert shell == Said("shell", "command=ls")
    assert isinstance(second, Act)
    assert not second.done
    words = page(tmp_path).words
    assert "2 steps" in words
    assert "begun, maybe done" in words
    assert words.count("maybe done") == 1


def test_a_test_that_was_cut_off_is_shown(tmp_path: Path) -> None:
    journal = Journal(tmp_path / attempt_folder("t.py::test_a", 1) / "steps.jsonl")
    journal.write("intent", step="step-001", named="launch notes")
    journal.close()
    shown = page(tmp_path)
    assert shown.all("details")[0]["data-row"] == "cut off"
    assert "launch notes" in shown.words
    assert "the run was cut off while it ran" in shown.words


def test_what_is_damaged_is_told_and_the_rest_shown(tmp_path: Path, attempt: Callable[..., Attempt]) -> None:
    store(tmp_path, attempt(folder=attempt_folder("t.py::test_a", 1), test="t.py::test_a"))
    with (tmp_path / "results.jsonl").open("ab") as file:
        file.write(b'{"test": "t.py::te')
    (tmp_path / "run.json").write_text('{"version": ', "utf-8")
    shown = page(tmp_path)
    assert "can't be read: results.jsonl:2" in shown.words
    assert "run.json" in shown.words
    assert "1 passed" in shown.words


@pytest.mark.parametrize("run_json", ["[]", '{"devices": {"x": 1}, "options": [], "versions": 3, "manuals": 7}'])
def test_a_strange_run_json_breaks_nothing(tmp_path: Path, attempt: Callable[..., Attempt], run_json: str) -> None:
    store(tmp_path, attempt())
    (tmp_path / "run.json").write_text(run_json, "utf-8")
    assert "1 passed" in page(tmp_path).words


def test_a_folder_that_is_no_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="there is no run in"):
        write_page(tmp_path / "nowhere", tmp_path / "report.html")
    with pytest.raises(ConfigError, match="there is no run in"):
        write_page(tmp_path, tmp_path / "report.html")
    assert list(tmp_path.iterdir()) == []


# The page


def test_a_verdict_is_told_whole(
    tmp_path: Path, attempt: Callable[..., Attempt], rules: tuple[RuleAnswer, ...], run_info: RunInfo
) -> None:
    failed = attempt(
        "functional.no_effect", "tap does nothing", test="t.py::test_b", rules=rules, cure="log it", suspect="test",
        notes=("a note",), also=("teardown: more",), facts={"file": "t.py", "line": "7", "platform": "android"},
    )  # fmt: skip
    case = {"failures": [{"phase": "call", "case": {"failure": {"message": "tried\n  seen: x"}}}, {"phase": "setup"}]}
    folder = tmp_path / attempt_folder("t.py::test_b", 1)
    folder.mkdir(parents=True)
    (folder / "case.json").write_text(json.dumps(case), "utf-8")
    store(tmp_path, attempt(test="t.py::test_a"), failed, info=run_info)
    shown = page(tmp_path)
    for words in ("1 passed, 0 defects of the app, 1 suspect: test", "tap does nothing", "no effect: nothing changed",
                  "log it", "a note", "teardown: more", "tried\n  seen: x", "did the touch change anything?", "t.py:7",
                  "Built-in phone android 14 540×1200", "timeout=10 (command line)", "pytest-apex 0.1.0"):  # fmt: skip
        assert words in shown.words, words
    rows = [details["data-row"] for details in shown.all("details") if "data-row" in details]
    assert rows == ["suspect: test", "passed"]


def test_each_row_can_be_chosen_and_earlier_attempts_count_once(
    tmp_path: Path, attempt: Callable[..., Attempt]
) -> None:
    def made(kind: str, n: int, name: str, **more: object) -> Attempt:
        return attempt(kind, test=name, n=n, folder=attempt_folder(name, n), **more)

    store(tmp_path, made("transient.loading", 1, "t.py::test_a"), made("", 2, "t.py::test_a"),
          made("visual.overlap", 1, "t.py::test_b", outcome="xfailed", facts={LEFT_OUT: "visual"}))  # fmt: skip
    shown = page(tmp_path)
    options = [option["value"] for option in shown.all("option")]
    assert options == ["", "transient", "not judged", "passed", "", "failed", "passed", "xfailed"]
    assert "1 passed, 0 defects of the app" in shown.words
    assert "attempt 1, went on to another" in shown.words
    assert "flaky" in shown.words


def test_hostile_texts_are_texts_everywhere(tmp_path: Path, attempt: Callable[..., Attempt], run_info: RunInfo) -> None:
    own = attempt_folder("t.py::test_a", 1)
    journal = Journal(tmp_path / own / "steps.jsonl")
    evidence = [kept("before", picture(tmp_path, "a.png"))]
    journal.write("intent", step=HOSTILE, named=HOSTILE, purpose=HOSTILE, source=HOSTILE)
    journal.write("done", step=HOSTILE, named=HOSTILE, change={"words": HOSTILE}, effect=HOSTILE, note=HOSTILE)
    journal.write("check", claim=HOSTILE, holds=False, seen=HOSTILE)
    journal.write("attached", caption=HOSTILE, evidence=evidence)
    journal.write("shell", command=HOSTILE)
    journal.close()
    files = (Artifact(HOSTILE, "javascript:alert(1)", "text/plain", "", caption=HOSTILE, step=HOSTILE),)
    rule = RuleAnswer(HOSTILE, HOSTILE, HOSTILE, (HOSTILE,), True)
    store(tmp_path, attempt(f"functional.{HOSTILE}", HOSTILE, test=HOSTILE, folder=own, evidence=files, rules=(rule,),
                            also=(HOSTILE,), notes=(HOSTILE,), cure=HOSTILE, suspect=HOSTILE, device=HOSTILE,
                            facts={HOSTILE: HOSTILE}, outcome=HOSTILE), info=run_info)  # fmt: skip
    shown = page(tmp_path)
    assert len(shown.all("script")) == 1
    assert shown.all("img") == []
    assert not [attributes for _, attributes in shown.tags if any(name.startswith("on") for name in attributes)]
    assert [link["href"] for link in shown.all("a")] == ["./javascript%3Aalert%281%29"]
    assert shown.words.count("alert(1)") > 20


def test_nothing_is_loaded_and_only_our_own_code_runs(tmp_path: Path, attempt: Callable[..., Attempt]) -> None:
    store(tmp_path, attempt())
    written = page_of(read_page(tmp_path), tmp_path)
    shown = Reader(written)
    policy = next(meta["content"] for meta in shown.all("meta") if "http-equiv" in meta)
    assert policy is not None
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    for tag in ("script", "style"):
        (code,) = re.findall(rf"<{tag}>(.*?)</{tag}>", written, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert not [attributes for _, attributes in shown.tags if "src" in attributes or "style" in attributes]
    assert re.findall(r"https?://", written) == []


def test_a_run_without_device_tests_has_a_page_that_says_so(tmp_path: Path) -> None:
    written = write_empty_page(tmp_path / "new" / "report.html", {"version": "1.2"})
    words = Reader(written.read_text("utf-8")).words
    assert "no test used a device" in words
    assert "pytest-apex 1.2" in words


def test_a_file_that_cant_be_written_is_an_error_in_words(tmp_path: Path, attempt: Callable[..., Attempt]) -> None:
    store(tmp_path / "run", attempt())
    with pytest.raises(ConfigError, match="can't write the report"):
        write_page(tmp_path / "run", tmp_path)
    with pytest.raises(ConfigError, match="can't write the report"):
        write_page(tmp_path / "run", tmp_path / "run" / "results.jsonl" / "report.html")


def test_links_lead_from_the_page_to_the_run(tmp_path: Path, attempt: Callable[..., Attempt]) -> None:
    kept_tree = Artifact("tree", "store/a.txt", "text/plain", "", caption="tree after", step="step-001")
    store(tmp_path / "run", attempt(evidence=(kept_tree,)))
    written = write_page(tmp_path / "run", tmp_path / "out" / "report.html")
    assert Reader(written.read_text("utf-8")).all("a") == [{"href": "./../run/store/a.txt"}]


@pytest.mark.parametrize(("most", "of_failed", "left_out"), [(1, 10**6, ["passed"]), (1, 0, ["failed", "passed"])])
def test_steps_that_do_not_fit_are_left_out_and_told(
    tmp_path: Path, attempt: Callable[..., Attempt], monkeypatch: pytest.MonkeyPatch, most: int, of_failed: int,
    left_out: list[str],
) -> None:  # fmt: skip
    monkeypatch.setattr("pytest_apex.reports.html.page._MOST_TEXT", most)
    monkeypatch.setattr("pytest_apex.reports.html.page._MOST_OF_FAILED", of_failed)
    for name, kind in (("failed", "functional.no_effect"), ("passed", "")):
        own = attempt_folder(f"t.py::test_{name}", 1)
        journal = Journal(tmp_path / own / "steps.jsonl")
        journal.write("intent", step="step-001", named=f"tap what {name}")
        journal.close()
        store(tmp_path, attempt(kind, test=f"t.py::test_{name}", folder=own))
    words = page(tmp_path).words
    assert [name for name in ("failed", "passed") if f"tap what {name}" not in words] == left_out
    assert words.count("1 step, left out of this page: tests/") == len(left_out)
    assert f"tests whose steps are left out for the same reason: {len(left_out)}" in words


# Pictures


def test_a_picture_is_in_the_page_once(tmp_path: Path) -> None:
    path = picture(tmp_path, "a.png")
    album = Album(tmp_path)
    album.load([path, path])
    shown = Reader(album.show(path, "before") + album.show(path, "after") + album.symbols())
    assert [use["href"] for use in shown.all("use")] == ["#p0", "#p0"]
    assert [svg.get("aria-label") for svg in shown.all("svg")] == ["before", "after", None]
    (image,) = shown.all("image")
    assert str(image["href"]).startswith("data:image/")


def test_what_does_not_fit_is_left_out_and_told(tmp_path: Path, attempt: Callable[..., Attempt]) -> None:
    own = attempt_folder("t.py::test_a", 1)
    journal = Journal(tmp_path / own / "steps.jsonl")
    for number, color in enumerate(("red", "green", "blue")):
        journal.write("intent", step=f"step-{number}", named="tap")
        journal.write(
            "done", step=f"step-{number}", evidence=[kept("after", picture(tmp_path, f"{number}.png", color))]
        )
    journal.close()
    store(tmp_path, attempt("functional.no_effect", test="t.py::test_a", folder=own))
    album = Album(tmp_path)
    album.load(["store/2.png"])
    shown = page(tmp_path, most=len(album.symbols()))
    assert len(shown.all("image")) == 1
    assert "store/0.png: left out of this page" in shown.words
    assert "store/2.png" not in shown.words  # the last step matters most
    assert "pictures left out, so that the page stays small: 2" in shown.words


@pytest.mark.parametrize("path", ["store/none.png", "store/bad.png", "../outside.png"])
def test_a_picture_that_cant_be_read_is_told(tmp_path: Path, path: str) -> None:
    run = tmp_path / "run"
    (run / "store").mkdir(parents=True)
    (run / "store" / "bad.png").write_bytes(b"no picture")
    Image.new("RGB", (8, 8)).save(tmp_path / "outside.png")
    album = Album(run)
    album.load([path])
    assert album.damaged == {path}
    assert "can't be read" in Reader(album.show(path, "before")).words
    assert Reader(album.symbols()).all("image") == []


def test_a_small_picture_keeps_its_proportions_and_black_stays_black() -> None:
    drawn = Image.new("RGB", (1080, 2400), "white")
    drawn.paste((0, 0, 0), (0, 0, 1080, 1200))
    data, size = thumbnail(from_image(drawn), 420, 900)
    assert (size.width, size.height) == (405, 900)
    assert len(data) < 20_000
