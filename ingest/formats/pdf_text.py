"""Lines and tables of a PDF's pages → one Markdown text that goes on over page ends."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ingest.formats.composing import Composer, heading, table_lines
from ingest.formats.pdf_page import Line, Page, Table
from state.text import comparable, nfc

_LARGER = 1.12
"""A heading's letters are this much larger than those of the text."""
_LONGEST_HEADING = 150
_BULLET = re.compile(r"^[•▪●○◦■□–\uf0b7\uf0a7]\s*")
_ITEM = re.compile(r"^(?:[-*]|\(?\d{1,3}[.)]|\(?[a-zđ][.)])\s")
_SENTENCE_END = re.compile(r"[.!?:;…。！？][\"'”’)\]]*$")
_LIGATURES = {
    ord(one): both for one, both in zip("ﬀﬁﬂﬃﬄﬅﬆ", "ff fi fl ffi ffl ft st".split(), strict=True)
}
_WORD = re.compile(r"\w+(?:-\w+)*")
_MARGIN = 0.1
"""The part of a page's height at its top, and at its bottom, where furniture stands."""
_NUMBER_WORDS = 16
"""Letters that stand beside a page number at most ("Trang 3 trên 12")."""
_SHORT = 0.8
"""A last line of a paragraph ends before this part of the width of its column."""


@dataclass(frozen=True)
class Entry:
    """A bookmark: the number of its page from 0, its level from 1, its title."""

    page: int
    level: int
    title: str


@dataclass
class _Paragraph:
    """Lines that belong together, and the page (from 0) on which each of them stands."""

    lines: list[Line]
    pages: list[int]
    level: int = 0


def compose(pages: Sequence[Page], outline: Sequence[Entry]) -> tuple[str, tuple[int, ...]]:
    """The text of all pages and the offset at which each of them begins."""
    pages = _without_furniture(pages)
    blocks = list(_blocks(pages, _levels(pages, outline)))
    known = Counter(
        word for page in pages for one in page.items if isinstance(one, Line)
        for word in _WORD.findall(one.text)
    )  # fmt: skip
    composer = Composer()
    current = -1
    for block in blocks:
        current = _add(composer, block, current, known)
    for _ in range(current + 1, len(pages)):
        composer.new_page()
    return composer.finish()


def _add(
    composer: Composer,
    block: "_Paragraph | list[tuple[int, str]]",
    current: int,
    known: Counter[str],
) -> int:
    """Add a paragraph, or the rows of a table with their pages; the page on which it ends."""
    if isinstance(block, list):
        pieces, joints = block, ["\n"] * len(block)
    elif block.level:
        title = heading(block.level, " ".join(_tidied(line.text) for line in block.lines))
        pieces, joints = [(block.pages[0], title)], [""]
    else:
        pieces, joints = _joined(block, known)
    for number, ((page, piece), joint) in enumerate(zip(pieces, joints, strict=True)):
        while current < page:
            composer.new_page()
            current += 1
        composer.add(piece, joint=joint if number else "\n\n")
    return current


def _joined(block: _Paragraph, known: Counter[str]) -> tuple[list[tuple[int, str]], list[str]]:
    """The lines of a paragraph as one, apart where a page ends; a word cut in two is whole."""
    pieces: list[tuple[int, str]] = []
    joints: list[str] = []
    for line, page in zip(block.lines, block.pages, strict=True):
        text = _tidied(line.text)
        if not pieces:
            pieces, joints = [(page, text)], [""]
            continue
        before = pieces[-1][1]
        joint = " "
        if before.endswith("\u00ad") or (re.search(r"\w-$", before) and text[:1].islower()):
            first, rest = _WORD.findall(before[:-1])[-1:], _WORD.findall(text)[:1]
            halves = "-".join(first + rest)
            hyphen = known[halves] > known["".join(first + rest)]
            before, joint = before[:-1], "-" if hyphen and before.endswith("-") else ""
        if pieces[-1][0] == page:
            pieces[-1] = (page, f"{before}{joint}{text}")
        else:
            pieces[-1] = (pieces[-1][0], before)
            pieces.append((page, text))
            joints.append(joint)
    return pieces, joints


def _tidied(text: str) -> str:
    """Ligatures as letters, bullets as those of Markdown, no unprintable letters."""
    return nfc(_BULLET.sub("- ", text.translate(_LIGATURES)).replace("\x00", ""))


def _blocks(
    pages: Sequence[Page], levels: dict[tuple[int, int], int]
) -> Iterator["_Paragraph | list[tuple[int, str]]"]:
    """Paragraphs, headings and tables in order; what goes on over a page end is one block."""
    waiting: _Paragraph | list[tuple[int, Table]] | None = None
    for number, page in enumerate(pages):
        width = _widths(page)
        for place, item in enumerate(page.items):
            if isinstance(item, Table):
                if isinstance(waiting, list) and _goes_on(waiting[-1], (number, item)):
                    waiting.append((number, item))
                    continue
                yield from _finished(waiting)
                waiting = [(number, item)]
                continue
            level = levels.get((number, place), 0)
            if isinstance(waiting, _Paragraph) and _continues(waiting, item, level, number, width):
                waiting.lines.append(item)
                waiting.pages.append(number)
                continue
            yield from _finished(waiting)
            waiting = _Paragraph([item], [number], level)
    yield from _finished(waiting)


def _finished(
    block: "_Paragraph | list[tuple[int, Table]] | None",
) -> Iterator["_Paragraph | list[tuple[int, str]]"]:
    if isinstance(block, _Paragraph):
        if any(letter.isalnum() for line in block.lines for letter in line.text):
            yield block
    elif block:
        yield _table(block)


