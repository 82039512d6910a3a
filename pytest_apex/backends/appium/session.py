"""A session on an Appium server: opened by Appium-Python-Client, or one that a suite has already."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from pytest_apex.backends.appium.grid import why_no_slot_fits
from pytest_apex.backends.appium.limits import Limits
from pytest_apex.backends.appium.trouble import says_device_gone
from pytest_apex.backends.appium.wire import Broken, Http, Refused, Transport, value_of
from pytest_apex.errors import ConfigError, DeviceLost, DeviceProblem, DriverDead

#: Says of which server an error tells.
_START = "start one: appium server (or name it: --appium-url)"


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


def open_session(url: str, asked: Mapping[str, Any], limits: Limits) -> Session:
    """A new session. Raises `ConfigError` where there is no server or it won't."""
    address, url = address_of(url), shown(url)
    from appium.options.common.base import AppiumOptions
    from appium.webdriver.appium_connection import AppiumConnection
    from appium.webdriver.client_config import AppiumClientConfig
    from appium.webdriver.webdriver import WebDriver
    from selenium.common.exceptions import WebDriverException
    from selenium.webdriver.common.proxy import Proxy
    from urllib3.exceptions import HTTPError

    try:
        config = AppiumClientConfig(
            remote_server_addr=address,
            timeout=limits.open,
            # What runs on this machine is not asked through a proxy, whatever the environment says.
            **({"proxy": Proxy(raw={"proxyType": "DIRECT"})} if _is_here(address) else {}),
            init_args_for_pool_manager={"init_args_for_pool_manager": {"retries": False}},
        )
        connection = AppiumConnection(client_config=config)
    except (ValueError, TypeError) as error:
        raise ConfigError(f"can't use --appium-url={url}", seen=str(error), cure="http://HOST:4723") from error
    hinders = why_no_slot_fits(_need_server(transport_of(connection), url, limits, _proxy_of(config)), asked)
    if hinders:
        config.timeout = limits.app  # nothing but a new machine in the grid can help
    options = AppiumOptions()
    options.load_capabilities(dict(asked))
    try:
        driver = WebDriver(command_executor=connection, options=options)
    except WebDriverException as error:
        raise _not_opened(url, asked, str(error.msg or error), hinders) from error
    except (HTTPError, OSError) as error:
        raise _not_opened(url, asked, str(error), hinders) from error
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        # The client takes a page of HTML for an answer and looks for the session's id in it.
        told = f"no answer of WebDriver ({type(error).__name__}: {error})"
        raise _not_opened(url, asked, told, hinders) from error
    config.timeout = limits.act  # of `device.raw`; what we ask ourselves has a time-out each
    return _session(driver)


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
    try:
        parts = urlsplit(url.strip())
        fits = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        fits = False
    if not fits or any(letter.isspace() for letter in url.strip()):
        raise ConfigError(
            f"can't use --appium-url={shown(url)}",
            seen="no address that begins with http:// or https://",
            cure="http://HOST:4723",
        )
    return url.strip().rstrip("/")


def shown(url: str) -> str:
    """An address without the user and the key that farms want in it."""
    return re.sub(r"//[^/@]*@", "//…@", url)


def _is_here(address: str) -> bool:
    host = urlsplit(address).hostname or ""
    return host == "localhost" or host.startswith("127.") or host == "::1"


def _proxy_of(config: Any) -> str:
    """The proxy that the environment puts before the server; "" for none. It may hold a password: its place alone."""
    told = urlsplit(str(config.get_proxy_url() or ""))
    return f"{told.hostname}:{told.port}" if told.hostname else ""


def _need_server(transport: Transport, url: str, limits: Limits, proxy: str) -> Any:
    """What the server tells of itself; so that a wrong address is told at once and by its name."""
    try:
        return value_of(transport("GET", "/status", None, limits.ping))
    except Broken as error:
        raise _no_server(url, error, proxy) from error
    except Refused:
        return None  # a farm that has no such command is one that answers


def _no_server(url: str, error: Broken, proxy: str) -> ConfigError:
    likely, cure = "it was not started", _START
    if "resolve" in str(error):
        likely, cure = "nobody knows a machine of this name", "--appium-url with the name or address of the machine"
    elif proxy:
        likely, cure = f"the environment's proxy {proxy} does not let it through", "no_proxy=HOST in the environment"
    elif error.kind != "unreachable":
        likely = "the address is another server's, or lacks its base path"
        cure = "--appium-url with the base path of the server, such as /wd/hub"
    return ConfigError(f"there is no Appium server at {url}", seen=str(error), likely=likely, cure=cure)


def _not_opened(url: str, asked: Mapping[str, Any], told: str, hinders: str) -> ConfigError:
    lines = " ".join(line.strip() for line in told.splitlines()[:4] if line.strip())
    return ConfigError(
        f"the server at {url} opens no session for {asked.get('appium:udid', 'any device')}",
        seen=lines[:500],
        likely=f"no slot of the grid fits: {hinders}" if hinders else _why(lines),
        cure="see the server's log; --appium-caps changes what is asked for",
    )


def _why(told: str) -> str:
    for words, likely in (
        ("ould not find a driver", "the driver is not installed: appium driver install uiautomator2 (or xcuitest)"),
        ("ANDROID_HOME", "the server's machine has no Android SDK in ANDROID_HOME"),
        ("onnected", "the device is not connected to the server's machine, or not under this id"),
        (
            "requested resource could not be found",
            "the address has a base path that the server has not, or lacks the one that it was started with",
        ),
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
