"""Comparing what was answered with what was expected, in Vietnamese and English.

Exact match and F1 are those of SQuAD (Rajpurkar et al., EMNLP 2016): 1 where the normal forms
are equal, and the harmonic mean of token precision and recall; over several accepted forms the
best counts. The normal form is ours: Unicode NFC, case, position of tone marks, punctuation and
separators of thousands are folded. English articles go, but only in answers without accents
that are more than the article: "An" is a Vietnamese name.
"""

import re
from collections import Counter
from collections.abc import Iterable

from state.text import comparable, has_accents

_THOUSANDS = re.compile(r"(?<=\d)[.,\s](?=\d{3}(?!\d))")
_NOT_WORDS = re.compile(r"[^\w%/.:-]+")
_PUNCTUATION = re.compile(r"(?<!\d)[.:/-]|[.:/-](?!\d)")
_ARTICLES = re.compile(r"(?<!\S)(?:a|an|the)(?=\s\S)")


def normal(text: str, lang: str = "") -> str:
    """The normal form that exact match and F1 compare; articles go where `lang` is "en"."""
    folded = _PUNCTUATION.sub(" ", _plain(text))
    if lang == "en" and not has_accents(text):
        folded = _ARTICLES.sub("", folded)
    return " ".join(folded.split())


def exact(given: str, forms: Iterable[str], lang: str = "") -> float:
    """1 if the answer equals one of the accepted forms, else 0."""
    return float(any(normal(given, lang) == normal(form, lang) for form in forms))


def f1(given: str, forms: Iterable[str], lang: str = "") -> float:
    """The best token F1 over the accepted forms, 0 to 1; tokens are syllables or words."""
    return max((_f1(normal(given, lang), normal(form, lang)) for form in forms), default=0.0)


def holds(given: str, form: str) -> bool:
    """Whether `form` stands in `given` as whole words; case, spacing and separators folded."""
    return re.search(rf"(?<!\w){re.escape(_plain(form))}(?!\w)", _plain(given)) is not None


def share_held(given: str, parts: Iterable[Iterable[str]]) -> float:
    """The share of parts of which one accepted form stands in `given`; 1 without parts."""
    held = [any(holds(given, form) for form in forms) for forms in parts]
    return sum(held) / len(held) if held else 1.0


def _f1(given: str, form: str) -> float:
    left, right = Counter(given.split()), Counter(form.split())
    if not left or not right:
        return float(left == right)
    common = (left & right).total()
    return 2 * common / (left.total() + right.total())


def _plain(text: str) -> str:
    folded = _THOUSANDS.sub("", comparable(text))
    return " ".join(_NOT_WORDS.sub(" ", folded).split()).rstrip(".")
