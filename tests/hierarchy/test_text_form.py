"""The hierarchy as text: what it looks like, and that it reads back equal."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_apex.errors import SourceError
from pytest_apex.hierarchy.element_types import ABLE, NAME_OF, ROLE_OF
from pytest_apex.hierarchy.escape import quoted, unescaped
from pytest_apex.hierarchy.readers import from_text
from pytest_apex.hierarchy.text import to_text
from pytest_apex.model.geometry import Insets, Rect, Size
from pytest_apex.model.node import ROLES, NodeState
from pytest_apex.model.screen import ORIENTATIONS, Screen
from pytest_apex.model.snapshot import WINDOW_KINDS, AppInFront, Snapshot, TreeBuilder, Window

TAP = NodeState.CLICKABLE


def test_every_role_has_one_name_and_reads_back() -> None:
    assert set(NAME_OF) == ROLES
    assert {role: ROLE_OF[name] for role, name in NAME_OF.items()} == {role: role for role in ROLES}
    assert set(ROLE_OF.values()) <= ROLES
    assert set(ABLE) <= ROLES


def test_it_reads_like_the_tools_of_the_platform(shot: Any, node: Any) -> None:
    snapshot = shot(
        Window(0, "com.example.notes", bounds=Rect(0, 0, 100, 200), pid=412, focused=True),
        node(
            "group", (0, 0, 100, 200),
            node("button", (24, 70, 80, 110.5), identifier="login", label="Log 'in'\\now", more=TAP),
        ),
        Window(0, "com.android.permissions", "dialog", "Ask", Rect(20, 20, 80, 60), 9),
        node("text", (20, 20, 80, 40), text="Allow?", less=NodeState.ENABLED),
    )  # fmt: skip
    lines = to_text(snapshot).split("\n")
    assert lines[0] == "Device orientation: Portrait"
    assert lines[4:] == [
        "------------------------",
        "Application bundle identifier: com.example.notes",
        "Application UI orientation: Portrait",
        "Application, pid: 412, label: 'Notes'",
        " Window, {{0.0, 0.0}, {100.0, 200.0}}, kind: 'application', Focused",  # the dialog above takes every touch
        "  Group, {{0.0, 0.0}, {100.0, 200.0}}",
        "   Button, {{24.0, 70.0}, {56.0, 40.5}}, identifier: 'login', label: 'Log \\'in\\'\\\\now', Clickable",
        "------------------------",
        "Application bundle identifier: com.android.permissions",
        "Application UI orientation: Portrait",
        "Application, pid: 9",
        " Window, {{20.0, 20.0}, {60.0, 40.0}}, kind: 'dialog', title: 'Ask', hitPoint: {50.0, 40.0}",
        "  StaticText, {{20.0, 20.0}, {60.0, 20.0}}, text: 'Allow?', Disabled, hitPoint: {50.0, 30.0}, "
        "activationBundleId: 'com.android.permissions'",
        "",
    ]


words = st.text(st.characters(codec=None), max_size=12) | st.sampled_from(
    [
        "it's",
        "a\\",
        "\\n",
        "a\nb",
        "', label: 'x",
        "{{1, 2}, {3, 4}}",
        "hitPoint: {1.0, 2.0}",
        "\ud83d",
        "\u2028",
        " \t ",
        "-" * 24,
    ]
)
edges = (
    st.integers(-50, 500).map(float)
    | st.floats(-1e6, 1e6, width=64)
    | st.sampled_from([float("inf"), -float("inf"), 0.1])
)
boxes = st.tuples(edges, edges, edges, edges)
positive = st.floats(0.125, 5000)


@st.composite
def snapshots(draw: st.DrawFn) -> Snapshot:
    builder = TreeBuilder()
    for _ in range(draw(st.integers(1, 3))):
        builder.window(
            Window(
                0, draw(words), draw(st.sampled_from(WINDOW_KINDS)), draw(words), Rect(*draw(boxes)),
                draw(st.integers(0, 99_999)), draw(st.booleans()), draw(words),
            )
        )  # fmt: skip
        for _ in range(draw(st.integers(0, 4))):
            for _ in range(draw(st.integers(0, builder.depth))):
                builder.close()
            builder.open(
                draw(st.sampled_from(sorted(ROLES)) | st.just("third-party's own")), draw(boxes), text=draw(words),
                label=draw(words), identifier=draw(words), value=draw(words), hint=draw(words), class_name=draw(words),
                states=draw(st.integers(0, 2 ** len(NodeState) - 1)),
                actions=tuple(draw(st.lists(words.filter(bool), max_size=2))),
            )  # fmt: skip
    screen = Screen(
        Size(draw(positive), draw(positive)), draw(positive), draw(positive), draw(st.sampled_from([0, 90, 180, 270])),
        Insets(*draw(st.tuples(*[st.floats(0, 100)] * 4))), draw(st.sampled_from(ORIENTATIONS)), draw(positive),
        draw(words), draw(st.booleans()),
    )  # fmt: skip
    app = AppInFront(draw(words), draw(st.integers(0, 99_999)), draw(words), draw(words), draw(words))
    return Snapshot(
        draw(words), draw(st.floats(0, 1e9)), builder.build(), screen, app, None, draw(st.floats(0, 1e4)), draw(words),
        tuple(draw(st.lists(words, max_size=2))), draw(st.sampled_from(["android", "ios", "tvos", "watchos"])),
    )  # fmt: skip


@settings(max_examples=150, deadline=None, derandomize=True, database=None)
@given(snapshots())
def test_what_is_written_reads_back_equal(snapshot: Snapshot) -> None:
    text = to_text(snapshot)
    text.encode("utf-8")
    back = from_text(text)
    for name in ("id", "taken_at", "tree", "screen", "app", "skew_ms", "source", "notes", "platform"):
        assert getattr(back, name) == getattr(snapshot, name), name


@settings(max_examples=200, deadline=None, derandomize=True, database=None)
@given(words)
def test_quoted_words_read_back(text: str) -> None:
    inside = quoted(text)[1:-1]
    assert unescaped(inside) == text
    assert "\n" not in inside


def test_an_escape_that_nobody_writes_stands_for_itself() -> None:
    assert unescaped("\\x\\u{FFFFFF}") == "x\\u{FFFFFF}"


def test_ten_thousand_deep_reads_back_and_stays_small(shot: Any) -> None:
    chain = TreeBuilder()
    for _ in range(10_000):
        chain.open("other", (0, 0, 10, 10))
    base = shot()
    snapshot = Snapshot("s", 0.0, chain.build(), base.screen, base.app)
    text = to_text(snapshot)
    assert len(text) < 2_000_000
    assert from_text(text).tree == snapshot.tree


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("Button", "Knob", "line 11"),
        ("'Save'", "'Save", "column"),
        ("{0.0, 20.0}", "{0.0, x}", "line 11"),
        (", {50.0, 20.0}}", "}", "line 11"),
        ("   Button", "       Button", "indented"),
        ("Clickable", "Clackable", "line 11"),
        ("pid: 412, label", "pid: many, label", "line 8"),
        ("insets: {0.0, ", "insets: {", "head"),
    ],
)
def test_a_damaged_text_is_refused_with_its_place(shot: Any, node: Any, old: str, new: str, says: str) -> None:
    button = node("button", (0, 20, 50, 40), text="Save", more=TAP)
    text = to_text(shot(node("group", (0, 0, 50, 50), button)))
    assert old in text
    with pytest.raises(SourceError) as error:
        from_text(text.replace(old, new))
    assert says in str(error.value)


@pytest.mark.parametrize("text", ["", "  \n", "<hierarchy/>", "{}", "Device orientation: Portrait\n", "pid: 4"])
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(SourceError):
        from_text(text)


# --- what Xcode writes ----------------------------------------------------------------------------------------------

XCODE = """Device orientation: LandscapeLeft
------------------------
Application bundle identifier: com.example.probe
Application UI orientation: LandscapeLeft
Application, pid: 16102, label: 'Probe'
 Window, {{0.0, 0.0}, {402.0, 874.0}}, hitPoint: {201.0, 437.0}
  Alert, {{41.0, 375.0}, {320.0, 152.0}}, label: 'Title, with 'quotes'
