"""All settings of a run, frozen, each with the place it came from.

Made in one place (`plugin/options.py`) from markers, command line, environment, ini file and defaults; passed down
as an argument.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any


@dataclass(frozen=True, slots=True)
class Devices:
    """Which devices, and by which backend."""

    specs: tuple[str, ...] = ()
    no_device: str = "error"
    each: bool = False
    backend: str = "auto"
    virtual_app: str = ""
    appium_url: str = "http://127.0.0.1:4723"
    appium_caps: str = ""


@dataclass(frozen=True, slots=True)
class App:
    """The application under test. `permission_of` answers dialogs one by one (`{"camera": "deny"}`), `permissions` the
    others; `manuals` are folders of app manuals besides the project's own, nearest first."""

    id: str = ""
    path: str = ""
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict, hash=False)
    build: str = ""
    reset: str = "off"
    permissions: str = "report"
    permission_of: Mapping[str, str] = field(default_factory=dict, hash=False)
    manuals: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Seconds on the device's clock, already multiplied by `slow`."""

    check: float = 5.0
    load: float = 20.0
    settle: float = 5.0
    launch: float = 30.0
    slow: float = 1.0


@dataclass(frozen=True, slots=True)
class Touch:
    """How the hand acts. `humanize` is `on`, `off` or the name of a persona. Patterns of what may be done though it
    can't be undone: `allow` by the run, `allow_here` by the test's marker. `words` tell of such acts, besides ours."""

    humanize: str = "on"
    seed: int = 0
    repeat: bool = True
    allow: tuple[str, ...] = ()
    allow_here: tuple[str, ...] = ()
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Keep:
    """What is written, and where. `html` is the file of the report as one page, "" for none."""

    artifacts: str = ""
    html: str = ""
    policy: str = "failed"
    runs: int = 10
    baselines: str = ""
    update_baselines: str = "none"
    redact: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Judging:
    """What counts as a failure of the run."""

    fail_on: frozenset[str] = frozenset({"functional", "visual", "crash", "transient", "unsure"})
    max_unjudged: float | None = None
    retry_transient: int = 0
    watch_defects: str = "warn"


@dataclass(frozen=True, slots=True)
class Settings:
    """One frozen object. `origins` maps an option's name (`timeout`, `device` …) to where it was set."""

    devices: Devices = Devices()
    app: App = App()
    timeouts: Timeouts = Timeouts()
    touch: Touch = Touch()
    keep: Keep = Keep()
    judging: Judging = Judging()
    origins: Mapping[str, str] = field(default_factory=dict, hash=False)

    def origin(self, name: str) -> str:
        """Where a setting came from, for people: `default`, `command line`, `APEX_SEED`, `pyproject.toml`,
        `marker`."""
        return self.origins.get(name, "default")

    def changed(self, part: str, origins: Mapping[str, str], **values: Any) -> Settings:
        """A copy with some values of one part replaced, e.g. `changed("app", {"app": "marker"},
        id="com.example")`."""
        new = replace(getattr(self, part), **values)
        parts: dict[str, Any] = {part: new, "origins": {**self.origins, **origins}}
        return replace(self, **parts)
