"""Extracted text → chunks that follow its structure.

The blocks of one section are packed up to `TARGET` words; a longer paragraph is cut at
sentence ends, list items and table rows stay whole, and whatever exceeds `MAXIMUM` alone is
cut between words. A word is what stands between spaces (in Vietnamese, a syllable).
"""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from ingest.loaders import Extracted
from ingest.markdown import Block, Span
from retrieval.catalogue import Chunk
from state.sentences import sentences

TARGET = 180
MAXIMUM = 260
_SMALL_REST = 40
_LONGEST_HEADER = 80
_WORD = re.compile(
    "[\u3040-\u30ff\u3400-\u9fff]{1,2}|[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]{1,4}"
    r"|[^\s|\u3040-\u30ff\u3400-\u9fff\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]{1,24}"
)
"""A word; scripts without spaces and endless strings count by characters."""


@dataclass(frozen=True)
class _Unit:
    """Characters that stay together; one that `sticks` does not end a chunk if it can help it."""

    start: int
    end: int
    sticks: bool = False
    header: Span | None = None


@dataclass
class _Section:
    """Headings above (text, offset or None if it is not in the text) and what stands below."""

    path: list[tuple[str, int | None]]
    units: list[_Unit] = field(default_factory=list)


def chunk(document_id: str, extracted: Extracted) -> list[Chunk]:
    """The chunks of a document, in order.

    For each of them ``extracted.text[c.start:c.end] == c.text``. The heading path begins with
    the title; `prefix` holds the part of it that the chunk's own text does not show, and the
    header rows above a piece of a table.
    """
    text = extracted.text
    found: list[Chunk] = []
    for section in _sections(text, extracted.title, extracted.blocks):
        for units in _pack(text, section.units):
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
                    prefix=_prefix(text, section, units[0], end),
                )
            )
    return found


def words(text: str) -> int:
    """The length of a text in words."""
    return len(_WORD.findall(text))


def _chunk_id(document_id: str, ordinal: int, passage: str) -> str:
    key = f"{document_id}\n{ordinal}\n{passage}"
    return hashlib.sha256(key.encode()).hexdigest()[:32]


def _prefix(text: str, section: _Section, first: _Unit, end: int) -> str:
    unseen = [
        name for name, offset in section.path if offset is None or not first.start <= offset < end
    ]
    lines = [" > ".join(unseen)] if unseen else []
    if first.header:
        start, stop = _trimmed(text, *first.header)
        lines.append(text[start:stop])
    return "\n".join(lines)


def _sections(text: str, title: str, blocks: list[Block]) -> Iterator[_Section]:
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
        section.units.extend(_units(text, block, following))
    if section.units:
        yield section


def _path(title: str, above: list[Block]) -> list[tuple[str, int | None]]:
    headings: list[tuple[str, int | None]] = [(one.title, one.start) for one in above if one.title]
    if headings and headings[0][0] == title:
        return headings
    return [(title, None), *headings]


def _units(text: str, block: Block, following: Block | None) -> Iterator[_Unit]:
    """A block as units of at most `MAXIMUM` words."""
    if block.kind == "table" and block.header:
        short = words(text[slice(*block.header)]) <= _LONGEST_HEADER
        yield from _cut(text, _Unit(*block.header, sticks=short))
        for row in block.parts:
            yield from _cut(text, _Unit(*row, header=block.header if short else None))
        return
    whole = text[block.start : block.end]
    if block.kind == "list" or (block.parts and words(whole) > MAXIMUM):
        for part in block.parts:
            yield from _cut(text, _Unit(*part))
        return
    introduces = following is not None and following.kind in ("list", "table")
    sticks = block.kind == "heading" or (introduces and whole.rstrip().endswith((":", "：")))
    yield from _cut(text, _Unit(block.start, block.end, sticks=sticks))


def _cut(text: str, unit: _Unit) -> Iterator[_Unit]:
    """The unit itself, or if it is too long its sentences, cut between words where needed."""
    if words(text[unit.start : unit.end]) <= MAXIMUM:
        yield unit
        return
    for start, end in _sentence_spans(text, unit.start, unit.end):
        if words(text[start:end]) <= MAXIMUM:
            yield _Unit(start, end, header=unit.header)
            continue
        opening = [found.start() for found in _WORD.finditer(text, start, end)][::TARGET]
        for first, last in zip([start, *opening[1:]], [*opening[1:], end], strict=True):
            yield _Unit(first, last, header=unit.header)


def _sentence_spans(text: str, start: int, end: int) -> Iterator[Span]:
    """Spans from one sentence's start to the next one's: nothing is left out."""
    opening = [start + one.start for one in sentences(text[start:end])][1:]
    yield from zip([start, *opening], [*opening, end], strict=True)


def _pack(text: str, units: list[_Unit]) -> list[list[_Unit]]:
    """Units grouped into chunks."""
    groups: list[list[_Unit]] = []
    current: list[_Unit] = []
    for unit in units:
        limit = MAXIMUM if all(one.sticks for one in current) else TARGET
        if current and words(text[current[0].start : unit.end]) > limit:
            kept, tail = _loose_end(current)
            if not kept or (tail and words(text[tail[0].start : unit.end]) > MAXIMUM):
                kept, tail = current, []
            groups.append(kept)
            current = tail
        current = [*current, unit]
    if current:
        groups.append(current)
    return _without_small_rest(text, groups)


def _loose_end(units: list[_Unit]) -> tuple[list[_Unit], list[_Unit]]:
    """The units, and those at their end that belong to what follows."""
    cut = len(units)
    while cut and units[cut - 1].sticks:
        cut -= 1
    return units[:cut], units[cut:]


def _without_small_rest(text: str, groups: list[list[_Unit]]) -> list[list[_Unit]]:
    if len(groups) < 2:
        return groups
    *before, last, rest = groups
    small = words(text[rest[0].start : rest[-1].end]) < _SMALL_REST
    if small and words(text[last[0].start : rest[-1].end]) <= MAXIMUM:
        return [*before, [*last, *rest]]
    return groups


def _trimmed(text: str, start: int, end: int) -> Span:
    piece = text[start:end]
    start += len(piece) - len(piece.lstrip())
    return start, start + len(piece.strip())
