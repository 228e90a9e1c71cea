"""Which of several versions of a text counts: the one in force, or that of the year asked for."""

import re
from collections.abc import Sequence
from typing import NamedTuple, TypeVar

from retrieval.filters import in_force
from retrieval.records import Chunk, Document, search_text
from retrieval.tokens import tokens
from state.text import comparable

_YEAR = re.compile(r"(?<!\d)(?:19|20)\d{2}(?!\d)")
_SHARED_WORDS = 0.5
"""Two passages with so many words in common, of all words of both, are about one matter."""

Item = TypeVar("Item")


class _Standing(NamedTuple):
    """How much a document counts; greater counts more, fields in order."""

    of_the_year: bool
    in_force: bool
    begun: str


def by_version(hits: Sequence[tuple[Item, Chunk, Document]], query: str, day: str) -> list[Item]:
    """The items, those of one matter put in the order in which their versions count.

    `day` is the ISO date at which a document is to be in force. A query that names one year
    asks for the versions of that year instead; one that names several compares them, and
    nothing is moved. Of versions that are both in force the later counts. Passages without a
    version and dates stay where they are, and no passage leaves the places of its matter.
    """
    years = sorted(set(_YEAR.findall(query)))
    dated = [n for n, (_, _, document) in enumerate(hits) if _begins(document) or _ends(document)]
    if len(years) > 1 or len(dated) < 2:
        return [item for item, _, _ in hits]
    year = years[0] if years else ""
    order = list(range(len(hits)))
    for group in _matters(dated, hits):
        best = sorted(group, key=lambda n: _standing(hits[n][2], year, day), reverse=True)
        for place, n in zip(group, best, strict=True):
            order[place] = n
    return [hits[n][0] for n in order]


def _standing(document: Document, year: str, day: str) -> _Standing:
    begun = _begins(document)
    if not year:
        valid = in_force(document, day) and begun <= day
        return _Standing(False, valid, begun if valid else "")
    named = year in _YEAR.findall(document.version)
    overlaps = begun[:4] <= year and (not _ends(document) or year <= _ends(document)[:4])
    return _Standing(named, overlaps, begun if overlaps else "")


def _begins(document: Document) -> str:
    """From when a document holds: its date, else the year of its version."""
    years = _YEAR.findall(document.version)
    return document.effective_from or (f"{years[0]}-01-01" if years else "")


def _ends(document: Document) -> str:
    return document.effective_to


def _matters(dated: Sequence[int], hits: Sequence[tuple[Item, Chunk, Document]]) -> list[list[int]]:
    """Places of passages that say the same in several documents."""
    words = {n: frozenset(tokens(search_text(hits[n][1]), "und")) for n in dated}
    groups: list[list[int]] = []
    for n in dated:
        for group in groups:
            if _one_matter(hits[n], hits[group[0]], words[n], words[group[0]]):
                group.append(n)
                break
        else:
            groups.append([n])
    return [group for group in groups if len(group) > 1]


def _one_matter(
    one: tuple[Item, Chunk, Document],
    other: tuple[Item, Chunk, Document],
    words: frozenset[str],
    others: frozenset[str],
) -> bool:
    if one[2].id == other[2].id:
        return False
    if _name(one) == _name(other):
        return True
    return len(words & others) >= _SHARED_WORDS * len(words | others)


def _name(hit: tuple[Item, Chunk, Document]) -> str:
    """Title and heading without numbers, which tell versions apart."""
    return re.sub(r"\d+", "", comparable(f"{hit[2].title} {hit[1].heading}"))
