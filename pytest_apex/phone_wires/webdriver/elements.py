"""Names of elements: given when one is found, good until it is gone from the screen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pytest_apex.phone.phone import Phone
from pytest_apex.phone_wires.webdriver.faults import Fault

#: The key of an element in JSON, by the W3C standard.
ELEMENT_KEY = "element-6066-11e4-a52e-4f735466cecf"
_MOST_KEPT = 5000


@dataclass(frozen=True, slots=True)
class Mark:
    """What makes a node the same one in a later tree: its window, its place in the app's layout, and the how manieth
    it is of that place."""

    app: str
    pid: int
    window: str
    place: str
    nth: int


def marks(phone: Phone) -> Sequence[Mark]:
    """Of all nodes of the tree of this moment, by index."""
    tree, scene = phone.tree(), phone.scene()
    sources = scene.sources if scene.tree is tree else ()
    seen: dict[tuple[str, int, str, str], int] = {}
    found = []
    for index in range(len(tree.parents)):
        window = tree.windows[tree.window_of[index]]
        if sources:
            place = f"{sources[index].box.key} {tree.classes[index]}"
        else:  # a tree that is not the screen's: all there is to go by is what it tells
            place = f"{tree.identifiers[index]} {tree.classes[index]} {tree.texts[index]} {tree.labels[index]}"
        key = (window.app, window.pid, f"{window.kind} {window.title}", place)
        seen[key] = nth = seen.get(key, -1) + 1
        found.append(Mark(*key, nth))
    return found


class Elements:
    """The names that one session has given."""

    def __init__(self, token: str) -> None:
        self._token = token
        self._names: dict[Mark, str] = {}
        self._marks: dict[str, Mark] = {}

    def name(self, mark: Mark) -> str:
        """The name of an element; the same one as long as it is there."""
        name = self._names.get(mark)
        if name is None:
            name = f"{self._token}-0000-{len(self._marks):04x}-0000-{'0' * 12}"
            self._names[mark], self._marks[name] = name, mark
            if len(self._names) > _MOST_KEPT:
                self._names.pop(next(iter(self._names)))
        return name

    def index(self, phone: Phone, name: str) -> int:
        """Where it is in the tree of this moment. Raises `Fault`."""
        mark = self._marks.get(name)
        if mark is None:
            raise Fault("no such element", f"The element '{name[:100]}' does not exist in this session")
        try:
            return marks(phone).index(mark)
        except ValueError:
            raise Fault("stale element reference", f"The element '{name}' is not on the screen any more") from None
