"""Rule 2: is what this check needs broken on the side of device or driver?"""

from __future__ import annotations

from pytest_apex.model.case import Case, HarnessEvent
from pytest_apex.verify.dialogs import error_dialog, names_app
from pytest_apex.verify.lag import lag_in
from pytest_apex.verify.pictures import is_black, is_blind, leaves
from pytest_apex.verify.rules.base import Rule, Ruling
from pytest_apex.verify.rules.crash import ended_from_outside
from pytest_apex.verify.rules.facts import (
    after,
    began,
    cure_told,
    headline,
    label_of,
    needs,
    reads_screen,
    subject,
    told,
)

#: Exceptions that only a mistake in the test raises, with a device or without.
_MISTAKES = frozenset(
    {
        "NameError", "AttributeError", "KeyError", "IndexError", "TypeError", "ImportError", "ModuleNotFoundError",
        "UnboundLocalError", "ZeroDivisionError", "SyntaxError", "RecursionError", "FixtureLookupError",
    }
)  # fmt: skip
#: Failures that no device has a part in.
_NOT_OF_THE_APP = frozenset({"config", "capability", "skipped"})
_CURES = {
    "device_lost": "check cable, power and adb, then run it again",
    "driver_dead": "restart the driver on the device, then run it again",
    "foreign_input": "keep hands and other tools off the device",
    "stale_tree": "run it again; if it stays, restart the driver on the device",
}


def ask(case: Case) -> Ruling:
    """Decides only if what the failed question reads is what is broken."""
    asked = (
        _gone,
        _restarted,
        _locked,
        _full,
        _ended_outside,
        _asleep,
        _text_lost,
        _events,
        _blind,
        _stale,
        _secure,
        _other_app,
    )
    for ruling in (question(case) for question in asked):
        if ruling is not None:
            return ruling
    recovered = [event for event in case.harness if event.recovered and event.at >= began(case)]
    notes = tuple(f"harness.{event.what}: {event.detail or 'recovered'}" for event in recovered)
    return Ruling("no: device and driver give what this check needs", notes=notes)


def _ruling(what: str, detail: str, reason: str) -> Ruling:
    return Ruling(f"yes: {what.replace('_', ' ')}", (detail,) if detail else (), f"transient.harness.{what}", reason)


def _gone(case: Case) -> Ruling | None:
    """No answer from device or driver."""
    broken = [event for event in _unrecovered(case) if event.what in ("device_lost", "driver_dead")]
    if case.failure.type in ("device_lost", "driver_dead"):
        what = case.failure.type
    elif case.now is None and broken and (needs(case) or _may_come_from_device(case)):
        what = broken[-1].what
    else:
        return None
    detail = next((event.detail for event in reversed(broken) if event.what == what), case.failure.message)
    name = "the device was lost" if what == "device_lost" else "the driver on the device is dead"
    cure = cure_told(case) if case.failure.type == what else ""
    return _ruling(what, detail.split("\n")[0], f"{name} and did not come back: {cure or _CURES[what]}")


def _restarted(case: Case) -> Ruling | None:
    """The app ended with the device, whatever it was about to do."""
    if case.failure.type != "device_restarted":
        return None
    return _ruling("device_restarted", told(case), f"{headline(case)}: {cure_told(case) or 'run it again'}")


def _locked(case: Case) -> Ruling | None:
    """Nobody but its user can unlock it; the app is behind the lock screen, and nothing is known of it."""
    if case.failure.type != "screen_locked":
        return None
    reason = f"{headline(case)}: {cure_told(case) or 'unlock it by hand'}"
    return Ruling("yes: the screen is locked", (told(case),), "transient.blocked", reason)


def _full(case: Case) -> Ruling | None:
    """What the test puts on the device has no room there, and so may what the app writes."""
    if case.failure.type != "storage_full":
        return None
    reason = f"{headline(case)}: {cure_told(case) or 'free some space on the device'}"
    return Ruling("yes: the device's storage is full", (told(case),), "transient.environment", reason)


