"""What each marker may be given, with its innocent twin."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_apex.plugin.marker_rules import RULES, meaning


@pytest.mark.parametrize(
    ("name", "args", "kwargs", "means"),
    [
        ("platforms", ("android", "ios"), {}, ("android", "ios")),
        ("gestures", ("long_press", "pinch"), {}, ("long_press", "pinch")),
        ("requires", (), {"os": ">=13", "tag": "lab-a"}, {"os": ">=13", "min_width_dp": 0, "tag": "lab-a"}),
        ("app", ("com.example",), {}, {"id": "com.example"}),
        ("app", ("com.example",), {"args": ["-x"], "env": {}, "reset": "data"},
         {"id": "com.example", "args": ("-x",), "env": {}, "reset": "data"}),
        ("humanize", (False,), {}, "off"),
        ("humanize", ("calm",), {}, "calm"),
        ("permissions", ("allow",), {"camera": "deny"}, ("allow", {"camera": "deny"})),
        ("permissions", (), {"camera": "deny"}, ("", {"camera": "deny"})),
        ("allow_irreversible", ("intent:send-message",), {}, ("intent:send-message",)),
        ("app_manual", ("notes",), {}, "notes"),
        ("retry_transient", (2,), {}, 2),
    ],
)  # fmt: skip
def test_means(name: str, args: tuple[Any, ...], kwargs: dict[str, Any], means: object) -> None:
    assert meaning(name, args, kwargs) == means


@pytest.mark.parametrize(
    ("name", "args", "kwargs", "complaint"),
    [
        ("platforms", (), {}, "names no platform; give one or more of android, ios, tvos, watchos"),
        ("platforms", ("windows",), {}, "unknown platform 'windows'; expected one of android, ios, tvos, watchos"),
        (
            "platforms",
            (),
            {"os": "android"},
            "got an unexpected keyword argument 'os'; it is written platforms(*names)",
        ),
        ("gestures", ("tickle",), {}, "unknown gesture 'tickle'"),
        ("requires", (), {}, "requires nothing"),
        ("requires", (), {"os": "13"}, "found os='13'"),
        ("requires", (), {"min_width_dp": "wide"}, "found 'wide'"),
        ("requires", ("lab-a",), {}, "it is written requires(os, min_width_dp, tag)"),
        ("app", (), {}, "missing 1 required positional argument: 'id'; it is written app(id, args, env, reset)"),
        ("app", ("",), {}, "expected the app's id, a text, found ''"),
        ("app", ("a",), {"args": "--x"}, "expected args= a list of texts"),
        ("app", ("a",), {"env": ["A=1"]}, "expected env= a dict of texts"),
        ("app", ("a",), {"env": {"A": 1}}, "expected env= a dict of texts"),
        ("app", ("a",), {"reset": "always"}, "expected reset= off, data or reinstall, found 'always'"),
        ("humanize", ("wild",), {}, "expected False or a persona (calm, quick, unsteady), found 'wild'"),
        ("humanize", (0,), {}, "found 0"),
        ("permissions", (), {}, "says nothing"),
        ("permissions", ("maybe",), {}, "expected allow, deny or report, found 'maybe'"),
        ("permissions", ("allow",), {"camera": "report"}, "expected camera= allow or deny, found 'report'"),
        ("allow_irreversible", (), {}, "one or more patterns"),
        ("app_manual", (1,), {}, "found 1"),
        ("retry_transient", (-1,), {}, "found -1"),
        ("retry_transient", (True,), {}, "found True"),
    ],
)
def test_means_nothing(name: str, args: tuple[Any, ...], kwargs: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ValueError) as caught:
        meaning(name, args, kwargs)
    assert complaint in str(caught.value)


@pytest.mark.parametrize(
    ("name", "args", "kwargs", "complaints"),
    [
        ("app", (5,), {"args": "--x", "reset": "all", "colour": 1},
         ["'colour'", "found 5", "found '--x'", "found 'all'"]),
        ("requires", (), {"os": "13", "min_width_dp": "wide", "tag": 1}, ["found os='13'", "found 'wide'", "found 1"]),
        ("platforms", ("windows", "mac"), {}, ["'windows', 'mac'"]),
        ("permissions", ("maybe",), {"camera": "report", "contacts": "x"}, ["'maybe'", "'report'", "'x'"]),
    ],
)  # fmt: skip
def test_every_wrong_argument_is_told(
    name: str, args: tuple[Any, ...], kwargs: dict[str, Any], complaints: list[str]
) -> None:
    with pytest.raises(ValueError) as caught:
        meaning(name, args, kwargs)
    assert [complaint for complaint in complaints if complaint not in str(caught.value)] == []


def test_a_secret_in_the_environment_is_not_repeated() -> None:
    with pytest.raises(ValueError) as caught:
        meaning("app", ("a",), {"env": {"TOKEN": 12345678}})
    assert "12345678" not in str(caught.value)


def test_every_rule_has_its_way_of_writing() -> None:
    assert all(written.startswith(f"{name}(") and says for name, (_rule, written, says) in RULES.items())
