"""Text of an option → its value. Each function takes the text and the folder that relative paths count from.

A text that can't be used raises `ValueError`; its message says what was expected and reads on after
`--apex-timeout=soon (command line): `.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

Parse: TypeAlias = Callable[[Any, Path], Any]

_TRUE = frozenset({"1", "true", "yes", "on"})
_FALSE = frozenset({"0", "false", "no", "off"})

#: What `--apex-fail-on` may name, and what it may never leave out.
FAIL_ON = ("functional", "visual", "crash", "transient", "unsure")
ALWAYS_FAIL = ("functional", "crash")


def _choose(options: Sequence[str]) -> str:
    return f"expected {', '.join(options[:-1])} or {options[-1]}"


def text(value: str, _base: Path) -> str:
    return value.strip()


def one_of(*options: str) -> Parse:
    """Exactly one of the words."""

    def parse(value: str, _base: Path) -> str:
        word = value.strip().lower()
        if word not in options:
            raise ValueError(_choose(options))
        return word

    return parse


def switch(value: str, _base: Path) -> bool:
    """`on` or `off`, and the other usual words for them."""
    word = value.strip().lower()
    if word not in _TRUE | _FALSE:
        raise ValueError("expected on or off")
    return word in _TRUE


def humanize(value: str, _base: Path) -> str:
    """`on`, `off` or a persona; environment variables say `true` and `false`."""
    word = value.strip().lower()
    if word in _TRUE:
        return "on"
    if word in _FALSE:
        return "off"
    from pytest_apex.gestures.humanize import PERSONAS

    if word not in PERSONAS:
        raise ValueError(f"expected on, off or a persona ({', '.join(sorted(PERSONAS))})")
    return word


def whole(minimum: int) -> Parse:
    """A whole number, `minimum` or more."""

    def parse(value: str, _base: Path) -> int:
        if not re.fullmatch(r"\d+", value.strip()) or int(value) < minimum:
            raise ValueError(f"expected a whole number, {minimum} or more")
        return int(value)

    return parse


def positive(unit: str) -> Parse:
    """A number above zero, in `unit`."""

    def parse(value: str, _base: Path) -> float:
        try:
            number = float(value)
        except ValueError:
            number = -1.0
        if not 0 < number < float("inf"):
            raise ValueError(f"expected {unit}, a number above 0")
        return number

    return parse


def share(value: str, _base: Path) -> float:
    """`5%` → 0.05."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*%", value.strip())
    if match is None or float(match[1]) > 100:
        raise ValueError("expected a share of the device tests, such as 5%")
    return float(match[1]) / 100


def new_folder(value: str, base: Path) -> str:
    """A folder to write into: it need not exist, but nothing else may stand there."""
    path = Path(folder(value, base))
    stands = next(part for part in (path, *path.parents) if part.exists())
    if not os.access(stands, os.W_OK):
        raise ValueError(f"expected a folder that may be written, but {stands} may not")
    return str(path)


def new_file(value: str, base: Path) -> str:
    """A file to write, as `path`: what stands there must be no folder, and what stands above it none but folders."""
    file = Path(path(value, base))
    if file.is_dir():
        raise ValueError(f"expected a file, but {file} is a folder")
    new_folder(str(file.parent), base)
    return str(file)


def folder(value: str, base: Path) -> str:
    """A folder that may be there or not; nothing else may stand there."""
    if not value.strip():
        raise ValueError("expected a folder")
    path = (base / value.strip()).absolute()
    stands = next(part for part in (path, *path.parents) if part.exists())
    if not stands.is_dir():
        raise ValueError(f"expected a folder, but {stands} is a file")
    return str(path)


def folders(value: Sequence[str], base: Path) -> tuple[str, ...]:
    """Folders that are there; all that are not are told at once."""
    paths = [(base / entry.strip()).absolute() for entry in value]
    missing = [str(path) for path in paths if not path.is_dir()]
    if missing:
        raise ValueError(f"there is no folder {', '.join(missing)}")
    return tuple(map(str, paths))


def path(value: str, base: Path) -> str:
    """A file or folder that need not be there yet."""
    if not value.strip():
        raise ValueError("expected a path")
    return str((base / value.strip()).absolute())


