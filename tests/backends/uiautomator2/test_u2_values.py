"""What the phone's commands print, as values; and what is asked of it, as text."""

from __future__ import annotations

import random
import re
import struct
import zipfile
from pathlib import Path

import pytest

from pytest_apex.backends.uiautomator2 import (
    apk,
    apps,
    facts,
    fingers,
    front,
    install_errors,
    intents,
    keys,
    logs,
    recovery,
    system,
    turning,
    web,
    writing,
)
from pytest_apex.backends.uiautomator2.clock import PhoneClock, log_stamp
from pytest_apex.backends.uiautomator2.fingers import DOWN, MOVE, UP, Event, Held, Straight
from pytest_apex.backends.uiautomator2.limits import Limits
from pytest_apex.backends.uiautomator2.playing import play
from pytest_apex.backends.uiautomator2.shell import Answer
from pytest_apex.errors import ActionRefused, CapabilityMissing, ConfigError
from pytest_apex.gestures.compile import compile_action
from pytest_apex.gestures.humanize import HumanizeConfig, humanize
from pytest_apex.gestures.rules import RULES
from pytest_apex.model.action import DoubleTap, Drag, Fling, LongPress, Pinch, Swipe, Tap
from pytest_apex.model.geometry import Point, Size
from pytest_apex.records import log_seconds, read_time
from pytest_apex.settings import Timeouts

A, B = Point(270, 900), Point(270, 300)


class TestFront:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            (
                "  mCurrentFocus=Window{88a u0 com.example.notes/com.example.notes.MainActivity}\n"
                "  mFocusedApp=ActivityRecord{ec2 u0 com.example.notes/.MainActivity t12}\n",
                ("com.example.notes", "com.example.notes/com.example.notes.MainActivity"),
            ),
            (
                "  mCurrentFocus=Window{88a u0 NotificationShade}\n"
                "  mFocusedApp=ActivityRecord{ec2 u0 com.example.notes/.MainActivity t12}\n",
                ("", ""),
            ),
            ("  mCurrentFocus=Window{88a u0 Application Not Responding: com.example.notes}\n", ("android", "")),
            ("  mCurrentFocus=Window{88a u0 Application Error: com.example.notes}\n", ("android", "")),
            (
                "  mCurrentFocus=null\n  mFocusedApp=AppWindowToken{1 token=Token{2 ActivityRecord{3 u0 a.b/.C t1}}}\n",
                ("a.b", "a.b/.C"),
            ),
            ("  mCurrentFocus=Window{41b u0 a.b/a.b.C}\n  mCurrentFocus=null\n", ("a.b", "a.b/a.b.C")),
            ("", ("", "")),
        ],
    )
    def test_the_focused_window(self, text: str, expected: tuple[str, str]) -> None:
        found = front.read_front(text)
        assert (found.app, found.activity) == expected

    def test_the_app_below_a_window_of_the_system(self) -> None:
        text = "mCurrentFocus=Window{1 u0 PopupWindow:9af}\nmFocusedApp=ActivityRecord{2 u0 a.b/.C t1}\n"
        assert front.read_front(text).under == "a.b"

    def test_a_screen_that_is_off(self) -> None:
        assert front.is_awake("  mWakefulness=Awake\n")
        assert not front.is_awake("  mWakefulness=Asleep\n")
        assert not front.is_awake("  mWakefulness=Dozing\n")
        assert front.is_awake("")

    def test_older_systems_tell_it_elsewhere(self) -> None:
        assert "windows" in front.ask_front(28)
        assert "displays" in front.ask_front(29)
        assert "displays" in front.ask_front(0)


