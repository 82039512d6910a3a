"""What `find` was given, as a target."""

from __future__ import annotations

import os
import re
from typing import TypeAlias

from pytest_apex.device import arguments
from pytest_apex.device.acting import images
from pytest_apex.errors import ConfigError
from pytest_apex.model.geometry import Point
from pytest_apex.model.target import By, Names, Target

Name: TypeAlias = str | re.Pattern[str]


def make_target(
    text: Name | None = None,
    *,
    id: Name | None = None,
    label: Name | None = None,
    role: str | None = None,
    xpath: str | None = None,
    image: str | os.PathLike[str] | None = None,
    point: tuple[float, float] | None = None,
    within: Target | None = None,
    nth: int | None = None,
    exact: bool = True,
    names: Names | None = None,
) -> Target:
    """What `find` was given, as a `Target`; `ConfigError` when it says nothing or something impossible."""
    by: list[By] = []
    for kind, value in (("text", text), ("id", id), ("label", label), ("role", role), ("xpath", xpath)):
        if value is not None:
            by.append(By(kind, arguments.words(value, f"find({kind}=…)", empty=False)))
    if image is not None:
        by.append(By("image", images.template(image)))
    if point is not None:
        by.append(By("point", Point(*arguments.place(point, "find(point=…)"))))
    if not by:
        raise ConfigError(
            "find() was asked for nothing",
            cure='give a text, or id=, label=, role=, xpath=, point=: find("Save"), find(id="save")',
        )
    if nth is not None:
        arguments.whole(nth, "find(nth=…)")
    return Target(tuple(by), within=within, nth=nth, exact=arguments.flag(exact, "find(exact=…)"), names=names)
