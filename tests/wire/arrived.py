"""What came of a track in the browser, and in what it differs from the track.

Points have to be exact: whole units, as rounded for sending. Times are as exact as the browser's driver is. It begins
no tick early (`EARLY_MS` is for the clocks of two processes), and needs 1 to 3 ms for each: 2 to 15 ms in 80 ms, and
6 to 15 % of a curve with a sample every 16 ms. `LATE_MS` and `SLOW` leave room for a busy machine, not for another
gesture: a client's usual 250 ms for a move, or a wait for a frame at each sample, is out of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Any, TypeAlias

from pytest_apex.gestures.rules import TouchRules
from pytest_apex.model.action import Stroke, Track

EARLY_MS, LATE_MS, SLOW = 5.0, 20.0, 0.35

Events: TypeAlias = Sequence[Mapping[str, Any]]
Place: TypeAlias = tuple[int, int]


@dataclass(frozen=True)
class Contact:
    """One touch of one finger: where it was when, in milliseconds after the first touch; down first, up last."""

    samples: tuple[tuple[float, Place], ...]

    @property
    def began(self) -> float:
        return self.samples[0][0]

    @property
    def ended(self) -> float:
        return self.samples[-1][0]

    @property
    def places(self) -> list[Place]:
        return list(_one_after_another(place for _, place in self.samples))

    def reached(self, place: Place) -> float:
        """How long after the touch came down it first was at a place."""
        return next(t for t, at in self.samples if at == place) - self.began


def contacts(events: Events) -> list[Contact]:
    """The touches of the page's record, in the order in which they came down."""
    told = [event for event in events if event["type"].startswith("pointer")]
    first = next((event["t"] for event in told if event["type"] == "pointerdown"), 0.0)
    by_id: dict[int, list[tuple[float, Place]]] = {}
    for event in told:
        place = (event["x"], event["y"])
        by_id.setdefault(event["id"], []).append((event["t"] - first, place))
    return sorted((Contact(tuple(samples)) for samples in by_id.values()), key=lambda contact: contact.began)


def most_fingers(events: Events) -> int:
    """How many touched at a time, by the touch events' own count."""
    return max((event["fingers"] for event in events if event["type"].startswith("touch")), default=0)


def wrong_places(track: Track, events: Events, rules: TouchRules) -> list[str]:
    """Untrusted or cancelled events, missing or surplus fingers, and points that are not the track's."""
    wrong = [f"{event['type']} is not trusted" for event in events if not event["trusted"]]
    wrong += [f"{event['type']} at {event['t']}" for event in events if event["type"].endswith("cancel")]
    wrong += [f"a {event['kind']}" for event in events if event.get("kind", "touch") != "touch"]
    pairs, missing, surplus = paired(track, events)
    wrong += [f"no touch from {places_of(stroke)[0]} to {places_of(stroke)[-1]}" for stroke in missing]
    wrong += [f"a touch too many: {contact.places}" for contact in surplus]
    together = max(_down_at(track, stroke.samples[0].t_ms) for stroke in track.strokes)
    if most_fingers(events) != together:
        wrong.append(f"{most_fingers(events)} fingers at a time, in place of {together}")
    for stroke, contact in pairs:
        meant, got = places_of(stroke), contact.places
        # UiAutomator2 draws the steady parts of a path itself: it is sent their ends alone.
        if got != meant if rules.platform != "android" else not _same_line(got, meant):
            wrong.append(f"{got} in place of {meant}")
    return wrong


def wrong_times(track: Track, events: Events) -> list[str]:
    """Touches that come, last or move otherwise than the track's; the pause between two touches is one of a finger."""
    pairs, _, _ = paired(track, events)
    slow = SLOW if any(len(places_of(stroke)) > 1 for stroke in track.strokes) else 0.0
    wrong = []
    for stroke, contact in pairs:
        begins, ends = stroke.samples[0].t_ms, stroke.samples[-1].t_ms
        wrong += _off("lasts", ends - begins, contact.ended - contact.began, slow)
        for place in contact.places:
            t = next((sample.t_ms for sample in stroke.samples if _whole(sample.x, sample.y) == place), None)
            if t is not None:
                wrong += _off(f"is at {place}", t - begins, contact.reached(place), slow)
    between = pauses(track, events)
    for asked, got in between:
        wrong += _off("pauses", asked, got, 0.0)
    if not between:
        for stroke, contact in pairs:
            wrong += _off("begins", stroke.samples[0].t_ms, contact.began, slow)
    return wrong


def pauses(track: Track, events: Events) -> list[tuple[float, float]]:
    """From each touch's end to the next one's beginning, as asked and as arrived, if one finger makes all of them."""
    pairs, _, _ = paired(track, events)
    if len({stroke.finger for stroke, _ in pairs}) != 1:
        return []
    return [
        (later.samples[0].t_ms - sooner.samples[-1].t_ms, second.began - first.ended)
        for (sooner, first), (later, second) in pairwise(pairs)
    ]


def paired(track: Track, events: Events) -> tuple[list[tuple[Stroke, Contact]], list[Stroke], list[Contact]]:
    """Each stroke with the touch that came down at its place, in turn; and what is left of both."""
    left, pairs, missing = contacts(events), [], []
    for stroke in track.strokes:
        found = next((contact for contact in left if contact.places[0] == places_of(stroke)[0]), None)
        if found is None:
            missing.append(stroke)
        else:
            pairs.append((stroke, found))
            left.remove(found)
    return pairs, missing, left


def places_of(stroke: Stroke) -> list[Place]:
    """The whole units that a stroke goes through, without those where it rests."""
    return list(_one_after_another(_whole(sample.x, sample.y) for sample in stroke.samples))


def _whole(x: float, y: float) -> Place:
    return round(x), round(y)


def _one_after_another(places: Iterable[Place]) -> Iterator[Place]:
    return (place for place, _ in groupby(places))


def _same_line(got: list[Place], meant: list[Place]) -> bool:
    """Whether the places are some of those meant, both ends among them, and all others lie between them."""
    if (got[0], got[-1]) != (meant[0], meant[-1]):
        return False
    at = 0
    for here, there in pairwise(got):
        if there not in meant[at + 1 :]:
            return False
        after = meant.index(there, at + 1)
        if any(_beside(place, here, there) > 1 for place in meant[at:after]):
            return False
        at = after
    return True


def _beside(place: Place, a: Place, b: Place) -> float:
    """How far a place is from the line through two others."""
    length = ((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2) ** 0.5
    return abs((b[0] - a[0]) * (place[1] - a[1]) - (b[1] - a[1]) * (place[0] - a[0])) / length


def _off(what: str, asked: float, got: float, slow: float) -> list[str]:
    if asked - EARLY_MS <= got <= asked * (1 + slow) + LATE_MS:
        return []
    return [f"{what} {got:.1f} ms in place of {asked:.0f}"]


def _down_at(track: Track, t: float) -> int:
    return sum(stroke.samples[0].t_ms <= t < stroke.samples[-1].t_ms for stroke in track.strokes)
