"""One page of a PDF → its lines and tables from top to bottom, column by column."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ingest.formats.composing import one_line

if TYPE_CHECKING:
    from pdfplumber.page import Page as LaidOut

_LEAST_EDGES = 4
_LEAST_LINES = 12
_GUTTER = 8.0
"""Points of white between two columns."""
_WORDS_IN_COLUMN = 3.0
"""Words in a line of running text, on average at least; a table without rules has fewer."""


@dataclass(frozen=True)
class Line:
    """A line of text; places in points from the top left, `size` that of most letters."""

    text: str
    left: float
    right: float
    top: float
    bottom: float
    size: float
    bold: bool
    column: int = 0


@dataclass(frozen=True)
class Table:
    """A table with rules; `rows` of cells as text."""

    rows: list[list[str]]
    top: float
    bottom: float


@dataclass
class Page:
    """What stands on a page, in reading order; `height` in points."""

    height: float
    items: list[Line | Table] = field(default_factory=list)


def read_page(page: "LaidOut") -> Page:
    """The items of a page; words inside a table are in the table only."""
    boxes, tables = [], []
    if len(page.edges) >= _LEAST_EDGES:
        for found in page.find_tables():
            rows = [[one_line(cell) for cell in row] for row in found.extract()]
            if max(map(len, rows), default=0) > 1 and any(any(row) for row in rows):
                boxes.append(found.bbox)
                tables.append(Table(rows, found.bbox[1], found.bbox[3]))
    words = [word for word in _words(page) if not any(_inside(word, box) for box in boxes)]
    return Page(float(page.height), _merged(list(_lines(words, page.width)), tables))


def _words(page: "LaidOut") -> list[dict[str, Any]]:
    return page.extract_words(
        x_tolerance_ratio=0.15, keep_blank_chars=False, return_chars=True, use_text_flow=False
    )


def _inside(word: dict[str, Any], box: tuple[float, float, float, float]) -> bool:
    x, y = (word["x0"] + word["x1"]) / 2, (word["top"] + word["bottom"]) / 2
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]


def _merged(lines: list[Line], tables: list[Table]) -> list[Line | Table]:
    """Each table before the first line below it that follows one above it, or at the end."""
    items: list[Line | Table] = list(lines)
    for table in tables:
        place = next((n for n, item in enumerate(items) if item.top >= table.bottom), len(items))
        if any(item.top < table.top for item in items[place:]):  # a second column goes on above
            above = [n for n, item in enumerate(items) if item.bottom <= table.top]
            place = above[-1] + 1 if above else place
        items.insert(place, table)
    return items


def _lines(words: list[dict[str, Any]], width: float) -> Iterator[Line]:
    rows = _rows(words)
    gutter = _find_gutter(rows, width)
    if gutter is None:
        for row in rows:
            yield _line(row, 0)
        return
    waiting: list[Line] = []
    for row in rows:
        left = [word for word in row if word["x1"] <= gutter]
        right = [word for word in row if word["x0"] >= gutter]
        if len(left) + len(right) < len(row):  # a line over both columns ends what is above
            yield from waiting
            waiting = []
            yield _line(row, 0)
            continue
        if left:
            yield _line(left, 1)
        if right:
            waiting.append(_line(right, 2))
    yield from waiting


def _rows(words: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """The words by line, each line from left to right."""
    rows: list[list[dict[str, Any]]] = []
    middle = 0.0
    for word in sorted(words, key=lambda one: ((one["top"] + one["bottom"]) / 2, one["x0"])):
        centre = (word["top"] + word["bottom"]) / 2
        if rows and abs(centre - middle) <= 0.4 * (word["bottom"] - word["top"]):
            rows[-1].append(word)
        else:
            rows.append([word])
            middle = centre
    return [sorted(row, key=lambda one: one["x0"]) for row in rows]


def _find_gutter(rows: list[list[dict[str, Any]]], width: float) -> float | None:
    """The middle of the white strip between two columns of running text, if there is one."""
    if len(rows) < _LEAST_LINES:
        return None
    covered = [0] * (int(width) + 2)
    for row in rows:
        for word in row:
            for x in range(max(0, int(word["x0"])), min(int(width), int(word["x1"])) + 1):
                covered[x] += 1
    allowed = len(rows) // 8
    best, run = (0, 0), 0
    for x in range(int(width * 0.3), int(width * 0.7)):
        run = run + 1 if covered[x] <= allowed else 0
        best = max(best, (run, x))
    if best[0] < _GUTTER:
        return None
    gutter = best[1] - best[0] / 2
    sides = [[word for word in row if word["x1"] <= gutter] for row in rows]
    others = [[word for word in row if word["x0"] >= gutter] for row in rows]
    for side in (sides, others):
        filled = [len(row) for row in side if row]
        if len(filled) < len(rows) * 0.4 or sum(filled) / len(filled) < _WORDS_IN_COLUMN:
            return None
    return gutter


def _line(words: list[dict[str, Any]], column: int) -> Line:
    letters = [letter for word in words for letter in word["chars"]]
    sizes = Counter(round(letter["size"] * 2) / 2 for letter in letters)
    bold = sum("bold" in letter["fontname"].lower() for letter in letters)
    return Line(
        text=" ".join(word["text"] for word in words),
        left=words[0]["x0"],
        right=words[-1]["x1"],
        top=min(word["top"] for word in words),
        bottom=max(word["bottom"] for word in words),
        size=sizes.most_common(1)[0][0],
        bold=bold > 0.9 * len(letters),
        column=column,
    )
