"""What all checks share: at once or softly, and words to compare with."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeAlias

from pytest_apex.device import arguments
from pytest_apex.device.checking.approved_picture import ApprovedPicture
from pytest_apex.device.checking.waiting import Question, await_check
from pytest_apex.device.context import Context
from pytest_apex.device.sealed import Sealed
from pytest_apex.errors import CheckFailed

Text: TypeAlias = str | re.Pattern[str]


class Checks(Sealed):
    """Runs a question, at once or softly, in its plain or its `not_` form."""

    def __init__(self, context: Context, soft: bool) -> None:
        self._ctx = context
        self._soft = soft

    def _check(
        self,
        question: Question,
        timeout: float | None,
        *,
        failed: Callable[[CheckFailed], None] = lambda _error: None,
    ) -> bool:
        """Whether it holds; `failed` gets the failure before it is raised, or kept if this is a soft check."""
        if timeout is not None:
            arguments.seconds(timeout, "timeout=", least=0.001)
        try:
            await_check(self._ctx, question, timeout)
        except CheckFailed as error:
            failed(error)
            if not self._soft:
                raise
            self._ctx.soft.append(error)
            return False
        return True

    def _match(self, approval: ApprovedPicture, timeout: float | None) -> None:
        """Ask for an approved picture, and write it where it may be."""
        if not self._check(approval.question(), timeout, failed=approval.keep_failed) or approval.keep():
            return
        # Another process approved its own first: this one has to match it.
        if self._check(approval.question(), timeout, failed=approval.keep_failed):
            approval.keep()


def shown(text: Text, *, empty: bool = True) -> str:
    """A text or pattern as a claim names it; `ConfigError` for anything else, and for an empty text unless it may be
    (every text contains it)."""
    arguments.words(text, "a check on text", empty=empty)
    return f"/{text.pattern}/" if isinstance(text, re.Pattern) else repr(text)


def whole(wanted: Text, now: str) -> bool:
    return bool(wanted.fullmatch(now)) if isinstance(wanted, re.Pattern) else wanted == now


def part(wanted: Text, now: str) -> bool:
    return bool(wanted.search(now)) if isinstance(wanted, re.Pattern) else wanted in now
