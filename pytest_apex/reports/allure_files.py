"""`categories.json` and `environment.properties` of an Allure results folder. Does not import Allure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pytest_apex.evidence.own_words import SUSPECT_LINE
from pytest_apex.evidence.redact import Redactor
from pytest_apex.evidence.store import write_atomic
from pytest_apex.model.run import RunInfo
from pytest_apex.reports.results import versions

#: Ours are known by this beginning of their name; all other lines of the environment stay.
_PREFIX = "apex."
_NO_SUSPECT = rf"(?![\s\S]*\n{SUSPECT_LINE})"
#: Name and pattern of each category. Allure 2 matches the whole message and Allure 3 searches in it, so each pattern
#: is anchored at both ends; `[\s\S]` stands for any character since JavaScript refuses Java's `(?s)`.
_CATEGORIES = (
    ("App: functional defects", rf"^\[functional\.{_NO_SUSPECT}[\s\S]*$"),
    ("App: visual defects", r"^\[visual\.[\s\S]*$"),
    ("App: crashes", r"^\[crash\.[\s\S]*$"),
    ("Suspect: the test, or the app", rf"^\[functional\.(?=[\s\S]*\n{SUSPECT_LINE})[\s\S]*$"),
    ("Test: mistakes of the tests", r"^\[test\.[\s\S]*$"),
    ("Harness: device, driver, screen", r"^\[transient\.harness\.[\s\S]*$"),
    ("Transient: in the way, not settled", r"^\[transient\.(?!harness\.)[\s\S]*$"),
    ("Unsure: could not be told", r"^\[unsure[\s\S]*$"),
)


def categories() -> list[dict[str, Any]]:
    """One category for each kind of failure, by the beginning of its message. Allure gives a defect `failed` and the
    rest `broken`, but the pattern alone decides."""
    return [
        {"name": name, "matchedStatuses": ["failed", "broken"], "messageRegex": pattern}
        for name, pattern in _CATEGORIES
    ]


def environment(run: RunInfo, redactor: Redactor) -> dict[str, str]:
    """What the report's environment says of the run."""
    facts = {"version": run.version, "seed": str(run.seed), "started": run.started}
    facts |= {f"device.{place}": str(device) for place, device in enumerate(run.devices, start=1)}
    facts |= {f"option.{name}": f"{value} ({origin})" for name, (value, origin) in run.options.items()}
    facts |= {f"manual.{place}": manual for place, manual in enumerate(run.manuals, start=1)}
    facts |= {f"with.{name}": text for name, text in versions().items()}
    return {f"{_PREFIX}{name}": redactor.text(text) for name, text in facts.items() if text}


def write_metadata(results_dir: Path, run: RunInfo, redactor: Redactor) -> None:
    """Write both files. Categories and lines that others put there stay. Raises `ApexError` when the folder can't be
    written."""
    _write_categories(results_dir / "categories.json")
    path = results_dir / "environment.properties"
    others = [line for line in _lines(path) if not line.startswith(_PREFIX)]
    ours = [_property(name, text) for name, text in environment(run, redactor).items()]
    write_atomic(path, "".join(f"{line}\n" for line in (*others, *ours)).encode("latin-1"))


def _write_categories(path: Path) -> None:
    ours = categories()
    named = {category["name"] for category in ours}
    try:
        found = json.loads(path.read_bytes())
    except FileNotFoundError:
        found = []
    except ValueError:
        return  # somebody's file that Allure itself will complain about; not ours to overwrite
    if not isinstance(found, list):
        return
    others = [item for item in found if not (isinstance(item, Mapping) and item.get("name") in named)]
    write_atomic(path, json.dumps([*others, *ours], indent=2, ensure_ascii=False).encode())


def _lines(path: Path) -> list[str]:
    try:
        return path.read_bytes().decode("latin-1").splitlines()
    except FileNotFoundError:
        return []


def _property(name: str, text: str) -> str:
    """A line of a Java properties file: escapes for what separates, and for all that is not ASCII."""
    key = name.replace("\\", "\\\\").replace(":", "\\:").replace("=", "\\=").replace(" ", "\\ ")
    value = text.replace("\\", "\\\\").replace("\r", "").replace("\n", "\\n")
    return f"{_ascii(key)}={_ascii(value)}"


def _ascii(text: str) -> str:
    units = text.encode("utf-16-be", "surrogatepass")
    codes = (int.from_bytes(units[at : at + 2], "big") for at in range(0, len(units), 2))
    return "".join(chr(code) if 32 <= code < 127 else f"\\u{code:04X}" for code in codes)
