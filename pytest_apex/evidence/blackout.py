"""Which controls of a snapshot show a secret, and the snapshot without it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from pytest_apex.evidence.plain import MASK
from pytest_apex.model.geometry import Rect
from pytest_apex.model.node import NodeState
from pytest_apex.model.snapshot import Picture, Snapshot, Tree

#: How many characters of a secret a field must show to be taken for one that is being typed into.
_HALF_TYPED = 4


@dataclass(frozen=True)
class SecretRows:
    """Rows of a tree. `sealed` hold a secret as a whole, so that not even its length is told; `boxed` are to be blacked
    out in the picture."""

    sealed: frozenset[int]
    boxed: frozenset[int]


def secret_rows(tree: Tree, mask: Callable[[str], str], fields: frozenset[str], secrets: frozenset[str]) -> SecretRows:
    """The rows of `tree` that show a secret. `mask` masks a text; `fields` are identifiers or labels of fields that a
    secret was typed into."""
    sealed, boxed = set(), set()
    for row, states in enumerate(tree.states):
        named = fields and not fields.isdisjoint((tree.identifiers[row], tree.labels[row], tree.hints[row]))
        if not (states & NodeState.PASSWORD or named or _half_typed(tree, row, secrets)):
            continue
        sealed.add(row)
        # A field with the focus may have got a character between tree and picture.
        if tree.texts[row] or tree.values[row] or states & NodeState.FOCUSED:
            boxed.add(row)
    for column in (tree.texts, tree.labels, tree.values, tree.hints):
        boxed.update(row for row, text in enumerate(column) if text and mask(text) != text)
    return SecretRows(frozenset(sealed), frozenset(boxed))


def _half_typed(tree: Tree, row: int, secrets: frozenset[str]) -> bool:
    text = tree.texts[row]
    if len(text) < _HALF_TYPED or not tree.states[row] & NodeState.EDITABLE:
        return False
    return any(secret.startswith(text) for secret in secrets)


def mask_texts(snapshot: Snapshot, mask: Callable[[str], str], sealed: frozenset[int]) -> Snapshot:
    """`snapshot` with the texts of its tree, windows and app masked; the same object when there is nothing to mask."""
    tree = snapshot.tree
    columns = {
        "texts": _column(tree.texts, mask, sealed),
        "labels": _column(tree.labels, mask),
        "identifiers": _column(tree.identifiers, mask),
        "values": _column(tree.values, mask, sealed),
        "hints": _column(tree.hints, mask),
    }
    changed = {name: column for name, column in columns.items() if column is not getattr(tree, name)}
    windows = tuple(
        replace(window, title=mask(window.title), activity=mask(window.activity)) for window in tree.windows
    )
    actions = {row: tuple(mask(action) for action in names) for row, names in tree.actions.items()}
    app = replace(snapshot.app, label=mask(snapshot.app.label), activity=mask(snapshot.app.activity))
    notes = tuple(mask(note) for note in snapshot.notes)
    same_tree = not changed and windows == tree.windows and actions == dict(tree.actions)
    if same_tree and app == snapshot.app and notes == snapshot.notes:
        return snapshot
    raw = _raw(tree, mask, sealed)
    hidden = replace(tree, **changed, windows=windows, actions=actions, raw=raw)  # type: ignore[arg-type]
    return replace(snapshot, tree=hidden, app=app, notes=notes)


def _column(
    column: tuple[str, ...], mask: Callable[[str], str], sealed: frozenset[int] = frozenset()
) -> tuple[str, ...]:
    masked = tuple(MASK if text and row in sealed else mask(text) for row, text in enumerate(column))
    return column if masked == column else masked


def _raw(tree: Tree, mask: Callable[[str], str], sealed: frozenset[int]) -> Callable[[int], Mapping[str, str]]:
    """The platform's own attributes, masked when someone asks."""

    def raw(row: int) -> Mapping[str, str]:
        shown = {tree.texts[row], tree.values[row]} - {""} if row in sealed else set()
        return {name: MASK if value in shown else mask(value) for name, value in tree.raw(row).items()}

    return raw


def black_out(snapshot: Snapshot, boxes: Sequence[Rect]) -> Snapshot:
    """`snapshot` with `boxes` (units of the tree) black in its picture; each is one pixel larger at every edge, since
    edges need not fall on pixels."""
    if snapshot.picture is None or not boxes:
        return snapshot
    from pytest_apex.vision.mask import black_out as fill  # loads Pillow: only when there is something to hide

    pixels = [box.scaled(snapshot.screen.scale).grown(1) for box in boxes]
    return replace(snapshot, picture=fill(snapshot.picture, pixels))


def hatch(snapshot: Snapshot, boxes: Sequence[Rect]) -> Snapshot:
    """The same for a picture that is to be judged: striped, so that a screen with a secret is taken neither for an
    empty one nor for one whose texts are missing. A box of one colour shows nothing, and stays."""
    if snapshot.picture is None or not boxes:
        return snapshot
    from pytest_apex.vision.mask import black_out as fill  # loads Pillow: only when there is something to hide

    pixels = [box.scaled(snapshot.screen.scale) for box in boxes]
    shown = [box.grown(1) for box in pixels if not _of_one_color(snapshot.picture, box)]
    painted = fill(snapshot.picture, shown, striped=True)
    return snapshot if painted is snapshot.picture else replace(snapshot, picture=painted)


def _of_one_color(picture: Picture, box: Rect) -> bool:
    from pytest_apex.vision import ink

    found = ink.ground_of(picture, box)
    return found is None or not ink.differs(picture, box, found[0], by=0)
