"""From what a test asked for to exactly one control, and to the place where a finger reaches it."""

from __future__ import annotations

from dataclasses import replace

from pytest_apex.device.acting import images
from pytest_apex.errors import (
    ConfigError,
    TargetAmbiguous,
    TargetDisabled,
    TargetNotFound,
    TargetObscured,
    TargetOffScreen,
    TargetProblem,
    TargetStale,
)
from pytest_apex.hierarchy import hit, query
from pytest_apex.hierarchy.names import shown_id
from pytest_apex.hierarchy.same import find_again
from pytest_apex.model.geometry import Point
from pytest_apex.model.look import Hit, Obscured
from pytest_apex.model.node import Node, NodeState
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.model.target import Pinned, Target


def find_one(snapshot: Snapshot, target: Target) -> Node:
    """The one control that fits; `TargetNotFound` with near misses, or `TargetAmbiguous` with candidates."""
    need_on_screen(snapshot, target)
    found = images.seek(snapshot, target)
    if len(found) == 1:
        return found[0]
    if not found:
        raise missing(target, snapshot)
    raise _twice_named(ambiguous(target, found), target, found, snapshot)


def _twice_named(error: TargetAmbiguous, target: Target, found: list[Node], snapshot: Snapshot) -> TargetAmbiguous:
    """Where the manual's name is the word that another control shows, that is the cause."""
    word = next((by.value for by in target.by if by.kind == "text"), None)
    named = target.names.called(snapshot, word) if target.names is not None and isinstance(word, str) else ()
    if any(node in named for node in found) and not all(node in named for node in found):
        error.likely = f"the app's manual calls {named[0]} so, and another control shows the word"
        error.cure = "say which: id=…, role=…, within=…; or give the control another name in the manual"
    return error


def missing(target: Target, snapshot: Snapshot) -> TargetNotFound | TargetStale:
    """Why nothing fits: `TargetStale` for a control of an earlier look that is gone or means something else now."""
    stale = _stale(target, snapshot)
    return stale if stale is not None else not_found(target, snapshot)


def _stale(target: Target, snapshot: Snapshot) -> TargetStale | None:
    place: Target | None = target
    while place is not None:
        for by in place.by:
            why = find_again(by.value, snapshot) if isinstance(by.value, Pinned) else ""
            if why and isinstance(why, str):
                error = TargetStale(
                    f"{target} is not what it was when it was read",
                    seen=why,
                    likely="the screen has changed since",
                    cure="read device.state() again, or name the control: device.find(…)",
                )
                error.target = target
                return error
        place = place.within
    return None


def need_on_screen(snapshot: Snapshot, target: Target) -> None:
    """Raise `ConfigError` for a point that no control of this screen can have."""
    for by in target.by:
        if isinstance(by.value, Point) and not snapshot.screen.bounds.contains(by.value):
            raise ConfigError(
                f"the point {by.value} lies outside of the screen",
                seen=f"the screen is {snapshot.screen.size}",
                cure="coordinates are those of the tree: pixels on Android, points on Apple's platforms",
            )


def not_found(target: Target, snapshot: Snapshot) -> TargetNotFound:
    unseen = tuple(query.find_unseen(snapshot, target)[:3])
    elsewhere = () if unseen else _elsewhere(target, snapshot)
    near = () if elsewhere else unseen or tuple(query.near_misses(snapshot, target))
    where = f" on the screen of {snapshot.app.id}" if snapshot.app.id else ""
    named = [node for node in snapshot.nodes if node.visible and node.name and not _is_frame(node)]
    shown = elsewhere or near or tuple(named[:4])
    more = len(named) - len(shown)
    others = ", ".join(str(node) for node in shown)
    error = TargetNotFound(
        f"no control fits {target}{where}",
        seen=f"{others}{f', {more} more' if more > 0 else ''}" if others else "a screen without any named control",
        likely=_likely(target, elsewhere, near, snapshot),
        cure=_cure(near, snapshot),
    )
    error.target = target
    # One that fits and is hidden is right as a word: it is the app that does not show it, unless scrolling does.
    error.near_misses = tuple(node for node in near if node.visible or _scrolled_away(node, snapshot))
    return error


def ended_by(error: TargetProblem, swipes: int) -> TargetProblem:
    """The same error, saying that a search ended after so many swipes and not with the content; 0: it did not."""
    if swipes:
        error.because = f"the test's limit of {swipes} swipe{'s'[: swipes - 1]} ended the search before the content did"
        error.likely, error.cure = error.because, f"scroll_into_view(max_swipes={5 * swipes}) looks further down"
    return error


def _scrolled_away(node: Node, snapshot: Snapshot) -> bool:
    return _unseen(node, snapshot).how.startswith("scroll")


