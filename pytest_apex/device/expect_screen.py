"""Checks on what the screen shows, and on the app under test."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_apex.device import arguments, hidden
from pytest_apex.device.app import AppFacet
from pytest_apex.device.approval import ApprovedTree, masks
from pytest_apex.device.approved_picture import ApprovedPicture
from pytest_apex.device.expect_base import Checks
from pytest_apex.device.facets import ScreenFacet
from pytest_apex.device.hidden import Mask
from pytest_apex.device.locator import Locator
from pytest_apex.device.tolerance import Tolerance
from pytest_apex.device.waiting import Answer, Question
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.model.verdict import Outcome
from pytest_apex.verify import checks
from pytest_apex.verify.pictures import is_blind


class ScreenChecks(Checks):
    """Checks on what the screen shows."""

    def __init__(self, screen: ScreenFacet, soft: bool) -> None:
        super().__init__(screen._ctx, soft)

    def to_have_no_defects(self, *, timeout: float | None = None) -> None:
        """Nothing on the settled screen looks broken: see `pytest_apex.verify.checks`. A finding has to survive a
        second look."""

        def ask(snapshot: Snapshot) -> Answer:
            result = checks.check_defects(snapshot, self._ctx.extra_checks)
            failing = tuple(item for item in result.findings if item.severity == "fail")
            if result.outcome is Outcome.UNSURE:
                kind = "unsure.blind_tree" if is_blind(snapshot) else "unsure.no_picture"
                return Answer(False, "; ".join(result.unknown), kind, findings=result.findings)
            kind = failing[0].kind if failing else ""
            seen = "\n".join(f"{item.rule}: {item.reason}" for item in failing)
            return Answer(not failing, seen, kind, findings=failing)

        question = Question("the screen to have no defects", ask, needs="picture", settled=True)
        self._check(question, timeout)

    def to_match(
        self, name: str, *, mask: Sequence[Mask] | Mask = (), threshold: float = 0.1,
        max_diff_pixels: int | None = None, max_diff_ratio: float | None = None, max_window_pixels: int | None = None,
        timeout: float | None = None,
    ) -> None:  # fmt: skip
        """The settled screen looks like the approved picture `name`, its system bars and keyboard aside.

        `mask` names what is not compared: locators, rectangles in units of the tree, names of roles or classes.
        `threshold` is the colour distance that is let be (0 to 1). No pixel may differ beyond it, unless
        `max_diff_pixels` or `max_diff_ratio` (of what is compared, 0 to 1) let some; of both the smaller holds. Then
        no window of 32 by 32 pixels may hold more than `max_window_pixels` (usually 128), so that a large picture
        hides no small change. A missing picture is unsure, and leaves a candidate; `--apex-update-baselines` writes it.
        """
        tolerance = Tolerance.of(threshold, max_diff_pixels, max_diff_ratio, max_window_pixels)
        self._match(ApprovedPicture(self._ctx, name, hidden.masks(mask), tolerance), timeout)

    def to_match_tree(
        self, name: str, *, mask: Sequence[Locator] | Locator = (), bounds: bool = False, timeout: float | None = None
    ) -> None:
        """The settled screen has the controls, words and states of the approved tree `name`.

        It is a text file in `baselines/` beside the test (or `--apex-baselines`), one for each platform. Of the
        controls in `mask` only role and id count; of clocks and live regions as well. `bounds` takes places in, too.
        A missing one is unsure, and leaves a candidate; `--apex-update-baselines` writes it.
        """
        approval = ApprovedTree(self._ctx, name, masks(mask), arguments.flag(bounds, "bounds="))
        if self._check(approval.question(), timeout, failed=approval.keep_candidate):
            approval.keep()


class AppChecks(Checks):
    """Checks on the app under test."""

    def __init__(self, app: AppFacet, soft: bool) -> None:
        super().__init__(app._ctx, soft)
        self._app = app

    def to_be_running(self, *, timeout: float | None = None) -> None:
        """Its process lives, in front or in the background; the app under test with the one that the test started."""

        def ask(_: Snapshot) -> Answer:
            died = self._ctx.watch.died() if self._app.id == self._ctx.watch.app else None
            state = self._app.state
            lives = state in ("foreground", "background") and died is None
            kind = "crash.process_died" if died is not None else "functional.wrong_state"
            return Answer(lives, f"the app is {state.replace('_', ' ')}", kind, sure=died is not None)

        self._check(Question(f"{self._app.id} to be running", ask, needs="process"), timeout)

    def not_to_be_running(self, *, timeout: float | None = None) -> None:
        """It has no process."""

        def ask(_: Snapshot) -> Answer:
            state = self._app.state
            return Answer(state in ("not_running", "not_installed"), f"the app is {state}", "functional.wrong_state")

        self._check(Question(f"{self._app.id} not to be running", ask, needs="process"), timeout)
