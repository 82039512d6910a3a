"""Addresses of servers, and what is said of one where there is none."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_apex.backends.appium.attached import attach_to
from pytest_apex.backends.appium.limits import Limits
from pytest_apex.backends.appium.session import Session, address_of, as_lost, open_session, shown
from pytest_apex.backends.appium.trouble import says_device_gone
from pytest_apex.backends.appium.wire import Broken
from pytest_apex.errors import ConfigError, DeviceLost, DriverDead

from .scripted import ANDROID, HTML, Reply, Script, backend_on, failed, value

ASKED = {"platformName": "Android"}


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("http://127.0.0.1:4723", "http://127.0.0.1:4723"),
        (" http://farm.example/wd/hub/ ", "http://farm.example/wd/hub"),
        ("https://ada:key@farm.example", "https://ada:key@farm.example"),
    ],
)
def test_an_address_is_used_without_a_slash_at_its_end(url: str, address: str) -> None:
    assert address_of(url) == address


@pytest.mark.parametrize(
    "url", ["", "  ", "127.0.0.1:4723", "ftp://x", "http://", "http://h:abc", "http://a b", "http://[", "x"]
)
def test_what_is_no_address_is_told(url: str) -> None:
    with pytest.raises(ConfigError, match="can't use --appium-url"):
        address_of(url)


def test_a_key_in_an_address_is_shown_nowhere() -> None:
    assert shown("https://ada:s3cret@farm.example/x@y") == "https://…@farm.example/x@y"
    with pytest.raises(ConfigError) as error:
        open_session("http://ada:s3cret@127.0.0.1:1", ASKED, Limits(ping=0.5))
    assert "s3cret" not in str(error.value)
    with pytest.raises(ConfigError) as error:
        address_of("ftp://ada:s3cret@x")
    assert "s3cret" not in str(error.value)


def test_a_server_of_this_machine_is_not_asked_through_a_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    with pytest.raises(ConfigError) as error:
        open_session("http://127.0.0.1:1", ASKED, Limits(ping=0.5))
    assert "proxy" not in str(error.value)


def test_a_proxy_that_is_in_the_way_is_named_without_its_password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://ada:s3cret@127.0.0.1:9")
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    with pytest.raises(ConfigError) as error:
        open_session("http://192.0.2.1:4723", ASKED, Limits(ping=0.5))
    assert "the environment's proxy 127.0.0.1:9 does not let it through" in error.value.likely
    assert "s3cret" not in str(error.value)


# Again, and beside


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("Could not find a connected Android device in 20000ms", DeviceLost),
        ("Could not find the expected device '0000-1'", DeviceLost),
        ("Unable to start WebDriverAgent session", DriverDead),
    ],
)
def test_why_a_session_does_not_come_back(words: str, kind: type[Exception]) -> None:
    assert type(as_lost(ConfigError("the server opens no session", seen=words))) is kind
    assert says_device_gone(words) is (kind is DeviceLost)


class Driver:
    """As much of a client's driver as is asked."""

    session_id, capabilities = "s1", ANDROID

    def __init__(self, script: Script) -> None:
        self.script = script

    def execute(self, *_: Any) -> None: ...


@pytest.mark.parametrize(
    ("answer", "fails"),
    [
        (failed("invalid session id", "A session is either terminated or not started", 404), True),
        (Reply(502, HTML), True),
        (Broken("unreachable", "connection refused"), True),
        (value({"implicit": 0}), False),
        (failed("unknown command", "no such thing", 404), False),
    ],
)
def test_a_session_that_is_over_can_not_be_attached_to(
    answer: Any, fails: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = Script({"/timeouts": answer})
    monkeypatch.setattr(
        "pytest_apex.backends.appium.attached.running_session", lambda driver: Session(driver, "s1", ANDROID, script)
    )
    monkeypatch.setattr("pytest_apex.backends.appium.attached.Limits", lambda: Limits(look=0.3))
    if fails:
        with pytest.raises(ConfigError, match="can't attach to the session on R58M"):
            attach_to(Driver(script))
    else:
        attach_to(Driver(script)).close()


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("Could not find the expected device '0000-1'", DeviceLost),
        ("Unable to start WebDriverAgent session. Original error: connect ECONNREFUSED 127.0.0.1:1", DriverDead),
    ],
)
def test_what_is_gone_for_a_moment_is_waited_for(words: str, kind: type[Exception]) -> None:
    script = Script({"/window/rect": failed("invalid session id", "", 404)})
    backend = backend_on(script)
    connection, tries = backend._connection, [0]
    again = connection._reopen
    assert again is not None

    def open_one() -> Session:
        tries[0] += 1
        if tries[0] < 4:
            raise ConfigError("no session", seen=words)
        return again()

    connection._reopen = open_one
    assert "a new session was opened" in backend.recover()
    tries[0] = -1000
    with pytest.raises(kind):
        backend.recover()
    assert tries[0] < 0


def test_what_a_server_will_never_do_is_not_waited_for() -> None:
    backend = backend_on(Script({"/window/rect": failed("invalid session id", "", 404)}))
    tries: list[int] = []

    def open_one() -> Session:
        tries.append(1)
        raise ConfigError("no session", seen="'newCommandTimeout' must be of type number")

    backend._connection._reopen = open_one
    with pytest.raises(DriverDead):
        backend.recover()
    assert tries == [1]
