"""`screenrecord`: a film of the screen, until it is asked to end."""

from __future__ import annotations

from collections.abc import Mapping

from pytest_apex.phone_wires.shell.call import Call, Tool, number, options
from pytest_apex.phone_wires.video import make_mp4
from pytest_apex.vision.jpeg import to_jpeg

#: The longest film (`kMaxTimeLimitSec` of screenrecord), and how often the screen is pictured, in seconds.
_MOST_S, _EVERY_S = 180.0, 0.2
_VALUES = ("--time-limit", "--size", "--bit-rate", "--display-id", "-d")


def screenrecord(call: Call) -> int:
    """One that is killed, or whose stream is cut, leaves no film: the end of the file is written last."""
    given, paths = options(call.args, _VALUES, ("--verbose", "--bugreport"))
    limit = number(given.get("--time-limit", ["180"])[-1])
    if len(paths) != 1 or limit is None or not 0 < limit <= _MOST_S:
        return call.fail("Must specify output file (see --help).", code=2)
    if not call.handset.files.may_write(paths[0]):
        return call.fail(f"Unable to open '{paths[0]}': Permission denied", code=1)
    call.handset.files.write(paths[0], b"")  # the file is there from the start, its content at the end
    pace, shots = call.handset.pace, []
    began, last = pace.real_now(), ""
    with call.handset.programs.running("screenrecord") as program:
        while not program.asked.is_set() and not call.ended() and pace.real_now() - began < limit:
            picture = call.handset.picture()
            if picture.key != last:
                last = picture.key
                shots.append((pace.real_now() - began, to_jpeg(picture)))
            program.asked.wait(_EVERY_S)
    if program.killed or call.ended():
        call.handset.files.remove(paths[0])
        return 137
    size = round(picture.size.width), round(picture.size.height)
    film = make_mp4(shots, size, pace.real_now() - began)
    if call.handset.files.write(paths[0], film):
        return 0
    call.handset.files.remove(paths[0])
    return call.fail("write failed: No space left on device")


TOOLS: Mapping[str, Tool] = {"screenrecord": screenrecord}
