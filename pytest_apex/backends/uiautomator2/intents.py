"""Starting an app with arguments and environment: Android has neither, so both go as extras of the intent.

`docs/android.md` tells app authors how to read them.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence

from pytest_apex.errors import ConfigError

#: The extra that holds the arguments, a string array.
ARGUMENTS = "apex_args"
#: `FLAG_ACTIVITY_NEW_TASK | FLAG_ACTIVITY_RESET_TASK_IF_NEEDED`, as a launcher starts apps.
_LAUNCHER_FLAGS = "0x10200000"
_COMPONENT = re.compile(r"^\s*([\w.]+/[\w.$]+)\s*$", re.MULTILINE)


def ask_component(app: str) -> str:
    """Asks for the activity that a launcher would start."""
    return (
        "cmd package resolve-activity --brief -a android.intent.action.MAIN -c android.intent.category.LAUNCHER "
        f"{shlex.quote(app)}"
    )


def read_component(text: str) -> str:
    """`com.example.notes/.MainActivity`; "" where there is none."""
    found = _COMPONENT.findall(text)
    return found[-1] if found else ""


def start_command(component: str, args: Sequence[str] = (), env: Mapping[str, str] | None = None) -> str:
    """`am start` as a launcher does it, with the extras. Raises `ConfigError` for what can't be told that way."""
    words = [
        "am", "start", "-a", "android.intent.action.MAIN", "-c", "android.intent.category.LAUNCHER",
        "-f", _LAUNCHER_FLAGS, "-n", component, *extras(args, env or {}),
    ]  # fmt: skip
    return shlex.join(words)


def extras(args: Sequence[str], env: Mapping[str, str]) -> list[str]:
    """`--es NAME VALUE` for each variable, `--esa apex_args A,B` for the arguments; a comma in one is `\\,`.

    Raises `ConfigError` for what am would not carry: a backslash at the end of an argument, which would take the comma
    after it along, and an empty one at the end.
    """
    words: list[str] = []
    for name, value in env.items():
        words += ["--es", name, value]
    if not args:
        return words
    if not args[-1]:
        raise ConfigError(
            "can't start an app on Android with an empty last argument",
            seen="am, which carries the arguments, drops empty ones at the end",
            cure="leave it out, or say it with an environment variable: env={…}",
        )
    for argument in args:
        if argument.endswith("\\"):
            raise ConfigError(
                f"can't start an app on Android with the argument {argument!r}",
                seen="it ends in a backslash",
                likely="am, which carries it, takes a backslash before a comma for an escape",
                cure="another way to say it, such as an environment variable: env={…}",
            )
    return [*words, "--esa", ARGUMENTS, ",".join(argument.replace(",", "\\,") for argument in args)]


def start_error(text: str) -> str:
    """What `am start` complains of; "" where it started something."""
    found = re.search(r"^(?:Error|Exception|java\.lang\.\w+)[^\n]*", text, re.MULTILINE)
    if found is None:
        return ""
    tail = [line.strip() for line in text[found.start() :].splitlines() if line.strip()]
    return " ".join(tail[:2])
