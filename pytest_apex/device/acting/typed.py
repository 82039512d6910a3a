"""What a field shows against what was typed into it: as it was, made over by the app on purpose, or altered on the way.

An app may put separators in (`4111 1111`), change the case, take digits only, keep no more than so many characters, or
complete a word: none of that is a fault of the typing. A character that is missing, another one or one too many is.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from difflib import SequenceMatcher

#: What passwords are shown as.
_MASKS = frozenset("•●∙·*⬤")
#: Kinds of characters (Unicode's) that formats put in: punctuation, spaces, currency and mathematical signs, controls.
_SEPARATORS = frozenset({"Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po", "Zs", "Zl", "Zp", "Sc", "Sm", "Cc"})
#: So many differences are told, found in a stretch no longer than this.
_TOLD, _LONGEST = 4, 400


@dataclass(frozen=True, slots=True)
class Arrival:
    """How a text arrived. `kept` is how many of its characters did, from the first on (None: it can't be told);
    `note` says what the app made of it; `differences`, that it was altered on the way, and `places` the same without
    any character in it."""

    kept: int | None = None
    note: str = ""
    differences: str = ""
    places: str = ""

    @property
    def altered(self) -> bool:
        return bool(self.differences)


def arrival(typed: str, shown: str, before: str = "", *, password: bool = False) -> Arrival:
    """How `typed` arrived in a field that showed `before` and now shows `shown`.

    Of a password only the length is compared, where anything is shown of it.
    """
    if not typed:
        return Arrival(0)
    if password and (not shown or _is_masked(shown)):
        return _masked(typed, shown, before)
    sent = len(typed)
    typed, shown, before = (_plain(text) for text in (typed, shown, before))
    if _is_inserted(typed, shown, before):
        return Arrival(sent)
    if "\n" in typed and shown == typed.rpartition("\n")[2]:
        return Arrival(sent, note="the return key took the text before it")
    whole, had = before + typed, len(before)
    note = _made_over(whole, shown)
    if note:
        return Arrival(sent, note=note)
    count = _begun(whole, shown) - had
    if count > 0:
        return Arrival(count, note=f"the field kept {count} of {sent} characters, as with a limit")
    told = _differences(whole, shown)
    kept = max(_common(whole, shown) - had, 0)
    return Arrival(kept, differences=_words(told, hidden=False), places=_words(told, hidden=True))


def _plain(text: str) -> str:
    """Canonical, with plain spaces: platforms show `ü` composed or not, and web pages keep spaces by `U+00A0`."""
    return unicodedata.normalize("NFC", text).replace("\u00a0", " ")


def _is_masked(shown: str) -> bool:
    """The last character may be shown for a moment."""
    return all(letter in _MASKS for letter in shown[:-1]) and (len(shown) > 1 or shown in _MASKS)


def _masked(typed: str, shown: str, before: str) -> Arrival:
    if not shown:
        return Arrival(note="the field shows nothing of it")
    # A bullet a character, or a unit of UTF-16; Apple's fields drop what they held when one begins to type.
    lengths = {len(typed), len(typed.encode("utf-16-le")) // 2}
    if len(shown) in {had + length for had in (0, len(before)) for length in lengths}:
        return Arrival(len(typed))
    told = f"{len(shown)} characters are shown where {len(before) + len(typed)} are meant"
    return Arrival(differences=told, places=told)


def _is_inserted(typed: str, shown: str, before: str) -> bool:
    """Whether the text stands somewhere in what was there, maybe in place of a selected part."""
    at = shown.find(typed)
    while at >= 0:
        left, right = shown[:at], shown[at + len(typed) :]
        if before.startswith(left) and before.endswith(right) and len(left) + len(right) <= len(before):
            return True
        at = shown.find(typed, at + 1)
    return False


def _is_separator(letter: str) -> bool:
    return unicodedata.category(letter) in _SEPARATORS


def _letters(text: str) -> str:
    return "".join(letter for letter in text if not _is_separator(letter))


def _made_over(meant: str, shown: str) -> str:
    """What the app made of it, in words; "" where that is no sufficient explanation."""
    if "\n" in meant and "\n" not in shown and shown in (meant.replace("\n", ""), meant.replace("\n", " ")):
        return "the field has one line"
    letters, seen = _letters(meant), _letters(shown)
    if letters.casefold() == seen.casefold() and len(shown) - len(seen) >= len(meant) - len(letters):
        how = "in other case" if letters != seen else "with other separators"
        return f"the app shows it {how}"
    digits = "".join(letter for letter in letters if letter.isdigit())
    if digits and digits == seen and digits != letters:
        return "the field takes digits only"
    more = shown[len(meant) :]
    if shown.casefold().startswith(meant.casefold()) and more and not meant.endswith(more):
        return "the app completed it"
    return ""


def _begun(meant: str, shown: str) -> int:
    """How many characters of `meant` a field shows that takes no more; 0 where it is not simply its beginning."""
    if not shown:
        return 0
    if meant.startswith(shown):
        return len(shown)
    if _is_separator(shown[-1]):
        return 0
    wanted, count = len(_letters(shown)), 0
    for at, letter in enumerate(meant, 1):
        count += not _is_separator(letter)
        if count == wanted:
            return at if at < len(meant) and _made_over(meant[:at], shown) else 0
    return 0


def _common(meant: str, shown: str) -> int:
    pairs = enumerate(zip(meant, shown, strict=False))
    return next((at for at, (wanted, seen) in pairs if wanted != seen), min(len(meant), len(shown)))


#: Place in the text that was meant (from 1), what was meant there, what is shown.
_Difference = tuple[int, str, str]


def _differences(meant: str, shown: str) -> list[_Difference]:
    begins = _common(meant, shown)
    wanted, seen = meant[begins : begins + _LONGEST], shown[begins : begins + _LONGEST]
    found: list[_Difference] = []
    for kind, i, j, k, m in SequenceMatcher(None, wanted, seen, autojunk=False).get_opcodes():
        if kind == "equal":
            continue
        for n in range(max(j - i, m - k)):
            at = begins + min(i + n, j) + (1 if i + n < j else 0)
            found.append((at, wanted[i + n] if i + n < j else "", seen[k + n] if k + n < m else ""))
    return found


def _words(told: list[_Difference], *, hidden: bool) -> str:
    listed = [_difference(*item, hidden) for item in told[:_TOLD]]
    more = [f"{len(told) - _TOLD} more"] if len(told) > _TOLD else []
    return "; ".join(listed + more)


def _difference(at: int, meant: str, shown: str, hidden: bool) -> str:
    if not meant:
        return f"{_spelt(shown, hidden)} was added after character {at}"
    what = f"character {at}" + ("" if hidden else f", {_spelt(meant, hidden)},")
    return f"{what} is missing" if not shown else f"{what} became {_spelt(shown, hidden)}"


def _spelt(letter: str, hidden: bool) -> str:
    if hidden:
        return "another one"
    return repr(letter) if letter.isprintable() and letter.isascii() else f"{letter!r} (U+{ord(letter):04X})"
