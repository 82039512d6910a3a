"""What a client may open: `shell:`, `exec:`, `sync:`, `tcp:PORT` and what tools ask of adb itself."""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping

from pytest_apex.phone_wires.adb.streams import Stream, StreamClosed
from pytest_apex.phone_wires.adb.sync import serve_sync
from pytest_apex.phone_wires.handset import Handset
from pytest_apex.phone_wires.shell.call import Tools
from pytest_apex.phone_wires.shell.run import Shell

#: Parts of the shell protocol: a kind and a length in front of each.
STDIN, STDOUT, STDERR, EXIT, CLOSE_STDIN = range(5)
_PART = struct.Struct("<BI")
_MOST_PART = 1024 * 1024
Serve = Callable[[Stream], None]
#: What listens on a port of the phone: serves one stream; None while nothing listens there.
Port = Callable[[], Serve | None]


class AdbServices:
    """`ports` are those of the phone; further ones may be added while it runs. `reboot` starts it anew."""

    def __init__(self, handset: Handset, tools: Tools, reboot: Callable[[], None]) -> None:
        self._handset = handset
        self.tools = tools
        self._reboot = reboot
        self.ports: dict[int, Port] = {}
        #: Sockets of the phone by name, as `/proc/net/unix` lists them.
        self.sockets: dict[str, Port] = {}
        handset.files.made["/proc/net/unix"] = self._unix

    def __call__(self, name: str) -> Serve | None:
        """Serves a destination; None refuses it."""
        self._handset.journal.add(self._handset.pace.real_now(), "open", name)
        head, _, rest = name.partition(":")
        if head == "tcp":
            port = self.ports.get(int(rest)) if rest.isdecimal() and len(rest) < 6 else None
            return port() if port is not None else None
        if head == "localabstract":
            port = self.sockets.get(rest)
            return port() if port is not None else None
        make = _SERVICES.get(head.partition(",")[0])
        return make(self, head, rest) if make is not None else None

    def _unix(self) -> bytes:
        lines = ["Num       RefCount Protocol Flags    Type St Inode Path"]
        names = ["/dev/socket/zygote", "/dev/socket/adbd", *(f"@{name}" for name in self.sockets)]
        for number, name in enumerate(names):
            lines.append(f"0000000000000000: 00000002 00000000 00010000 0001 01 {20_000 + number} {name}")
        return "".join(f"{line}\n" for line in lines).encode()

    # The shell

    def _shell(self, head: str, line: str) -> Serve:
        if "v2" in head.split(","):
            return lambda stream: self._run_framed(stream, line)
        return lambda stream: self._run(stream, line)

    def _run(self, stream: Stream, line: str) -> None:
        """Both outputs as one, no exit code."""
        source = _Bytes(stream)
        self._lines(line, source, stream.write, stream.write, lambda: stream.closed)

    def _run_framed(self, stream: Stream, line: str) -> None:
        source = _Framed(stream)

        def part(kind: int) -> Callable[[bytes], None]:
            def write(data: bytes) -> None:
                for start in range(0, len(data), _MOST_PART):
                    chunk = data[start : start + _MOST_PART]
                    stream.write(_PART.pack(kind, len(chunk)) + chunk)

            return write

        code = self._lines(line, source, part(STDOUT), part(STDERR), lambda: stream.closed)
        stream.write(_PART.pack(EXIT, 1) + bytes([code & 0xFF]))

    def _lines(
        self,
        line: str,
        source: _Bytes | _Framed,
        out: Callable[[bytes], None],
        err: Callable[[bytes], None],
        ended: Callable[[], bool],
    ) -> int:
        shell = Shell(self._handset, self.tools, out, err, ended)
        if line:
            return self._one(shell, line, source)
        code, rest = 0, b""
        while data := source.take_some(64 * 1024):
            *lines, rest = (rest + data).split(b"\n")
            for each in lines:
                text = each.decode("utf-8", "replace").strip()
                if text.split(" ")[0] == "exit":
                    return code
                code = self._one(shell, text, source)
        return code

    def _one(self, shell: Shell, line: str, source: _Bytes | _Framed) -> int:
        handset = self._handset
        handset.journal.add(handset.pace.real_now(), "shell", line)
        handset.pace.sleep(handset.slow_s)
        with handset.pace.held():
            pass  # the phone's time is now; a device that is gone by now answers no more
        return shell.run(line, source)

    # The rest

    def _sync(self, _head: str, _rest: str) -> Serve:
        return lambda stream: serve_sync(stream, self._handset)

    def _restart(self, _head: str, _rest: str) -> Serve:
        return lambda _stream: self._reboot()

    def _root(self, _head: str, _rest: str) -> Serve:
        return lambda stream: stream.write(b"adbd cannot run as root in production builds\n")

    def _reverse(self, _head: str, rest: str) -> Serve:
        """No port of the phone leads to the computer."""
        if rest.startswith("list-forward"):
            return lambda stream: stream.write(b"OKAY0000")
        why = b"reverse forwarding is not there on the built-in phone"
        return lambda stream: stream.write(b"FAIL%04x%s" % (len(why), why))


class _Bytes:
    """What the client writes, as it comes."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream

    def take_some(self, most: int, timeout: float | None = None) -> bytes:
        return self._stream.take_some(most, timeout)


class _Framed:
    """Standard input in the parts of the shell protocol."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self._rest = b""
        self._ended = False

    def take_some(self, most: int, timeout: float | None = None) -> bytes:
        while not self._rest and not self._ended:
            try:
                kind, length = _PART.unpack(self._stream.take(_PART.size, timeout))
                data = self._stream.take(min(length, _MOST_PART), timeout) if length else b""
            except StreamClosed:
                self._ended = True
                break
            if kind == STDIN and length <= _MOST_PART:
                self._rest = data
            elif kind == CLOSE_STDIN or length > _MOST_PART:
                self._ended = True
        data, self._rest = self._rest[:most], self._rest[most:]
        return data


_SERVICES: Mapping[str, Callable[[AdbServices, str, str], Serve]] = {
    "shell": AdbServices._shell,
    "exec": AdbServices._shell,
    "sync": AdbServices._sync,
    "reboot": AdbServices._restart,
    "root": AdbServices._root,
    "reverse": AdbServices._reverse,
}
