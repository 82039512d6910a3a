"""Recordings of the screen, on demand: `screenrecord` on the phone, up to its own limit of three minutes."""

from __future__ import annotations

import io

from pytest_apex.backends.uiautomator2.adb import AdbTrouble, Deadline, Stream
from pytest_apex.backends.uiautomator2.handset import Handset
from pytest_apex.errors import ActionRefused

_FILE = "/data/local/tmp/apex-recording.mp4"


class Recording:
    def __init__(self, phone: Handset) -> None:
        self._phone = phone
        self._stream: Stream | None = None

    def start(self) -> None:
        if self._stream is not None:
            raise ActionRefused("a recording is under way", cure="end it before another one begins")
        self._stream = self._phone.keep_open(f"shell:screenrecord {_FILE}", self._phone.limits.shell)

    def stop(self) -> bytes:
        stream, self._stream = self._stream, None
        if stream is None:
            raise ActionRefused("no recording is under way", cure="begin one first")
        try:
            self._phone.ask(["pkill -2 screenrecord"])  # SIGINT: it writes the end of the file
            stream.deadline = Deadline(self._phone.limits.shell)
            said = stream.read_all().decode(errors="replace").strip()
        except AdbTrouble as trouble:
            said = str(trouble)
        finally:
            stream.close()
        target = io.BytesIO()
        try:
            self._phone.pull(_FILE, target)
        except ActionRefused as error:
            error.tried, error.seen = "the phone recorded nothing", said or error.seen
            error.likely, error.cure = "it can't record now, or its storage is full", "see what screenrecord said"
            raise
        self._phone.run(f"rm -f {_FILE}")
        return target.getvalue()

    def close(self) -> None:
        if self._stream is not None:
            self._stream.close()
            self._stream = None
