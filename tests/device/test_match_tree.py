"""`to_match_tree`: approved trees, what is missing, what differs, and how they are renewed."""

from __future__ import annotations

import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pytest_apex.device import baselines
from pytest_apex.device.baselines import Baselines
from pytest_apex.device.examining.failure import failure_of
from pytest_apex.device.expect import expect
from pytest_apex.errors import CheckFailed, ConfigError
from pytest_apex.model.case import Case
from pytest_apex.settings import Keep, Settings
from pytest_apex.verify.judge import judge


@pytest.fixture
def approving(seeing: Any, tmp_path: Path) -> Callable[..., Any]:
    """`approving("missing")`: a device that keeps its approved trees in `tmp_path/approved`."""

    def make(update: str = "none", options: str = "", policy: str = "failed") -> Any:
        keep = Keep(baselines=str(tmp_path / "approved"), update_baselines=update, policy=policy)
        return seeing(options, Settings(keep=keep))

    return make


def failed(device: Any, name: str = "home", **options: Any) -> CheckFailed:
    with pytest.raises(CheckFailed) as caught:
        expect(device.screen).to_match_tree(name, **options)
    return caught.value


def test_written_when_missing_and_matched_from_then_on(approving: Any, tmp_path: Path) -> None:
    device = approving("missing")
    expect(device.screen).to_match_tree("home")
    file = tmp_path / "approved" / "home.android.tree.txt"
    text = file.read_text("utf-8")
    assert "StaticText, identifier: 'badge', text: '1'" in text
    assert "identifier: 'clock', changes by itself" in text
    assert "pid" not in text
    assert any('approved tree "home" was written' in note for note in device.context.notes)
    device.wait(3)  # the clock goes on
    expect(device.screen).to_match_tree("home")
    strict = approving("none")
    expect(strict.screen).to_match_tree("home")
    assert not strict.context.notes


def test_another_screen_in_few_lines(approving: Any, tmp_path: Path) -> None:
    device = approving("missing")
    expect(device.screen).to_match_tree("home")
    device.tap(device.find(id="both"))
    before = device.context.backend.clock.now()
    error = failed(device, timeout=1.0)
    assert device.context.backend.clock.now() - before >= 1.0
    assert error.seen.splitlines()[0] == "home.android.tree.txt, - approved, + now:"
    assert "text: '1'" in error.seen
    assert "text: '3'" in error.seen
    assert len(error.seen.splitlines()) <= 10
    assert error.failure.kind == "functional.wrong_state"
    assert judge(device.examine(failure_of(error), error)).kind == "functional.wrong_state"
    candidate = tmp_path / error.look_at
    assert "text: '3'" in candidate.read_text("utf-8")
    device.tap(device.find(id="settings"))
    assert "and " in failed(device, timeout=0.5).seen.splitlines()[-1]


def test_what_is_masked_does_not_count(approving: Any) -> None:
    device = approving("missing")
    mask = [device.find(id="badge"), device.find(id="network")]
    expect(device.screen).to_match_tree("masked", mask=mask)
    device.tap(device.find(id="both"))
    expect(device.screen).to_match_tree("masked", mask=mask)
    with pytest.raises(CheckFailed):
        expect(device.screen).to_match_tree("masked", mask=mask[:1], timeout=0.5)


def test_a_missing_one_is_unsure_at_once_and_leaves_a_candidate(approving: Any, tmp_path: Path) -> None:
    device = approving("none")
    before = device.context.backend.clock.now()
    error = failed(device)
    assert device.context.backend.clock.now() - before < 3
    verdict = judge(device.examine(failure_of(error), error))
    assert (verdict.category, verdict.kind) == (None, "unsure.no_baseline")
    assert not (tmp_path / "approved").exists()
    assert "identifier: 'badge'" in (tmp_path / error.look_at).read_text("utf-8")
    assert "--apex-update-baselines missing" in error.cure


def test_all_are_renewed_and_only_when_they_differ(approving: Any, tmp_path: Path) -> None:
    file = tmp_path / "approved" / "home.android.tree.txt"
    baselines.write(file, "Application: 'old'\n")
    missing = approving("missing")
    failed(missing, timeout=0.5)
    assert file.read_text("utf-8") == "Application: 'old'\n"
    device = approving("all")
    expect(device.screen).to_match_tree("home")
    text = file.read_text("utf-8")
    assert "identifier: 'badge'" in text
    assert len(device.context.notes) == 1
    expect(device.screen).to_match_tree("home")
    assert len(device.context.notes) == 1


