"""Which sentence of which passage answers a question, and how sure that is."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from policy.extractive.answers import extract
from policy.extractive.calibration import SURE, TYPED_AT_LEAST, USUAL_COSINE, Features, probability
from policy.extractive.doubts import leans_on, other_deed, says_nothing, states_it, unrelated_row
from policy.extractive.objections import (
    context_of,
    headings_of,
    holds_anchor,
    is_soft,
    mentions,
    objection,
    sentence_conflict,
    unknown_names,
)
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

_WITHOUT_TYPE = 0.25
"""What is left of the probability then, if the next sentence holds nothing either."""
_WITHOUT_CAUSE = 0.5
"""The same where a cause is asked for, which may be told without a word that says so."""
_NAMED_ROW = 0.5
"""The least probability of a row that the question names, with a sure column."""
_ALONE = 0.3
"""The least probability of the one sentence about the titled thing that states the relation."""
_DRAWN = 4
"""As many sentences of the usual cosine count towards the mean of a question."""


@dataclass(frozen=True)
class Finding:
    """The best sentence of a passage: its quote, the answer in it, and its probability.

    `answer` is the short answer where one was found (`fit` says how surely), else "". `stating`
    tells a sentence about the titled thing that holds the relation and an answer of the type;
    `doubted` one that something speaks against.
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


@dataclass(frozen=True)
class _Reading:
    """One sentence in its place, with the answer that was taken out of it."""

    passage: PassageView
    sentence: SentenceSupport
    before: SentenceSupport | None
    row: Row | None
    answer: str
    fit: float


def judge(
    ask: Ask,
    passages: Sequence[PassageView],
    supports: Sequence[Sequence[SentenceSupport]],
) -> list[Finding]:
    """One finding per passage, in order; a score of 0 where a check turned it down."""
    unknown = unknown_names(ask, passages)
    mean = mean_cosine(supports)
    findings = []
    for passage, sentences in zip(passages, supports, strict=True):
        reason = objection(ask, passage, unknown)
        if reason or not sentences:
            reason = reason or "the passage has no sentence"
            findings.append(Finding(passage["id"], "", "", 0.0, reason))
        else:
            findings.append(_best_sentence(ask, passage, sentences, mean))
    return raised(findings)


def raised(findings: list[Finding]) -> list[Finding]:
    """The findings, with the answer that alone states what is asked for counted as support."""
    answers = {comparable_answer(one.answer) for one in findings if one.stating}
    if len(answers) != 1:
        return findings
    return [replace(one, score=max(one.score, _ALONE)) if one.stating else one for one in findings]


def mean_cosine(supports: Sequence[Sequence[SentenceSupport]]) -> float:
    """The mean over all sentences found for a question: what its cosines start from.

    A few sentences say little about it, so that it is drawn to what is usual.
    """
    cosines = [one.cosine for sentences in supports for one in sentences]
    return (sum(cosines) + _DRAWN * USUAL_COSINE) / (len(cosines) + _DRAWN)


def _best_sentence(
    ask: Ask, passage: PassageView, sentences: Sequence[SentenceSupport], mean: float
) -> Finding:
    found = extreme(ask, passage, sentences)
    if found:
        answer, quote = found
        return Finding(
            passage["id"], quote, answer, 0.98, "the row has the extreme value",
            passage["version"], passage["language"], 1.0,
        )  # fmt: skip
    found_all = readings(ask, passage, sentences, mean)
    judged = [
        _finding(ask, reading, features, found_all[number + 1 : number + 2])
        for number, (reading, features) in enumerate(found_all)
    ]
    nothing = Finding(passage["id"], "", "", 0.0, "only headings")
    alone = len({comparable_answer(one.answer) for one in judged if one.stating}) == 1
    return max(
        judged,
        key=lambda one: max(one.score, _ALONE if one.stating and alone else 0.0),
        default=nothing,
    )


def readings(
    ask: Ask, passage: PassageView, sentences: Sequence[SentenceSupport], mean: float
) -> list[tuple[_Reading, Features]]:
    """The sentences of a passage that state something, headings aside, with their features."""
    found = []
    before = None
    for sentence in sentences:
        if _is_heading(passage["text"], sentence.start):
            before = None
            continue
        row = read_row(passage["text"], sentence.start, sentence.text, passage.get("columns", ""))
        if row and row.headers == row.cells:
            continue
        if row and any(row.headers):
            answer, fit = answer_cell(ask, row)
        else:
            answer, fit = extract(ask, sentence.text)
        reading = _Reading(passage, sentence, None if row else before, row, answer, fit)
        found.append((reading, _features(ask, reading, mean)))
        before = sentence
    return found


def _features(ask: Ask, reading: _Reading, mean: float) -> Features:
    passage, sentence = reading.passage, reading.sentence
    context = context_of(passage)
    before = reading.before.text if reading.before else ""
    words = " ".join((*reading.row.headers, sentence.text)) if reading.row else sentence.text
    near = f"{context} {before} {words}"
    named = [one for one in ask.anchors if not is_soft(one, ask)]
    absent = sum(not mentions(near, one, ask) for one in named)
    whole = f"{context} {passage['text']}"
    unnamed = sum(not holds_anchor(whole, one, ask) for one in named)
    inside = sum(mentions(words, one, ask) for one in named) / len(named) if named else 0.5
    inside = 1.0 if _is_its_row(ask, reading.row) else inside
    row = reading.row is not None
    return Features(
        cosine=sentence.cosine,
        lead=sentence.cosine - mean,
        coverage=sentence.coverage,
        context_coverage=sentence.context_coverage,
        words=_word_share(ask, words),
        around=_word_share(ask, near),
        absent=absent / max(1, len(named)),
        unnamed=unnamed / max(1, len(named)),
        relation=_relation_share(ask, words),
        inside=inside,
        fit=reading.fit,
        lacks=float(ask.kind in TYPED and reading.fit < 0.1),
        row=float(row),
        cell=reading.fit if row and inside == 1 else 0.0,
        conflict=float(bool(sentence_conflict(ask, words, reading.answer, context))),
        across=float(passage["language"] != ask.language),
    )


