"""The page as a whole: its head, the table, the filters, all attempts."""

from __future__ import annotations

import base64
import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from pytest_apex.reports.html.attempts import article, quoted, shown_pictures, shown_row, sort_of
from pytest_apex.reports.html.markup import Html, el, join
from pytest_apex.reports.html.pictures import MOST_BYTES, Album
from pytest_apex.reports.html.stored import StoredAttempt, StoredPage
from pytest_apex.reports.results import key_of
from pytest_apex.reports.summary import ROWS, kinds_by_row, last_attempts, remarks, totals

#: What the texts of all attempts may take, in characters, before steps are left out: of what did not fail, of any.
_MOST_TEXT, _MOST_OF_FAILED = 6 * 1024 * 1024, 24 * 1024 * 1024
#: Rows in the order of the page: what failed first.
_ORDER = [*(row for row, _ in ROWS), "cut off", "not judged", "xfailed", "skipped", "passed"]


def page_of(stored: StoredPage, beside: Path, most: int = MOST_BYTES) -> str:
    """The page; `beside` is the folder it will stand in, from where its links lead to the run. Pictures take `most`
    characters."""
    attempts = sorted(stored.attempts, key=lambda one: (_ORDER.index(shown_row(one.attempt)), one.attempt.test))
    album = Album(stored.run_dir, most)
    album.load(_wanted(attempts))
    articles, without = _articles(stored, attempts, album, beside)
    body = el(
        "body",
        el("header", el("h1", "pytest-apex"), _about(stored)),
        el("main", _summary(stored), _filters(attempts), el("section", *articles, aria_label="tests"),
           _left_out(stored, album, without)),
        album.symbols(),
        el("script", _own("script.js")),
    )  # fmt: skip
    return f"<!DOCTYPE html>\n{el('html', _head(), body, lang='en')}\n"


def _own(name: str) -> Html:
    return Html(files("pytest_apex.reports.html").joinpath(name).read_text("utf-8"))


def _head() -> Html:
    """Nothing is loaded from anywhere, and only our own style and script hold: a text that came through as markup
    would do nothing."""
    allowed = "; ".join((
        "default-src 'none'", "img-src data:", f"style-src {_digest('style.css')}",
        f"script-src {_digest('script.js')}", "base-uri 'none'", "form-action 'none'",
    ))  # fmt: skip
    return el(
        "head",
        el("meta", charset="utf-8"),
        el("meta", http_equiv="Content-Security-Policy", content=allowed),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("meta", name="color-scheme", content="light dark"),
        el("title", "pytest-apex"),
        el("style", _own("style.css")),
    )


def _digest(name: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(_own(name).encode()).digest()).decode('ascii')}'"


def _wanted(attempts: Sequence[StoredAttempt]) -> list[str]:
    """All pictures that the page would show: the last steps of failed tests first."""
    ranked: list[tuple[int, str]] = []
    for stored in attempts:
        passed = 1000 if sort_of(shown_row(stored.attempt)) == "good" else 0
        for back, part in enumerate(reversed(stored.story)):
            ranked += [(passed + back, path) for _, path in shown_pictures(part.pictures)]
    return [path for _, path in sorted(ranked, key=lambda entry: entry[0])]


def _about(stored: StoredPage) -> Html:
    run = stored.described
    return el("dl", *(join(el("dt", name), el("dd", *lines)) for name, lines in _facts(run) if lines))


def _facts(run: Mapping[str, Any]) -> Iterator[tuple[str, list[object]]]:
    times = [str(run[name]) for name in ("started", "ended") if run.get(name)]
    ended = " to ".join(times) if len(times) > 1 else "".join(times) + ", not ended"
    yield "run", [ended] if times else []
    yield "devices", [el("p", _device(fields)) for fields in _list(run, "devices") if isinstance(fields, dict)]
    yield "seed", [str(run["seed"])] if "seed" in run else []
    told = [(name, one) for name, one in _mapping(run, "options").items() if isinstance(one, dict) and name != "seed"]
    yield "options", [el("p", f"{name}={one.get('value')} ({one.get('origin')})") for name, one in told]
    yield "manuals", [el("p", manual) for manual in _list(run, "manuals")]
    versions = {"pytest-apex": run.get("version"), **_mapping(run, "versions")}
    yield "versions", [", ".join(f"{name} {text}" for name, text in versions.items() if text)]


