"""What chromedriver says when it opens no session, by its cause."""

from __future__ import annotations

from pytest_apex.backends.abilities import WebPage
from pytest_apex.backends.uiautomator2.web_driver import _no_session
from pytest_apex.errors import ConfigError, DriverDead

PAGE = WebPage("Terms", "https://example.com/terms", "com.example.notes", "webview_devtools_remote_7")


def test_another_version_is_the_projects_to_mend() -> None:
    told = (
        "session not created: This version of ChromeDriver only supports Chrome version 156\n"
        "Current browser version is 113.0.5672.136\nStacktrace:\n#0 0x55"
    )
    error = _no_session("/usr/bin/chromedriver", PAGE, told)
    assert isinstance(error, ConfigError)
    assert error.tried == "chromedriver 156 can't drive the web view of com.example.notes, which is of version 113"
    assert "chromedriver of version 113" in error.cure
    assert "Stacktrace" not in str(error)


def test_anything_else_is_told_as_it_is() -> None:
    error = _no_session("/usr/bin/chromedriver", PAGE, "session not created: Device R58 is not online")
    assert isinstance(error, DriverDead)
    assert error.seen == "session not created: Device R58 is not online"
