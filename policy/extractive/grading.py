"""Which sentence of which passage answers a question, and how sure that is."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from policy.extractive.answers import extract, lacks_address
from policy.extractive.calibration import (
    SURE,
    TYPED_AT_LEAST,
    Features,
    is_long,
    presence,
    probabilities,
)
from policy.extractive.doubts import leans_on, other_deed, states_it, unrelated_row
from policy.extractive.entities import subject_of
from policy.extractive.objections import (
    context_of,
    headings_of,
    holds_anchor,
    in_range,
    is_firm,
    is_soft,
    mentions,
    names_everywhere,
    objection,
    sentence_conflict,
    spells_out,
    unheld_name,
    unknown_names,
)
from policy.extractive.own_rows import is_its_row, opens_with_it
from policy.extractive.posts import names_holder
from policy.extractive.sections import about, before_it, is_heading
from policy.extractive.superlatives import extreme
from policy.extractive.tables import Row, answer_cell, read_row
from policy.language.questions import TYPED, Ask
from policy.language.relations import UNNAMED, relations
from policy.language.wording import bare, stem, terms
from policy.protocol import PassageView
from policy.support import SentenceSupport
from state.text import comparable

STATED, CLOSE = "the sentence states it", "it is close in meaning"
SPEAK_FOR = (STATED, CLOSE)

_DOUBTED = 0.25
"""What is left of the probability of a sentence that tells of another thing or deed."""
_NAMED_ROW = 0.5
"""The least probability of a row that the question names, with a sure column."""
_ITS_ROW = 0.85
"""The same where the row opens with what is asked about."""
_TOLD = 0.3
"""The share of the question's words that such a row holds at least."""
_OF_A_THING = 0.5
"""The fit of a column that names what is asked for, where no type is."""
_ALONE = 0.3
"""The least probability of the one sentence about the titled thing that states the relation."""


@dataclass(frozen=True)
class Finding:
    """The best sentence of a passage: its quote, the answer in it, and its probability.

    `answer` is the short answer where one was found (`fit` says how surely), else "". `stating`
    tells a sentence about the titled thing that holds the relation and an answer of the type;
    `doubted` one that something speaks against, `nameless` one of a passage that lacks a name,
    `unrelated` one that expresses nothing of the relations asked for. `presence` is the
    probability that any of the sentences states the answer, where they are long ones.
    """

    passage_id: str
    quote: str
    answer: str
    score: float
    reason: str
    version: str = ""
    language: str = ""
    fit: float = 0.0
    stating: bool = False
    doubted: bool = False
    nameless: bool = False
    unrelated: bool = False
    presence: float | None = None


@dataclass(frozen=True)
class Reading:
    """One sentence in its place, with the answer that was taken out of it."""

    passage: PassageView
    sentence: SentenceSupport
    before: SentenceSupport | None
    row: Row | None
    answer: str
    fit: float
    unheld: str
    """A name that the passage lacks and would have to hold, or ""."""


def judge(
    ask: Ask,
    passages: Sequence[PassageView],
    supports: Sequence[Sequence[SentenceSupport]],
) -> list[Finding]:
    """One finding per passage, in order; a score of 0 where a check turned it down."""
    objections = [objection(ask, one) for one in passages]
    read = [
        [] if reason else found
        for reason, found in zip(objections, readings(ask, passages, supports), strict=True)
    ]
    together = [one for found in read for one in found]
    rows = [features for _, features in together]
    alone = probabilities(rows)
    texts = [reading.sentence.text for reading, _ in together if not reading.row]
    there = presence(rows, alone) if is_long(texts) else None
    scores = iter(alone)
    findings = []
    for passage, sentences, reason, found in zip(passages, supports, objections, read, strict=True):
        if reason or not sentences:
            reason = reason or "the passage has no sentence"
            findings.append(Finding(passage["id"], "", "", 0.0, reason))
        else:
            scored = [(*one, next(scores)) for one in found]
            findings.append(_best_sentence(ask, passage, sentences, scored))
    return [replace(one, presence=there) for one in raised(findings)]


def raised(findings: list[Finding]) -> list[Finding]:
    """The findings, with the answer that alone states what is asked for counted as support."""
    answers = {comparable_answer(one.answer) for one in findings if one.stating}
    if len(answers) != 1:
        return findings
    return [replace(one, score=max(one.score, _ALONE)) if one.stating else one for one in findings]


