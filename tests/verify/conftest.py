"""Small builders for cases: a look at a screen, and one failure with what was seen around it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from PIL import Image, ImageDraw

from pytest_apex.evidence.cases import JudgedFailure, read_cases, write_cases
from pytest_apex.evidence.store import Store
from pytest_apex.model.case import Case, Failure, LastTouch
from pytest_apex.model.geometry import Insets, Rect, Size
from pytest_apex.model.look import Unsettled
from pytest_apex.model.node import NodeState
from pytest_apex.model.screen import Screen
from pytest_apex.model.snapshot import AppInFront, Picture, Snapshot, TreeBuilder, Window
from pytest_apex.model.verdict import Verdict
from pytest_apex.vision import image

APP = "com.example.notes"
WIDTH, HEIGHT, BAR = 240, 480, 20
SCREEN = Screen(Size(WIDTH, HEIGHT), insets=Insets(top=BAR, bottom=BAR))
DIALOG = Rect(20, 160, 220, 320)
SHOWN = NodeState.ENABLED | NodeState.VISIBLE


@dataclass
class N:
    """A node: role, text, box, and what else is not usual."""

    role: str = "text"
    text: str = ""
    box: tuple[float, float, float, float] = (20, 60, 120, 80)
    id: str = ""
    label: str = ""
    value: str = ""
    states: NodeState = SHOWN
    children: list[N] = field(default_factory=list)


@dataclass
class W:
    """A window with its nodes."""

    nodes: list[N]
    app: str = APP
    kind: str = "application"
    title: str = ""
    bounds: Rect = SCREEN.bounds
    focused: bool = False


class Make:
    """Builders with the usual values filled in."""

    app = APP
    N, W = N, W

    def look(
        self, *windows: W, picture: str | None = "drawn", at: float = 10.0, front: str = APP, label: str = "Notes"
    ) -> Snapshot:
        """A capture. `picture`: `drawn` (a dark bar for each control), `blank`, `black`, `secure` (black, bars shown)
        or None."""
        shown = windows or (self.page(),)
        builder = TreeBuilder()
        for window in shown:
            builder.window(Window(0, window.app, window.kind, window.title, window.bounds, focused=window.focused))
            for node in window.nodes:
                self._add(builder, node)
        tree = builder.build()
        return Snapshot(
            "s1", at, tree, SCREEN, AppInFront(front, label=label if front == APP else ""), self._picture(tree, picture)
        )

    def page(self, *nodes: N) -> W:
        """The app's window with a title, a field and a button, or with the nodes given."""
        usual = [
            N("text", "My notes", (20, 40, 120, 60)),
            N("button", "Add", (20, 380, 120, 420), states=SHOWN | NodeState.CLICKABLE),
            N("text", "3 notes", (20, 100, 120, 120)),
        ]
        frame = N("group", box=(0, 0, WIDTH, HEIGHT), children=list(nodes) or usual)
        return W([frame])

    def permission_dialog(self, *, focused: bool = True, bounds: Rect = DIALOG) -> W:
        """The platform's question for a permission."""
        box = (40.0, bounds.bottom - 60, 200.0, bounds.bottom - 30)
        allow = N("button", "Allow", box, id="com.android.permissioncontroller:id/permission_allow_button")
        ask = N("text", "Allow Notes to use the camera?", (40, bounds.top + 10, 200, bounds.top + 40))
        frame = N("group", box=(bounds.left, bounds.top, bounds.right, bounds.bottom), children=[ask, allow])
        return W([frame], "com.android.permissioncontroller", "dialog", "Allow camera?", bounds, focused)

    def crash_dialog(self, title: str, *, anr: bool = False) -> W:
        """The platform's dialog about an app that crashed or does not answer."""
        nodes = [
            N("text", title, (40, 180, 200, 210), id="android:id/alertTitle"),
            N("button", "Close", (40, 220, 200, 250), id="android:id/aerr_close"),
        ]
        if anr:
            nodes.append(N("button", "Wait", (40, 260, 200, 290), id="android:id/aerr_wait"))
        return W(nodes, "android", "dialog", "", DIALOG, focused=True)

    def own_dialog(self, text: str) -> N:
        """A dialog of the app itself."""
        words = [N("text", text, (40, 180, 200, 210)), N("button", "OK", (40, 260, 200, 290))]
        return N("dialog", box=(20, 160, 220, 320), children=words)

    def keyboard(self) -> W:
        return W(
            [N("keyboard", box=(0, 320, WIDTH, HEIGHT))],
            "com.example.board",
            "keyboard",
            "",
            Rect(0, 320, WIDTH, HEIGHT),
        )

    def home(self) -> W:
        return W([N("icon", "Notes", (20, 60, 60, 100))], "com.example.launcher", "launcher")

    def failure(self, type: str = "target_not_found", **facts: Any) -> Failure:
        facts.setdefault("message", 'no control fits "Save"\n  seen: others')
        facts.setdefault("target", '"Save"')
        return Failure(type, **facts)

    def check(self, kind: str = "functional.wrong_value", **facts: Any) -> Failure:
        facts.setdefault("message", "expected \"Total\" to have the text '5', but it did not hold within 5.0 s")
        facts.setdefault("waited_s", 5.0)
        return Failure("check", kind=kind, **facts)

    def case(self, failure: Failure | None = None, **facts: Any) -> Case:
        """A healthy app in front, pid 100, settled, the failing step begun at 10 s, now 15 s."""
        usual: dict[str, Any] = {
            "app": APP,
            "since": 10.0,
            "read_since_action": True,
            "before": self.look(at=11.0),
            "now": self.look(at=15.0),
            "pid": 100,
            "pid_now": 100,
            "in_front": APP,
            "last_touch": LastTouch("step-004", "tap", 'tap "Add"', "changed", repeatable=True),
        }
        return Case(failure or self.failure(), **{**usual, **facts})

    def moving(self, why: str = "animating", *what: str, waited_s: float = 5.0, limit: str = "") -> Unsettled:
        return Unsettled(self.look(), waited_s * 1000, 20, why, what or ("image at 40, 40",), limit)

    def spinner(self) -> N:
        return N("progress", box=(100, 200, 140, 240))

    def touch(self, **facts: Any) -> LastTouch:
        return replace(LastTouch("step-004", "tap", 'tap "Add"', "changed", repeatable=True), **facts)

    def _add(self, builder: TreeBuilder, node: N) -> None:
        builder.open(
            node.role,
            node.box,
            text=node.text,
            label=node.label,
            identifier=node.id,
            value=node.value,
            states=int(node.states),
        )
        for child in node.children:
            self._add(builder, child)
        builder.close()

    def _picture(self, tree: Any, kind: str | None) -> Picture | None:
        if kind is None:
            return None
        page = Image.new("RGB", (WIDTH, HEIGHT), "black" if kind in ("black", "secure") else "white")
        draw = ImageDraw.Draw(page)
        if kind != "black":
            draw.rectangle((0, 0, WIDTH, BAR - 1), fill="#203040")
            draw.rectangle((0, HEIGHT - BAR, WIDTH, HEIGHT), fill="#203040")
        if kind == "drawn":
            for index in range(len(tree)):
                if tree.ends[index] == index + 1 and tree.states[index] & NodeState.VISIBLE:
                    box = tree.rect(index)
                    draw.rectangle((box.left, box.top, max(box.left, box.right - 1), box.bottom - 1), fill="#404040")
        return image.from_image(page)


@pytest.fixture
def make() -> Make:
    return Make()


@pytest.fixture(autouse=True)
def _stored_and_judged_again(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Whatever case a test here has judged is stored too: the verdict on what comes back has to be the same."""
    judge = getattr(request.module, "judge", None)
    if judge is None:
        return

    def both(case: Case) -> Verdict:
        run = tmp_path_factory.mktemp("run")
        write_cases(run / "attempt", Store(run), [JudgedFailure(case.failure.phase, case)])
        (stored,) = read_cases(run, "attempt")
        assert stored.case is not None
        verdict: Verdict = judge(case)
        assert judge(stored.case) == verdict
        return verdict

    monkeypatch.setattr(request.module, "judge", both)
