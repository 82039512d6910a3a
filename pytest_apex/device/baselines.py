"""Approved pictures and trees in files beside the tests: where they are, reading and writing them."""

from __future__ import annotations

import os
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path

from pytest_apex.errors import ConfigError

_NAME = re.compile(r"[\w][\w .()+-]*(/[\w][\w .()+-]*)*")
_ANEW = "take it from the version control, or approve it anew: --apex-update-baselines all"


@dataclass(frozen=True)
class Baselines:
    """`folder` is None where nobody said which. `update` is what may be written: `all`, `missing` or `none`."""

    folder: Path | None = None
    update: str = "none"

    def file(self, name: str, ending: str) -> Path:
        """The file of an approved thing. Raises `ConfigError` for a name that is none, or without a folder."""
        if not isinstance(name, str) or not _NAME.fullmatch(name) or ".." in name:
            raise ConfigError(
                "an approved tree has a name of letters, digits, spaces and -_.()+, with / for folders",
                seen=repr(name)[:120],
                cure='expect(device.screen).to_match_tree("home")',
            )
        if self.folder is None:
            raise ConfigError(
                f"nobody said where the approved {name!r} is kept",
                likely="the device was not made by the plugin",
                cure="name the folder: --apex-baselines DIR",
            )
        return self.folder / f"{name}.{ending}"

    def may_write(self, is_there: bool) -> bool:
        return self.update == "all" or (self.update == "missing" and not is_there)


def read(path: Path) -> str | None:
    """The text in a file with line ends as `\\n`, without a byte order mark; None if there is no file. Raises
    `ConfigError` for one that can't be read or holds nothing."""
    try:
        text = path.read_text("utf-8-sig")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(
            f"the approved {path} can't be read",
            seen=f"{type(error).__name__}: {error}",
            likely="another program saved it in its own encoding" if isinstance(error, UnicodeDecodeError) else "",
            cure=_ANEW,
        ) from error
    if not text.strip():
        raise ConfigError(
            f"the approved {path} is empty", likely="what wrote or merged it was cut off half-way", cure=_ANEW
        )
    return text


def write(path: Path, text: str) -> None:
    """Put the text there as a whole or not at all: several processes may write the same file at one time."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        beside = Path(name)
        try:
            with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
                file.write(text)
            beside.chmod(0o644)
            beside.replace(path)
        except BaseException:
            beside.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise ConfigError(
            f"the approved {path} can't be written",
            seen=f"{type(error).__name__}: {error}",
            cure="check the folder, or name another: --apex-baselines DIR",
        ) from error
