"""Web pages inside apps: which there are, and a Selenium driver for one of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pytest_apex.backends.abilities import DrivesWebPages, HasWebPages, WebPage
from pytest_apex.device import arguments
from pytest_apex.device.context import Context
from pytest_apex.device.doors import door
from pytest_apex.device.sealed import Sealed
from pytest_apex.errors import ActionRefused, ConfigError


class WebFacet(Sealed):
    """Web pages inside apps: `device.web.pages()`, `device.web.driver()`."""

    def __init__(self, context: Context) -> None:
        self._ctx = context

    def __repr__(self) -> str:
        return f"<web of {self._ctx.info.id}>"

    def pages(self, app: str = "") -> Sequence[WebPage]:
        """Pages that the web views of an app show (of the app under test, if none is named). `CapabilityMissing` where
        the device can't tell, `ActionRefused` naming the app's missing flag where the app does not let itself be
        debugged."""
        debugger = door(self._ctx, HasWebPages, "web", "look into web pages")
        self._ctx.read_since_act = True
        return tuple(debugger.web_pages(arguments.text(app, "pages()") or self._ctx.watch.app))

    def driver(self, page: WebPage | None = None, *, chromedriver: str = "") -> Any:
        """A plain Selenium driver (`selenium.webdriver.Chrome`) on a page of `pages()`, on the only one if none is
        named. It ends with the test; what goes through it is noted as "outside" and not checked.

        It needs the chromedriver of the web view's own version: the one on the PATH, or `chromedriver`, a path. Raises
        `BackendMissing` without one, `ConfigError` for another version, `ActionRefused` where there is no such page.
        """
        if page is not None and not isinstance(page, WebPage):
            raise ConfigError(
                "driver() takes a page", seen=f"got {type(page).__name__}", cure="one of device.web.pages()"
            )
        arguments.text(chromedriver, "driver(chromedriver=…)")
        debugger = door(self._ctx, DrivesWebPages, "web", "drive web pages")
        wanted = page or _the_only(self.pages())
        self._ctx.recorder.event("web_driver", title=wanted.title, url=wanted.url, app=wanted.app)
        driver = debugger.web_driver(wanted, chromedriver)
        self._ctx.undo[f"web driver {id(driver)}"] = lambda: debugger.end_web_driver(driver)
        self._ctx.settled = None
        return driver


def _the_only(pages: Sequence[WebPage]) -> WebPage:
    if len(pages) == 1:
        return pages[0]
    listed = "\n".join(f"{page.title!r} at {page.url}" for page in pages)
    raise ActionRefused(
        "device.web.driver() means the only web page of the app, and there are " + ("several" if pages else "none"),
        seen=listed or "no page that can be debugged",
        likely="" if pages else "the app shows no web view now",
        cure="name one of device.web.pages()" if pages else "go to the screen that shows it",
    )
