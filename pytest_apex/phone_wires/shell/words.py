"""A command line as `sh` takes it apart: words and their quotes, `;` `&&` `||` `|`, redirections, `$NAME` and `$?`.

Loops, conditions and functions are not there: they are a syntax error, told as the shell tells it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

#: The longest line that is read, and the most commands in it.
MAX_LENGTH, MAX_COMMANDS = 256 * 1024, 200
_OPERATORS = ("&&", "||", ">>", ";", "|", "&", ">", "<", "\n")
_KEYWORDS = frozenset({"if", "then", "else", "fi", "for", "while", "until", "do", "done", "case", "esac", "function"})
_PLAIN = re.compile(r"""[^\s;|&<>()'"\\$`]+""")
_PLAIN_QUOTED = re.compile(r"""[^"\\$]+""")
_NAME = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")


class ShellSyntaxError(Exception):
    """A line that the shell does not understand."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a word: text as it stands, or the name of a variable."""

    text: str
    variable: bool = False


Word = tuple[Piece, ...]


@dataclass(slots=True)
class Command:
    """One command of a line. `before` is the operator in front of it: `;`, `&&`, `||` or `|`. `redirects` hold the
    stream (0, 1, 2), the operator and the word after it."""

    before: str
    words: list[Word] = field(default_factory=list)
    redirects: list[tuple[int, str, Word]] = field(default_factory=list)


def parse(line: str) -> Sequence[Command]:
    """Raises `ShellSyntaxError`."""
    if len(line) > MAX_LENGTH:
        raise ShellSyntaxError("line too long")
    commands = [Command(";")]
    tokens = _tokens(line)
    at = 0
    while at < len(tokens):
        token, command = tokens[at], commands[-1]
        at += 1
        if not isinstance(token, str):
            command.words.append(token)
        elif token in (">", ">>", "<") or token[0].isdigit():
            target = tokens[at] if at < len(tokens) else "newline"
            at += 1
            if isinstance(target, str):
                raise ShellSyntaxError(f"unexpected '{target}'")
            stream = int(token[0]) if token[0].isdigit() else (0 if token == "<" else 1)
            command.redirects.append((stream, token.lstrip("0123456789"), target))
        else:
            commands.append(_next(command, token))
            if len(commands) > MAX_COMMANDS:
                raise ShellSyntaxError("too many commands")
    if commands[-1].before in ("&&", "||", "|") and not commands[-1].words:
        raise ShellSyntaxError("unexpected 'newline'")
    found = [command for command in commands if command.words or command.redirects]
    for command in found:
        if command.words and len(command.words[0]) == 1 and command.words[0][0].text in _KEYWORDS:
            raise ShellSyntaxError(f"'{command.words[0][0].text}' is not understood here")
    return found


def _next(command: Command, operator: str) -> Command:
    if operator != "\n" and not command.words and not command.redirects:
        raise ShellSyntaxError(f"unexpected '{operator}'")
    return Command(operator if operator in ("&&", "||", "|") else ";")


def _tokens(line: str) -> list[str | Word]:
    """Operators as text, words as tuples of pieces."""
    tokens: list[str | Word] = []
    at = 0
    while at < len(line):
        if line[at] in " \t\r":
            at += 1
        elif line[at] == "#" and (at == 0 or line[at - 1] in " \t\n;"):
            end = line.find("\n", at)
            at = len(line) if end < 0 else end
        elif line[at] in "12" and line[at + 1 : at + 2] == ">":
            size = 3 if line[at + 1 : at + 3] == ">>" else 2
            tokens.append(line[at : at + size])
            at = _duplicate(line, at + size, tokens)
        elif operator := next((one for one in _OPERATORS if line.startswith(one, at)), ""):
            tokens.append(operator)
            at += len(operator)
            if operator == ">":
                at = _duplicate(line, at, tokens)
        elif line[at] in "()":
            raise ShellSyntaxError(f"unexpected '{line[at]}'")
        else:
            word, at = _word(line, at)
            tokens.append(word)
    return tokens


def _duplicate(line: str, at: int, tokens: list[str | Word]) -> int:
    """`>&1`: the other stream."""
    if line[at : at + 1] == "&" and line[at + 1 : at + 2].isdigit():
        tokens.append((Piece(line[at : at + 2]),))
        return at + 2
    return at


def _word(line: str, at: int) -> tuple[Word, int]:
    pieces: list[Piece] = []
    while at < len(line) and line[at] not in " \t\r\n;|&<>()":
        letter = line[at]
        if letter == "'":
            end = line.find("'", at + 1)
            if end < 0:
                raise ShellSyntaxError("no closing quote")
            pieces.append(Piece(line[at + 1 : end]))
            at = end + 1
        elif letter == '"':
            at = _quoted(line, at + 1, pieces)
        elif letter == "\\":
            pieces.append(Piece(line[at + 1 : at + 2]))
            at += 2
        elif letter == "$":
            at = _variable(line, at, pieces)
        elif letter == "`":
            raise ShellSyntaxError("'`' is not understood here")
        else:
            plain = _PLAIN.match(line, at)
            end = plain.end() if plain else at + 1
            pieces.append(Piece(line[at:end]))
            at = end
    return _joined(pieces), at


def _quoted(line: str, at: int, pieces: list[Piece]) -> int:
    pieces.append(Piece(""))
    while at < len(line):
        if line[at] == '"':
            return at + 1
        if line[at] == "\\" and line[at + 1 : at + 2] in ("\\", '"', "$", "`"):
            pieces.append(Piece(line[at + 1]))
            at += 2
        elif line[at] == "$":
            at = _variable(line, at, pieces)
        else:
            plain = _PLAIN_QUOTED.match(line, at)
            end = plain.end() if plain else at + 1
            pieces.append(Piece(line[at:end]))
            at = end
    raise ShellSyntaxError("no closing quote")


def _variable(line: str, at: int, pieces: list[Piece]) -> int:
    rest = line[at + 1 : at + 2]
    if rest == "(":
        raise ShellSyntaxError("'$(' is not understood here")
    if rest in ("?", "$"):
        pieces.append(Piece(rest, variable=True))
        return at + 2
    braces = rest == "{"
    end = begin = at + (2 if braces else 1)
    while end < len(line) and line[end] in _NAME:
        end += 1
    if end == begin:
        pieces.append(Piece("$"))
        return at + 1
    pieces.append(Piece(line[begin:end], variable=True))
    return end + 1 if braces else end


def _joined(pieces: Sequence[Piece]) -> Word:
    """Neighbouring texts as one."""
    joined: list[Piece] = []
    for piece in pieces:
        if joined and not piece.variable and not joined[-1].variable:
            joined[-1] = Piece(joined[-1].text + piece.text)
        else:
            joined.append(piece)
    return tuple(joined)
