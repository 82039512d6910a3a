"""An exception as the facts that the judge reads."""

from __future__ import annotations

import traceback
from dataclasses import replace
from pathlib import Path

from pytest_apex.device.examining import webdriver_errors
from pytest_apex.errors import ApexError, CheckFailed, TargetNotFound, TargetObscured, TargetProblem
from pytest_apex.model.case import Failure

_KINDS = {
    "target_not_found": "functional.missing_element",
    "target_obscured": "functional.not_reachable",
    "target_off_screen": "functional.not_reachable",
    "target_disabled": "functional.wrong_state",
    "no_effect": "functional.no_effect",
    "assertion": "functional.assertion",
    # Nobody's mistake but the device's, and none that has a name.
    "device_problem": "unsure.device_problem",
}
_PACKAGE = Path(__file__).parents[2]
#: What a wrong argument may well raise in the first function of ours that it reaches.
_OF_ARGUMENTS = (TypeError, ValueError, AttributeError)


def failure_of(error: BaseException, phase: str = "call") -> Failure:
    """What failed, in facts; `phase` is pytest's: setup, call or teardown."""
    if isinstance(error, CheckFailed) and error.failure is not None:
        return replace(error.failure, phase=phase)
    ours = _where_we_failed(error)
    if ours:
        words = f"pytest-apex itself failed at {ours}: {type(error).__name__}: {_words_of(error, 'error')}"
        name = type(error).__name__
        return Failure("error", words, phase, "unsure.internal_error", exception=name, source=_line_of(error))
    kind = _type_of(error)
    facts: dict[str, object] = {}
    if isinstance(error, TargetProblem):
        facts["target"] = str(error.target) if error.target is not None else ""
        facts["because"] = error.because
    if isinstance(error, TargetNotFound):
        facts["near_misses"] = tuple(str(node) for node in error.near_misses)
    if isinstance(error, TargetObscured) and error.obscured is not None and error.obscured.by is not None:
        facts["covered_by"] = str(error.obscured.by)
        facts["covered_by_app"] = error.obscured.by.window.app
    failure = Failure(
        type=kind,
        message=_words_of(error, kind),
        phase=phase,
        kind=_KINDS.get(kind, ""),
        exception=type(error).__name__,
        source=_line_of(error),
    )
    return replace(failure, **facts)  # type: ignore[arg-type]


def root_of(error: BaseException) -> BaseException:
    """The error that tells what failed: a page object may raise one of its own from it (`raise … from error`), and a
    group holds several; of those the first that is about the app or the device."""
    inside = getattr(error, "exceptions", None)
    if isinstance(inside, (list, tuple)) and inside and isinstance(error, Exception):
        roots = [root_of(one) for one in inside if isinstance(one, BaseException)]
        return next((one for one in roots if _type_of(one) != "error"), error)
    seen: set[int] = set()
    cause: BaseException | None = error if isinstance(error, Exception) else None
    while cause is not None and id(cause) not in seen:
        if _type_of(cause) != "error":
            return cause
        seen.add(id(cause))
        cause = cause.__cause__
    return error


#: What errors of other libraries are, where a suite uses those itself: by library and class.
_OF_OTHERS = {
    ("uiautomator2", "UiObjectNotFoundError"): "target_not_found",
    ("uiautomator2", "XPathElementNotFoundError"): "target_not_found",
    ("uiautomator2", "ConnectError"): "device_lost",
    ("uiautomator2", "AdbShellError"): "device_lost",
    ("uiautomator2", "HTTPError"): "driver_dead",
    ("uiautomator2", "UiAutomationError"): "driver_dead",
    ("adbutils", "AdbError"): "device_lost",
}


def _type_of(error: BaseException) -> str:
    if isinstance(error, ApexError):
        return error.failure_type
    for kind in type(error).__mro__:
        known = _OF_OTHERS.get((kind.__module__.partition(".")[0], kind.__name__))
        if known is not None:
            return known
    if webdriver_errors.is_of_client(error):
        return webdriver_errors.type_of(error)
    return "assertion" if isinstance(error, AssertionError) else "error"


def _where_we_failed(error: BaseException) -> str:
    """File and line of pytest-apex that broke by a mistake of its own; "" for all else: errors that we raise on purpose
    have a type of ours, and those of a test, of its callbacks or of a library end in their lines."""
    if isinstance(error, ApexError) or not isinstance(error, Exception):
        return ""
    frames = traceback.extract_tb(error.__traceback__)
    depth = next((at for at, frame in enumerate(reversed(frames)) if not _is_ours(frame.filename)), len(frames))
    if not depth or (depth == 1 and isinstance(error, _OF_ARGUMENTS)):
        return ""
    last = frames[-1]
    return f"{Path(last.filename).relative_to(_PACKAGE.parent).as_posix()}:{last.lineno}"


def _is_ours(file: str) -> bool:
    """Whether it is a file of the package. The contract for backends asserts on behalf of its user."""
    path = Path(file)
    return path.is_relative_to(_PACKAGE) and not path.is_relative_to(_PACKAGE / "testing")


def _words_of(error: BaseException, kind: str) -> str:
    """Its text; for a control that another library did not find, its selector alone: uiautomator2 tells a dict."""
    if webdriver_errors.is_of_client(error):
        return webdriver_errors.words_of(error)
    told = error.args[0] if error.args else ""
    if kind == "target_not_found" and not isinstance(error, ApexError):
        selector = str(told.get("data", "") if isinstance(told, dict) else error).removeprefix("Selector ")
        return f"no control fits {selector[2:-1] if selector.startswith('#(') else selector or '?'}"
    try:
        return str(error) or type(error).__name__
    except Exception as trouble:  # noqa: BLE001 - an error of the suite that can't tell what it is
        return f"{type(error).__name__}, which can't be told ({type(trouble).__name__} in its __str__)"


def _line_of(error: BaseException) -> str:
    """The test's own line, or that of its page object: not one of a library that it uses."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if "pytest_apex" not in frame.filename]
    outside = [frame for frame in own if "site-packages" not in frame.filename] or own
    return f"{outside[-1].filename}:{outside[-1].lineno}" if outside else ""
