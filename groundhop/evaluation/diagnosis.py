"""Where a wrong answer went wrong: the first thing in the chain that failed, told by code."""

import re
from collections.abc import Callable

from groundhop.evaluation import ranking
from groundhop.evaluation.measures import rankings
from groundhop.evaluation.outcomes import REFUSED, Outcome
from groundhop.evaluation.recording import Record
from groundhop.evaluation.schema import Question
from groundhop.evaluation.wording import holds
from state.text import comparable

CAUSES = {
    "tool_failed": "a search or tool failed",
    "budget": "the budget ran out",
    "not_in_corpus": "not in the corpus, yet answered; or its evidence does not hold the answer",
    "not_retrieved": "the evidence was not retrieved",
    "rejected": "the evidence was retrieved but turned down",
    "unsupported": "the answer names something that no citation holds",
    "refused": "the evidence was accepted, yet the run refused",
    "answered_wrong": "the evidence was accepted, but the answer is wrong",
}
"""Every cause with what it means, in the order in which they are looked for."""

_NOT_WORDS = re.compile(r"[^\w]+")

TextOf = Callable[[str], str]
"""The text of a document by its source; "" where there is none."""


def diagnose(question: Question, record: Record, how: Outcome, text_of: TextOf) -> str:
    """The cause of a wrong answer; "" where nothing went wrong.

    Greetings apart, the evidence is followed from the corpus to the answer, and the first place
    where it is missing is the cause. A tool that failed comes first, because everything after
    it follows from that; a budget that ran out comes before what it kept from being found.
    """
    if how == "right" or (how == "rightly_refused" and question.answerable == "no"):
        return ""
    if record.error or any(row.get("action") == "tool_error" for row in record.trace):
        return "tool_failed"
    if record.stop_reason == "budget_exhausted":
        return "budget"
    if question.answerable == "no":
        return "not_in_corpus" if question.type != "greeting" else "answered_wrong"
    if not _in_corpus(question, text_of):
        return "not_in_corpus"
    pieces = [frozenset(piece) for piece in question.gold]
    retrieved, accepted, _ = rankings(question, record)
    if pieces and not ranking.all_found(retrieved, pieces):
        return "not_retrieved"
    if pieces and not ranking.all_found(accepted, pieces):
        return "rejected"
    if record.status in REFUSED or how == "wrongly_refused":
        return "refused"
    return "answered_wrong" if _stands_in_citations(record) else "unsupported"


def _in_corpus(question: Question, text_of: TextOf) -> bool:
    """Whether the evidence is there: its quotes, or else one accepted form of the answer.

    Yes, no and comparisons are worked out, not read, so only quotes are looked for there.
    """
    texts = {one: text_of(one) for one in sorted(question.documents)}
    if question.quotes:
        everything = _words(" ".join(texts.values()))
        return all(_words(quote) in everything for quote in question.quotes)
    pieces_there = all(any(texts[one] for one in piece) for piece in question.gold)
    if "comparison" in question.type or {"yes", "no"} & set(map(str.casefold, question.answers)):
        return pieces_there
    everything = " ".join(texts.values())
    return pieces_there and (
        not question.parts
        or any(holds(everything, form) for forms in question.parts for form in forms)
    )


def _words(text: str) -> str:
    """The words alone: a table row is quoted with or without its bars."""
    return " ".join(_NOT_WORDS.sub(" ", comparable(text)).split())


def _stands_in_citations(record: Record) -> bool:
    short = record.answer.get("short", "")
    quotes = " ".join(item["quote"] for item in record.answer.get("citations", []))
    return all(holds(quotes, part) for part in short.split("; ") if part)
