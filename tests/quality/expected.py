"""What each fault of the built-in phone has to be called. The one table that the matrix is judged by."""

from __future__ import annotations

from dataclasses import dataclass

CATEGORIES = ("functional", "visual", "crash", "transient")
INNOCENT = "–"


@dataclass(frozen=True)
class Run:
    """The suite with one fault on.

    `category` is what its failing tests must have (`INNOCENT`: none may fail); `kind`, if given, is what one of
    them must have, or begin with; `note` is what has to be on record of a test that passed all the same, on a
    platform of `told_by` (none named: on all); `options` are further options of pytest; `by_adb` says that Appium has
    no way to tell of it.
    """

    fault: str
    category: str
    kind: str = ""
    note: str = ""
    options: tuple[str, ...] = ()
    told_by: tuple[str, ...] = ()
    by_adb: bool = False

    @property
    def name(self) -> str:
        return " ".join((self.fault or "none", *self.options))

    @property
    def folder(self) -> str:
        """The name as one of a folder."""
        return self.name.replace(" --apex-", "-").replace("=", "-")


EXPECTED = (
    Run("", INNOCENT),
    Run("dead_button", "functional"),
    Run("wrong_destination", "functional"),
    Run("missing_data", "functional"),
    Run("wrong_value", "functional"),
    Run("endless_load", "functional", "functional.stuck_loading"),
    Run("covered_button", "functional", "functional.not_reachable"),
    Run("error_dialog", "functional", "functional.error_shown"),
    Run("text_overlap", "visual"),
    Run("cut_label", "visual"),
    Run("off_screen", "visual"),
    Run("wrong_color", "visual"),
    Run("misaligned", "visual"),
    Run("blank", "visual"),
    Run("unresolved_text", "visual"),
    Run("crash_on_tap", "crash"),
    Run("native_crash", "crash", "crash.native"),
    Run("anr", "crash", "crash.anr"),
    Run("anr_no_dialog", "crash", "crash.anr"),
    Run("lost_state", "functional", "functional.missing_element"),
    Run("silent_exit", "crash", "crash.exit"),
    Run("low_memory_kill", "crash", "crash.killed"),
    Run("endless_animation", "transient", "transient.animating"),
    Run("device_lost", "transient", "transient.harness."),
    Run("driver_dead", "transient", "transient.harness.driver_dead"),
    Run("blind_tree", "transient", "transient.harness."),
    Run("stale_tree", "transient", "transient.harness."),
    Run("secure_picture", "transient", "transient.harness.secure_image"),
    Run("lost_letter", "transient", "transient.harness.lost_text"),
    Run("foreign_touch", "transient", "transient.harness.foreign_input", by_adb=True),
    Run("stray_touch", INNOCENT, note="harness.foreign_input"),
    Run("slow_load", INNOCENT),
    Run("lost_touch", INNOCENT, note="transient.missed_touch"),
    Run("disabled_until_complete", INNOCENT),
    Run("empty_list", INNOCENT),
    Run("ticking_clock", INNOCENT),
    Run("blinking_caret", INNOCENT),
    Run("video", INNOCENT),
    Run("restart_by_test", INNOCENT),
    Run("other_app_crash", INNOCENT, note="harness.other_app", told_by=("android",)),
    Run("other_app_anr", INNOCENT, note="harness.other_app", told_by=("android",)),
    Run("permission_dialog", INNOCENT, options=("--apex-permissions=allow",)),
    Run("permission_dialog", "transient", "transient.blocked"),
    Run("reconnect", INNOCENT, note="harness.device_lost"),
    Run("driver_restart", INNOCENT, note="harness.driver_dead"),
    Run("killed_in_background", INNOCENT, note="expected.killed_in_background"),
)
