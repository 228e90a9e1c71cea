"""Which sources are independent: copies of one text, and what one place says, are one source.

Copies are told by shingles (runs of words). The text of a passage is not kept with a piece of
evidence; a bottom-k sketch of its shingles is (A. Broder, On the resemblance and containment of
documents, 1997), from which the share of common shingles is estimated.
"""

import re
from collections.abc import Sequence
from hashlib import blake2b
from urllib.parse import urlsplit

from state.text import comparable, fold_accents
from state.types import Evidence

_WORDS = re.compile(r"\w+")
_SHINGLE, _KEPT, _BYTES = 4, 16, 4
_COPY = 0.5
"""The estimated share of common shingles from which two passages are copies."""
_QUOTE_SHINGLE, _QUOTE_WORDS, _QUOTE_COPY = 3, 6, 0.8
"""Quotes of so many words are copies if the shorter has so much of its shingles in the other."""


def sketch(text: str) -> str:
    """The smallest hashes of a text's shingles, in hexadecimal: at most 128 characters."""
    hashes = {
        blake2b(" ".join(one).encode(), digest_size=_BYTES).hexdigest()
        for one in _shingles(text, _SHINGLE)
    }
    return "".join(sorted(hashes)[:_KEPT])


def resemblance(one: str, other: str) -> float:
    """The estimated share of common shingles (0 to 1) of two texts, from their sketches."""
    first, second = _hashes(one), _hashes(other)
    smallest = set(sorted(first | second)[:_KEPT])
    return len(smallest & first & second) / len(smallest) if smallest else 0.0


def is_copy(one: Evidence, other: Evidence) -> bool:
    """Whether two pieces of evidence were taken from copies of one text."""
    if one.get("sha256") and one.get("sha256") == other.get("sha256"):
        return True
    if resemblance(one.get("sketch", ""), other.get("sketch", "")) >= _COPY:
        return True
    return _same_words(one["quote"], other["quote"])


def same_source(one: Evidence, other: Evidence) -> bool:
    """Whether two pieces of evidence come from one document, place or text."""
    return _place(one) == _place(other) or is_copy(one, other)


def independent(evidence: Sequence[Evidence]) -> list[list[Evidence]]:
    """The evidence in groups of one source each, in the order of their first pieces."""
    groups: list[list[Evidence]] = []
    for item in evidence:
        own = [group for group in groups if any(same_source(item, one) for one in group)]
        merged = [one for group in own for one in group] + [item]
        groups = [group for group in groups if group not in own]
        groups.append(merged)
    order = {item["id"]: number for number, item in enumerate(evidence)}
    return sorted(groups, key=lambda group: min(order[item["id"]] for item in group))


def _place(item: Evidence) -> str:
    """Who says it: a document, a database, a web site, or the system that a tool belongs to.

    What another system replies may carry any number of names; they are all its own. The tools
    of one MCP server are "server.tool".
    """
    if item.get("kind") != "external":
        return f"document {item['document_id']}"
    try:
        host = urlsplit(item.get("source", "")).hostname
    except ValueError:
        host = None
    host = (host or "").rstrip(".").removeprefix("www.")
    return f"site {host}" if host else f"tool {item.get('tool', '').partition('.')[0]}"


def _same_words(one: str, other: str) -> bool:
    short, long = sorted((_words(one), _words(other)), key=len)
    if len(short) < _QUOTE_WORDS:
        return False
    here = _runs(short, _QUOTE_SHINGLE)
    return len(here & _runs(long, _QUOTE_SHINGLE)) >= _QUOTE_COPY * len(here)


def _shingles(text: str, length: int) -> set[tuple[str, ...]]:
    return _runs(_words(text), length)


def _words(text: str) -> list[str]:
    return _WORDS.findall(fold_accents(comparable(text)))


def _runs(words: Sequence[str], length: int) -> set[tuple[str, ...]]:
    if not words:
        return set()
    last = max(1, len(words) - length + 1)
    return {tuple(words[at : at + length]) for at in range(last)}


def _hashes(sketched: str) -> set[str]:
    width = 2 * _BYTES
    return {sketched[at : at + width] for at in range(0, len(sketched), width)}
