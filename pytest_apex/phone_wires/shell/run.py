"""Running a command line."""

from __future__ import annotations

from collections.abc import Callable

from pytest_apex.phone_wires.handset import Handset
from pytest_apex.phone_wires.shell.call import Call, Given, Source, Tools
from pytest_apex.phone_wires.shell.words import Command, ShellSyntaxError, Word, parse

#: What a pipe holds at most.
_MOST_PIPED = 32 * 1024 * 1024
_Write = Callable[[bytes], None]


class _Exit(Exception):
    """`exit`: the line ends here."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class Shell:
    """Runs lines for one client. `tools` are the commands by name."""

    def __init__(self, handset: Handset, tools: Tools, out: _Write, err: _Write, ended: Callable[[], bool]) -> None:
        self._handset = handset
        self._tools = tools
        self._out, self._err = out, err
        self._ended = ended
        self._variables: dict[str, str] = {}
        self._last = 0

    def run(self, line: str, source: Source) -> int:
        """Run a line; its exit code."""
        try:
            commands = parse(line)
        except ShellSyntaxError as error:
            self._err(f"/system/bin/sh: syntax error: {error}\n".encode())
            return 1
        piped: bytearray | None = None
        for at, command in enumerate(commands):
            if (command.before == "&&" and self._last) or (command.before == "||" and not self._last):
                continue
            takes: Source = Given(bytes(piped)) if command.before == "|" and piped is not None else source
            into_pipe = at + 1 < len(commands) and commands[at + 1].before == "|"
            piped = bytearray() if into_pipe else None
            try:
                self._last = self._command(command, takes, _collect(piped) if piped is not None else self._out)
            except _Exit as end:
                return end.code
            if self._ended():
                break
        return self._last

    def _expand(self, word: Word) -> str:
        values = {"?": str(self._last), "$": "4711", **self._variables}
        return "".join(values.get(piece.text, "") if piece.variable else piece.text for piece in word)

    def _command(self, command: Command, source: Source, out: _Write) -> int:
        words = [self._expand(word) for word in command.words]
        if words and words[0] == "export":
            words = words[1:]
        while words and "=" in words[0] and words[0].partition("=")[0].isidentifier():
            name, _, value = words.pop(0).partition("=")
            self._variables[name] = value
        if words and words[0] in ("exec", "toybox", "command"):
            words = words[1:]
        streams: list[_Write] = [out, out, self._err]
        files: dict[str, bytearray] = {}
        for stream, operator, target in command.redirects:
            path = self._expand(target)
            if operator == "<":
                data = self._handset.files.read(path)
                if data is None:
                    self._err(f"/system/bin/sh: can't open {path}: No such file or directory\n".encode())
                    return 1
                source = Given(data)
            elif path in ("&1", "&2"):
                streams[stream] = streams[int(path[1])]
            else:
                before = self._handset.files.read(path) if operator == ">>" else None
                files[path] = bytearray(before or b"")
                streams[stream] = _collect(files[path])
        code = self._tool(words, source, streams) if words else 0
        for path, written in files.items():
            if path != "/dev/null" and not self._handset.files.write(path, bytes(written)):
                self._err(f"/system/bin/sh: can't create {path}: Permission denied\n".encode())
                return 1
        return code

    def _tool(self, words: list[str], source: Source, streams: list[_Write]) -> int:
        if words[0] == "exit":
            raise _Exit(int(words[1][-9:]) & 0xFF if len(words) > 1 and words[1].isdecimal() else self._last)
        name = words[0].rpartition("/")[2] if words[0].startswith(("/system/bin/", "/vendor/bin/")) else words[0]
        tool = self._tools.get(name)
        if tool is None:
            self._err(f"/system/bin/sh: {words[0]}: inaccessible or not found\n".encode("utf-8", "replace"))
            return 127
        return tool(Call(name, words[1:], self._handset, source, streams[1], streams[2], self._ended))


def _collect(into: bytearray) -> _Write:
    def write(data: bytes) -> None:
        into.extend(data[: _MOST_PIPED - len(into)])

    return write
