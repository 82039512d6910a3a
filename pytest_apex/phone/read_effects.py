"""Reading texts, conditions and effects of an app file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from pytest_apex.marked_yaml import At, Fields, nearest
from pytest_apex.phone import parts
from pytest_apex.phone.template import Condition, Template, TemplateError, parse, plain

#: Variables that every app has, besides its own `data`.
BUILT_IN = frozenset({"now", "version", "args", "env", "pid", "online"})
#: Effects without anything to say about them.
WORDS: Mapping[str, parts.Effect] = {"back": parts.Back(), "dismiss": parts.Dismiss(), "hang": parts.Hang()}
LOG_LEVELS = ("V", "D", "I", "W", "E")
PERMISSIONS = ("notifications", "camera", "location", "contacts", "microphone")


@dataclass(frozen=True, slots=True)
class Names:
    """What a file declares; references are checked against it."""

    screens: frozenset[str]
    dialogs: frozenset[str]
    data: frozenset[str]
    lists: frozenset[str] = frozenset()
    local: frozenset[str] = frozenset()
    #: Fields of the rows of a list variable, and of a row by its local name; empty where they are not known.
    rows: Mapping[str, frozenset[str]] = field(default_factory=dict)
    used_now: list[bool] = field(default_factory=list)

    def within(self, name: str, variable: str) -> Names:
        """The names inside a list of `variable`, whose rows are called `name`."""
        rows = {**self.rows, name: self.rows.get(variable, frozenset())}
        return Names(self.screens, self.dialogs, self.data, self.lists, self.local | {name}, rows, self.used_now)

    def with_words(self, words: frozenset[str]) -> Names:
        """The names where further words can be read, such as the parts of a link."""
        return replace(self, local=self.local | words)

    def check_path(self, at: At, path: str) -> str:
        first = path.partition(".")[0]
        known = self.data | self.local | BUILT_IN
        if first not in known:
            at.mistake(f'unknown variable "{first}"{nearest(first, known)}')
        _, _, inside = path.partition(".")
        fields = self.rows.get(first, frozenset()) if first in self.local else frozenset()
        if inside and fields and inside.partition(".")[0] not in fields:
            at.mistake(f'a row "{first}" has no "{inside}"{nearest(inside, fields)}')
        if first == "now":
            self.used_now.append(True)
        return path

    def check_variable(self, at: At) -> str:
        """The name of a variable that can be set."""
        name = at.text()
        if at.is_a("text") and name not in self.data:
            at.mistake(f'unknown variable "{name}"{nearest(name, self.data)}')
        return name

    def check_list(self, at: At) -> str:
        name = self.check_variable(at)
        if name in self.data and name not in self.lists:
            at.mistake(f'the variable "{name}" is not a list')
        return name


def read_template(at: At, names: Names) -> Template:
    if at.is_a("flag"):
        return plain("true" if at.node.value else "false")
    source = at.text()
    try:
        template = parse(source)
    except TemplateError as error:
        at.mistake(str(error))
        return plain("")
    for path in template.paths:
        names.check_path(at, path)
    return template


def read_pairs(at: At, names: Names) -> tuple[tuple[str, Template], ...]:
    return tuple((key, read_template(value, names)) for key, value in at.pairs())


def read_condition(at: At, names: Names) -> Condition:
    fields = at.fields("filled", "empty", "equal", "unequal")
    if at.is_a("map") and not fields.found:
        at.mistake("an empty condition; known: filled, empty, equal, unequal")
    return Condition(
        filled=_paths(fields, "filled", names),
        empty=_paths(fields, "empty", names),
        equal=_comparisons(fields, "equal", names),
        unequal=_comparisons(fields, "unequal", names),
    )


def _paths(fields: Fields, key: str, names: Names) -> tuple[str, ...]:
    at = fields.get(key)
    return tuple(names.check_path(item, item.text()) for item in at.one_or_many()) if at is not None else ()


def _comparisons(fields: Fields, key: str, names: Names) -> tuple[tuple[str, Template], ...]:
    at = fields.get(key)
    if at is None:
        return ()
    return tuple((names.check_path(value, path), read_template(value, names)) for path, value in at.pairs())


def read_effects(at: At | None, names: Names) -> tuple[parts.Effect, ...]:
    """A list of effects, or a single one."""
    if at is None:
        return ()
    return tuple(effect for item in at.one_or_many() if (effect := _effect(item, names)) is not None)


def _effect(at: At, names: Names) -> parts.Effect | None:
    if at.is_a("text"):
        word = at.text()
        if word in WORDS:
            return WORDS[word]
        known = [*WORDS, *_KINDS]
        at.mistake(f'unknown effect "{word}"{nearest(word, known)}')
        return None
    if not at.is_a("map"):
        at.mistake(f"expected an effect such as back or {{goto: screen}}, got {at.node.kind_name}")
        return None
    keys = list(at.node.value)
    kind = keys[0] if keys else ""
    if kind not in _KINDS:
        at.mistake(f'unknown effect "{kind}"{nearest(kind, [*WORDS, *_KINDS])}')
        return None
    more, read = _KINDS[kind]
    fields = at.fields(kind, *more)
    return read(fields.found[kind], fields, names)


def _goto(at: At, _fields: Fields, names: Names) -> parts.Effect:
    return parts.Goto(at.choice(names.screens, "screen"))


def _set(at: At, _fields: Fields, names: Names) -> parts.Effect:
    for key, value in at.pairs() if at.is_a("map") else ():
        if key not in names.data:
            value.mistake(f'unknown variable "{key}"{nearest(key, names.data)}')
    return parts.SetValues(read_pairs(at, names))


def _toggle(at: At, _fields: Fields, names: Names) -> parts.Effect:
    return parts.Toggle(names.check_variable(at))


def _reset(at: At, _fields: Fields, names: Names) -> parts.Effect:
    return parts.Reset(tuple(names.check_variable(item) for item in at.one_or_many()))


def _append(at: At, fields: Fields, names: Names) -> parts.Effect:
    item = fields.get("item")
    if item is None:
        at.mistake('the key "item" is missing: the fields of what is appended')
    return parts.Append(names.check_list(at), read_pairs(item, names) if item is not None else (), fields.flag("first"))


def _remove(at: At, fields: Fields, names: Names) -> parts.Effect:
    where = fields.get("where")
    if where is None:
        at.mistake('the key "where" is missing: which items go')
    return parts.Remove(names.check_list(at), read_pairs(where, names) if where is not None else ())


def _load(at: At, fields: Fields, names: Names) -> parts.Effect:
    flag = fields.get("flag")
    return parts.Load(
        ms=at.number(low=0),
        then=read_effects(fields.get("then"), names),
        cover=fields.flag("cover", flag is None),
        flag=names.check_variable(flag) if flag is not None else "",
        offline=read_effects(fields.get("offline"), names) if "offline" in fields else None,
    )


def _dialog(at: At, _fields: Fields, names: Names) -> parts.Effect:
    return parts.ShowDialog(at.choice(names.dialogs, "dialog"))


def _toast(at: At, _fields: Fields, names: Names) -> parts.Effect:
    return parts.Toast(read_template(at, names))


def _notify(at: At, fields: Fields, names: Names) -> parts.Effect:
    text = fields.get("text")
    return parts.Notify(
        read_template(at, names),
        read_template(text, names) if text is not None else None,
        read_effects(fields.get("then"), names),
    )


def _log(at: At, fields: Fields, names: Names) -> parts.Effect:
    level = fields.choice("level", LOG_LEVELS, "I", "log level")
    return parts.WriteLog(read_template(at, names), level, fields.text("tag"))


def _print(at: At, _fields: Fields, names: Names) -> parts.Effect:
    return parts.WriteLog(read_template(at, names), "I", "System.out")


def _ask(at: At, fields: Fields, names: Names) -> parts.Effect:
    return parts.Ask(
        at.choice(PERMISSIONS, "permission"),
        read_effects(fields.get("then"), names),
        read_effects(fields.get("denied"), names),
    )


def _if(at: At, fields: Fields, names: Names) -> parts.Effect:
    return parts.Choose(
        read_condition(at, names),
        read_effects(fields.get("then"), names),
        read_effects(fields.get("else"), names),
    )


def _open(at: At, _fields: Fields, _names: Names) -> parts.Effect:
    return parts.OpenApp(at.text())


def _crash(at: At, fields: Fields, names: Names) -> parts.Effect:
    message = fields.get("message")
    return parts.Crash(at.text(), read_template(message, names) if message is not None else plain(""))


def _exit(at: At, _fields: Fields, _names: Names) -> parts.Effect:
    return parts.Exit(at.integer(0, 255))


#: Name of an effect (its first key) to its further keys and its reader.
_KINDS: Mapping[str, tuple[tuple[str, ...], Callable[[At, Fields, Names], parts.Effect]]] = {
    "goto": ((), _goto),
    "set": ((), _set),
    "toggle": ((), _toggle),
    "reset": ((), _reset),
    "append": (("item", "first"), _append),
    "remove": (("where",), _remove),
    "load": (("then", "cover", "flag", "offline"), _load),
    "dialog": ((), _dialog),
    "toast": ((), _toast),
    "notify": (("text", "then"), _notify),
    "log": (("level", "tag"), _log),
    "print": ((), _print),
    "ask": (("then", "denied"), _ask),
    "if": (("then", "else"), _if),
    "open": ((), _open),
    "crash": (("message",), _crash),
    "exit": ((), _exit),
}
