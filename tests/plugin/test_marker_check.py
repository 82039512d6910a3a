"""Wrong marks are collection errors with file and line, all of a file at once, and one line each."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Project = Callable[..., pytest.RunResult]

WRONG = """\
import pytest

pytestmark = [
    pytest.mark.humanize("calm"),
    pytest.mark.platforms("windows"),
]


@pytest.mark.gestures("tap")
@pytest.mark.gestures(
    "tickle",
)
def test_one():
    pass


@pytest.mark.retry_transient("often")
class TestTwo:
    @pytest.mark.app()
    def test_three(self):
        pass

    @staticmethod
    @pytest.mark.humanize(0)
    def test_static():
        pass


@pytest.mark.parametrize("x", [1, pytest.param(2, marks=pytest.mark.requires(os="new"))])
def test_four(x):
    pass


@pytest.mark.permissions("allow")
def test_fine():
    pass
"""
EXPECTED = [
    "apex: 6 markers can't be used",
    "  test_wrong.py:5  platforms: unknown platform 'windows'; expected one of android, ios, tvos, watchos",
    "  test_wrong.py:10  gestures: unknown gesture 'tickle'; expected one of *",
    "  test_wrong.py:17  retry_transient: expected how many times, 0 or more, found 'often'",
    "  test_wrong.py:19  app: missing 1 required positional argument: 'id'; it is written app(id, args, env, reset)",
    "  test_wrong.py:24  humanize: expected False or a persona (calm, quick, unsteady), found 0",
    "  test_wrong.py:29  requires: expected os=\">=13\" or alike, found os='new'",
]


def test_all_of_a_file_with_their_lines(project: Project) -> None:
    result = project({"test_wrong.py": WRONG, "test_right.py": "def test_right(): pass\n"}, "-rN")
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines(EXPECTED, consecutive=True)
    assert "Traceback" not in result.stdout.str()


def test_under_xdist(project: Project) -> None:
    result = project({"test_wrong.py": WRONG, "test_right.py": "def test_right(): pass\n"}, "-n1", plugins=("xdist",))
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(EXPECTED, consecutive=True)


def test_right_marks_pass_strictly(project: Project) -> None:
    project(
        {
            "test_a.py": """
                import pytest

                @pytest.mark.platforms("android", "ios")
                @pytest.mark.gestures("tap")
                @pytest.mark.requires(os=">=13", min_width_dp=600, tag="lab-a")
                @pytest.mark.app("com.example", args=["-x"], env={"A": "1"}, reset="data")
                @pytest.mark.humanize(False)
                @pytest.mark.permissions("allow", camera="deny")
                @pytest.mark.allow_irreversible("intent:send-message")
                @pytest.mark.app_manual("notes")
                @pytest.mark.retry_transient(1)
                def test_a():
                    pass
                """
        },
        "--strict-markers",
    ).assert_outcomes(passed=1)


def test_markers_are_listed(project: Project) -> None:
    listed = project({}, "--markers").stdout.str()
    for name in ("apex", "platforms", "gestures", "requires", "app", "humanize", "permissions", "allow_irreversible",
                 "app_manual", "retry_transient"):  # fmt: skip
        assert f"@pytest.mark.{name}" in listed


def test_a_base_class_of_another_file_is_named_there(project: Project) -> None:
    result = project(
        {
            "base.py": "import pytest\n\nclass Base:\n    @pytest.mark.platforms()\n    def test_base(self): pass\n",
            "test_a.py": "from base import Base\n\n\nclass TestA(Base):\n    pass\n",
        }
    )
    result.stdout.fnmatch_lines(["  base.py:4  platforms: names no platform*"])
    assert result.stdout.str().count("names no platform") == 1
