"""What of an attempt is kept, when, and what is let go of."""

from __future__ import annotations

import gc
import os
import warnings
import weakref
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from pytest_apex.errors import ApexError
from pytest_apex.evidence.journal import read_journal
from pytest_apex.evidence.recorder import REMEMBERED, RING, Recorder
from pytest_apex.evidence.redact import Redactor
from pytest_apex.evidence.store import EvidenceWarning, Store
from pytest_apex.model.geometry import Rect
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.vision import image


@pytest.fixture
def record(tmp_path: Path):
    def make(policy: str = "failed", redactor: Redactor | None = None, **more) -> Recorder:
        redactor = redactor or Redactor()
        return Recorder(tmp_path / "tests" / "a" / "attempt-1", Store(tmp_path), redactor, policy, **more)

    return make


def events(run_dir: Path) -> list[dict]:
    return read_journal(run_dir / "tests" / "a" / "attempt-1" / "steps.jsonl")


def stored(run_dir: Path) -> list[str]:
    return sorted(path.name for path in (run_dir / "store").iterdir())


def opened(run_dir: Path, artifact) -> Image.Image:
    return Image.open(run_dir / artifact.path).convert("RGB")


def red(side: int = 400) -> image.Picture:
    return image.from_image(Image.new("RGB", (side, side), "red"))


def test_ids_count_from_one(record) -> None:
    recorder = record()
    assert [recorder.next_id() for _ in range(3)] == ["step-001", "step-002", "step-003"]


def test_the_intent_is_on_disk_before_the_act_and_done_after(record, tmp_path, screen_with, tap_between) -> None:
    recorder = record(now=iter([10.0, 10.1, 12.0, 12.1, 13.0]).__next__)
    recorder.intent("step-001", "tap", 'tap "Save"', target='"Save"')
    assert [(event["event"], event["step"], event["target"]) for event in events(tmp_path)] == [
        ("intent", "step-001", '"Save"')
    ]
    done = recorder.done(tap_between("step-001", screen_with(id="s1"), screen_with(id="s2")))
    assert done.wall == (10.0, 12.0)
    last = events(tmp_path)[-1]
    assert (last["event"], last["step"], last["effect"], last["wall"]) == ("done", "step-001", "changed", [10.0, 12.0])
    assert last["after"]["snapshot"] == "s2"


def test_a_failed_attempt_keeps_before_after_touch_and_trees(record, tmp_path, screen_with, tap_between) -> None:
    recorder = record()
    before, after = screen_with(id="s1"), screen_with(id="s2", picture=red())
    done = recorder.done(tap_between("step-001", before, after))
    assert done.evidence == ()
    assert stored(tmp_path) == []
    artifacts = recorder.close(failed=True)
    assert [(item.kind, item.step, item.media_type) for item in artifacts] == [
        ("before", "step-001", "image/png"),
        ("tree", "step-001", "text/plain"),
        ("after", "step-001", "image/png"),
        ("tree", "step-001", "text/plain"),
        ("touch", "step-001", "image/png"),
    ]
    assert recorder.steps[0].evidence == artifacts
    shown = {item.kind: item for item in artifacts}
    assert opened(tmp_path, shown["before"]).getcolors() == [(400 * 400, (255, 255, 255))]
    assert opened(tmp_path, shown["after"]).getcolors() == [(400 * 400, (255, 0, 0))]
    touched = opened(tmp_path, shown["touch"])
    assert touched.size == (400, 400)
    # the touch was at 100, 20 in the tree: 200, 40 in the picture
    assert touched.crop((180, 20, 220, 60)).getcolors() != [(1600, (255, 0, 0))]
    assert touched.crop((0, 300, 400, 400)).getcolors() == [(40_000, (255, 0, 0))]
    assert (tmp_path / artifacts[1].path).read_text("utf-8") == before.to_text()
    kept = next(event for event in events(tmp_path) if event["event"] == "evidence")
    assert [item["path"] for item in kept["evidence"]] == [item.path for item in artifacts]


def test_an_attempt_that_passes_keeps_the_journal_alone(record, tmp_path, screen_with, tap_between) -> None:
    recorder = record()
    recorder.done(tap_between("step-001", screen_with(), screen_with(id="s2")))
    assert recorder.close(failed=False) == ()
    assert stored(tmp_path) == []
    assert [event["event"] for event in events(tmp_path)] == ["done", "closed"]


