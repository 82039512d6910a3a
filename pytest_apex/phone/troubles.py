"""Trouble of the phone rather than of an app: what dies, blinds, darkens or gets in the way, for good or a moment."""

from __future__ import annotations

from dataclasses import replace

from pytest_apex.model.snapshot import Tree, TreeBuilder, Window
from pytest_apex.phone.fault import Elsewhere, Fault, Outage, Stranger, hooks
from pytest_apex.phone.parts import AppFile, Place


@hooks("screen")
class DeviceLost(Fault):
    """From the moment the screen opens, the device is gone."""

    def screen_opened(self, screen: str) -> Outage | None:
        return Outage(None) if screen == self.place.screen else None


@hooks("screen")
class DriverDead(Fault):
    """From the moment the screen opens, the driver on the device is dead and can't be started again."""

    def screen_opened(self, screen: str) -> Outage | None:
        return Outage(None, driver=True) if screen == self.place.screen else None


@hooks("screen")
class SecurePicture(Fault):
    """Pictures of a screen are black, as Android's FLAG_SECURE makes them."""

    def __init__(self, place: Place) -> None:
        super().__init__(place)
        self.secure = place.screen


@hooks("screen")
class BlindTree(Fault):
    """From the moment the screen opens, every tree is one empty node, beside a full picture."""

    _blind = False
    _seen: Tree | None = None

    def screen_opened(self, screen: str) -> Outage | None:
        self._blind = self._blind or screen == self.place.screen
        return None

    def see_tree(self, tree: Tree, now: float) -> Tree:  # noqa: ARG002
        if not self._blind or not tree.windows:
            return tree
        bounds = tree.windows[0].bounds
        if self._seen is None or self._seen.rect(0) != bounds:
            builder = TreeBuilder()
            builder.window(Window(0, "android", bounds=bounds))
            builder.leaf("other", bounds, class_name="android.view.View")
            self._seen = builder.build()
        return self._seen


@hooks("screen", takes=("seconds",))
class StaleTree(Fault):
    """When the screen opens, the tree stays that of the screen before, for `seconds` or until another screen opens."""

    _last: Tree | None = None
    _stale = False
    _since: float | None = None

    def screen_opened(self, screen: str) -> Outage | None:
        self._stale, self._since = screen == self.place.screen, None
        return None

    def see_tree(self, tree: Tree, now: float) -> Tree:
        if self._stale and self._since is None:
            self._since = now
        late = self._since is not None and self.place.seconds and now - self._since >= self.place.seconds
        if not self._stale or late or self._last is None:
            self._last = tree
        return self._last


@hooks("control", takes=("item", "text"))
class LostLetter(Fault):
    """Of what is typed into a field, one letter never arrives, once: that with the number `item` (from 0, the second
    if not given). With `text`, that arrives in its place."""

    _count = 0

    def typed(self, _control: str, letter: str) -> str:
        if _control != self.place.control:
            return letter
        self._count += 1
        return self.place.text if self._count == (self.place.item or 1) + 1 else letter


@hooks("screen", "control", takes=("seconds",))
class ForeignTouch(Fault):
    """`seconds` (0.5 if not given) after the screen opens, somebody else's finger taps the control."""

    def screen_opened(self, screen: str) -> Stranger | None:
        if screen != self.place.screen:
            return None
        return Stranger(self.place.control, self.place.seconds or 0.5)


@hooks("screen", "control", takes=("seconds",), innocent=True)
class StrayTouch(ForeignTouch):
    """The same, for a control that does nothing."""


class _Once(Fault):
    """Something that happens when a screen opens for the first time."""

    _done = False

    def screen_opened(self, screen: str) -> Outage | Elsewhere | None:
        if screen != self.place.screen or self._done:
            return None
        self._done = True
        return self.happens()

    def happens(self) -> Outage | Elsewhere:
        raise NotImplementedError

    def elsewhere(self, kind: str, name: str) -> Elsewhere:
        name = self.place.text or name
        return Elsewhere(kind, f"com.example.{''.join(name.split()).lower()}", name, self.place.seconds or 0.5)


@hooks("screen", takes=("seconds",), innocent=True)
class Reconnect(_Once):
    """When the screen opens for the first time, the device is gone for `seconds` (2 if not given)."""

    def happens(self) -> Outage:
        return Outage(self.place.seconds or 2.0)


@hooks("screen", innocent=True)
class DriverRestart(_Once):
    """When the screen opens for the first time, the driver dies; it can be started again."""

    def happens(self) -> Outage:
        return Outage(2.0, driver=True)


@hooks("screen", takes=("text", "seconds"), innocent=True)
class OtherAppCrash(_Once):
    """When the screen opens for the first time, another app crashes, half a second later if not told otherwise."""

    def happens(self) -> Elsewhere:
        return self.elsewhere("crash", "Calendar")


@hooks("screen", takes=("text", "seconds"), innocent=True)
class OtherAppAnr(_Once):
    """When the screen opens for the first time, the system says that another app does not answer."""

    def happens(self) -> Elsewhere:
        return self.elsewhere("frozen", "Weather")


@hooks("control", innocent=True)
class LostTouch(Fault):
    """One tap on the control is lost, once."""

    def __init__(self, place: Place) -> None:
        super().__init__(place)
        self.lost = {place.control}


@hooks(takes=("seconds",), innocent=True)
class KilledInBackground(Fault):
    """The system ends the app `seconds` (1 if not given) after it left the front; it comes back as it was."""

    def __init__(self, place: Place) -> None:
        super().__init__(place)
        self.ends_in_background = place.seconds or 1.0


@hooks(innocent=True)
class RestartByTest(Fault):
    """When a test stops the app, the traces of its death reach the log late, after the next start."""

    late_traces = True


@hooks(takes=("seconds",))
class LostState(Fault):
    """The system ends the app while it is in the background, and the app has saved nothing for its return."""

    def __init__(self, place: Place) -> None:
        super().__init__(place)
        self.ends_in_background = place.seconds or 1.0

    def change_app(self, app: AppFile) -> AppFile:
        return replace(app, saved=())
