"""The life of an app on the phone: packages, the background, links, notifications, the network, toasts."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from typing import Any

import pytest

from pytest_apex.errors import ActionRefused, AppFileError, CapabilityMissing, ConfigError
from pytest_apex.phone.app import load_app
from pytest_apex.phone.services import package_digest

LIFE = """
app: com.example.life
name: Life
version: {version}
start: home
stored: [kept]
saved: [draft, other]
links:
  "life://item/{id}": [{set: {draft: "{id}"}}, {goto: item}]
  "life://home": {goto: home}
data: {kept: "", draft: "", other: "", plain: "", sent: ""}
screens:
  home:
    title: Home
    controls:
      - {role: text, id: shown, text: "{kept}/{draft}/{plain}"}
      - {role: text, id: net, text: "{online}"}
      - {role: text, id: sent, text: "{sent}"}
      - {role: button, id: keep, text: Keep, on_tap: {set: {kept: k, draft: d, plain: p}}}
      - {role: button, id: more, text: More, on_tap: {goto: item}}
      - {role: button, id: say, text: Say, on_tap: {toast: "Said {draft}"}}
      - {role: button, id: post, text: Post, on_tap: {notify: "From {kept}", text: Read it, then: [{goto: item}]}}
      - role: button
        id: send
        text: Send
        on_tap: {load: 500, then: [{set: {sent: sent}}], offline: [{set: {sent: failed}}]}
  item:
    title: Item
    controls: [{role: text, id: item, text: "item {draft}"}, {role: text, id: filler, text: filler}]
faults:
  killed_in_background: {seconds: 2}
  lost_state: {}
