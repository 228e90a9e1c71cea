"""Sentences of a text with their character offsets, so that a quote can be pointed at."""

import re
from collections.abc import Iterator
from typing import NamedTuple

_LINE_OPENS_BLOCK = re.compile(r"[ \t]*(?:#{1,6} |[-*+•] |\d{1,3}[.)] |\||>|```)")
_MARKER = re.compile(r"[ \t]*(?:(?:#{1,6}|[-*+•]|\d{1,3}[.)]|>)[ \t]+)+")
_STOP = re.compile(r"(?:(?<![.!?…])[.!?…]++[\"'”’)\]]*(?=\s|$)|[。！？]+)")
_ABBREVIATION = re.compile(
    r"(?:^|[\s(])(?:TP|Tp|Hon|Rev|Mr|Mrs|Ms|Dr|Prof|Sr|Jr|St|No|vs?|e\.g|i\.e|cf"
    r"|Inc|Ltd|Co|ThS|TS|PGS|GS|BS|Q|P|(?:[A-ZĐ]\.)*[A-ZĐ])\.$"
)
_BEFORE_A_YEAR = re.compile(r"(?:^|[\s(])(?:c|ca)\.$")
_BEFORE_A_NUMBER = re.compile(r"(?:^|[\s(])[Nn]os?\.$")
_MONTH = re.compile(r"(?:^|[\s(])(?:Jan|Feb|Apr|Aug|Sept|Oct|Nov|Dec)\.$")
_ENDS_OFTEN = re.compile(r"(?:^|[\s(])(?:[AP]\.M|U\.[SK]|[BM]\.[A-Z]|M\.B\.A|Ph\.D)\.$")
_OPENS_A_SENTENCE = re.compile(
    r"\s+(?:The|This|That|These|Those|A|An|It|He|She|We|You|They|In|On|At|All|Each|Every|No|If"
    r"|When|For|From|After|Before|Please|Employees|Staff|Managers)\b"
)
_MAY_GO_ON = re.compile(r"(?:\bv\.v\.|\betc\.|\.\.\.|…)$")
_RULE_CHARACTERS = frozenset("|-=: \t")


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
        rule = _is_rule(line)
        if start is not None and (not line.strip() or opens or rule):
            yield start, end
            start = None
        if line.strip() and not rule:
            start = position if start is None else start
            end = position + length
            if line.lstrip().startswith(("#", "|")):
                yield start, end
                start = None
        position += len(line)
    if start is not None:
        yield start, end


def _is_rule(line: str) -> bool:
    """Whether a line only draws: under a table's header or a heading, or between parts."""
    line = line.strip()
    return ("--" in line or "==" in line) and _RULE_CHARACTERS.issuperset(line)


def _split_block(text: str, start: int, end: int) -> Iterator[Sentence]:
    marker = _MARKER.match(text, start, end)
    start = marker.end() if marker else start
    if text[start:end].lstrip().startswith("|"):
        yield from _trimmed(text, start, end)
        return
    opening = start
    for stop in _STOP.finditer(text, start, end):
        if goes_on(text, stop.end(), end):
            continue
        yield from _trimmed(text, opening, stop.end())
        opening = stop.end()
    yield from _trimmed(text, opening, end)


def goes_on(text: str, stop: int, end: int) -> bool:
    """Whether the mark before `stop` belongs to an abbreviation, or to a pause in a sentence.

    `end` is where the text ends that may go on.
    """
    window = max(0, stop - 12)
    if _ENDS_OFTEN.search(text, window, stop) and _OPENS_A_SENTENCE.match(text, stop, end):
        return False
    if _ABBREVIATION.search(text, window, stop):
        return True
    following = text[stop : min(end, stop + 12)].lstrip()[:1]
    if _BEFORE_A_YEAR.search(text, window, stop):
        return re.match(r"\s*\d{3,4}(?!\d)", text[stop:end]) is not None
    if _BEFORE_A_NUMBER.search(text, window, stop):
        return following.isdigit()
    if _MONTH.search(text, window, stop):
        return re.match(r"\s*\d{1,2}(?:,|(?= \d{4})|[.;)])|\s*\d{4}", text[stop:end]) is not None
    return following.islower() and _MAY_GO_ON.search(text, window, stop) is not None


def _trimmed(text: str, start: int, end: int) -> Iterator[Sentence]:
    piece = text[start:end]
    start += len(piece) - len(piece.lstrip())
    stripped = piece.strip()
    if any(letter.isalnum() for letter in stripped):
        yield Sentence(stripped, start, start + len(stripped))
