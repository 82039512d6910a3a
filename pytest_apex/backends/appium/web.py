"""Web pages of the app in front: contexts of the session. There is one driver and one context at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pytest_apex.backends.abilities import WebPage
from pytest_apex.backends.appium.connection import NATIVE, Connection
from pytest_apex.errors import ActionRefused, ConfigError

#: How the driver names the context of an app's web views (appium-android-driver `commands/context/helpers.ts`).
_ANDROID = "WEBVIEW_"


class Web:
    """`web_driver` is the session's own driver in the page's context, until it is ended or the device is used again."""

    _connection: Connection

    def web_pages(self, app: str) -> Sequence[WebPage]:
        told = self._connection.ask("mobile: getContexts", tried="listing the web views")
        found = []
        for entry in told if isinstance(told, list) else []:
            if not isinstance(entry, dict):
                continue
            if "webviewName" in entry:  # Android: the web views of an app, with their pages
                name = str(entry["webviewName"] or "")
                if name != f"{_ANDROID}{app}":
                    continue
                pages = entry.get("pages") if isinstance(entry.get("pages"), list) else []
                found += [
                    WebPage(str(page.get("title", "")), str(page.get("url", "")), app, name)
                    for page in pages or []
                    if isinstance(page, dict) and page.get("type", "page") == "page"
                ]
            elif str(entry.get("id", NATIVE)) != NATIVE:  # iOS: one page
                title, url = str(entry.get("title") or ""), str(entry.get("url") or "")
                found.append(WebPage(title, url, str(entry.get("bundleId") or app), str(entry["id"])))
        return tuple(found)

    def web_driver(self, page: WebPage, chromedriver: str = "") -> Any:
        from selenium.common.exceptions import WebDriverException
        from urllib3.exceptions import HTTPError

        if chromedriver:
            raise ConfigError(
                "the chromedriver of a session is started by the Appium server",
                seen=f"chromedriver={chromedriver!r}",
                cure='--appium-caps \'{"appium:chromedriverExecutable": "…"}\', a path on the server\'s machine',
            )
        connection, driver = self._connection, self._connection.session.driver
        connection.enter_web(page.socket)
        try:
            for handle in driver.window_handles:
                driver.switch_to.window(handle)
                if driver.current_url == page.url:
                    return driver
            seen = f"it is not among the pages of {page.socket}"
        except (WebDriverException, HTTPError) as error:
            seen = str(error).partition("\n")[0]
        connection.leave_web()
        raise ActionRefused(
            f"can't drive the page {page.url}", seen=seen, cure="device.web.pages() lists what there is"
        )

    def end_web_driver(self, _driver: Any) -> None:
        self._connection.leave_web()
