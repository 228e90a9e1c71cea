"""Blocks of text put together, with the offsets at which pages begin."""

import re
from collections.abc import Sequence

from state.text import clean

_BLANKS = re.compile(r"\s+")


class Composer:
    """Collects blocks; what they say is cleaned (NFC), so that offsets are final."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self._starts: list[int] = []
        self._waiting = 0

    def new_page(self) -> None:
        """What is added next stands on the next page."""
        self._waiting += 1

    def add(self, block: str, *, joint: str = "\n\n") -> None:
        """Add a block, after `joint` if it is not the first; blank ones are left out."""
        block = clean(block).strip("\n")
        if not block.strip():
            return
        if self._parts:
            self._append(joint)
        self._begin_pages()
        self._append(block)

    def finish(self) -> tuple[str, tuple[int, ...]]:
        """The text and the starts of its pages."""
        self._begin_pages()
        return "".join([*self._parts, "\n" if self._parts else ""]), tuple(self._starts)

    def _begin_pages(self) -> None:
        self._starts.extend([self._length] * self._waiting)
        self._waiting = 0

    def _append(self, part: str) -> None:
        self._parts.append(part)
        self._length += len(part)


def one_line(value: object) -> str:
    """A value on one line; None is "" ."""
    return "" if value is None else _BLANKS.sub(" ", str(value)).strip()


def table_lines(rows: Sequence[Sequence[object]], *, header: bool = True) -> list[str]:
    """A table in Markdown, a line for each row; the first row is its header if `header` is set.

    Rows and columns that are empty throughout are left out.
    """
    cells = [[one_line(value).replace("|", "\\|") for value in row] for row in rows]
    width = max((len(row) for row in cells), default=0)
    padded = [row + [""] * (width - len(row)) for row in cells]
    used = [number for number in range(width) if any(row[number] for row in padded)]
    kept = [[row[number] for number in used] for row in padded if any(row)]
    lines = [f"| {' | '.join(row)} |" for row in kept]
    if header and lines:
        lines.insert(1, f"|{'|'.join(' --- ' for _ in used)}|")
    return lines


def heading(level: int, title: object) -> str:
    """A Markdown heading (level 1 to 6), "" for a blank title."""
    line = one_line(title)
    return f"{'#' * min(max(level, 1), 6)} {line}" if line else ""
