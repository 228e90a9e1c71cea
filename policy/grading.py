"""Which sentence of which passage answers a question, and how sure that is."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from policy.answers import extract
from policy.calibration import Features, probability
from policy.kinds import same_kind
from policy.objections import (
    context_of,
    holds_anchor,
    is_soft,
    mentions,
    objection,
    sentence_conflict,
)
from policy.protocol import PassageView
from policy.questions import Ask
from policy.relations import UNNAMED, relations
from policy.support import SentenceSupport
from policy.tables import Row, answer_cell, extreme_row, read_row
from policy.wording import bare, pattern, terms, typed_bare
from state.text import comparable

_MOST = (
    r"(?<!\w)(?:cao nhất|lớn nhất|nhiều nhất|dài nhất|muộn nhất|mới nhất|đắt nhất|highest|largest"
    r"|biggest|most|longest|latest|greatest|heaviest|newest)(?!\w)"
)
_LEAST = (
    r"(?<!\w)(?:thấp nhất|nhỏ nhất|ít nhất|ngắn nhất|sớm nhất|rẻ nhất|lowest|smallest|fewest|least"
    r"|shortest|earliest|oldest|cheapest|lightest)(?!\w)"
)
_PRONOUN = re.compile(
    r"^(?:it|its|he|she|his|her|they|their|this|that|the|these|nó|họ|anh|chị|ông|bà|cô|dự án này"
    r"|người này|quy định này)\b", re.IGNORECASE,
)  # fmt: skip


@dataclass(frozen=True)
class Finding:
    """The best sentence of a passage: its quote, the answer in it, and its probability."""

    passage_id: str
    quote: str
    answer: str
    score: float
    reason: str
    version: str = ""
    features: Features | None = None


def judge(
    ask: Ask,
    passages: Sequence[PassageView],
    supports: Sequence[Sequence[SentenceSupport]],
) -> list[Finding]:
    """One finding per passage, in order; a score of 0 where a check turned it down."""
    everything = " ".join(context_of(one) + " " + one["text"] for one in passages)
    unknown = [name for name in ask.anchors if not holds_anchor(everything, name, ask)]
    findings = []
    for passage, sentences in zip(passages, supports, strict=True):
        reason = objection(ask, passage, unknown)
        if reason or not sentences:
            reason = reason or "the passage has no sentence"
            findings.append(Finding(passage["id"], "", "", 0.0, reason))
        else:
            findings.append(best_sentence(ask, passage, sentences))
    return findings


def best_sentence(ask: Ask, passage: PassageView, sentences: Sequence[SentenceSupport]) -> Finding:
    """The sentence of a passage with the highest probability of answering."""
    extreme = _extreme(ask, passage, sentences)
    if extreme:
        return extreme
    judged = (_judge_sentence(ask, passage, sentences, one) for one in range(len(sentences)))
    return max(judged, key=lambda finding: finding.score)


def _extreme(
    ask: Ask, passage: PassageView, sentences: Sequence[SentenceSupport]
) -> Finding | None:
    """The row with the highest or lowest value, where a superlative asks for it."""
    folded = typed_bare(ask.text)
    most = pattern(_MOST, folded).search(ask.text)
    least = pattern(_LEAST, folded).search(ask.text)
    if not (most or least) or not ask.head:
        return None
    rows: list[tuple[Row, SentenceSupport]] = []
    for sentence in sentences:
        row = read_row(passage["text"], sentence.start, sentence.text)
        if row and row.headers != row.cells and any(row.headers):
            rows.append((row, sentence))
    kinds = same_kind(ask.head)
    if not any(kinds & same_kind(header) for header in (rows[0][0].headers if rows else ())):
        return None
    chosen = extreme_row(ask, [row for row, _ in rows], bool(most))
    if chosen is None or len(rows) < 2:
        return None
    row, sentence = rows[chosen]
    answer = answer_cell(ask, row)[0] or row.cells[0]
    return Finding(
        passage["id"], sentence.text, answer, 0.98, "the row has the extreme value",
        passage["version"],
    )  # fmt: skip


def _judge_sentence(
    ask: Ask, passage: PassageView, sentences: Sequence[SentenceSupport], number: int
) -> Finding:
    sentence = sentences[number]
    row = read_row(passage["text"], sentence.start, sentence.text)
    if _is_heading(passage["text"], sentence.start):
        return Finding(passage["id"], sentence.text, "", 0.0, "only a heading")
    if row and row.headers == row.cells:
        return Finding(passage["id"], sentence.text, "", 0.0, "only the header of a table")
    before = sentences[number - 1] if number else None
    if before and _is_heading(passage["text"], before.start):
        before = None
    words = sentence.text if row is None else " ".join((*row.headers, sentence.text))
    if row and any(row.headers):
        answer, fit = answer_cell(ask, row)
    else:
        answer, fit = extract(ask, sentence.text)
    nearness, joined = _nearness(ask, passage, sentence, before)
    if row and ask.anchors and not any(mentions(row.cells[0], one, ask) for one in ask.anchors):
        nearness *= 0.75
    if row and not ask.anchors:
        nearness = 0.9 if _row_is_named(ask, row, answer) else 0.3
    relation = _relation_share(ask, words, passage["heading"])
    share = _word_share(ask, words, context_of(passage))
    conflict = sentence_conflict(ask, sentence.text, answer, context_of(passage))
    across = passage["language"] != ask.language
    features = Features(
        cosine=sentence.cosine,
        coverage=sentence.coverage,
        context_coverage=sentence.context_coverage,
        words=max(share, relation) if across else share,
        relation=relation,
        fit=fit,
        nearness=nearness,
        conflict=float(bool(conflict)),
        silent=float(
            _says_something_else(ask, relation, share, sentence.context_coverage, across)
            or (not across and _names_no_subject(ask, words, context_of(passage)))
        ),
        across=float(across),
    )
    score = probability(features, ask.language)
    reason = conflict or _reason(ask, features)
    start = before.start if joined and before else sentence.start
    quote = passage["text"][start : sentence.end]
    return Finding(passage["id"], quote, answer, score, reason, passage["version"], features)


def _says_something_else(
    ask: Ask, relation: float, words: float, about: float, across: bool
) -> bool:
    """Whether the sentence has neither the relation nor most of the words of the question."""
    if across:
        return bool(ask.relations - UNNAMED) and relation == 0
    if ask.kind == "yesno":
        return words < 0.8
    if not ask.anchors and about < 0.35:
        return True
    if ask.relations - UNNAMED:
        return relation == 0 and words < 0.75
    return words < 0.34 and not (ask.relations and relation == 1)


def _names_no_subject(ask: Ask, words: str, context: str) -> bool:
    """Whether none of two or more words that say what is asked about stand here (English)."""
    if ask.language != "en":
        return False
    named = {word for anchor in ask.anchors for word in bare(anchor).split()}
    asked = [term for term in ask.terms if term not in named and not relations(term)]
    here = _stems(f"{words} {context}")
    return len(asked) > 1 and not any(_stem(term) in here for term in asked)


def _nearness(
    ask: Ask, passage: PassageView, sentence: SentenceSupport, before: SentenceSupport | None
) -> tuple[float, bool]:
    """How near the sentence stands to what the question names, 0 to 1; whether through the
    sentence before it, which then belongs to the quote.
    """
    named = [one for one in ask.anchors if not is_soft(one, ask)]
    if not named:
        return 0.6, False
    context = context_of(passage)
    in_sentence = sum(mentions(sentence.text, one, ask) for one in named) / len(named)
    near = sum(
        mentions(sentence.text, one, ask) or holds_anchor(context, one, ask) for one in named
    ) / len(named)
    refers = (
        before is not None
        and bool(_PRONOUN.match(sentence.text))
        and (sentence.start - before.end <= 2)
    )
    if refers and before is not None and in_sentence < 1:
        gained = sum(
            mentions(sentence.text, one, ask) or mentions(before.text, one, ask)
            or holds_anchor(context, one, ask) for one in named
        ) / len(named)  # fmt: skip
        if any(
            mentions(before.text, one, ask) and not mentions(sentence.text, one, ask)
            for one in named
        ):
            return 0.4 * in_sentence + 0.6 * gained, True
    around = sum(holds_anchor(passage["text"], one, ask) for one in named) / len(named)
    return 0.4 * in_sentence + 0.6 * max(near, 0.5 * around), False


def _is_heading(text: str, start: int) -> bool:
    return text[text.rfind("\n", 0, start) + 1 : start].lstrip().startswith("#")


def _row_is_named(ask: Ask, row: Row, answer: str) -> bool:
    """Whether the question names the row: all words of one of its other cells."""
    asked = set(ask.terms)
    return any(
        set(terms(cell)) and set(terms(cell)) <= asked for cell in row.cells if cell != answer
    )


def _word_share(ask: Ask, words: str, context: str) -> float:
    """The share of the question's words, names aside, that the sentence or its headings hold."""
    named = {word for anchor in ask.anchors for word in bare(anchor).split()}
    asked = [term for term in ask.terms if term not in named]
    if not asked:
        return 0.5
    here, around = _stems(words), _stems(context)
    held = sum(1.0 if _stem(t) in here else 0.7 if _stem(t) in around else 0.0 for t in asked)
    return held / len(asked)


def _stem(term: str) -> str:
    return term[:5] if term.isascii() and len(term) > 5 else term


def _stems(text: str) -> frozenset[str]:
    return frozenset(_stem(term) for term in terms(text))


def _relation_share(ask: Ask, words: str, heading: str) -> float:
    """The share of the relations asked for that the sentence (or its heading) expresses."""
    asked = ask.relations - UNNAMED or ask.relations
    if not asked:
        return 0.5
    here, around = relations(words), relations(heading)
    unnamed = 0.5 if asked <= UNNAMED else 0.0
    held = sum(1.0 if one in here else 0.5 if one in around else unnamed for one in asked)
    return held / len(asked)


def _reason(ask: Ask, features: Features) -> str:
    if features.relation == 0:
        return f"no sentence speaks of {', '.join(sorted(ask.relations))}"
    if features.fit < 0.4:
        return f"no sentence states a {ask.kind}"
    if features.nearness < 0.5:
        return "the sentence is not about what the question names"
    return "the sentence states it" if features.words >= 0.5 else "the sentence is close in meaning"


def comparable_answer(answer: str) -> str:
    """The form in which two answers count as the same."""
    return re.sub(r"[^\w%]+", " ", comparable(answer)).strip()
