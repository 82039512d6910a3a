"""What the judge needs to know of one failure. A value: it can be stored and judged again without a device."""

from __future__ import annotations

from dataclasses import dataclass

from pytest_apex.model.look import Unsettled
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.model.verdict import Finding

#: What a failure is, as the code that raised it knows it (see `pytest_apex.errors`, each error names its own).
FAILURE_TYPES = (
    "check", "assertion", "target_not_found", "target_ambiguous", "target_obscured", "target_off_screen",
    "target_disabled", "target_stale", "unsettled", "no_effect", "device_lost", "device_restarted", "driver_dead",
    "device_problem", "screen_locked", "storage_full", "text_lost", "app_died", "config", "capability", "refused",
    "skipped", "error",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a test failed, in facts.

    `type` is one of `FAILURE_TYPES`. `kind` is what it is if nothing else explains it (`functional.wrong_value`).
    `needs` is what the failed question reads: `tree`, `picture` or `process`. `because` is what explains it: the
    incomplete field of a disabled control, the test's own limit that ended a search. `explicit_timeout` is the time-out
    that the test gave, in seconds. `source` is the test's line.
    """

    type: str
    message: str
    phase: str = "call"
    kind: str = ""
    needs: str = "tree"
    exception: str = ""
    target: str = ""
    near_misses: tuple[str, ...] = ()
    covered_by: str = ""
    covered_by_app: str = ""
    because: str = ""
    explicit_timeout: float | None = None
    waited_s: float = 0.0
    timeout_name: str = ""
    findings: tuple[Finding, ...] = ()
    source: str = ""


@dataclass(frozen=True, slots=True)
class ProcessEvent:
    """Something that happened to a process. `what`: launched, seen, gone, changed, stopped, background (sent there),
    returned (from there). `by_test` is the test's own doing."""

    at: float
    app: str
    pid: int
    what: str
    by_test: bool = False


@dataclass(frozen=True, slots=True)
class CrashRecord:
    """A crash, freeze or exit as the platform recorded it.

    `way` is `java`, `native`, `anr`, `exit`, `low_memory`, `killed`, `ios` or `user` (asked for by a user or tool);
    `at` is seconds on the
    device's clock, None when the record does not tell.
    """

    app: str
    pid: int
    way: str
    reason: str
    at: float | None = None
    source: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class HarnessEvent:
    """Trouble of the harness. `what`: device_lost, driver_dead, blind_tree, stale_tree, secure_image, other_app,
    foreign_input."""

    at: float
    what: str
    detail: str = ""
    recovered: bool = False


@dataclass(frozen=True, slots=True)
class LastTouch:
    """The last act before the failure, as far as rule 7 asks. `repeated` says that it was touched once more, to no
    avail; `navigated` that it led to another screen, and `confirmed` that a check held there since."""

    step: str
    verb: str
    target: str
    effect: str
    repeatable: bool
    repeated: bool = False
    navigated: bool = False
    confirmed: bool = False


@dataclass(frozen=True, slots=True)
class Case:
    """One failure and all that was seen around it. Times are seconds on the device's clock.

    `before` is the last good look, `now` a fresh capture at the failure (None: the device does not answer); `since`
    is when the
    failing step began; `in_front` is the app id in front; `app` the app under test ("" when none was named);
    `pid_now` is 0 when its process is gone and None when nobody could tell; `load_timeout` is the limit for loading
    signs. `offline` says that the device has no network, and not by the test's doing; `environment` what the app's
    manual says of this screen if it lists it as trouble around the app; `declared` what it says of known behaviour
    here, a line each; `interrupted` the interruption that it lists and that is still on the screen.
    """

    failure: Failure
    app: str = ""
    platform: str = "android"
    device_used: bool = True
    read_since_action: bool = False
    since: float = 0.0
    before: Snapshot | None = None
    now: Snapshot | None = None
    unsettled: Unsettled | None = None
    pid: int = 0
    pid_now: int | None = None
    in_front: str = ""
    processes: tuple[ProcessEvent, ...] = ()
    records: tuple[CrashRecord, ...] = ()
    harness: tuple[HarnessEvent, ...] = ()
    last_touch: LastTouch | None = None
    findings_now: tuple[Finding, ...] = ()
    load_timeout: float = 20.0
    offline: bool = False
    environment: str = ""
    declared: tuple[str, ...] = ()
    interrupted: str = ""
