"""Records from device logs: what is read, from which format, and whose it is."""

from __future__ import annotations

import pytest

from pytest_apex.records import log_seconds, read_crash_evidence

APP = "com.example.notes"
AT = log_seconds(3, 7, 9, 15, 2.5)

MESSAGES = (
    "FATAL EXCEPTION: main",
    f"Process: {APP}, PID: 4120",
    "java.lang.IllegalStateException: no notebook is open",
    "\tat com.example.notes.Editor.save(Editor.kt:41)",
    "Caused by: java.io.IOException: read-only file system",
    "\tat com.example.notes.Store.write(Store.kt:12)",
)


def block(head: str) -> str:
    return "\n".join(head + message for message in MESSAGES)


FORMATS = {
    "threadtime": block("03-07 09:15:02.500  4120  4120 E AndroidRuntime: "),
    "threadtime with year": block("2026-03-07 09:15:02.500  4120  4120 E AndroidRuntime: "),
    "threadtime with uid": block("03-07 09:15:02.500 u0_a212  4120  4120 E AndroidRuntime: "),
    "threadtime with numeric uid": block("03-07 09:15:02.500 10212  4120  4120 E AndroidRuntime: "),
    "time": block("03-07 09:15:02.500 E/AndroidRuntime( 4120): "),
    "studio": "2026-03-07 09:15:02.500 4120-4120/com.example.notes E/AndroidRuntime: "
    + MESSAGES[0]
    + "".join(f"\n    {message.strip()}" for message in MESSAGES[1:]),
    "studio, new": "2026-03-07 09:15:02.500  4120-4120  AndroidRuntime          com.example.notes          E  "
    + MESSAGES[0]
    + "".join(f"\n{' ' * 90}{message.strip()}" for message in MESSAGES[1:]),
    "long": "[ 03-07 09:15:02.500  4120: 4120 E/AndroidRuntime ]\n" + "\n".join(MESSAGES),
}


@pytest.mark.parametrize("text", FORMATS.values(), ids=FORMATS.keys())
def test_a_java_crash_is_read_from_every_format(text: str) -> None:
    [record] = read_crash_evidence(text)
    assert (record.app, record.pid, record.way, record.at) == (APP, 4120, "java", AT)
    assert record.reason == (
        "java.lang.IllegalStateException: no notebook is open, caused by java.io.IOException: read-only file system"
    )
    assert "Editor.save" in record.text


@pytest.mark.parametrize("head", ["E/AndroidRuntime( 4120): ", "E AndroidRuntime: "])
def test_a_format_without_time_gives_none(head: str) -> None:
    [record] = read_crash_evidence(block(head), app=APP, since=log_seconds(12, 31))
    assert (record.app, record.pid, record.at) == (APP, 4120, None)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_bytes_as_shells_write_them(encoding: str) -> None:
    data = FORMATS["threadtime"].replace("\n", "\r\n").encode(encoding)
    assert [record.pid for record in read_crash_evidence(data)] == [4120]


def test_lines_of_others_in_between_are_left_out() -> None:
    lines = FORMATS["threadtime"].split("\n")
    lines.insert(2, "03-07 09:15:02.500  1200  1301 E WindowManager: something else")
    lines.insert(4, "03-07 09:15:02.500  4120  4120 D AndroidRuntime: Shutting down VM")
    [record] = read_crash_evidence("\n".join(lines))
    assert "something else" not in record.text
    assert "Shutting down" not in record.text
    assert "IOException" in record.text


TOOL = """\
03-07 09:15:01.000 D/AndroidRuntime( 5001): >>>>>> START com.android.internal.os.RuntimeInit uid 2000 <<<<<<
03-07 09:15:01.100 E/AndroidRuntime( 5001): FATAL EXCEPTION: main
03-07 09:15:01.100 E/AndroidRuntime( 5001): PID: 5001
03-07 09:15:01.100 E/AndroidRuntime( 5001): java.lang.IllegalStateException: automation service already registered
03-07 09:15:01.100 E/AndroidRuntime( 5001): Error reporting crash
03-07 09:15:01.100 E/AndroidRuntime( 5001): java.lang.RuntimeException: bad file descriptor
"""


def test_a_shell_tools_crash_is_nobodys() -> None:
    [record] = read_crash_evidence(TOOL)
    assert (record.app, record.pid) == ("", 5001)
    assert "RuntimeException" not in record.text
    assert read_crash_evidence(TOOL, app=APP) == []


