"""A session on an Appium server: opened by Appium-Python-Client, or one that a suite has already."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from pytest_apex.backends.appium.grid import why_no_slot_fits
from pytest_apex.backends.appium.limits import Limits
from pytest_apex.backends.appium.secrets import shown
from pytest_apex.backends.appium.trouble import says_device_gone
from pytest_apex.backends.appium.wire import Broken, Http, Refused, Transport, value_of
from pytest_apex.errors import ConfigError, DeviceLost, DeviceProblem, DriverDead

#: Says of which server an error tells.
_START = "start one: appium server (or name it: --appium-url)"
#: What Appium says of a path that it has not (@appium/base-driver `protocol/errors.ts`).
_NO_PATH = "requested resource could not be found"
_NO_SESSION_GIVEN = "it is no Appium server, or a proxy answers in its place"
#: What the client puts behind the server's words.
_ADDED = "; For documentation on this error"


@dataclass(frozen=True, slots=True)
class Session:
    """`driver` is Appium-Python-Client's; `told` the capabilities that the server gave it."""

    driver: Any
    id: str
    told: Mapping[str, Any]
    transport: Transport

    def fact(self, *names: str) -> str:
        """The first of these capabilities that was told, with or without its prefix; "" for none."""
        return next(
            (str(told) for name in names for told in (self.told.get(f"appium:{name}"), self.told.get(name)) if told), ""
        )


def need_server(url: str, limits: Limits) -> Any:
    """What the server tells of itself. Raises `ConfigError` where there is none, or no address."""
    return _asked_for_status(*_client(url, limits), url, limits)


def open_session(url: str, asked: Mapping[str, Any], limits: Limits) -> Session:
    """A new session. Raises `ConfigError` where there is no server or it won't."""
    config, connection = _client(url, limits)
    url = shown(url)
    from appium.options.common.base import AppiumOptions
    from appium.webdriver.webdriver import WebDriver
    from selenium.common.exceptions import WebDriverException
    from urllib3.exceptions import HTTPError

    hinders = why_no_slot_fits(_asked_for_status(config, connection, url, limits), asked)
    if hinders:
        config.timeout = limits.app  # nothing but a new machine in the grid can help
    options = AppiumOptions()
    options.load_capabilities(dict(asked))
    # The client's own errors have the server's stack: what it says is told, and no chain of causes.
    try:
        driver = WebDriver(command_executor=connection, options=options)
    except WebDriverException as error:
        raise _not_opened(url, asked, str(error.msg or error), hinders) from None
    except (HTTPError, OSError) as error:
        raise _not_opened(url, asked, str(error), hinders) from None
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        # The client takes a page of HTML for an answer and looks for the session's id in it.
        told = f"no answer of WebDriver ({type(error).__name__}: {error})"
        raise _not_opened(url, asked, told, hinders) from None
    config.timeout = limits.act  # of `device.raw`; what we ask ourselves has a time-out each
    return _session(driver)


def _client(url: str, limits: Limits) -> tuple[Any, Any]:
    """The client's configuration and its connection. Raises `ConfigError` for what is no address."""
    address = address_of(url)
    from appium.webdriver.appium_connection import AppiumConnection
    from appium.webdriver.client_config import AppiumClientConfig
    from selenium.webdriver.common.proxy import Proxy

    try:
        config = AppiumClientConfig(
            remote_server_addr=address,
            timeout=limits.open,
            # What runs on this machine is not asked through a proxy, whatever the environment says.
            **({"proxy": Proxy(raw={"proxyType": "DIRECT"})} if _is_here(address) else {}),
            init_args_for_pool_manager={"init_args_for_pool_manager": {"retries": False}},
        )
        return config, AppiumConnection(client_config=config)
    except (ValueError, TypeError) as error:
        raise ConfigError(f"can't use --appium-url={shown(url)}", seen=str(error), cure="http://HOST:4723") from error


def running_session(driver: Any) -> Session:
    """The session of a driver that a suite has opened. Raises `ConfigError` for one that is closed."""
    if not driver.session_id:
        raise ConfigError("can't attach to a driver without a session", seen="it was quit, or never started")
    return _session(driver)


def _session(driver: Any) -> Session:
    return Session(driver, str(driver.session_id), dict(driver.capabilities), transport_of(driver.command_executor))


def transport_of(connection: Any) -> Transport:
    """A connection of our own to where a client's goes: through the same proxies, with the same certificates and
    authorization."""
    config = connection._client_config
    headers = {"User-Agent": str(connection.user_agent or "pytest-apex")}
    headers |= dict(config.get_auth_header() or {})
    return Http(connection._get_connection_manager(), str(config.remote_server_addr), headers)


def address_of(url: str) -> str:
    """`--appium-url` as it is used: without a slash at its end. Raises `ConfigError` for what is no address."""
    wrong = _wrong_with(url.strip())
    if wrong:
        raise ConfigError(f"can't use --appium-url={shown(url)}", seen=wrong, cure="http://HOST:4723")
    return url.strip().rstrip("/")


def _wrong_with(url: str) -> str:
    """Why a text is no address of a server; "" where it is one."""
    try:
        parts = urlsplit(url)
        host, begins = parts.hostname, parts.scheme in ("http", "https")
    except ValueError:
        return "no address: its brackets are those of no IPv6 address"
    if not begins or not host or any(letter.isspace() for letter in url):
        return "no address that begins with http:// or https://"
    try:
        return "" if parts.port != 0 else "a port is a number from 1 to 65535"
    except ValueError:
        return "a port is a number from 1 to 65535"


def _is_here(address: str) -> bool:
    host = urlsplit(address).hostname or ""
    return host == "localhost" or host.startswith("127.") or host == "::1"


