"""Packages, files, web views and toasts: by a server in a script."""

from __future__ import annotations

import plistlib
import zipfile
from pathlib import Path
from typing import Any

import pytest

from pytest_apex.backends.abilities import NamesApps, WebPage
from pytest_apex.backends.appium.packages import bundle_id
from pytest_apex.errors import ActionRefused, ConfigError, DriverDead

from .scripted import ANDROID, IOS, TREE, Reply, Script, backend_on, failed, picture, scripts_of, value

APP = "com.example.notes"
INSTALLS = ("mobile: installApp", "mobile: removeApp", "mobile: isAppInstalled", "mobile: listApps")


@pytest.fixture
def ipa(tmp_path: Path) -> Path:
    path = tmp_path / "notes.ipa"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("Payload/Notes.app/Base.lproj/Info.plist", b"not this one")
        archive.writestr("Payload/Notes.app/Info.plist", plistlib.dumps({"CFBundleIdentifier": APP}))
    return path


def test_a_package_is_put_on_by_the_server_and_does_not_run(ipa: Path) -> None:
    script = Script({**dict.fromkeys(INSTALLS, value(True)), "mobile: terminateApp": value(False)})
    shares: list[float] = []
    assert backend_on(script, IOS).install(ipa, progress=shares.append) == APP
    assert script.paths() == ["mobile: installApp", "mobile: terminateApp"]
    assert script.scripts("mobile: installApp") == [{"app": str(ipa)}]
    assert shares == [0.0, 1.0]


def test_without_its_data_it_is_taken_off_before(ipa: Path) -> None:
    script = Script({**dict.fromkeys(INSTALLS, value(True)), "mobile: terminateApp": value(False)})
    backend_on(script, IOS).install(ipa, keep_data=False)
    assert script.paths()[:3] == ["mobile: isAppInstalled", "mobile: removeApp", "mobile: installApp"]


def test_a_server_on_another_machine_is_named(ipa: Path) -> None:
    script = Script({"mobile: installApp": failed("unknown error", "The application at 'x' does not exist or is not")})
    with pytest.raises(ActionRefused) as error:
        backend_on(script, IOS).install(ipa)
    assert "another machine" in error.value.likely


def test_what_is_not_there_is_not_taken_off() -> None:
    script = Script({"mobile: isAppInstalled": value(False)})
    backend_on(script).uninstall(APP)
    assert script.paths() == ["mobile: isAppInstalled"]


@pytest.mark.parametrize(("told", "version"), [({"versionCode": 14}, "14"), ({"versionCode": None}, ""), (None, "")])
def test_apps_and_versions(told: Any, version: str) -> None:
    backend = backend_on(Script({"mobile: listApps": value({APP: told, "a.b": {}})}))
    assert backend.app_ids() == ["a.b", APP]
    assert (backend.app_version(APP), backend.app_version("c.d")) == (version, "")


@pytest.mark.parametrize(
    ("told", "asked", "label"),
    [
        (IOS, value({APP: {"CFBundleDisplayName": "Notes", "CFBundleName": "notes"}}), "Notes"),
        (IOS, value({APP: {"CFBundleName": "notes"}}), "notes"),
        (IOS, value({}), ""),
        (IOS, failed("unknown error", "no usbmuxd"), ""),
        (ANDROID, value({APP: {"CFBundleName": "not asked"}}), ""),
    ],
)
def test_what_an_app_is_called_is_asked_once_where_an_alert_may_hide_it(told: Any, asked: Reply, label: str) -> None:
    script = Script({"mobile: listApps": asked})
    backend = backend_on(script, told)
    assert isinstance(backend, NamesApps)
    assert [backend.app_label(APP), backend.app_label(APP)] == [label, label]
    assert len(script.scripts("mobile: listApps")) == (told is IOS)


@pytest.mark.parametrize("what", [b"", b"PK no zip", None])
def test_what_is_no_package_is_told(tmp_path: Path, what: bytes | None) -> None:
    path = tmp_path / "x.ipa"
    if what is not None:
        path.write_bytes(what)
    with pytest.raises(ConfigError, match="no package for Apple"):
        bundle_id(path)


def test_files_go_there_and_back(tmp_path: Path) -> None:
    here, there = tmp_path / "a", tmp_path / "b"
    here.write_bytes(b"\x00\xff")
    script = Script({"mobile: pushFile": value(None), "mobile: pullFile": value("AP8=")})
    backend = backend_on(script)
    backend.push(here, "/sdcard/a")
    backend.pull("/sdcard/a", there)
    assert there.read_bytes() == b"\x00\xff"
    assert script.scripts("mobile: pushFile") == [{"remotePath": "/sdcard/a", "payload": "AP8="}]
    script.answers["mobile: pullFile"] = value("no file!")
    with pytest.raises(DriverDead, match="sent no file"):
        backend.pull("/sdcard/a", there)


LOOK = {"/screenshot": value(picture()), "/window/rect": value({"width": 400, "height": 800})}

# Web views

ANDROID_VIEWS = [
    {"webviewName": f"WEBVIEW_{APP}", "pages": [{"title": "Terms", "url": "https://a/"}, {"type": "iframe"}]},
    {"webviewName": "WEBVIEW_com.other", "pages": [{"title": "No", "url": "https://b/", "type": "page"}]},
    {"webviewName": None, "pages": None},
]  # fmt: skip
IOS_VIEWS = [{"id": "NATIVE_APP"}, {"id": "WEBVIEW_1.2", "title": "Terms", "url": "https://a/", "bundleId": APP}, 7]


@pytest.mark.parametrize(
    ("told", "platform", "name"), [(ANDROID_VIEWS, {}, f"WEBVIEW_{APP}"), (IOS_VIEWS, IOS, "WEBVIEW_1.2")]
)
def test_pages_of_the_app(told: Any, platform: Any, name: str) -> None:
    script = Script({"mobile: getContexts": value(told)})
    backend = backend_on(script, platform) if platform else backend_on(script)
    assert backend.web_pages(APP) == (WebPage("Terms", "https://a/", APP, name),)


def test_a_look_leaves_the_web_page() -> None:
    script = Script({"/context": value(None), "/source": value(TREE), **LOOK})
    backend = backend_on(script)
    backend._connection.enter_web("WEBVIEW_x")
    backend.capture()
    backend.capture()
    assert [told["name"] for _, path, told in script.sent if path == "/context"] == ["WEBVIEW_x", "NATIVE_APP"]
    backend.end_web_driver(None)
    assert script.paths().count("/context") == 2


# Toasts

TOAST = TREE.replace("</hierarchy>", f'<android.widget.Toast text="Saved" package="{APP}"/></hierarchy>')


def test_a_toast_is_noted_once_and_remembered() -> None:
    script = Script({"/source": [value(TOAST), value(TOAST), value(TREE)], **LOOK})
    backend = backend_on(script)
    backend.capture()
    backend.clock.sleep(1)
    assert [(toast.text, toast.app) for toast in backend.toasts(0.0)] == [("Saved", APP)]
    backend.clock.sleep(9)
    assert [toast.text for toast in backend.toasts(0.0)] == ["Saved"]
    assert list(backend.toasts(backend.clock.now())) == []
    script.answers["/source"] = value(TOAST)
    assert [toast.text for toast in backend.toasts(0.0)] == ["Saved", "Saved"]


def test_what_the_driver_offers_is_known() -> None:
    script = Script({"/appium/extensions": scripts_of(*INSTALLS, "mobile: queryAppState")})
    assert {"install", "list_apps"} <= backend_on(script).capabilities
    assert not {"files", "web"} & backend_on(script).capabilities
