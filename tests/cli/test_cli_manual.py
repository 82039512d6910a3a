"""`pytest-apex capture --manual APP`: a first manual, without mistakes, that overwrites nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_apex.cli import main
from pytest_apex.manual.draft import draft, file_name
from pytest_apex.manual.load import load_manual
from pytest_apex.model.geometry import Rect, Size
from pytest_apex.model.node import NodeState
from pytest_apex.model.screen import Screen
from pytest_apex.model.snapshot import AppInFront, Snapshot, TreeBuilder, Window

ROOT = Path(__file__).parents[2]
SHOWN = int(NodeState.ENABLED | NodeState.VISIBLE | NodeState.CLICKABLE)
ODD = 'Say "hi": 🗑️ {x} #1 احذف'


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    inner = tmp_path / "tests"
    inner.mkdir()
    monkeypatch.chdir(inner)
    return tmp_path


def test_a_first_manual_has_no_mistakes(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    app = ROOT / "tests" / "device" / "manual_app.yaml"
    assert main(["capture", "--manual", "com.example.account", f"--device=virtual:{app}"]) == 0
    file = project / "manuals" / "account.yaml"
    assert str(file) in capsys.readouterr().out
    assert main(["check", str(file)]) == 0
    assert "(a warning)" not in capsys.readouterr().out
    manual = load_manual(file.read_text("utf-8"), str(file))
    assert manual.match.bundle_ids == ("com.example.account",)
    assert [str(act) for act in manual.irreversible] == ["control:Delete account", "control:Buy now"]
    assert {control.name for control in manual.controls} >= {"Delete account", "Save", "Message"}


def test_nothing_is_written_over(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = project / "manuals" / "notes.md"
    file.parent.mkdir()
    file.write_text("mine")
    assert main(["capture", "--manual", "com.example.notes"]) == 1
    assert "is there already, and is not written over" in capsys.readouterr().err
    assert [path.name for path in file.parent.iterdir()] == ["notes.md"]
    assert file.read_text() == "mine"


def test_no_link_leads_out_of_the_project(project: Path, tmp_path_factory: pytest.TempPathFactory,
                                          capsys: pytest.CaptureFixture[str]) -> None:  # fmt: skip
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (project / "manuals").symlink_to(elsewhere)
    assert main(["capture", "--manual", "com.example.notes"]) == 1
    assert "leads out of the project" in capsys.readouterr().err
    assert not list(elsewhere.iterdir())


def test_never_among_the_files_of_a_run(project: Path, monkeypatch: pytest.MonkeyPatch,
                                        capsys: pytest.CaptureFixture[str]) -> None:  # fmt: skip
    run = project / ".apex" / "runs" / "one"
    run.mkdir(parents=True)
    (run / "pytest.ini").write_text("[pytest]\n")
    monkeypatch.chdir(run)
    assert main(["capture", "--manual", "com.example.notes"]) == 1
    assert "not written among the files of a run" in capsys.readouterr().err


@pytest.mark.parametrize("args", [["out", "--manual", "com.example.notes"], []])
def test_one_or_the_other(project: Path, args: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["capture", *args]) == 1
    assert "capture:" in capsys.readouterr().err


def test_an_app_that_is_not_there(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["capture", "--manual", "com.example.nothing"]) == 1
    assert not (project / "manuals").exists()


def _look(app: str, *nodes: tuple[str, str, str]) -> Snapshot:
    """Buttons and fields: role, id and words."""
    builder = TreeBuilder()
    builder.window(Window(0, app, bounds=Rect(0, 0, 400, 800), focused=True))
    builder.open("window", (0, 0, 400, 800))
    for at, (role, identifier, words) in enumerate(nodes):
        more = int(NodeState.EDITABLE) if role == "text_field" else 0
        builder.leaf(role, (0, at * 50, 400, at * 50 + 40), text=words, identifier=identifier, states=SHOWN | more)
    return Snapshot("look-1", 0.0, builder.build(), Screen(Size(400, 800)), AppInFront(app, 7, ODD, version=ODD))


@pytest.mark.parametrize("app", ["com.example.odd", ODD, "on", "null", "12", "a b"])
def test_odd_words_make_no_mistakes(app: str) -> None:
    ids = ("a:b", "yes", "12", "#x", "tab\there", "q'", "long", "same", "same 2")
    shown = (ODD, "yes", "Yes", "- a", "x", "\u2028|\x85", "x" * 200, "Same", "same")
    look = _look(app, *(("button", id, words) for id, words in zip(ids, shown, strict=True)))
    words = {node.index: "delete" for node in look.nodes if node.role == "button"}
    manual = load_manual(draft(look, words), "manuals/odd.yaml")
    assert manual.match.bundle_ids == (app,)
    assert {control.targets[0].by[0].value for control in manual.controls} == set(ids) - {"tab\there"}
    assert len(manual.irreversible) == len(manual.controls)


def test_what_differs_from_run_to_run_is_left_out() -> None:
    look = _look("com.example.odd", ("button", "_NS:21", "Made"), ("button", "row", "A"), ("button", "row", "B"),
                 ("button", "item-20261", "C"), ("button", "0a1b2c3d-1111-4222-8333-444455556666", "D"),
                 ("text_field", "pin", "1234"), ("button", "", "E"))  # fmt: skip
    text = draft(look, {})
    assert "1234" not in text
    assert [control.name for control in load_manual(text, "odd.yaml").controls] == ["pin"]


def test_an_empty_screen_makes_a_manual_too() -> None:
    assert load_manual(draft(_look("com.example.odd"), {}), "odd.yaml").match.bundle_ids == ("com.example.odd",)


@pytest.mark.parametrize(
    ("app", "name"),
    [("com.example.notes", "notes.yaml"), ("Notes", "notes.yaml"), ("../../etc/passwd", "passwd.yaml"),
     ("_hidden", "hidden.yaml"), ("///", "app.yaml"), ("日记", "日记.yaml")],
)  # fmt: skip
def test_file_names(app: str, name: str) -> None:
    assert file_name(app) == name


# The guard at the command line


def test_commands_know_the_manual_and_its_guard(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    app = ROOT / "tests" / "device" / "manual_app.yaml"
    (project / "manuals").mkdir()
    listed = 'match: {bundleId: com.example.account}\nirreversible: {critical: ["region:0,126,1000,48"]}\n'
    (project / "manuals" / "account.yaml").write_text(listed)
    (project / "manuals" / "wrong.yaml").write_text("match: 3\n")
    device = [f"--device=virtual:{app}", "--app=com.example.account"]
    assert main(["do", "t 200 150", *device]) == 1
    told = capsys.readouterr().err
    assert "region:0,126,1000,48 can't be undone" in told
    assert "manuals/wrong.yaml is left out: it has" in told
    assert main(["do", "t 200 150", *device, "--allow", "region:0,126,1000,48"]) == 0
    assert "deleted=yes" in capsys.readouterr().out


def test_what_is_allowed_has_to_be_something(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["do", "t 1 2", "--allow", "tap:x"])
    assert "expected one of control:…" in capsys.readouterr().err
