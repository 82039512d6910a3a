"""What an app makes of a text while it is typed: formats and limits of a field."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pytest_apex.phone.parts import Control


def _digits(text: str) -> str:
    return "".join(letter for letter in text if letter.isdigit())


def _card(text: str) -> str:
    """4111 1111 1111 1111."""
    digits = _digits(text)
    return " ".join(digits[at : at + 4] for at in range(0, len(digits), 4))


def _phone(text: str) -> str:
    """(555) 123-4567."""
    digits = _digits(text)[:10]
    if len(digits) <= 3:
        return digits
    return f"({digits[:3]}) {digits[3:6]}" + (f"-{digits[6:]}" if digits[6:] else "")


#: Name of a format to what it makes of the whole text, after each keystroke.
FORMATS: Mapping[str, Callable[[str], str]] = {
    "card": _card,
    "phone": _phone,
    "digits": _digits,
    "capital": lambda text: text[:1].upper() + text[1:],
}


def shaped(control: Control, text: str) -> str:
    """The text as the field takes it."""
    if control.format:
        text = FORMATS[control.format](text)
    return text[: control.max_length] if control.max_length else text
