"""Logs and reports of real devices: what is read from each of them, and nothing else."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from pytest_apex.records import read_crash_evidence

LOGS = Path(__file__).parents[2] / "fixtures" / "logs"
#: File: (way, app, pid) of each record.
READ = {
    "amaze_1837.txt": [("java", "com.amaze.filemanager.debug", 4279)],
    "ankidroid_4451.txt": [("java", "com.ichi2.anki", 10938), ("java", "com.ichi2.anki", 9453)],
    "wordpress_8659.txt": [("java", "org.wordpress.android", 25261)],
    "markor_1698.txt": [("java", "net.gsantner.markor_test", 5007)],
    "nextcloud_4792.txt": [("java", "com.nextcloud.client", 18839), ("java", "com.nextcloud.client", 15696)],
    "anr_thread_dump_no_stack.txt": [("anr", "io.sentry.samples.android", 12345)],
    "ios_nsexception.crash.txt": [("ios", "org.stenerud.Crash-Tester", 1055)],
    "ios_main_thread_deadlock.crash.txt": [("anr", "org.stenerud.Crash-Tester", 872)],
    "ios_sigabrt.ips": [("native", "com.example.testapp", 71348)],
    "ios_sigsegv.ips": [("native", "com.example.testapp", 71348)],
    "ios_handcrafted.crash.txt": [("native", "com.YourCompany.YetAnotherMac", 49028)],
    # Two crashes of uiautomator's own process, which no package names: nobody's app.
    "logcat_flutter_tail.txt": [("java", "", 13770), ("java", "", 13787)],
}


@pytest.mark.parametrize("name", READ)
def test_what_is_read(name: str) -> None:
    data = (LOGS / name).read_bytes()
    records = read_crash_evidence(data)
    assert [(record.way, record.app, record.pid) for record in records] == READ[name]
    assert all(record.reason for record in records)
    for _, app, _ in READ[name]:
        own = read_crash_evidence(data, app=app or "com.example.notes")
        assert {record.app for record in own} == ({app} if app else set())
    assert read_crash_evidence(data, app="com.example.notes") == []


def test_each_file_has_its_source_and_licence() -> None:
    with (LOGS / "INDEX.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert sorted(row["file"] for row in rows) == sorted(READ)
    assert {row["licence"] for row in rows} <= {"MIT", "Apache-2.0"}
    assert all(row["source_repo"] and len(row["commit"]) == 40 for row in rows)
