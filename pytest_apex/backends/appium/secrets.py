"""What is secret in the address of a server and in capabilities: farms want their keys there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from pytest_apex.backends.appium.capabilities import read_capabilities
from pytest_apex.errors import ConfigError

#: Ends of the names of capabilities whose values are secret: `accessKey`, `securityToken`, `keychainPassword` …
_NAMES = re.compile(r"(?:key|token|password|passcode|passwd|secret|credentials?)$", re.IGNORECASE)
_ADDRESS = re.compile(r"https?://", re.IGNORECASE)


def shown(url: str) -> str:
    """An address without the user and the key that farms want in it; what can't be read as one, without all before
    its last `@`."""
    url = re.sub(r"\?.+", "?…", url)
    if _reads(url):
        return re.sub(r"//[^/?#]*@", "//…@", url)
    return re.sub(r"^(\s*\w+://)?.*@", r"\1…@", url, flags=re.DOTALL)


def secrets_in(url: str, caps: str) -> tuple[str, ...]:
    """All that is secret in `--appium-url` and `--appium-caps`; nothing in those that can't be read."""
    try:
        given = read_capabilities(caps)
    except ConfigError:
        given = {}
    return tuple(dict.fromkeys(secret for secret in (*_of_address(url), *_of_value("", given)) if secret))


def _of_address(url: str) -> Iterator[str]:
    """The key; the user alone where no key is behind it, as some farms have it."""
    if _reads(url):
        user = urlsplit(url).netloc.rpartition("@")[0]
        values = [value for _, value in parse_qsl(urlsplit(url).query)]
    else:
        user, values = re.sub(r"^\s*\w+://", "", url).rpartition("@")[0], []
    name, _, key = user.partition(":")
    for secret in (key or name, *values):
        yield from (secret, unquote(secret))


def _of_value(name: str, value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for inner, one in value.items():
            yield from _of_value(str(inner), one)
    elif isinstance(value, list):
        for one in value:
            yield from _of_value(name, one)
    elif isinstance(value, (str, int)) and not isinstance(value, bool) and _NAMES.search(name):
        yield str(value)
    elif isinstance(value, str) and _ADDRESS.match(value):
        yield from _of_address(value)


def _reads(url: str) -> bool:
    try:
        parts = urlsplit(url.strip())
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