and a hitPoint: {1.0, 2.0}', hitPoint: {201.0, 451.0}
   TextField, {{41.0, 400.0}, {320.0, 20.3}}, identifier: 'mail', label: 'Mail', value: ada@example, Keyboard Focused
   SecureTextField, {{41.0, 420.0}, {320.0, 20.0}}, identifier: 'pin', placeholderValue: 'PIN', hitPoint: {201.0, 430.0}
   Switch, {{41.0, 440.0}, {320.0, 20.0}}, label: 'Remember', value: 1, hitPoint: {201.0, 450.0}
   Button, {{41.0, inf}, {320.0, nan}}, label: 'Delete', Disabled
 Other, {{0.0, 0.0}, {402.0, 50.0}}, isRemoteLeafPlaceholder, hitPoint: {201.0, 25.0}, activationBundleId: com.apple.me
------------------------
Application bundle identifier: com.apple.springboard
Application UI orientation: Portrait
Application, pid: 34, label: 'Home screen'
 Button, {{0.0, 0.0}, {10.0, 10.0}}, label: 'OK', Selected
"""


def test_the_text_of_xcode() -> None:
    snapshot = from_text(XCODE)
    assert (snapshot.app.id, snapshot.app.pid, snapshot.app.label) == ("com.example.probe", 16102, "Probe")
    assert (snapshot.screen.size, snapshot.screen.orientation) == (Size(402, 874), "landscape_left")
    assert snapshot.platform == "ios"
    _, window, alert, mail, pin, remember, delete, remote, home, ok = snapshot.nodes
    assert alert.label == "Title, with 'quotes'\nand a hitPoint: {1.0, 2.0}"
    assert (mail.identifier, mail.label, mail.text) == ("mail", "Mail", "ada@example")
    assert mail.has(NodeState.FOCUSED)
    assert mail.parent == alert
    assert (pin.hint, pin.has(NodeState.PASSWORD)) == ("PIN", True)
    assert (remember.value, remember.has(NodeState.CHECKED)) == ("1", True)
    assert not delete.enabled
    assert delete.bounds.is_empty
    assert remote.has(NodeState.REMOTE)
    assert remote.parent == window.parent
    assert (home.label, home.window.app, ok.has(NodeState.SELECTED)) == ("Home screen", "com.apple.springboard", True)
    assert from_text(to_text(snapshot)).tree.labels == snapshot.tree.labels


def test_labels_that_look_like_the_next_word() -> None:
    body = "Application, pid: 1\n Button, {{0, 0}, {9, 9}}, label: 'say ', value: 1', value: 2, hitPoint: {1.0, 2.0}\n"
    button = from_text(body).nodes[1]
    assert (button.label, button.value) == ("say ', value: 1", "2")


@pytest.mark.parametrize("seed", range(4))
def test_mutated_texts_raise_nothing_but_our_error(shot: Any, node: Any, seed: int) -> None:
    rng = random.Random(seed)
    button = node("button", (0, 20, 50, 40), text="it's\nhere", more=TAP)
    sources = [XCODE, to_text(shot(node("group", (0, 0, 50, 50), button)))]
    for _ in range(60):
        text = list(rng.choice(sources))
        for _ in range(rng.randrange(1, 6)):
            at = rng.randrange(len(text))
            if rng.random() < 0.5:
                text[at] = rng.choice("'{}, :\\\n0x()-u")
            else:
                del text[at : at + rng.randrange(1, 30)]
        try:
            snapshot = from_text("".join(text))
        except SourceError:
            continue
        assert from_text(to_text(snapshot)).tree.roles == snapshot.tree.roles
