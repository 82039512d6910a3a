"""The journal is on disk event by event, whatever happens to the process."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from pytest_apex.errors import ApexError
from pytest_apex.evidence.journal import Journal, LineFile, read_journal
from pytest_apex.evidence.redact import Redactor
from pytest_apex.model.geometry import Point


def test_events_are_read_back_in_order_with_their_time(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "steps.jsonl"
    journal = Journal(path, now=iter([1.0, 2.5]).__next__)
    journal.write("intent", step="step-001", at=Point(1, 2))
    journal.write("done", step="step-001", took_ms=80.0)
    assert read_journal(path) == [
        {"event": "intent", "time": 1.0, "step": "step-001", "at": [1, 2]},
        {"event": "done", "time": 2.5, "step": "step-001", "took_ms": 80.0},
    ]


def test_every_text_is_masked_before_it_is_written(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "steps.jsonl", Redactor(["sesame"]))
    journal.write("intent", named='type "sesame"', facts={"deep": ["open sesame"]}, seed=7)
    assert b"sesame" not in (tmp_path / "steps.jsonl").read_bytes()
    assert read_journal(tmp_path / "steps.jsonl")[0]["facts"] == {"deep": ["open •••"]}


def test_what_became_a_secret_later_is_masked_at_the_end(tmp_path: Path) -> None:
    path, redactor = tmp_path / "steps.jsonl", Redactor()
    journal = Journal(path, redactor, now=lambda: 1.0)
    journal.write("intent", named="your new code is sesame", n=1)
    redactor.add_secret("sesame")
    journal.close()
    journal.write("late", n=2)
    journal.close()
    assert read_journal(path) == [
        {"event": "intent", "time": 1.0, "named": "your new code is •••", "n": 1},
        {"event": "late", "time": 1.0, "n": 2},
    ]


def test_nothing_is_made_before_the_first_event(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "attempt" / "steps.jsonl")
    journal.close()
    assert not (tmp_path / "attempt").exists()


def test_each_event_is_one_write_that_ends_its_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    written: list[bytes] = []
    real = os.write
    monkeypatch.setattr(os, "write", lambda file, data: written.append(data) or real(file, data))
    journal = Journal(tmp_path / "steps.jsonl")
    journal.write("note", text="x" * 100_000)
    assert len(written) == 1
    assert written[0].endswith(b"}\n")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_a_killed_process_keeps_every_finished_step_and_the_intent_under_way(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from pytest_apex.evidence.journal import Journal\n"
        "journal = Journal(Path(sys.argv[1]))\n"
        "for n in range(1, 51):\n"
        "    journal.write('intent', step=f'step-{n:03d}')\n"
        "    if n == 50: print('acting', flush=True); sys.stdin.read()\n"
        "    journal.write('done', step=f'step-{n:03d}')\n"
    )
    path = tmp_path / "steps.jsonl"
    with subprocess.Popen(
        [sys.executable, "-c", code, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"acting\n"
        process.send_signal(signal.SIGKILL)
    events = read_journal(path)
    assert len(events) == 99
    assert [event["step"] for event in events if event["event"] == "done"] == [f"step-{n:03d}" for n in range(1, 50)]
    assert (events[-1]["event"], events[-1]["step"]) == ("intent", "step-050")


@pytest.mark.parametrize("left", [b'{"event": "done", "st', b'{"event": "done"', b"\0\0\0\0", b"[1, 2]", b"\xff\xfe"])
def test_a_torn_last_line_is_noted(tmp_path: Path, left: bytes) -> None:
    path = tmp_path / "steps.jsonl"
    path.write_bytes(b'{"event": "intent", "step": "step-001"}\n' + left)
    first, torn = read_journal(path)
    assert first["step"] == "step-001"
    assert (torn["event"], torn["line"]) == ("torn", 2)


def test_a_whole_last_line_without_its_end_is_read(tmp_path: Path) -> None:
    path = tmp_path / "steps.jsonl"
    path.write_bytes(b'{"event": "intent"}')
    assert read_journal(path) == [{"event": "intent"}]


def test_a_journal_that_is_not_there_is_told_clearly(tmp_path: Path) -> None:
    with pytest.raises(ApexError, match="can't read the journal"):
        read_journal(tmp_path / "steps.jsonl")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_is_told_by_its_name() -> None:
    with pytest.raises(ApexError, match="No space left on device"):
        LineFile(Path("/dev/full")).append({"event": "intent"})


def test_lines_of_several_processes_do_not_mix(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from pytest_apex.evidence.journal import LineFile\n"
        "lines = LineFile(Path(sys.argv[1]))\n"
        "for n in range(100): lines.append({'who': sys.argv[2], 'n': n, 'long': sys.argv[2] * 3000})"
    )
    path = tmp_path / "results.jsonl"
    running = [subprocess.Popen([sys.executable, "-c", code, str(path), who]) for who in "ab"]
    assert [process.wait() for process in running] == [0, 0]
    lines = [json.loads(line) for line in path.read_bytes().splitlines()]
    for who in "ab":
        assert [line["n"] for line in lines if line["who"] == who] == list(range(100))
        assert all(line["long"] == who * 3000 for line in lines if line["who"] == who)