def _finding(
    ask: Ask, reading: _Reading, features: Features, after: list[tuple[_Reading, Features]]
) -> Finding:
    """What a sentence is worth; where it lacks what is asked for, with the one after it."""
    passage, sentence = reading.passage, reading.sentence
    start, end = sentence.start, sentence.end
    if reading.before and leans_on(ask, sentence, reading.before):
        start = reading.before.start
    score = probability(features, ask.language)
    reason = sentence_conflict(ask, sentence.text, reading.answer, context_of(passage))
    if reading.row:
        other = unrelated_row(ask, " ".join((*reading.row.headers, *reading.row.cells)))
    else:
        other = other_deed(ask, sentence.text)
    if features.conflict or other or says_nothing(ask) or _is_off(ask, features):
        score *= _WITHOUT_TYPE
    elif reading.row and features.inside == 0 and features.unnamed == 0 and _in_a_row(ask, passage):
        score *= _WITHOUT_TYPE
        reason = reason or "another row is about what the question names"
    elif (
        reading.row
        and (_is_named(ask) or _is_its_row(ask, reading.row))
        and features.cell >= SURE
        and not features.conflict
    ):
        score = max(score, _NAMED_ROW)
    elif (
        reading.fit < TYPED_AT_LEAST
        and ask.kind in (*TYPED, "cause")
        and (not ask.head or ask.kind in ("date", "number"))
    ):
        following = after[0][0] if after and after[0][0].before is sentence else None
        if following and following.fit >= SURE:
            end = following.sentence.end
        else:
            score *= _WITHOUT_CAUSE if ask.kind == "cause" else _WITHOUT_TYPE
    elif ask.kind not in TYPED and reading.fit < SURE and _goes_on(ask, sentence, score, after):
        end = after[0][0].sentence.end
    return Finding(
        passage["id"], passage["text"][start:end], reading.answer, score,
        reason or _reason(ask, features), passage["version"], passage["language"], reading.fit,
        states_it(ask, headings_of(passage), features, sentence.text),
        bool(features.conflict) or other,
    )  # fmt: skip


def _goes_on(
    ask: Ask, sentence: SentenceSupport, score: float, after: list[tuple[_Reading, Features]]
) -> bool:
    """Whether the next sentence may tell what is asked for as well, so that both are given."""
    if not after or after[0][0].row or after[0][0].before is not sentence:
        return False
    return probability(after[0][1], ask.language) >= score / 3


def _is_off(ask: Ask, features: Features) -> bool:
    """Whether a sentence lacks the relation asked about, a sure answer and most words."""
    related = bool(ask.relations - UNNAMED) and features.relation == 0
    return related and features.fit < SURE and features.words < 0.5 and ask.kind in TYPED


def _is_its_row(ask: Ask, row: Row | None) -> bool:
    """Whether a row opens with two words or more that the question writes just so: "Kế toán"."""
    opening = row.cells[0] if row else ""
    return len(opening.split()) > 1 and re.search(
        rf"(?<!\w){re.escape(opening)}(?!\w)", ask.text
    ) is not None  # fmt: skip


def _is_named(ask: Ask) -> bool:
    """Whether a fact of a named thing is asked for; a year alone names no row."""
    return ask.kind in TYPED and any(not one.isdigit() for one in ask.anchors)


def _in_a_row(ask: Ask, passage: PassageView) -> bool:
    """Whether a row of the passage holds a name of the question."""
    rows = "\n".join(one for one in passage["text"].splitlines() if one.startswith("|"))
    return any(mentions(rows, one, ask) for one in ask.anchors if not is_soft(one, ask))


def _is_heading(text: str, start: int) -> bool:
    return text[text.rfind("\n", 0, start) + 1 : start].lstrip().startswith("#")


def _word_share(ask: Ask, text: str) -> float:
    """The share of the question's words, names aside, that a text holds; endings aside."""
    named = {word for anchor in ask.anchors for word in bare(anchor).split()}
    asked = {stem(term) for term in ask.terms if term not in named}
    here = {stem(term) for term in terms(text)}
    return len(asked & here) / len(asked) if asked else 0.5


def _relation_share(ask: Ask, text: str) -> float:
    asked = ask.relations - UNNAMED
    return len(asked & relations(text)) / len(asked) if asked else 0.5


def _reason(ask: Ask, features: Features) -> str:
    if features.absent > 0.5:
        return "the sentence is not about what the question names"
    if features.fit < 0.4:
        return f"no sentence states a {ask.kind}"
    return STATED if features.around >= 0.5 else CLOSE


def comparable_answer(answer: str) -> str:
    """The form in which two answers count as the same."""
    return re.sub(r"[^\w%]+", " ", comparable(answer)).strip()
