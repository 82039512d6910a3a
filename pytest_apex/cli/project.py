"""What the project around the working directory says for commands: the app file and the app under test."""

from __future__ import annotations

import configparser
import sys
from pathlib import Path
from typing import Any, NamedTuple

from pytest_apex.errors import ConfigError

if sys.version_info >= (3, 11):
    import tomllib
else:  # pytest brings it along there
    import tomli as tomllib  # type: ignore[import-not-found, unused-ignore]

#: Files that pytest reads its settings from, in its order, and where in them.
_FILES: tuple[tuple[str, tuple[tuple[str, ...], ...]], ...] = (
    ("pytest.toml", (("pytest",),)),
    (".pytest.toml", (("pytest",),)),
    ("pytest.ini", (("pytest",),)),
    (".pytest.ini", (("pytest",),)),
    ("pyproject.toml", (("tool", "pytest", "ini_options"), ("tool", "pytest"))),
    ("tox.ini", (("pytest",),)),
    ("setup.cfg", (("tool:pytest",),)),
)


class Project(NamedTuple):
    """`app_file` is the app file of the built-in phone, `app` the id of the app under test; "" where the project names
    none."""

    app_file: str = ""
    app: str = ""


def project_at(folder: Path) -> Project:
    """The project that `folder` belongs to: the nearest settings of pytest, and the nearest `app.yaml` up to their
    folder. Raises `ConfigError` for a file that can't be read."""
    folders = (folder, *folder.parents)
    for home in folders:
        settings = _settings_in(home)
        if settings is not None:
            break
    else:
        home, settings = folder, {}
    named = str(settings.get("apex_virtual_app", "")).strip()
    inside = (place / "app.yaml" for place in folders[: folders.index(home) + 1])
    nearest = next((str(path) for path in inside if path.is_file()), "")
    return Project(str(home / named) if named else nearest, str(settings.get("apex_app", "")).strip())


def root_at(folder: Path) -> Path:
    """The folder of the project that `folder` belongs to: the nearest with settings of pytest, else `folder` itself."""
    return next((home for home in (folder, *folder.parents) if _settings_in(home) is not None), folder)


def _settings_in(folder: Path) -> dict[str, Any] | None:
    """What pytest's own section says in the first file of a folder that has one."""
    for name, places in _FILES:
        path = folder / name
        if not path.is_file():
            continue
        content = _read(path)
        for place in places:
            found: Any = content
            for key in place:
                found = found.get(key) if isinstance(found, dict) else None
            if isinstance(found, dict):
                return found
    return None


def _read(path: Path) -> dict[str, Any]:
    try:
        text = path.read_text("utf-8")
        if path.suffix == ".toml":
            content: dict[str, Any] = tomllib.loads(text)
            return content
        parser = configparser.RawConfigParser()
        parser.read_string(text)
    except (OSError, ValueError, configparser.Error) as error:
        raise ConfigError(
            f"can't read {path}", seen=" ".join(str(error).split()), cure="correct it; pytest needs it as well"
        ) from error
    return {name: dict(parser[name]) for name in parser.sections()}
