"""Trees that uiautomator2's server cuts by itself, or has no stack for; over a real adb."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pytest_apex.backends.uiautomator2.backend import Uiautomator2Backend
from pytest_apex.backends.uiautomator2.connecting import connect
from pytest_apex.backends.uiautomator2.rpc import RpcError
from pytest_apex.model.geometry import Rect
from pytest_apex.model.snapshot import TreeBuilder, Window
from pytest_apex.phone_wires.serve import Served
from pytest_apex.settings import Settings

from .android import APP

pytestmark = pytest.mark.bench


@pytest.fixture
def backend(served: Served) -> Iterator[Uiautomator2Backend]:
    made = connect(served.serial, Settings())
    yield made
    made.close()


def test_a_screen_that_is_deep_is_seen_whole(
    backend: Uiautomator2Backend, served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    builder = TreeBuilder()
    builder.window(Window(0, APP, bounds=Rect(0, 0, 540, 1200), focused=True))
    for number in range(200):  # uiautomator2 cuts at 50 by itself
        builder.open("group", (0, 0, 540, 1200), class_name="android.widget.FrameLayout", text=f"level {number}")
    deep = builder.build()
    with served.pace.held() as phone:
        monkeypatch.setattr(phone, "tree", lambda: deep)
    assert "level 199" in {node.text for node in backend.capture().nodes}


@pytest.mark.parametrize(("fails", "depth"), [(1, 120), (2, 50)])
def test_where_the_server_has_no_stack_for_it_the_tree_is_cut_and_that_is_said(
    backend: Uiautomator2Backend, monkeypatch: pytest.MonkeyPatch, fails: int, depth: int
) -> None:
    look, asked = backend._connection.channel.look, []

    def short(method: str, *params: object, timeout: float) -> object:
        if method == "dumpWindowHierarchy":
            asked.append(params[1])
            if len(asked) <= fails:
                raise RpcError(method, -32001, "java.lang.StackOverflowError: stack size 8MB")
        return look(method, *params, timeout=timeout)

    monkeypatch.setattr(backend._connection.channel, "look", short)
    seen = backend.capture()
    assert len(seen) > 0
    assert asked[-1] == depth
    assert f"the tree is cut at a depth of {depth}: the server can't go deeper" in seen.notes
    backend.capture()
    assert asked[-2:] == [depth, depth]  # it is not tried again
