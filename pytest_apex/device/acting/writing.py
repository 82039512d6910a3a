"""Text into fields: what can't be typed is refused before anything is sent, what was sent is read back and compared."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from pytest_apex.device import arguments
from pytest_apex.device.acting import act, images
from pytest_apex.device.acting.act import NO_WORDS, Words
from pytest_apex.device.acting.place import need_awake
from pytest_apex.device.acting.typed import Arrival, arrival
from pytest_apex.device.context import Context
from pytest_apex.device.looking.settle import pause
from pytest_apex.errors import ActionRefused, ApexError, ConfigError, TargetObscured, TextLost
from pytest_apex.hierarchy.match import match
from pytest_apex.model.action import TypeText
from pytest_apex.model.look import Obscured
from pytest_apex.model.node import Node, NodeState
from pytest_apex.model.snapshot import Snapshot, Window
from pytest_apex.model.step import Step
from pytest_apex.model.target import Target

#: So much of a typed text is shown in the name of its step.
SHOWN = 60
#: Windows that come and go while one types, and take nothing from the field.
_BESIDE = frozenset({"keyboard", "toast", "status_bar"})
_NEVER_AGAIN = "nothing is typed a second time by itself"


def type_text(
    ctx: Context, text: str, *, secret: bool = False, target: Target | None = None, words: Words = NO_WORDS,
    note: str = "",
) -> Step:  # fmt: skip
    """Type into the focused field, which has to be `target` if one is given, and read back what arrived.

    Raises `ConfigError` for what no keyboard can type, and `ActionRefused` when nothing that takes text has the focus
    in the app in front: both before anything is sent. Raises `TextLost` when characters got lost or changed on the way
    (what the app makes of a text on purpose is noted in the step), and `TargetObscured` when a window came up meanwhile
    and took the rest.
    """
    keep_secret(ctx, text, secret=secret)
    check_typable(text)
    arguments.flag(secret, "secret=")
    ctx.need("type", "type text")
    before = act.settle_before(ctx)
    field = focused_field(before.snapshot, target)
    hidden = secret or field.has(NodeState.PASSWORD)
    if hidden:
        ctx.recorder.redactor.add_secret(text, field_id=field.identifier or field.label, empty=not field.text)
    shown = "•••" if hidden else _quoted(text)
    back = _ReadBack(ctx, before.snapshot, field, text, hidden)
    step = act.send(
        ctx,
        "type",
        lambda: ctx.backend.type_text(text),
        named=f"type {shown} into {field.name or 'the field'}",
        action=TypeText(text, hidden),
        target=target,
        words=words,
        note=note,
        before=before,
        node=field,
        look_back=back.look,
    )
    if back.error is not None:
        raise back.error
    if back.cut:
        # A limit of the field, most likely; a check that fails later has it beside it.
        ctx.notes.append(f"{step.id} {step.named}: {step.note}")
    return step


def clear(ctx: Context, target: Target, words: Words = NO_WORDS) -> Step:
    """Empty the field, which has to have the focus. Raises `TextLost` when it still holds what it held."""
    before = act.settle_before(ctx)
    field = focused_field(before.snapshot, target)
    do, named = ctx.backend.clear_text, f"clear {target}"
    step = act.send(ctx, "clear", do, named=named, target=target, words=words, before=before, node=field)
    ctx.recorder.redactor.field_cleared(field.identifier or field.label)
    after = _same(field, step.after) if step.after is not None else None
    # An amount that goes back to 0 by itself is as empty as it can be.
    if after is not None and after.text == field.text and any(letter not in "0.,: " for letter in field.text):
        raise TextLost(
            f"{target} could not be emptied",
            seen=f"it still holds its {len(field.text)} characters",
            likely="the keyboard of the device did not take the keys",
            cure="look at the picture after the step",
        )
    return step


def keep_secret(ctx: Context, text: object, *, secret: bool) -> None:
    """Mask a secret from now on, whatever comes of typing it: a refusal has the line of the test beside it. One or two
    characters are a secret only once they stand in their field."""
    if secret and isinstance(text, str) and len(text) > 2:
        ctx.recorder.redactor.add_secret(text)


def _quoted(text: str) -> str:
    """As it is, with its spaces, tabs and returns, on one line."""
    return repr(text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…")


def check_typable(text: str, verb: str = "type()") -> None:
    """Raise `ConfigError` for what is no text, and for a character that no keyboard types: controls but tab and return,
    half of a pair."""
    arguments.text(text, verb)
    for at, letter in enumerate(text, 1):
        kind = unicodedata.category(letter)
        if kind == "Cs" or (kind == "Cc" and letter not in "\t\n") or ord(letter) & 0xFFFE == 0xFFFE:
            raise ConfigError(
                f"character {at} of the text can't be typed: U+{ord(letter):04X}",
                seen="half of a surrogate pair" if kind == "Cs" else "a character that no keyboard has",
                likely="the text was decoded wrongly, or holds the line ends of another system",
                cure=r"\n is the return key, \t the tab; leave all other controls out; nothing was sent",
            )


# The focus


def focused_field(snapshot: Snapshot, target: Target | None = None) -> Node:
    """The field that gets what is typed; raises `ActionRefused`, naming what has the focus, where there is none, where
    it is not `target`, or where another window is in front of it."""
    need_awake(snapshot, "type")
    fields = typed_into(snapshot)
    meant = [node for found in images.seek(snapshot, target) for node in with_inside(found)] if target else fields
    field = next((node for node in fields if node in meant), None)
    window = _in_front_of(field, snapshot) if field is not None else None
    if field is not None and window is None:
        return field
    holder = next((node for node in snapshot.nodes if node.has(NodeState.FOCUSED)), None)
    seen = f"the focus is on {holder}" if holder else "nothing has the focus"
    front = window.app if window is not None else snapshot.app.id
    raise ActionRefused(
        f"{target} has not got the focus" if target is not None else "typing needs a focused text field",
        seen=f"{_titled(window)} is in front of {field}" if window is not None else seen,
        likely="the field was not touched, or lost its focus" if window is None else f"{front} came to the front",
        cure='device.find(id="…").fill("…") focuses the field first; nothing was typed',
    )


def _in_front_of(field: Node, snapshot: Snapshot) -> Window | None:
    """The window that gets the keys in the field's place."""
    own, front = field.window, snapshot.app.id
    others = [window for window in snapshot.windows if window.focused and window.kind not in _BESIDE]
    if own in others or own.focused:
        return None
    if others:
        return others[-1]
    if front and own.app and front != own.app:
        return next((window for window in snapshot.windows if window.app == front), Window(0, front))
    return None


