"""What each marker may be given. One function a marker: takes what the mark was given, returns its meaning.

A `TypeError` (wrong number or names of arguments) or `ValueError` says what was expected.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any


def _all_right(*wrong: str) -> None:
    """Raise `ValueError` with every complaint that is one."""
    told = [complaint for complaint in wrong if complaint]
    if told:
        raise ValueError("; ".join(told))


def _known(what: str, names: Iterable[Any], known: Iterable[str]) -> tuple[str, ...]:
    given, known = tuple(names), tuple(known)
    wrong = ", ".join(repr(name) for name in given if name not in known)
    _all_right(
        "" if given else f"names no {what}; give one or more of {', '.join(known)}",
        f"unknown {what} {wrong}; expected one of {', '.join(known)}" if wrong else "",
    )
    return given


def platforms(*names: str) -> tuple[str, ...]:
    from pytest_apex.model.screen import PLATFORMS

    return _known("platform", names, PLATFORMS)


def gestures(*names: str) -> tuple[str, ...]:
    from pytest_apex.backends.base import CAPABILITIES

    return _known("gesture", names, sorted(CAPABILITIES))


def requires(*, os: str = "", min_width_dp: float = 0, tag: str = "") -> dict[str, Any]:
    right_os = isinstance(os, str) and (not os or re.fullmatch(r"(>=|<=|==|>|<)\s*\d+(\.\d+)*", os))
    right_width = not isinstance(min_width_dp, bool) and isinstance(min_width_dp, (int, float)) and min_width_dp >= 0
    _all_right(
        "" if os or min_width_dp or tag else "requires nothing; give os=, min_width_dp= or tag=",
        "" if right_os else f'expected os=">=13" or alike, found os={os!r}',
        "" if right_width else f"expected min_width_dp= a number, found {min_width_dp!r}",
        "" if isinstance(tag, str) else f"expected tag= a text, found {tag!r}",
    )
    return {"os": os, "min_width_dp": min_width_dp, "tag": tag}


def app(id: str, *, args: Sequence[str] | None = None, env: Mapping[str, str] | None = None,
        reset: str | None = None) -> dict[str, Any]:  # fmt: skip
    right_id = isinstance(id, str) and id.strip()
    _all_right(
        "" if right_id else f"expected the app's id, a text, found {id!r}",
        "" if args is None or _are_texts(args) else f"expected args= a list of texts, found {args!r}",
        "" if env is None or _maps_texts(env) else "expected env= a dict of texts",
        ""
        if reset in (None, "off", "data", "reinstall")
        else f"expected reset= off, data or reinstall, found {reset!r}",
    )
    given = {"args": tuple(args) if args is not None else None, "env": env, "reset": reset}
    return {"id": id.strip(), **{name: value for name, value in given.items() if value is not None}}


def _are_texts(value: object) -> bool:
    return isinstance(value, (list, tuple)) and all(isinstance(item, str) for item in value)


def _maps_texts(value: object) -> bool:
    return isinstance(value, Mapping) and all(isinstance(part, str) for pair in value.items() for part in pair)


def humanize(how: bool | str) -> str:
    if isinstance(how, bool):
        return "on" if how else "off"
    from pytest_apex.gestures.humanize import PERSONAS

    if how not in ("on", "off", *PERSONAS):
        raise ValueError(f"expected False or a persona ({', '.join(sorted(PERSONAS))}), found {how!r}")
    return how


def permissions(default: str = "", /, **each: str) -> tuple[str, dict[str, str]]:
    _all_right(
        "" if default or each else 'says nothing; give "allow", "deny" or "report", or camera="deny"',
        "" if default in ("", "allow", "deny", "report") else f"expected allow, deny or report, found {default!r}",
        *(
            f"expected {name}= allow or deny, found {answer!r}"
            for name, answer in each.items()
            if answer not in ("allow", "deny")
        ),
    )
    return default, each


def allow_irreversible(*patterns: str) -> tuple[str, ...]:
    from pytest_apex.verify.irreversible import complaint

    _all_right(
        "" if patterns else 'expected one or more patterns such as "intent:send-message"', *map(complaint, patterns)
    )
    return patterns


def app_manual(name: str) -> str:
    if not isinstance(name, str) or not name:
        raise ValueError(f"expected the manual's name, found {name!r}")
    return name


def retry_transient(times: int) -> int:
    if isinstance(times, bool) or not isinstance(times, int) or times < 0:
        raise ValueError(f"expected how many times, 0 or more, found {times!r}")
    return times


#: Marker name → (its rule, how it is written, what it says).
RULES: Mapping[str, tuple[Callable[..., Any], str, str]] = {
    "platforms": (platforms, "platforms(*names)", "run only on one of these platforms"),
    "gestures": (gestures, "gestures(*names)", "run only on a device that can do all of these"),
    "requires": (requires, "requires(os, min_width_dp, tag)", "run only on a device that has all of this"),
    "app": (app, "app(id, args, env, reset)", "the application under test, how it is launched, what it forgets"),
    "humanize": (humanize, "humanize(how)", "False, or the persona whose hand this test has"),
    "permissions": (permissions, "permissions(default, **each)", "what to answer permission dialogs"),
    "allow_irreversible": (allow_irreversible, "allow_irreversible(*patterns)",
                           "what this test may do that can't be undone"),
    "app_manual": (app_manual, "app_manual(name)", "the app manual to use"),
    "retry_transient": (retry_transient, "retry_transient(n)", "how often a transient failure may run again"),
}  # fmt: skip


def meaning(name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """What a mark means. Raises `ValueError` with one sentence if it means nothing."""
    rule, written, _says = RULES[name]
    unknown = _unknown_names(rule, kwargs)
    known = {key: value for key, value in kwargs.items() if key not in unknown}
    wrong = [f"got an unexpected keyword argument {key!r}; it is written {written}" for key in unknown]
    if wrong and not args and not known:
        raise ValueError("; ".join(wrong))
    try:
        meant = rule(*args, **known)
    except TypeError as error:
        complaint = str(error).replace(f"{rule.__name__}()", "").strip()
        raise ValueError("; ".join([*wrong, f"{complaint}; it is written {written}"])) from None
    except ValueError as error:
        wrong.append(str(error))
    if wrong:
        raise ValueError("; ".join(wrong))
    return meant


def _unknown_names(rule: Callable[..., Any], names: Iterable[str]) -> list[str]:
    parameters = inspect.signature(rule).parameters
    if any(parameter.kind is inspect.Parameter.VAR_KEYWORD for parameter in parameters.values()):
        return []
    return [name for name in names if name not in parameters]
