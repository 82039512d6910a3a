"""Setting switches, check boxes and fields, aimed at by themselves or by the label of their row."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pytest_apex.backends.abilities import DoesActions
from pytest_apex.device import arguments
from pytest_apex.device.acting import act, find, selecting, touching
from pytest_apex.device.acting.act import Words
from pytest_apex.device.acting.place import need_awake
from pytest_apex.device.context import Context
from pytest_apex.device.doors import door
from pytest_apex.errors import ActionRefused, CapabilityMissing
from pytest_apex.hierarchy import query
from pytest_apex.hierarchy.beside import controls_of
from pytest_apex.hierarchy.names import in_words
from pytest_apex.model.action import Secondary, Tap
from pytest_apex.model.node import Node, NodeState
from pytest_apex.model.step import Step
from pytest_apex.model.target import By, Pinned, Target

#: Roles that are on or off, whether or not the platform says so of the control.
CHECKABLE_ROLES = frozenset({"switch", "checkbox", "radio"})
_SET_BY_MOVING = frozenset({"slider", "picker", "stepper"})


@dataclass(frozen=True)
class Meant:
    """The control that a target means, as a target of its own; `note` says how it came from the label."""

    node: Node
    target: Target
    note: str = ""


@dataclass(frozen=True)
class _Kind:
    """What can be set, in words; `aim` finds one by itself, `verbs` set it."""

    fits: Callable[[Node], bool]
    words: str
    aim: str
    verbs: str


def _is_checkable(node: Node) -> bool:
    return node.has(NodeState.CHECKABLE) or node.role in CHECKABLE_ROLES


def _has_value(node: Node) -> bool:
    return node.has(NodeState.EDITABLE) or node.role in _SET_BY_MOVING or node.role == "text_field"


_SWITCH = _Kind(
    _is_checkable, "a switch, check box or radio button", 'find(role="switch", within=…)', "check() or uncheck()"
)
_FIELD = _Kind(_has_value, "a text field, slider or picker", 'find(role="text_field", within=…)', "set_value(…)")


def set_checked(ctx: Context, target: Target, wanted: bool, words: Words) -> Step | None:
    """Switch it on or off by one tap; None when it is so already."""
    meant = _meant(ctx, target, _SWITCH, _FIELD)
    if meant.node.has(NodeState.CHECKED) == wanted:
        return None
    if selecting.by_remote(ctx):
        return selecting.select(ctx, meant.target, words=words, note=meant.note, repeat=False)
    return touching.touch(
        ctx,
        meant.target,
        lambda at: Tap(at.point),
        verb="tap",
        named=f"tap {meant.target}",
        words=words,
        repeat=False,
        note=meant.note,
    )


def do_action(ctx: Context, target: Target, name: str, words: Words) -> Step:
    """A secondary action of a control, or of the control that takes the touches on it."""
    arguments.text(name, "do()", empty=False)
    doer = door(ctx, DoesActions, "secondary_actions", f"do {name!r}, an action that a control offers")
    found = touching.wait_ready(ctx, target)
    need_awake(found.before.snapshot, f"do {name!r}")
    label = found.hit.node
    node = next((node for node in (label, query.touchable(label)) if name in node.actions), None)
    if node is None:
        offered = dict.fromkeys((*label.actions, *query.touchable(label).actions))
        raise ActionRefused(
            f"{target} offers no action {name!r}",
            seen=f"it offers: {', '.join(offered)}" if offered else f"{label} offers none at all",
            likely="another name, or another control",
            cure="device.state() lists the actions of each control; nothing was sent",
        )
    return act.send(
        ctx,
        "secondary_action",
        lambda: doer.do_action(node, name),
        named=f"do {name!r} on {target}",
        action=Secondary(name),
        target=target,
        words=words,
        note=found.note,
        before=found.before,
        hit=found.hit,
    )


def field_of(ctx: Context, target: Target) -> Meant:
    """The text field to be filled. A slider, picker or stepper is refused with `CapabilityMissing`: no backend can set
    one to a value."""
    meant = _meant(ctx, target, _FIELD, _SWITCH)
    if meant.node.role in _SET_BY_MOVING and not meant.node.has(NodeState.EDITABLE):
        raise CapabilityMissing(
            f"{ctx.info} can't set a {meant.node.role} to a value",
            seen=str(meant.node),
            likely=f"{ctx.backend.name} has no way to do it but with a finger",
            cure="move it: device.find(…).drag_to(…), swipe(…), or tap what steps it",
        )
    return meant


def _meant(ctx: Context, target: Target, wanted: _Kind, other: _Kind) -> Meant:
    found = touching.wait_ready(ctx, target)
    label = found.hit.node
    if wanted.fits(label):
        return Meant(label, target)
    controls = controls_of(label, wanted.fits)
    if not controls:
        beside = controls_of(label, other.fits)
        raise ActionRefused(
            f"{target} is no {wanted.words.removeprefix('a ')}, and none is in its row",
            seen=str(label) + (f"; in its row: {', '.join(map(str, beside))}" if beside else ""),
            likely="another verb is meant" if beside else "the label is not the one of the control that is meant",
            cure=f"{other.verbs} for {other.words}" if beside else f"aim at the control itself: {wanted.aim}",
        )
    if len(controls) > 1:
        error = find.ambiguous(target, controls)
        error.tried = f"{len(controls)} controls are in the row of {target}: which one is meant?"
        error.likely = f"the row has more than one that is {wanted.words}"
        raise error
    named = in_words(controls[0])
    pinned = Pinned(found.before.snapshot, controls[0].index, f"{named} beside {target}")
    return Meant(controls[0], Target((By("control", pinned),)), f"{named}: the one in the row of {target}")