def _proxy_of(config: Any) -> str:
    """The proxy that the environment puts before the server; "" for none. It may hold a password: its place alone."""
    told = urlsplit(str(config.get_proxy_url() or ""))
    return f"{told.hostname}:{told.port}" if told.hostname else ""


def place_of(url: str) -> str:
    """Host and port of a server on another machine; "" for one on this machine."""
    address = address_of(url)
    return "" if _is_here(address) else urlsplit(address).netloc.rpartition("@")[2]


def _asked_for_status(config: Any, connection: Any, url: str, limits: Limits) -> Any:
    """So that a wrong address is told at once and by its name."""
    try:
        told = value_of(transport_of(connection)("GET", "/status", None, limits.ping))
    except Broken as error:
        raise _no_server(shown(url), error, _proxy_of(config)) from None
    except Refused as error:
        if _NO_PATH in error.message:
            raise _no_server(shown(url), Broken("broken", error.message), "") from None
        return None  # a farm that has no such command is one that answers
    if isinstance(told, dict) and str(told.get("message", "")).startswith("WebDriverAgent "):
        raise ConfigError(
            f"there is no Appium server at {shown(url)}",
            seen=f"{told['message']}: what Appium runs on the device",
            likely="the address is that of WebDriverAgent",
            cure='--appium-url of the Appium server; this one as {"webDriverAgentUrl": "…"} in --appium-caps',
        )
    return told


def _no_server(url: str, error: Broken, proxy: str) -> ConfigError:
    likely, cure = "it was not started", _START
    if "resolve" in str(error):
        likely, cure = "nobody knows a machine of this name", "--appium-url with the name or address of the machine"
    elif "WRONG_VERSION_NUMBER" in str(error):
        likely, cure = "what listens there speaks http, and no https", "--appium-url=http://…"
    elif "CERTIFICATE_VERIFY_FAILED" in str(error):
        likely, cure = "nobody here knows who signed its certificate", "REQUESTS_CA_BUNDLE=FILE in the environment"
    elif proxy:
        likely, cure = f"the environment's proxy {proxy} does not let it through", "no_proxy=HOST in the environment"
    elif re.match(r"HTTP 40[13]\b", str(error)):
        likely, cure = "it wants a user and a key, or refuses these", "--appium-url=https://USER:KEY@HOST"
    elif str(error).startswith("HTTP 3"):
        likely, cure = "it moved, such as from http to https", "--appium-url with the address that it has now"
    elif error.kind == "unreachable" and urlsplit(url).port is None:
        likely, cure = "the address has no port, and Appium's is none of the usual ones", f"--appium-url={url}:4723"
    elif error.kind == "silent":
        likely, cure = "it hangs, or what listens there is another server", "start it anew, or correct --appium-url"
    elif error.kind != "unreachable":
        likely = "the address is another server's, or its base path is not the one that the server was started with"
        cure = "--appium-url with the server's own base path: none, or one such as /wd/hub"
    return ConfigError(f"there is no Appium server at {url}", seen=str(error), likely=likely, cure=cure)


def _not_opened(url: str, asked: Mapping[str, Any], told: str, hinders: str) -> ConfigError:
    lines = " ".join(line.strip() for line in told.partition(_ADDED)[0].splitlines()[:4] if line.strip())
    return ConfigError(
        f"the server at {url} opens no session for {asked.get('appium:udid', 'any device')}",
        seen=lines[:500],
        likely=f"no slot of the grid fits: {hinders}" if hinders else _why(lines, asked),
        cure="see the server's log; --appium-caps changes what is asked for",
    )


def _why(told: str, asked: Mapping[str, Any]) -> str:
    driver = str(asked.get("appium:automationName") or "uiautomator2")
    for words, likely in (
        ("ould not find support for platformName", f"{driver} drives no {asked.get('platformName')}"),
        ("ould not find a driver", f"the driver is not installed: appium driver install {driver.lower()}"),
        ("requires macOS", "the server's machine is no Mac, which alone can start WebDriverAgent on an iPhone"),
        ("ANDROID_HOME", "the server's machine has no Android SDK in ANDROID_HOME"),
        ("onnected", "the device is not connected to the server's machine, or not under this id"),
        (_NO_PATH, "the address has a base path that the server has not, or lacks the one that it was started with"),
        ("session creation response", _NO_SESSION_GIVEN),
        ("<html", _NO_SESSION_GIVEN),
        ("no answer of WebDriver", _NO_SESSION_GIVEN),
        ("does not exist or is not accessible", "the package of appium:app is not on the server's machine"),
        ("Cannot start the '", "the app of appium:appPackage is not on the device, or has no such activity"),
        ("must be of type", "a capability is of the wrong type"),
        ("is required to be present", "a capability is missing, or names what no driver is for"),
        ("App with bundle identifier", "the app is not on the device: appium:app installs it"),
        ("WebDriverAgent session", "WebDriverAgent does not run there, or not at appium:webDriverAgentUrl"),
        ("xcodebuild", "WebDriverAgent could not be built or started: its signing, or the device's trust"),
        ("timed out", "a grid has no free device of that kind, or the driver did not start in time"),
        ("no answer within", "a grid has no free device of that kind, or the driver did not start in time"),
    ):
        if words in told:
            return likely
    return "the device or the driver on it can't be used as asked"


def as_lost(error: ConfigError) -> DeviceProblem:
    """A session that can't be opened anew in the middle of a run is no wrong option."""
    kind = DeviceLost if says_device_gone(error.seen) else DriverDead
    return kind(error.tried, seen=error.seen, likely=error.likely, cure=error.cure)
