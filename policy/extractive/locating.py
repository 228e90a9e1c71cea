"""Where in a sentence the words of a question stand."""

import re

from policy.extractive.naming import part_of
from policy.language.questions import Ask
from policy.language.relations import RELATIONS
from policy.language.wording import holds, pattern, typed_bare
from state.text import comparable

_COPULA = re.compile(
    r"(?<!\w)(?:là|gồm|bao gồm|is|was|are|were|means|amounts to|consists of|includes?)(?!\w)|: ",
    re.IGNORECASE,
)


def relation_places(ask: Ask, text: str) -> list[tuple[int, int]]:
    """Start and end of every word that expresses a relation of the question."""
    places: list[tuple[int, int]] = []
    for name in ask.relations:
        words = pattern(rf"(?<!\w)(?:{RELATIONS[name]})(?!\w)")
        places.extend(found.span() for found in words.finditer(text))
    return places


def distance(start: int, end: int, places: list[tuple[int, int]]) -> int:
    """Characters between a span and the nearest of some places; 60 where there are none."""
    gaps = [min(abs(start - right), abs(left - end)) for left, right in places]
    return min(gaps, default=60)


def in_question(ask: Ask, name: str) -> bool:
    """Whether a name is one that the question holds already."""
    named = (anchor for anchor in ask.anchors if not anchor.isdigit())
    if not typed_bare(ask.text) and not typed_bare(name):
        words = set(comparable(name).split())
        shared = (set(comparable(anchor).split()) for anchor in named)
        return any(words <= one or one <= words for one in shared) or comparable(
            name
        ) in comparable(ask.text)
    return any(part_of(name, one) or part_of(one, name) for one in named) or holds(name, ask.text)


def after_copula(ask: Ask, text: str) -> str:
    """What stands after "là", "is" or ":", if the words before it are those of the question."""
    found = _COPULA.search(text)
    if found and (
        any(holds(word, text[: found.start()]) for word in (*ask.anchors, *ask.terms))
        or any(left < found.start() for left, _ in relation_places(ask, text))
    ):
        clause = text[found.end() :].strip(" .;")
        if clause:
            return clause
    return text.strip(" .;")