def test_a_block_without_process_is_named_by_the_log_that_started_it() -> None:
    start = "03-07 09:14:00.000 I/ActivityManager( 1200): Start proc 5001:com.example.notes/u0a212 for activity\n"
    event = "03-07 09:14:00.000  1200  1210 I am_proc_start: [0,5001,10212,com.example.notes,activity,{com}]\n"
    for told in (start, event):
        assert [record.pid for record in read_crash_evidence(told + TOOL, app=APP)] == [5001]


@pytest.mark.parametrize(
    ("process", "blamed"),
    [
        (APP, True),
        (f"{APP}:sync", True),
        (f"{APP}2", False),
        (f"{APP}.beta", False),
        ("com.google.android.apps.nexuslauncher", False),
        ("io.appium.uiautomator2.server", False),
    ],
)
def test_whose_crash_it_is(process: str, blamed: bool) -> None:
    text = FORMATS["threadtime"].replace(f"Process: {APP},", f"Process: {process},")
    assert bool(read_crash_evidence(text, app=APP)) is blamed


def test_since_drops_what_is_older() -> None:
    text = FORMATS["threadtime"]
    assert AT is not None
    assert read_crash_evidence(text, since=AT)
    assert read_crash_evidence(text, since=AT - 5)
    assert not read_crash_evidence(text, since=AT + 0.1)


def test_since_holds_across_new_years_eve() -> None:
    text = FORMATS["threadtime"].replace("03-07 09:15:02", "01-01 00:00:04")
    assert read_crash_evidence(text, since=log_seconds(12, 31, 23, 59, 58))
    old = FORMATS["threadtime"].replace("03-07 09:15:02", "12-31 23:59:50")
    assert not read_crash_evidence(old, since=log_seconds(1, 1, 0, 0, 3))


NATIVE = """\
03-07 09:15:02.500  4120  4188 F libc    : Fatal signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x10 in tid 4188 (RenderThread), pid 4120 (m.example.notes)
"""  # noqa: E501
TOMBSTONE = """\
03-07 09:15:02.900  6001  6001 F DEBUG   : *** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***
03-07 09:15:02.900  6001  6001 F DEBUG   : Cmdline: com.example.notes
03-07 09:15:02.900  6001  6001 F DEBUG   : pid: 4120, tid: 4188, name: RenderThread  >>> com.example.notes <<<
03-07 09:15:02.900  6001  6001 F DEBUG   : signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0000000000000010
03-07 09:15:02.900  6001  6001 F DEBUG   : Abort message: 'no surface'
03-07 09:15:02.900  6001  6001 F DEBUG   :       #00 pc 00000000000a1b2c  /system/lib64/libhwui.so
"""


def test_signal_and_tombstone_of_one_process_are_one_record() -> None:
    [record] = read_crash_evidence(NATIVE + TOMBSTONE, app=APP)
    assert (record.way, record.pid, record.at) == ("native", 4120, AT)
    assert record.reason.startswith("signal 11 (SIGSEGV)")
    assert "Abort message: 'no surface'" in record.reason


def test_a_signal_alone_names_the_app_by_the_end_of_its_id() -> None:
    assert read_crash_evidence(NATIVE, app=APP)[0].app == APP
    assert read_crash_evidence(NATIVE, app="org.other.notes") == []
    short = NATIVE.replace("m.example.notes", "notes")
    assert read_crash_evidence(short, app=APP) == []


ANR = """\
03-07 09:15:02.500  1200  1255 E ActivityManager: ANR in com.example.notes (com.example.notes/.MainActivity)
03-07 09:15:02.500  1200  1255 E ActivityManager: PID: 4120
03-07 09:15:02.500  1200  1255 E ActivityManager: Reason: Input dispatching timed out (no focused window)
03-07 09:15:02.500  1200  1255 E ActivityManager: Load: 3.1 / 2.0 / 1.4
03-07 09:15:02.500  1200  1255 I am_anr  : [0,4120,com.example.notes,952647236,Input dispatching timed out]
"""


def test_an_anr_is_read_once_from_main_and_events_buffer() -> None:
    [record] = read_crash_evidence(ANR, app=APP)
    assert (record.way, record.pid) == ("anr", 4120)
    assert record.reason == "Input dispatching timed out (no focused window)"