class TestFacts:
    CHANGING = (
        "Physical size: 1080x2400\nOverride size: 720x1600\n",
        "Physical density: 420\n",
        "1.15\n",
        "\nde-DE\n",
        "Night mode: yes\n",
        "Committed state: DeviceState{identifier=2, name='HALF_OPENED'}\n",
        "500\n",
        "  mRotation=1\n",
    )

    def test_all_of_them(self) -> None:
        found = facts.read_changing([Answer(text) for text in self.CHANGING])
        assert found.size == Size(1600, 720)  # turned
        assert (found.dpi, found.density) == (420, 2.625)
        assert (found.font_scale, found.locale, found.dark, found.fold) == (1.15, "de-DE", True, "half_opened")
        assert (found.rotation, found.long_press_ms) == (1, 500)

    def test_a_phone_that_tells_nothing(self) -> None:
        found = facts.read_changing([Answer("null\n", 1)] * len(facts.ASK_CHANGING))
        assert (found.size, found.dpi, found.font_scale, found.rotation) == (Size(0, 0), 160, 1.0, 0)
        assert not found.dark
        assert found.long_press_ms is None
        assert facts.read_fixed([Answer("no\n", 127)] * len(facts.ASK_FIXED)) == facts.Fixed()

    def test_the_report_has_them_in_words_and_nothing_unknown(self) -> None:
        fixed = facts.Fixed("Pixel 6", "14", 34, "Google")
        told = facts.report_facts(fixed, facts.read_changing([Answer(text) for text in self.CHANGING]))
        assert told["model"] == "Google Pixel 6"
        assert told["android"] == "14 (API 34)"
        assert told["fold"] == "half_opened"
        assert "split_screen" not in told


class TestTurning:
    def test_a_phone(self) -> None:
        tall, wide = Size(540, 1200), Size(1200, 540)
        assert [turning.rotation_for(name, tall, 0) for name in ("portrait", "landscape_left", "landscape_right")] == [
            0,
            1,
            3,
        ]
        assert turning.rotation_for("portrait", wide, 1) == 0
        assert turning.orientation_of(wide, 3) == "landscape_right"

    def test_a_tablet_that_is_wide_by_nature(self) -> None:
        assert turning.rotation_for("landscape_left", Size(1280, 800), 0) == 0
        assert turning.rotation_for("portrait", Size(1280, 800), 0) == 1
        assert turning.orientation_of(Size(800, 1280), 3) == "portrait_upside_down"

    def test_lying_flat_is_not_for_a_phone(self) -> None:
        with pytest.raises(CapabilityMissing, match="lie face up"):
            turning.rotation_for("face_up", Size(540, 1200), 0)


class TestFingers:
    RULES = RULES["android"]

    def test_touches_that_stand_still_are_held_by_the_phone(self) -> None:
        assert fingers.plan(compile_action(Tap(A, 60), self.RULES)) == Held(270, 900, 60)
        assert fingers.plan(compile_action(LongPress(A, 1200), self.RULES)) == Held(270, 900, 1200)

    def test_a_straight_swipe_is_the_phones_own(self) -> None:
        assert fingers.plan(compile_action(Swipe(A, B, 500), self.RULES)) == Straight(270, 900, 270, 300, 100)
        assert fingers.plan(compile_action(Fling(A, B, 100), self.RULES)) == Straight(270, 900, 270, 300, 20)

    def test_one_that_rests_or_bends_is_told_event_by_event(self) -> None:
        for action in (Swipe(A, B, 500, rest_ms=200), Swipe(A, B, 500, via=(Point(100, 600),)), Drag(A, B)):
            track = compile_action(action, self.RULES)
            events = fingers.plan(track)
            assert isinstance(events, tuple)
            assert (events[0], events[-1].action) == (Event(0, DOWN, 270, 900), UP)
            assert events[-1].t_ms == track.duration_ms
            assert (events[-1].x, events[-1].y) == (270, 300)

    def test_a_human_swipe_keeps_every_sample(self) -> None:
        track = humanize(Swipe(A, B, 500), HumanizeConfig(), random.Random(3))
        events = fingers.plan(track)
        assert isinstance(events, tuple)
        assert {(event.t_ms, event.x, event.y) for event in events if event.action == MOVE} <= {
            (sample.t_ms, round(sample.x), round(sample.y)) for sample in track.strokes[0].samples
        }

    def test_a_double_tap_keeps_its_pause(self) -> None:
        events = fingers.plan(compile_action(DoubleTap(A, 80), self.RULES))
        assert isinstance(events, tuple)
        assert [(event.action, event.t_ms) for event in events] == [(DOWN, 0), (UP, 60), (DOWN, 140), (UP, 200)]

    def test_two_fingers_are_refused(self) -> None:
        with pytest.raises(CapabilityMissing, match="one finger at a time"):
            fingers.plan(compile_action(Pinch(A, 0.5, 600), self.RULES))


