"""Rule 4: does something lie over what was asked, or is the app not in front?"""

from __future__ import annotations

import re

from pytest_apex.hierarchy.names import cut, short_id
from pytest_apex.model.case import Case
from pytest_apex.model.node import Node
from pytest_apex.model.snapshot import LOCK_SCREEN, Snapshot, Window
from pytest_apex.verify.dialogs import permission_dialog
from pytest_apex.verify.pictures import is_blind
from pytest_apex.verify.rules.base import Rule, Ruling
from pytest_apex.verify.rules.facts import (
    after,
    headline,
    in_front,
    is_missing,
    loading_signs,
    reads_screen,
    subject,
    texts_of,
)
from pytest_apex.verify.windows import dialog_of, foreground, is_home

#: A window of another process this large hides the app, focused or not.
_HIDES = 0.5
#: Words by which a dialog tells of an error. Part of a word counts ("failed", "fehlgeschlagen").
_ERROR = re.compile(
    r"error|fail|could ?n[o']t|cannot|can[’']t|couldn[’']t|unable|wrong|problem|invalid|denied|refused|try again|"
    r"not available|no connection|expired|fehler|fehlgeschlagen|(konnten?|kann) nicht|keine verbindung|ungültig|"
    r"abgelaufen|erreur|échec|impossible|fallo|no se pudo|erro\b|errore|ошибка|не удалось|错误|失败|エラー|失敗|오류|"
    r"خطأ|فشل|تعذر",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"(cannot|can[’']t|can not) be (undone|reversed|restored|recovered)|kann nicht (rückgängig|wiederhergestellt)",
    re.IGNORECASE,
)
#: What is said of a control that is there, and not as it was expected to be.
_AS_EXPECTED = frozenset({"functional.wrong_value", "functional.wrong_state"})
#: Acts by which a test itself may leave the app.
_LEAVING = frozenset({"press", "activate", "open_url", "launch", "background", "stop"})


def ask(case: Case) -> Ruling:
    """What the manual knows of, what covers the target, then windows of other processes, then an app in the background,
    then its own dialogs."""
    if not reads_screen(case):
        return Ruling("no: the check does not read the screen")
    looks = (_environment, _interrupted, _covered, _foreign_window, _not_in_front, _own_dialog)
    for look in looks:
        ruling = look(case)
        if ruling is not None:
            return ruling
    return Ruling("no: nothing lies over it")


# Trouble around the app


def _environment(case: Case) -> Ruling | None:
    """A screen that the app's manual lists; a device without network, where that may well be what is missing."""
    if case.environment:
        reason = f"trouble around the app, by its manual{after(case)}: {case.environment}"
        return Ruling("yes: trouble around the app", (case.environment,), "transient.environment", reason)
    dialog = dialog_of(case.now, subject(case)) if case.now is not None else None
    failed = dialog is not None and tells_of_error(texts_of(dialog))
    lacking = is_missing(case) and not case.failure.near_misses
    if not case.offline or not (failed or lacking or loading_signs(case)):
        return None
    reason = f"{headline(case)}, and the device has no network: switch it on, or mark what needs none"
    return Ruling("yes: the device has no network", ("the device has no network",), "transient.environment", reason)


# Interruptions that the manual knows


def _interrupted(case: Case) -> Ruling | None:
    """One that would not go, over what was asked for."""
    lacks = is_missing(case) or case.failure.covered_by or case.failure.type in ("target_obscured", "target_off_screen")
    if not case.interrupted or not lacks:
        return None
    reason = f"an interruption that the manual knows is in the way{after(case)}: {case.interrupted}"
    return Ruling("yes: a known interruption is in the way", (case.interrupted,), "transient.blocked", reason)


# What covers the target


def _covered(case: Case) -> Ruling | None:
    failure = case.failure
    if not failure.covered_by:
        return None
    app, owner = subject(case), failure.covered_by_app
    seen = f"covered by {failure.covered_by}" + (f" of {owner}" if owner else "")
    if _is_keyboard(case, owner):
        reason = f"{headline(case)}: the keyboard lies over it; call device.hide_keyboard() first"
        return Ruling("yes: the keyboard covers it", (seen,), "transient.keyboard", reason)
    if owner and app and owner != app:
        return _blocked(case, owner, seen)
    dialog = dialog_of(case.now, app) if case.now is not None else None
    if dialog is not None and tells_of_error(texts_of(dialog)):
        return _error_shown(case, dialog)
    reason = f"{headline(case)}: {failure.covered_by} of the app lies over it and takes the touch"
    return Ruling("yes: the app itself covers it", (seen,), "functional.not_reachable", reason)


