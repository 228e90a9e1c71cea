"""Phrases in quotes: words that must stand side by side."""

import re

from retrieval.tokens import tokens
from state.text import comparable, fold_accents, has_accents

_QUOTED = re.compile(r'"([^"]+)"|“([^”]+)”|«([^»]+)»')
_WORD = re.compile(r"\w+")


def phrases(query: str) -> list[str]:
    """What a query puts in double quotes, if it is two words or more."""
    found = ["".join(groups) for groups in _QUOTED.findall(query)]
    return [one for one in found if len(_words(one)) > 1]


def phrase_terms(phrase: str) -> list[str]:
    """Terms of the lexical index that a passage with the phrase holds, whatever its language."""
    folded = [f"~{fold_accents(one)}" for one in tokens(phrase, "en")]
    return list(dict.fromkeys(folded))


def holds_phrase(text: str, phrase: str) -> bool:
    """Whether the words of a phrase stand side by side in a text.

    Case, Unicode form, white space and punctuation are set aside, and accents for a phrase
    that was typed without them.
    """
    if not has_accents(phrase):
        text, phrase = fold_accents(text), fold_accents(phrase)
    return f" {' '.join(_words(phrase))} " in f" {' '.join(_words(text))} "


def _words(text: str) -> list[str]:
    return _WORD.findall(comparable(text))
