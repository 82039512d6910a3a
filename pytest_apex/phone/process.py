"""One running app: its variables, its screens one over the other, and what its effects do."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from pytest_apex.phone import parts
from pytest_apex.phone.boxes import Scope
from pytest_apex.phone.log import Who
from pytest_apex.phone.pages import Fling, Page, SavedState, Transition
from pytest_apex.phone.parts import AppFile, Effect
from pytest_apex.phone.template import as_text, look_up
from pytest_apex.phone.theme import Theme
from pytest_apex.phone.timeline import Timeline

#: How long a toast stays (Android's LENGTH_SHORT: 2000 ms in NotificationManagerService).
TOAST_S = 2.0


class Host(Protocol):
    """What a process asks of the phone it runs on."""

    timeline: Timeline
    online: bool

    def write_log(self, process: Process, level: str, tag: str, text: str) -> None: ...

    def ask(self, process: Process, effect: parts.Ask, scope: Scope) -> None: ...

    def toast_shown(self, process: Process, text: str) -> None: ...

    def notify(self, process: Process, title: str, text: str, then: Sequence[Effect]) -> None: ...

    def crash(self, process: Process, exception: str, message: str) -> None: ...

    def hang(self, process: Process) -> None: ...

    def exit(self, process: Process, status: int) -> None: ...

    def fatal_signal(self, process: Process) -> None: ...

    def reclaim(self, process: Process) -> None: ...

    def open_app(self, process: Process, app_id: str) -> None: ...

    def leave(self, process: Process) -> None: ...

    def shown(self, process: Process) -> None: ...

    def screen_opened(self, screen: str) -> None: ...

    def focus_changed(self, process: Process) -> None: ...


class Process:
    """`version` grows with every change that may show."""

    def __init__(
        self,
        app: AppFile,
        pid: int,
        uid: int,
        host: Host,
        *,
        args: Sequence[str] = (),
        env: Mapping[str, str] | None = None,
        stored: Mapping[str, Any] | None = None,
        saved: SavedState | None = None,
    ) -> None:
        self.app = app
        self.pid = pid
        self.uid = uid
        self.alive = True
        self.version = 0
        self.started = host.timeline.now()
        self.pages: list[Page] = []
        self.dialog = ""
        self.toast: tuple[str, float] | None = None
        self.focus = ""
        self.transition: Transition | None = None
        self.fling: Fling | None = None
        self.blocked_at: float | None = None
        self._waiting: list[tuple[Sequence[Effect], Scope]] = []
        self._host = host
        self._data: dict[str, Any] = copy.deepcopy({**app.data, **(stored or {}), **(saved.values if saved else {})})
        self._saved = saved
        self._built_in = {"version": app.version, "args": list(args), "env": dict(env or {}), "pid": pid}
        self.scope = Scope(self._look_up)

    def _look_up(self, name: str) -> Any:
        if name in self._data:
            return self._data[name]
        if name == "now":
            # 9:41 is when the phone was switched on, see `log.EPOCH`.
            return 9 * 3600 + 41 * 60 + int(self.now())
        if name == "online":
            return self._host.online
        return self._built_in.get(name)

    def now(self) -> float:
        """The time as the app sees it: it stands still while its main thread is blocked."""
        return self._host.timeline.now() if self.blocked_at is None else self.blocked_at

    @property
    def who(self) -> Who:
        """The process as the log calls it."""
        return Who(self.app.id, self.app.name, self.app.activity, self.pid, self.uid)

    @property
    def page(self) -> Page | None:
        return self.pages[-1] if self.pages else None

    @property
    def theme(self) -> Theme:
        dark = self.app.dark_when is not None and self.app.dark_when.holds(self.scope)
        return Theme(self.app.dark_colors if dark else self.app.colors)

    @property
    def stored(self) -> dict[str, Any]:
        """The variables that outlive the process."""
        return {name: copy.deepcopy(self._data.get(name)) for name in self.app.stored}

    @property
    def saved(self) -> SavedState | None:
        """What it leaves for its return when the system ends it in the background; None if it saves nothing."""
        if not self.app.saved or not self.pages:
            return None
        values = {name: copy.deepcopy(self._data.get(name)) for name in self.app.saved}
        pages = tuple((page.part.name, dict(page.scrolls)) for page in self.pages)
        return SavedState(values, pages, self.dialog)

    def changed(self) -> None:
        self.version += 1

    def after(self, seconds: float, do: Callable[[], None]) -> None:
        """Run later, unless the process has died or hangs by then."""

        def due() -> None:
            if self.alive and self.blocked_at is None:
                do()

        self._host.timeline.after(seconds, due, self)

    # Life

    def begin(self) -> None:
        """The first screen, once the splash is over."""
        self._host.shown(self)
        if self._saved is None:
            self._open(Page(self.app.screens[self.app.start]), "none", forward=True)
            self.run(self.app.on_start, self.scope)
        else:
            self.pages = [Page(self.app.screens[name], dict(scrolls)) for name, scrolls in self._saved.pages]
            self._arrived()
            self.dialog = self._saved.dialog
        waiting, self._waiting = self._waiting, []
        for effects, scope in waiting:
            self.run(effects, scope)

    def run_when_up(self, effects: Sequence[Effect], scope: Scope) -> None:
        """Run effects that came from outside (a link, a notification): at once, or after the splash."""
        if self.pages:
            self.run(effects, scope)
        else:
            self._waiting.append((effects, scope))

    def end(self) -> None:
        self.alive = False
        self._host.timeline.drop(self)
        self.changed()

    # Screens

    def _open(self, page: Page, transition: str, *, forward: bool) -> None:
        self._start_transition(transition, forward)
        self.pages.append(page)
        self._arrived()
        self.run(page.part.on_open, self.scope)

    def _start_transition(self, kind: str, forward: bool) -> None:
        seconds = self.app.animation_ms / 1000
        if kind == "none" or not seconds or not self.pages:
            return
        transition = Transition(kind, forward, self.now(), seconds, self.pages[-1])
        self.transition = transition
        self.after(seconds, lambda: self._end_transition(transition))

    def _end_transition(self, transition: Transition) -> None:
        if self.transition is transition:
            self.transition = None
            self.changed()

    def _arrived(self) -> None:
        self.fling = None
        self.dialog = ""
        self.set_focus("")
        self.changed()
        page = self.page
        if page is not None:
            self._host.screen_opened(page.part.name)

    def go_back(self) -> None:
        """One screen back; from the first one, out of the app."""
        if self.dialog:
            self.dialog = ""
            self.changed()
        elif len(self.pages) <= 1:
            self._host.leave(self)
        else:
            page = self.pages[-1]
            self._start_transition(page.part.transition, False)
            self.pages.pop()
            self._arrived()

    def set_focus(self, key: str) -> None:
        if key != self.focus:
            self.focus = key
            self.changed()
            self._host.focus_changed(self)

    # Scrolling

    def scroll_to(self, key: str, offset: float) -> None:
        if self.page is not None:
            self.fling = None
            self.page.scrolls[key] = round(offset)
            self.changed()

    def run_on(self, fling: Fling) -> None:
        """The content goes on by itself until it rests."""
        self.fling = fling

        def rest() -> None:
            if self.fling is fling:
                self.scroll_to(fling.key, fling.offset(fling.started + fling.seconds))

        self.after(fling.seconds, rest)

    def stop_moving(self) -> None:
        """End what moves on the screen, at once."""
        self.transition = self.fling = None
        self.changed()

    # Variables

    def value(self, name: str) -> Any:
        return self._data.get(name)

    def set_value(self, name: str, value: Any) -> None:
        self._data[name] = value
        self.changed()

    # Effects

    def run(self, effects: Sequence[Effect], scope: Scope) -> None:
        for effect in effects:
            if not self.alive or self.blocked_at is not None:
                return
            _EFFECTS[type(effect)](self, effect, scope)
            self.changed()

    def _goto(self, effect: parts.Goto, _scope: Scope) -> None:
        part = self.app.screens[effect.screen]
        names = [page.part.name for page in self.pages]
        if effect.screen in names[:-1]:
            # As with Android's CLEAR_TOP: a screen that is open already comes back, those above it go.
            self._start_transition(self.pages[-1].part.transition, False)
            del self.pages[names.index(effect.screen) + 1 :]
            self._arrived()
        elif not names or names[-1] != effect.screen:
            self._open(Page(part), part.transition, forward=True)

    def _back(self, _effect: parts.Back, _scope: Scope) -> None:
        self.go_back()

    def _set(self, effect: parts.SetValues, scope: Scope) -> None:
        values = [(name, template.value(scope)) for name, template in effect.values]
        for name, value in values:
            self._data[name] = copy.deepcopy(value)

    def _toggle(self, effect: parts.Toggle, _scope: Scope) -> None:
        self._data[effect.name] = not self._data.get(effect.name)

    def _reset(self, effect: parts.Reset, _scope: Scope) -> None:
        for name in effect.names:
            self._data[name] = copy.deepcopy(self.app.data.get(name))

    def _append(self, effect: parts.Append, scope: Scope) -> None:
        item = {name: copy.deepcopy(template.value(scope)) for name, template in effect.item}
        rows = self._data[effect.to]
        rows.insert(0 if effect.first else len(rows), item)

    def _remove(self, effect: parts.Remove, scope: Scope) -> None:
        wanted = [(name, template.render(scope)) for name, template in effect.where]
        self._data[effect.source] = [row for row in self._data[effect.source] if not _fits(row, wanted)]

    def _load(self, effect: parts.Load, scope: Scope) -> None:
        page = self.page
        if page is not None:
            page.covers += effect.cover
        if effect.flag:
            self._data[effect.flag] = True

        def arrived() -> None:
            if page is not None:
                page.covers -= effect.cover
            if effect.flag:
                self._data[effect.flag] = False
            self.changed()
            if self.page is page:
                self.run(effect.then if effect.offline is None or self._host.online else effect.offline, scope)

        if effect.ms is not None:
            self.after(effect.ms / 1000, arrived)

    def _dialog(self, effect: parts.ShowDialog, _scope: Scope) -> None:
        self.dialog = effect.name
        self.set_focus("")

    def _dismiss(self, _effect: parts.Dismiss, _scope: Scope) -> None:
        self.dialog = ""

    def _toast(self, effect: parts.Toast, scope: Scope) -> None:
        toast = self.toast = (effect.text.render(scope), self.now() + TOAST_S)
        self._host.toast_shown(self, toast[0])

        def gone() -> None:
            if self.toast is toast:
                self.toast = None
                self.changed()

        self.after(TOAST_S, gone)

    def _notify(self, effect: parts.Notify, scope: Scope) -> None:
        self._host.notify(self, effect.title.render(scope), scope.text(effect.text), effect.then)

    def _log(self, effect: parts.WriteLog, scope: Scope) -> None:
        self._host.write_log(self, effect.level, effect.tag or self.app.name, effect.text.render(scope))

    def _ask(self, effect: parts.Ask, scope: Scope) -> None:
        self._host.ask(self, effect, scope)

    def _choose(self, effect: parts.Choose, scope: Scope) -> None:
        self.run(effect.then if effect.when.holds(scope) else effect.otherwise, scope)

    def _open_app(self, effect: parts.OpenApp, _scope: Scope) -> None:
        self._host.open_app(self, effect.app)

    def _crash(self, effect: parts.Crash, scope: Scope) -> None:
        self._host.crash(self, effect.exception, effect.message.render(scope))

    def _hang(self, _effect: parts.Hang, _scope: Scope) -> None:
        self._host.hang(self)

    def _exit(self, effect: parts.Exit, _scope: Scope) -> None:
        self._host.exit(self, effect.status)


def _fits(row: Any, wanted: Sequence[tuple[str, str]]) -> bool:
    return all(as_text(look_up(name, row.get)) == text for name, text in wanted)


_EFFECTS: Mapping[type, Callable[[Process, Any, Scope], None]] = {
    parts.Goto: Process._goto,
    parts.Back: Process._back,
    parts.SetValues: Process._set,
    parts.Toggle: Process._toggle,
    parts.Reset: Process._reset,
    parts.Append: Process._append,
    parts.Remove: Process._remove,
    parts.Load: Process._load,
    parts.ShowDialog: Process._dialog,
    parts.Dismiss: Process._dismiss,
    parts.Toast: Process._toast,
    parts.Notify: Process._notify,
    parts.WriteLog: Process._log,
    parts.Ask: Process._ask,
    parts.Choose: Process._choose,
    parts.OpenApp: Process._open_app,
    parts.Crash: Process._crash,
    parts.Hang: Process._hang,
    parts.Exit: Process._exit,
    parts.Signal: lambda process, _effect, _scope: process._host.fatal_signal(process),
    parts.Reclaim: lambda process, _effect, _scope: process._host.reclaim(process),
}
