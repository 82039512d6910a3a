"""Which app is in front, from the window manager."""

from __future__ import annotations

import re
from typing import NamedTuple

#: Asks for the focused window and activity, and whether the screen is on. `dumpsys window displays` is the small part
#: of it that has them since Android 10; before, it is `windows`.
ASK_FRONT = "dumpsys window displays | grep -E 'mCurrentFocus=|mFocusedApp='"
ASK_FRONT_OLD = "dumpsys window windows | grep -E 'mCurrentFocus=|mFocusedApp='"
ASK_AWAKE = "dumpsys power | grep -E 'mWakefulness='"

_FOCUS = re.compile(r"mCurrentFocus=Window\{\S+(?: \S+)? (?P<title>[^}]*)\}")
_APP = re.compile(r"mFocusedApp=.*?\b(?P<component>[\w.]+/[\w.$]+)")
_COMPONENT = re.compile(r"(?P<package>[\w.]+)/(?P<activity>[\w.$]+)")
_NOT_RESPONDING = re.compile(r"Application Not Responding: (?P<process>[\w.:]+)|Application Error: (?P<died>[\w.:]+)")


class Front(NamedTuple):
    """The focused window. `app` is "" where its title does not tell; `under` is the app whose activity has the focus,
    also below a window of the system."""

    app: str = ""
    activity: str = ""
    title: str = ""
    under: str = ""


def ask_front(sdk: int) -> str:
    return ASK_FRONT_OLD if 0 < sdk < 29 else ASK_FRONT


def read_front(text: str) -> Front:
    """The last focus that is told: there is one a display, and the default one comes last where others have none."""
    titles = [match["title"].strip() for match in _FOCUS.finditer(text)]
    components = [match["component"] for match in _APP.finditer(text)]
    title = titles[-1] if titles else ""
    under = components[-1] if components else ""
    told = _COMPONENT.fullmatch(title)
    if told is not None:
        return Front(told["package"], title, title, under.partition("/")[0])
    if _NOT_RESPONDING.match(title):
        return Front("android", "", title, under.partition("/")[0])
    if not title and under:
        return Front(under.partition("/")[0], under, "", under.partition("/")[0])
    return Front("", "", title, under.partition("/")[0])


def is_awake(text: str) -> bool:
    """Whether the screen is on; also where nothing is told."""
    return not re.search(r"mWakefulness=(?!Awake|Dreaming)", text)