def _list(fields: Mapping[str, Any], name: str) -> list[Any]:
    """A list of `run.json`, which may be damaged or another version's."""
    value = fields.get(name)
    return value if isinstance(value, list) else []


def _mapping(fields: Mapping[str, Any], name: str) -> dict[str, Any]:
    value = fields.get(name)
    return value if isinstance(value, dict) else {}


def _device(fields: Mapping[str, Any]) -> str:
    size = _mapping(_mapping(fields, "screen"), "size")
    screen = "×".join(f"{size[side]:g}" for side in ("width", "height") if isinstance(size.get(side), int | float))
    words = (fields.get("model"), fields.get("platform"), fields.get("os_version"), screen)
    return f"{fields.get('id')}: {' '.join(str(word) for word in words if word)}"


def _summary(stored: StoredPage) -> Html:
    judged = last_attempts(one.attempt for one in stored.attempts if one.attempt.outcome != "cut off")
    if not judged:
        return el("p", "no test used a device", class_="totals")
    first, *more = totals(judged)
    kinds = kinds_by_row(judged)
    rows = [
        el("tr", el("th", row, scope="row", class_=sort_of(row)), el("td", str(kinds[row].total()), class_="number"),
           el("td", ", ".join(f"{kind} {count}" for kind, count in kinds[row].most_common()) or el(
               "span", meaning, class_="quiet")))
        for row, meaning in ROWS
    ]  # fmt: skip
    head = el("tr", *(el("th", word, scope="col") for word in ("category", "tests", "kinds")))
    table = el("table", el("thead", head), el("tbody", *rows), class_="rows")
    told = [el("p", line) for line in more]
    noted = remarks(judged)
    observed = el("details", el("summary", "observed on the way"), el("pre", "\n".join(noted).strip())) if noted else ""
    return join(el("p", first, class_="totals"), table, *told, observed)


def _filters(attempts: Sequence[StoredAttempt]) -> Html:
    """Shown by the script, which they need."""
    rows = [row for row in _ORDER if any(shown_row(one.attempt) == row for one in attempts)]
    outcomes = sorted({one.attempt.outcome for one in attempts})
    return el(
        "form",
        _choice("category", "row", rows),
        _choice("outcome", "outcome", outcomes),
        el("label", "search ", el("input", type="search", id="words", autocomplete="off")),
        el("output", id="shown", aria_live="polite"),
        id="filters",
        hidden=True,
        role="search",
    )


def _choice(label: str, name: str, words: Sequence[str]) -> Html:
    options = (el("option", word, value=word) for word in words)
    return el("label", f"{label} ", el("select", el("option", "all", value=""), *options, id=name))


def _articles(
    stored: StoredPage, attempts: Sequence[StoredAttempt], album: Album, beside: Path
) -> tuple[list[Html], int]:
    last = {key_of(one.attempt): one.attempt.n for one in sorted(attempts, key=lambda one: one.attempt.n)}
    spent, without = 0, 0
    articles = []

    def link(path: str) -> str | None:
        try:
            return quoted(Path(os.path.relpath(stored.run_dir / path, beside)).as_posix())
        except ValueError:  # another drive
            return None

    for one in attempts:
        steps = spent < (_MOST_OF_FAILED if sort_of(shown_row(one.attempt)) == "bad" else _MOST_TEXT)
        again = last[key_of(one.attempt)] > one.attempt.n
        articles.append(article(one, album, link, steps=steps, again=again))
        spent += len(articles[-1])
        without += not steps
    return articles, without


def _left_out(stored: StoredPage, album: Album, without: int) -> Html:
    lines = [f"can't be read: {line}" for line in stored.damage]
    lines += [f"pictures that can't be read: {len(album.damaged)}"] if album.damaged else []
    lines += [f"pictures left out, so that the page stays small: {len(album.without)}"] if album.without else []
    lines += [f"tests whose steps are left out for the same reason: {without}"] if without else []
    never = _mapping(_mapping(stored.described, "options"), "keep").get("value") == "never"
    lines += ["no pictures were kept: --apex-keep never"] if never else []
    return (
        el("footer", el("h2", "Not in this page"), el("ul", *(el("li", line) for line in lines))) if lines else Html()
    )
