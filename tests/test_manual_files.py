"""Where manuals are found, and hostile files: each is refused by name, and none is opened that should not be."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from pytest_apex import manual_files
from pytest_apex.manual.winners import ManualFile, Shelf, shelve
from pytest_apex.manual_files import entry_points, file_at, gather, of_package, shipped
from pytest_apex.marked_yaml import MAX_BYTES

GOOD = "match: {bundleId: com.example.a}\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / "manuals").mkdir(parents=True)
    return root


@pytest.fixture(autouse=True)
def _no_shipped(monkeypatch: pytest.MonkeyPatch) -> None:
    """What we ship is another test's."""
    monkeypatch.setattr(manual_files, "shipped", list)  # as `gather` sees it


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installed package `acme_shop` with a folder of manuals."""
    home = tmp_path / "site" / "acme_shop"
    (home / "data" / "manuals").mkdir(parents=True)
    (home / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(str(home.parent))
    monkeypatch.delitem(sys.modules, "acme_shop", raising=False)
    return home


def refusals(files: list[ManualFile]) -> list[str]:
    return [f"{one.shown}: {one.refused}" for one in files if one.refused]


def shown(files: list[ManualFile]) -> list[str]:
    return [one.shown for one in files]


def sources(shelf: Shelf) -> list[str]:
    return [manual.source for manual in shelf.manuals]


# Where from


def test_the_nearer_source_hides_a_file_of_the_same_name_and_no_more(
    project: Path, package: Path, tmp_path: Path
) -> None:
    named = tmp_path / "named"
    for folder, names in (
        (project / "manuals", ("a",)), (named, ("a", "b")), (package / "data" / "manuals", ("b", "c")),
    ):  # fmt: skip
        folder.mkdir(exist_ok=True)
        for name in names:
            (folder / f"{name}.yaml").write_text(f"match: {{bundleId: {name}}}")
    files = gather(project, [str(named)], ["acme_shop:data/manuals"])
    shelf = shelve(files)
    assert sources(shelf) == ["manuals/a.yaml", f"{named.as_posix()}/b.yaml", "acme_shop/data/manuals/c.yaml"]
    assert len(shelf.losers) == 2


def test_the_order_in_which_the_disk_lists_files_does_not_matter(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("b.yaml", "a.yaml", "C.yaml", "a.md"):
        (project / "manuals" / name).write_text(f"---\n{GOOD}---\n" if name.endswith(".md") else GOOD)
    listed = [path.name for path in (project / "manuals").iterdir()]
    shelves = []
    for order in (sorted(listed), sorted(listed, reverse=True)):
        monkeypatch.setattr(os, "listdir", lambda _folder, order=order: order)
        shelves.append(shelve(gather(project)))
    assert shelves[0] == shelves[1]
    assert sources(shelves[0])[0] == "manuals/a.md"


def test_a_project_without_manuals_has_none(tmp_path: Path) -> None:
    assert gather(tmp_path) == []


def test_a_folder_named_twice_counts_once(project: Path) -> None:
    (project / "manuals" / "a.yaml").write_text(GOOD)
    named = str(project / "manuals")
    assert shown(gather(project, [named, named + "/."])) == ["manuals/a.yaml"]


def test_a_folder_inside_of_the_project_is_shown_from_there(project: Path) -> None:
    (project / "more").mkdir()
    (project / "more" / "a.yaml").write_text(GOOD)
    assert shown(gather(project, [str(project / "more")])) == ["more/a.yaml"]


def test_templates_the_readme_and_other_files_are_no_manuals(project: Path) -> None:
    for name in ("_a.yaml", "README.md", ".a.yaml.swp", "notes.txt", "a.yaml"):
        (project / "manuals" / name).write_text(GOOD)
    assert shown(gather(project)) == ["manuals/a.yaml"]


@pytest.mark.parametrize("name", ["a.yml", "a.YAML", "a.Md"])
def test_a_file_that_ends_nearly_like_a_manual_is_told(project: Path, name: str) -> None:
    (project / "manuals" / name).write_text(GOOD)
    assert refusals(gather(project)) == [f"manuals/{name}: a manual ends with .md or .yaml"]


@pytest.mark.parametrize("declared", ["acme_shop:data/manuals", "acme_shop:data.manuals", " acme_shop:data/manuals "])
def test_a_package_that_declares_its_manuals(package: Path, declared: str) -> None:
    (package / "data" / "manuals" / "a.yaml").write_text(GOOD)
    (package / "data" / "b.yaml").write_text(GOOD)
    assert shown(of_package(declared)) == ["acme_shop/data/manuals/a.yaml"]


def test_a_package_that_declares_nothing_is_not_read(project: Path, package: Path) -> None:
    (package / "data" / "manuals" / "a.yaml").write_text(GOOD)
    assert gather(project) == []


def test_manuals_of_a_package_in_a_zip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = tmp_path / "acme_zip.zip"
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("acme_zip/__init__.py", "")
        file.writestr("acme_zip/manuals/a.yaml", GOOD)
        file.writestr("acme_zip/manuals/_b.yaml", GOOD)
        file.writestr("acme_zip/manuals/c.yml", GOOD)
        file.writestr("acme_zip/manuals/d.yaml", "#" * (MAX_BYTES + 1))
        file.writestr("acme_zip/manuals/e.yaml/f.yaml", GOOD)
    monkeypatch.syspath_prepend(str(archive))
    files = of_package("acme_zip:manuals")
    assert sources(shelve(files)) == ["acme_zip/manuals/a.yaml"]
    assert refusals(files) == [
        "acme_zip/manuals/c.yml: a manual ends with .md or .yaml",
        f"acme_zip/manuals/d.yaml: more than {MAX_BYTES:,} bytes; no more are read",
        "acme_zip/manuals/e.yaml: is not a file",
    ]
    assert refusals(of_package("acme_zip:nowhere")) == ["acme_zip:nowhere: there is no such folder in the package"]


@pytest.mark.parametrize(
    ("declared", "why"),
    [
        ("acme_shop:/etc", "an absolute path"), ("acme_shop:C:/manuals", "an absolute path"),
        ("acme_shop:\\manuals", "an absolute path"), ("acme_shop:../manuals", ".."),
        ("acme_shop:data/../../x", ".."), ("acme_shop:data\\..\\x", ".."), ("/etc/manuals", "expected package:folder"),
        ("../manuals", "expected package:folder"), ("", "expected package:folder"),
        ("acme_shop:nowhere", "no such folder"), ("acme_nobody:manuals", "can't be imported"),
    ],
)  # fmt: skip
def test_a_declaration_that_leads_elsewhere_is_refused_by_name(package: Path, declared: str, why: str) -> None:
    (line,) = refusals(of_package(declared))
    assert line.startswith(f"{declared}: ")
    assert why in line


def test_a_namespace_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "site" / "acme_space" / "manuals"
    folder.mkdir(parents=True)
    (folder / "a.yaml").write_text(GOOD)
    (folder / "out.yaml").symlink_to(tmp_path / "secret.yaml")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    files = of_package("acme_space:manuals")
    assert sources(shelve(files)) == ["acme_space/manuals/a.yaml"]
    assert "leads out of its folder" in refusals(files)[0]
    (folder.parent / "b.yaml").write_text(GOOD)
    (folder.parent / "out.yaml").symlink_to(tmp_path / "secret.yaml")
    files = of_package("acme_space")
    assert sources(shelve(files)) == ["acme_space/b.yaml"]
    assert "leads out of its folder" in refusals(files)[0]


def test_a_package_that_fails_when_it_is_imported_is_named(package: Path) -> None:
    (package / "__init__.py").write_text("raise RuntimeError('no licence')")
    assert refusals(of_package("acme_shop:data")) == [
        "acme_shop:data: the package can't be imported: RuntimeError: no licence"
    ]


def test_a_link_out_of_the_package_is_refused(package: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "a.yaml").write_text(GOOD)
    (package / "linked").symlink_to(outside)
    (line,) = refusals(of_package("acme_shop:linked"))
    assert line == f"acme_shop:linked: a link that leads out of the package, to {outside.resolve()}"


def test_what_installed_packages_declare_is_read_from_their_entry_points(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    info = tmp_path / "acme_shop-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: acme-shop\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[pytest_apex.manuals]\nshop = acme_shop:data.manuals\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert "acme_shop:data.manuals" in entry_points()


def test_ours_are_found_and_have_no_mistakes() -> None:
    shelf = shelve(shipped())
    assert "pytest_apex/_manuals/android_settings.yaml" in sources(shelf)
    assert all(source.startswith("pytest_apex/_manuals/") for source in sources(shelf))
    assert (shelf.rejected, shelf.losers, shelf.warnings) == ((), (), ())


def test_the_manual_of_the_example_has_no_mistakes() -> None:
    folder = Path(__file__).parents[1] / "examples" / "notes_app" / "manuals"
    shelf = shelve(manual_files.in_folder(folder, "manuals"))
    assert sources(shelf) == ["manuals/notes.yaml"]
    assert (shelf.rejected, shelf.warnings) == ((), ())


def test_ours_are_found_in_a_zip(tmp_path: Path) -> None:
    package = Path(manual_files.__file__).parent
    ours = package / "_manuals" if (package / "_manuals").is_dir() else package.parent / "manuals"
    archive = tmp_path / "zipped.zip"
    with zipfile.ZipFile(archive, "w") as file:
        for path in package.rglob("*.py"):
            file.write(path, f"pytest_apex/{path.relative_to(package).as_posix()}")
        for path in ours.iterdir():
            file.write(path, f"pytest_apex/_manuals/{path.name}")
    code = "from pytest_apex import manual_files as m; print(m.__file__, *(one.shown for one in m.shipped()))"
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": str(archive)}, cwd=tmp_path, text=True,
        capture_output=True, check=True,
    )  # fmt: skip
    where, *found = done.stdout.split()
    assert Path(where).is_relative_to(archive)
    assert found == shown(shipped())


# Hostile files


def test_a_link_out_of_the_folder_is_refused_and_one_inside_is_read(project: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret.yaml"
    secret.write_text(GOOD)
    (project / "manuals" / "out.yaml").symlink_to(secret)
    (project / "manuals" / "a.yaml").write_text(GOOD)
    (project / "manuals" / "in.yaml").symlink_to("a.yaml")
    (project / "manuals" / "up.yaml").symlink_to("../../secret.yaml")
    files = gather(project)
    assert refusals(files) == [
        f"manuals/out.yaml: a link that leads out of its folder, to {secret.resolve()}",
        f"manuals/up.yaml: a link that leads out of its folder, to {secret.resolve()}",
    ]
    assert [one.data.decode() for one in files if not one.refused] == [GOOD, GOOD]


def test_a_folder_of_the_project_that_leads_out_of_it_is_refused(tmp_path: Path) -> None:
    outside, project = tmp_path / "outside", tmp_path / "project"
    outside.mkdir()
    project.mkdir()
    (outside / "a.yaml").write_text(GOOD)
    (project / "manuals").symlink_to(outside)
    (line,) = refusals(gather(project))
    assert line == f"manuals: leads out of the project, to {outside.resolve()}; name it with --apex-manuals"
    assert shown(gather(tmp_path, [str(outside)])) == ["outside/a.yaml"]


def test_links_that_lead_round_in_a_circle(project: Path) -> None:
    (project / "manuals" / "a.yaml").symlink_to("b.yaml")
    (project / "manuals" / "b.yaml").symlink_to("a.yaml")
    assert all("can't be read" in line for line in refusals(gather(project)))
    assert len(gather(project)) == 2


def test_a_dangling_link(project: Path) -> None:
    (project / "manuals" / "a.yaml").symlink_to("nothing.yaml")
    assert refusals(gather(project)) == ["manuals/a.yaml: can't be read: No such file or directory"]


def test_a_huge_file_is_not_read(project: Path) -> None:
    path = project / "manuals" / "a.yaml"
    with path.open("wb") as file:
        file.truncate(100_000_000)  # a hole: it takes no space
    assert refusals(gather(project)) == [f"manuals/a.yaml: 100,000,000 bytes; at most {MAX_BYTES:,} are read"]


def test_a_file_that_is_no_file_is_not_opened(project: Path) -> None:
    folder = project / "manuals"
    os.mkfifo(folder / "pipe.yaml")
    (folder / "folder.yaml").mkdir()
    with socket.socket(socket.AF_UNIX) as server:
        before = Path.cwd()
        os.chdir(folder)  # the name of a socket may not be long
        try:
            server.bind("socket.yaml")
        finally:
            os.chdir(before)
        assert refusals(gather(project)) == [
            "manuals/folder.yaml: is a folder, not a file",
            "manuals/pipe.yaml: is a pipe, not a file",
            "manuals/socket.yaml: is a socket, not a file",
        ]


def test_a_device_is_not_opened() -> None:
    assert file_at(Path("/dev/zero")).refused == "is a device, not a file"


@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read(project: Path) -> None:
    path = project / "manuals" / "a.yaml"
    path.write_text(GOOD)
    path.chmod(0)
    assert refusals(gather(project)) == ["manuals/a.yaml: can't be read: Permission denied"]


def test_a_name_that_is_no_utf8(project: Path) -> None:
    path = os.fsencode(project / "manuals") + b"/\xff.yaml"
    with open(path, "wb") as file:  # noqa: PTH123 - a path of bytes
        file.write(b"x: 1")
    (rejected,) = shelve(gather(project)).rejected
    assert str(rejected.error).encode("utf-8")


def test_a_second_document_is_refused() -> None:
    (rejected,) = shelve([ManualFile(0, "a.yaml", "a.yaml", f"{GOOD}---\n{GOOD}".encode())]).rejected
    assert "a.yaml:2:1  a second document begins here" in str(rejected.error)


BOMB = "a: &a [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 10)}]\n" for before, name in zip("abcdefg", "bcdefgh", strict=True)
)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (BOMB, "stands for more than"),
        ("match: !!python/object/apply:os.system [touch pwned]", "the tag 'tag:yaml.org,2002:python/object"),
        ("match: !!python/name:os.system", "the tag 'tag:yaml.org,2002:python/name"),
        (f"{GOOD}controls: &c {{a: *c}}", "the alias *c stands for nothing"),
        ("match: " + "{a: " * 100, "nested more than"),
        ("match: {bundleId: a}\x00", "not YAML"),
        (b"match: {bundleId: \xff}", "not UTF-8"),
        ("match: {bundleId: a}".encode("utf-16"), "not UTF-8"),
        ("match: {<<: {bundleId: a}}", "merge keys (<<) are not read"),
    ],
)  # fmt: skip
def test_hostile_content_is_refused_by_name(
    project: Path, monkeypatch: pytest.MonkeyPatch, content: str | bytes, why: str
) -> None:
    monkeypatch.chdir(project)
    data = content if isinstance(content, bytes) else content.encode()
    (project / "manuals" / "evil.yaml").write_bytes(data)
    (project / "manuals" / "evil.md").write_bytes(b"---\n" + data + b"\n---\n")
    (project / "manuals" / "good.yaml").write_text(GOOD)
    shelf = shelve(gather(project))
    assert sources(shelf) == ["manuals/good.yaml"]
    told = [str(one.error) for one in shelf.rejected]
    assert len(told) == 2
    assert why in told[1]
    assert "manuals/evil.yaml:" in told[1]
    assert "manuals/evil.md:" in told[0]
    assert not (project / "pwned").exists()


@pytest.mark.parametrize(("name", "shown"), [("a\nb.yaml", r"a\nb.yaml"), ("a\u202elmay.yaml", r"a\u202elmay.yaml")])
def test_a_name_that_would_forge_a_line_is_refused(project: Path, name: str, shown: str) -> None:
    (project / "manuals" / name).write_text(GOOD)
    (refused,) = [file for file in gather(project) if file.refused]
    assert refused.shown == f"manuals/{shown}"
    assert "line break" in refused.refused


def test_a_name_of_several_signs_that_are_one_picture_is_a_name(project: Path) -> None:
    (project / "manuals" / "\U0001f468\u200d\U0001f467.yaml").write_text(GOOD, encoding="utf-8")
    assert [file.refused for file in gather(project) if file.rank == 0] == [""]