""".replace("{version}", "1.0")
ID = "com.example.life"

Drives = Callable[..., Any]


@pytest.fixture
def life(run_app: Drives) -> Any:
    return run_app(LIFE)


def shown(driver: Any) -> str:
    return str(driver.node("shown").text)


def to_background(driver: Any) -> None:
    driver.phone.press("home")
    assert driver.phone.app_state(ID)[0] == "background"


# Packages


def packed(text: str, name: str = "app.yaml") -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(name, text)
    return out.getvalue()


@pytest.mark.parametrize("pack", [str.encode, packed], ids=["app file", "zip"])
@pytest.mark.parametrize(("keep", "left"), [(True, "k//"), (False, "//")])
def test_an_upgrade_keeps_what_is_stored_and_nothing_else(
    life: Any, pack: Callable[[str], bytes], keep: bool, left: str
) -> None:
    life.tap("keep")
    assert shown(life) == "k/d/p"
    services, before = life.phone.services, life.phone.app_state(ID)[1]
    told: list[float] = []
    package = pack(LIFE.replace("version: 1.0", "version: 2.0"))
    assert services.install(package, "life", keep_data=keep, progress=told.append) == ID
    assert (told, services.version(ID)) == ([0.25, 0.5, 0.75, 1.0], "2.0")
    assert life.phone.app_state(ID) == ("not_running", 0)
    assert life.start(ID) != before
    assert shown(life) == left


def test_a_package_is_known_by_its_digest(life: Any) -> None:
    services = life.phone.services
    assert services.digest(ID) == package_digest(LIFE.encode(), "life.yaml") == package_digest(packed(LIFE), "life.apk")
    assert services.digest(ID) != package_digest(LIFE.replace("1.0", "1.1").encode(), "life.yaml")
    assert services.digest("com.example.gone") == services.version("com.example.gone") == ""


def test_a_new_app_has_an_icon_and_a_user_of_its_own(life: Any) -> None:
    other = LIFE.replace(ID, "com.example.other").replace("name: Life", "name: Other")
    life.phone.services.install(other.encode(), "other.yaml")
    to_background(life)
    life.tap("Other", wait=1)
    assert life.phone.in_front().id == "com.example.other"
    uids = {line.split("uid=")[1] for line in life.phone.log.from_line(0).splitlines() if "uid=" in line}
    assert len(life.phone.machine.packages.apps) == 2
    assert life.phone.machine.packages.uid(ID) != life.phone.machine.packages.uid("com.example.other"), uids


def test_an_uninstalled_app_is_gone_with_all_it_stored(life: Any) -> None:
    life.tap("keep")
    life.phone.services.uninstall(ID)
    life.phone.services.uninstall(ID)
    assert life.phone.app_state(ID) == ("not_installed", 0)
    assert not life.has("Life")
    with pytest.raises(ConfigError, match="is not installed"):
        life.phone.launch(ID)
    life.phone.services.install(LIFE.encode(), "life.yaml")
    life.start(ID)
    assert shown(life) == "//"


def test_a_new_version_does_not_see_what_it_no_longer_stores(life: Any) -> None:
    life.tap("keep")
    life.phone.services.install(LIFE.replace("stored: [kept]", "stored: []").encode(), "life.yaml")
    life.start(ID)
    assert shown(life) == "//"


@pytest.mark.parametrize(
    ("package", "error", "says"),
    [
        (b"PK not a zip", ConfigError, "no package of the built-in phone"),
        (packed(LIFE, "AndroidManifest.xml"), ConfigError, "no package of the built-in phone"),
        (b"app: 7", AppFileError, "expected an app's id"),
    ],
)
def test_what_is_no_package_changes_nothing(life: Any, package: bytes, error: type[Exception], says: str) -> None:
    pid = life.phone.app_state(ID)[1]
    with pytest.raises(error, match=says):
        life.phone.services.install(package, "x.apk")
    assert life.phone.app_state(ID) == ("foreground", pid)


def test_an_upgraded_app_keeps_the_fault_that_is_switched_on(run_app: Drives) -> None:
    faulty = LIFE + "  dead_button: {control: keep}\n"
    driver = run_app(faulty, fault="dead_button")
    driver.phone.services.install(faulty.replace("version: 1.0", "version: 2.0").encode(), "life.yaml")
    driver.start(ID)
    driver.tap("keep")
    assert shown(driver) == "//"


# The background


def test_killed_in_the_background_it_comes_back_as_it_was_saved(life: Any) -> None:
    life.tap("keep")
    life.tap("more")
    to_background(life)
    pid = life.phone.app_state(ID)[1]
    life.phone.services.kill_in_background(ID)
    assert life.phone.app_state(ID) == ("not_running", 0)
    assert life.start(ID) != pid
    assert life.node("item").text == "item d"
    life.phone.press("back")
    life.wait(1)
    assert shown(life) == "k/d/"


def test_stopped_it_starts_anew(life: Any) -> None:
    life.tap("keep")
    life.tap("more")
    to_background(life)
    life.phone.services.kill_in_background(ID)
    life.phone.stop(ID)
    life.start(ID)
    assert shown(life) == "k//"


def test_the_log_says_that_it_was_for_memory(life: Any) -> None:
    to_background(life)
    pid = life.phone.app_state(ID)[1]
    life.phone.services.kill_in_background(ID)
    assert f"Kill '{ID}' ({pid})" in life.phone.log_text()
    assert "(LOW_MEMORY)" in life.phone.exit_info(ID)


def test_only_what_is_in_the_background_is_ended_there(life: Any) -> None:
    with pytest.raises(ActionRefused, match="it is: foreground"):
        life.phone.services.kill_in_background(ID)
    life.phone.stop(ID)
    with pytest.raises(ActionRefused, match="it is: not running"):
        life.phone.services.kill_in_background(ID)


@pytest.mark.parametrize(("fault", "left"), [("killed_in_background", "item d"), ("lost_state", None)])
def test_the_fault_and_its_twin(run_app: Drives, fault: str, left: str | None) -> None:
    driver = run_app(LIFE, fault=fault)
    driver.tap("keep")
    driver.tap("more")
    to_background(driver)
    driver.wait(2.5)
    assert driver.phone.app_state(ID) == ("not_running", 0)
    driver.start(ID)
    assert driver.node("item").text == left if left else shown(driver) == "k//"


def test_back_in_time_it_is_not_ended(run_app: Drives) -> None:
    driver = run_app(LIFE, fault="killed_in_background")
    pid = driver.phone.app_state(ID)[1]
    to_background(driver)
    driver.wait(1)
    driver.phone.activate(ID)
    driver.wait(5)
    assert driver.phone.app_state(ID) == ("foreground", pid)


# Links


@pytest.mark.parametrize("running", [True, False])
def test_a_link_opens_its_screen(life: Any, running: bool) -> None:
    if not running:
        life.phone.stop(ID)
    else:
        to_background(life)
    life.phone.services.open_url("life://item/a%20b")
    life.wait(1)
    assert life.phone.in_front().id == ID
    assert life.node("item").text == "item a b"


@pytest.mark.parametrize(
    ("url", "app"), [("life://items/3", ""), ("https://example.com", ""), ("life://home", "com.x")]
)
def test_a_link_that_nobody_has_is_refused(life: Any, url: str, app: str) -> None:
    with pytest.raises(ActionRefused, match="nobody opens"):
        life.phone.services.open_url(url, app)


@pytest.mark.parametrize(
    ("link", "says"),
    [
        ("item/{id}", "no link such as"),
        ("life://{a}/{a}", "no link such as"),
        ("life://{a b}", "no link such as"),
        ("life://x", 'unknown variable "id"'),
    ],
)
def test_a_wrong_link_is_told_with_its_line(link: str, says: str) -> None:
    with pytest.raises(AppFileError, match=says):
        load_app(LIFE.replace("life://item/{id}", link), "life.yaml")


# Toasts, notifications, network, files, clipboard


def test_toasts_are_remembered_with_their_time(life: Any) -> None:
    life.tap("say", wait=3)
    second = life.now
    life.tap("keep")
    life.tap("say")
    assert [toast.text for toast in life.phone.services.toasts()] == ["Said ", "Said d"]
    assert [(toast.text, toast.app) for toast in life.phone.services.toasts(second)] == [("Said d", ID)]


@pytest.mark.parametrize("alive", [True, False])
def test_a_notification_brings_its_app(life: Any, alive: bool) -> None:
    life.tap("keep")
    life.tap("post")
    to_background(life)
    if not alive:
        life.phone.services.kill_in_background(ID)
    life.phone.services.open_notifications()
    assert {"From k", "Read it", "Life"} <= set(life.texts())
    assert life.nodes()[0].window.title == "NotificationShade"
    life.tap("From k", wait=1.5)
    assert life.node("item").text.startswith("item")
    life.phone.services.open_notifications()
    assert life.has("No notifications")
    life.phone.press("back")
    assert life.has("item")


def test_a_denied_app_posts_nothing(life: Any) -> None:
    life.phone.set_permission(ID, "notifications", False)
    life.tap("post")
    life.phone.services.open_notifications()
    assert not life.has("Read it")


@pytest.mark.parametrize(("online", "left"), [(True, "sent"), (False, "failed")])
def test_without_a_network_a_load_does_the_other_thing(life: Any, online: bool, left: str) -> None:
    life.phone.services.set_network(online)
    assert life.phone.services.network() is online
    assert life.node("net").text == str(online).lower()
    assert life.has("Wi-Fi") is online
    life.tap("send", wait=1)
    assert life.node("sent").text == left


def test_files_and_clipboard(life: Any) -> None:
    services = life.phone.services
    services.push("/sdcard/a.txt", b"\0\1")
    assert services.pull("/sdcard/a.txt") == b"\0\1"
    with pytest.raises(ActionRefused, match=r"there is: /sdcard/a\.txt"):
        services.pull("/sdcard/b.txt")
    assert services.clipboard() == ""
    services.set_clipboard("Grüße")
    assert services.clipboard() == "Grüße"


def test_permissions_come_back_as_they_were(life: Any) -> None:
    services = life.phone.services
    life.phone.set_permission(ID, "camera", False)
    before = services.permissions(ID)
    life.phone.set_permission(ID, "*", True)
    assert services.permissions(ID) == {"*": True}
    services.restore_permissions(ID, before)
    assert services.permissions(ID) == {"camera": False}


@pytest.mark.parametrize("platform", ["ios", "tvos"])
def test_apples_platforms_have_only_what_they_have(run_app: Drives, platform: str) -> None:
    services = run_app(LIFE, platform=platform).phone.services
    for ask in (
        services.network,
        services.open_notifications,
        services.toasts,
        lambda: services.kill_in_background(ID),
    ):
        with pytest.raises(CapabilityMissing, match=platform):
            ask()
    services.open_url("life://item/3")
    assert services.install(LIFE.encode(), "life.yaml") == ID


def test_a_watch_takes_no_packages(run_app: Drives) -> None:
    with pytest.raises(CapabilityMissing, match="watchos"):
        run_app(LIFE, platform="watchos").phone.services.install(LIFE.encode(), "life.yaml")
