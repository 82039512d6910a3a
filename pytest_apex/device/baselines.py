"""Approved pictures and trees in files beside the tests: where they are, reading and writing them."""

from __future__ import annotations

import os
import re
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from pytest_apex.errors import ConfigError

_NAME = re.compile(r"[\w][\w .()+-]*(/[\w][\w .()+-]*)*")
#: What file systems take for one name, in bytes.
_LONGEST = 255
_ANEW = "take it from the version control, or approve it anew: --apex-update-baselines all"


@dataclass(frozen=True)
class Baselines:
    """`folder` is None where nobody said which. `update` is what may be written: `all`, `missing` or `none`."""

    folder: Path | None = None
    update: str = "none"
    #: Files that were asked for.
    asked: set[Path] = field(default_factory=set, compare=False)
    #: Files that were written, each time.
    written: list[Path] = field(default_factory=list, compare=False)

    def file(self, name: str, ending: str) -> Path:
        """The file of an approved thing. Raises `ConfigError` for a name that is none, or without a folder."""
        path = self.need(name) / f"{name}.{ending}"
        if (longest := max(len(os.fsencode(part)) for part in f"{name}.{ending}".split("/"))) > _LONGEST:
            raise ConfigError(
                "the name of what is approved is too long for a file",
                seen=f"{longest} bytes with its ending .{ending}, of {_LONGEST}: {name[:60]!r}…",
                cure="give it a shorter name",
            )
        if path not in self.asked:
            self._need_one_case(name, f"{name}.{ending}")
        self.asked.add(path)
        return path

    def _need_one_case(self, name: str, file: str) -> None:
        """Raise `ConfigError` for a name that macOS and Windows take for that of another file or folder."""
        folder = self.need(name)
        for part in file.split("/"):
            asked = (path.relative_to(folder).parts[0] for path in self.asked if path.is_relative_to(folder))
            same = next(
                (one for one in (*_listed(folder), *asked) if one != part and one.casefold() == part.casefold()), ""
            )
            if same:
                raise ConfigError(
                    f"the approved {name!r} would be the same file as another on macOS and Windows",
                    seen=f"{part} beside {same}, in {folder}",
                    likely="two names that differ in the case of letters only",
                    cure="spell both alike, or give one another name",
                )
            folder /= part

    def need(self, name: str) -> Path:
        """The folder, if the name may be a file's. Raises `ConfigError` otherwise."""
        if not isinstance(name, str) or not _NAME.fullmatch(name) or ".." in name:
            raise ConfigError(
                "what is approved has a name of letters, digits, spaces and -_.()+, with / for folders",
                seen=repr(name)[:120],
                cure='expect(device.screen).to_match("home")',
            )
        if self.folder is None:
            raise ConfigError(
                f"nobody said where the approved {name!r} is kept",
                likely="the device was not made by the plugin",
                cure="name the folder: --apex-baselines DIR",
            )
        return self.folder

    def may_write(self, is_there: bool) -> bool:
        return self.update == "all" or (self.update == "missing" and not is_there)


def _listed(folder: Path) -> list[str]:
    try:
        return [entry.name for entry in folder.iterdir()]
    except OSError:  # not there yet; of one that can't be listed, reading the file tells
        return []


def read(path: Path) -> str | None:
    """The text in a file with line ends as `\\n`, without a byte order mark; None if there is no file. Raises
    `ConfigError` for one that can't be read or holds nothing."""
    data = read_bytes(path)
    if data is None:
        return None
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        raise unreadable(path, error, "another program saved it in its own encoding") from error
    if not text.strip():
        raise _empty(path)
    return text


def read_bytes(path: Path) -> bytes | None:
    """The content of a file; None if there is none. Raises `ConfigError` for one that can't be read or is empty."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise unreadable(path, error) from error
    if not data:
        raise _empty(path)
    return data


def unreadable(path: Path, error: Exception, likely: str = "") -> ConfigError:
    """The error for an approved file that is there and can't be used."""
    seen = f"{type(error).__name__}: {error}"
    return ConfigError(f"the approved {path} can't be read", seen=seen, likely=likely, cure=_ANEW)


def _empty(path: Path) -> ConfigError:
    likely = "what wrote or merged it was cut off half-way"
    return ConfigError(f"the approved {path} is empty", likely=likely, cure=_ANEW)


def write(path: Path, text: str) -> None:
    """Put the text there; see `write_bytes`."""
    write_bytes(path, text.encode("utf-8", "backslashreplace"))


def write_bytes(path: Path, data: bytes, *, new: bool = False) -> bool:
    """Put a file there as a whole or not at all: several processes may write the same one at one time. With `new` the
    first of them wins, and the others get False."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{path.name[:60]}.", dir=path.parent)
        beside = Path(name)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            beside.chmod(0o644)
            return _put(beside, path, new)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:
        raise ConfigError(
            f"the approved {path} can't be written",
            seen=f"{type(error).__name__}: {error}",
            cure="check the folder, or name another: --apex-baselines DIR",
        ) from error


def _put(beside: Path, path: Path, new: bool) -> bool:
    if not new:
        beside.replace(path)
        return True
    try:
        os.link(beside, path)
    except FileExistsError:
        return False
    except OSError:  # a file system without links: two writers of one moment both think that they were the first
        if path.exists():
            return False
        beside.replace(path)
    return True