class Paced:
    """A clock on which each event takes a while to be sent."""

    def __init__(self, takes_ms: float) -> None:
        self.at = 0.0
        self.takes_ms = takes_ms
        self.sent: list[tuple[float, Event]] = []

    def now(self) -> float:
        return self.at

    def sleep(self, seconds: float) -> None:
        self.at += max(seconds, 0.0)

    def send(self, event: Event) -> None:
        self.sent.append((self.at * 1000, event))
        self.at += self.takes_ms / 1000


class TestPlaying:
    EVENTS = tuple(Event(at * 20, DOWN if at == 0 else UP if at == 25 else MOVE, 0, at) for at in range(26))

    def test_each_is_sent_when_it_is_due(self) -> None:
        clock = Paced(2)
        play(self.EVENTS, clock.send, clock)
        assert [at for at, _ in clock.sent] == pytest.approx([event.t_ms for event in self.EVENTS])

    @pytest.mark.parametrize("takes_ms", [30, 45, 70])
    def test_a_slow_line_leaves_moves_out_and_keeps_the_time(self, takes_ms: float) -> None:
        clock = Paced(takes_ms)
        late, left_out = play(self.EVENTS, clock.send, clock)
        assert left_out > 0
        assert clock.sent[-1][0] <= 500 + takes_ms
        assert late == pytest.approx(clock.at * 1000 - 500)
        assert [event.action for _, event in clock.sent][:: len(clock.sent) - 1] == [DOWN, UP]
        ys = [event.y for _, event in clock.sent]
        assert ys == sorted(ys)


class TestClock:
    @pytest.mark.parametrize("text", ["01-01 00:00:00.000", "02-29 12:30:45.678", "12-31 23:59:59.999"])
    def test_stamps_read_back(self, text: str) -> None:
        at = read_time(text)
        assert at is not None
        assert log_stamp(at) == text

    def test_the_phones_time_of_day(self) -> None:
        clock = PhoneClock()
        assert clock.set_by("03-02 09:41:00.500000000\n", 10.0, 10.2)
        assert clock.to_log(10.1) == pytest.approx((log_seconds(3, 2, 9, 41) or 0) + 0.5)
        assert clock.from_log(clock.to_log(3.0)) == pytest.approx(3.0)
        assert clock.error_s == pytest.approx(0.1)
        assert clock.stamp(10.1) == "03-02 09:41:00.500"

    def test_an_old_toybox_has_no_fractions(self) -> None:
        clock = PhoneClock()
        assert clock.set_by("03-02 09:41:00.N", 0.0, 0.0)
        assert not clock.set_by("date: bad format", 0.0, 0.0)


class TestLog:
    LINE = "03-02 09:41:0{0}.000  1523  1547 I Tag     : {1}"

    def test_what_is_known_is_left_out(self) -> None:
        lines = [self.LINE.format(at, text) for at, text in ((1, "a"), (1, "b"), (1, "a"), (2, "c"))]
        text = "--------- beginning of main\n" + "\n".join(lines) + "\n"
        assert logs.new_lines(text, "03-02 09:41:01.000", []) == lines
        assert logs.new_lines(text, "03-02 09:41:01.000", lines[:2]) == [lines[2], lines[3]]
        assert logs.new_lines(text, "03-02 09:41:01.000", lines[:3]) == [lines[3]]
        assert logs.new_lines(text, "03-02 09:41:02.000", lines[3:]) == []


