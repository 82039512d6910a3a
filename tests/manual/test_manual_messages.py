"""What is said of each example manual in `fixtures/manuals`, word for word, and that no message is left out."""

from __future__ import annotations

import ast
import os
import re
from pathlib import Path

import pytest

from pytest_apex.errors import ManualError
from pytest_apex.manual.load import load_manual

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "fixtures" / "manuals"
APPROVED = Path(__file__).parent / "approved"
GOOD, BAD = sorted((EXAMPLES / "good").iterdir()), sorted((EXAMPLES / "bad").iterdir())


def approve(name: str, text: str) -> None:
    """Compare with the stored text; `APEX_APPROVE=1` stores it."""
    path = APPROVED / f"{name}.txt"
    if os.environ.get("APEX_APPROVE"):
        path.write_text(text, "utf-8")
    assert text == path.read_text("utf-8")


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.name)
def test_every_mistake_of_a_bad_manual_is_told_with_its_place(path: Path) -> None:
    with pytest.raises(ManualError) as caught:
        load_manual(path.read_bytes(), f"manuals/{path.name}")
    approve(path.name, f"{caught.value}\n")


def test_prose_alone_is_no_manual() -> None:
    with pytest.raises(ManualError) as caught:
        load_manual("# Notes\n\nHow to write notes.\n", "manuals/prose.md")
    approve("prose.md", f"{caught.value}\n")


@pytest.mark.parametrize("path", GOOD, ids=lambda path: path.name)
def test_a_good_manual_is_read_whole(path: Path) -> None:
    manual = load_manual(path.read_bytes(), f"manuals/{path.name}")
    approve(path.name, told(manual))


def told(value: object, indent: str = "") -> str:
    """A value, field by field; what is empty is left out, places are on one line."""
    lines = []
    for name in type(value).__dataclass_fields__:  # type: ignore[attr-defined]
        field = getattr(value, name)
        if field in ("", (), None, False) or name == "where":
            continue
        if isinstance(field, tuple) and hasattr(field[0], "where"):
            lines.append(f"{indent}{name}:")
            lines.extend(f"{indent}  - line {one.where.line}\n{told(one, f'{indent}    ')}".rstrip() for one in field)
        elif name in ("match", "shown", "appears", "needs") and hasattr(field, "__dataclass_fields__"):
            inner = told(field, f"{indent}  ").rstrip()
            lines.append(f"{indent}{name}:\n{inner}" if inner else f"{indent}{name}: none")
        else:
            shown = [str(one) for one in field] if isinstance(field, tuple) else field
            lines.append(f"{indent}{name}: {shown}")
    return "\n".join(lines) + "\n"


def messages_in(code: str) -> list[list[str]]:
    """The fixed parts of every text that is noted as a mistake: what is given to `mistake`, `note` or `wrong`."""
    found = []
    for node in ast.walk(ast.parse(code)):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        texts = [one for one in node.args if isinstance(one, (ast.JoinedStr, ast.Constant))]
        if name in ("mistake", "note", "complain", "wrong") and texts:
            parts = texts[-1].values if isinstance(texts[-1], ast.JoinedStr) else [texts[-1]]
            found.append([one.value for one in parts if isinstance(one, ast.Constant) and isinstance(one.value, str)])
    return found


MESSAGES = [
    (path.name, parts)
    for path in sorted((ROOT / "pytest_apex" / "manual").glob("*.py"))
    for parts in messages_in(path.read_text("utf-8"))
]
#: Said of hostile files, which `test_manual_hostile.py` has.
ELSEWHERE = ("bytes; at most",)


def test_there_are_messages_to_look_for() -> None:
    assert len(MESSAGES) > 35
    assert messages_in('at.mistake(f"expected {this}, got {that}")') == [["expected ", ", got "]]


@pytest.mark.parametrize(("module", "parts"), MESSAGES)
def test_every_message_stands_in_an_approved_text(module: str, parts: list[str]) -> None:
    pattern = re.compile(".*?".join(map(re.escape, parts)))
    texts = [path.read_text("utf-8") for path in APPROVED.glob("*.txt")]
    elsewhere = any(words in "".join(parts) for words in ELSEWHERE)
    assert elsewhere or any(pattern.search(text) for text in texts), f"{module}: {parts}"
