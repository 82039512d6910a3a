"""Defects that are put into drawn pages, and what the rules make of them.

    python tests/quality/defects.py                  # 350 pages with one defect each, 100 clean ones; about 2 minutes
    python tests/quality/defects.py --tenth          # every tenth of them
    python tests/quality/defects.py --only overlap   # one kind, with each miss and false finding
    python tests/quality/defects.py --pages other    # other pages than those that the rules were made with
    python tests/quality/defects.py --font FILE      # in other fonts; repeatable
    python tests/quality/defects.py --write          # store the result in tests/quality/defects.md

A text that is cut sideways shows at most two thirds of itself, and of two texts that overlap at least half of the boxes
do. A defect is found if its rule names the control that it sits on. Any other finding on any page is a false one;
warnings about the look of content (an ellipsis in a list) are not counted. The exit code is 1 for a rule with recall or
precision under 0.95, for a finding on a clean page, and, for the whole set, where the stored result is another one.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1])]

from defect_pages import TEMPLATES, Theme, clean_page  # noqa: E402
from defect_seeds import SEEDS, Seed, place  # noqa: E402
from drawn_page import Page  # noqa: E402
from PIL import ImageFont  # noqa: E402

from pytest_apex.model.verdict import Finding  # noqa: E402
from pytest_apex.verify.checks import find_defects  # noqa: E402

STORED = HERE / "defects.md"
EACH, CLEAN = 25, 100
LEAST = 0.95
_TRIES = 200


@dataclass
class Score:
    """What became of the defects of one rule. `false` counts findings of it where there was none."""

    seeded: int = 0
    found: int = 0
    right: int = 0
    false: int = 0
    lines: list[str] = field(default_factory=list)

    @property
    def recall(self) -> float:
        return self.found / self.seeded if self.seeded else 1.0

    @property
    def precision(self) -> float:
        return self.right / (self.right + self.false) if self.right + self.false else 1.0


@dataclass(frozen=True)
class Case:
    """One page. `kind` is "" for a clean one."""

    kind: str
    number: int
    page: Page
    theme: Theme
    seed: Seed | None

    @property
    def name(self) -> str:
        phone = self.page.phone
        font = f" {Path(phone.face).stem}" if phone.face else ""
        return f"{self.kind or 'clean'} {self.number} ({phone.platform} {phone.width}×{phone.height}{font})"


def cases(faces: list[str], *, only: str = "", step: int = 1) -> list[tuple[str, int, list[str]]]:
    """What is to be drawn: kind, number, fonts."""
    kinds = [only] if only else list(SEEDS)
    seeded = [(kind, number, faces) for kind in kinds for number in range(0, EACH, step)]
    return seeded + [("", number, faces) for number in range(0, 0 if only else CLEAN, step)]


def draw(kind: str, number: int, faces: list[str], pages: str = "") -> Case:
    """The page of a case, the same each time."""
    for attempt in range(_TRIES):
        rng = random.Random(f"{pages}{kind} {number} {attempt}")
        template = TEMPLATES[number % len(TEMPLATES)] if not kind or attempt < 2 else None
        page, theme = clean_page(rng, faces, template)
        seed = place(rng, page, kind, theme) if kind else None
        if seed is not None or not kind:
            return Case(kind, number, page, theme, seed)
    raise SystemExit(f"no page has a place for {kind}")


def judge(case: Case, scores: dict[str, Score]) -> None:
    """Count what is found on one page."""
    look = case.page.capture()
    # An ink whose contrast is only weak is a strange colour as well.
    palette = case.theme.palette if case.kind != "contrast" else None
    found = find_defects(look, palette=palette, accessibility=True)
    wanted = case.seed.kind if case.seed is not None else ""
    if wanted:
        score = scores[case.kind]
        score.seeded += 1
        hit = any(_is_it(finding, case.seed) for finding in found)
        score.found += hit
        score.right += hit
        if not hit:
            score.lines.append(f"  missed  {case.name}: {case.seed.how}, {case.seed.at.text or case.seed.at.id!r}")
    for finding in found:
        counted = finding.severity == "fail" or finding.kind.startswith("accessibility.")
        if wanted == "visual.occluded" and finding.kind == wanted and '"cover"' in finding.reason:
            continue  # it lies over the text below as well
        if counted and not (wanted and _is_it(finding, case.seed)):
            rule = finding.kind.partition(".")[2]
            scores[rule].false += 1
            scores[rule].lines.append(f"  false   {case.name}: {finding.rule}: {finding.reason}")


def _is_it(finding: Finding, seed: Seed | None) -> bool:
    if seed is None or finding.kind not in (seed.kind, seed.also):
        return False
    words = seed.at.text or seed.at.label or seed.at.id
    place_of = {seed.at.id, *(child.text for child in seed.at.children)}
    named = " ".join(finding.nodes)
    if seed.kind in ("visual.blank", "accessibility.missing_label"):
        return True
    return words[:40] in named or any(word and word in named for word in place_of)


def faces_of(files: list[str], folder: str) -> list[str]:
    """The font of the built-in phone, Pillow's own, and those asked for."""
    own = Path(folder) / "Aileron-Regular.ttf"
    own.write_bytes(ImageFont.load_default(16).font_bytes)
    return ["", str(own), *files]