def _is_frame(node: Node) -> bool:
    """Status bars, and the app's own node, which bears its name."""
    return node.window.kind == "status_bar" or node.role == "application"


def _elsewhere(target: Target, snapshot: Snapshot) -> tuple[Node, ...]:
    """Controls that fit but for the place or number asked for: no near miss, the word is right."""
    if target.within is None and target.nth is None:
        return ()
    return tuple(images.seek(snapshot, replace(target, within=None, nth=None))[:4])


def _likely(target: Target, elsewhere: tuple[Node, ...], near: tuple[Node, ...], snapshot: Snapshot) -> str:
    if not snapshot.screen.awake:
        return "the screen is off: what lies under it may not be in the tree"
    word = next((by.value for by in target.by if by.kind == "text" and isinstance(by.value, str)), "")
    known = target.names.tells(snapshot, word) if target.names is not None and word and not elsewhere else ""
    if known:
        return known
    if elsewhere:
        place = f"not within {target.within}" if target.within is not None else "there are fewer of them"
        return f"it is on the screen, but {place}"
    if near and not near[0].visible:
        off = " (it is off the screen)" if _unseen(near[0], snapshot).why == "off_screen" else ""
        return f"{near[0]} is in the tree, but not visible{off}"
    if near:
        return f"the control is called {near[0].name!r}, or another screen is shown than expected"
    if len(snapshot.tree) <= 1:
        return "the tree is nearly empty: the app shows nothing, or the driver can't see it"
    return "another screen is shown than expected, or the control is missing"


def _cure(near: tuple[Node, ...], snapshot: Snapshot) -> str:
    if not snapshot.screen.awake:
        return "device.wake() switches it on"
    if near and near[0].visible:
        return f"use {near[0].name!r}, or look at device.state()"
    if near:
        unseen = _unseen(near[0], snapshot)
        return f"{unseen.how}: device.scroll_to(…)" if unseen.how.startswith("scroll") else unseen.how
    scrolls = any(node.visible and node.has(NodeState.SCROLLABLE) for node in snapshot.nodes)
    return "device.state() lists what is there" + ("; device.scroll_to(…) looks further down" if scrolls else "")


def _unseen(node: Node, snapshot: Snapshot) -> Obscured:
    """Why a control that is not visible is not, and how to reach it."""
    answer = hit.find_hit(snapshot, node)
    return (
        answer if isinstance(answer, Obscured) else Obscured(node, "hidden", how="device.state() lists what is there")
    )


def ambiguous(target: Target, found: list[Node]) -> TargetAmbiguous:
    listed = "\n".join(f"{number}: {node} {shown_id(node)}".rstrip() for number, node in enumerate(found[:8]))
    more = f"\nand {len(found) - 8} more" if len(found) > 8 else ""
    error = TargetAmbiguous(
        f"{len(found)} controls fit {target}",
        seen=listed + more,
        likely="the same words stand in more than one place",
        cure="say which: id=…, role=…, within=…, or nth=0",
    )
    error.target, error.candidates = target, tuple(found)
    return error


def reach(snapshot: Snapshot, node: Node, target: Target) -> Hit:
    """Where a finger reaches `node`; raises `TargetObscured` or `TargetOffScreen`."""
    answer = hit.find_hit(snapshot, node)
    if isinstance(answer, Hit):
        return answer
    raise obscured(answer, target)


def obscured(answer: Obscured, target: Target) -> TargetObscured:
    kind = TargetOffScreen if answer.why in ("off_screen", "no_area", "hidden") else TargetObscured
    cover = answer.by
    error = kind(
        f"{target} can't be reached",
        seen=str(answer) + (f", window {cover.window.title or cover.window.kind!r}" if cover is not None else ""),
        likely=_cover_cause(answer),
        cure=answer.how or "wait for what covers it to go, or close it first",
    )
    error.target, error.obscured = target, answer
    return error


def _cover_cause(answer: Obscured) -> str:
    if answer.by is None:
        return f"it is {answer.why.replace('_', ' ')}"
    if answer.by.window.app != answer.node.window.app:
        return f"a window of {answer.by.window.app} lies over the app"
    return "another control of the app lies over it and takes the touch"


def need_enabled(snapshot: Snapshot, node: Node, target: Target) -> None:
    """Raise `TargetDisabled` for a disabled control, naming the incomplete field that explains it."""
    if node.enabled:
        return
    field = query.incomplete_field(snapshot, node)
    error = TargetDisabled(
        f"{target} is disabled",
        seen=str(node),
        likely=f"the form is incomplete: {field}" if field is not None else "the app keeps it disabled",
        cure="complete the form first" if field is not None else "check what enables it: expect(…).to_be_enabled()",
    )
    error.target, error.because = target, str(field) if field is not None else ""
    raise error