def _best_sentence(
    ask: Ask,
    passage: PassageView,
    sentences: Sequence[SentenceSupport],
    found: Sequence[tuple[Reading, Features, float]],
) -> Finding:
    extreme_found = extreme(ask, passage, sentences)
    if extreme_found:
        answer, quote = extreme_found
        return Finding(
            passage["id"], quote, answer, 0.98, "the row has the extreme value",
            passage["version"], passage["language"], 1.0,
        )  # fmt: skip
    judged = [
        _finding(ask, reading, features, score, found[number + 1 : number + 2])
        for number, (reading, features, score) in enumerate(found)
    ]
    nothing = Finding(passage["id"], "", "", 0.0, "only headings")
    alone = len({comparable_answer(one.answer) for one in judged if one.stating}) == 1
    return max(
        judged,
        key=lambda one: _worth(ask, one, alone),
        default=nothing,
    )


def _worth(ask: Ask, one: Finding, alone: bool) -> float:
    """The score, where one sentence alone states it less for those that hold no answer."""
    if not alone:
        return one.score
    if one.stating:
        return max(one.score, _ALONE)
    empty = ask.kind in TYPED and one.fit < TYPED_AT_LEAST
    return one.score / 2 if empty else one.score


def readings(
    ask: Ask,
    passages: Sequence[PassageView],
    supports: Sequence[Sequence[SentenceSupport]],
) -> list[list[tuple[Reading, Features]]]:
    """The sentences of each passage that state something, headings aside, with their features."""
    unknown = unknown_names(ask, passages)
    everywhere = names_everywhere(ask, passages)
    return [
        _readings(
            ask, passage, sentences, unheld_name(ask, passage, unknown), bool(unknown), everywhere
        )
        for passage, sentences in zip(passages, supports, strict=True)
    ]


def _readings(
    ask: Ask,
    passage: PassageView,
    sentences: Sequence[SentenceSupport],
    unheld: str,
    unheard: bool,
    everywhere: Sequence[str],
) -> list[tuple[Reading, Features]]:
    found = []
    before = None
    for sentence in sentences:
        if is_heading(passage["text"], sentence.start):
            before = None
            continue
        row = read_row(passage["text"], sentence.start, sentence.text, passage.get("columns", ""))
        if row and row.headers == row.cells:
            continue
        if row and any(row.headers):
            answer, fit = answer_cell(ask, row)
            answer, fit = ("", 0.0) if lacks_address(ask, answer) else (answer, fit)
        else:
            answer, fit = extract(ask, sentence.text)
            titled = subject_of(ask, sentence.text, passage) if fit < SURE else ""
            answer, fit = (titled, 1.0) if titled else (answer, fit)
        reading = Reading(passage, sentence, None if row else before, row, answer, fit, unheld)
        found.append((reading, _features(ask, reading, unheard, everywhere)))
        before = sentence
    return found


def _features(ask: Ask, reading: Reading, unheard: bool, everywhere: Sequence[str]) -> Features:
    passage, sentence = reading.passage, reading.sentence
    context = context_of(passage)
    before = reading.before.text if reading.before else ""
    words = " ".join((*reading.row.headers, sentence.text)) if reading.row else sentence.text
    near = f"{context} {before} {words}"
    named = [one for one in ask.anchors if not is_soft(one, ask) and one not in everywhere]
    section = f"{context} {before_it(passage['text'], sentence.start)} {words}"
    absent = sum(not mentions(section, one, ask) for one in named)
    whole = f"{context} {passage['text']}"
    titled = sum(holds_anchor(headings_of(passage), one, ask) for one in named)
    unnamed = sum(not holds_anchor(whole, one, ask) for one in named)
    held = sum(mentions(words, one, ask) or spells_out(words, one, context) for one in named)
    inside = held / len(named) if named else 0.5
    inside = 1.0 if is_its_row(ask, reading.row) else inside
    row = reading.row is not None
    return Features(
        cosine=sentence.cosine,
        in_context=sentence.in_context,
        coverage=sentence.coverage,
        context_coverage=sentence.context_coverage,
        passage_coverage=sentence.passage_coverage,
        words=_word_share(ask, words),
        around=_word_share(ask, near),
        titled=titled / len(named) if named else 0.5,
        absent=absent / max(1, len(named)),
        unnamed=unnamed / max(1, len(named)),
        nameless=float(bool(reading.unheld)),
        unheard=float(unheard),
        relation=_relation_share(ask, words),
        inside=inside,
        fit=reading.fit,
        lacks=float(ask.kind in TYPED and reading.fit < 0.1),
        row=float(row),
        cell=reading.fit if row and inside == 1 else 0.0,
        conflict=float(bool(sentence_conflict(ask, words, reading.answer, context))),
        across=float(passage["language"] != ask.language),
        vietnamese=float(ask.language == "vi"),
    )