def test_an_anr_of_the_launcher_is_not_the_apps() -> None:
    assert read_crash_evidence(ANR.replace("com.example.notes", "com.android.launcher3"), app=APP) == []


EVENT = "03-07 09:15:02.500  1200  1255 I "
EVENTS = {
    "am_crash: [0,4120,com.example.notes,952647236,java.lang.Error,a, b,c,Notes.kt,7]": (
        "java",
        "java.lang.Error: a, b,c",
    ),
    "am_crash: [0,4120,com.example.notes,952647236,Native crash,Segmentation fault,unknown,0]": (
        "native",
        "Native crash: Segmentation fault",
    ),
    "am_anr: [0,4120,com.example.notes,952647236,Broadcast of Intent]": ("anr", "Broadcast of Intent"),
    "am_proc_died: [0,4120,com.example.notes,0,2]": ("exit", "the process died"),
    "am_kill: [0,4120,com.example.notes,0,stop com.example.notes due to from pid 9]": ("user", None),
    "am_kill: [0,4120,com.example.notes,900,empty for 1800s]": ("low_memory", None),
    "am_kill: [0,4120,com.example.notes,0,bg anr]": ("anr", None),
    "am_kill: [0,4120,com.example.notes,0,crash]": ("java", None),
    "am_kill: [0,4120,com.example.notes,0,user request after error]": ("exit", None),
    "am_kill: [0,4120,com.example.notes,0,excessive cpu 9000 during 300000]": ("killed", None),
    "am_kill: [0,4120,com.example.notes,900,remove task]": ("user", None),
    "ActivityManager: Process com.example.notes (pid 4120) has died: fg  TOP": ("exit", "the process died: fg  TOP"),
    "ActivityManager: Killing 4120:com.example.notes/u0a212 (adj 0): stop com.example.notes": ("user", None),
    "lowmemorykiller: Kill 'com.example.notes' (4120), uid 10212, oom_adj 700": ("low_memory", None),
    "lmkd: Kill 'com.example.notes' (4120), uid 10212, oom_score_adj 700": ("low_memory", None),
}


@pytest.mark.parametrize("event", EVENTS)
def test_events(event: str) -> None:
    [record] = read_crash_evidence(EVENT + event, app=APP)
    way, reason = EVENTS[event]
    assert (record.way, record.pid, record.at) == (way, 4120, AT)
    assert reason is None or record.reason == reason


def test_events_before_users_existed_begin_with_the_pid() -> None:
    [record] = read_crash_evidence(EVENT + "am_proc_died: [4120,com.example.notes,0,2]", app=APP)
    assert record.pid == 4120


def test_a_force_stop_is_the_users() -> None:
    text = EVENT + "ActivityManager: Force stopping com.example.notes appid=10212 user=0: from pid 7001"
    assert [record.way for record in read_crash_evidence(text, app=APP)] == ["user"]


def test_a_bare_exit_is_named_by_the_start_and_dropped_where_its_cause_is_told() -> None:
    start = EVENT + "am_proc_start: [0,4120,10212,com.example.notes,activity,{com}]\n"
    gone = EVENT + "Zygote  : Process 4120 exited cleanly (0)\n"
    [record] = read_crash_evidence(start + gone, app=APP)
    assert (record.way, record.reason) == ("exit", "exited cleanly (0)")
    assert [one.way for one in read_crash_evidence(start + gone + FORMATS["threadtime"], app=APP)] == ["java"]


def test_two_processes_are_two_records_oldest_first() -> None:
    later = FORMATS["threadtime"].replace("4120", "4999").replace("09:15:02", "09:15:09")
    assert [record.pid for record in read_crash_evidence(later + "\n" + FORMATS["threadtime"])] == [4120, 4999]


def test_a_block_cut_off_after_its_first_line() -> None:
    [record] = read_crash_evidence(FORMATS["threadtime"].split("\n")[0])
    assert (record.app, record.pid, record.reason) == ("", 4120, "uncaught exception")


@pytest.mark.parametrize(
    "text",
    [
        "03-07 09:15:02.500  4120  4120 I MyTag: FATAL EXCEPTION: main",
        "03-07 09:15:02.500  4120  4120 I MyTag: ANR in com.example.notes",
        "03-07 09:15:02.500  4120  4120 W libc: Access denied finding property",
        "com.example.notes has stopped",
        "",
    ],
)
def test_words_of_a_crash_alone_are_no_record(text: str) -> None:
    assert read_crash_evidence(text) == []
