"""The forms in which a secret may turn up in a text: as typed, escaped or encoded."""

from __future__ import annotations

import base64
import html
import json
import re
import unicodedata
from collections.abc import Iterator
from urllib.parse import quote, quote_plus
from xml.sax.saxutils import escape

#: A secret shorter than this is masked as a whole word only, and in no other form: "12" is part of too many things.
MIN_LENGTH = 4

#: Characters that URL encoders leave alone: none, a path's, those of `encodeURIComponent`, those of `encodeURI`.
_URL_SAFE = ("", "/", "!*'()", ";,/?:@&=+$-_.!~*'()#")
#: How XML and HTML writers treat quotes: not at all, the double one, and both in each spelling in use.
_QUOTES: tuple[dict[str, str], ...] = (
    {},
    {'"': "&quot;"},
    {'"': "&quot;", "'": "&apos;"},
    {'"': "&quot;", "'": "&#39;"},
    {'"': "&quot;", "'": "&#x27;"},
    {'"': "&#34;", "'": "&#39;"},
)
#: The least length at which a piece from the middle of a base64 text can't be chance.
_MIN_BASE64 = 8
#: The least length at which the letters of a secret, listed one by one, are one of its forms.
_MIN_LISTED = 6


def forms_of(secret: str) -> frozenset[str]:
    """Every form of `secret` that a text is searched for; only itself when it is short. Each line of one with several
    lines counts by itself: differences are printed line by line."""
    if len(secret) < MIN_LENGTH:
        return frozenset({secret}) if secret.strip() else frozenset()
    found: set[str] = set()
    values = {secret, secret.strip(), *(unicodedata.normalize(form, secret) for form in ("NFC", "NFD"))}
    values.update(line.strip() for line in secret.splitlines() if len(line.strip()) >= MIN_LENGTH)
    for value in values:
        found.add(value)
        for write in (_json, _python, _url, _xml, _base64, _listed):
            found.update(write(value))
    return frozenset(form for form in found if len(form) >= MIN_LENGTH)


def _json(value: str) -> Iterator[str]:
    """Inside a JSON text, and inside a JSON text that stands in another."""
    for ascii_only in (True, False):
        once = json.dumps(value, ensure_ascii=ascii_only)[1:-1]
        yield from (once, once.replace("/", "\\/"), json.dumps(once)[1:-1])


def _python(value: str) -> Iterator[str]:
    """As `repr` prints it, and as a line of source code may have it between either quotes."""
    for shown in (repr(value)[1:-1], ascii(value)[1:-1], repr(value.encode("utf-8", "surrogatepass"))[2:-1]):
        yield shown
        plain = shown.replace("\\'", "'")
        yield plain.replace("'", "\\'")
        yield plain.replace('"', '\\"')


def _url(value: str) -> Iterator[str]:
    for safe in _URL_SAFE:
        for encode in (quote, quote_plus):
            text = encode(value, safe=safe, encoding="utf-8", errors="surrogatepass")
            yield text
            yield re.sub("%[0-9A-F]{2}", lambda code: code[0].lower(), text)


def _xml(value: str) -> Iterator[str]:
    yield html.escape(value)
    for quotes in _QUOTES:
        text = escape(value, quotes)
        yield text
        yield text.replace("\r", "&#13;").replace("\n", "&#10;").replace("\t", "&#09;")
        yield text.encode("ascii", "xmlcharrefreplace").decode("ascii")


def _base64(value: str) -> Iterator[str]:
    """On its own, and as the middle of something longer (`user:password`): base64 has three ways to cut it."""
    raw = value.encode("utf-8", "surrogatepass")
    alone = base64.b64encode(raw).decode("ascii")
    pieces = [alone, alone.rstrip("=")]
    for lead, start in ((0, 0), (1, 2), (2, 3)):
        text = base64.b64encode(b"\0" * lead + raw).decode("ascii")
        piece = text[start : (lead + len(raw)) * 8 // 6]
        if len(piece) >= _MIN_BASE64:
            pieces.append(piece)
    for piece in pieces:
        yield piece
        yield piece.replace("+", "-").replace("/", "_")


def _listed(value: str) -> Iterator[str]:
    """As a list of its letters is printed, without the brackets."""
    if len(value) >= _MIN_LISTED:
        yield "', '".join(value)
        yield '", "'.join(value)