def test_always_keeps_each_step_as_it_happens(record, tmp_path, screen_with, tap_between) -> None:
    recorder = record("always")
    done = recorder.done(tap_between("step-001", screen_with(), screen_with(id="s2", picture=red())))
    assert [item.kind for item in done.evidence] == ["before", "tree", "after", "tree", "touch"]
    assert len(stored(tmp_path)) == 5
    assert len(events(tmp_path)[0]["evidence"]) == 5
    assert recorder.close(failed=False) == done.evidence


def test_never_keeps_the_journal_alone(record, tmp_path, screen_with, tap_between) -> None:
    recorder = record("never")
    recorder.done(tap_between("step-001", screen_with(), screen_with(id="s2")))
    assert recorder.attach("home", screen_with()) is None
    assert recorder.close(failed=True) == ()
    assert stored(tmp_path) == []


def test_the_same_picture_is_stored_and_encoded_once(record, tmp_path, screen_with, tap_between, monkeypatch) -> None:
    encoded: list[str] = []
    real = Image.Image.save

    def save(self, target, format, **more) -> None:
        encoded.append(format)
        real(self, target, format, **more)

    monkeypatch.setattr(Image.Image, "save", save)
    recorder = record("always")
    for number in range(1, 6):
        same = [image.from_image(Image.new("RGB", (400, 400), "red")) for _ in range(2)]
        looks = [screen_with(id=f"s{number}", picture=picture) for picture in same]
        recorder.done(replace(tap_between(f"step-{number:03d}", *looks), track=None))
    assert encoded == ["PNG"]
    assert len([name for name in stored(tmp_path) if name.endswith(".png")]) == 1


def test_secrets_known_at_the_end_are_hidden_from_the_first_step_on(
    record, tmp_path, screen_with, tap_between, field
) -> None:
    redactor = Redactor()
    recorder = record(redactor=redactor)
    recorder.done(tap_between("step-001", screen_with(field("sesame")), screen_with(field("sesame"), id="s2")))
    redactor.add_secret("sesame")
    artifacts = recorder.close(failed=True)
    assert all(item.redacted for item in artifacts)
    for item in artifacts:
        if item.media_type == "image/png":
            assert opened(tmp_path, item).crop((19, 19, 381, 61)).getpixel((3, 3)) == (0, 0, 0)
    for path in tmp_path.rglob("*"):
        assert not path.is_file() or b"sesame" not in path.read_bytes()


def test_what_is_not_secret_is_not_marked_as_redacted(record, screen_with, tap_between, field) -> None:
    recorder = record(redactor=Redactor(["sesame"]))
    recorder.done(tap_between("step-001", screen_with(field("milk")), screen_with(field("milk"), id="s2")))
    assert not any(item.redacted for item in recorder.close(failed=True))


def test_places_named_by_a_hook_are_black(record, tmp_path, screen_with, tap_between) -> None:
    recorder = record("always", extra_boxes=lambda snapshot: [Rect(0, 0, 20, 20)])
    done = recorder.done(tap_between("step-001", screen_with(), screen_with(id="s2")))
    assert opened(tmp_path, done.evidence[0]).getpixel((10, 10)) == (0, 0, 0)
    assert done.evidence[0].redacted


def test_a_hook_that_fails_keeps_the_picture_from_being_stored(record, tmp_path, screen_with, tap_between) -> None:
    def broken(_snapshot: Snapshot) -> list[Rect]:
        raise KeyError("avatar")

    recorder = record("always", extra_boxes=broken)
    with pytest.warns(EvidenceWarning, match="KeyError: 'avatar'"):
        done = recorder.done(tap_between("step-001", screen_with(), screen_with(id="s2")))
    assert done.evidence == ()
    assert stored(tmp_path) == []
    assert len(recorder.problems) == 1


def test_attached_things_are_kept_even_if_the_test_passes(record, tmp_path, screen_with, field) -> None:
    recorder = record(redactor=Redactor(["sesame"]))
    picture = recorder.attach("after sesame", screen_with(field("sesame")))
    text = recorder.attach("log", "login sesame ok", kind="log")
    assert picture is not None
    assert text is not None
    assert (picture.kind, picture.caption, picture.redacted) == ("picture", "after •••", True)
    assert (text.kind, text.media_type) == ("log", "text/plain")
    assert (tmp_path / text.path).read_text("utf-8") == "login ••• ok"
    kept = recorder.close(failed=False)
    assert [item.kind for item in kept] == ["picture", "tree", "log"]
    assert [event["event"] for event in events(tmp_path)] == ["attached", "attached", "closed"]


