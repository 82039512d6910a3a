"""Web views that can be debugged: their sockets on the phone, and the pages behind them."""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Sequence
from typing import Any

from pytest_apex.backends.abilities import WebPage
from pytest_apex.backends.uiautomator2.handset import Handset
from pytest_apex.backends.uiautomator2.http import BrokenReply, read_reply, request
from pytest_apex.model.snapshot import Snapshot

ASK_SOCKETS = "cat /proc/net/unix"
_SOCKET = re.compile(r"@(?P<name>\S*_devtools_remote(?:_(?P<pid>\d+))?)\s*$", re.MULTILINE)
_WEB_VIEW = "android.webkit.WebView"


def sockets_of(text: str, pid: int) -> list[str]:
    """Names of the debugging sockets of a process, from `/proc/net/unix`."""
    return list(dict.fromkeys(match["name"] for match in _SOCKET.finditer(text) if match["pid"] == str(pid)))


def shows_web_view(snapshot: Snapshot, app: str) -> bool:
    """Whether an app shows a web view."""
    return any(node.class_name == _WEB_VIEW and node.window.app == app for node in snapshot.nodes)


def pages_at(phone: Handset, name: str, app: str) -> Sequence[WebPage]:
    """The pages behind a socket; none where it does not answer as a debugger does."""
    port = phone.forward(f"localabstract:{name}")
    try:
        told = _get(phone.server.host, port, phone.limits.shell)
    except (OSError, BrokenReply, ValueError):
        return ()
    finally:
        phone.remove_forward(port)
    listed = told if isinstance(told, list) else []
    return tuple(
        WebPage(str(page.get("title", "")), str(page.get("url", "")), app, name)
        for page in listed
        if isinstance(page, dict) and page.get("type", "page") == "page"
    )


def _get(host: str, port: int, limit: float) -> Any:
    with socket.create_connection((host, port), limit) as sock:
        sock.settimeout(limit)
        sock.sendall(request("GET", "/json"))
        return json.loads(read_reply(sock.recv).body)
