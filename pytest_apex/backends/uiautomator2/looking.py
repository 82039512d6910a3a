"""Tree and picture of one moment.

The picture and the question who is in front go over adb, the tree over the server's own connection: all three are
asked before one is waited for, so that they are of the same moment as nearly as the phone allows.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pytest_apex.backends.uiautomator2 import front, helper
from pytest_apex.backends.uiautomator2.adb import Stream
from pytest_apex.backends.uiautomator2.channel import Channel
from pytest_apex.backends.uiautomator2.handset import Handset
from pytest_apex.backends.uiautomator2.rpc import RpcError
from pytest_apex.backends.uiautomator2.shell import packed, unpacked
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
    """`skew_s`: how much later the picture was asked for than the tree, in the middle of its own call."""

    snapshot: Snapshot
    front: front.Front
    awake: bool
    skew_s: float
    server_answered: bool


class Looker:
    def __init__(self, phone: Handset, channel: Channel, clock: Clock, sdk: int) -> None:
        self._phone = phone
        self._channel = channel
        self._clock = clock
        self._around = packed([front.ask_front(sdk), front.ASK_AWAKE])
        self._depth = 0

    def look(self) -> Look:
        """One look. Raises `DeviceLost`, or `DriverDead` when neither way to the tree works."""
        from pytest_apex.hierarchy.readers import read

        limit = self._phone.limits.look
        notes: list[str] = []
        with self._phone.open("exec:screencap -p", limit, "taking a picture") as picture_stream:
            asked = self._clock.now()
            with self._phone.open(f"exec:{self._around}", limit, "asking for the app in front") as around_stream:
                xml, middle, answered = self._tree(notes)
                around = unpacked(around_stream.read_all().decode(errors="replace"), 2)
            picture = self._picture(picture_stream, notes)
        try:
            snapshot = read(xml, picture=picture)
        except SourceError as error:
            raise DriverDead(
                f"the server on {self._phone.serial} sent no tree",
                seen=str(error),
                likely="the screen was changing, or the server is broken",
                cure="look again",
            ) from error
        snapshot = replace(snapshot, notes=(*snapshot.notes, *notes))
        return Look(
            snapshot, front.read_front(around[0].text), front.is_awake(around[1].text), asked - middle, answered
        )

    def _tree(self, notes: list[str]) -> tuple[str | bytes, float, bool]:
        """The tree, the middle of the time that it took, and whether the server gave it."""
        before = self._clock.now()
        try:
            xml = self._dump(notes)
            return xml, (before + self._clock.now()) / 2, True
        except DriverDead as error:
            notes.append(f"the tree is uiautomator's own: {error.tried} ({error.seen})")
            failure = error
        before = self._clock.now()
        dump = self._other_dump(failure)
        return dump, (before + self._clock.now()) / 2, False

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