def test_line_ends_of_other_systems_are_the_same(approving: Any, tmp_path: Path) -> None:
    device = approving("missing")
    expect(device.screen).to_match_tree("home")
    file = tmp_path / "approved" / "home.android.tree.txt"
    file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    expect(approving("none").screen).to_match_tree("home")


def test_platforms_have_their_own(approving: Any, tmp_path: Path) -> None:
    expect(approving("missing").screen).to_match_tree("home")
    expect(approving("missing", "platform=ios").screen).to_match_tree("home")
    names = sorted(path.name for path in (tmp_path / "approved").iterdir())
    assert names == ["home.android.tree.txt", "home.ios.tree.txt"]


def test_what_is_secret_is_written_nowhere(approving: Any, tmp_path: Path) -> None:
    device = approving("missing")
    device.find(id="name").fill("swordfish", secret=True)
    device.hide_keyboard()
    expect(device.screen).to_match_tree("secret")
    expect(device.screen).to_match_tree("secret")
    assert "swordfish" not in (tmp_path / "approved" / "secret.android.tree.txt").read_text("utf-8")


def test_softly(approving: Any) -> None:
    device = approving("none")
    expect.soft(device.screen).to_match_tree("home")
    assert len(device.soft_failures) == 1


# --- files -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["", "../home", "/etc/home", "a/../b", "a//b", "home\n", "a\\b", 5, None])
def test_names_that_are_none(name: Any, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="has a name of letters"):
        Baselines(tmp_path).file(name, "tree.txt")


def test_names_with_folders_and_no_folder_at_all(tmp_path: Path) -> None:
    assert Baselines(tmp_path).file("log in/home (dark)", "x.txt") == tmp_path / "log in" / "home (dark).x.txt"
    with pytest.raises(ConfigError, match="nobody said where"):
        Baselines().file("home", "tree.txt")


@pytest.mark.parametrize(
    ("there", "asked"), [("Case", "case"), ("Log in/home", "log in/home"), ("\u00fcber", "\u00dcber"), ("case", "Case")]
)
@pytest.mark.parametrize("written", [True, False])
def test_two_names_that_are_one_file_elsewhere(tmp_path: Path, there: str, asked: str, written: bool) -> None:
    """On every system, whether the other was written or only asked for by the same test."""
    first = Baselines(tmp_path)
    file = first.file(there, "tree.txt")
    if written:
        baselines.write(file, "one\n")
    with pytest.raises(ConfigError, match="the same file as another on macOS and Windows"):
        (Baselines(tmp_path) if written else first).file(asked, "tree.txt")
    assert first.file(there, "tree.txt") == Baselines(tmp_path).file(there, "tree.txt") == file  # the twin: itself
    assert first.file(there, "png")


def test_a_file_is_replaced_as_a_whole(tmp_path: Path) -> None:
    file = tmp_path / "a" / "b.txt"
    baselines.write(file, "one\n")
    baselines.write(file, "two ü\n")
    assert baselines.read(file) == "two ü\n"
    assert [path.name for path in file.parent.iterdir()] == ["b.txt"]
    assert file.stat().st_mode & stat.S_IROTH
    assert baselines.read(tmp_path / "none.txt") is None


def test_files_that_cannot_be_read_or_written(tmp_path: Path) -> None:
    (tmp_path / "bad.txt").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigError, match="can't be read") as caught:
        baselines.read(tmp_path / "bad.txt")
    assert "encoding" in caught.value.likely
    assert "--apex-update-baselines all" in caught.value.cure
    (tmp_path / "empty.txt").write_text(" \n", "utf-8")
    with pytest.raises(ConfigError, match="is empty"):
        baselines.read(tmp_path / "empty.txt")
    (tmp_path / "marked.txt").write_text("\ufeffa\n", "utf-8")
    assert baselines.read(tmp_path / "marked.txt") == "a\n"
    (tmp_path / "file").write_text("x", "utf-8")
    with pytest.raises(ConfigError, match="can't be written"):
        baselines.write(tmp_path / "file" / "b.txt", "x")


