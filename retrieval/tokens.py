"""What the lexical index counts: syllables, words, codes, and pairs of syllables.

Measured on XQuAD: pairs of syllables help Vietnamese (its words are mostly two syllables) and
hurt English, where dropping function words helps instead.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from state.language import Language, detect_language
from state.text import comparable, fold_accents

FOLDED = "~"
"""Opens the tokens of the unaccented field; no token of the accented field can start so."""

_LETTER = r"[\w\u0e31\u0e34-\u0e3a\u0e47-\u0e4e]"
"""A character of a word; vowels and tones of Thai stand above or below one and are no \\w."""

_TOKEN = re.compile(rf"{_LETTER}+(?:[-./:@&]{_LETTER}+|(?<=\d),\d+)*%?")
_PART = re.compile(r"[^\W_]+")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*%?")
_UNSPACED = re.compile("[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]+")

_LONG = 40

ENGLISH_STOP_WORDS = frozenset(
    "a about after all also an and any are as at be been before but by can could did do does "
    "during each for from had has have he her his how i if in into is it its many may more most "
    "much no not of on or our out over s she so some such t than that the their them then there "
    "these they this those to under was we were what when where which while who whom whose why "
    "will with would you your".split()
)


class Item(NamedTuple):
    """What stands between two spaces: its tokens, and the words at its very edges or ""."""

    tokens: tuple[str, ...]
    first: str
    last: str


def tokens(text: str, language: Language | None = None) -> list[str]:
    """The tokens of the accented field, in order, repeats included.

    Case, Unicode form and the place of tone marks are folded. "ERR_4021" gives itself and its
    parts, "12,5%" itself and "12,5"; Vietnamese adds pairs of neighbouring syllables ("hợp
    đồng"), English loses its function words; scripts written without spaces give characters
    and pairs of characters. The language is detected where it is not given.
    """
    language = language or detect_language(text)
    found: list[str] = []
    pairs = language == "vi"
    for line in text.splitlines():
        before = ""
        for written in line.split():
            item = item_of(written, language)
            found.extend(item.tokens)
            if pairs and before and item.first:
                found.append(f"{before} {item.first}")
            before = item.last
    return found


def item_of(written: str, language: Language) -> Item:
    """What stands between two spaces; Vietnamese pairs neighbours at their edges."""
    # A body of text repeats its items, but not those of a script without spaces.
    return (_kept_item if len(written) < _LONG else _item)(written, language)


def codes(text: str) -> frozenset[str]:
    """The tokens that open with a letter and hold a digit ("err_4021"), alike in any language."""
    return frozenset(
        token
        for token in tokens(text, "und")
        if token[0].isalpha() and any(letter.isdigit() for letter in token)
    )


def folded(token: str) -> str:
    """The token of the unaccented field that belongs to a token of the accented one."""
    return FOLDED + _bare(token)


@lru_cache(maxsize=200_000)
def _bare(token: str) -> str:
    return fold_accents(token)


@lru_cache(maxsize=200_000)
def _kept_item(written: str, language: Language) -> Item:
    return _item(written, language)


def _item(written: str, language: Language) -> Item:
    text = comparable(written)
    found: list[str] = []
    first = before = ""
    end = -1
    for match in _TOKEN.finditer(text):
        word = match.group(0)
        if language == "en" and word in ENGLISH_STOP_WORDS:
            continue
        if _UNSPACED.search(word):
            found.extend(_characters(word))
            continue
        found.append(word)
        found.extend(_parts(word))
        if language == "vi" and before and text[end : match.start()] == " ":
            found.append(f"{before} {word}")
        if match.start() == 0:
            first = word
        before, end = word, match.end()
    return Item(tuple(found), first, before if end == len(text) else "")


def _parts(word: str) -> Iterator[str]:
    """The pieces by which a code, compound or date is found as well."""
    if _NUMBER.fullmatch(word):
        if word.endswith("%"):
            yield word[:-1]
        return
    parts = _PART.findall(word)
    if len(parts) > 1:
        yield from parts


def _characters(word: str) -> Iterator[str]:
    for run in _UNSPACED.findall(word):
        yield from filter(str.isalnum, run)
        yield from (run[place : place + 2] for place in range(len(run) - 1))
    yield from _PART.findall(_UNSPACED.sub(" ", word))