def _is_keyboard(case: Case, owner: str) -> bool:
    by = case.failure.covered_by
    if "(keyboard" in by or "(key at" in by or by.startswith("keyboard"):
        return True
    windows = case.now.windows if case.now is not None else ()
    return bool(owner) and any(window.kind == "keyboard" and window.app == owner for window in windows)


def _blocked(case: Case, owner: str, seen: str) -> Ruling:
    look = case.now
    if look is not None and any(window.title == LOCK_SCREEN and window.focused for window in look.windows):
        reason = f"the screen was locked{after(case)}: unlock it; a test phone is best without a screen lock"
        return Ruling("yes: the lock screen is in the way", (seen,), "transient.blocked", reason)
    asks = permission_dialog(look) if look is not None else None
    dialog = dialog_of(look, owner) if look is not None else None
    words = f' ("{cut(texts_of(dialog), 120)}")' if dialog is not None and texts_of(dialog) else ""
    what, cure = f"a window of {owner}{words}", "close it, or dismiss it in the test"
    if asks is not None and asks.app == owner:
        what, cure = f"a permission dialog of {owner}{words}", "run with --apex-permissions=allow (or deny)"
    elif dialog is not None and look is not None and look.platform != "android":
        cure = "run with --apex-permissions=allow if it asks for a permission, else answer it in the test"
    return Ruling(
        f"yes: {owner} is in the way",
        (seen,),
        "transient.blocked",
        f"{what} is in the way{after(case)}: {cure}",
    )


# Windows of other processes, and the app in the background


def _foreign_window(case: Case) -> Ruling | None:
    app, look = subject(case), case.now
    # A blind tree calls its one node whatever it likes, often the system's.
    if not app or look is None or is_blind(look):
        return None
    window = foreground(look)
    if window is None or window.app in ("", app) or is_home(window.app, look) or _opened_by_test(case, window.app):
        return None
    if not (window.focused or window.app == case.in_front or _share(look, window) >= _HIDES):
        return None
    return _blocked(case, window.app, f'window "{window.title or window.kind}" of {window.app} over {app}')


def _share(look: Snapshot, window: Window) -> float:
    area = look.screen.app_area
    bounds = window.bounds if not window.bounds.is_empty else look.screen.bounds
    return bounds.intersect(area).area / area.area if area.area else 0.0


def _not_in_front(case: Case) -> Ruling | None:
    app, front = subject(case), in_front(case)
    if not app or not front or front == app:
        return None
    seen = f"{front} is in front"
    if left_by_test(case) or _opened_by_test(case, front):
        return None
    if not is_home(front, case.now):
        return _blocked(case, front, seen)
    reason = f"{app} left the screen by itself{after(case)}: it lives, but the home screen is in front"
    return Ruling("yes: the app left by itself", (seen,), "functional.left_app", reason)


def left_by_test(case: Case) -> bool:
    """Whether the test's last act may itself have sent the app away."""
    own = [event.what for event in case.processes if event.by_test]
    touched = case.last_touch is not None and case.last_touch.verb in _LEAVING
    return touched or own[-1:] in (["background"], ["stopped"])


def _opened_by_test(case: Case, app: str) -> bool:
    """Whether the test itself went to another app."""
    return any(event.by_test and event.what == "launched" and event.app == app for event in case.processes)


# Dialogs of the app itself


def _own_dialog(case: Case) -> Ruling | None:
    """An error dialog is the app's answer where a control that is not in it was looked for, or is not as expected: it
    may still be in the tree beneath."""
    asked = is_missing(case) or (case.failure.target and case.failure.kind in _AS_EXPECTED)
    dialog = dialog_of(case.now, subject(case)) if case.now is not None and asked else None
    if dialog is None or not tells_of_error(texts_of(dialog)) or _names(case.failure.target, dialog):
        return None
    near = any(str(node) in case.failure.near_misses for node in dialog.descendants)
    # A near miss inside: the dialog was expected, and the test's word for it is not quite right.
    return None if near else _error_shown(case, dialog)


def _names(target: str, dialog: Node) -> bool:
    """Whether the words of a target are those of the dialog itself, or of something in it."""
    return any(
        word and (f'"{word}"' in target or f"'{word}'" in target)
        for node in (dialog, *dialog.descendants)
        for word in (node.text, node.label, node.identifier, short_id(node.identifier))
    )


def tells_of_error(text: str) -> bool:
    """Whether a dialog's words tell of an error; what can't be undone only asks."""
    return bool(_ERROR.search(_ASKS.sub("", text)))


def _error_shown(case: Case, dialog: Node) -> Ruling:
    text = texts_of(dialog)[:200]
    return Ruling(
        "yes: the app shows an error",
        (f'dialog of the app: "{text}"',),
        "functional.error_shown",
        f'the app shows an error{after(case)}: "{text}"',
    )


RULE = Rule("in the way", "Does something lie over what was asked, or is the app not in front?", ask)
