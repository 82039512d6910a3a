"""The guard in the walk of an act: what is about to be sent is checked against what can't be undone, and refused or put
on record before anything reaches the device."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pytest_apex.device.context import Context
from pytest_apex.device.looking.known import OnScreen
from pytest_apex.errors import ActionRefused
from pytest_apex.hierarchy.around import touchable
from pytest_apex.hierarchy.at_point import smallest_at, taker_at, window_at
from pytest_apex.hierarchy.names import short_id
from pytest_apex.model.action import Action, Press, Remote, Secondary, Track, TypeText
from pytest_apex.model.geometry import Point, Rect
from pytest_apex.model.manual import Irreversible, Tier, key_combination
from pytest_apex.model.node import Node, NodeState
from pytest_apex.model.snapshot import Snapshot, Window
from pytest_apex.verify.critical import critical_here
from pytest_apex.verify.guard import destructive_word_in, warning_word
from pytest_apex.verify.irreversible import ANY_KEY, Act, Leave, Listed, Spot, caught, is_allowed

#: Keys that do what a touch on the control with the focus does.
_ACTIVATE = frozenset({"enter", "select", "center", "space"})
#: What the return key of an on-screen keyboard is called, besides `enter` and `return`.
_RETURN_KEYS = frozenset({"send", "go", "search", "done", "join", "continue", "route", "next", "⏎", "↵"})
#: Acts whose control may be warned about: they do what it is for.
_TOUCHES = frozenset({"tap", "double_tap", "long_press"})
#: Letters of a typed text that are keys of their own.
_TYPED = (("\n", ("enter",)), ("\t", ("tab",)))


@dataclass(frozen=True, slots=True)
class Permit:
    """An act that may be sent. `allowed` is what of it can't be undone, each with who allowed it; `word` is one that
    makes its control look like that; `boxes` are the places on the screen that a hand must not slip into, nor out of.
    """

    allowed: tuple[tuple[Listed, str], ...] = ()
    word: str = ""
    boxes: tuple[Rect, ...] = ()

    @property
    def note(self) -> str:
        """For the record of the step."""
        told = [f"can't be undone: {item.name} ({item.tier}), allowed by {by}" for item, by in self.allowed]
        if self.word:
            told.append(f'the word "{self.word}" on it says that it may not be undone')
        return "; ".join(told)

    def kept(self, area: Rect | None, point: Point) -> Rect | None:
        """The part of an area where a touch meant for `point` is in the same boxes as that point."""
        for box in self.boxes if area is not None else ():
            if area is None:
                return None
            if box.contains(point):
                area = area.intersect(box)
            elif area.overlaps(box):
                area = _beside(area, box, point)
        return area


NOTHING = Permit()


def _beside(area: Rect, box: Rect, point: Point) -> Rect | None:
    """The largest part of the area left, right, above or below a box that holds the point; None if it is in neither."""
    left, top, right, bottom = area.left, area.top, area.right, area.bottom
    sides = (Rect(left, top, min(right, box.left), bottom), Rect(max(left, box.right), top, right, bottom),
             Rect(left, top, right, min(bottom, box.top)), Rect(left, max(top, box.bottom), right, bottom))  # fmt: skip
    return max((side for side in sides if side.contains(point)), key=lambda side: side.area, default=None)


def note(ctx: Context, permit: Permit) -> None:
    """What is done is on record for the end of the run."""
    ctx.undone.extend(item.name for item, _by in permit.allowed)
    ctx.suspicious.extend([permit.word] if permit.word else [])
    for item, by in permit.allowed:
        line = f"irreversible: {item.name} ({item.tier}) was done, allowed by {by}"
        if line not in ctx.notes:
            ctx.notes.append(line)


# Asking


def of_track(ctx: Context, snapshot: Snapshot, track: Track, *, named: str, purpose: str = "",
             node: Node | None = None) -> Permit:  # fmt: skip
    """A pointer gesture: what counts is where fingers come down and lift. `node` is what it is aimed at."""
    nodes = [node] if node is not None else []
    spots: list[Spot] = []
    keys: list[tuple[str, ...]] = []
    for point in _ends(track):
        window = window_at(snapshot, point)
        there = _taking(snapshot, point, window)
        spots.append(Spot(point, window.index if window is not None else -1))
        nodes.extend(there)
        keys.extend(_keys_at(there, window))
    act = Act(_once(nodes), tuple(spots), tuple(keys), purpose)
    return _decide(ctx, snapshot, act, named, node if track.verb in _TOUCHES else None)


def of_action(ctx: Context, snapshot: Snapshot, action: Action | None, *, named: str, purpose: str = "",
              node: Node | None = None) -> Permit:  # fmt: skip
    """An act without a pointer: text into `node`, a secondary action of it, a key for it; without `node` a key goes to
    what has the focus."""
    touched, word, hold_ms = None, "", 0
    keys: tuple[tuple[str, ...], ...] = ()
    match action:
        case Press(key=key):
            keys, hold_ms = (key_combination(key) or (key.casefold(),),), action.hold_ms
        case Remote(button=button):
            keys = (key_combination(button) or (button.casefold(),),)
        case TypeText(text=text):
            keys = tuple(key for letter, key in _TYPED if letter in text)
        case Secondary(name=name):
            touched, word = node, destructive_word_in(name, ctx.settings.touch.words)
    if node is None and isinstance(action, (Press, Remote)) and _ACTIVATE.intersection(keys[0]):
        touched = next((each for each in snapshot.nodes if each.has(NodeState.FOCUSED)), None)
    nodes = [each for each in (node, touched) if each is not None]
    return _decide(ctx, snapshot, Act(_once(nodes), (), keys, purpose), named, touched, word, hold_ms)


def of_key(ctx: Context, key: str, named: str) -> None:
    """A key that is pressed on the way of another act; raises `ActionRefused`."""
    note(ctx, of_action(ctx, ctx.settled or ctx.eyes.look(), Press(key), named=named))


def of_text(ctx: Context, text: str, named: str, purpose: str) -> None:
    """A text that is typed after other acts, such as the touch that gives the field the focus: what of it is refused is
    known before those. Raises `ActionRefused`."""
    if purpose or any(letter in text for letter, _key in _TYPED):
        of_action(ctx, ctx.settled or ctx.eyes.look(), TypeText(text), named=named, purpose=purpose)


def _decide(
    ctx: Context, snapshot: Snapshot, act: Act, named: str, touched: Node | None, word: str = "", hold_ms: int = 0
) -> Permit:
    """`touched` is the control whose words may be warned about, `word` one that warns already. Raises
    `ActionRefused`."""
    shown = ctx.known.on(snapshot)
    listed = [item for each in shown if each.manual.irreversible for item in _listed(ctx, each)]
    found = (*caught(act, listed), *critical_here(act.nodes, act.keys, hold_ms))
    leave = Leave(ctx.settings.touch.allow_here, ctx.settings.touch.allow)
    refused = [item for item in found if not is_allowed(item, leave)]
    if refused:
        ctx.recorder.event("refused", act=named, items=[item.name for item in refused])
        raise _refusal(named, refused, leave)
    if touched is not None and not word:
        word = warning_word(touched, ctx.settings.touch.words)
    if found or (word and touched is not None and any(_names(each, touched) for each in shown)):
        word = ""
    allowed = tuple((item, " and ".join(leave.given_by(item.name))) for item in found)
    return Permit(allowed, word, tuple(item.box for item in listed if item.box is not None))


def _refusal(named: str, refused: Sequence[Listed], leave: Leave) -> ActionRefused:
    first = max(refused, key=lambda item: list(Tier).index(item.tier))
    seen = "\n".join(f"{item.name} is {str(item.tier).replace('_', ' ')}: {item.where}" for item in refused)
    allowed = [f"{by} allows {', '.join(patterns)}" for by, patterns in (("the marker", leave.marker),
               ("--apex-allow", leave.option)) if patterns]  # fmt: skip
    return ActionRefused(
        f"{named} was refused: {first.name} can't be undone",
        seen="\n".join([seen, *allowed]),
        likely=_likely(refused, leave),
        cure=f"{_cure(first, refused)}; nothing was sent",
    )


def _likely(refused: Sequence[Listed], leave: Leave) -> str:
    if any(item.tier is Tier.HAND_OFF for item in refused):
        return "a person has to do this, whoever allows what"
    if all(leave.given_by(item.name) for item in refused):
        return "one leave alone is not enough for it"
    if leave.marker or leave.option:
        return "what is allowed is something else, or spelt otherwise"
    return "nobody has said that this test may do it"


def _cure(first: Listed, refused: Sequence[Listed]) -> str:
    if first.tier is Tier.HAND_OFF:
        return 'no tool does this: device.hand_over("what to do", until=device.find(…)) asks a person'
    marker = f"@pytest.mark.allow_irreversible({', '.join(repr(item.name) for item in refused)})"
    option = " ".join(f"--apex-allow {item.name!r}" for item in refused)
    if any(item.tier is Tier.CRITICAL for item in refused):
        return f"both are needed: {marker} and {option}"
    return f"{marker}, or {option}"


# What is on the screen


def _listed(ctx: Context, shown: OnScreen) -> Iterable[Listed]:
    for item in shown.manual.irreversible:
        yield from _stands(ctx, shown, item)


def _stands(ctx: Context, shown: OnScreen, item: Irreversible) -> Iterable[Listed]:
    """An entry of a manual as it stands on the screen; nothing where its app, or its control, is not there."""
    name, where = str(item), str(item.where)
    front = shown.app == shown.snapshot.app.id
    if item.what == "intent":
        if front or shown.app == ctx.watch.app:
            yield Listed(name, item.tier, where, intent=item.value)
    elif item.what == "key":
        if front:
            yield Listed(name, item.tier, where, keys=item.keys)
    elif item.what == "region":
        box = shown.box(item.region)
        if box is not None and shown.window is not None:
            yield Listed(name, item.tier, where, box=box, window=shown.window.index)
    else:
        control = shown.control(item.value)
        nodes = shown.all_nodes(control) if control is not None else ()
        box = shown.box(control.region) if control is not None and not nodes else None
        if nodes or box is not None:
            yield Listed(name, item.tier, where, nodes, box, shown.window.index if shown.window is not None else -1)


def _names(shown: OnScreen, touched: Node) -> bool:
    """Whether the manual has a name for the control: then it says what of it can't be undone."""
    return any(touched.is_inside(node) or touchable(touched) == touchable(node)
               for control in shown.manual.controls for node in shown.nodes(control))  # fmt: skip


