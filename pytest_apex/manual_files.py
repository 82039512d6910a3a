"""Finding and opening the files of manuals: the project's folder, folders that were named, packages that declare
theirs, and the ones we ship. What can't be read is refused by name and never guessed at.

Nothing outside of a folder is read through it: no link that leads out of it, no device, no pipe, nothing huge.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable, Iterator
from importlib import resources
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, TypeAlias

from pytest_apex.manual.load import ENDINGS, is_manual_name
from pytest_apex.manual.winners import ManualFile
from pytest_apex.marked_yaml import MAX_BYTES

if TYPE_CHECKING:
    from importlib.abc import Traversable

#: The folder of a project. Nothing else is ever written to.
PROJECT = "manuals"
#: Where an installed package of ours has them; in a work tree they are in `manuals/` beside the package.
SHIPPED = "_manuals"
#: Packages declare theirs as `package:folder` in this group of entry points, or through the hook.
GROUP = "pytest_apex.manuals"

_DECLARED = re.compile(r"([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)(?::(.*))?", re.ASCII)
#: In a file's name: what breaks lines, or turns the order of letters around.
_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
_NO_FOLDER = "there is no such folder in the package"
#: A file, or why there is none.
_Read: TypeAlias = "tuple[bytes, str]"


def gather(root: Path, folders: Iterable[str] = (), declared: Iterable[str] = ()) -> list[ManualFile]:
    """Every file of every source, nearest source first: the project at `root`, the folders that were named, the
    packages that declare theirs (`package:folder`), and ours. A folder that comes twice counts once."""
    sources = [in_folder(root / PROJECT, PROJECT, inside=root)]
    seen = {_resolved(root / PROJECT)}
    for folder in map(Path, folders):
        if _resolved(folder) not in seen:
            seen.add(_resolved(folder))
            sources.append(in_folder(folder, _shown(folder, root)))
    sources.append([file for one in sorted(set(declared)) for file in of_package(one)])
    sources.append(shipped())
    return [
        ManualFile(rank, one.file, one.shown, one.data, one.refused)
        for rank, source in enumerate(sources)
        for one in source
    ]


def entry_points() -> list[str]:
    """What installed packages declare: `package:folder`."""
    from importlib import metadata

    return [point.value for point in metadata.entry_points(group=GROUP)]


def in_folder(folder: Path, shown: str, *, inside: Path | None = None) -> list[ManualFile]:
    """The manuals of a folder, not of those below it; none where there is no such folder. With `inside`, the folder
    must not lead out of that one."""
    if inside is not None and not _is_within(folder, inside):
        return [_refused("", shown, f"leads out of the project, to {_resolved(folder)}; name it with --apex-manuals")]
    try:
        names = os.listdir(folder)  # noqa: PTH208 - names that are no UTF-8 must not raise
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        return [_refused("", shown, f"can't be listed: {error.strerror or error}")]
    return list(_files(folder, names, shown))


def file_at(path: Path) -> ManualFile:
    """One file that was named itself."""
    data, refused = _read(path)
    return ManualFile(0, path.name, str(path), data, refused)


def of_package(declared: str) -> list[ManualFile]:
    """The manuals in a folder of an installed package, also inside a zip: `package:folder`, or `package` alone."""
    found = _DECLARED.fullmatch(declared.strip())
    if found is None:
        return [_refused("", declared, "expected package:folder, the import name of a package and a folder in it")]
    package, inner = found[1], found[2] or ""
    wrong = _wrong_folder(inner)
    if wrong:
        return [_refused("", declared, wrong)]
    try:
        home = resources.files(package)
    except Exception as error:  # noqa: BLE001 - the package's own code runs; whatever it raises keeps its manuals out
        return [_refused("", declared, f"the package can't be imported: {type(error).__name__}: {error}")]
    parts = _parts(inner)
    folder = home
    for part in parts:
        folder = folder / part
    shown = "/".join((*package.split("."), *parts))
    if not isinstance(folder, Path):
        return _in_archive(folder, declared, shown)
    if not folder.is_dir():
        return [_refused("", declared, _NO_FOLDER)]
    if not _is_within(folder, Path(*folder.parts[: len(folder.parts) - len(parts)])):
        return [_refused("", declared, f"a link that leads out of the package, to {_resolved(folder)}")]
    return in_folder(folder, shown)


def shipped() -> list[ManualFile]:
    """Ours. Their paths read the same wherever they lie."""
    home = resources.files("pytest_apex")
    inside, shown = home / SHIPPED, f"pytest_apex/{SHIPPED}"
    if inside.is_dir():
        return in_folder(inside, shown) if isinstance(inside, Path) else _in_archive(inside, shown, shown)
    return in_folder(home.parent / PROJECT, shown) if isinstance(home, Path) else []


# One folder


def _files(folder: Path, names: Iterable[str], shown: str) -> Iterator[ManualFile]:
    for name in sorted(names):
        wrong = _wrong_name(name)
        if wrong:
            yield _refused(name, f"{shown}/{_safe(name)}", wrong)
        elif is_manual_name(name):
            path = folder / name
            if path.is_symlink() and not _is_within(path, folder):
                why = f"a link that leads out of its folder, to {_resolved(path)}"
                yield _refused(name, f"{shown}/{name}", why)
            else:
                data, refused = _read(path)
                yield ManualFile(0, name, f"{shown}/{name}", data, refused)


def _wrong_name(name: str) -> str:
    """Why a file that is meant as a manual can't be one by its name; "" for any other file."""
    if is_manual_name(name):
        return "its name has a line break, or another sign that nobody sees, in it" if _UNSEEN.search(name) else ""
    ending = PurePosixPath(name).suffix
    misnamed = ending not in ENDINGS and ending.casefold() in (*ENDINGS, ".yml") and not name.startswith(("_", "."))
    return f"a manual ends with {' or '.join(ENDINGS)}" if misnamed else ""


