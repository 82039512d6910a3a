"""The field groups `controls` and `live_regions`: names for controls, and what moves by itself."""

from __future__ import annotations

from pytest_apex.manual.kinds import Got, Key, Many, Named, Record, Region, Word, complain
from pytest_apex.manual.targets import targets_by_order, way_keys
from pytest_apex.marked_yaml import At
from pytest_apex.model.manual import LiveRegion, ManualControl, Place
from pytest_apex.model.target import By, Target

_REGION = Key("region", Region(), "[x, y, width, height] in thousandths of the app's window")


def _control(name: str, at: At, got: Got, where: Place) -> ManualControl | None:
    targets = targets_by_order(got)
    if not targets and got["region"] is None:
        if at.is_a("map"):
            complain(at, "says no control: give id, label or text, or region as the last resort")
        return None
    return ManualControl(name, targets, got["aliases"], got["region"], where)


CONTROLS = Named(
    Record(
        _control,
        (
            *way_keys(many=True),
            Key("aliases", Many(Word()), "further names", default=()),
            Key("region", Region(), f"{_REGION.about}; the last resort, if nothing else tells the control"),
        ),
        short="text",
    )
)


def _live(name: str, at: At, got: Got, where: Place) -> LiveRegion | None:
    by = tuple(By(kind, got[kind]) for kind in ("text", "id", "label", "role") if got[kind])
    target = Target(by, exact=got["exact"]) if by else None
    if (target is None) == (got["region"] is None):
        if at.is_a("map"):
            complain(at, "expected a control (id, label, text, role) or a region, one of them")
        return None
    return LiveRegion(name, target, got["region"], where)


LIVE_REGIONS = Named(Record(_live, (*way_keys(many=False), _REGION), short="text"))
