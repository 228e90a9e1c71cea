"""Patterns of paths as in .gitignore, and files of them."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from state.text import nfc


@dataclass(frozen=True)
class Pattern:
    """A pattern as a regular expression over a path with "/" below the folder it is for."""

    expression: re.Pattern[str]
    folders_only: bool = False
    takes_back: bool = False


def compile_pattern(written: str, *, anywhere: bool = False, ignore_case: bool = False) -> Pattern:
    """A pattern of .gitignore: `*` and `?` stay within a name, `**` stands for any folders.

    One with "/" before its end counts from the folder, unless `anywhere` is set; what names a
    folder covers all that lies in it. Raises ValueError for one that says nothing.
    """
    takes_back, written = written.startswith("!"), nfc(written.removeprefix("!"))
    folders_only, body = written.endswith("/"), written.rstrip("/")
    rooted = body.startswith("/") or ("/" in body and not anywhere)
    names = [name for name in body.strip("/").split("/") if name]
    if not names:
        raise ValueError(f"the pattern {written!r} names nothing")
    parts = [] if rooted else ["(?:.*/)?"]
    for place, name in enumerate(names):
        last = place == len(names) - 1
        if name == "**":
            parts.append(".+" if last else "(?:.*/)?")
        else:
            parts.append(_name(name) + ("" if last else "/"))
    expression = f"{''.join(parts)}(?P<below>/.*)?"
    flags = re.IGNORECASE if ignore_case else 0
    return Pattern(re.compile(expression, flags | re.DOTALL), folders_only, takes_back)


def read_patterns(text: str) -> list[Pattern]:
    """The patterns of an ignore file, one a line; blank lines and `# …` say nothing."""
    lines = (line.rstrip() for line in text.splitlines())
    return [compile_pattern(line) for line in lines if line.strip("/! ") and line[0] != "#"]


def matches(pattern: Pattern, path: str, *, is_folder: bool = False) -> bool:
    """Whether a pattern covers a path, or a folder above it."""
    found = pattern.expression.fullmatch(path)
    return found is not None and (not pattern.folders_only or is_folder or bool(found["below"]))


def is_ignored(patterns: Iterable[Pattern], path: str, *, is_folder: bool) -> bool | None:
    """What the last pattern that covers a path says of it; None if none does."""
    said = None
    for pattern in patterns:
        if matches(pattern, path, is_folder=is_folder):
            said = not pattern.takes_back
    return said


def _name(name: str) -> str:
    """A name of a pattern as a regular expression."""
    out, place = [], 0
    while place < len(name):
        letter = name[place]
        place += 1
        if letter == "*":
            out.append("[^/]*")
        elif letter == "?":
            out.append("[^/]")
        elif letter == "\\" and place < len(name):
            out.append(re.escape(name[place]))
            place += 1
        elif letter == "[" and (end := name.find("]", place + 1)) > 0:
            inside = name[place:end].replace("\\", "\\\\").replace("[", "\\[")
            inside = f"^{inside[1:]}" if inside[0] in "!^" else inside
            out.append(f"(?!/)[{inside}]")
            place = end + 1
        else:
            out.append(re.escape(letter))
    return "".join(out)
