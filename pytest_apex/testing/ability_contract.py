"""What a backend keeps that declares an ability: each one it has behaves as `backends.abilities` says."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

import pytest

from pytest_apex.backends import abilities
from pytest_apex.backends.abilities import ABILITIES, KnowsPermissions
from pytest_apex.backends.base import Backend
from pytest_apex.errors import ActionRefused, ApexError
from pytest_apex.model.action import Sample, Stroke, Track

#: How long a device may take for what it was asked, and how often that is looked at: seconds.
_TAKES_S, _LOOK_S = 10.0, 0.2


class AbilityContract:
    """An app to prove abilities with; what needs an attribute that is left empty is skipped.

    `app` is the id of an installed app that may be launched and stopped, `package` a package of it that may be
    installed over it, and removed. `keep` is a text to tap and the text that shows once that was stored; `toast` a text
    to tap and the toast that it brings; `url` a URL and a text that the app shows for it; `folder` a folder of the
    device that files may be put into.
    """

    app = ""
    package: str | Path = ""
    keep = ("", "")
    toast = ("", "")
    url = ("", "")
    folder = "/sdcard/Download"

    def make_backend(self) -> Backend:
        """A connected backend."""
        raise NotImplementedError

    @pytest.fixture
    def backend(self) -> Iterator[Backend]:
        made = self.make_backend()
        yield made
        made.close()

    def need(self, backend: Backend, capability: str) -> None:
        if capability not in backend.capabilities:
            pytest.skip(f"{backend.name} has no {capability}")

    def launched(self, backend: Backend) -> int:
        self.need(backend, "app_control")
        if not self.app:
            pytest.skip("no app is named that may be launched")
        backend.stop(self.app)
        return backend.launch(self.app)

    def told(self, *words: object) -> None:
        """Skip what needs to be told more of the app."""
        if not all(words):
            pytest.skip("the contract is not told what to do it with")

    def until(self, backend: Backend, holds: Callable[[], bool]) -> bool:
        """Whether it holds in the end."""
        started = backend.clock.now()
        while not holds():
            if backend.clock.now() - started > _TAKES_S:
                return False
            backend.clock.sleep(_LOOK_S)
        return True

    def shows(self, backend: Backend, text: str) -> bool:
        """Whether a text is on the screen, once it is."""
        return self.until(backend, lambda: any(text in (node.text, node.label) for node in backend.capture().nodes))

    def tap(self, backend: Backend, text: str) -> None:
        """Tap the control with a text."""
        assert self.shows(backend, text), f"{text!r} is not on the screen"
        node = next(node for node in backend.capture().nodes if text in (node.text, node.label))
        at = node.bounds.center
        backend.perform(Track("tap", (Stroke(0, (Sample(0, at.x, at.y), Sample(60, at.x, at.y))),)))

    @pytest.mark.parametrize("capability", sorted(ABILITIES))
    def test_an_ability_that_is_declared_has_its_methods(self, backend: Backend, capability: str) -> None:
        self.need(backend, capability)
        assert isinstance(backend, ABILITIES[capability])

    # Packages

    def test_an_upgrade_keeps_the_data_unless_told_otherwise(self, backend: Any) -> None:
        self.need(backend, "install")
        self.told(self.package, *self.keep)
        button, kept = self.keep
        package = Path(self.package)
        try:
            self.launched(backend)
            self.tap(backend, button)
            assert self.shows(backend, kept)
            for keep, wanted in ((True, True), (False, False)):
                assert backend.install(package, keep_data=keep) == self.app
                assert backend.app_state(self.app).state == "not_running"
                self.launched(backend)
                assert self.shows(backend, button)
                assert any(kept in (node.text, node.label) for node in backend.capture().nodes) is wanted
        finally:
            backend.install(package, keep_data=False)

    def test_an_installed_package_is_known(self, backend: Any) -> None:
        self.need(backend, "install")
        self.told(self.package)
        package, shares = Path(self.package), list[float]()
        backend.install(package, progress=shares.append)
        assert shares == sorted(shares)
        assert all(0 <= share <= 1 for share in shares)
        assert backend.app_version(self.app)
        assert backend.installed_digest(self.app) in ("", backend.package_digest(package))

    def test_an_uninstalled_app_is_not_there(self, backend: Any) -> None:
        self.need(backend, "install")
        self.told(self.package)
        try:
            backend.uninstall(self.app)
            backend.uninstall(self.app)
            assert backend.app_state(self.app).state == "not_installed"
            assert (backend.app_version(self.app), backend.installed_digest(self.app)) == ("", "")
        finally:
            backend.install(Path(self.package))
        assert backend.app_state(self.app).state == "not_running"

    def test_installed_apps_are_listed(self, backend: Any) -> None:
        self.need(backend, "list_apps")
        self.told(self.app)
        assert self.app in backend.app_ids()

    def test_permissions_come_back(self, backend: Backend) -> None:
        self.need(backend, "permissions")
        self.told(self.app)
        if not isinstance(backend, KnowsPermissions):
            pytest.skip(f"{backend.name} can't tell permissions")
        before = dict(backend.permissions(self.app))
        try:
            backend.set_permission(self.app, "*", True)
        finally:
            backend.restore_permissions(self.app, before)
        assert dict(backend.permissions(self.app)) == before

    # The background, links, toasts

    def test_a_return_from_the_background_is_the_same_process(self, backend: Backend) -> None:
        pid = self.launched(backend)
        backend.press("home")
        assert self.until(backend, lambda: backend.app_state(self.app).state == "background")
        backend.activate(self.app)
        assert self.until(backend, lambda: backend.app_state(self.app).state == "foreground")
        assert backend.app_state(self.app).pid == pid

    def test_killed_in_the_background_it_comes_back_as_another_process(self, backend: Any) -> None:
        self.need(backend, "background")
        pid = self.launched(backend)
        backend.press("home")
        assert self.until(backend, lambda: backend.app_state(self.app).state == "background")
        backend.kill_in_background(self.app)
        assert self.until(backend, lambda: backend.app_state(self.app).pid == 0)
        backend.activate(self.app)
        assert self.until(backend, lambda: backend.app_state(self.app).pid not in (0, pid))

    def test_what_is_in_front_is_not_killed_as_if_it_were_not(self, backend: Any) -> None:
        self.need(backend, "background")
        pid = self.launched(backend)
        assert self.until(backend, lambda: backend.app_state(self.app).state == "foreground")
        with suppress(ActionRefused):
            backend.kill_in_background(self.app)
        assert backend.app_state(self.app).pid == pid

    def test_a_url_opens_its_app(self, backend: Any) -> None:
        self.need(backend, "open_url")
        self.told(self.app, *self.url)
        backend.stop(self.app)
        backend.open_url(self.url[0])
        assert self.shows(backend, self.url[1])
        assert backend.app_in_front() == self.app

    def test_a_url_that_nobody_opens_is_refused(self, backend: Any) -> None:
        self.need(backend, "open_url")
        with pytest.raises(ActionRefused):
            backend.open_url("apex-nobody-has-this://at/all")

    def test_toasts_are_remembered_when_they_are_gone(self, backend: Any) -> None:
        self.need(backend, "toast")
        self.told(*self.toast)
        self.launched(backend)
        before = backend.clock.now()
        self.tap(backend, self.toast[0])
        backend.clock.sleep(5)
        assert [toast.text for toast in backend.toasts(before)] == [self.toast[1]]
        assert before <= backend.toasts(before)[0].at <= backend.clock.now()
        assert list(backend.toasts(backend.clock.now())) == []

    # The rest of the device

    @pytest.mark.parametrize("text", ["plain words", "Grüße, 你好 🙂\nand 'quotes' \"here\" $HOME `x`", ""])
    def test_the_clipboard_gives_back_what_was_put_there(self, backend: Any, text: str) -> None:
        self.need(backend, "clipboard")
        backend.set_clipboard(text)
        assert backend.clipboard() == text

    def test_a_shell_tells_output_and_exit_code(self, backend: Any) -> None:
        self.need(backend, "shell")
        output = backend.shell("echo 'two  words'; exit 3")
        assert isinstance(output, abilities.ShellOutput)
        assert (output.text.strip(), output.exit_code) == ("two  words", 3)

    def test_the_shade_comes_down_and_goes(self, backend: Any) -> None:
        self.need(backend, "notifications")
        self.launched(backend)
        assert self.until(backend, lambda: backend.capture().app.id == self.app)
        backend.open_notifications()
        assert self.until(backend, lambda: any(_is_shade(window.title) for window in backend.capture().windows))
        backend.press("back")
        assert self.until(backend, lambda: not any(_is_shade(window.title) for window in backend.capture().windows))

    def test_the_network_goes_and_comes(self, backend: Any) -> None:
        self.need(backend, "network")
        before = backend.network()
        try:
            backend.set_network(False)
            assert self.until(backend, lambda: not backend.network())
            backend.set_network(True)
            assert self.until(backend, backend.network)
        finally:
            backend.set_network(before)

    def test_the_screen_goes_and_comes(self, backend: Any) -> None:
        self.need(backend, "wake")
        try:
            backend.sleep()
            assert self.until(backend, lambda: not backend.capture().screen.awake)
        finally:
            backend.wake()
        assert self.until(backend, lambda: backend.capture().screen.awake)

    def test_a_file_comes_back_as_it_went(self, backend: Any, tmp_path: Path) -> None:
        self.need(backend, "files")
        content = bytes(range(256)) * 300
        (tmp_path / "there.bin").write_bytes(content)
        backend.push(tmp_path / "there.bin", f"{self.folder}/apex contract.bin")
        backend.pull(f"{self.folder}/apex contract.bin", tmp_path / "back.bin")
        assert (tmp_path / "back.bin").read_bytes() == content
        with pytest.raises(ApexError):
            backend.pull(f"{self.folder}/apex-nothing.bin", tmp_path / "nothing.bin")
        assert not (tmp_path / "nothing.bin").exists()

    def test_a_recording_is_a_film(self, backend: Any) -> None:
        self.need(backend, "screen_recording")
        backend.start_recording()
        backend.clock.sleep(1)
        film = cast(bytes, backend.stop_recording())
        assert film[4:8] == b"ftyp"


def _is_shade(title: str) -> bool:
    return "NotificationShade" in title.replace(" ", "")
