"""A first manual from what is on the screen: a text for people to go on with."""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from pytest_apex.hierarchy.names import is_platform_made, plain, short_id
from pytest_apex.hierarchy.state import index_state
from pytest_apex.model.node import Node, NodeState
from pytest_apex.model.snapshot import Snapshot

#: Names longer than this are nobody's word for a control.
_LONGEST = 40
#: Ids that a program numbered are other ones the next time.
_MADE = re.compile(r"\d{4,}|[0-9a-f]{8}-[0-9a-f]{4}-|^[0-9a-f]{12,}$", re.IGNORECASE)
_PLAIN = re.compile(r"[^\W\d_][\w -]*[^\W_]", re.UNICODE)
#: Words that YAML takes for something else than text.
_NO_TEXT = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})


@dataclass(frozen=True, slots=True)
class Candidate:
    """A control that a manual may have a name for: by its `id`, and the word that makes it look irreversible."""

    name: str
    id: str
    word: str = ""


def file_name(app: str) -> str:
    """`com.example.notes` → `notes.yaml`."""
    parts = [part for part in re.split(r"[^\w-]+", unicodedata.normalize("NFC", app)) if part.strip("_-")]
    return f"{(parts[-1] if parts else 'app').lstrip('_-').casefold()}.yaml"


def draft(snapshot: Snapshot, words: dict[int, str]) -> str:
    """The text of a manual for the app in front, which has no mistakes. `words` are those of controls that look as if
    their act could not be undone, by the node's index. What stands in fields, and ids that differ from run to run, is
    left out."""
    found = list(_candidates(snapshot, words))
    return "\n".join([*_head(snapshot), *_screens(found), *_controls(found), *_irreversible(found), *_rest(), ""])


def _candidates(snapshot: Snapshot, words: dict[int, str]) -> Iterator[Candidate]:
    app = snapshot.app.id
    nodes = [node for node in index_state(snapshot).nodes if node.window.app in ("", app)]
    counts = Counter(node.identifier for node in snapshot.nodes if node.visible)
    taken: set[str] = set()
    for node in nodes:
        identifier = short_id(node.identifier)
        odd = not identifier.isprintable() or is_platform_made(node.identifier) or _MADE.search(identifier)
        if not identifier or odd or counts[node.identifier] > 1 or node.role == "key":
            continue
        ways = (_shown(node), _spaced(identifier), identifier)
        name = next((word for word in ways if word and plain(word) not in taken), "")
        if name:
            taken.add(plain(name))
            yield Candidate(name, identifier, words.get(node.index, ""))


def _shown(node: Node) -> str:
    """The words on a control; of a field those that are there before anybody typed."""
    own = (node.label, node.hint) if node.has(NodeState.EDITABLE) else (node.text, node.label)
    inside = () if node.has(NodeState.EDITABLE) else (part.text or part.label for part in node.descendants)
    words = next((" ".join(word.split()) for word in (*own, *inside) if word.strip()), "")
    return words if len(words) <= _LONGEST and words.isprintable() and any(map(str.isalpha, words)) else ""


def _spaced(identifier: str) -> str:
    return re.sub(r"[_\-./]+", " ", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", identifier)).strip().casefold()


def _head(snapshot: Snapshot) -> list[str]:
    app = snapshot.app
    label = " ".join(app.label.split())
    weak = [f"  # displayName: {_text(label)}   # weak: another app may be called so"] if label else []
    version = app.version if app.version.isprintable() else ""
    return [
        "# A first manual, from one screen. Each comment says what is left to fill in; then the comments can go.",
        "# pytest-apex check tells its mistakes; pytest-apex schema manual is the schema for editors.",
        f"summary: {_text(f'{label or app.id}: say in a sentence or two what every test of it should know.')}",
        "match:",
        f"  bundleId: {_text(app.id)}",
        *weak,
        f'  # version: ">={version if re.fullmatch(r"[0-9.]+[0-9]", version) else "1.0"}"   # if others look otherwise',
        "",
    ]


def _screens(found: list[Candidate]) -> list[str]:
    lines = ["# Screens by name, and what only they show. Go there, capture again, and copy.", "screens:"]
    ids = ", ".join(f"{{id: {_text(each.id)}}}" for each in found[:2])
    if not ids:
        return [
            *(f"# {line.removeprefix('# ')}" for line in lines),
            "#   first: {text: a heading that only it has}",
            "",
        ]
    return [*lines, f"  first screen: {{shows: [{ids}]}}", ""]


def _controls(found: list[Candidate]) -> list[str]:
    lines = ["# Names for controls, as people say them; aliases: [more, names]. Rows of lists have no id of their own."]
    if not found:
        return [
            *lines,
            "# controls:",
            "#   save: {text: Save}   # no control with an id of its own was on the screen",
            "",
        ]
    width = max(len(_text(each.name)) for each in found)
    named = [f"  {_text(each.name) + ':':<{min(width, _LONGEST) + 1}} {{id: {_text(each.id)}}}" for each in found]
    return [*lines, "controls:", *named, ""]


def _irreversible(found: list[Candidate]) -> list[str]:
    lines = [
        "# What can't be undone. Refused unless the test's marker or --apex-allow says so (normal), unless both do",
        "# (critical), or always: a person does it (hand_off). Further entries: key:enter, intent:send-message,",
        "# region:0,900,1000,100 (thousandths of the window).",
    ]
    listed = [each for each in found if each.word]
    if not listed:
        return [*lines, "# irreversible:", "#   normal: [control:delete]", ""]
    entries = [f"    - {_text(f'control:{each.name}')}   # by the word {each.word!r}" for each in listed]
    hint = "  # Candidates, by their words: move or delete what does not belong here."
    return [*lines, "irreversible:", hint, "  normal:", *entries, ""]


def _rest() -> list[str]:
    return [
        "# interruptions:   # what comes over any screen, and what makes it go",
        "#   rating: {appears: Do you like this app?, tap: Not now}",
        "# live_regions:    # what moves by itself",
        "#   clock: {id: clock}",
        "# expected:        # known behaviour that is no failure",
        "#   old label: {what: the label is cut, reason: known since 1.4, kind: visual.truncated, until: 2030-01-31}",
        "# environment:     # screens that mean that the test server is down",
        "#   down: {text: Service unavailable}",
        "# flows:           # named steps, for device.flow(…)",
        "#   sign in: {steps: [{tap: Log in}]}",
    ]


def _text(word: str) -> str:
    """A text as YAML takes it: as it is where that is clear, else in quotes."""
    clear = _PLAIN.fullmatch(word) and word.isascii() and word.casefold() not in _NO_TEXT
    if clear or re.fullmatch(r"[A-Za-z][\w]*(\.[A-Za-z]\w*)+|control:[A-Za-z][\w -]*[A-Za-z]", word, re.ASCII):
        return word
    quoted = json.dumps(word, ensure_ascii=False)
    return re.sub(r"[\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff]", lambda found: f"\\u{ord(found[0]):04x}", quoted)