def test_a_picture_without_its_tree_is_refused_once_there_are_secrets(
    record, tmp_path, screen_with, tap_between
) -> None:
    redactor = Redactor()
    recorder = record(redactor=redactor)
    assert recorder.attach("plain", red()) is not None
    redactor.add_secret("sesame")
    with pytest.warns(EvidenceWarning, match="attach the snapshot"):
        assert recorder.attach("unknown", red(200)) is None
    assert recorder.attach("cleaned", red(200), redacted=True) is not None
    recorder.done(tap_between("step-001", screen_with(), screen_with(id="s2", picture=red(300))))
    assert recorder.attach("the step's own", red(300)) is not None


def test_events_of_any_name_are_noted(record, tmp_path) -> None:
    record().event("check", claim="is visible", holds=False)
    assert events(tmp_path)[0]["holds"] is False


def test_a_thousand_steps_keep_a_bounded_ring(record, tmp_path, screen_with, tap_between) -> None:
    recorder = record()
    seen: list[weakref.ref[Snapshot]] = []

    class Weak(Snapshot):
        """Snapshots have slots and take no weak references; these do."""

        __slots__ = ("__weakref__",)

    for number in range(1, 1001):
        look = screen_with(id=f"s{number}")
        look = Weak(*(getattr(look, name) for name in Snapshot.__dataclass_fields__))
        seen.append(weakref.ref(look))
        recorder.intent(f"step-{number:03d}", "tap", "tap")
        recorder.done(tap_between(f"step-{number:03d}", look, look))
        del look
    gc.collect()
    assert sum(reference() is not None for reference in seen) == RING
    assert len(recorder.steps) == REMEMBERED
    assert [step.after is not None for step in recorder.steps] == [False] * (REMEMBERED - RING) + [True] * RING
    artifacts = recorder.close(failed=True)
    gc.collect()
    assert {item.step for item in artifacts} == {f"step-{number:03d}" for number in range(951, 1001)}
    assert not any(reference() for reference in seen)
    assert recorder.steps[-1].evidence
    assert len([event for event in events(tmp_path) if event["event"] == "done"]) == 1000


@pytest.mark.parametrize("policy", ["failed", "always", "never"])
def test_memory_does_not_grow_with_the_number_of_steps(
    record, screen_with, tap_between, monkeypatch, policy: str
) -> None:
    monkeypatch.setattr("pytest_apex.evidence.recorder.RING", 5)
    monkeypatch.setattr("pytest_apex.evidence.recorder.REMEMBERED", 20)
    recorder = record(policy)
    shared = red(40)

    def objects_after(steps: range) -> int:
        for number in steps:
            look = screen_with(id=f"s{number}", picture=shared)
            recorder.intent(f"step-{number:04d}", "tap", "tap")
            recorder.done(replace(tap_between(f"step-{number:04d}", look, look), track=None))
        gc.collect()
        return len(gc.get_objects())

    objects_after(range(1000, 1050))
    few = objects_after(range(1050, 1100))
    assert objects_after(range(1100, 1400)) - few < 100


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_folder_is_told(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(ApexError):
        Store(tmp_path / "run")


def test_trouble_with_the_disk_is_said_once_and_the_test_goes_on(
    record, tmp_path, screen_with, tap_between, monkeypatch
) -> None:
    recorder = record("always")

    def full(*_args) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    monkeypatch.setattr(Path, "write_bytes", full)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        recorder.intent("step-001", "tap", "tap")
        step = recorder.done(tap_between("step-001", screen_with(), screen_with(id="s2")))
        recorder.attach("log", "text")
        assert recorder.close(failed=True) == ()
    assert step.evidence == ()
    assert [warning.category for warning in said] == [EvidenceWarning]
    assert "No space left on device" in str(said[0].message)
    assert all("No space left on device" in line for line in recorder.problems)
    assert len(recorder.problems) >= 2  # the journal's and the store's
