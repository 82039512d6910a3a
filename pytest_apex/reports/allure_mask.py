"""Secrets masked in all that goes into an Allure results folder, whoever sends it. Does not import Allure."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from pytest_apex.evidence import own_words
from pytest_apex.evidence.redact import Redactor

#: Fields that name or sort things and hold nothing of a test; masking a chance hit in an id would break links.
_IDS = frozenset(
    {"uuid", "historyId", "testCaseId", "fullName", "titlePath", "source", "type", "status", "stage", "mode",
     "children"}
)  # fmt: skip
#: Labels that hold words of ours, and names in source code.
_LABELS = frozenset(
    {"apex.category", "apex.kind", "apex.suspect", "framework", "language", "host", "thread", "package", "testClass",
     "testMethod"}
)  # fmt: skip
#: What tells a text from a picture: binary files have a zero byte near their beginning.
_SNIFFED = 1024


def mask_item(item: Any, redactor: Redactor) -> None:
    """Mask every text in a result, step, fixture, container or globals item, in place. Half a surrogate pair, which
    devices do send, becomes `\\udXXX`: Allure can't write it, and would end the run."""
    waiting = [item]
    while waiting:
        current = waiting.pop()
        for name, value in vars(current).items():
            if name in _IDS:
                continue
            if isinstance(value, str):
                setattr(current, name, _writable(_masked_field(current, name, value, redactor)))
            elif isinstance(value, list):
                texts = [_writable(redactor.text(part)) if isinstance(part, str) else part for part in value]
                setattr(current, name, texts)
                waiting.extend(part for part in value if hasattr(part, "__dict__"))
            elif hasattr(value, "__dict__"):
                waiting.append(value)


def _masked_field(item: Any, name: str, text: str, redactor: Redactor) -> str:
    """A field without its secrets. A label's or parameter's name stays, and what categories and Allure know it by."""
    if name == "value" and getattr(item, "name", "") in _LABELS and not hasattr(item, "excluded"):  # no parameter
        return text
    if name == "name":
        if hasattr(item, "value"):
            return text
        function = str(getattr(item, "fullName", None) or "").rpartition("#")[2]
        if function and text.startswith(f"{function}["):
            return redactor.test_id(text)
        return text if text == function else redactor.text(text)
    return masked_message(text, redactor) if name == "message" else redactor.text(text)


def masked_message(text: str, redactor: Redactor) -> str:
    """A message without its secrets; the words that our categories are found by stay."""
    prefix = own_words.PREFIX.match(text)
    start = prefix.end() if prefix is not None else 0
    before, line, after = text[start:].partition(f"\n{own_words.SUSPECT_LINE}")
    return f"{text[:start]}{redactor.text(before)}{line}{redactor.text(after)}"


def mask_texts_sent(manager: Any, redactor: Redactor) -> Callable[[], None]:
    """Mask texts that anyone attaches (captured output, logs, a test's own) before they reach the results folder.

    `manager` is Allure's plugin manager. Plugins get the text as an argument that none can change for the others, so
    the call itself is watched. Returns what ends it.
    """
    drafts: list[Path] = []

    def before(hook: str, _plugins: Sequence[object], arguments: Any) -> None:
        if hook == "report_attached_data":
            arguments["body"] = _masked(arguments["body"], redactor)
        elif hook == "report_attached_file":
            draft = _masked_copy(Path(arguments["source"]), redactor)
            if draft is not None:
                drafts.append(draft)
                arguments["source"] = str(draft)

    def after(_outcome: object, hook: str, _plugins: Sequence[object], _arguments: Mapping[str, object]) -> None:
        if hook == "report_attached_file":
            while drafts:
                drafts.pop().unlink(missing_ok=True)

    undo: Callable[[], None] = manager.add_hookcall_monitoring(before, after)
    return undo


def _masked(body: Any, redactor: Redactor) -> Any:
    if isinstance(body, str):
        return _writable(redactor.text(body))
    return redactor.data(body) if isinstance(body, bytes) else body


def _writable(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _masked_copy(source: Path, redactor: Redactor) -> Path | None:
    """A copy of a text file without its secrets; None when it has none, or is no text."""
    try:
        with source.open("rb") as file:
            head = file.read(_SNIFFED)
            data = b"" if b"\0" in head else head + file.read()
    except OSError:
        return None  # the plugin that copies the file will say so itself
    masked = redactor.data(data)
    if masked == data:
        return None
    handle, name = tempfile.mkstemp(suffix=source.suffix)
    with os.fdopen(handle, "wb") as file:
        file.write(masked)
    return Path(name)