def _titled(window: Window) -> str:
    return f"{window.title!r} ({window.kind} of {window.app})" if window.title else f"a {window.kind} of {window.app}"


def typed_into(snapshot: Snapshot | None) -> list[Node]:
    """The fields that get what is typed: those with the focus, hardly ever more than one."""
    nodes = snapshot.nodes if snapshot is not None else ()
    return [node for node in nodes if node.has(NodeState.FOCUSED) and node.has(NodeState.EDITABLE)]


def with_inside(node: Node) -> Iterator[Node]:
    yield node
    yield from node.descendants


# Reading back


class _ReadBack:
    """Looks at the field until it shows what was typed, or the time-out for checks is over."""

    def __init__(self, ctx: Context, before: Snapshot, field: Node, text: str, hidden: bool) -> None:
        self._ctx, self._before, self._field, self._text, self._hidden = ctx, before, field, text, hidden
        self.error: ApexError | None = None
        self.cut = False

    def look(self, after: Snapshot) -> str:
        """What there is to note; sets `error` to what has to be raised."""
        clock = self._ctx.backend.clock
        started = clock.now()
        while True:
            note, self.error = self._ask(after)
            waited = clock.now() - started
            if not isinstance(self.error, TextLost) or waited >= self._ctx.settings.timeouts.check:
                return note if self.error is None else self.error.tried
            clock.sleep(pause(waited))
            after = self._ctx.eyes.look()

    def _ask(self, after: Snapshot) -> tuple[str, ApexError | None]:
        now, came = _same(self._field, after), _came_up(self._before, after)
        if now is None:
            return ("it was not read back: the field is gone", None) if came is None else self._interrupted(came, None)
        field, password = self._field, self._field.has(NodeState.PASSWORD)
        found = arrival(self._text, now.text, field.text, password=password)
        if self._hidden and now.text:
            # Also what became of a secret is one.
            self._ctx.recorder.redactor.add_secret(now.text)
        if found.altered and not now.text and self._taken_elsewhere(after):
            return "the app took it out of the field at once", None
        missing = found.kept is not None and found.kept < len(self._text)
        if "\t" in self._text and (missing or found.altered) and self._tabbed(now, after):
            return "the tab moved the focus on, and what follows it stands in the next field", None
        if missing and self._went_on(now, after):
            return "the app moved the focus on from field to field", None
        # A list of suggestions comes up beside the field, and takes nothing from it.
        took = came is not None and (came.focused or not now.has(NodeState.FOCUSED))
        if came is not None and took and (missing or found.altered):
            return self._interrupted(came, found.kept)
        if found.altered or (missing and not now.has(NodeState.FOCUSED)):
            return "", self._lost(found, now)
        self.cut = missing
        return found.note, None

    def _taken_elsewhere(self, after: Snapshot) -> bool:
        """Whether what was typed stands in another control now, as with a field that makes tags."""
        word = self._text.strip(" ,;\t\n")
        return bool(word) and any(word in node.text for node in after.nodes if not node.has(NodeState.EDITABLE)) and (
            not any(word in node.text for node in self._before.nodes)
        )  # fmt: skip

    def _went_on(self, now: Node, after: Snapshot) -> bool:
        """Whether the rest stands in the fields that follow, as with a code that has a field for each digit."""
        fields = [node for node in after.nodes if node.has(NodeState.EDITABLE) and node.index >= now.index]
        texts = [node.text for node in fields]
        return any("".join(texts[:count]) == self._text for count in range(2, len(texts) + 1))

    def _tabbed(self, now: Node, after: Snapshot) -> bool:
        """Whether each tab moved the focus to the next field: what is before the first one stands in this field, all
        else in fields that follow, in order."""
        first, *rest = self._text.split("\t")
        later = [node for node in self._before.nodes
                 if node.has(NodeState.EDITABLE) and node.index > self._field.index]  # fmt: skip
        shown = iter([(node, same) for node in later if (same := _same(node, after)) is not None])
        return _holds(first, now, self._field) and all(
            any(_holds(part, there, was) for was, there in shown) for part in rest if part
        )

    def _interrupted(self, came: Window, kept: int | None) -> tuple[str, ApexError]:
        much = "how much of it arrived can't be told" if kept is None else f"{kept} of {len(self._text)} arrived"
        error = TargetObscured(
            f"typing into {self._field.name or 'the field'} was interrupted: {much}",
            seen=f"{_titled(came)} came up meanwhile",
            likely="it took the focus from the field",
            cure=f"deal with it first, then fill the field; {_NEVER_AGAIN}",
        )
        tree = self._ctx.eyes.last.tree if self._ctx.eyes.last is not None else self._before.tree
        top = next((at for at, number in enumerate(tree.window_of) if tree.windows[number] == came), None)
        by = tree.node(top) if top is not None else None
        error.obscured = Obscured(self._field, "covered", by, "close what came up")
        return "", error

    def _lost(self, found: Arrival, now: Node) -> TextLost:
        told = found.places if self._hidden else found.differences
        if not told:
            told = f"{found.kept} of {len(self._text)} characters arrived, and the field has lost its focus"
        shown = "" if self._hidden else f"; the field shows {_quoted(now.text)}"
        return TextLost(
            f"what was typed into {self._field.name or 'the field'} arrived otherwise: {told}",
            seen=f"{len(self._text)} characters were sent{shown}",
            likely="characters got lost or changed on the way: a slow device, or a keyboard that corrects",
            cure=f"switch autocorrection off, and type into a field that is at rest; {_NEVER_AGAIN}",
        )


def _holds(text: str, now: Node, before: Node) -> bool:
    """Whether all of a text arrived in a field. One that shows nothing of a password has at least the focus then."""
    found = arrival(text, now.text, before.text, password=now.has(NodeState.PASSWORD))
    return not found.altered and (found.kept == len(text) or (found.kept is None and now.has(NodeState.FOCUSED)))


def _same(field: Node, after: Snapshot) -> Node | None:
    """The same field in a later look, if it can be seen."""
    partner = match(field.tree, after.tree).to[field.index]
    node = after.tree.node(partner) if partner >= 0 else None
    return node if node is not None and node.visible and node.has(NodeState.EDITABLE) else None


def _came_up(before: Snapshot, after: Snapshot) -> Window | None:
    """The topmost window that was not there."""
    known = {(window.app, window.kind, window.title) for window in before.windows}
    came = [
        window
        for window in after.windows
        if window.kind not in _BESIDE and (window.app, window.kind, window.title) not in known
    ]
    return came[-1] if came else None
