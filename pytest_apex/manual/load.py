"""Reading one manual: text in, one frozen `Manual` out, every mistake with its place.

    manual = load_manual(text, "manuals/notes.md")

`NAME.yaml` is YAML; `NAME.md` has YAML between two lines `---` at its head, and prose below. `docs/manuals.md`
describes the fields.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import PurePath

from pytest_apex.errors import ManualError, Mistake
from pytest_apex.hierarchy.names import cut
from pytest_apex.manual.appearances import ENVIRONMENT, EXPECTED, INTERRUPTIONS, SCREENS, odd_kind
from pytest_apex.manual.apps import MATCH
from pytest_apex.manual.controls import CONTROLS, LIVE_REGIONS
from pytest_apex.manual.flows import Flows
from pytest_apex.manual.irreversible import Acts
from pytest_apex.manual.kinds import Got, Key, ManualReader, Record, Word, note
from pytest_apex.manual.lookup import usual
from pytest_apex.marked_yaml import MAX_BYTES, At, nearest
from pytest_apex.model.manual import Manual, Match, Place

#: The endings of manuals, in the order in which two of one name are taken.
ENDINGS = (".md", ".yaml")
CURE = "correct these lines; the command pytest-apex check FILE reads the file again"
#: A summary that is taken from the prose is cut here.
SUMMARY_LENGTH = 300

#: A file with more mistakes than this is told what is wrong, and no longer what may be meant: that takes long.
_MOST_HINTS = 100
_FENCE = re.compile(rb"---[ \t]*\r?\n")
#: What each manual has, at the start of a line.
_FIELD = re.compile(rb"^(?:\xef\xbb\xbf)?match[ \t]*:", re.MULTILINE)
_END = re.compile(rb"^(---|\.\.\.)[ \t]*\r?$", re.MULTILINE)


def _manual(name: str, _at: At, got: Got, where: Place) -> Manual:
    given = {key: value for key, value in got.items() if value is not None and key != "match"}
    return Manual(name, where.file, got["match"] or Match(), **given)


ROOT = Record(
    _manual,
    (
        Key(
            "summary", Word(), "what is worth knowing about the app, in a sentence or two; heads the state", default=""
        ),
        Key("match", MATCH, "which app this manual is for", required=True),
        Key(
            "screens", SCREENS, "screens by name, and how to recognise each; the first that fits is the one", default=()
        ),
        Key("controls", CONTROLS, "names for controls", default=()),
        Key("interruptions", INTERRUPTIONS, "what comes over any screen, and what makes it go", default=()),
        Key("live_regions", LIVE_REGIONS, "what moves by itself", default=()),
        Key("expected", EXPECTED, "known behaviour that is no failure", default=()),
        Key("environment", ENVIRONMENT, "screens that mean trouble around the app", default=()),
        Key("irreversible", Acts(), "acts that can't be undone", default=()),
        Key("flows", Flows(), "steps by name", default=()),
    ),
)


def is_manual_name(file: str) -> bool:
    """Whether a file in a folder of manuals is one: `_name` is a template, and a folder may have its README."""
    path = PurePath(file)
    return path.suffix in ENDINGS and not file.startswith(("_", ".")) and path.stem.casefold() != "readme"


def is_prose(file: str, data: bytes) -> bool:
    """Whether a `.md` file is a text that lies beside manuals: no fields at its head, and none without their `---`."""
    return file.endswith(".md") and not _FENCE.match(data.removeprefix(b"\xef\xbb\xbf")) and not _FIELD.search(data)


def load_manual(text: str | bytes, source: str) -> Manual:
    """Read one manual; `source` is what mistakes call the file, and its ending says what is in it.

    Raises `ManualError` with all mistakes. What is merely odd is in `warnings`.
    """
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    if len(data) > MAX_BYTES:
        raise wrong(source, f"{len(data):,} bytes; at most {MAX_BYTES:,} are read")
    front, prose, first_line = _parted(data, source)
    reader = ManualReader(source)
    root = reader.open(front)
    manual: Manual | None = ROOT.read_named(PurePath(source).stem, root, Place(source, 1, 1))
    body = _prose(prose, source, first_line, reader)
    if manual is None:
        raise ManualError(source, reader.mistakes, cure=CURE)
    _check_names(manual, root, reader)
    reader.finish(cure=CURE)
    return replace(
        manual, summary=manual.summary or _first_paragraph(body), body=body, warnings=tuple(_warnings(manual, root))
    )


def match_in(text: bytes, source: str) -> Match | None:
    """Which apps a file with mistakes says that it is for; None where that can't be read."""
    try:
        front, _, _ = _parted(text, source)
        root = ManualReader(source).open(front)
    except ManualError:
        return None
    node = root.node.value.get("match") if root.is_a("map") else None
    match = MATCH.read(At(node, "match", ManualReader(source))) if node is not None else None
    return match if isinstance(match, Match) else None