class TestIntents:
    def test_environment_and_arguments_are_extras(self) -> None:
        told = intents.start_command("a.b/.C", ["--reset", "a,b", "it's"], {"MODE": "demo run"})
        assert "-n a.b/.C --es MODE 'demo run' --esa apex_args '--reset,a\\,b,it'\"'\"'s'" in told
        assert "apex_args" not in intents.start_command("a.b/.C")

    @pytest.mark.parametrize("args", [["a"], ["", "b"], ["a,b", "c\\d", ",", "x"], ["--flag=1", "ü 你"]])
    def test_what_an_app_reads_is_what_was_given(self, args: list[str]) -> None:
        # What `--esa` makes of its value, and the app of its elements: split at bare commas, `\\,` is a comma.
        parts = re.split(r"(?<!\\),", intents.extras(args, {})[-1])
        assert [part.replace("\\,", ",") for part in parts] == args

    @pytest.mark.parametrize("args", [["a\\", "b"], ["a", ""]])
    def test_what_am_does_not_carry_is_refused(self, args: list[str]) -> None:
        with pytest.raises(ConfigError, match="can't start an app on Android"):
            intents.extras(args, {})

    def test_components_and_errors(self) -> None:
        assert intents.read_component("priority=0 preferredOrder=0\ncom.x.y/.Main\n") == "com.x.y/.Main"
        assert intents.read_component("No activity found\n") == ""
        assert intents.start_error("Starting: Intent { cmp=a.b/.C }\n") == ""
        told = "Starting: Intent { }\nError type 3\nError: Activity class {a.b/a.b.C} does not exist.\n"
        assert intents.start_error(told) == "Error type 3 Error: Activity class {a.b/a.b.C} does not exist."


class TestPermissions:
    DUMP = (
        "    requested permissions:\n      android.permission.CAMERA\n"
        "    install permissions:\n      android.permission.INTERNET: granted=true\n"
        "    User 0: ceDataInode=1\n      runtime permissions:\n"
        "        android.permission.CAMERA: granted=false, flags=[ USER_SET|USER_SENSITIVE]\n"
        "        android.permission.RECORD_AUDIO: granted=false, flags=[ USER_SENSITIVE]\n"
        "        android.permission.READ_CONTACTS: granted=true\n"
    )

    def test_those_that_a_user_decides(self) -> None:
        assert apps.permissions_of(self.DUMP) == [
            "android.permission.CAMERA",
            "android.permission.RECORD_AUDIO",
            "android.permission.READ_CONTACTS",
        ]
        assert apps.permissions_of("") == []

    def test_those_that_were_decided(self) -> None:
        assert apps.decided_permissions(self.DUMP) == {
            "android.permission.CAMERA": False,
            "android.permission.READ_CONTACTS": True,
        }


@pytest.mark.parametrize(
    ("told", "word"),
    [
        ("Failure [INSTALL_FAILED_UPDATE_INCOMPATIBLE: Existing package signatures do not match]", "another key"),
        ("Failure [INSTALL_FAILED_VERSION_DOWNGRADE]", "newer"),
        ("Failure [INSTALL_FAILED_INSUFFICIENT_STORAGE]", "storage is full"),
        ("Failure [SOMETHING_ELSE]", "what Android says"),
    ],
)
def test_refused_packages_are_explained(told: str, word: str) -> None:
    error = install_errors.refused("Android does not install it", told)
    assert word in error.likely
    assert error.cure
    assert told in error.seen


