"""What each marker may be given. One function a marker: takes what the mark was given, returns its meaning.

A `TypeError` (wrong number or names of arguments) or `ValueError` says what was expected.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any


def _known(what: str, names: Iterable[Any], known: Iterable[str]) -> tuple[str, ...]:
    given = tuple(names)
    if not given:
        raise ValueError(f"names no {what}; give one or more of {', '.join(known)}")
    wrong = [name for name in given if name not in set(known)]
    if wrong:
        raise ValueError(f"unknown {what} {wrong[0]!r}; expected one of {', '.join(known)}")
    return given


def platforms(*names: str) -> tuple[str, ...]:
    from pytest_apex.model.screen import PLATFORMS

    return _known("platform", names, PLATFORMS)


def gestures(*names: str) -> tuple[str, ...]:
    from pytest_apex.backends.base import CAPABILITIES

    return _known("gesture", names, sorted(CAPABILITIES))


def requires(*, os: str = "", min_width_dp: float = 0, tag: str = "") -> dict[str, Any]:
    if not (os or min_width_dp or tag):
        raise ValueError("requires nothing; give os=, min_width_dp= or tag=")
    if not isinstance(os, str) or (os and not re.fullmatch(r"(>=|<=|==|>|<)\s*\d+(\.\d+)*", os)):
        raise ValueError(f'expected os=">=13" or alike, found os={os!r}')
    if isinstance(min_width_dp, bool) or not isinstance(min_width_dp, (int, float)) or min_width_dp < 0:
        raise ValueError(f"expected min_width_dp= a number, found {min_width_dp!r}")
    if not isinstance(tag, str):
        raise ValueError(f"expected tag= a text, found {tag!r}")
    return {"os": os, "min_width_dp": min_width_dp, "tag": tag}


def app(id: str, *, args: Sequence[str] | None = None, env: Mapping[str, str] | None = None,
        reset: str | None = None) -> dict[str, Any]:  # fmt: skip
    if not isinstance(id, str) or not id.strip():
        raise ValueError(f"expected the app's id, a text, found {id!r}")
    if args is not None and (isinstance(args, str) or not all(isinstance(arg, str) for arg in args)):
        raise ValueError(f"expected args= a list of texts, found {args!r}")
    if env is not None and not (
        isinstance(env, Mapping) and all(isinstance(part, str) for pair in env.items() for part in pair)
    ):
        raise ValueError("expected env= a dict of texts")
    if reset not in (None, "off", "data"):
        raise ValueError(f"expected reset= off or data, found {reset!r}")
    given = {"args": tuple(args) if args is not None else None, "env": env, "reset": reset}
    return {"id": id.strip(), **{name: value for name, value in given.items() if value is not None}}


def humanize(how: bool | str) -> str:
    if isinstance(how, bool):
        return "on" if how else "off"
    from pytest_apex.gestures.humanize import PERSONAS

    if how not in ("on", "off", *PERSONAS):
        raise ValueError(f"expected False or a persona ({', '.join(sorted(PERSONAS))}), found {how!r}")
    return how


def permissions(default: str = "", /, **each: str) -> tuple[str, dict[str, str]]:
    if not default and not each:
        raise ValueError('says nothing; give "allow", "deny" or "report", or camera="deny"')
    if default and default not in ("allow", "deny", "report"):
        raise ValueError(f"expected allow, deny or report, found {default!r}")
    for name, answer in each.items():
        if answer not in ("allow", "deny"):
            raise ValueError(f"expected {name}= allow or deny, found {answer!r}")
    return default, each


def allow_irreversible(*patterns: str) -> tuple[str, ...]:
    if not patterns or not all(isinstance(pattern, str) and pattern for pattern in patterns):
        raise ValueError('expected one or more patterns such as "intent:send-message"')
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
    try:
        return rule(*args, **kwargs)
    except TypeError as error:
        complaint = str(error).replace(f"{rule.__name__}()", "").strip()
        raise ValueError(f"{complaint}; it is written {written}") from None
