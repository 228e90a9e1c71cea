"""Printing text that others wrote: no markup, no terminal escapes, wrapped to the window."""

import json
import re
import shlex
from pathlib import Path
from typing import Any

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

_SEQUENCES = re.compile(
    "(?:\x1b\\[|\x9b)[0-?]*[ -/]*[@-~]"  # colours, cursor
    "|\x1b[\\]P^_X][^\x07\x1b\n]*(?:\x07|\x1b\\\\)"  # titles, links
)
_REORDERING = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_UNSEEN = re.compile(f"[\x00-\x08\x0b-\x1f\x7f-\x9f{_REORDERING}\ufeff]")
_UNSAFE_IN_JSON = re.compile(f"[\x7f-\x9f{_REORDERING}\u2028\u2029\ud800-\udfff]")
_COMMAND = re.compile("(^|`|; )groundhop (?!--home )")
_NARROWEST = 20


def printable(text: str) -> str:
    """The text without what would steer a terminal or reorder its letters; \\n and \\t stay."""
    valid = text.encode("utf-8", "replace").decode("utf-8").replace("\r\n", "\n")
    return _UNSEEN.sub("", _SEQUENCES.sub("", valid))


def one_line(text: str, limit: int = 200) -> str:
    """Printable text on one line, cut after `limit` characters."""
    line = " ".join(printable(text).split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def count(number: int, noun: str) -> str:
    """ "1 file", "2 files"."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def quoted(argument: str) -> str:
    """An argument as a shell takes it."""
    return shlex.quote(printable(argument))


def to_json(value: Any) -> str:
    """JSON as people can read it; what would steer a terminal is escaped, so values are exact."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    return _UNSAFE_IN_JSON.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


class _Printer(Console):
    """A console that leaves it to `failures.explained` what a closed pipe means."""

    def on_broken_pipe(self) -> None:
        raise  # noqa: PLE0704  # the BrokenPipeError that is being handled


def out() -> Console:
    """Where answers go."""
    return _Printer(markup=False, highlight=False, emoji=False)


def err() -> Console:
    """Where progress and errors go."""
    return _Printer(stderr=True, markup=False, highlight=False, emoji=False)


def command(home: Path | None, *arguments: str) -> str:
    """A command line of ours for the same data folder."""
    chosen = ["--home", str(home)] if home else []
    return " ".join(["groundhop", *(quoted(one) for one in [*chosen, *arguments])])


def in_home(home: Path | None, text: str) -> str:
    """The text with our commands in it (`groundhop …`) made for the same data folder."""
    return _COMMAND.sub(lambda found: found[1] + command(home) + " ", text) if home else text


def say(console: Console, text: str, *, style: str = "") -> None:
    """Print one line, not wrapped: an error or a command stays whole for copying and searching."""
    console.print(Text(printable(text).replace("\n", " "), style=style), soft_wrap=True)


def show(console: Console, text: str, *, lead: str = "", style: str = "") -> None:
    """Print text after `lead`, wrapped so that all its lines begin where the first does."""
    indent = cell_len(lead)
    body = Text(printable(text), style=style)
    width = max(_NARROWEST, console.width - indent)
    for number, line in enumerate(body.wrap(console, width)):
        line.rstrip()
        start = Text(" " * indent if number else lead, style=style)
        console.print(start.append_text(line), soft_wrap=True)
