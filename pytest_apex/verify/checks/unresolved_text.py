"""Placeholders that reached the screen: `{{user.name}}`, `%s`, `null`, a key instead of its text."""

from __future__ import annotations

import re

from pytest_apex.hierarchy.names import cut
from pytest_apex.model.node import Node, NodeState
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.model.verdict import CheckResult, Finding
from pytest_apex.verify.checks.base import result
from pytest_apex.verify.checks.page import page_of

#: Whole texts, case as here: someone may be called Null. `None` is a usual word of settings and only worth a look.
_WHOLE = frozenset({"null", "undefined", "NaN", "nil", "(null)"})
_WHOLE_MAYBE = frozenset({"None", "none"})
_PARTS = {
    "a template": re.compile(r"\{\{[^{}]{0,60}\}\}|\$\{[^{}]{1,60}\}"),
    "a language model's mark": re.compile(r"<\|[a-z][a-z_]{1,30}\|>"),
    # After a digit and a space it may be a percentage: "100 %d'ici".
    "a format": re.compile(r"(?<!\d )(?<![\w%])%(?:\d\$)?[sd@](?!\w)"),
    "an object's name": re.compile(r"\[object \w+\]"),
    "a resource's name": re.compile(r"@string/\w|\bR\.string\.\w"),
    "a broken character": re.compile("\ufffd"),
    "an HTML entity": re.compile(r"&(?:amp|lt|gt|quot|nbsp|apos|#\d{2,5}|#x[0-9a-fA-F]{2,4});"),
    "filler text": re.compile(r"lorem ipsum", re.IGNORECASE),
}
_KEY = re.compile(r"[a-z][a-z0-9]*(?:\.[a-z][a-z0-9_]*){2,}")
#: Folders, files and people have such names too: only worth a look, unless a part of it is a word of screens.
_OF_SCREENS = re.compile(
    r"(?:^|_)(?:button|btn|label|title|subtitle|text|message|msg|hint|placeholder|header|heading|tooltip|dialog|screen|"
    r"error|action|description|desc|caption|cta)(?:_|$)"
)
_KEY_MAYBE = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+){2,}")
#: A dotted name that begins or ends so is an address, a package or a file.
_ADDRESS = re.compile(
    r"(?:^|\.)(?:com|org|net|io|de|app|dev|edu|gov|info|co|uk|eu|fr|jp|cn|ch|at|me|tv|www|txt|pdf|png|jpg|jpeg|gif|mp3|"
    r"mp4|zip|json|xml|html|csv|md|apk|log|docx?|xlsx?)(?:\.|$)"
)
_ROWS = frozenset({"list", "cell", "web"})


class UnresolvedText:
    """Reads texts and labels; pixels are not needed."""

    name = "unresolved_text"
    claim = "every text is meant for people"
    kind = "visual.unresolved_text"

    def applies(self, snapshot: Snapshot) -> bool:
        return len(snapshot) > 0

    def run(self, snapshot: Snapshot) -> CheckResult:
        findings = []
        for node in page_of(snapshot).nodes:
            # What someone typed is their own business, and so is a secret.
            if node.has(NodeState.EDITABLE) or node.has(NodeState.PASSWORD):
                continue
            for text in dict.fromkeys((node.text, node.label)):
                found = unresolved(text)
                if found is not None:
                    findings.append(self._finding(node, text, *found))
                    break
        return result(self, _innermost(findings))

    def _finding(self, node: Node, text: str, what: str, sure: bool) -> Finding:
        # The names of a user's own things may look like keys.
        content = what == "a key" and any(above.role in _ROWS for above in node.ancestors)
        severity = "fail" if sure and not content else "warn"
        return Finding(self.name, self.kind, f"{cut(text, 80)!r} shows {what}", severity, (str(node),), node.bounds)


def unresolved(text: str) -> tuple[str, bool] | None:
    """What is unresolved about a text, and whether that is sure; None for a usual text."""
    word = text.strip()
    if word in _WHOLE or word in _WHOLE_MAYBE:
        return "a missing value", word in _WHOLE
    for what, pattern in _PARTS.items():
        if pattern.search(text):
            return what, True
    if len(word) <= 80 and _KEY.fullmatch(word) and not _ADDRESS.search(word):
        return "a key", True
    if len(word) <= 80 and _KEY_MAYBE.fullmatch(word):
        return "a key", _OF_SCREENS.search(word) is not None
    return None


def _innermost(findings: list[Finding]) -> list[Finding]:
    """A label is often repeated on the controls around it: one report for one text, on the smallest box."""
    best: dict[str, Finding] = {}
    for finding in findings:
        known = best.get(finding.reason)
        nested = (
            known is not None
            and known.box is not None
            and finding.box is not None
            and (known.box.encloses(finding.box) or finding.box.encloses(known.box))
        )
        key = finding.reason if known is None or nested else f"{finding.reason} {len(best)}"
        if known is None or not nested or (finding.box and known.box and finding.box.area < known.box.area):
            best[key] = finding
    return list(best.values())
