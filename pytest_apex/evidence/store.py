"""Files of a run by the hash of their content: what is the same is stored once, by however many processes."""

from __future__ import annotations

import hashlib
import itertools
import os
import re
from contextlib import suppress
from pathlib import Path

from pytest_apex.errors import ApexError
from pytest_apex.model.verdict import Artifact

_FOLDER = "store"
#: 128 bits tell all files of a run apart; a whole digest would eat into Windows' 260 characters of a path.
_NAME_LENGTH = 32
#: Characters of a test's name that stay in a folder's name.
_READABLE = 48
_count = itertools.count()


class EvidenceWarning(UserWarning):
    """Evidence of a run can't be kept; said once a run, the test goes on."""


class Store:
    """Keeps files under `RUN_DIR/store/`. Raises `ApexError` when the folder can't be made or written.

    `told` remembers that trouble with it was said aloud (see `Recorder`).
    """

    def __init__(self, run_dir: Path) -> None:
        self.run_dir = run_dir
        self.told = False
        make_folder(run_dir / _FOLDER)

    def put(
        self,
        data: bytes,
        *,
        kind: str,
        suffix: str,
        media_type: str,
        caption: str = "",
        step: str = "",
        redacted: bool = False,
    ) -> Artifact:
        """Store `data` unless it is there already. `suffix` begins with a dot; `redacted` says that something was
        hidden in it."""
        digest = hashlib.sha256(data).hexdigest()
        path = f"{_FOLDER}/{digest[:_NAME_LENGTH]}{suffix}"
        target = self.run_dir / path
        if not target.exists():
            write_atomic(target, data)
        return Artifact(kind, path, media_type, digest, caption=caption, step=step, redacted=redacted)


def make_folder(folder: Path) -> None:
    """Make `folder` and those above it. Raises `ApexError`."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise trouble(folder, error) from error


def write_atomic(path: Path, data: bytes) -> None:
    """Write a file whole or not at all: readers and other processes never see half of it. Raises `ApexError`."""
    make_folder(path.parent)
    draft = path.with_name(f".{path.name[:40]}.{os.getpid()}-{next(_count)}")
    try:
        draft.write_bytes(data)
        draft.replace(path)
    except OSError as error:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
        raise trouble(path, error) from error


def trouble(path: Path, error: OSError) -> ApexError:
    """The error for a file that can't be written, with its cause in words."""
    return ApexError(
        f"can't write the evidence of this run to {path}",
        seen=f"{type(error).__name__}: {error.strerror or error}",
        likely="the disk is full, or the folder may not be written to",
        cure="make room, or name another folder with --apex-artifacts DIR",
    )


def run_folder(path: Path) -> Path:
    """The folder of a run: `path` itself, or the one that it names if it is `.apex/latest`."""
    try:
        named = path.read_text("utf-8").strip() if path.name == "latest" and path.is_file() else ""
    except (OSError, ValueError):
        named = ""  # whoever reads the run says that there is none
    return path.resolve().parent.parent / named if named else path


def safe_name(nodeid: str) -> str:
    """A folder's name for a test: its module and function in letters that every file system takes, and eight hex
    digits of the whole id, which tell parameters apart. Parameters themselves are left out: they may be secret."""
    module, _, rest = nodeid.partition("::")
    function = rest.partition("[")[0].rpartition("::")[2]
    words = f"{Path(module.replace(chr(92), '/')).stem}-{function}" if function else module
    readable = re.sub(r"[^A-Za-z0-9_]+", "-", words).strip("-")[:_READABLE].rstrip("-")
    digest = hashlib.sha256(nodeid.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{readable or 'test'}-{digest}"


def attempt_folder(test: str, n: int) -> str:
    """Where an attempt keeps its own files, relative to the run's folder, with forward slashes."""
    return f"tests/{safe_name(test)}/attempt-{n}"
