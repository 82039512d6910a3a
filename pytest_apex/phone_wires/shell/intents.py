"""Intents as `am` reads them from its arguments (AOSP: `Intent.parseCommandArgs`)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

#: Extras with one value, and those with several between commas.
_ONE = frozenset({"-e", "--es", "--ei", "--el", "--ef", "--ed", "--ez", "--eu", "--ecn"})
_MANY = frozenset({"--esa", "--eia", "--ela", "--efa", "--esal", "--eial", "--elal", "--efal"})
_WITH_VALUE = frozenset({"-f", "--user", "--activityType", "--windowingMode", "--display", "--task", "-R", "-P",
                         "--start-profiler", "--sampling", "--receiver-permission"})  # fmt: skip
_TAKEN = {"-a": "action", "-d": "data", "-t": "kind", "-p": "package", "-n": "component"}
#: A comma that ends a part: one without a backslash in front.
_COMMA = re.compile(r"(?<!\\),")

#: The extra that carries an app's launch arguments on the built-in phone.
ARGUMENTS = "apex_args"


@dataclass(slots=True)
class Intent:
    """`extras` have one value each, `lists` several; `flags` are options of the command itself (`-W`, `-S`)."""

    action: str = ""
    data: str = ""
    kind: str = ""
    package: str = ""
    component: str = ""
    categories: list[str] = field(default_factory=list)
    extras: dict[str, str] = field(default_factory=dict)
    lists: dict[str, list[str]] = field(default_factory=dict)
    flags: set[str] = field(default_factory=set)

    @property
    def arguments(self) -> list[str]:
        """Launch arguments of an app."""
        return self.lists.get(ARGUMENTS, [])

    def __str__(self) -> str:
        parts = [f"act={self.action}"] if self.action else []
        parts += [f"cat=[{','.join(self.categories)}]"] if self.categories else []
        parts += [f"dat={_short(self.data)}"] if self.data else []
        parts += [f"pkg={self.package}"] if self.package else []
        parts += [f"cmp={self.component}"] if self.component else []
        parts += ["(has extras)"] if self.extras or self.lists else []
        return f"Intent {{ {' '.join(parts)} }}"


def _short(url: str) -> str:
    """Since Android 11 only the beginning of a URL is told."""
    scheme, sign, rest = url.partition("://")
    return f"{scheme}://{rest.partition('/')[0]}/..." if sign else f"{url.partition(':')[0]}:"


def split_list(text: str) -> list[str]:
    r"""The parts of a list of strings; `\,` is a comma within one. As Java's `split`, it drops empty parts at the
    end."""
    parts = _COMMA.split(text)
    while parts and not parts[-1]:
        parts.pop()
    return [part.replace("\\,", ",") for part in parts]


def parse_intent(args: Sequence[str]) -> Intent | str:
    """The intent, or what is wrong with the arguments."""
    intent = Intent()
    words = list(args)
    while words:
        word = words.pop(0)
        need = 2 if word in _ONE or word in _MANY else 1 if word in _TAKEN or word in _WITH_VALUE or word == "-c" else 0
        if len(words) < need:
            return f'java.lang.IllegalArgumentException: Argument expected after "{word}"'
        if word in _ONE:
            name, value = words.pop(0), words.pop(0)
            intent.extras[name] = value
        elif word in _MANY:
            name, value = words.pop(0), words.pop(0)
            intent.lists[name] = split_list(value)
        elif word == "--esn" and words:
            intent.extras[words.pop(0)] = ""
        elif word in _TAKEN:
            setattr(intent, _TAKEN[word], words.pop(0))
        elif word == "-c":
            intent.categories.append(words.pop(0))
        elif word in _WITH_VALUE:
            words.pop(0)
        elif word.startswith("-"):
            intent.flags.add(word)
        elif ":" in word:
            intent.data = word
        elif "/" in word:
            intent.component = word
        else:
            intent.package = word
    return intent
