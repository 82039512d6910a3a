"""Checks on what the screen shows, and on the app under test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pytest_apex.device import arguments
from pytest_apex.device.app import AppFacet
from pytest_apex.device.checking import defects, hidden
from pytest_apex.device.checking.approval import ApprovedTree, masks
from pytest_apex.device.checking.approved_picture import ApprovedPicture
from pytest_apex.device.checking.expect_base import Checks, Text, shown
from pytest_apex.device.checking.hidden import Mask
from pytest_apex.device.checking.tolerance import Tolerance
from pytest_apex.device.checking.waiting import Answer, Question
from pytest_apex.device.facets import ScreenFacet
from pytest_apex.device.locator import Locator
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.model.verdict import CheckResult, Outcome
from pytest_apex.verify.pictures import is_blind
from pytest_apex.vision import ocr


class ScreenChecks(Checks):
    """Checks on what the screen shows."""

    def __init__(self, screen: ScreenFacet, soft: bool) -> None:
        super().__init__(screen._ctx, soft)

    def to_have_no_defects(
        self, *, ignore: Sequence[Locator | str] | Locator | str = (), rules: Mapping[str, str] | None = None,
        palette: Sequence[str] | None = None, tolerance: float = 3.0, strict: bool = False,
        timeout: float | None = None,
    ) -> None:  # fmt: skip
        """Nothing on the settled screen looks broken: see `docs/visual.md`. A finding has to survive a second look.

        `ignore` names controls whose defects are known, and rules; so does the app's manual, under `expected`. `rules`
        sets severities (`{"truncated": "warn", "overlap": "off", "accessibility": "fail"}`). With a `palette` of
        declared colours, others are defects, farther away than `tolerance` in CIEDE2000. Warnings are noted. With
        `strict`, a control that can't be judged makes the check unsure.
        """
        arguments.flag(strict, "strict=")
        arguments.number(tolerance, "tolerance=", least=0.0)
        what = defects.asked(self._ctx, ignore=ignore, rules=rules, palette=palette, tolerance=tolerance)

        def ask(snapshot: Snapshot) -> Answer:
            result = defects.look_for(self._ctx, snapshot, what)
            failing = tuple(defects.as_failure(item) for item in result.findings if item.severity == "fail")
            if result.outcome is Outcome.UNSURE:
                kind = "unsure.blind_tree" if is_blind(snapshot) else "unsure.no_picture"
                return Answer(False, "; ".join(result.unknown), kind, findings=result.findings)
            if strict and result.unknown and not failing:
                return Answer(False, "\n".join(result.unknown), "unsure.not_judged", findings=result.findings)
            seen = "\n".join(f"{item.rule}: {item.reason}" for item in failing)
            if not failing:
                self._note(result)
            return Answer(not failing, seen, failing[0].kind if failing else "", findings=failing)

        question = Question("the screen to have no defects", ask, needs="picture", settled=True)
        self._check(question, timeout)

    def _note(self, result: CheckResult) -> None:
        """Put warnings and what was ignored on record."""
        warned = defects.in_lines([item for item in result.findings if item.severity == "warn"])
        lines = warned + [f"known defect: {line}" for line in result.known]
        self._ctx.notes.extend(line for line in lines if line not in self._ctx.notes)

    def to_show_text(self, text: Text, *, timeout: float | None = None) -> None:
        """The picture shows `text`, whatever the tree says: for games, canvases and other blind
        trees. Case and spaces aside; a pattern has to match in a row as it was read. Needs the extra `ocr`."""
        self._shows(text, True, timeout)

    def not_to_show_text(self, text: Text, *, timeout: float | None = None) -> None:
        self._shows(text, False, timeout)

    def _shows(self, text: Text, holds: bool, timeout: float | None) -> None:
        words = shown(text, empty=False)
        ocr.engine()  # a missing extra is told before anything is waited for

        def ask(snapshot: Snapshot) -> Answer:
            if snapshot.picture is None:
                return Answer(False, "no picture", "unsure.no_picture")
            rows = [row.text for row in ocr.in_rows(ocr.read_text(snapshot.picture))]
            found = any(
                ocr.same_words(row, text) if isinstance(text, str) else text.search(row) is not None for row in rows
            )
            return Answer(
                found == holds, f"it reads {', '.join(map(repr, rows)) or 'nothing'}", "functional.wrong_value"
            )

        claim = f"the screen {'to' if holds else 'not to'} show the text {words}"
        self._check(Question(claim, ask, needs="picture"), timeout)

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
