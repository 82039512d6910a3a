"""One attempt of one test as a part of the page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from urllib.parse import quote

from pytest_apex.model.verdict import Attempt
from pytest_apex.reports.html.markup import Html, el, join
from pytest_apex.reports.html.pictures import Album
from pytest_apex.reports.html.stored import Act, Said, StoredAttempt
from pytest_apex.reports.results import LEFT_OUT
from pytest_apex.reports.summary import row_of

#: Steps of one attempt that are shown, the last ones; all are in its journal.
MOST_STEPS = 200
_MARKS = {True: "✓", False: "✗", None: "·"}
_SORT = {
    "passed": "good",
    "functional": "bad",
    "visual": "bad",
    "crash": "bad",
    "suspect: test": "test",
    "test": "test",
}


def shown_row(attempt: Attempt) -> str:
    """The word that an attempt is filtered and coloured by."""
    if attempt.outcome == "cut off":
        return "cut off"
    return "not judged" if LEFT_OUT in attempt.facts else row_of(attempt) or "passed"


def sort_of(row: str) -> str:
    """Its colour: good, bad, test, or open."""
    return _SORT.get(row, "open")


def article(
    stored: StoredAttempt, album: Album, link: Callable[[str], str | None], *, steps: bool, again: bool
) -> Html:
    """`link` gives the address of a file of the run; `again` says that the test ran once more after this attempt."""
    attempt, row = stored.attempt, shown_row(stored.attempt)
    parts = [_head(attempt, row, again), *_body(stored, album, link, steps=steps)]
    return el("details", *parts, class_=f"attempt {sort_of(row)}", data_row=row, data_outcome=attempt.outcome)


def _head(attempt: Attempt, row: str, again: bool) -> Html:
    tries = f"attempt {attempt.n}{', went on to another' if again else ''}" if attempt.n > 1 or again else ""
    facts = " · ".join(word for word in (attempt.device, f"{attempt.duration_s:.1f} s", tries) if word)
    kind = attempt.verdict.kind or row
    reason = el("span", attempt.verdict.reason, class_="reason") if attempt.verdict.reason else ""
    name = el("span", attempt.test, class_="name")
    return el("summary", el("span", kind, class_="chip"), name, el("span", facts, class_="facts"), reason)


def _body(stored: StoredAttempt, album: Album, link: Callable[[str], str | None], *, steps: bool) -> Iterator[Html]:
    attempt = stored.attempt
    verdict = attempt.verdict
    yield _list("why", verdict.why)
    if verdict.cure:
        yield el("p", el("b", "try: "), verdict.cure)
    if verdict.suspect:
        yield el("p", el("b", "suspect: "), verdict.suspect)
    for phase, message in stored.raised:
        yield join(el("h3", f"raised in {phase}"), el("pre", message))
    yield _list("noted", (*verdict.notes, *attempt.also))
    yield _story(stored, album, steps)
    yield _rules(attempt)
    yield _evidence(attempt, link)
    yield el("p", " · ".join(_facts(attempt)), class_="quiet")


def _list(title: str, lines: tuple[str, ...]) -> Html:
    return join(el("h3", title), el("ul", *(el("li", line) for line in lines))) if lines else Html()


def _facts(attempt: Attempt) -> Iterator[str]:
    facts = attempt.facts
    if "file" in facts:
        yield f"{facts['file']}:{facts.get('line', '')}"
    yield f"outcome {attempt.outcome}, decided in {attempt.phase}"
    yield from (
        f"{name}: {', '.join(text.splitlines())}" for name, text in facts.items() if name not in ("file", "line")
    )
    yield attempt.folder


def _story(stored: StoredAttempt, album: Album, steps: bool) -> Html:
    if not stored.story:
        return Html()
    count = sum(isinstance(part, Act) for part in stored.story)
    told = f"{count} step{'' if count == 1 else 's'}"
    journal = f"{stored.attempt.folder}/steps.jsonl"
    if not steps:
        return el("p", f"{told}, left out of this page: {journal}", class_="quiet")
    shown = stored.story[-MOST_STEPS:]
    before = len(stored.story) - len(shown)
    earlier = el("p", f"{before} earlier lines are in {journal}", class_="quiet") if before else ""
    lines = (_act(part, album) if isinstance(part, Act) else _said(part, album) for part in shown)
    return join(el("h3", told), earlier, el("ol", *lines, class_="story"))


def _act(act: Act, album: Album) -> Html:
    state = "" if act.done else el("b", "begun, maybe done", class_="warn")
    effect = el("b", "no effect", class_="warn") if act.effect == "none" else ""
    took = f"{act.took_ms:.0f} ms" if act.took_ms is not None else ""
    purpose = " → ".join(word for word in (act.purpose, act.expected) if word)
    head = el("p", el("code", act.id), " ", el("b", act.named), " ", state, effect)
    words = [el("p", word, class_="quiet") for word in (purpose, act.change, act.note) if word]
    where = el("p", " · ".join(word for word in (took, act.source) if word), class_="quiet")
    return el("li", el("div", head, *words, where), _pictures(act.pictures, album))


def _said(said: Said, album: Album) -> Html:
    sort = {True: "held", False: "broken", None: ""}[said.holds]
    line = el("p", _MARKS[said.holds], " ", el("b", said.what), " ", said.words, class_=sort)
    return el("li", el("div", line), _pictures(said.pictures, album))


def shown_pictures(pictures: dict[str, str]) -> list[tuple[str, str]]:
    """Caption and path of what is shown: the picture with the touch stands for the one after it."""
    wanted = [kind for kind in pictures if not (kind == "after" and "touch" in pictures)]
    captions = {"touch": "after, with the touch"}
    return [(captions.get(kind, kind), pictures[kind]) for kind in wanted]


def _pictures(pictures: dict[str, str], album: Album) -> Html:
    shown = [album.show(path, caption) for caption, path in shown_pictures(pictures)]
    return el("div", *shown, class_="pictures") if shown else Html()


def _rules(attempt: Attempt) -> Html:
    if not attempt.verdict.rules:
        return Html()
    rows = (
        el("tr", el("th", rule.rule, scope="row"), el("td", rule.question), el("td", el("b", rule.answer), *(
            el("p", line, class_="quiet") for line in rule.evidence)), class_="decided" if rule.decided else None)
        for rule in attempt.verdict.rules
    )  # fmt: skip
    table = el("div", el("table", el("tbody", *rows)), class_="wide")
    return el("details", el("summary", "all rules that were asked"), table)


def _evidence(attempt: Attempt, link: Callable[[str], str | None]) -> Html:
    files = ((" ".join(word for word in (kept.step, kept.caption or kept.kind) if word), kept.path)
             for kept in attempt.evidence)  # fmt: skip
    items = [el("li", el("a", words, href=link(path)), " ", el("span", path, class_="quiet")) for words, path in files]
    return el("details", el("summary", f"{len(items)} stored files"), el("ul", *items)) if items else Html()


def quoted(path: str) -> str:
    """A relative path as an address: nothing in it is a scheme, a query or a host."""
    return "./" + quote(path)