# What takes a touch


def _ends(track: Track) -> list[Point]:
    ends = [sample for stroke in track.strokes for sample in (stroke.samples[0], stroke.samples[-1])]
    return list(dict.fromkeys(Point(sample.x, sample.y) for sample in ends))


def _once(nodes: Iterable[Node]) -> tuple[Node, ...]:
    return tuple(dict.fromkeys(nodes))


def _taking(snapshot: Snapshot, point: Point, window: Window | None) -> list[Node]:
    """What takes a touch at a point, and the smallest control there."""
    found = (taker_at(snapshot, point), smallest_at(snapshot, point, window) if window is not None else None)
    return [node for node in found if node is not None]


def _keys_at(there: Sequence[Node], window: Window | None) -> list[tuple[str, ...]]:
    """The keys of an on-screen keyboard that a touch presses."""
    on_keyboard = window is not None and window.kind == "keyboard"
    keys = [node for node in there if node.role == "key" or (_in_keyboard(node) and node.role == "button")]
    if not keys:
        return [ANY_KEY] if on_keyboard else []
    return [each for node in keys for each in _names_of_key(node)]


def _in_keyboard(node: Node) -> bool:
    return any(above.role == "keyboard" for above in node.ancestors)


def _names_of_key(node: Node) -> list[tuple[str, ...]]:
    """What a key of the screen's keyboard is called; the return key is `enter`, whatever it says."""
    names = [name.strip().casefold() for name in (node.label, node.text, short_id(node.identifier)) if name.strip()]
    combinations = [each for each in map(key_combination, names) if each]
    if any(name in _RETURN_KEYS or "ime_action" in name for name in names):
        combinations.append(("enter",))
    return combinations or [ANY_KEY]
