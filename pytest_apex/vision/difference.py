"""What differs, drawn for people; and whether two pictures are of one screen at all."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PIL import Image, ImageDraw

from pytest_apex.model.geometry import Rect
from pytest_apex.model.snapshot import Picture
from pytest_apex.vision import clusters, match
from pytest_apex.vision.image import from_image

#: What counts, the frame around it, and what is masked.
_MARK, _FRAME, _MASKED = (230, 0, 60), (230, 0, 60), (176, 184, 200)
#: Pixels between what counts and its frame, and the width of the frame.
_GAP, _LINE = 8, 3
#: From this distance on, of 64, two gists are of different screens: a caret, a changed word and a spinner are 0 to 3
#: apart, two screens of one app about 20.
_OTHER_SCREEN = 16


def draw_difference(approved: Picture, actual: Picture, rules: match.Rules, masks: Sequence[Rect] = ()) -> Picture:
    """The actual picture in pale grey, what counts in red and framed, masks (pixels) in blue grey. Raises
    `SizesDiffer`."""
    match.need_equal_sizes(approved.size, actual.size)
    hidden = match.whole_pixels(masks, approved.size)
    marks = match.find_marks(approved, actual, rules, hidden)
    image = actual.pixels().convert("L").point([192 + value // 4 for value in range(256)]).convert("RGB")
    draw = ImageDraw.Draw(image)
    for mask in hidden:
        draw.rectangle((mask.left, mask.top, mask.right - 1, mask.bottom - 1), fill=_MASKED)
    if marks.count:
        image.paste(_MARK, (marks.left, marks.top), Image.fromarray(marks.mask.astype(np.uint8) * 255))
        for box, _ in clusters.groups(marks.mask, marks.left, marks.top):
            around = box.grown(_GAP)
            draw.rectangle((around.left, around.top, around.right - 1, around.bottom - 1), outline=_FRAME, width=_LINE)
    return from_image(image)


def another_screen(approved: Picture, actual: Picture) -> bool:
    """Whether two pictures look like two different screens. A gist, for a message: it decides nothing."""
    import imagehash  # needed for a message alone

    return bool(imagehash.dhash(approved.pixels()) - imagehash.dhash(actual.pixels()) > _OTHER_SCREEN)
