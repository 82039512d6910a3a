"""Snapshots in the store of a run and back: the tree as columns, the picture read only when someone asks."""

from __future__ import annotations

import json
from array import array
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from pytest_apex.errors import SourceError
from pytest_apex.evidence.codec import NotThat, decode, encode
from pytest_apex.evidence.store import Store
from pytest_apex.model.geometry import Size
from pytest_apex.model.screen import Screen
from pytest_apex.model.snapshot import AppInFront, Picture, Snapshot, Tree, Window

_COLUMNS = (
    "parents", "ends", "roles", "classes", "texts", "labels", "identifiers", "values", "hints", "states", "window_of",
)  # fmt: skip


def put_look(store: Store, snapshot: Snapshot) -> dict[str, Any]:
    """Store a look that is free of secrets; returns what stands for it. Lossless up to `raw`. Raises `ApexError`."""
    text = json.dumps(_to_dict(snapshot), ensure_ascii=True, separators=(",", ":"))
    tree = store.put(text.encode(), kind="look", suffix=".json", media_type="application/json")
    told: dict[str, Any] = {"look": tree.path}
    if snapshot.picture is not None:
        picture = store.put(snapshot.picture.png(), kind="picture", suffix=".png", media_type="image/png")
        size = snapshot.picture.size
        told |= {"picture": picture.path, "size": [int(size.width), int(size.height)]}
    return told


def get_look(run_dir: Path, told: Any) -> Snapshot:
    """The look that `put_look` told of. Raises `SourceError` when a file of it is gone or damaged; a damaged picture
    says so when it is looked at."""
    if not isinstance(told, dict) or not isinstance(told.get("look"), str):
        raise NotThat("look", "the name of a stored look", told)
    path = run_dir / told["look"]
    try:
        fields = json.loads(path.read_bytes())
        picture = _picture(run_dir, told)
        return _from_dict(fields, picture)
    except OSError as error:
        raise SourceError(f"{told['look']}: can't be read", seen=error.strerror or str(error)) from error
    except json.JSONDecodeError as error:
        raise SourceError(f"{told['look']}:{error.lineno}: is cut short or damaged", seen=error.msg) from error
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise SourceError(f"{told['look']}:1: is no stored look", seen=f"{type(error).__name__}: {error}") from error


def _picture(run_dir: Path, told: Mapping[str, Any]) -> Picture | None:
    name = told.get("picture")
    if name is None:
        return None
    path = run_dir / str(name)
    if not path.is_file():
        raise SourceError(f"{name}: is gone", likely="the run's folder was copied in part")
    return StoredPicture(path, Size(*told["size"]))


def stored_picture(snapshot: Snapshot, path: Path | None) -> Snapshot:
    """A look that was read from its text form, with the picture that was stored beside it. Raises `SourceError`."""
    if path is None:
        return snapshot
    from pytest_apex.vision.image import read_png

    return replace(snapshot, picture=StoredPicture(path, read_png(path).size))


def _to_dict(snapshot: Snapshot) -> dict[str, Any]:
    tree = snapshot.tree
    return {
        "id": snapshot.id,
        "taken_at": snapshot.taken_at,
        "skew_ms": snapshot.skew_ms,
        "source": snapshot.source,
        "platform": snapshot.platform,
        "notes": list(snapshot.notes),
        "app": encode(snapshot.app, _no_look),
        "screen": encode(snapshot.screen, _no_look),
        "windows": [encode(window, _no_look) for window in tree.windows],
        "actions": {str(row): list(names) for row, names in tree.actions.items()},
        "boxes": list(tree.boxes),
        **{name: list(getattr(tree, name)) for name in _COLUMNS},
    }


def _from_dict(fields: Mapping[str, Any], picture: Picture | None) -> Snapshot:
    columns: dict[str, Any] = {name: tuple(fields[name]) for name in _COLUMNS}
    rows = len(columns["parents"])
    if any(len(column) != rows for column in columns.values()) or len(fields["boxes"]) != 4 * rows:
        raise ValueError("its columns are not of one length")
    tree = Tree(
        **columns,
        boxes=array("d", fields["boxes"]),
        windows=tuple(decode(Window, window, _no_look) for window in fields["windows"]),
        actions={int(row): tuple(names) for row, names in fields["actions"].items()},
    )
    return Snapshot(
        id=fields["id"],
        taken_at=fields["taken_at"],
        tree=tree,
        screen=decode(Screen, fields["screen"], _no_look),
        app=decode(AppInFront, fields["app"], _no_look),
        picture=picture,
        skew_ms=fields["skew_ms"],
        source=fields["source"],
        notes=tuple(fields["notes"]),
        platform=fields["platform"],
    )


def _no_look(told: Any) -> Any:
    raise NotThat("look", "no look inside a look", told)


class StoredPicture:
    """A picture in the store. Its name is made of its content, so equal names are equal pixels."""

    __slots__ = ("_path", "_read", "size")

    def __init__(self, path: Path, size: Size) -> None:
        self._path = path
        self._read: Picture | None = None
        self.size = size

    @property
    def key(self) -> str:
        return self._path.stem

    def png(self) -> bytes:
        """Raises `SourceError` when the file is gone."""
        return self._open().png()

    def pixels(self) -> Any:
        return self._open().pixels()

    def _open(self) -> Picture:
        if self._read is None:
            from pytest_apex.vision.image import read_png  # loads Pillow: only when someone looks

            self._read = read_png(self._path)
        return self._read

    def __repr__(self) -> str:
        return f"<Picture {self.size}>"
