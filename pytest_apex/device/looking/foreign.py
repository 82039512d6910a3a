"""Touches that the test did not send, where the backend tells of them: noticed at each look, which costs no request."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from pytest_apex.backends.abilities import ForeignTouch, TellsForeignTouches
from pytest_apex.backends.base import Backend
from pytest_apex.device.looking.watch import Watch
from pytest_apex.model.case import HarnessEvent
from pytest_apex.model.snapshot import Snapshot

#: A look that ended nearer before a touch than this may show it already: word of the touch takes a moment, too.
_SURE_S = 0.05
#: Looks and touches that are remembered: pictures are large.
_LOOKS, _TOUCHES = 3, 8


class ForeignTouches:
    """Each that came since the test got its device, with the last look that can't show it yet (None: there was none).

    Those between two looks are one event.
    """

    def __init__(self, backend: Backend, watch: Watch) -> None:
        self._backend, self._watch = backend, watch
        self._since = watch.began
        self._looks: deque[tuple[Snapshot, float]] = deque(maxlen=_LOOKS)
        self.noticed: deque[tuple[HarnessEvent, Snapshot | None]] = deque(maxlen=_TOUCHES)

    def looked(self, look: Snapshot) -> None:
        """Take down what came up to this look."""
        if not isinstance(self._backend, TellsForeignTouches):
            return
        new = self._backend.foreign_touches(self._since)
        if new:
            first, self._since = new[0].at, new[-1].at
            before = next((seen for seen, ended in reversed(self._looks) if ended <= first - _SURE_S), None)
            self.noticed.append((self._watch.touched(first, _words(new)), before))
        self._looks.append((look, self._backend.clock.now()))


def _words(touches: Sequence[ForeignTouch]) -> str:
    place = touches[0].place
    where = f" at {place}" if place is not None else ""
    if len(touches) == 1:
        return f"a touch{where} that the test did not send"
    return f"{len(touches)} touches that the test did not send, the first{where or ' somewhere'}"