def wrong(source: str, what: str, line: int = 1) -> ManualError:
    """One mistake of a file that can't be read as a manual at all."""
    return ManualError(source, [Mistake(source, line, 1, "", what)], cure=CURE)


def _parted(data: bytes, source: str) -> tuple[bytes, bytes, int]:
    """The YAML of a file, on the lines on which it stands; its prose, and on which line that begins."""
    if not source.endswith(".md"):
        return data, b"", 1
    data = data.removeprefix(b"\xef\xbb\xbf")
    head = _FENCE.match(data)
    if head is None:
        raise wrong(source, "expected a line --- first, and the fields of the manual below it")
    end = _END.search(data, head.end())
    if end is None:
        raise wrong(source, "the fields begin here and end nowhere; a second line --- ends them")
    return b"\n" + data[head.end() : end.start()], data[end.end() :], data.count(b"\n", 0, end.end()) + 1


def _prose(data: bytes, source: str, first_line: int, reader: ManualReader) -> str:
    try:
        return data.decode("utf-8").replace("\r\n", "\n").strip()
    except UnicodeDecodeError as error:
        line = first_line + data.count(b"\n", 0, error.start)
        what = f"not UTF-8: byte {data[error.start]:#04x}"
        reader.mistakes.append(Mistake(source, line, 1, "", what))
        return ""


def _first_paragraph(body: str) -> str:
    parts = (part.strip() for part in re.split(r"\n\s*\n", body))
    return next((cut(part, SUMMARY_LENGTH) for part in parts if part and not part.startswith("#")), "")


def _check_names(manual: Manual, root: At, reader: ManualReader) -> None:
    """Each name that is used is declared, and no control has the name of another."""
    first: dict[str, Place] = {}
    for control in manual.controls:
        for name in dict.fromkeys(map(usual, (control.name, *control.aliases))):
            if name in first:
                at = replace(root, path=f"controls.{control.name}")
                note(at, control.where, f'the name "{name}" is taken by the control in line {first[name].line}')
            first.setdefault(name, control.where)
    known = {
        "screen": _declared(root, "screens"),
        "flow": _declared(root, "flows"),
        "control": _declared(root, "controls") | {alias for control in manual.controls for alias in control.aliases},
    }
    however_written = set(map(usual, known["control"]))
    for noun, word, at in reader.later:
        if word not in known[noun] and not (noun == "control" and usual(word) in however_written):
            hint = nearest(word, known[noun]) if len(reader.mistakes) < _MOST_HINTS else ""
            at.mistake(f'unknown {noun} "{word}"{hint}')


def _declared(root: At, group: str) -> set[str]:
    """The names in a group, also of what has mistakes: a second mistake for the same slip helps nobody."""
    node = root.node.value.get(group)
    return set(node.value) if node is not None and node.kind == "map" else set()


def _warnings(manual: Manual, root: At) -> Iterator[str]:
    for control in manual.controls:
        if not control.targets:
            yield (
                f"{control.where}  controls.{control.name}: has a region only: whatever lies there is taken for it; "
                "give id, label or text"
            )
    for entry in manual.expected:
        if odd := odd_kind(entry.kind):
            yield f"{entry.where}  expected.{entry.name}.kind: {odd}"
    match = manual.match
    if not match.bundle_ids and not match.process_names:
        where = Place(manual.source, *root.node.keys["match"])
        yield (f"{where}  match: has a display name only, which another app may have too; give bundleId or processName")
