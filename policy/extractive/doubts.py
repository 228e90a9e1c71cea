"""What speaks for and against a sentence beyond its features."""

import re

from policy.extractive.calibration import SURE, Features
from policy.extractive.locating import relation_places
from policy.extractive.objections import holds_anchor, is_soft, mentions
from policy.language.questions import TYPED, Ask
from policy.language.relations import UNNAMED, relations
from policy.language.wording import FOLDED_STOP_WORDS, STOP_WORDS, bare, holds, seek, typed_bare
from policy.support import SentenceSupport
from state.text import comparable

_WORD = re.compile(r"\w{2,}")
_PRONOUN = re.compile(
    r"^(?:it|its|he|she|his|her|they|their|this|that|the|these|nó|họ|anh|chị|ông|bà|cô|dự án này"
    r"|người này|quy định này)\b", re.IGNORECASE,
)  # fmt: skip
_DEEDS = frozenset(
    "found lead chair fund award born die study own replace approve write develop employ compose"
    " perform act".split()
)
"""What people and organisations do to a thing: who did one of it, did not thereby do another."""

_KIN = frozenset("parent grandparent marry".split())
"""What people are to each other, where a person is asked for."""

_EVENTS = frozenset("found born die study own replace employ marry end".split())
"""What a column must name: a year alone does not say of which of them it is."""


_LIFE = frozenset({"born", "die", "marry"})
"""What a rule may be for: leave for a wedding is none for a funeral."""


def _is_other_end(asked: frozenset[str], told: frozenset[str]) -> bool:
    """Whether the end of something is asked for and only its beginning told, or the reverse."""
    ends = frozenset({"start", "end"})
    return len(asked & ends) == 1 and bool(told & ends) and not told & asked & ends


def unrelated_row(ask: Ask, words: str) -> bool:
    """Whether an event is asked for and neither a row nor its header names it."""
    asked = ask.relations & _EVENTS
    return ask.kind == "date" and bool(asked) and not relations(words) & ask.relations


def other_deed(ask: Ask, words: str) -> bool:
    """Whether somebody is asked for and the sentence tells only who did something else."""
    told = relations(words)
    if ask.kind in TYPED and _leaves_out(ask, told):
        return True
    if ask.kind == "date" and _is_other_end(ask.relations, told):
        return True
    if ask.kind == "date" and ask.relations & _EVENTS:
        return bool(told & _EVENTS) and not told & ask.relations
    life = ask.relations & _LIFE
    if ask.kind == "number" and life and told & _LIFE and not told & life:
        return True
    if ask.kind not in ("name", "place"):
        return False
    deeds = _DEEDS | _KIN if ask.kind == "name" else _DEEDS
    return bool(ask.relations & deeds and told & deeds) and not told & ask.relations


def _leaves_out(ask: Ask, told: frozenset[str]) -> bool:
    """Whether two deeds are asked about and a sentence tells of one of them at most."""
    deeds = [one & _DEEDS for one in _asked_relations(ask) if one & _DEEDS]
    several = any(not one & other for one in deeds for other in deeds)
    return several and not all(one & told for one in deeds)


def _asked_relations(ask: Ask) -> list[frozenset[str]]:
    """The relations of each relation word of a question, names aside."""
    text = ask.text
    for name in ask.anchors:
        text = text.replace(name, " ")
    asked = [relations(text[start:end]) - UNNAMED for start, end in relation_places(ask, text)]
    return [one for one in asked if one]


def of_other_part(quote: str, question: str, other: str) -> bool:
    """Whether a sentence holds words of another part of the question and none of this one alone.

    "The prize for the best paper went to …" tells nothing of the best demonstration. The words
    of a row may stand in its header, so that a row is never taken for another part's.
    """
    fold = bare if typed_bare(question) or typed_bare(quote) else comparable
    own, beside, told = (set(_WORD.findall(fold(one))) for one in (question, other, quote))
    stop = FOLDED_STOP_WORDS if fold is bare else STOP_WORDS
    own_alone, beside_alone = own - beside - stop, beside - own - stop
    if quote.startswith("|") or not own_alone or not beside_alone or told & own_alone:
        return False
    return 2 * len(told & beside_alone) >= len(beside_alone)


def _states_each(ask: Ask, told: frozenset[str]) -> bool:
    """Whether every relation word of a question has its like among the told relations.

    "Who founded the body that awarded it" is not answered by who awarded it.
    """
    asked = _asked_relations(ask)
    return bool(asked) and all(one & told for one in asked)


_POST = r"(?<!\w)(?:giám đốc|hiệu trưởng|chủ tịch|rector|director|president|dean|mayor|ceo)(?!\w)"


def states_it(ask: Ask, about: str, features: Features, words: str) -> bool:
    """Whether a sentence about what is asked for holds the relation and an answer of the type.

    `about` is what its section is about: the headings and the sentence that opens it.
    """
    named = [one for one in ask.anchors if not one.isdigit()]
    post = seek(_POST, ask.text)
    return (
        ask.kind in (*TYPED, "thing")
        and bool(named)
        and all(holds_anchor(about, one, ask) and not is_soft(one, ask) for one in named)
        and (post is None or holds(post[0], words))
        and _states_each(ask, relations(words))
        and features.fit >= SURE
        and not features.conflict
    )


def leans_on(ask: Ask, sentence: SentenceSupport, before: SentenceSupport) -> bool:
    """Whether a sentence refers back to one that names what is asked about."""
    return (
        _PRONOUN.match(sentence.text) is not None
        and sentence.start - before.end <= 2
        and any(
            mentions(before.text, one, ask) and not mentions(sentence.text, one, ask)
            for one in ask.anchors
            if not is_soft(one, ask)
        )
    )
