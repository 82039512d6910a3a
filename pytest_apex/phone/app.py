"""Reading an app file of the built-in phone: text in, one frozen `AppFile` out, every mistake with its place.

The file is documented in `fixtures/virtual_apps/README.md`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from pytest_apex.errors import AppFileError
from pytest_apex.marked_yaml import At, Fields, Reader, nearest
from pytest_apex.phone import parts, theme
from pytest_apex.phone.faults import KNOWN_FAULTS
from pytest_apex.phone.formats import FORMATS
from pytest_apex.phone.links import read_links
from pytest_apex.phone.parts import AppFile, Control, DialogPart, Place, ScreenPart, ScreenSize
from pytest_apex.phone.read_effects import PERMISSIONS, Names, read_condition, read_effects, read_template
from pytest_apex.phone.template import Condition, Template
from pytest_apex.vision.icons import ICONS

_T = TypeVar("_T")

#: A name in reverse order of its domain, as Android and Apple's platforms have it.
_APP_ID = re.compile(r"[A-Za-z][\w-]*(\.[\w-]+)+", re.ASCII)
_ROOT_KEYS = (
    "app", "name", "version", "activity", "size", "colors", "dark_colors", "dark_when", "icon", "launch_ms",
    "animation_ms", "data", "stored", "saved", "links", "on_start", "start", "screens", "dialogs", "faults",
)  # fmt: skip
_SCREEN_KEYS = (
    "title", "up", "toolbar", "controls", "scroll", "padding", "gap", "align", "bottom", "floating", "on_open",
    "transition",
)  # fmt: skip
_CONTROL_KEYS = (
    "role", "id", "text", "label", "hint", "value", "style", "icon", "color", "background", "width", "height", "fill",
    "row", "gap", "padding", "align", "grow", "lines", "controls", "items", "as", "scroll", "bind", "password",
    "required", "live", "format", "max_length", "actions",
    "visible_when", "enabled_when", "selected_when", "invalid_when",
    *(f"on_{gesture}" for gesture in parts.GESTURES),
)  # fmt: skip
_BOUND = frozenset({"text_field", "checkbox", "switch"})
#: Keys that make sense for some roles only.
_ONLY_FOR: Mapping[str, frozenset[str]] = {
    "controls": parts.CONTAINERS,
    "row": parts.CONTAINERS - {"list"},
    "items": frozenset({"list"}),
    "as": frozenset({"list"}),
    "scroll": frozenset({"list"}),
    "bind": _BOUND,
    "hint": frozenset({"text_field"}),
    "password": frozenset({"text_field"}),
    "on_submit": frozenset({"text_field"}),
    "on_change": _BOUND,
    "format": frozenset({"text_field"}),
    "max_length": frozenset({"text_field"}),
    "lines": frozenset({"text", "text_field"}),
    "icon": frozenset({"button", "icon", "image"}),
    "value": frozenset({"progress"}),
}
_ALIGNMENTS = ("start", "center", "end")


def load_app(text: str | bytes, name: str) -> AppFile:
    """Read an app file; `name` is what mistakes call it. Raises `AppFileError` with all mistakes."""
    reader = Reader(name, AppFileError)
    app = _AppReader(reader.open(text)).read()
    reader.finish(cure="correct these lines; the command pytest-apex check FILE reads the file again")
    return replace(app, digest=digest_of(text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text))


def digest_of(data: bytes) -> str:
    """What tells two packages apart: the SHA-256 of the app file in them."""
    return hashlib.sha256(data).hexdigest()


class _AppReader:
    def __init__(self, root: At) -> None:
        self._root = root
        self._fields = root.fields(*_ROOT_KEYS, required=("app", "name", "start", "screens"))
        declared = {key: _keys(self._fields.get(key)) for key in ("screens", "dialogs", "data", "colors")}
        data = self._fields.get("data")
        lists = frozenset(key for key, at in (data.pairs() if data and data.is_a("map") else ()) if at.is_a("list"))
        rows = {name: _row_fields(name, root.node.plain) for name in lists}
        self._names = Names(declared["screens"], declared["dialogs"], declared["data"], lists, rows=rows)
        self._color_names = theme.NAMES | declared["colors"]
        self._ids: set[str] = set()
        #: Ids of the screen or dialog that is being read, each with whether it always shows; and how many containers
        #: around the control being read show only at times.
        self._shown: dict[str, bool] = {}
        self._sometimes = 0

    def read(self) -> AppFile:
        fields, names = self._fields, self._names
        app_id = self._app_id()
        colors = self._colors("colors")
        start = fields.get("start")
        return AppFile(
            id=app_id,
            name=fields.text("name"),
            version=fields.text("version", "1.0"),
            activity=fields.text("activity", ".MainActivity"),
            start=start.choice(names.screens, "screen") if start is not None else "",
            size=self._size(),
            colors={**theme.LIGHT, **colors},
            dark_colors={**theme.DARK, **self._colors("dark_colors")},
            dark_when=self._condition(fields, "dark_when", names),
            icon=fields.choice("icon", ICONS, "note", "icon"),
            launch_ms=fields.number("launch_ms", 400, low=0),
            animation_ms=fields.number("animation_ms", 250, low=0),
            data=self._data(),
            stored=tuple(names.check_variable(at) for at in fields.items("stored")),
            saved=tuple(names.check_variable(at) for at in fields.items("saved")),
            links=read_links(fields.pairs("links"), names),
            on_start=read_effects(fields.get("on_start"), names),
            screens={key: self._screen(key, at) for key, at in fields.pairs("screens")},
            dialogs={key: self._dialog(key, at) for key, at in fields.pairs("dialogs")},
            faults=self._faults(),  # after the screens: it checks the ids found there
            file=self._root.reader.name,
        )

    def _app_id(self) -> str:
        at = self._fields.get("app")
        if at is None:
            return ""
        if at.is_a("text") and _APP_ID.fullmatch(at.node.value):
            return str(at.node.value)
        shown = f'"{at.node.value}"' if at.is_a("text") or at.is_a("number") else at.node.kind_name
        at.mistake(f"expected an app's id such as com.example.notes, got {shown}")
        return ""

    def _note_id(self, at: At, always: bool) -> None:
        """Two controls of one screen may share an id only if they show by turns."""
        name = at.node.value
        if name in self._shown and (always or self._shown[name]):
            at.mistake(f'the id "{name}" stands on this screen twice; only controls with visible_when may share one')
        self._shown[name] = always or self._shown.get(name, False)
        self._ids.add(name)

    @staticmethod
    def _condition(fields: Fields, key: str, names: Names) -> Condition | None:
        return _optional(fields, key, lambda at: read_condition(at, names))

    def _data(self) -> Mapping[str, Any]:
        at = self._fields.get("data")
        return dict(at.node.plain) if at is not None and at.is_a("map") else {}

    def _size(self) -> ScreenSize:
        at = self._fields.get("size")
        if at is None:
            return ScreenSize()
        fields = at.fields("width", "height", "density")
        return ScreenSize(
            fields.integer("width", 540, 100, 4000),
            fields.integer("height", 1200, 100, 4000),
            fields.number("density", 1.5, 0.5, 6) or 1.0,
        )

    def _colors(self, key: str) -> dict[str, theme.Color]:
        found = {}
        for name, at in self._fields.pairs(key):
            color = theme.read_color(at.text())
            if color is None:
                at.mistake(f'"{at.node.value}" is not a colour such as "#0057B8"')
            else:
                found[name] = color
        return found

    def _color(self, fields: Fields, key: str) -> str:
        at = fields.get(key)
        if at is None:
            return ""
        name = at.text()
        if name not in self._color_names and theme.read_color(name) is None:
            at.mistake(f'unknown colour "{name}"{nearest(name, self._color_names)}')
            return ""
        return name

    def _screen(self, name: str, at: At) -> ScreenPart:
        fields = at.fields(*_SCREEN_KEYS)
        names = self._names
        names.used_now.clear()
        self._shown.clear()
        floating = fields.get("floating")
        if fields.flag("scroll", True):
            for at_control in fields.items("controls"):
                if at_control.is_a("map") and "scroll" in at_control.node.value:
                    at_control.mistake("a list scrolls by itself only on a screen with scroll: false")
        return ScreenPart(
            name=name,
            title=self._template(fields, "title", names),
            up=fields.flag("up"),
            toolbar=self._controls(fields, "toolbar", names),
            controls=self._controls(fields, "controls", names),
            scroll=fields.flag("scroll", True),
            padding=fields.number("padding", 16, 0, 200),
            gap=fields.number("gap", 12, 0, 200),
            align=fields.choice("align", _ALIGNMENTS, "", "alignment"),
            bottom=self._controls(fields, "bottom", names),
            floating=self._control(floating, names) if floating is not None else None,
            on_open=read_effects(fields.get("on_open"), names),
            transition=fields.choice("transition", parts.TRANSITIONS, "slide", "transition"),
            ticks=bool(names.used_now),
        )

    def _dialog(self, name: str, at: At) -> DialogPart:
        fields = at.fields("title", "text", "buttons", required=("title", "buttons"))
        self._shown.clear()
        title = self._template(fields, "title", self._names)
        return DialogPart(
            name=name,
            title=title or Template(()),
            text=self._template(fields, "text", self._names),
            buttons=self._controls(fields, "buttons", self._names),
        )

    def _template(self, fields: Fields, key: str, names: Names) -> Template | None:
        return _optional(fields, key, lambda at: read_template(at, names))

    def _controls(self, fields: Fields, key: str, names: Names) -> tuple[Control, ...]:
        return tuple(self._control(at, names) for at in fields.items(key))

    def _control(self, at: At, names: Names) -> Control:
        fields = at.fields(*_CONTROL_KEYS, required=("role",))
        role = fields.choice("role", parts.CONTROL_ROLES, "text", "role")
        self._check_shape(at, role, fields)
        items = fields.get("items")
        item_name = fields.text("as", "item")
        inner = names.within(item_name, names.check_list(items)) if items is not None else names
        sometimes = self._sometimes + ("visible_when" in fields)
        if control_id := fields.text("id"):
            self._note_id(fields.found["id"], always=not sometimes)
        self._sometimes, around = sometimes, self._sometimes
        controls = self._controls(fields, "controls", inner)
        self._sometimes = around
        bind = fields.get("bind")
        return Control(
            role=role,
            id=control_id,
            text=self._template(fields, "text", names),
            label=self._template(fields, "label", names),
            hint=self._template(fields, "hint", names),
            value=self._template(fields, "value", names),
            style=fields.choice("style", _styles(role), "", "style"),
            icon=fields.choice("icon", ICONS, "", "icon"),
            color=self._color(fields, "color"),
            background=self._color(fields, "background"),
            width=_optional(fields, "width", lambda it: it.number(1, 4000)),
            height=_optional(fields, "height", lambda it: it.number(1, 4000)),
            fill=_optional(fields, "fill", At.flag),
            row=fields.flag("row"),
            gap=_optional(fields, "gap", lambda it: it.number(0, 200)),
            padding=_optional(fields, "padding", lambda it: it.number(0, 200)),
            align=fields.choice("align", _ALIGNMENTS, "", "alignment"),
            grow=fields.flag("grow"),
            lines=fields.integer("lines", 0, 0, 100),
            controls=controls,
            items=items.text() if items is not None else "",
            item_name=item_name,
            scroll=fields.flag("scroll"),
            bind=names.check_variable(bind) if bind is not None else "",
            password=fields.flag("password"),
            required=fields.flag("required"),
            live=fields.flag("live"),
            format=fields.choice("format", FORMATS, "", "format"),
            max_length=fields.integer("max_length", 0, 1, 10_000),
            actions={name: read_effects(effects, names) for name, effects in fields.pairs("actions")},
            on={gesture: read_effects(fields.get(f"on_{gesture}"), names) for gesture in parts.GESTURES
                if f"on_{gesture}" in fields},
            visible_when=self._condition(fields, "visible_when", names),
            enabled_when=self._condition(fields, "enabled_when", names),
            selected_when=self._condition(fields, "selected_when", names),
            invalid_when=self._condition(fields, "invalid_when", names),
        )  # fmt: skip

    def _check_shape(self, at: At, role: str, fields: Fields) -> None:
        if "role" not in fields:
            return
        for key, roles in _ONLY_FOR.items():
            if key in fields and role not in roles:
                fields.found[key].mistake(f'a {role} has no "{key}"; it belongs to {" or ".join(sorted(roles))}')
        if role == "list" and "items" not in fields:
            at.mistake('the key "items" is missing: the variable whose rows the list shows')
        if role in _BOUND and "bind" not in fields:
            at.mistake(f'the key "bind" is missing: the variable that the {role} changes')

    def _faults(self) -> dict[str, Place]:
        return {name: place for name, at in self._fields.pairs("faults") if (place := self._place(name, at))}

    def _place(self, name: str, at: At) -> Place | None:
        fault = KNOWN_FAULTS.get(name)
        if fault is None:
            at.mistake(f'unknown fault "{name}"{nearest(name, KNOWN_FAULTS)}')
            return None
        fields = at.fields(*fault.needs, *fault.takes, required=fault.needs)
        checks: dict[str, Callable[[At], Any]] = {
            "control": lambda it: it.choice(self._ids, "control"),
            "screen": lambda it: it.choice(self._names.screens, "screen"),
            "to": lambda it: it.choice(self._names.screens, "screen"),
            "permission": lambda it: it.choice(PERMISSIONS, "permission"),
            "data": self._names.check_list,
            "color": lambda _it: self._color(fields, "color"),
            "text": At.text,
            "item": lambda it: it.integer(0),
            "by": At.number,
            "ms": lambda it: it.number(0),
            "seconds": lambda it: it.number(0),
        }
        return Place(**{key: checks[key](fields.found[key]) for key in Place.FIELDS if key in fields})


def _row_fields(variable: str, document: Any) -> frozenset[str]:
    """The fields that rows of a list variable have: those in `data` and those that effects append. Empty where they
    can't be known: rows that are no mappings, a list that is set to another one."""
    found = list(document["data"][variable])
    for part in _mappings(document):
        if part.get("append") == variable:
            found.append(part.get("item"))
        if isinstance(part.get("set"), dict) and variable in part["set"]:
            return frozenset()
    if not all(isinstance(row, dict) for row in found):
        return frozenset()
    return frozenset(key for row in found for key in row)


def _mappings(value: Any) -> Iterator[dict[str, Any]]:
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict):
            yield part
            waiting.extend(part.values())
        elif isinstance(part, list):
            waiting.extend(part)


def _keys(at: At | None) -> frozenset[str]:
    return frozenset(at.node.value) if at is not None and at.is_a("map") else frozenset()


def _optional(fields: Fields, key: str, read: Callable[[At], _T]) -> _T | None:
    at = fields.get(key)
    return read(at) if at is not None else None


def _styles(role: str) -> tuple[str, ...]:
    return parts.BUTTON_STYLES if role in ("button", "icon") else parts.TEXT_STYLES
