"""Tree and picture of one moment.

The picture and the question who is in front go over adb, the tree over the server's own connection: all three are
asked before one is waited for, so that they are of the same moment as nearly as the phone allows.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pytest_apex.backends.uiautomator2 import front, helper
from pytest_apex.backends.uiautomator2.adb import Deadline, Stream
from pytest_apex.backends.uiautomator2.channel import Channel
from pytest_apex.backends.uiautomator2.handset import Handset
from pytest_apex.backends.uiautomator2.rpc import RpcError
from pytest_apex.backends.uiautomator2.shell import packed, unpacked
from pytest_apex.backends.uiautomator2.system import ASK_LOCK, is_locked
from pytest_apex.clock import Clock
from pytest_apex.errors import DriverDead, SourceError

if TYPE_CHECKING:
    from pytest_apex.model.snapshot import Picture, Snapshot

#: How deep a tree is asked for: uiautomator2 cuts it at 50 by itself. Where the server's stack is too small, for less.
DEPTHS = (500, 120, 50)
_OTHER_DUMP = "/data/local/tmp/apex.xml"
_PNG, _PNG_END = b"\x89PNG", b"IEND\xaeB`\x82"


@dataclass(frozen=True, slots=True)
class Look:
    """`locked`: the lock screen is what is seen. `skew_s`: how much later the picture was asked for than the tree, in
    the middle of its own call."""

    snapshot: Snapshot
    front: front.Front
    awake: bool
    locked: bool
    skew_s: float
    server_answered: bool


@dataclass(frozen=True, slots=True)
class _Parts:
    xml: str
    around: bytes
    picture: Picture | None
    skew_s: float


class Looker:
    def __init__(self, phone: Handset, channel: Channel, clock: Clock, sdk: int) -> None:
        self._phone = phone
        self._channel = channel
        self._clock = clock
        self._around = packed([front.ask_front(sdk), front.ASK_AWAKE, ASK_LOCK])
        self._depth = 0

    def look(self) -> Look:
        """One look. Raises `DeviceLost`, or `DriverDead` when neither way to the tree works."""
        notes: list[str] = []
        try:
            parts, answered = self._look_together(notes), True
        except DriverDead as failure:
            notes = [f"the tree is uiautomator's own: {failure.tried} ({failure.seen})"]
            parts, answered = self._look_apart(failure, notes), False
        around = unpacked(parts.around.decode(errors="replace"), 3)
        seen, awake = front.read_front(around[0].text), front.is_awake(around[1].text)
        # An app that may show itself over the lock screen has the focus.
        locked = not seen.app and is_locked(around[2].text)
        return Look(self._read(parts, notes), seen, awake, locked, parts.skew_s, answered)

    def _look_together(self, notes: list[str]) -> _Parts:
        limit = self._phone.limits.look
        with self._phone.open("exec:screencap -p", limit, "taking a picture") as picture:
            asked = self._clock.now()
            with self._phone.open(f"exec:{self._around}", limit, "asking for the app in front") as around:
                before = self._clock.now()
                xml = self._dump(notes)
                skew_s = asked - (before + self._clock.now()) / 2
                around.deadline = picture.deadline = Deadline(limit)
                told = around.read_all()
            return _Parts(xml, told, self._picture(picture, notes), skew_s)

    def _look_apart(self, failure: DriverDead, notes: list[str]) -> _Parts:
        """One after the other, with the system's own dumper: what was asked for before is too old by now."""
        limit, before = self._phone.limits.look, self._clock.now()
        xml = self._other_dump(failure)
        middle = (before + self._clock.now()) / 2
        with self._phone.open("exec:screencap -p", limit, "taking a picture") as stream:
            skew_s = self._clock.now() - middle
            picture = self._picture(stream, notes)
        with self._phone.open(f"exec:{self._around}", limit, "asking for the app in front") as stream:
            return _Parts(xml, stream.read_all(), picture, skew_s)

    def _read(self, parts: _Parts, notes: list[str]) -> Snapshot:
        from pytest_apex.hierarchy.readers import read

        try:
            snapshot = read(parts.xml, picture=parts.picture)
        except SourceError as error:
            raise DriverDead(
                f"the server on {self._phone.serial} sent no tree",
                seen=str(error),
                likely="the screen was changing, or the server is broken",
                cure="look again",
            ) from error
        return replace(snapshot, notes=(*snapshot.notes, *notes))

    def _dump(self, notes: list[str]) -> str:
        while True:
            depth = DEPTHS[self._depth]
            try:
                xml = self._channel.look("dumpWindowHierarchy", False, depth, timeout=self._phone.limits.look)
            except RpcError as error:
                if not error.too_deep or self._depth + 1 == len(DEPTHS):
                    raise DriverDead(
                        f"the server on {self._phone.serial} can't read the screen",
                        seen=error.message,
                        likely="the screen was changing, or the server is broken",
                        cure="look again",
                    ) from error
                self._depth += 1
                continue
            if self._depth:
                notes.append(f"the tree is cut at a depth of {DEPTHS[self._depth]}: the server can't go deeper")
            if not isinstance(xml, str):
                raise DriverDead(f"the server on {self._phone.serial} sent no tree", seen=f"{type(xml).__name__}")
            return xml

    def _other_dump(self, failure: DriverDead) -> str:
        """Once, by `uiautomator dump`: it needs the automation that the server holds, so that one is ended first."""
        command = f"uiautomator dump {_OTHER_DUMP}"
        told = self._phone.ask([helper.END, command, f"cat {_OTHER_DUMP}", f"rm -f {_OTHER_DUMP}"])
        if "<hierarchy" not in told[2].text:
            failure.seen = f"{failure.seen}; uiautomator dump: {told[1].line or 'nothing'}".strip("; ")
            raise failure
        return told[2].text

    def _picture(self, stream: Stream, notes: list[str]) -> Picture | None:
        from pytest_apex.vision.image import from_png

        data = stream.read_all()
        # With several displays, screencap warns before it writes.
        at = data.find(_PNG, 0, 4096)
        try:
            if at >= 0 and not data.rstrip(b"\r\n").endswith(_PNG_END):
                raise SourceError("the picture is cut short", seen=f"{len(data)} bytes")
            return from_png(data[at:] if at > 0 else data)
        except SourceError as error:
            words = data[:200].decode(errors="replace").strip() if at < 0 else str(error)
            notes.append(f"no picture by screencap: {words or 'it sent nothing'}")
        return self._other_picture(notes)

    def _other_picture(self, notes: list[str]) -> Picture | None:
        """Once, by the server: a JPEG, which shows what is there and is no exact picture."""
        import base64
        import binascii

        from pytest_apex.vision.image import from_jpeg

        try:
            told = self._channel.look("takeScreenshot", 1, 100, timeout=self._phone.limits.look)
            picture = from_jpeg(base64.b64decode(told or "", validate=False))
        except (DriverDead, RpcError, SourceError, binascii.Error, TypeError) as error:
            notes.append(f"no picture by the server either: {str(error).partition(chr(10))[0]}")
            return None
        notes.append("the picture is the server's, a JPEG: not exact to the pixel")
        return picture
