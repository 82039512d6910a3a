"""Reading the hierarchy that Xcode's device interaction writes.

Nothing in it is escaped: labels hold quotes, commas and line breaks. Each line is therefore read from both ends: role
and frame from the front; hit point, flags and bundle id from the back; what is left between holds the words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pytest_apex.errors import SourceError
from pytest_apex.hierarchy.element_types import ABLE, ROLE_OF
from pytest_apex.model.geometry import Rect, Size
from pytest_apex.model.node import NodeState
from pytest_apex.model.screen import Screen
from pytest_apex.model.snapshot import AppInFront, Snapshot, TreeBuilder, Window

_NUMBER = r"-?(?:\d+(?:\.\d*)?(?:[eE][-+]?\d+)?|inf|nan)"
_FRONT = re.compile(
    rf"( *)([A-Z][A-Za-z]*)(?: \([^)]*\))?, "
    rf"\{{\{{({_NUMBER}), ({_NUMBER})\}}, \{{({_NUMBER}), ({_NUMBER})\}}\}}"
)
_APPLICATION = re.compile(r"( *)Application, pid: (\d+)(?:, label: '(.*)')?")
_BACK = re.compile(
    rf", (?:(?P<hit>hitPoint: \{{{_NUMBER}, {_NUMBER}\}})|activationBundleId: (?P<bundle>[\w.'-]+)"
    r"|(?P<flag>Keyboard Focused|Focused|Selected|Disabled|isRemoteLeafPlaceholder))\Z"
)
_FLAGS = {
    "Keyboard Focused": NodeState.FOCUSED,
    "Focused": NodeState.FOCUSED,
    "Selected": NodeState.SELECTED,
    "isRemoteLeafPlaceholder": NodeState.REMOTE,
}
#: More than a line ever has; a hostile one with thousands is not read to its end.
_MOST_FLAGS = 12
_BUNDLE = "Application bundle identifier: "
_TURNED = "Device orientation: "
_ORIENTATIONS = {
    "PortraitUpsideDown": "portrait_upside_down",
    "LandscapeLeft": "landscape_left",
    "LandscapeRight": "landscape_right",
    "FaceUp": "face_up",
    "FaceDown": "face_down",
}
#: Words of a line in their order: what begins each.
_WORDS = (
    ("identifier", ", identifier: '"),
    ("label", ", label: '"),
    ("value", ", value: "),
    ("hint", ", placeholderValue: '"),
    ("hint", ", placeholder: '"),
)


def is_xcodes(source: str) -> bool:
    return source.startswith((_TURNED, _BUNDLE, "Application, pid: "))


def read(source: str) -> Snapshot:
    """A snapshot of platform `ios`; the screen is as large as the first window."""
    builder = TreeBuilder()
    apps: list[AppInFront] = []
    orientation, bundle = "portrait", ""
    for line in _lines(source):
        if line.startswith(_BUNDLE):
            bundle = line.removeprefix(_BUNDLE).strip()
        elif line.startswith(_TURNED):
            orientation = _ORIENTATIONS.get(line.removeprefix(_TURNED).strip(), "portrait")
        elif (found := _APPLICATION.fullmatch(line)) is not None:
            while builder.depth:
                builder.close()
            apps.append(AppInFront(bundle, int(found[2][:18]), found[3] or ""))
            builder.window(Window(0, bundle, pid=apps[-1].pid, title=apps[-1].label, focused=len(apps) == 1))
            builder.open("application", (0, 0, 0, 0), label=apps[-1].label, class_name="Application")
        else:
            _add(builder, line)
    if not len(builder):
        raise SourceError("the hierarchy has no nodes", seen=source[:160])
    tree = builder.build()
    size = next((tree.rect(at).size for at, role in enumerate(tree.roles) if role == "window"), Size(0, 0))
    app = apps[0] if apps else AppInFront("")
    return Snapshot("", 0.0, tree, Screen(size, orientation=orientation), app, source="xcode", platform="ios")


def _lines(source: str) -> Iterator[str]:
    """Logical lines: one that does not begin like any continues the words of the one before."""
    held = ""
    for line in source.replace("\r\n", "\n").split("\n"):
        begins = line.startswith((_BUNDLE, _TURNED, "Application UI orientation: ", "-----"))
        if begins or _FRONT.match(line) or _APPLICATION.match(line):
            yield from (held,) if held else ()
            held = "" if line.startswith(("Application UI", "-----")) else line
        elif held:
            held += f"\n{line}"
    yield from (held.rstrip("\n"),) if held.strip() else ()


def _add(builder: TreeBuilder, line: str) -> None:
    front = _FRONT.match(line)
    if front is None:
        return
    while builder.depth > len(front[1]):
        builder.close()
    states = NodeState.ENABLED | NodeState.VISIBLE
    rest = line[front.end() :]
    for _ in range(_MOST_FLAGS):
        back = _BACK.search(rest)
        if back is None:
            break
        if back["flag"] == "Disabled":
            states &= ~NodeState.ENABLED
        elif back["flag"]:
            states |= _FLAGS[back["flag"]]
        rest = rest[: back.start()]
    words = _words(rest)
    role = ROLE_OF.get(front[2], "other")
    states |= ABLE.get(role, NodeState(0))
    if front[2] == "SecureTextField":
        states |= NodeState.PASSWORD
    if role in ("switch", "checkbox", "radio") and words.get("value") == "1":
        states |= NodeState.CHECKED
    value = words.get("value", "")
    x, y, width, height = map(float, front.groups()[2:])
    builder.open(
        role,
        Rect.from_size(x, y, width, height),
        text=value if role == "text_field" else "",
        label=words.get("label", ""),
        identifier=words.get("identifier", ""),
        value=value if role != "text_field" else "",
        hint=words.get("hint", ""),
        class_name=front[2],
        states=int(states),
    )


def _words(rest: str) -> dict[str, str]:
    """Identifier, label, value and placeholder out of what stands between frame and flags."""
    found: list[tuple[str, int, int]] = []
    at = 0
    for name, begin in _WORDS:
        # A label may hold what looks like the begin of a later word, so that one is looked for from the back.
        place = rest.find(begin, at) if name in ("identifier", "label") else rest.rfind(begin, at)
        if place >= 0 and (name != "identifier" or place == 0):
            found.append((name, place, place + len(begin)))
            at = place + len(begin)
    ends = [*(place for _, place, _ in found[1:]), len(rest)]
    return {
        name: rest[start:end].removesuffix("'") if name != "value" else rest[start:end]
        for (name, _, start), end in zip(found, ends, strict=False)
    }