def _ended_outside(case: Case) -> Ruling | None:
    """Somebody else ended the app: whatever failed since then says nothing of it."""
    app = subject(case)
    record = ended_from_outside(case, app) if app and case.failure.type not in _NOT_OF_THE_APP else None
    if record is None or case.pid_now == record.pid:
        return None
    detail = f"{record.source or 'record'} of pid {record.pid}: {record.reason or 'asked for by a user or tool'}"
    reason = f"another run or tool ended {app}{after(case)}: {_CURES['foreign_input']}"
    return _ruling("foreign_input", detail, reason)


def _asleep(case: Case) -> Ruling | None:
    """A screen that went off by itself shows nothing and takes no touch; off by the test's own key it is its doing."""
    off = case.now is not None and not case.now.screen.awake
    if not off or not (reads_screen(case) or case.failure.type == "refused"):
        return None
    if case.last_touch is not None and case.last_touch.verb == "press":
        return None
    cure = "let it stay on (Android: 'Stay awake' in the developer options), or call device.wake()"
    return Ruling("yes: the screen is off", (headline(case),), "transient.blocked", f"the screen went off: {cure}")


def _text_lost(case: Case) -> Ruling | None:
    """Letters that got lost or changed between the tool and the field say nothing of the app."""
    if case.failure.type != "text_lost":
        return None
    return _ruling("lost_text", told(case), f"{headline(case)}; run it again, or look at the keyboard of the device")


def _may_come_from_device(case: Case) -> bool:
    """A vendor's exception may be the lost device speaking; a NameError never is."""
    return case.failure.type == "error" and case.failure.exception not in _MISTAKES


def _unrecovered(case: Case) -> list[HarnessEvent]:
    return [event for event in case.harness if not event.recovered and event.at >= began(case)]


def _events(case: Case) -> Ruling | None:
    """Trouble that was noticed and not overcome."""
    reads = needs(case)
    decides = {"stale_tree": "tree", "blind_tree": "tree", "secure_image": "picture"}
    for event in _unrecovered(case):
        if event.what == "foreign_input" and reads_screen(case):
            where = event.detail or "a touch that the test did not send"
            return _ruling("foreign_input", event.detail, f"{where} came in between: {_CURES['foreign_input']}")
        if decides.get(event.what) == reads:
            word = event.what.replace("_", " ")
            cure = _CURES.get(event.what, "look at the capture")
            return _ruling(event.what, event.detail, f"{word}, so that this check could not be made: {cure}")
    return None


def _blind(case: Case) -> Ruling | None:
    """One node, and none that says anything, beside a picture that shows a screen."""
    if needs(case) != "tree" or case.now is None or not is_blind(case.now):
        return None
    detail = f"{len(case.now)} nodes beside a picture that is not of one colour"
    return _ruling("blind_tree", detail, "the driver sees no controls, though the picture shows some: restart it")


def _stale(case: Case) -> Ruling | None:
    """Texts in the tree of which the picture shows none."""
    if needs(case) != "tree" or case.now is None:
        return None
    lag = lag_in(case.now)
    reason = f"the tree is of another screen than the picture: {_CURES['stale_tree']}"
    return _ruling("stale_tree", lag.words, reason) if lag is not None else None


def _secure(case: Case) -> Ruling | None:
    """No picture, or a black one of a screen that holds something."""
    if needs(case) != "picture" or case.now is None:
        return None
    if case.now.picture is None:
        return _ruling("secure_image", "no picture", "no picture could be taken, so that this check could not be made")
    if not is_black(case.now):
        return None
    reason = "the picture is black, as secure screens are: check it by its texts, or in a build without FLAG_SECURE"
    return _ruling("secure_image", f"black picture beside {len(leaves(case.now))} controls", reason)


def _other_app(case: Case) -> Ruling | None:
    """A crash or freeze dialog of another app that is still there."""
    dialog = error_dialog(case.now) if case.now is not None and reads_screen(case) else None
    app = subject(case)
    if dialog is None or names_app(dialog, app, label_of(case, app)):
        return None
    seen = f'system dialog "{dialog.title}" over the app'
    return _ruling("other_app", seen, f'another app\'s trouble covers the screen: "{dialog.title}"; close the dialog')


RULE = Rule("harness", "Is what this check needs broken on the side of device or driver?", ask)
