"""The next hop found in the passages: a sentence that tells a part of a question, and whom.

Grammar is not asked. A sentence that holds a stretch of the question's words ("Khách hàng thử
nghiệm đầu tiên của Dự án Sơn Trà là Thủy sản Vàm Nâu.") and names something that the question
does not name leads on: the name takes the place of the stretch, and the rest is the next question
("Thủy sản Vàm Nâu do ai quản lý?").
"""

from collections.abc import Sequence
from dataclasses import dataclass

from policy.extractive.calibration import probabilities
from policy.extractive.entities import Named, entities, suits
from policy.extractive.grading import Finding, judge, readings
from policy.extractive.noun_phrases import lacks_article
from policy.extractive.objections import (
    context_of,
    headings_of,
    holds_sibling,
    is_soft,
    mentions,
    sibling_of,
)
from policy.extractive.stretches import (
    Stretch,
    lacks_verb,
    left_open,
    opens_phrase,
    phrase_of,
    stretch_told,
)
from policy.language.questions import Ask, read
from policy.protocol import PassageView
from policy.support import SentenceSupport, SupportScorer

LEAST_LEAD = 0.15
"""The probability from which a sentence is believed to tell a part of a question."""
_MOST_TRIED = 12
_MOST_LEADS = 6


@dataclass(frozen=True)
class Lead:
    """A sentence that tells a part of a question, whom it names, and what is left to ask.

    `question` is "" where the sentence tells all that was asked.
    """

    passage_id: str
    quote: str
    start: int
    part: str
    name: str
    question: str
    score: float
    context: str = ""


@dataclass(frozen=True)
class _Told:
    passage: PassageView
    sentence: SentenceSupport
    stretch: Stretch
    names: list[Named]


def leads(ask: Ask, passages: Sequence[PassageView], scorer: SupportScorer) -> list[Lead]:
    """The sentences that tell a part of a question and name something new, best first."""
    supports = scorer(ask.text, _pairs(passages))
    told: list[_Told] = []
    for passage, found in zip(passages, readings(ask, passages, supports), strict=True):
        for reading, _ in found:
            text = " ".join((*(reading.row.headers if reading.row else ()), reading.sentence.text))
            stretch = stretch_told(ask, text, context_of(passage))
            names = entities(ask, reading.sentence.text, reading.row, passage)
            headless = reading.row is not None and not any(reading.row.headers)
            if stretch and names and not headless and not holds_sibling(ask, text):
                told.append(_Told(passage, reading.sentence, stretch, names))
    told.sort(key=lambda one: -(one.stretch.worth + one.sentence.cosine))
    leading = [lead for one in told[:_MOST_TRIED] for lead in _leads_of(ask, one, passages, scorer)]
    return sorted(leading, key=lambda one: -one.score)[:_MOST_LEADS]


def _leads_of(
    ask: Ask, one: _Told, passages: Sequence[PassageView], scorer: SupportScorer
) -> list[Lead]:
    stretch, sentence = one.stretch, one.sentence
    part = ask.text[stretch.wide : stretch.end].strip(" ,")
    score = _probability(ask, part, one, passages, scorer)
    found = []
    for rank, named in enumerate(one.names):
        question, more = left_open(ask, stretch, named.name)
        left = phrase_of(ask.text, stretch, named.name)
        if lacks_verb(question, named.name) or (more and lacks_article(ask.text, left)):
            continue
        if not opens_phrase(ask.text, left, stretch.end):
            continue
        if _is_sibling(ask, named.name, ask.text[left : stretch.end]):
            continue
        fits = suits(named, ask.text[left : stretch.end])
        worth = score * fits * (0.95**rank)
        if worth >= LEAST_LEAD:
            found.append(
                Lead(
                    passage_id=one.passage["id"],
                    quote=sentence.text,
                    start=sentence.start,
                    part=ask.text[left : stretch.end].strip(" ,"),
                    name=named.name,
                    question=question if more else "",
                    score=worth,
                    context=context_of(one.passage),
                )
            )
    return found


def _is_sibling(ask: Ask, name: str, part: str) -> bool:
    """Whether a name is another of the series of one in a stretch: "Dự án Tam Giang"."""
    return any(sibling_of(ask, one, name) for one in ask.anchors if one in part)


def _probability(
    ask: Ask, part: str, one: _Told, passages: Sequence[PassageView], scorer: SupportScorer
) -> float:
    """The probability that a sentence tells what a part of the question describes."""
    inner = read(f"{part} là gì?" if ask.language == "vi" else f"What is {part}?")
    found = readings(inner, passages, scorer(inner.text, _pairs(passages)))
    rows = [
        (passage["id"], reading.sentence.start, features)
        for passage, own in zip(passages, found, strict=True)
        for reading, features in own
    ]
    for number, (passage_id, start, features) in enumerate(rows):
        if (passage_id, start) == (one.passage["id"], one.sentence.start):
            cell = float(features.row and features.inside == 1)
            sure = features._replace(fit=1.0, lacks=0.0, cell=cell)
            everything = [row for _, _, row in rows]
            everything[number] = sure
            return probabilities(everything)[number] * (0.25 if features.conflict else 1.0)
    return 0.0


def _pairs(passages: Sequence[PassageView]) -> list[tuple[str, str]]:
    return [(headings_of(one), one["text"]) for one in passages]


def answers_to(
    ask: Ask, lead: Lead, passages: Sequence[PassageView], scorer: SupportScorer
) -> list[Finding]:
    """What the passages say to the question that a lead leaves open."""
    rest = read(lead.question)
    supports = [
        [one for one in sentences if (passage["id"], one.start) != (lead.passage_id, lead.start)]
        for passage, sentences in zip(passages, scorer(rest.text, _pairs(passages)), strict=True)
    ]
    found = judge(rest, passages, supports)
    return [
        one
        for one, passage in zip(found, passages, strict=True)
        if one.score > 0
        and mentions(f"{headings_of(passage)} {one.quote}", lead.name, rest)
        and all(
            mentions(f"{context_of(passage)} {one.quote} {lead.quote} {lead.context} ", anchor, ask)
            or is_soft(anchor, ask)
            for anchor in ask.anchors
        )
    ]
