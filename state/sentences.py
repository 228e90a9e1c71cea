"""Sentences of a text with their character offsets, so that a quote can be pointed at."""

import re
from collections.abc import Iterator
from typing import NamedTuple

_LINE_OPENS_BLOCK = re.compile(r"[ \t]*(?:#{1,6} |[-*+•] |\d{1,3}[.)] |\||>|```)")
_MARKER = re.compile(r"[ \t]*(?:(?:#{1,6}|[-*+•]|\d{1,3}[.)]|>)[ \t]+)+")
_TABLE_RULE = re.compile(r"[ \t]*\|?[ \t:|-]*-{2,}[ \t:|-]*$")
_STOP = re.compile(r"(?:[.!?…]+[\"'”’)\]]*(?=\s|$)|[。！？]+)")
_ABBREVIATION = re.compile(
    r"(?:^|[\s(])(?:TP|Tp|Mr|Mrs|Ms|Dr|Prof|Sr|Jr|St|No|vs|e\.g|i\.e|cf|etc|Inc|Ltd|Co|"
    r"ThS|TS|PGS|GS|BS|Q|P|[A-ZĐ])\.$"
)


class Sentence(NamedTuple):
    """A sentence and the half-open span [start, end) of characters it takes in its text."""

    text: str
    start: int
    end: int


def sentences(text: str) -> list[Sentence]:
    """The sentences, list items, headings and table rows of a (Markdown) text, in order.

    Every result satisfies ``text[s.start:s.end] == s.text``; list and heading markers are
    left out, a table row is one sentence, a hard-wrapped paragraph is not cut at line ends.
    """
    found: list[Sentence] = []
    for start, end in _blocks(text):
        found.extend(_split_block(text, start, end))
    return found


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    """Spans of paragraphs, list items, headings and rows."""
    start: int | None = None
    position = end = 0
    for line in text.splitlines(keepends=True):
        length = len(line.rstrip("\r\n"))
        opens = bool(_LINE_OPENS_BLOCK.match(line))
        if start is not None and (not line.strip() or opens):
            yield start, end
            start = None
        if line.strip() and not _TABLE_RULE.match(line.rstrip()):
            start = position if start is None else start
            end = position + length
            if line.lstrip().startswith(("#", "|")):
                yield start, end
                start = None
        position += len(line)
    if start is not None:
        yield start, end


def _split_block(text: str, start: int, end: int) -> Iterator[Sentence]:
    marker = _MARKER.match(text, start, end)
    start = marker.end() if marker else start
    if text[start:end].lstrip().startswith("|"):
        yield from _trimmed(text, start, end)
        return
    opening = start
    for stop in _STOP.finditer(text, start, end):
        if _ABBREVIATION.search(text, max(start, stop.end() - 12), stop.end()):
            continue
        yield from _trimmed(text, opening, stop.end())
        opening = stop.end()
    yield from _trimmed(text, opening, end)


def _trimmed(text: str, start: int, end: int) -> Iterator[Sentence]:
    piece = text[start:end]
    start += len(piece) - len(piece.lstrip())
    stripped = piece.strip()
    if any(letter.isalnum() for letter in stripped):
        yield Sentence(stripped, start, start + len(stripped))