def _safe(name: str) -> str:
    return _UNSEEN.sub(lambda found: repr(found[0])[1:-1], name)


def _read(path: Path) -> _Read:
    """The bytes of a regular file that is not too large; else why not. Nothing else is opened, not even for a moment:
    opening a pipe waits, and opening a device may do something."""
    try:
        kind = path.stat()
        if not stat.S_ISREG(kind.st_mode):
            return b"", f"is {_kind_of(kind.st_mode)}, not a file"
        if kind.st_size > MAX_BYTES:
            return b"", f"{kind.st_size:,} bytes; at most {MAX_BYTES:,} are read"
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        return b"", f"can't be read: {error.strerror or error}"
    return (data, "") if len(data) <= MAX_BYTES else (b"", f"more than {MAX_BYTES:,} bytes; no more are read")


def _kind_of(mode: int) -> str:
    kinds = (
        (stat.S_ISDIR, "a folder"), (stat.S_ISFIFO, "a pipe"), (stat.S_ISSOCK, "a socket"),
        (stat.S_ISCHR, "a device"), (stat.S_ISBLK, "a device"),
    )  # fmt: skip
    return next((words for is_kind, words in kinds if is_kind(mode)), "something else")


def _in_archive(folder: Traversable, declared: str, shown: str) -> list[ManualFile]:
    """The manuals of a folder in a zip."""
    if not folder.is_dir():
        return [_refused("", declared, _NO_FOLDER)]
    found: list[ManualFile] = []
    for entry in sorted(folder.iterdir(), key=lambda one: one.name):
        if isinstance(entry, Path):  # of a package that lies in several folders
            found.extend(_files(entry.parent, [entry.name], shown))
        elif wrong := _wrong_name(entry.name):
            found.append(_refused(entry.name, f"{shown}/{_safe(entry.name)}", wrong))
        elif is_manual_name(entry.name):
            found.append(ManualFile(0, entry.name, f"{shown}/{entry.name}", *_read_entry(entry)))
    return found


def _read_entry(entry: Traversable) -> _Read:
    if not entry.is_file():
        return b"", "is not a file"
    with entry.open("rb") as file:
        data: bytes = file.read(MAX_BYTES + 1)
    return (data, "") if len(data) <= MAX_BYTES else (b"", f"more than {MAX_BYTES:,} bytes; no more are read")


# Names and places


def _wrong_folder(inner: str) -> str:
    parts = PurePosixPath(inner.replace("\\", "/")).parts
    if inner.startswith(("/", "\\")) or re.match(r"[A-Za-z]:", inner):
        return "an absolute path; a package declares a folder of its own"
    return "leads out of the package with .." if ".." in parts else ""


def _parts(inner: str) -> tuple[str, ...]:
    """`data.manuals` and `data/manuals` are the same: an entry point can't hold a slash."""
    return tuple(part for part in re.split(r"[./\\]", inner) if part)


def _refused(file: str, shown: str, why: str) -> ManualFile:
    return ManualFile(0, file or PurePosixPath(shown).name, shown, refused=why)


def _resolved(path: Path) -> Path:
    try:
        return path.resolve()
    except (OSError, RuntimeError):  # links that lead round in a circle
        return path.absolute()


def _is_within(path: Path, folder: Path) -> bool:
    return _resolved(path).is_relative_to(_resolved(folder))


def _shown(folder: Path, root: Path) -> str:
    return folder.relative_to(root).as_posix() if folder.is_relative_to(root) else folder.as_posix()
