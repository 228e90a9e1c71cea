"""Every measure of one run of one question; docs/evaluation.md gives formulas and sources.

A measure that does not apply (recall where there is nothing to find) is left out, so that means
are taken over the questions that it applies to.
"""

import re

from groundhop.evaluation import ranking, wording
from groundhop.evaluation.outcomes import (
    REFUSED,
    given_answer,
    matching,
    outcome,
    partial_score,
)
from groundhop.evaluation.recording import Record
from groundhop.evaluation.schema import Question
from nodes.evidence import unsupported

Values = dict[str, float]
K = 5
"""Passages counted: what a person reads at once, and the depth of published tables."""

_MARK = re.compile(r"\[(\d+)\]")


def measure(question: Question, record: Record, *, needs_support: bool = True) -> Values:
    """The measures that apply to this question, by name."""
    how = outcome(question, record.status, record.answer, needs_support=needs_support)
    values: Values = {"right": float(how == "right")}
    if question.answerable == "no" and question.type != "greeting":
        values["right"] = float(how == "rightly_refused")
    values |= _refusal(question, record, how)
    if question.gold and needs_support:
        values |= _retrieval(question, record)
    values |= _answers(question, record)
    return values | _process(question, record)


def rankings(question: Question, record: Record) -> tuple[list[str], list[str], list[str]]:
    """Documents retrieved, accepted, and presented: accepted first, filled up by rank.

    Documents of the question's evidence go by the names that the data set gives them.
    """

    def name(source: str) -> str:
        return matching(source, question.documents) or source

    searches = [[name(one["source"]) for one in search] for search in record.searches]
    retrieved = ranking.merged(searches)
    accepted = ranking.without_repeats([name(item["source"]) for item in record.evidence])
    return retrieved, accepted, ranking.without_repeats([*accepted, *retrieved])


def _refusal(question: Question, record: Record, how: str) -> Values:
    """Whether the run refused; whether rightly is for the group "answerable" to tell."""
    if question.type == "greeting":
        return {}
    if question.answerable == "partial":
        return {"partial": partial_score(question, record.status, record.answer)}
    refused = record.status in REFUSED or how in ("wrongly_refused", "rightly_refused")
    return {"refused": float(refused)}


def _retrieval(question: Question, record: Record) -> Values:
    pieces = [frozenset(piece) for piece in question.gold]
    retrieved, accepted, presented = rankings(question, record)
    values = {
        f"recall@{K}": ranking.recall(retrieved, pieces, K),
        f"precision@{K}": ranking.precision(retrieved, pieces, K),
        "mrr": ranking.reciprocal_rank(retrieved, pieces),
        f"ndcg@{K}": ranking.ndcg(retrieved, pieces, K),
        f"all_retrieved@{K}": ranking.all_found(retrieved, pieces, K),
        "all_retrieved": ranking.all_found(retrieved, pieces),
        f"all_found@{K}": ranking.all_found(presented, pieces, K),
        "accepted_recall": ranking.recall(accepted, pieces),
        "all_accepted": ranking.all_found(accepted, pieces),
    }
    if accepted:
        values["accepted_precision"] = ranking.precision(accepted, pieces)
        values["accepted_mrr"] = ranking.reciprocal_rank(accepted, pieces)
    return values


def _answers(question: Question, record: Record) -> Values:
    values: Values = {}
    refused = record.status in REFUSED
    if question.parts and question.answerable != "no":
        given = "" if refused else given_answer(question, record.answer)
        text = "" if refused else record.answer.get("text", "")
        values["completeness"] = wording.share_held(text, question.parts)
        if question.answerable == "yes":
            values["exact"] = wording.exact(given, question.answers, question.lang)
            values["f1"] = wording.f1(given, question.answers, question.lang)
            values["contains"] = float(wording.share_held(text, question.parts) == 1.0)
    citations = record.answer.get("citations", [])
    if question.gold and citations and not refused:
        pieces = [frozenset(piece) for piece in question.gold]
        found = [matching(one["source"], question.documents) for one in citations]
        cited = ranking.without_repeats(
            [one or item["source"] for one, item in zip(found, citations, strict=True)]
        )
        values["citation_precision"] = ranking.precision(cited, pieces)
        values["citation_recall"] = ranking.recall(cited, pieces)
    if not refused and record.answer.get("text") and question.type != "greeting":
        values["supported_sentences"] = _supported(record)
    return values


def _supported(record: Record) -> float:
    """The share of the answer's lines that cite a passage holding their names and numbers.

    Lines that say what is missing carry no mark and make no claim: they are left out.
    """
    quotes = {item["number"]: item for item in record.answer.get("citations", [])}
    held = []
    for line in record.answer["text"].splitlines():
        cited = [quotes[int(mark)] for mark in _MARK.findall(line) if int(mark) in quotes]
        if cited:
            held.append(not unsupported(_MARK.sub("", line), cited))
    return sum(held) / len(held) if held else 0.0


def _process(question: Question, record: Record) -> Values:
    actions = [row.get("action") for row in record.trace]
    repeats = [row for row in record.trace if "searched before" in row.get("refusal", "")]
    rounds = sum(
        row.get("action") == "round" and row.get("repeated", False) for row in record.trace
    )
    values = {
        "steps": float(record.spent.get("steps", 0)),
        "tool_calls": float(record.spent.get("tool_calls", 0)),
        "model_calls": float(record.spent.get("model_calls", 0)),
        "tokens": float(record.spent.get("tokens", 0)),
        "money": float(record.spent.get("money", 0.0)),
        "seconds": record.seconds,
        "rewrites": float(actions.count("rewritten")),
        "repeated_queries": float(len(repeats) or rounds),
        "tool_errors": float(actions.count("tool_error")),
        "degraded": float(sum(bool(row.get("degraded")) for row in record.trace)),
    }
    path = [hop.document for hop in question.expected_path if hop.document]
    if len(path) > 1:
        values["path_followed"] = float(_followed(question, record, path))
    return values


def _followed(question: Question, record: Record, path: list[str]) -> bool:
    """Whether the documents of the expected path were accepted, in its order."""
    accepted = iter([matching(item["source"], question.documents) for item in record.evidence])
    return all(document in accepted for document in ranking.without_repeats(path))