def json_or_path(value: str, base: Path) -> str:
    """JSON as it is, else a path."""
    return value.strip() if value.strip()[:1] in ("", "{", "[") else path(value, base)


def existing_file(value: str, base: Path) -> str:
    path = (base / value.strip()).absolute()
    if not path.is_file():
        raise ValueError(f"there is no file {path}")
    return str(path)


def devices(value: Sequence[str], base: Path) -> tuple[str, ...]:
    """Entries of `--device`; the app file in `virtual:APP.yaml` counts from `base`."""
    return tuple(_with_app_from(base, entry) for entry in value)


def _with_app_from(base: Path, device: str) -> str:
    head, query = re.fullmatch(r"([^?]*)(\?.*)?", device, re.DOTALL).groups("")  # type: ignore[union-attr]
    name, _, app = head.partition(":")
    if name != "virtual" or not app or base == Path.cwd() or Path(app).is_absolute():
        return device
    return f"{name}:{base / app}{query}"


def words(value: Sequence[str], _base: Path) -> tuple[str, ...]:
    return tuple(value)


def allow(value: Sequence[str], _base: Path) -> tuple[str, ...]:
    """Patterns of irreversible acts that a run may do."""
    from pytest_apex.verify.irreversible import complaint

    wrong = [told for pattern in value if (told := complaint(pattern))]
    if wrong:
        raise ValueError("; ".join(wrong))
    return tuple(value)


def secrets(value: Sequence[str], _base: Path) -> tuple[str, ...]:
    """Values to mask; an entry between slashes is a regular expression."""
    from pytest_apex.errors import ConfigError
    from pytest_apex.evidence.redact import Redactor

    wrong = []
    for entry in value:
        try:
            Redactor((entry,))
        except ConfigError as error:  # noqa: PERF203 - all wrong ones are told at once
            wrong.append(f"{error.tried}: {error.seen}")
    if wrong:
        raise ValueError("; ".join(wrong))
    return tuple(value)


def fail_on(value: Sequence[str], _base: Path) -> frozenset[str]:
    """Which verdicts fail a run; `all` is all of them."""
    named = {word.lower() for word in value}
    if named == {"all"}:
        return frozenset(FAIL_ON)
    unknown = sorted(named - set(FAIL_ON))
    if unknown:
        raise ValueError(f"{_choose((*FAIL_ON, 'all'))}, found {', '.join(unknown)}")
    missing = [word for word in ALWAYS_FAIL if word not in named]
    if missing:
        cure = ",".join(word for word in FAIL_ON if word in named or word in ALWAYS_FAIL)
        raise ValueError(f"{' and '.join(missing)} can't be left out; write {cure}")
    return frozenset(named)


def pairs(value: Sequence[str], _base: Path) -> Mapping[str, str]:
    """`["MODE=demo"]` → `{"MODE": "demo"}`."""
    found = {}
    for item in value:
        name, equals, content = item.partition("=")
        if not equals or not name.strip():
            raise ValueError(f"expected NAME=VALUE, found {item!r}")
        found[name.strip()] = content
    return found


def split_list(value: object) -> list[str]:
    """A list from a list or from text, separated by commas or line ends; the entries of a list stay whole."""
    if isinstance(value, (list, tuple)):
        return [str(item) for item in value]
    return [stripped for item in re.split(r"[,\n]", str(value)) if (stripped := item.strip())]


def split_secrets(value: object) -> list[str]:
    """The same, and a pattern between slashes stays whole: `/a{2,3}/, b` is two entries."""
    if isinstance(value, (list, tuple)):
        return split_list(value)
    parts = re.findall(r"[ \t]*/[^\n]+?/(?=[ \t]*(?:[,\n]|$))|[^,\n]+", str(value))
    return [stripped for part in parts if (stripped := part.strip())]


def split_patterns(value: object) -> list[str]:
    """The same, and the four numbers of a region stay together: `region:0,900,1000,100, key:enter` is two entries."""
    if isinstance(value, (list, tuple)):
        return split_list(value)
    parts = re.findall(r"[ \t]*region:[^\n,]*(?:,[ \t]*[\d.]+){0,3}|[^,\n]+", str(value), re.IGNORECASE)
    return [stripped for part in parts if (stripped := part.strip())]
