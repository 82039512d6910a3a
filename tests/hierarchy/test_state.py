"""The indexed state: what it shows, folds away and numbers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pytest_apex.hierarchy.hit import find_hit
from pytest_apex.hierarchy.state import index_state
from pytest_apex.model.geometry import Rect
from pytest_apex.model.look import Hit, Obscured
from pytest_apex.model.node import NodeState
from pytest_apex.model.snapshot import AppInFront, Snapshot, TreeBuilder, Window

TAP = NodeState.CLICKABLE
FIELD = TAP | NodeState.EDITABLE


def lines(snapshot: Snapshot) -> list[str]:
    return index_state(snapshot).text.split("\n")[1:]


def test_a_screen_as_a_person_reads_it(shot: Any, node: Any) -> None:
    row = node(
        "cell", (0, 20, 100, 60),
        node("text", (0, 20, 80, 40), text="Milk"),
        node("group", (0, 40, 80, 60), node("text", (0, 40, 80, 60), text="2 l")),
        node("checkbox", (80, 20, 100, 60), identifier="com.a:id/done", more=NodeState.CHECKABLE | NodeState.CHECKED),
        more=TAP, actions=("delete",),
    )  # fmt: skip
    below = node("cell", (0, 220, 100, 260), node("text", (0, 220, 100, 260), text="Eggs"), more=TAP)
    snapshot = shot(
        node("group", (0, 0, 100, 200), node("text", (0, 0, 60, 20), text="Notes")),
        node("list", (0, 20, 100, 160), row, below, label="Items", more=NodeState.SCROLLABLE),
        node("text_field", (0, 160, 100, 180), text="ada", hint="Email", more=FIELD | NodeState.FOCUSED),
        node("text_field", (0, 180, 100, 190), text="1234", hint="PIN", more=FIELD | NodeState.PASSWORD),
        node("button", (0, 190, 100, 200), label="Send", identifier="_NS:21", more=TAP, less=NodeState.ENABLED),
    )
    state = index_state(snapshot, heading="manual: notes")
    assert state.text == "\n".join(
        [
            "com.example.notes (Notes), portrait, 100×200",
            "manual: notes",
            'text "Notes"',
            '[0] list "Items" (scrolls)',
            '  [1] cell "Milk, 2 l" actions: delete',
            "    [2] checkbox #done (checked)",
            '  [3] cell "Eggs" (off screen: scroll down in "Items" (list at 50, 90))',
            '[4] text_field "Email" text="ada" (focused)',
            '[5] text_field "PIN" filled (password)',
            '[6] button "Send" (disabled)',
            'focused: [4] "Email" (text_field)',
        ]
    )
    assert [item.role for item in state.nodes] == [
        "list",
        "cell",
        "checkbox",
        "cell",
        "text_field",
        "text_field",
        "button",
    ]
    assert str(state) == state.text


def test_words_of_a_control_are_not_said_twice_and_others_keep_their_line(shot: Any, node: Any) -> None:
    button = node(
        "button", (0, 0, 100, 20),
        node("text", (0, 0, 50, 20), text="Save"), node("text", (50, 0, 100, 20), text="Draft"),
        label="Save all", more=TAP,
    )  # fmt: skip
    assert lines(shot(button)) == ['[0] button "Save all"', '  text "Draft"']


def test_hidden_and_empty_nodes_are_left_out(shot: Any, node: Any) -> None:
    snapshot = shot(
        node("button", (0, 0, 50, 20), text="Hidden", more=TAP, less=NodeState.VISIBLE),
        node("button", (0, 0, 0, 0), text="Empty", more=TAP),
        node("group", (0, 0, 50, 20)),
        node("image", (0, 0, 50, 20)),
    )
    assert lines(snapshot) == ["image"]


def test_a_covered_control_says_by_what(shot: Any, node: Any) -> None:
    snapshot = shot(
        node("button", (0, 0, 50, 20), text="Save", more=TAP),
        node("other", (0, 0, 100, 200), label="veil", more=NodeState.OPAQUE_TO_TOUCH),
    )
    assert lines(snapshot) == ['[0] button "Save" (covered by "veil" (other))', 'other "veil"']


def test_windows_of_others_are_announced_and_keys_are_not_listed(shot: Any, node: Any) -> None:
    snapshot = shot(
        Window(0, "com.example.notes", bounds=Rect(0, 0, 100, 200)),
        node("text", (0, 20, 100, 40), text="Notes"),
        Window(0, "ui", kind="status_bar", bounds=Rect(0, 0, 100, 10)),
        node("text", (0, 0, 100, 10), text="9:41"),
        Window(0, "kb", kind="keyboard", bounds=Rect(0, 150, 100, 200)),
        node("keyboard", (0, 150, 100, 200), node("key", (0, 150, 10, 160), label="q", more=TAP)),
        Window(0, "com.android.permissions", kind="dialog", title="Allow?"),
        node("button", (0, 100, 100, 120), text="Allow", more=TAP),
    )
    assert lines(snapshot) == [
        'text "Notes"',
        "-- keyboard of kb --",
        "keyboard",
        "-- dialog 'Allow?' of com.android.permissions --",
        '[0] button "Allow"',
    ]


def test_each_number_has_its_hit_point(shot: Any, node: Any) -> None:
    snapshot = shot(
        node("text", (0, 20, 100, 40), text="Title"),
        node("button", (0, 40, 100, 60), text="Save", more=TAP),
        node("button", (0, 240, 100, 260), text="Below", more=TAP),
    )
    state = index_state(snapshot)
    assert [hit.node for hit in state.hits] == list(state.nodes)
    assert state.hits == tuple(find_hit(snapshot, control) for control in state.nodes)
    assert [type(hit) for hit in state.hits] == [Hit, Obscured]


def test_long_words_are_cut_with_a_mark_and_stay_on_one_line(shot: Any, node: Any) -> None:
    (line,) = lines(shot(node("text", (0, 0, 100, 20), text="a\n b" + "x" * 300)))
    assert line == f'text "a b{"x" * 156}…"'


def test_two_captures_of_one_screen_read_the_same(shot: Any, node: Any) -> None:
    def make() -> Snapshot:
        return shot(*(node("button", (0, n * 20, 100, n * 20 + 20), text=f"{n}", more=TAP) for n in range(9)))

    assert index_state(make()).text == index_state(make()).text


def test_no_nodes_and_ten_thousand_in_a_chain(shot: Any) -> None:
    assert index_state(shot()).nodes == ()
    chain = TreeBuilder()
    for _ in range(10_000):
        chain.open("button", (0, 0, 100, 200), label="b", states=int(NodeState.VISIBLE | NodeState.ENABLED | TAP))
    base = shot()
    state = index_state(Snapshot("s", 0.0, chain.build(), base.screen, base.app))
    assert len(state.nodes) == 10_000
    assert len(state.text) < 1_000_000


def test_wrappers_that_repeat_the_words_in_them_are_folded(shot: Any, node: Any) -> None:
    """React Native's on iOS: label and id of each are the words of all that is in it."""
    field = node("text_field", (0, 20, 90, 40), label="username", more=NodeState.EDITABLE)
    inside = [node("text", (0, 0, 90, 20), text="Login"), node("other", (0, 20, 90, 40), field, label="username")]
    words = "Login username"
    box = (0, 0, 100, 100)
    chain = node("other", box, node("other", box, *inside, label=words), label=words, identifier=words)
    assert index_state(shot(chain)).text.split("\n")[1:] == ['text "Login"', '[0] text_field "username" empty']
    kept = node("group", box, *inside, label=words, identifier="form")
    assert 'group "Login username" #form' in index_state(shot(kept)).text
    other = node("group", box, *inside, label="Sign in")
    assert 'group "Sign in"' in index_state(shot(other)).text


def test_an_app_without_an_id_is_called_by_its_name(shot: Any) -> None:
    nameless = replace(shot(), app=AppInFront("", label="TheApp"))
    assert index_state(nameless).text.startswith("TheApp, portrait")
