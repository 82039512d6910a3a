"""Every option and ini value, read once and turned into one frozen `Settings`.

Order: marker (see `markers`) > command line > environment > ini file > default. All values that can't be used are
told at once, with where each was set.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import pytest

if TYPE_CHECKING:
    from pytest_apex.settings import Settings

from pytest_apex.plugin import values
from pytest_apex.plugin.stash import OWNS_OPTION
from pytest_apex.plugin.values import Parse


class Option(NamedTuple):
    """One setting: its name (`load_timeout` → `--apex-load-timeout`, `apex_load_timeout`), its place in `Settings`
    (`timeouts.load`), how its text is read, and the ways in that it has. A `bare` one takes no value on the command
    line: it is there or not."""

    name: str
    place: str
    parse: Parse
    help: str
    metavar: str = "VALUE"
    flag: bool = True
    env: tuple[str, ...] = ()
    many: bool = False
    bare: bool = False
    split: Callable[[object], list[str]] = values.split_list

    @property
    def dest(self) -> str:
        return f"apex_{self.name}"

    @property
    def switch(self) -> str:
        return f"--apex-{self.name.replace('_', '-')}"


OPTIONS = (
    Option(
        "device", "devices.specs", values.devices,
        "device to use, repeatable: a serial, auto, all, or virtual (the built-in phone; also virtual:APP.yaml and "
        "'virtual?fault=NAME&platform=ios&seed=7'); empty: list what is connected and end",
        metavar="SPEC", env=("APEX_DEVICE", "ANDROID_SERIAL"), many=True,
    ),
    Option("no_device", "devices.no_device", values.one_of("error", "skip"),
           "device tests without a device: error (default) or skip", metavar="WHAT"),
    Option("each_device", "devices.each", values.switch,
           "run each test on every device, instead of each once on a device that fits", bare=True),
    Option("backend", "devices.backend", values.text, "what drives the device (default: auto)", metavar="NAME"),
    Option("appium_url", "devices.appium_url", values.text,
           "Appium server, grid or farm (default: http://127.0.0.1:4723)", metavar="URL", env=("APPIUM_URL",)),
    Option("appium_caps", "devices.appium_caps", values.json_or_path,
           "capabilities for the session: a JSON object, or the path of a file with one", metavar="JSON"),
    Option("virtual_app", "devices.virtual_app", values.existing_file,
           "app file of the built-in phone (default: the nearest app.yaml above the test, else the demo app)",
           flag=False),
    Option("app", "app.id", values.text, "id of the application under test", metavar="ID"),
    Option("app_path", "app.path", values.path, "package of the app to install first", metavar="FILE"),
    Option("build", "app.build", values.text,
           "command that builds the package: run once before it is installed, in the ini file's folder", flag=False),
    Option("app_args", "app.args", values.words, "launch arguments (list)", flag=False, many=True),
    Option("app_env", "app.env", values.pairs, "launch environment (list of NAME=VALUE)", flag=False, many=True),
    Option("reset", "app.reset", values.one_of("off", "data", "reinstall"),
           "what the app forgets between tests: off (default), data, or reinstall (all)", metavar="WHAT"),
    Option("permissions", "app.permissions", values.one_of("allow", "deny", "report"),
           "permission dialogs: allow, deny or report (default)", metavar="WHAT"),
    Option("manuals", "app.manuals", values.folders,
           "folder of app manuals besides the project's manuals/, repeatable, nearest first", metavar="DIR",
           many=True),
    Option("humanize", "touch.humanize", values.humanize,
           "touch like a hand: on (default), off, or a persona", metavar="HOW", env=("APEX_HUMANIZE_ENABLED",)),
    Option("seed", "touch.seed", values.whole(0), "seed of every random choice (default: random, printed)",
           metavar="N", env=("APEX_SEED",)),
    Option("repeat_touch", "touch.repeat", values.switch,
           "touch once more when a tap had no effect and a check fails: on (default) or off", metavar="on|off"),
    Option("allow", "touch.allow", values.allow,
           "what this run may do though it can't be undone: a pattern such as 'intent:send-*' (repeatable)",
           metavar="PATTERN", many=True, split=values.split_patterns),
    Option("destructive_words", "touch.words", values.words,
           "further words of controls whose act can't be undone (list)", flag=False, many=True),
    Option("timeout", "timeouts.check", values.positive("seconds"),
           "seconds that checks and finding wait (default: 5)", metavar="SECONDS"),
    Option("load_timeout", "timeouts.load", values.positive("seconds"),
           "seconds that a loading sign may stay (default: 20)", metavar="SECONDS"),
    Option("settle_timeout", "timeouts.settle", values.positive("seconds"),
           "seconds for the screen to come to rest (default: 5)", metavar="SECONDS"),
    Option("launch_timeout", "timeouts.launch", values.positive("seconds"),
           "seconds for the app to show its own window (default: 30)", metavar="SECONDS"),
    Option("slow", "timeouts.slow", values.positive("a factor"),
           "multiplies the four time-outs (default: 1)", metavar="FACTOR"),
    Option("fail_on", "judging.fail_on", values.fail_on,
           "verdicts that fail a run (default: all); leave out transient, unsure or visual to see them as xfailed",
           metavar="VERDICTS", many=True),
    Option("max_unjudged", "judging.max_unjudged", values.share,
           "fail the run if more device tests than this stay without a judgement, such as 5%", metavar="SHARE"),
    Option("retry_transient", "judging.retry_transient", values.whole(0),
           "how often a test may run again, from a fresh app session, when its failure was transient (default: 0)",
           metavar="N"),
    Option("watch_defects", "judging.watch_defects", values.one_of("off", "warn", "fail"),
           "look for visual defects on every new screen: off, warn (default) or fail", flag=False),
    Option("artifacts", "keep.artifacts", values.new_folder,
           "folder that this run writes (default: .apex/runs/<time>)", metavar="DIR"),
    Option("html", "keep.html", values.new_file, "write the report as one page to this file", metavar="FILE"),
    Option("keep", "keep.policy", values.one_of("always", "failed", "never"),
           "pictures and trees to keep: always, failed (default) or never", metavar="WHEN"),
    Option("keep_runs", "keep.runs", values.whole(1), "how many old runs to keep (default: 10)", flag=False),
    Option("baselines", "keep.baselines", values.folder,
           "folder of approved pictures and trees (default: baselines/ beside the test)", metavar="DIR"),
    Option("update_baselines", "keep.update_baselines", values.one_of("all", "missing", "none"),
           "approve what is seen: all, missing or none (default)", metavar="WHICH"),
    Option("redact", "keep.redact", values.secrets,
           "values and patterns to mask in everything that is written, besides password fields (list)",
           flag=False, many=True, split=values.split_secrets),
)  # fmt: skip


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("apex", "on-device UI verification (pytest-apex)")
    for option in OPTIONS:
        help_text = option.help.replace("%", "%%")
        if option.bare:
            group.addoption(option.switch, dest=option.dest, action="store_const", const="on", default=None,
                            help=help_text)  # fmt: skip
        elif option.flag:
            action = "append" if option.many else "store"
            group.addoption(
                option.switch,
                dest=option.dest,
                action=action,
                default=None,
                metavar=option.metavar,
                help=help_text,
            )
        kind: Literal["linelist", "string"] = "linelist" if option.many else "string"
        parser.addini(option.dest, option.help, type=kind, default=None)


@pytest.hookimpl(wrapper=True)
def pytest_load_initial_conftests(
    early_config: pytest.Config, parser: pytest.Parser
) -> Generator[None, object, object]:
    """Add the short switches once every plugin and conftest that may own one has been loaded."""
    result = yield
    ours = not _is_owned(parser, "--device")
    early_config.stash[OWNS_OPTION] = ours
    group = parser.getgroup("apex")
    if ours:
        group.addoption(
            "--device", dest="apex_device", action="append", default=None, metavar="SPEC", help="same as --apex-device"
        )
    for switch, metavar in (("--appium-url", "URL"), ("--appium-caps", "JSON")):
        if not _is_owned(parser, switch):
            name = switch.removeprefix("--").replace("-", "_")
            group.addoption(switch, dest=f"apex_{name}", default=None, metavar=metavar,
                            help=f"same as --apex-{switch.removeprefix('--')}")  # fmt: skip
    return result


def _is_owned(parser: pytest.Parser, flag: str) -> bool:
    probe = f"{flag}=probe"
    try:
        _known, unknown = parser.parse_known_and_unknown_args([probe])
    except pytest.UsageError:  # its owner has other ideas of a good value
        return True
    return probe not in unknown


class Reading(NamedTuple):
    """A value as text, and where it was set."""

    value: Any
    origin: str
    shown: str
    base: Path


class _Reader:
    def __init__(self, config: pytest.Config, environ: Mapping[str, str]) -> None:
        self.config = config
        self.environ = environ

    def read(self, option: Option) -> Reading | None:
        """The value that wins, or None."""
        return next(self._all(option), None)

    def _all(self, option: Option) -> Iterator[Reading]:
        here = self.config.invocation_params.dir
        given = getattr(self.config.option, option.dest, None)
        if given is not None:
            flags = given if isinstance(given, list) else [given]
            listed = [part for flag in flags for part in option.split(flag)]
            shown = f"{option.switch}={','.join(flags)}"
            yield Reading(listed if option.many else given, "command line", shown, here)
        for name in option.env:
            text = self.environ.get(name, "")
            if text.strip():
                value = values.split_list(text) if option.many else text
                yield Reading(value, name, f"{name}={text}", here)
        raw = _ini_value(self.config, option.dest)
        if raw is not None and raw != "":
            value = option.split(raw) if option.many else _scalar(raw)
            place = None if self._overridden(option.dest) else self.config.inipath
            if place is None:
                yield Reading(value, "command line", f"-o {option.dest}={raw}", here)
            else:
                yield Reading(value, place.name, f"{option.dest} = {raw!r}", place.parent)

    def _overridden(self, name: str) -> bool:
        """Whether the ini value was given as `-o name=value`."""
        given = getattr(self.config.option, "override_ini", None) or ()
        return any(entry.partition("=")[0].strip() == name for entry in given)


def _scalar(raw: object) -> str:
    return str(raw).lower() if isinstance(raw, bool) else str(raw)


def _ini_value(config: pytest.Config, name: str) -> Any:
    """The value in the ini file as it stands there. `getini` can't be asked: native TOML refuses `apex_seed = 7` for
    text and "a,b" for a list, and elsewhere a list and a text of one line look the same; here all are fine."""
    entries = getattr(config, "_inicfg", None)  # since pytest 9
    entry = (config.inicfg if entries is None else entries).get(name)
    return getattr(entry, "value", entry)


def make_settings(config: pytest.Config, more: Callable[[Settings], Sequence[str]] = lambda _settings: ()) -> Settings:
    """Read all options. Raises `pytest.UsageError` that lists every value that can't be used; `more` then says what
    else is wrong with the values that can be read."""
    from pytest_apex.settings import Settings

    reader = _Reader(config, os.environ)
    settings, mistakes = Settings(), []
    for option in OPTIONS:
        reading = reader.read(option)
        if reading is None:
            continue
        part, _, name = option.place.partition(".")
        try:
            value = option.parse(reading.value, reading.base)
        except ValueError as error:
            shown = option.dest if option.name == "redact" else reading.shown
            mistakes.append(f"  {shown} ({reading.origin}): {error}")
            continue
        settings = settings.changed(part, {option.name: reading.origin}, **{name: value})
    mistakes += _humanize_mistakes(reader.environ)
    if mistakes:
        mistakes += [f"  {line}".replace("\n", "\n  ") for line in more(settings)]
        raise pytest.UsageError("\n".join([f"apex: {_count(len(mistakes), 'setting')} can't be used", *mistakes]))
    return _with_slow(settings)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' if number != 1 else ''}"


def _humanize_mistakes(environ: Mapping[str, str]) -> list[str]:
    """What is wrong with the finer `APEX_HUMANIZE_…` variables, which are read where they are used."""
    if not any(name.startswith("APEX_HUMANIZE_") and name != "APEX_HUMANIZE_ENABLED" for name in environ):
        return []
    from pytest_apex.gestures.personas import wrong_variables

    return [f"  {error.tried} (environment): {error.seen}" for error in wrong_variables(environ)]


def _with_slow(settings: Settings) -> Settings:
    times = settings.timeouts
    return settings.changed(
        "timeouts", {}, check=times.check * times.slow, load=times.load * times.slow,
        settle=times.settle * times.slow, launch=times.launch * times.slow,
    )  # fmt: skip


def wants_listing(config: pytest.Config) -> bool:
    """Whether the command line has an empty device: list what is connected, run nothing."""
    given = getattr(config.option, "apex_device", None) or []
    return any(not entry.strip() for entry in given)


#: Options that run no test.
_RUNS_NOTHING = ("collectonly", "setupplan", "showfixtures", "show_fixtures_per_test", "markers", "apex_doctor")


def runs_nothing(config: pytest.Config) -> bool:
    """Whether this call of pytest only tells something."""
    return wants_listing(config) or any(getattr(config.option, name, False) for name in _RUNS_NOTHING)


def shown_options(settings: Settings) -> dict[str, tuple[str, str]]:
    """Each setting that is not default, as (value, origin), in the order of the table; values to mask are counted."""
    shown = {}
    for option in OPTIONS:
        if option.name in settings.origins:
            part, _, name = option.place.partition(".")
            shown[option.name] = (_show(option.name, getattr(getattr(settings, part), name), settings),
                                  settings.origin(option.name))  # fmt: skip
    return shown


def _show(name: str, value: Any, settings: Settings) -> str:
    if name == "redact":
        return _count(len(value), "value")
    if name == "max_unjudged":
        return f"{value:.0%}"
    if name in {"timeout", "load_timeout", "settle_timeout", "launch_timeout"}:
        return f"{value / settings.timeouts.slow:g}"
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, Mapping):
        return ",".join(value)  # the names alone: values may be tokens
    if isinstance(value, frozenset):
        return ",".join(word for word in values.FAIL_ON if word in value)
    if isinstance(value, tuple):
        return ",".join(value)
    return f"{value:g}" if isinstance(value, float) else str(value)