class TestPackage:
    @staticmethod
    def manifest(strings: list[str], *, wide: bool) -> bytes:
        """A binary manifest with one element whose first attribute is the package."""
        bodies = [
            struct.pack("<H", len(text)) + text.encode("utf-16-le") + b"\0\0"
            if wide
            else bytes([len(text), len(text.encode())]) + text.encode() + b"\0"
            for text in strings
        ]
        offsets, at = [], 0
        for body in bodies:
            offsets.append(at)
            at += len(body)
        count = len(strings)
        data = struct.pack(f"<{count}I", *offsets) + b"".join(bodies)
        head = struct.pack("<IIIII", count, 0, 0 if wide else 0x100, 28 + 4 * count, 0)
        pool = struct.pack("<HHI", 1, 28, 8 + len(head) + len(data)) + head + data
        attribute = struct.pack("<IIIHBBI", 0xFFFFFFFF, 0, 1, 8, 0, 3, 1)
        body = struct.pack("<IIHHHHHH", 0xFFFFFFFF, 2, 20, 20, 1, 0, 0, 0) + attribute
        element = struct.pack("<HHIII", 0x0102, 16, 16 + len(body), 1, 0xFFFFFFFF) + body
        return struct.pack("<HHI", 3, 8, 8 + len(pool) + len(element)) + pool + element

    @pytest.mark.parametrize("wide", [True, False])
    def test_its_id(self, tmp_path: Path, wide: bool) -> None:
        path = tmp_path / "app.apk"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("AndroidManifest.xml", self.manifest(["package", "com.example.notes", "m"], wide=wide))
        assert apk.app_id(path) == "com.example.notes"

    def test_the_package_that_uiautomator2_brings(self) -> None:
        from importlib.util import find_spec

        spec = find_spec("uiautomator2")
        assert spec is not None
        assert spec.submodule_search_locations is not None
        package = Path(spec.submodule_search_locations[0]) / "assets" / "app-uiautomator.apk"
        assert apk.app_id(package) == "com.github.uiautomator"

    @pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"\x03\0\x08\0" * 10, b"<manifest/>"])
    def test_what_is_none(self, tmp_path: Path, content: bytes) -> None:
        (tmp_path / "a.apk").write_bytes(content)
        with pytest.raises(ConfigError, match="is not an Android package"):
            apk.app_id(tmp_path / "a.apk")
        with zipfile.ZipFile(tmp_path / "b.apk", "w") as archive:
            archive.writestr("AndroidManifest.xml", content)
        with pytest.raises(ConfigError, match="is not an Android package"):
            apk.app_id(tmp_path / "b.apk")

    def test_one_that_is_not_there(self, tmp_path: Path) -> None:
        with pytest.raises(ConfigError, match="can't read the package"):
            apk.app_id(tmp_path / "none.apk")


class TestWriting:
    def test_returns_and_tabs_are_keys(self) -> None:
        assert writing.pieces("a b\n\tc") == ["a b", "\n", "\t", "c"]
        assert writing.pieces("") == []

    @pytest.mark.parametrize("text", ["a\0b", "\x1b", "\ud800"])
    def test_what_no_clipboard_carries_is_refused(self, text: str) -> None:
        with pytest.raises(ActionRefused, match="can't type the character U"):
            writing.pieces(text)

    def test_the_clipboard_is_put_back_also_after_a_refusal(self) -> None:
        board = ["mine"]

        def look(method: str, *_: object) -> object:
            return True if method == "exist" else board[0]

        def act(method: str, *params: object) -> None:
            if method == "setClipboard":
                board[0] = "mine" if params[1] == "mine" else "changed on the way"

        with pytest.raises(ActionRefused, match="does not take the text"):
            writing.write("text", look, act)
        assert board == ["mine"]


class TestSystem:
    def test_locked(self) -> None:
        assert system.is_locked("    showing=true\n    secure=true\n")
        assert system.is_locked("  mShowingLockscreen=true")
        assert not system.is_locked("    showing=false\n    secure=true\n")

    @pytest.mark.parametrize(
        ("serial", "wifi"),
        [
            ("R58M", False),
            ("127.0.0.1:5555", False),
            ("192.168.1.2:5555", True),
            ("adb-R5._adb-tls-connect._tcp", True),
        ],
    )
    def test_whether_adb_runs_over_wifi(self, serial: str, wifi: bool) -> None:
        assert system.runs_over_wifi(serial) is wifi

    def test_free_space(self) -> None:
        head = "Filesystem     1K-blocks     Used Available Use% Mounted on\n"
        table = f"{head}/dev/block/dm-5 112000000 90000000 22000000  81% /data\n"
        assert recovery.free_mb(table) == 21484
        assert recovery.free_mb("df: /data: No such file") is None

    def test_web_sockets_of_a_process(self) -> None:
        text = "0: 2 0 1 0001 01 1 @webview_devtools_remote_412\n0: 2 0 1 0001 01 2 @webview_devtools_remote_99\n"
        assert web.sockets_of(text, 412) == ["webview_devtools_remote_412"]
        assert web.sockets_of(text, 7) == []

    def test_held_keys(self) -> None:
        assert keys.holds_keys("keyevent [--longpress|--duration <duration to hold key down in ms>] …")
        assert not keys.holds_keys("keyevent [--longpress] <key code number or name> ...")


def test_who_shortens_the_settings_shortens_the_limits() -> None:
    assert Limits.of(Timeouts()) == Limits()
    assert Limits.of(Timeouts(settle=1, launch=2)).look == 2
