"""Calls with a selector: whether it is there, what it says, its text."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

from pytest_apex.model.node import NodeState
from pytest_apex.phone_wires.uiautomator import fingers, selectors
from pytest_apex.phone_wires.uiautomator.calls import Context, RpcError, call, whole
from pytest_apex.phone_wires.uiautomator.nodes import Seen
from pytest_apex.phone_wires.uiautomator.touch_calls import MOST_WAIT_S, play

_NUMBERS = itertools.count(1)


@call("exist")
def exist(context: Context, given: Any) -> bool:
    selector = context.selector(given)
    return context.look(selector) is not None


@call("waitForExists")
def wait_forexist(context: Context, given: Any, timeout: Any) -> bool:
    return _wait(context, given, timeout, there=True)


@call("waitUntilGone")
def wait_until_gone(context: Context, given: Any, timeout: Any) -> bool:
    return _wait(context, given, timeout, there=False)


def _wait(context: Context, given: Any, timeout: Any, *, there: bool) -> bool:
    selector = context.selector(given)
    context.look(selector)
    limit = min(MOST_WAIT_S, whole(timeout) / 1000)
    return context.handset.pace.wait(
        lambda phone: (selectors.find(phone, selector) is not None) is there, limit, context.gone
    )


@call("objInfo")
def obj_info(context: Context, given: Any) -> dict[str, Any]:
    return selectors.info(context.must_find(given))


@call("count")
def count(context: Context, given: Any) -> int:
    return len(_all(context, given))


@call("objInfoOfAllInstances")
def obj_info_of_all(context: Context, given: Any) -> list[dict[str, Any]]:
    return [selectors.info(seen) for seen in _all(context, given)]


def _all(context: Context, given: Any) -> list[Seen]:
    selector = context.selector(given)
    return list(context.ask(lambda phone: selectors.find_all(phone, selector)))


@call("getText")
def get_text(context: Context, given: Any) -> str:
    return context.must_find(given).text


@call("setText")
def set_text(context: Context, given: Any, text: Any) -> bool:
    """A tap into the field, and its text is replaced at once. Anything but a field takes none."""
    seen = context.must_find(given)
    if not seen.node.has(NodeState.FOCUSED):
        play(context, fingers.press(*seen.center, 0))
    return context.ask(lambda phone: phone.edit_text(lambda _old: str(text)))


@call("clearTextField")
def clear_text_field(context: Context, given: Any) -> None:
    set_text(context, given, "")


@call("getUiObject")
def get_ui_object(context: Context, given: Any) -> str:
    selector = context.selector(given)
    name = f"00000000-0000-4000-8000-{next(_NUMBERS):012x}"
    kept = context.handset.server.objects
    kept[name] = selector
    if len(kept) > 1000:
        kept.pop(next(iter(kept)))
    return name


@call("removeUiObject")
def remove_ui_object(context: Context, name: Any) -> None:
    context.handset.server.objects.pop(str(name), None)


@call("childByText")
def child_by_text(context: Context, outer: Any, inner: Any, text: Any, *_scroll: Any) -> str:
    return _child(context, outer, inner, {"text": str(text)})


@call("childByDescription")
def child_by_description(context: Context, outer: Any, inner: Any, text: Any, *_scroll: Any) -> str:
    return _child(context, outer, inner, {"description": str(text)})


@call("childByInstance")
def child_by_instance(context: Context, outer: Any, inner: Any, number: Any) -> str:
    return _child(context, outer, inner, {"instance": whole(number)})


def _child(context: Context, outer: Any, inner: Any, more: Mapping[str, Any]) -> str:
    around, wanted = context.selector(outer), context.selector(inner)
    kinds, chain = list(around.get("childOrSibling", ())), list(around.get("childOrSiblingSelector", ()))
    selector = {
        **around,
        "childOrSibling": [*kinds, "child"],
        "childOrSiblingSelector": [*chain, {**wanted, **more}],
    }
    if not exist(context, selector):
        raise RpcError("androidx.test.uiautomator.UiObjectNotFoundException", str(selector))
    return get_ui_object(context, selector)
