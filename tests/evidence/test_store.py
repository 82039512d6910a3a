"""Files by content, whole or not at all, and names that every file system takes."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from pytest_apex.errors import ApexError
from pytest_apex.evidence.store import Store, attempt_folder, safe_name, write_atomic


def files(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def test_a_file_is_named_by_its_content(tmp_path: Path) -> None:
    artifact = Store(tmp_path).put(b"abc", kind="before", suffix=".png", media_type="image/png", step="step-001")
    digest = hashlib.sha256(b"abc").hexdigest()
    assert artifact.sha256 == digest
    assert artifact.path == f"store/{digest[:32]}.png"
    assert (tmp_path / artifact.path).read_bytes() == b"abc"
    assert (artifact.kind, artifact.step, artifact.media_type) == ("before", "step-001", "image/png")


def test_the_same_content_is_stored_once(tmp_path: Path) -> None:
    store = Store(tmp_path)
    first = store.put(b"abc", kind="before", suffix=".png", media_type="image/png")
    os.utime(tmp_path / first.path, (1, 1))
    second = store.put(b"abc", kind="after", suffix=".png", media_type="image/png")
    other = store.put(b"abd", kind="after", suffix=".png", media_type="image/png")
    assert first.path == second.path
    assert (tmp_path / first.path).stat().st_mtime == 1
    assert files(tmp_path) == sorted([first.path, other.path])


def test_several_processes_share_a_store(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from pytest_apex.evidence.store import Store\n"
        "store = Store(Path(sys.argv[1]))\n"
        "for n in range(200): store.put(str(n % 20).encode() * 5000, kind='t', suffix='.txt', media_type='text/plain')"
    )
    running = [subprocess.Popen([sys.executable, "-c", code, str(tmp_path)]) for _ in range(3)]
    assert [process.wait() for process in running] == [0, 0, 0]
    stored = files(tmp_path)
    assert len(stored) == 20
    for name in stored:
        assert hashlib.sha256((tmp_path / name).read_bytes()).hexdigest().startswith(Path(name).stem)


def test_a_folder_that_cannot_be_made_is_told_in_four_parts(tmp_path: Path) -> None:
    (tmp_path / "run").write_text("a file is in the way")
    with pytest.raises(ApexError) as caught:
        Store(tmp_path / "run")
    assert "can't write the evidence of this run" in caught.value.tried
    assert str(tmp_path / "run") in caught.value.tried
    assert "Error" in caught.value.seen
    assert "--apex-artifacts" in caught.value.cure


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_is_told_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(tmp_path)

    def to_a_full_disk(_path: Path, data: bytes) -> int:
        with Path("/dev/full").open("wb", buffering=0) as full:
            return full.write(data)

    monkeypatch.setattr(Path, "write_bytes", to_a_full_disk)
    with pytest.raises(ApexError, match="No space left on device"):
        store.put(b"abc", kind="before", suffix=".png", media_type="image/png")
    assert files(tmp_path) == []


def test_a_write_that_fails_leaves_the_old_file_and_no_draft(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "run.json"
    write_atomic(target, b"old")

    def refuse(_self: Path, _target: Path) -> Path:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(ApexError, match="Permission denied"):
        write_atomic(target, b"new")
    assert target.read_bytes() == b"old"
    assert files(tmp_path) == ["run.json"]


@pytest.mark.parametrize(
    ("nodeid", "readable"),
    [
        ("tests/test_notes.py::test_save", "test_notes-test_save"),
        ("tests/test_notes.py::TestList::test_save[hunter2::/\\x]", "test_notes-test_save"),
        ("flows/log in.flow.yaml::buy milk?", "log-in-flow-buy-milk"),
        ("a.py::test_ünï☃", "a-test_-n"),
        ("con.py::aux", "con-aux"),
        ("..\\..\\evil.py::test", "evil-test"),
        ("", "test"),
        (f"a.py::test_{'x' * 300}", "a-test_" + "x" * 41),
    ],
)
def test_a_test_gives_a_short_portable_name_without_its_parameters(nodeid: str, readable: str) -> None:
    name = safe_name(nodeid)
    assert name.rpartition("-")[0] == readable
    assert len(name) <= 57


def test_names_are_unique_where_tests_are() -> None:
    ids = [f"tests/test_a.py::test_x[{n}]" for n in range(500)] + ["b/test_a.py::test_x", "tests/test_a.py::Test_X"]
    assert len({safe_name(nodeid).lower() for nodeid in ids}) == len(ids)
    assert safe_name(ids[0]) == safe_name(ids[0])


def test_each_attempt_has_its_folder() -> None:
    nodeid = "tests/test_notes.py::test_save"
    assert attempt_folder(nodeid, 2) == f"tests/{safe_name(nodeid)}/attempt-2"
