"""The manifest of a package that is made here is read by whoever reads real ones."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pytest_apex.backends.uiautomator2.apk import app_id
from pytest_apex.backends.virtual import demo_app
from pytest_apex.phone_wires.manifest import write_manifest
from pytest_apex.phone_wires.package import Manifest, make_apk, package_of, read_apk, read_manifest


@pytest.mark.parametrize(
    ("package", "version"), [("com.example.notes", "1.4.0"), ("a.b", "ü" * 80), ("a.b", "x" * 200)]
)
def test_it_is_read_back(package: str, version: str) -> None:
    assert read_manifest(write_manifest(package, version)) == Manifest(package, version)


def test_a_tool_reads_whose_package_it_is(tmp_path: Path) -> None:
    (tmp_path / "notes.apk").write_bytes(package_of(demo_app()))
    assert app_id(tmp_path / "notes.apk") == "com.example.notes"


def test_a_package_is_right_where_the_file_of_its_app_is_not_at_hand() -> None:
    app = replace(demo_app(), file="gone.yaml")
    assert read_apk(package_of(app)).id == app.id
    assert package_of(app) == package_of(replace(app, file="elsewhere.yaml")) != package_of(replace(app, digest="0"))


def test_an_app_file_that_is_not_right_still_makes_a_package() -> None:
    assert make_apk("app: 1\n")