@pytest.mark.parametrize("mask", ["clock", 5, ["clock"], [None], {"clock": 1}, None])
def test_a_mask_that_is_none_is_refused(approving: Any, mask: Any) -> None:
    device = approving("missing")
    with pytest.raises(ConfigError) as caught:
        expect(device.screen).to_match_tree("home", mask=mask)
    assert "list of locators" in str(caught.value)


def test_one_locator_is_a_mask_as_well(approving: Any, tmp_path: Path) -> None:
    device = approving("missing")
    expect(device.screen).to_match_tree("home", mask=device.find(id="badge"))
    assert "text: '1'" not in (tmp_path / "approved" / "home.android.tree.txt").read_text("utf-8")


@pytest.mark.parametrize("content", [b"", b"\xff\xfe\x00"])
def test_a_file_that_is_none_is_renewed_when_all_are_and_else_no_fault_of_the_app(
    approving: Any, tmp_path: Path, content: bytes
) -> None:
    file = tmp_path / "approved" / "home.android.tree.txt"
    file.parent.mkdir()
    file.write_bytes(content)
    for update in ("none", "missing"):
        with pytest.raises(ConfigError):
            expect(approving(update).screen).to_match_tree("home")
    assert file.read_bytes() == content
    expect(approving("all").screen).to_match_tree("home")
    assert "identifier: 'badge'" in file.read_text("utf-8")


def test_masks_that_leave_nothing_are_refused(approving: Any, tmp_path: Path) -> None:
    device = approving("missing")
    for mask in (device.find(role="window", nth=0), device.find(xpath="//*[@text='Inbox']/ancestor::*", nth=0)):
        with pytest.raises(ConfigError, match="leave nothing"):
            expect(device.screen).to_match_tree("home", mask=mask)
    assert not (tmp_path / "approved").exists()


def test_a_screen_that_never_rests_leaves_no_candidate(approving: Any, tmp_path: Path) -> None:
    device = approving("missing", "fault=endless_animation")
    error = failed(device, timeout=0.5)
    assert error.unsettled is not None
    assert error.look_at == ""
    assert not (tmp_path / "approved").exists()


def test_time_that_passed_is_no_cause(approving: Any) -> None:
    device = approving("none")
    device.wait(0.5)
    assert failed(device).likely == "the screen was never approved on this platform"
    with pytest.raises(CheckFailed) as caught:
        expect(device.find("Nowhere")).to_be_visible(timeout=0.2)
    assert "wait" not in caught.value.likely
    device.tap(device.find(id="dead"))
    with pytest.raises(CheckFailed) as caught:
        expect(device.find("Nowhere")).to_be_visible(timeout=0.2)
    assert "had no effect" in caught.value.likely


@pytest.mark.parametrize("kept", [0.3, 0.55, 0.8, 0.97])
def test_half_a_file_is_no_fault_of_the_app(approving: Any, tmp_path: Path, kept: float) -> None:
    device = approving("missing")
    expect(device.screen).to_match_tree("home")
    file = tmp_path / "approved" / "home.android.tree.txt"
    whole = file.read_text("utf-8")
    strict = approving()
    for length in range(int(kept * len(whole)), int(kept * len(whole)) + 30, 3):
        if whole[length - 1] == "\n":
            continue  # cut between two lines: it is the tree of a smaller screen
        file.write_text(whole[:length], "utf-8")
        with pytest.raises(ConfigError, match="is damaged") as caught:
            expect(strict.screen).to_match_tree("home")
        lines = whole[:length].count("\n") + 1
        assert f"{file}:{lines} " in str(caught.value)
        assert judge(Case(failure_of(caught.value), now=device.snapshot())).kind == "test.config"
    file.write_text(whole.rstrip("\n"), "utf-8")  # an editor that takes the last line end away
    expect(approving().screen).to_match_tree("home")


def test_marks_of_a_merge_are_named_and_gone_when_all_are_renewed(approving: Any, tmp_path: Path) -> None:
    expect(approving("missing").screen).to_match_tree("home")
    file = tmp_path / "approved" / "home.android.tree.txt"
    first, rest = file.read_text("utf-8").split("\n", 1)
    file.write_text(f"{first}\n<<<<<<< HEAD\n{rest}", "utf-8")
    with pytest.raises(ConfigError, match=r"tree\.txt:2 is damaged"):
        expect(approving().screen).to_match_tree("home")
    expect(approving("all").screen).to_match_tree("home")
    expect(approving().screen).to_match_tree("home")
