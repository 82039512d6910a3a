"""A stored run → the file with its page."""

from __future__ import annotations

from pathlib import Path

from pytest_apex.errors import ApexError, ConfigError
from pytest_apex.evidence.store import write_atomic
from pytest_apex.reports.html.page import page_of
from pytest_apex.reports.html.stored import StoredPage, read_page


def write_page(run_dir: Path, page: Path) -> Path:
    """Make the page of a stored run and write it to `page`. Raises `ConfigError` for a folder that is no run's, or a
    file that can't be written."""
    return _write(read_page(run_dir), page)


def write_empty_page(page: Path, described: dict[str, object]) -> Path:
    """The page of a run in which no test used a device, so that none of an earlier run is taken for it."""
    return _write(StoredPage(page.parent, described), page)


def _write(stored: StoredPage, page: Path) -> Path:
    if page.is_dir():
        raise ConfigError(f"can't write the report to {page}", seen="a folder", cure="name a file, such as report.html")
    try:
        write_atomic(page, page_of(stored, page.absolute().parent).encode("utf-8", "backslashreplace"))
    except ConfigError:
        raise
    except ApexError as error:
        raise ConfigError(f"can't write the report to {page}", seen=error.seen, cure="name another file") from error
    return page
