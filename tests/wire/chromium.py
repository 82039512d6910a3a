"""Headless Chromium with an emulated touch screen, driven by Appium, on a page that keeps all touches."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from appium import webdriver
from appium.options.common import AppiumOptions
from appium.webdriver.client_config import AppiumClientConfig
from selenium.webdriver.remote.command import Command

from .servers.appium import free_port

#: CSS pixels, the units of touches; pixels of the screen are 2.625 times as many.
WIDTH, HEIGHT = 412, 915
_ARRIVES_WITHIN_MS = 5000
#: Answers once as many touches have ended, and as many clicks have come, as are expected: the driver does not wait.
_WAIT = """
const [ups, clicks, limit, done] = arguments;
const began = performance.now();
const count = type => seen.filter(event => event.type === type).length;
(function look() {
  const all = count("pointerup") >= ups && count("click") >= clicks;
  if (all || performance.now() - began > limit) done(seen.splice(0)); else setTimeout(look, 5);
})();
"""


class TouchPage:
    """The page in an open session: what is sent to it, and what came of that."""

    def __init__(self, driver: Any, address: str) -> None:
        self._driver, self._address = driver, address

    def open(self) -> None:
        self._driver.get(self._address)

    def play(self, payload: list[dict[str, Any]], ups: int, clicks: int = 0) -> list[dict[str, Any]]:
        """Send one request of W3C actions; what the page has seen once so many touches and clicks are over, or 5 s."""
        self._driver.execute(Command.W3C_ACTIONS, {"actions": payload})
        return list(self._driver.execute_async_script(_WAIT, ups, clicks, _ARRIVES_WITHIN_MS))

    def forge(self, x: int, y: int) -> list[dict[str, Any]]:
        """A touch by a script of the page; what the page has seen of it."""
        made = "for (const type of ['pointerdown', 'pointerup']) dispatchEvent(new PointerEvent(type, arguments[0]));"
        touch = {"pointerId": 99, "pointerType": "touch", "clientX": x, "clientY": y}
        return list(self._driver.execute_script(f"{made} return seen.splice(0)", touch))


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        """Nothing on the terminal of a test run."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address on loopback under which a folder's files are served meanwhile."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder))) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()


@contextmanager
def touch_page(server: str, browser: str, driver: str) -> Iterator[TouchPage]:
    """A session of the Appium server with that browser and driver, on `touch_page.html`; it ends with the block."""
    options = AppiumOptions()
    options.load_capabilities(_capabilities(browser, driver))
    session = webdriver.Remote(options=options, client_config=AppiumClientConfig(remote_server_addr=server, timeout=60))
    try:
        with served(Path(__file__).parent) as address:
            yield TouchPage(session, f"{address}/touch_page.html")
    finally:
        session.quit()


def _capabilities(browser: str, driver: str) -> dict[str, Any]:
    arguments = [
        "--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-sync",
        "--disable-background-networking", "--disable-component-update",
        # No name is looked up and no other machine is called.
        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    ]  # fmt: skip
    if os.geteuid() == 0:
        # Chromium refuses to start as root in its sandbox, and the page is our own.
        arguments.append("--no-sandbox")
    metrics = {"width": WIDTH, "height": HEIGHT, "pixelRatio": 2.625, "touch": True, "mobile": True}
    return {
        "platformName": "linux",
        "browserName": "chrome",
        "appium:automationName": "Chromium",
        "appium:executable": driver,
        "appium:autodownloadEnabled": False,
        # Else it is one and the same for all servers on a machine, which end each other's sessions.
        "appium:chromedriverPort": free_port(),
        "goog:chromeOptions": {
            "binary": browser,
            "args": arguments,
            "mobileEmulation": {"deviceMetrics": metrics},
        },
    }
