"""From a verdict to evidence: a quote counts only where it stands in the passage."""

import re

from policy.protocol import Grade, PassageVerdict
from state.anchors import contains_anchor, hard_anchors
from state.differences import is_difference
from state.independence import sketch
from state.text import nfc
from state.types import Candidate, Evidence, Json


def locate(quote: str, text: str) -> tuple[int, int] | None:
    """The span of `quote` in `text`: character for character, white space and NFD aside."""
    quote = nfc(quote).strip()
    if not quote:
        return None
    start = text.find(quote)
    if start >= 0:
        return start, start + len(quote)
    pattern = r"\s+".join(re.escape(word) for word in quote.split())
    found = re.search(pattern, text)
    return found.span() if found else None


def verdicts_by_passage(grade: Grade, candidates: list[Candidate]) -> dict[str, PassageVerdict]:
    """One verdict a candidate: a missing or a contradictory one is `unknown`, never yes."""
    found: dict[str, PassageVerdict] = {}
    for verdict in grade.verdicts:
        earlier = found.get(verdict.passage_id)
        if earlier and earlier.relevant != verdict.relevant:
            verdict = _unknown(verdict.passage_id, "the grader contradicted itself")
        found[verdict.passage_id] = verdict
    return {
        item["id"]: found.get(item["id"]) or _unknown(item["id"], "the grader did not judge it")
        for item in candidates
    }


def _unknown(passage_id: str, reason: str) -> PassageVerdict:
    return PassageVerdict(passage_id=passage_id, reason=reason, relevant="unknown")


def sort_out(
    grade: Grade, candidates: list[Candidate], earlier: list[Evidence]
) -> tuple[list[Evidence], list[Json]]:
    """Accepted evidence, numbered after the earlier, and history rows of what was turned down."""
    verdicts = verdicts_by_passage(grade, candidates)
    accepted: dict[str, Evidence] = {}
    rejected: list[Json] = []
    for candidate in candidates:
        verdict = verdicts[candidate["id"]]
        evidence, reason = accept(candidate, verdict, len(earlier) + len(accepted) + 1)
        if evidence:
            accepted[candidate["id"]] = evidence
        else:
            rejected.append(turned_down(candidate, verdict, reason))
    names = {item["id"]: item["id"] for item in earlier}
    names |= {passage: item["id"] for passage, item in accepted.items()}
    for passage, item in accepted.items():
        others = {names[one] for one in verdicts[passage].contradicts if one in names}
        item["contradicts"] = sorted(others - {item["id"]})
    return list(accepted.values()), rejected


def accept(
    candidate: Candidate, verdict: PassageVerdict, number: int
) -> tuple[Evidence | None, str]:
    """The evidence that a verdict makes of a candidate, or None and why not."""
    if verdict.relevant != "yes":
        return None, verdict.reason
    span = locate(verdict.quote, candidate["text"])
    if span is None:
        return None, f"the quote does not stand in the passage ({verdict.reason})"
    start, end = span
    evidence: Evidence = {
        "id": f"e{number}",
        "kind": candidate.get("kind", "passage"),
        "quote": candidate["text"][start:end],
        "document_id": candidate["document_id"],
        "chunk_id": candidate["chunk_id"],
        "source": candidate["source"],
        "title": candidate["title"],
        "heading": candidate["heading"],
        "page": _page(candidate, candidate["start"] + start),
        "start": candidate["start"] + start,
        "end": candidate["start"] + end,
        "sha256": candidate["sha256"],
        "version": candidate["version"],
        "query": candidate["query"],
        "subgoal_id": candidate["subgoal_id"],
        "tool": candidate["tool"],
        "scores": candidate["scores"],
        "reason": verdict.reason,
        "contradicts": [],
        "retrieved_at": candidate["retrieved_at"],
    }
    evidence["sketch"] = sketch(candidate["text"])
    if verdict.supports:
        evidence["supports"] = True
    for name in ("authority", "effective_from", "effective_to", "statement", "parameters", "rows"):
        if candidate.get(name) not in (None, ""):
            evidence[name] = candidate[name]
    return evidence, verdict.reason


def _page(candidate: Candidate, offset: int) -> int | None:
    """The page on which the character at an offset of the document's text stands."""
    first = candidate["page"]
    if first is None:
        return None
    return first + sum(one <= offset for one in candidate.get("page_breaks", []))


def unsupported(statement: str, evidence: list[Evidence]) -> list[str]:
    """Names, codes and numbers of a statement that stand in none of the evidence.

    A number may also be the difference of two that do.
    """
    grounds = "\n".join(
        f"{item['quote']}\n{item['title']}\n{item['heading']}\n{item['version']}"
        for item in evidence
    )
    return [
        anchor
        for anchor in hard_anchors(statement)
        if not contains_anchor(grounds, anchor) and not is_difference(anchor, statement, grounds)
    ]


def turned_down(candidate: Candidate, verdict: PassageVerdict, reason: str) -> Json:
    """The compact history row of a passage that did not become evidence."""
    return {
        "chunk_id": candidate["chunk_id"],
        "source": candidate["source"],
        "title": candidate["title"],
        "heading": candidate["heading"],
        "verdict": verdict.relevant if verdict.relevant != "yes" else "no",
        "reason": reason[:300],
    }