def report(scores: dict[str, Score], pages: int) -> list[str]:
    lines = [f"{'rule':<16} {'pages':>6} {'found':>6} {'false':>6} {'recall':>7} {'precision':>10}"]
    for rule, score in scores.items():
        lines.append(f"{rule:<16} {score.seeded:>6} {score.found:>6} {score.false:>6} {score.recall:>7.2f} "
                     f"{score.precision:>10.2f}")  # fmt: skip
    found, seeded = sum(s.found for s in scores.values()), sum(s.seeded for s in scores.values())
    false = sum(s.false for s in scores.values())
    lines.append(f"{'all':<16} {seeded:>6} {found:>6} {false:>6} {found / max(1, seeded):>7.3f} "
                 f"{found / max(1, found + false):>10.3f}")  # fmt: skip
    return [*lines, f"{pages} pages, {pages - seeded} of them clean"]


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tenth", action="store_true")
    parser.add_argument("--only", default="", choices=["", *SEEDS])
    parser.add_argument("--font", action="append", default=[])
    parser.add_argument("--pages", default="")
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args(arguments)
    scores = {kind: Score() for kind in SEEDS}
    started, on_clean = time.perf_counter(), Counter[str]()
    with tempfile.TemporaryDirectory() as folder:
        wanted = cases(faces_of(asked.font, folder), only=asked.only, step=10 if asked.tenth else 1)
        for kind, number, faces in wanted:
            before = sum(score.false for score in scores.values())
            judge(draw(kind, number, faces, asked.pages), scores)
            on_clean[kind] += sum(score.false for score in scores.values()) - before
    lines = report(scores, len(wanted))
    print("\n".join(line for score in scores.values() for line in score.lines))
    print("\n".join(lines))
    print(f"{time.perf_counter() - started:.0f} s")
    weak = [rule for rule, score in scores.items() if min(score.recall, score.precision) < LEAST]
    for rule in weak if not asked.tenth else []:
        print(f"{rule}: recall or precision is under {LEAST}")
    if on_clean[""]:
        print(f"{on_clean['']} findings on clean pages")
    failed = bool((weak and not asked.tenth) or on_clean[""])
    if asked.tenth or asked.only or asked.font or asked.pages:
        return int(failed)
    return _stored("\n".join(lines), write=asked.write) or int(failed)


def _stored(lines: str, *, write: bool) -> int:
    text = (
        "# Defects on drawn pages\n\nWritten by `python tests/quality/defects.py --write`. Each page has one defect;"
        f" any other finding, and any on a clean\npage, is a false one.\n\n```\n{lines}\n```\n"
    )
    if write:
        STORED.write_text(text, encoding="utf-8")
        return 0
    if not STORED.is_file() or STORED.read_text(encoding="utf-8") != text:
        print(f"the result is not the stored one in {STORED.name}; --write stores it")
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
