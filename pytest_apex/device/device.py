"""The device as a test sees it: `device.tap("Log in")`. It forwards; each verb's work is done in one of the modules
beside it."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from pytest_apex.backends.abilities import ShellOutput
from pytest_apex.backends.base import Backend
from pytest_apex.device import arguments, flows, handing, lifetime, services, soft
from pytest_apex.device.acting import keys, launching, perform, scrolling, writing
from pytest_apex.device.acting.act import Words
from pytest_apex.device.app import AppFacet, AppsFacet
from pytest_apex.device.baselines import Baselines
from pytest_apex.device.context import Context, humanize_config
from pytest_apex.device.examining import examine
from pytest_apex.device.facets import ScreenFacet
from pytest_apex.device.locator import Locator
from pytest_apex.device.looking.eyes import Eyes
from pytest_apex.device.looking.known import Known, Library
from pytest_apex.device.looking.watch import Watch
from pytest_apex.device.sealed import Sealed
from pytest_apex.device.state import State
from pytest_apex.device.targets import Name, make_target
from pytest_apex.device.web import WebFacet
from pytest_apex.errors import CheckFailed, ConfigError, DeviceProblem
from pytest_apex.evidence.recorder import Recorder
from pytest_apex.model.action import DOUBLE_TAP_MS, LONG_PRESS_MS, SWIPE_MS
from pytest_apex.model.case import Case, Failure
from pytest_apex.model.manual import Manual
from pytest_apex.model.screen import DeviceInfo
from pytest_apex.model.snapshot import Picture, Snapshot
from pytest_apex.model.step import Step
from pytest_apex.settings import Settings
from pytest_apex.verify import sight


class Device(Sealed):
    """One device in one test. Coordinates are in the units of the tree: pixels on Android, points on Apple's
    platforms."""

    def __init__(
        self,
        backend: Backend,
        settings: Settings,
        recorder: Recorder,
        *,
        test: str = "",
        checks: tuple[Any, ...] = (),
        baselines: Path | None = None,
        manuals: Library | None = None,
        manual: str = "",
    ) -> None:
        """`baselines` is where approved pictures and trees are, unless the settings name a folder. `manuals` are those
        of the run; `manual` is the name of the one that the test wants for its app."""
        watch = Watch(backend)
        known = Known(watch, manuals, manual)
        approved = Path(settings.keep.baselines) if settings.keep.baselines else baselines
        self._ctx = Context(
            backend=backend,
            settings=settings,
            recorder=recorder,
            test=test,
            info=backend.info(),
            watch=watch,
            eyes=Eyes(backend, watch),
            humanize=humanize_config(settings.touch.humanize),
            extra_checks=checks,
            baselines=Baselines(approved, settings.keep.update_baselines),
            known=known,
            live_regions=known.live_boxes,
        )
        self._screen = ScreenFacet(self._ctx)
        self._app = AppFacet(self._ctx)

    def __repr__(self) -> str:
        return f"<Device {self._ctx.info}>"

    # What it is

    @property
    def screen(self) -> ScreenFacet:
        """What is on the screen; for `expect(device.screen)`."""
        return self._screen

    @property
    def app(self) -> AppFacet:
        """The app under test."""
        return self._app

    @property
    def info(self) -> DeviceInfo:
        """Model, platform, version, screen."""
        return self._ctx.info

    @property
    def settings(self) -> Settings:
        """All settings of this test, its markers among them."""
        return self._ctx.settings

    @property
    def capabilities(self) -> frozenset[str]:
        """What it can do."""
        return self._ctx.backend.capabilities

    @property
    def raw(self) -> Any:
        """The vendor's own object, for what pytest-apex does not cover."""
        return self._ctx.backend.raw

    @property
    def manual(self) -> Manual | None:
        """The manual of the app under test, if there is one."""
        found = self._ctx.known.under_test(self._ctx.eyes.last or self._ctx.eyes.look())
        return found.manual if found is not None else None

    # Finding and looking

    def find(
        self, text: Name | None = None, *, id: Name | None = None, label: Name | None = None, role: str | None = None,
        xpath: str | None = None, image: str | os.PathLike[str] | None = None,
        point: tuple[float, float] | None = None, within: Locator | None = None, nth: int | None = None,
        exact: bool = True,
    ) -> Locator:  # fmt: skip
        """A control, by its text (else label), or by the app manual's name for it (if another one shows that word, it
        is ambiguous); or by id=, label=, role=, xpath=, point=; the last resort is image=, a PNG of how it looks at
        exactly its size. Touches nothing, looks at nothing yet."""
        if within is not None and not isinstance(within, Locator):
            raise ConfigError("find(within=…) takes a locator", seen=repr(within)[:120], cure="within=device.find(…)")
        outer = within.target if within is not None else None
        target = make_target(
            text, id=id, label=label, role=role, xpath=xpath, image=image, point=point, within=outer, nth=nth,
            exact=exact, names=self._ctx.known,
        )  # fmt: skip
        return Locator(self._ctx, target)

    def snapshot(self) -> Snapshot:
        """Tree and picture of this moment, taken together. Its notes say what of them can't be relied upon."""
        self._ctx.read_since_act = True
        return sight.noted(self._ctx.eyes.look())

    def screenshot(self) -> Picture:
        """The picture of this moment, at full resolution."""
        picture = self.snapshot().picture
        if picture is None:
            raise DeviceProblem("the device gave no picture", likely="a secure screen, or the driver can't take one")
        return picture

    def state(self) -> State:
        """The indexed text of the screen: what is there, and what can be done with it. `device.state()[7]` is pinned to
        this look."""
        return State(self._ctx, self.snapshot())

    # Acting on a control

    def _locate(self, what: Name | Locator) -> Locator:
        return what if isinstance(what, Locator) else self.find(what)

    def tap(
        self, what: Name | Locator, *, hold_ms: int = 0, repeat: bool = True, purpose: str = "", expected_outcome:
        str = ""
    ) -> Step:  # fmt: skip
        """Touch a control once: buttons, links, rows, fields."""
        return self._locate(what).tap(
            hold_ms=hold_ms, repeat=repeat, purpose=purpose, expected_outcome=expected_outcome
        )

    def double_tap(
        self, what: Name | Locator, *, interval_ms: int = DOUBLE_TAP_MS, purpose: str = "", expected_outcome: str = ""
    ) -> Step:  # fmt: skip
        """Touch a control twice: zooms into a picture or map, selects a word. `interval_ms`: from up to down."""
        return self._locate(what).double_tap(
            interval_ms=interval_ms, purpose=purpose, expected_outcome=expected_outcome
        )

    def long_press(
        self, what: Name | Locator, *, duration_ms: int = LONG_PRESS_MS, purpose: str = "", expected_outcome: str = ""
    ) -> Step:  # fmt: skip
        """Press and hold a control: brings up a context menu, selects a row, lifts what `drag` moves."""
        return self._locate(what).long_press(
            duration_ms=duration_ms, purpose=purpose, expected_outcome=expected_outcome
        )

    def drag(self, what: Name | Locator, *, to: Name | Locator, purpose: str = "", expected_outcome: str = "") -> Step:
        """Press a control, hold, move it to another, release: reorders rows, drops a thing into another."""
        return self._locate(what).drag_to(self._locate(to), purpose=purpose, expected_outcome=expected_outcome)

    def pinch(self, what: Name | Locator, *, scale: float, purpose: str = "", expected_outcome: str = "") -> Step:
        """Zoom a control with two fingers: in by a `scale` over 1, out by one under 1."""
        return self._locate(what).pinch(scale=scale, purpose=purpose, expected_outcome=expected_outcome)

    def twist(self, what: Name | Locator, *, degrees: float, purpose: str = "", expected_outcome: str = "") -> Step:
        """Turn a control, such as a map or a picture, with two fingers; clockwise is positive."""
        return self._locate(what).twist(degrees=degrees, purpose=purpose, expected_outcome=expected_outcome)

    # Acting on the screen

    def swipe(
        self, direction: str, *, duration_ms: int = SWIPE_MS, purpose: str = "", expected_outcome: str = ""
    ) -> Step:
        """Swipe over the middle of the screen; `direction` is where the finger moves (`up` shows what is below)."""
        return scrolling.swipe(self._ctx, direction, duration_ms, words=Words(purpose, expected_outcome))

    def fling(self, direction: str, *, purpose: str = "", expected_outcome: str = "") -> Step:
        """Swipe and let go while the finger is fast, so that the content goes on by itself; `direction` is where the
        finger moves."""
        return scrolling.fling(self._ctx, direction, words=Words(purpose, expected_outcome))

    def scroll(self, direction: str = "down", *, purpose: str = "", expected_outcome: str = "") -> Step:
        """Scroll the largest scrolling area; `direction` is what is shown (`down` shows what is below)."""
        return scrolling.scroll(self._ctx, direction, words=Words(purpose, expected_outcome))

    def scroll_to(self, what: Name | Locator) -> Locator:
        """Scroll down until a finger reaches the control."""
        found = self._locate(what)
        found.scroll_into_view()
        return found

    def type(self, text: str, *, secret: bool = False, purpose: str = "", expected_outcome: str = "") -> Step:
        """Type into the focused field, after what it holds, and read back what arrived. `ActionRefused` before anything
        is sent when no field in the app in front has the focus; `fill` gives it to the field first."""
        return writing.type_text(self._ctx, text, secret=secret, words=Words(purpose, expected_outcome))

    def press(self, key: str, *, hold_ms: int = 0, purpose: str = "", expected_outcome: str = "") -> Step:
        """Press a button or key by name: `back`, `home`, `enter`, `volume_up` …"""
        return keys.press(self._ctx, key, hold_ms, words=Words(purpose, expected_outcome))

    def hide_keyboard(self) -> Step | None:
        """Hide the keyboard; does nothing (returns None) when none is shown. Where the device has no way to do only
        that, `CapabilityMissing` says what it has."""
        return keys.hide_keyboard(self._ctx)

    def set_orientation(self, name: str, *, purpose: str = "", expected_outcome: str = "") -> Step:
        """Turn the device: `portrait`, `landscape_left` …"""
        return keys.turn(self._ctx, name, words=Words(purpose, expected_outcome))

    def wait(self, seconds: float, *, purpose: str = "") -> Step:
        """Let time pass on the device's clock. A check that waits by itself is nearly always better."""
        return keys.wait(self._ctx, seconds, words=Words(purpose))

    def perform(self, text: str, *, purpose: str = "", expected_outcome: str = "") -> list[Step]:
        """Do a text of the command language, such as `t 100 200 w 0.3 d 200 300`; `""` captures only."""
        return perform.perform(self._ctx, text, words=Words(purpose, expected_outcome))

    # Apps

    @property
    def apps(self) -> AppsFacet:
        """All apps: `device.apps["com.example.other"].activate()`."""
        return AppsFacet(self._ctx)

    def launch(self, app: str = "", *, args: list[str] | None = None, env: dict[str, str] | None = None) -> Step:
        """Stop an app, start it and wait until it is up. `$(inherited)` in `args` or `env` stands for the configured
        ones."""
        arguments.text(app, "launch()")
        return launching.launch(self._ctx, app or self.app._need_id(), args, env)

    def activate(self, app: str) -> Step:
        """Bring an app to the front."""
        return launching.activate(self._ctx, arguments.text(app, "activate()", empty=False))

    def open_url(self, url: str, *, app: str = "", purpose: str = "", expected_outcome: str = "") -> Step:
        """Open a deep link as a tap on it would; `app` narrows down who may take it. `ActionRefused` when nobody
        does."""
        return services.open_url(self._ctx, url, app, words=Words(purpose, expected_outcome))

    # What the device has besides its screen

    @property
    def clipboard(self) -> str:
        """Text on the clipboard; `device.clipboard = "…"` puts text on it."""
        return services.clipboard(self._ctx)

    @clipboard.setter
    def clipboard(self, text: str) -> None:
        services.set_clipboard(self._ctx, text)

    @property
    def network(self) -> bool:
        """Whether it may use any network; `device.network = False` switches all off, and they are as before once the
        test is over. `ActionRefused` where that would cut off the device itself."""
        return services.network(self._ctx)

    @network.setter
    def network(self, on: bool) -> None:
        services.set_network(self._ctx, on)

    def offline(self) -> AbstractContextManager[None]:
        """`with device.offline():` without a network inside, as before after it."""
        return services.offline(self._ctx)

    def shell(self, command: str, *, timeout: float = 30.0) -> ShellOutput:
        """Run a command on the device: its `text` and `exit_code`. What it does to the app is the test's own doing."""
        return services.shell(self._ctx, command, timeout)

    def open_notifications(self, *, purpose: str = "", expected_outcome: str = "") -> Step:
        """Pull the notification shade down; `device.press("back")` closes it."""
        return services.open_notifications(self._ctx, words=Words(purpose, expected_outcome))

    def wake(self) -> Step:
        """Turn the screen on, and leave a lock screen without a passcode."""
        return services.wake(self._ctx)

    def sleep(self) -> Step:
        """Turn the screen off; it is on again once the test is over."""
        return services.sleep(self._ctx)

    def push(self, source: str | os.PathLike[str], target: str) -> None:
        """Copy a file of this machine to a path of the device."""
        services.push(self._ctx, source, target)

    def pull(self, source: str, target: str | os.PathLike[str]) -> Path:
        """Copy a file of the device to this machine; returns where it is (a folder gets it under its own name)."""
        return services.pull(self._ctx, source, target)

    def record(self, name: str = "recording") -> AbstractContextManager[None]:
        """`with device.record("checkout"):` films the screen; the film is attached to the report. Nothing can be masked
        in a film: where there is anything to mask it is not kept, and the report says so."""
        return services.recording(self._ctx, name)

    @property
    def web(self) -> WebFacet:
        """Web pages inside apps: `device.web.pages()`, and a Selenium driver for one: `device.web.driver()`."""
        return WebFacet(self._ctx)

    # A person takes over

    def pause(self) -> None:
        """Stop here for a look: the state is printed and a prompt opens. Refused without a terminal."""
        if self._ctx.on_pause is None:
            raise ConfigError(
                "device.pause() needs a terminal",
                likely="the run has no keyboard, or runs under xdist",
                cure="run this test alone, in a terminal, without -n",
            )
        self._ctx.on_pause()

    def hand_over(
        self, what: str, *, until: Locator | Callable[[], object], timeout: float = handing.TIMEOUT_S
    ) -> Step:
        """Ask a person at the terminal to do what no tool may: `device.hand_over("enter the code from the SMS",
        until=device.find("Welcome"))`. Waits until that is visible, or the function says so. Without a terminal the
        test is skipped, with the text."""
        return handing.hand_over(self._ctx, what, until, timeout)

    def flow(self, name: str) -> list[Step]:
        """Do the steps that the app's manual has under this name, each as a test would do it. Refused before anything
        is sent where what the flow needs is not on the screen."""
        return flows.run(self._ctx, arguments.text(name, "flow()", empty=False))

    # For the plugin

    @property
    def context(self) -> Context:
        """What the parts share; for the plugin and for tests of the house."""
        return self._ctx

    @property
    def soft_failures(self) -> list[CheckFailed]:
        """Failures of `expect.soft(…)` so far."""
        return self._ctx.soft

    def start(self, app: str = "") -> None:
        """Begin a test: launch `app`, or, when none is named, take what is in front as the app under test. A sleeping
        screen is woken first, where the device can do that. On a device that starts no apps it is taken as it is."""
        lifetime.start(self._ctx, app)

    def finish(self) -> None:
        """End a test: the app stopped; orientation, keyboard, permissions, network and screen as they were. Trouble is
        on record, not raised.

        Whoever kept the device past its test is told so, instead of touching what belongs to another.
        """
        lifetime.finish(self._ctx)

    def examine(self, failure: Failure, error: BaseException | None = None) -> Case:
        """Everything that was seen around a failure, for `verify.judge`."""
        return examine.examine(self._ctx, failure, error)

    def raise_soft(self) -> None:
        """Raise the collected soft failures together, if there are any."""
        failures = list(self._ctx.soft)
        self._ctx.soft.clear()
        soft.raise_together(failures)
