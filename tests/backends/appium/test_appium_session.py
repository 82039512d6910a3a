"""Addresses of servers, and what is said of one where there is none."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_apex.backends.appium.attached import attach_to
from pytest_apex.backends.appium.connecting import identify
from pytest_apex.backends.appium.limits import Limits
from pytest_apex.backends.appium.secrets import secrets_in, shown
from pytest_apex.backends.appium.session import (
    Session,
    _no_server,
    _why,
    address_of,
    as_lost,
    need_server,
    open_session,
)
from pytest_apex.backends.appium.trouble import says_device_gone
from pytest_apex.backends.appium.wire import Broken
from pytest_apex.errors import ConfigError, DeviceLost, DriverDead
from pytest_apex.settings import Settings

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
    ("url", "seen"),
    [
        *((url, "begins with http://") for url in ("", " ", "h:4723", "ftp://x", "http://", "http://a b", "x")),
        *((url, "a port is a number from 1 to 65535") for url in ("http://h:abc", "http://h:123456", "http://h:0")),
        ("http://[", "brackets"),
        ("http://[::1:4723", "brackets"),
    ],
)
def test_what_is_no_address_is_told(url: str, seen: str) -> None:
    with pytest.raises(ConfigError, match="can't use --appium-url") as error:
        address_of(url)
    assert seen in error.value.seen


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("https://ada:s3cret@farm.example/x@y", "https://…@farm.example/x@y"),
        ("https://ada:s3@cret@farm.example:443/wd/hub", "https://…@farm.example:443/wd/hub"),
        ("http://ada:s3/cret@127.0.0.1:1", "http://…@127.0.0.1:1"),
        ("ada:s3cret@127.0.0.1:1", "…@127.0.0.1:1"),
        ("https://farm.example/wd/hub?key=s3cret", "https://farm.example/wd/hub?…"),
        ("http://[::1]:4723/wd/hub", "http://[::1]:4723/wd/hub"),
    ],
)
def test_an_address_is_shown_without_its_key(url: str, told: str) -> None:
    assert shown(url) == told


@pytest.mark.parametrize(
    ("url", "caps", "secrets"),
    [
        ("http://127.0.0.1:4723/wd/hub", '{"udid": "R58M", "keyAlias": "x"}', ()),
        ("https://ada:s3%40cret@farm.example", "", ("s3%40cret", "s3@cret")),
        ("https://t0ken@farm.example?key=k3y", "", ("t0ken", "k3y")),
        ("ada:s3cret@farm.example", "{", ("s3cret",)),
        ("http://h", '{"sauce:options": {"username": "ada", "accessKey": "k3y"}, "unlockKey": 1234}', ("k3y", "1234")),
        ("http://h", '{"app": "https://ada:k3y@store.example/a.apk", "noReset": true}', ("k3y",)),
    ],
)
def test_what_is_secret_in_an_address_and_in_capabilities(url: str, caps: str, secrets: tuple[str, ...]) -> None:
    assert secrets_in(url, caps) == secrets


def test_a_key_in_an_address_is_shown_nowhere() -> None:
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


@pytest.mark.parametrize(
    ("reply", "seen", "likely"),
    [
        (Reply(200, b"\xff\x00\x1b[31m{}"), "HTTP 200 with no answer of WebDriver: \ufffd [31m{}", "base path"),
        (Reply(302, b""), "HTTP 302: it leads to another address", "it moved"),
        (Reply(401, b"no"), "HTTP 401 with no answer of WebDriver: no", "it wants a user and a key"),
        (
            failed("unknown command", "The requested resource could not be found", 404),
            "requested resource",
            "base path",
        ),
        (value({"ready": True, "message": "WebDriverAgent is ready to accept commands"}), "on the device", "of Web"),
    ],
)
def test_what_is_no_appium_server(reply: Reply, seen: str, likely: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pytest_apex.backends.appium.session.transport_of", lambda _: lambda *_: reply)
    with pytest.raises(ConfigError, match="there is no Appium server at") as error:
        need_server("http://127.0.0.1:1", Limits())
    assert seen in error.value.seen
    assert likely in error.value.likely


@pytest.mark.parametrize(
    ("url", "words", "likely"),
    [
        ("https://h:4723", "[SSL: WRONG_VERSION_NUMBER] wrong version number", "what listens there speaks http"),
        ("https://h:4723", "[SSL: CERTIFICATE_VERIFY_FAILED] self-signed", "who signed its certificate"),
        ("http://h", "[Errno 111] Connection refused", "the address has no port"),
        ("http://h:4723", "[Errno 111] Connection refused", "it was not started"),
    ],
)
def test_why_there_is_no_server(url: str, words: str, likely: str) -> None:
    assert likely in _no_server(url, Broken("unreachable", words), "").likely


@pytest.mark.parametrize(
    ("words", "driver", "likely"),
    [
        ("Could not find a driver for automationName 'Espresso'", "Espresso", "appium driver install espresso"),
        ("Appium could not find support for platformName 'iOS'", "UiAutomator2", "UiAutomator2 drives no iOS"),
        ("The selected XCUITest session strategy requires macOS with Xcode.", "XCUITest", "is no Mac"),
        ("The application at '/a' does not exist or is not accessible", "UiAutomator2", "is not on the server's"),
        ("Cannot start the 'a.b' application.", "UiAutomator2", "is not on the device"),
        ("Something else", "XCUITest", "can't be used as asked"),
    ],
)
def test_why_no_session_is_opened(words: str, driver: str, likely: str) -> None:
    assert likely in _why(words, {"platformName": "iOS", "appium:automationName": driver})


def test_a_farm_without_a_status_is_one_that_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = failed("unknown command", "not here", 404)
    monkeypatch.setattr("pytest_apex.backends.appium.session.transport_of", lambda _: lambda *_: answer)
    assert need_server("http://127.0.0.1:1", Limits()) is None
    script = Script({"/status": answer, "/window/rect": value({"width": 1, "height": 1})})
    assert backend_on(script).recover() == "the session answers again"
    assert script.sent[-1][1] == "/window/rect"


# Which device


def _settings(url: str, caps: str = "") -> Settings:
    return Settings().changed("devices", {}, appium_url=url, appium_caps=caps)


@pytest.mark.parametrize(
    ("device", "url", "caps", "names"),
    [
        ("R58M", "http://localhost:4723", "", ("R58M",)),
        ("R58M", "http://ada:key@farm.example:4723/wd/hub", "", ("R58M at farm.example:4723",)),
        ("auto", "http://localhost:4723", '{"udid": "R58M"}', ("R58M",)),
        ("auto", "http://localhost:4723", "", ()),
    ],
)
def test_a_device_is_known_by_its_id_and_by_the_machine_it_is_at(
    device: str, url: str, caps: str, names: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pytest_apex.backends.appium.connecting.need_server", lambda *_: None)
    assert identify(device, _settings(url, caps)) == names


def test_without_a_server_or_with_wrong_capabilities_no_device_is_known() -> None:
    with pytest.raises(ConfigError, match=r"there is no Appium server at http://127\.0\.0\.1:1"):
        identify("R58M", _settings("http://127.0.0.1:1"))
    with pytest.raises(ConfigError, match="can't read --appium-caps"):
        identify("R58M", _settings("http://127.0.0.1:1", "{"))


def test_a_server_that_opens_no_session_is_told_in_its_words_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    from selenium.common.exceptions import WebDriverException

    def refuses(**_: Any) -> None:
        raise WebDriverException("Could not find a connected Android device", stacktrace=["at getDevices (adb.js:1)"])

    monkeypatch.setattr("appium.webdriver.webdriver.WebDriver", refuses)
    monkeypatch.setattr("pytest_apex.backends.appium.session._asked_for_status", lambda *_: {"ready": True})
    with pytest.raises(ConfigError) as error:
        open_session("http://127.0.0.1:1", ASKED, Limits())
    assert error.value.seen == "Could not find a connected Android device"
    assert error.value.__suppress_context__
    assert error.value.__cause__ is None


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
        (value("NATIVE_APP"), False),
        (failed("unknown command", "no such thing", 404), False),
    ],
)
def test_a_session_that_is_over_can_not_be_attached_to(
    answer: Any, fails: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = Script({"/context": answer})
    monkeypatch.setattr(
        "pytest_apex.backends.appium.attached.running_session", lambda driver: Session(driver, "s1", ANDROID, script)
    )
    monkeypatch.setattr("pytest_apex.backends.appium.attached.Limits", lambda: Limits(look=0.3, ping=0.3))
    if fails:
        with pytest.raises(ConfigError, match="can't attach to the session on R58M"):
            attach_to(Driver(script))
        assert {path for _, path, _ in script.sent} == {"/context"}  # nothing else has to wait for it
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