def _table(parts: list[tuple[int, Table]]) -> list[tuple[int, str]]:
    """The lines of a table with their pages; a header that each page repeats stands once."""
    header = parts[0][1].rows[0]
    rows, pages = [], []
    for number, (page, part) in enumerate(parts):
        again = number > 0 and part.rows[0] == header
        kept = [row for row in part.rows[int(again) :] if any(row)]
        rows.extend(kept)
        pages.extend([page] * len(kept))
    lines = table_lines(rows)
    return list(zip([pages[0], *pages], lines, strict=True)) if lines else []


def _goes_on(before: tuple[int, Table], after: tuple[int, Table]) -> bool:
    """Whether a table is the rest of one that ends the page before; nothing stands between."""
    return after[0] == before[0] + 1 and len(before[1].rows[0]) == len(after[1].rows[0])


def _continues(
    block: _Paragraph, line: Line, level: int, page: int, widths: dict[int, tuple[float, float]]
) -> bool:
    last = block.lines[-1]
    if level != block.level or _ITEM.match(line.text) or _BULLET.match(line.text):
        return False
    if abs(last.size - line.size) > 1:
        return False
    apart = page != block.pages[-1] or line.column != last.column or line.top < last.top
    if apart:
        return not level and not _SENTENCE_END.search(last.text) and line.text[:1].islower()
    if line.top - last.bottom > 0.6 * line.size:
        return False
    left, right = widths.get(line.column, (0.0, 0.0))
    ended = bool(_SENTENCE_END.search(last.text))
    if ended and line.left > left + line.size and last.left <= left + 1:
        return False  # a first line that stands further in
    return bool(level) or not (ended and last.right < left + _SHORT * (right - left))


def _widths(page: Page) -> dict[int, tuple[float, float]]:
    """The left and right end of each column."""
    found: dict[int, tuple[float, float]] = {}
    for item in page.items:
        if isinstance(item, Line):
            left, right = found.get(item.column, (item.left, item.right))
            found[item.column] = (min(left, item.left), max(right, item.right))
    return found


def _levels(pages: Sequence[Page], outline: Sequence[Entry]) -> dict[tuple[int, int], int]:
    """The level of every line that is a heading, by (page, place on it)."""
    found = dict(_outlined(pages, outline))
    return found or dict(_by_letters(pages))


def _outlined(
    pages: Sequence[Page], outline: Sequence[Entry]
) -> Iterator[tuple[tuple[int, int], int]]:
    taken: set[tuple[int, int]] = set()
    for entry in outline:
        if not 0 <= entry.page < len(pages):
            continue
        wanted = comparable(entry.title)
        items = pages[entry.page].items
        for place, item in enumerate(items):
            if not isinstance(item, Line) or (entry.page, place) in taken:
                continue
            run, text = [place], comparable(item.text)
            while len(text) < len(wanted) and wanted.startswith(text) and run[-1] + 1 < len(items):
                following = items[run[-1] + 1]
                if not isinstance(following, Line):
                    break
                run.append(run[-1] + 1)
                text = f"{text} {comparable(following.text)}"
            if text == wanted or (text.endswith(wanted) and len(text) < len(wanted) + 15):
                taken.update((entry.page, one) for one in run)
                yield from (((entry.page, one), min(entry.level, 6)) for one in run)
                break


def _by_letters(pages: Sequence[Page]) -> Iterator[tuple[tuple[int, int], int]]:
    """Short lines in larger letters, the largest of level 1, and then those in bold."""
    lines = [
        ((number, place), item)
        for number, page in enumerate(pages)
        for place, item in enumerate(page.items)
        if isinstance(item, Line)
    ]
    letters: Counter[float] = Counter()
    for _, line in lines:
        letters[line.size] += len(line.text)
    usual = letters.most_common(1)[0][0] if letters else 0.0
    mostly_bold = sum(len(one.text) for _, one in lines if one.bold) > sum(letters.values()) / 3
    candidates = [(key, line) for key, line in lines if _is_short(line)]
    sizes = sorted({one.size for _, one in candidates if one.size >= usual * _LARGER}, reverse=True)
    rank = {size: min(place, 4) for place, size in enumerate(sizes, start=1)}
    for key, line in candidates:
        if line.size in rank:
            yield key, rank[line.size]
        elif line.bold and not mostly_bold and line.size >= usual:
            yield key, min(len(sizes), 4) + 1


def _is_short(line: Line) -> bool:
    letters = sum(one.isalpha() for one in line.text)
    return letters > 1 and len(line.text) <= _LONGEST_HEADING and not line.text.endswith((".", ","))


def _without_furniture(pages: Sequence[Page]) -> list[Page]:
    """The pages without what most of them repeat at top or bottom, and without page numbers."""
    counts = Counter(shape for page in pages for shape in {_shape(one, page) for one in page.items})
    limit = max(3, round(0.6 * sum(bool(page.items) for page in pages)))
    repeated = {shape for shape, times in counts.items() if shape and times >= limit}
    return [
        replace(page, items=[one for one in page.items if _shape(one, page) not in repeated])
        for page in pages
    ]


def _shape(item: Line | Table, page: Page) -> str:
    """A line in the margin of its page, its numbers made alike if it says little else."""
    margin = _MARGIN * page.height
    if isinstance(item, Table) or (item.bottom > margin and item.top < page.height - margin):
        return ""
    text = comparable(item.text)
    counted = re.sub(r"\d+", "#", text)
    return counted if sum(one.isalpha() for one in counted) <= _NUMBER_WORDS else text
