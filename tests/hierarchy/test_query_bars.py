"""What the system's bars show is meant only if nothing else fits."""

from __future__ import annotations

from pytest_apex.hierarchy.query import find
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.model.target import By, Target

_BAR = """<node index="0" text="{text}" resource-id="com.android.systemui:id/clock" class="android.widget.TextView"
 package="com.android.systemui" enabled="true" visible-to-user="true" bounds="[0,0][100,40]" />"""
_APP = """<node index="0" text="10:00" resource-id="com.example.notes:id/clock" class="android.widget.TextView"
 package="com.example.notes" enabled="true" visible-to-user="true" bounds="[0,100][200,200]" />"""


_FRAME = """<node index="0" text="" resource-id="{id}" class="android.widget.FrameLayout" package="{app}"
 enabled="true" visible-to-user="true" bounds="{box}">{inside}</node>"""


def screen(*, app: str) -> Snapshot:
    clock = _BAR.format(text="10:00")
    systemui = "com.android.systemui"
    bar = _FRAME.format(id=f"{systemui}:id/status_bar", app=systemui, box="[0,0][1080,60]", inside=clock)
    own = _FRAME.format(id="", app="com.example.notes", box="[0,0][1080,1920]", inside=app)
    return Snapshot.from_source(f"<hierarchy rotation='0'>{own}{bar}</hierarchy>")


def test_the_apps_own_clock_is_meant() -> None:
    (found,) = find(screen(app=_APP), Target((By("id", "clock"),)))
    assert found.window.app == "com.example.notes"


def test_the_systems_is_found_where_the_app_has_none() -> None:
    (found,) = find(screen(app=""), Target((By("id", "clock"),)))
    assert found.window.app == "com.android.systemui"
