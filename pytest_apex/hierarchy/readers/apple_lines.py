"""One line of the two texts in which XCTest writes its elements: `debugDescription` and device interaction.

    Button, 0x600001, {{24.0, 700.0}, {342.0, 48.0}}, identifier: 'login', label: 'Log in', Disabled
    Button, {{24.0, 700.0}, {342.0, 48.0}}, label: 'It's 'quoted'', value: 1, Selected, hitPoint: {195.0, 724.0}
    UIButton "Log in" {{24, 700}, {342, 48}}, hitPoint: {195.0, 724.0}

Nothing is escaped: labels hold quotes, commas, line breaks and what looks like parts of a line. So a line is read from
both ends, type and frame from the front, hit point, flags and bundle id from the back; the words are what is left.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from pytest_apex.model.node import NodeState

_NUMBER = r"-?(?:\d{1,40}(?:\.\d{0,40})?(?:e[-+]?\d{1,4})?|inf(?:inity)?|nan)"
_FRAME = rf"\{{\{{(?P<x>{_NUMBER}), ?(?P<y>{_NUMBER})\}}, ?\{{(?P<width>{_NUMBER}), ?(?P<height>{_NUMBER})\}}\}}"
_INDENT = r"(?P<indent>[ \t]*(?:→[ \t]*)?)"
_LONG = re.compile(
    rf"{_INDENT}(?P<kind>[A-Z][A-Za-z]{{1,40}})(?: \([^()\n]{{0,40}}\))?(?P<sure>(?:, 0x[0-9a-fA-F]{{1,20}})?"
    rf"(?:, traits: \d{{1,25}})?(?:, pid: (?P<pid>\d{{1,9}}))?(?:, {_FRAME})?)(?=, |\n|$)"
)
_SHORT = re.compile(
    rf"{_INDENT}(?P<kind>[A-Za-z_][\w.]{{0,80}})(?: \"(?P<label>.*)\")? (?P<sure>{_FRAME})(?=, |\n|$)", re.DOTALL
)
#: The short form's beginning, to tell a line of it from the words of the line before.
_SHORT_HEAD = re.compile(rf"{_INDENT}[A-Za-z_][\w.]{{0,80}} (?:\"|{_FRAME})")
_BACK = re.compile(
    rf", (?:hitPoint: (?P<hit>\{{{_NUMBER}, ?{_NUMBER}\}})|activationBundleId: '?(?P<bundle>[\w.-]{{1,255}})'?"
    r"|(?P<flag>Keyboard Focused|Focused|Selected|Disabled|isRemoteLeafPlaceholder(?:: true)?))\s*\Z"
)
#: The longest piece that `_BACK` takes, so that a search need not begin further to the front.
_BACK_LENGTH = 400
#: Pieces at the end of a line; a hostile line with thousands is not read any further.
_MOST_PIECES = 12
_FLAGS = {
    "Keyboard Focused": NodeState.FOCUSED,
    "Focused": NodeState.FOCUSED,
    "Selected": NodeState.SELECTED,
    "isRemoteLeafPlaceholder": NodeState.REMOTE,
    "isRemoteLeafPlaceholder: true": NodeState.REMOTE,
}
_IDENTIFIER = re.compile(
    r", identifier: '(.*?)'(?=, (?:label|title|placeholderValue|placeholder): '|, value: |\Z)", re.DOTALL
)
_LABEL = ", label: '"
_OTHERS = (("title", ", title: '"), ("placeholder", ", placeholderValue: '"), ("placeholder", ", placeholder: '"))
_VALUE = ", value: "
#: UIKit's names in the short form, where they are not `UI` and the name of a type.
_UIKIT = {
    "UILabel": "StaticText",
    "UIImageView": "Image",
    "UITableView": "Table",
    "UITableViewCell": "Cell",
    "UICollectionViewCell": "Cell",
    "UIView": "Other",
    "UIActivityIndicatorView": "ActivityIndicator",
    "UIProgressView": "ProgressIndicator",
    "WKWebView": "WebView",
}


@dataclass(frozen=True, slots=True)
class Line:
    """One element. `indent` tells its depth; `frame` is x, y, width, height; `states` are those it names or denies."""

    indent: int
    kind: str
    frame: tuple[float, ...] | None
    words: Mapping[str, str]
    states: int
    pid: int = 0
    hit: str = ""
    bundle: str = ""
    source: str = ""

    def raw(self) -> dict[str, str]:
        """What the line tells, by its own names."""
        facts = {"type": self.kind, **self.words, "hitPoint": self.hit, "activationBundleId": self.bundle}
        return {name: text for name, text in facts.items() if text} | {"line": self.source.strip()}


def is_long(line: str) -> bool:
    """Whether a line begins an element in the long form."""
    found = _LONG.match(line)
    return found is not None and bool(found["sure"])


def is_short(line: str) -> bool:
    """Whether a line begins an element in the short form."""
    return _SHORT_HEAD.match(line) is not None


def logical(lines: Iterable[str], begins: Callable[[str], bool], strangers: bool = False) -> Iterator[str]:
    """Lines put together where a label holds line breaks; those before the first element are left out.

    `strangers` says that lines of a log may stand between: then only one whose words are still open goes on.
    """
    held: list[str] = []
    for line in lines:
        if begins(line):
            if held:
                yield "\n".join(held)
            held = [line]
        elif held and not (strangers and len(held) == 1 and is_closed(held[0])):
            held.append(line)
    if held:
        yield "\n".join(held).rstrip()


def is_closed(line: str) -> bool:
    """Whether a line has no words, or words that end with a quote."""
    front = _LONG.match(line)
    words, _ = _ends(line[front.end() :] if front is not None else line)
    return not words or words.endswith("'")


def parse(source: str) -> Line | None:
    """The element in a logical line; None if there is none."""
    front = _LONG.match(source)
    if front is None or not front["sure"]:
        front = _SHORT.match(source)
        if front is None:
            return None
    rest, pieces = _ends(source[front.end() :])
    states = NodeState.ENABLED | NodeState.VISIBLE
    for flag in (piece["flag"] for piece in pieces if piece["flag"]):
        states = states & ~NodeState.ENABLED if flag == "Disabled" else states | _FLAGS[flag]
    groups = front.groupdict()
    kind = _type_of(front["kind"])
    words = words_of(rest, typed=kind.endswith(("TextField", "TextView", "SearchField")))
    if groups.get("label") is not None:
        words["label"] = front["label"]
    numbers = [groups[name] for name in ("x", "y", "width", "height")]
    return Line(
        indent=len(front["indent"].expandtabs(4)),
        kind=kind,
        frame=None if None in numbers else tuple(map(float, numbers)),
        words=words,
        states=int(states),
        pid=int(groups.get("pid") or 0),
        hit=next((piece["hit"] for piece in pieces if piece["hit"]), ""),
        bundle=next((piece["bundle"] for piece in pieces if piece["bundle"]), ""),
        source=source,
    )


def _ends(rest: str) -> tuple[str, list[re.Match[str]]]:
    """The words between frame and end, and the pieces at the end, the last one first."""
    pieces: list[re.Match[str]] = []
    while len(pieces) < _MOST_PIECES:
        back = _BACK.search(rest, max(0, len(rest) - _BACK_LENGTH))
        if back is None:
            break
        pieces.append(back)
        rest = rest[: back.start()]
    return rest, pieces


def words_of(rest: str, typed: bool = False) -> dict[str, str]:
    """Identifier, label, title, placeholder and value out of what stands between frame and flags.

    An identifier ends at the first word after it; a label goes as far as it can, so that what looks like another word
    inside it stays in it. A value stands without quotes: one is taken only if the rest does not end with the quote of
    an earlier word, or in a field, where people type quotes.
    """
    words = {}
    found = _IDENTIFIER.match(rest)
    if found is not None:
        words["identifier"] = found[1]
        rest = rest[found.end() :]
    at = rest.rfind(_VALUE)
    if at >= 0 and (at == 0 or rest[at - 1] == "'") and (typed or not rest.endswith("'")):
        words["value"] = rest[at + len(_VALUE) :]
        rest = rest[:at]
    for name, begin in _OTHERS:
        at = rest.rfind(begin)
        if at >= 0 and (at == 0 or rest[at - 1] == "'"):
            words[name] = rest[at + len(begin) :].removesuffix("'")
            rest = rest[:at]
    if rest.startswith(_LABEL):
        words["label"] = rest[len(_LABEL) :].removesuffix("'")
    return words


def _type_of(kind: str) -> str:
    if kind in _UIKIT:
        return _UIKIT[kind]
    return kind.removeprefix("UI") if kind.startswith("UI") and kind[2:3].isupper() else kind
