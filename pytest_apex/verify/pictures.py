"""What a capture's picture says of the app as a whole: one colour, black, blank."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from pytest_apex.model.geometry import Rect
from pytest_apex.model.node import Node, NodeState
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.verify.windows import foreground, is_home, is_splash
from pytest_apex.vision import color, ink

#: From this share of one colour on, an area counts as being of one colour.
UNIFORM = 0.995
#: The largest channel of what secure screens and screens that are off are black with.
_BLACK = 3
#: From so many controls on, a tree describes a screen.
_SOME = 3
#: Containers that say nothing by themselves; a tree of one of these describes no screen.
_EMPTY_ROLES = frozenset({"application", "window", "group", "other", "card", "scroll"})
_OUTSIDE = frozenset({"status_bar", "keyboard", "toast"})


@dataclass(frozen=True, slots=True)
class Ground:
    """The most frequent colour of the app's area and its share of it."""

    color: tuple[int, int, int]
    share: float

    @property
    def uniform(self) -> bool:
        return self.share > UNIFORM

    @property
    def black(self) -> bool:
        return self.uniform and max(self.color) <= _BLACK


def fits(look: Snapshot) -> bool:
    """Whether picture and tree have the same shape: another rotation or another screen's picture does not."""
    if look.picture is None or look.screen.size.width <= 0 or look.screen.size.height <= 0:
        return False
    across = look.picture.size.width / (look.screen.size.width * look.screen.scale)
    along = look.picture.size.height / (look.screen.size.height * look.screen.scale)
    return abs(across - 1) <= 0.01 and abs(along - 1) <= 0.01


def app_area(look: Snapshot) -> Rect:
    """Where apps are drawn: the screen without system bars and keyboard, in units of the tree."""
    area = look.screen.app_area
    for window in look.windows:
        if window.kind == "keyboard" and not window.bounds.is_empty:
            area = Rect(area.left, area.top, area.right, min(area.bottom, window.bounds.top))
    return area


def app_ground(look: Snapshot) -> Ground | None:
    """None without a picture that fits the tree, or without any area left for the app."""
    return _ground(look, app_area(look))


# Several rules ask for the ground of the same look, one after the other.
@lru_cache(maxsize=4)
def _ground(look: Snapshot, area: Rect) -> Ground | None:
    if look.picture is None or not fits(look):
        return None
    found = ink.ground_of(look.picture, area.scaled(look.screen.scale))
    return Ground(*found) if found is not None else None


def leaves(look: Snapshot) -> list[Node]:
    """Visible nodes without children that belong to apps and dialogs."""
    tree = look.tree
    return [
        Node(tree, index)
        for index in range(len(tree))
        if tree.ends[index] == index + 1
        and tree.states[index] & NodeState.VISIBLE
        and tree.roles[index] != "status_bar"
        and tree.windows[tree.window_of[index]].kind not in _OUTSIDE
    ]


def is_blind(look: Snapshot) -> bool:
    """A tree that describes nothing, beside a picture that shows something."""
    ends = leaves(look)
    if len(ends) > 1 or any(node.role not in _EMPTY_ROLES or node.text or node.label for node in ends):
        return False
    ground = app_ground(look)
    return ground is not None and not ground.uniform


def is_black(look: Snapshot) -> bool:
    """Whether the picture is black where the tree says that there is something, or black all over, system bars
    included: a secure screen, or one that is off."""
    ground = app_ground(look)
    if ground is None or not ground.black or _shows(look, ground):
        return False
    whole = _ground(look, look.screen.bounds)
    return len(leaves(look)) >= _SOME or (whole is not None and whole.black)


def blank(look: Snapshot) -> str:
    """What makes the app's area blank, in words; "" if it is not, or if nobody can tell (black, splash, no picture)."""
    front = foreground(look)
    if front is None or is_home(front.app, look) or is_splash(front):
        return ""
    ground = app_ground(look)
    if ground is None or not ground.uniform or _shows(look, ground) or is_black(look):
        return ""
    return f"{ground.share:.1%} of the app's area is {color.to_hex(ground.color)}"


def _shows(look: Snapshot, ground: Ground) -> bool:
    """Whether any control is drawn: a single short text on an empty page is no blank page."""
    if look.picture is None:
        return False
    area = app_area(look)
    for node in leaves(look):
        box = node.bounds.intersect(area)
        drawn = (
            node.text or node.label or node.role not in ("group", "other", "window", "application", "scroll", "list")
        )
        if drawn and not box.is_empty and ink.differs(look.picture, box.scaled(look.screen.scale), ground.color):
            return True
    return False