def _finding(
    ask: Ask,
    reading: Reading,
    features: Features,
    score: float,
    after: Sequence[tuple[Reading, Features, float]],
) -> Finding:
    """What a sentence is worth; where it lacks what is asked for, with the one after it."""
    passage, sentence = reading.passage, reading.sentence
    start, end = sentence.start, sentence.end
    answer, fit = reading.answer, reading.fit
    if reading.before and leans_on(ask, sentence, reading.before):
        start = reading.before.start
    reason = sentence_conflict(ask, sentence.text, reading.answer, context_of(passage))
    if reading.row:
        other = unrelated_row(ask, " ".join((*reading.row.headers, *reading.row.cells)))
    else:
        other = other_deed(ask, sentence.text)
    if features.conflict or other:
        score *= _DOUBTED
    elif reading.fit >= SURE and _is_said_so(ask, reading, features):
        score = max(score, _NAMED_ROW)
    elif _is_sure_cell(ask, reading, features):
        its_row = features.words >= _TOLD and opens_with_it(ask, reading.row)
        score = max(score, _ITS_ROW if its_row else _NAMED_ROW)
    elif reading.fit < TYPED_AT_LEAST and _asks_for_a_value(ask):
        following = after[0][0] if after and after[0][0].before is sentence else None
        if following and following.fit >= SURE:
            end = following.sentence.end
            if ask.kind == "cause":
                answer, fit = following.answer, following.fit
    elif ask.kind not in TYPED and reading.fit < SURE and _goes_on(ask, sentence, score, after):
        end = after[0][0].sentence.end
    return Finding(
        passage["id"], passage["text"][start:end], answer, score,
        reason or _reason(ask, reading, features),
        passage["version"], passage["language"], fit,
        states_it(ask, about(passage, sentence.start), features, sentence.text),
        bool(features.conflict) or other, bool(reading.unheld), features.relation == 0,
    )  # fmt: skip


def _is_said_so(ask: Ask, reading: Reading, features: Features) -> bool:
    """Whether a sentence states a rule for the amount, the holder of the post, or the code."""
    text = reading.sentence.text
    if ask.head in ("mã", "code"):
        return features.inside == 1
    if ask.kind == "cause":
        return features.relation > 0 and any(
            is_firm(one) and not one.isdigit() and holds_anchor(text, one, ask)
            for one in ask.anchors
        )
    if features.relation >= 0.5 and in_range(ask, text):
        return True
    return reading.row is None and names_holder(ask, text)


def _goes_on(
    ask: Ask,
    sentence: SentenceSupport,
    score: float,
    after: Sequence[tuple[Reading, Features, float]],
) -> bool:
    """Whether the next sentence may tell what is asked for as well, so that both are given."""
    if not after or after[0][0].row or after[0][0].before is not sentence:
        return False
    return after[0][2] >= score / 3


def _asks_for_a_value(ask: Ask) -> bool:
    """Whether the sentence has to hold a name, place, date, number or cause."""
    return ask.kind in (*TYPED, "cause") and (not ask.head or ask.kind in ("date", "number"))


def _is_sure_cell(ask: Ask, reading: Reading, features: Features) -> bool:
    """Whether a row that the question names has a sure column for what is asked."""
    return (
        reading.row is not None
        and (_is_named(ask) or is_its_row(ask, reading.row))
        and features.cell >= (_OF_A_THING if ask.kind == "thing" else SURE)
        and not features.conflict
        and not reading.unheld
    )


def _is_named(ask: Ask) -> bool:
    """Whether a fact of a named thing is asked for; a year alone names no row."""
    return ask.kind in TYPED and any(not one.isdigit() for one in ask.anchors)


def _word_share(ask: Ask, text: str) -> float:
    """The share of the question's words, names aside, that a text holds; endings aside."""
    named = {word for anchor in ask.anchors for word in bare(anchor).split()}
    asked = {stem(term) for term in ask.terms if term not in named}
    here = {stem(term) for term in terms(text)}
    return len(asked & here) / len(asked) if asked else 0.5


def _relation_share(ask: Ask, text: str) -> float:
    asked = ask.relations - UNNAMED
    return len(asked & relations(text)) / len(asked) if asked else 0.5


def _reason(ask: Ask, reading: Reading, features: Features) -> str:
    if reading.unheld:
        return f"the passage does not name {reading.unheld}"
    if features.absent > 0.5:
        return "the sentence is not about what the question names"
    if features.fit < 0.4:
        return f"no sentence states a {ask.kind}"
    return STATED if features.around >= 0.5 else CLOSE


def comparable_answer(answer: str) -> str:
    """The form in which two answers count as the same."""
    return re.sub(r"[^\w%]+", " ", comparable(answer)).strip()
