"""Checking a draft against the evidence, and turning it into an answer with numbered citations."""

import re

from nodes.evidence import unsupported
from nodes.wording import denied_parts, say, say_missing
from policy.protocol import Draft, DraftSentence
from state.coverage import coverage, fill_in, solved
from state.sources import outranks, says, usable
from state.text import comparable
from state.types import Answer, Citation, Evidence, RunState, Subgoal


def compose(draft: Draft, state: RunState, missing: list[str], as_of: str = "") -> Answer:
    """Keep the sentences that evidence supports, number their sources, name what is missing.

    Evidence ids that do not exist are taken out; a sentence left without one, or with a name,
    code or number that its evidence does not hold, is dropped and listed.
    """
    known = {item["id"]: item for item in usable(state["evidence"])}
    kept, dropped = _supported(draft, known)
    if not kept:
        kept, _ = _supported(from_quotes(state), known)
    kept += _left_out(kept, known, state)
    numbers: dict[tuple[str, int, int], int] = {}
    citations: list[Citation] = []
    lines = [_numbered(sentence, known, numbers, citations) for sentence in kept]
    lines += _disagreements(kept, known, numbers, citations, state["original_question"], as_of)
    claims, unheard = _claims(state, numbers, citations)
    lines += say_missing(state, besides=unheard) if missing else []
    lines += claims
    short = draft.short.strip()
    used = [known[one] for sentence in kept for one in sentence.evidence_ids]
    return {
        "text": "\n".join(dict.fromkeys(lines)),
        "short": short if _is_held(short, kept, used) else "",
        "citations": citations,
        "missing": missing,
        "denied": denied_parts(state),
        "coverage": coverage(state["subgoals"]),
        "dropped": dropped,
    }


def _is_held(short: str, kept: list[DraftSentence], used: list[Evidence]) -> bool:
    """Whether the bare answer stands in what was kept or in the evidence for it."""
    return not unsupported(short, used) or any(
        re.search(rf"(?<!\w){re.escape(short)}(?!\w)", sentence.text) for sentence in kept
    )


def from_quotes(state: RunState) -> Draft:
    """An answer that needs no policy: what was found for every solved subgoal, quoted."""
    known = {item["id"]: item for item in usable(state["evidence"])}
    found = [item for item in solved(state["subgoals"]) if item["evidence_ids"]]
    return Draft(sentences=[_quoted(item, known) for item in found], short="")


def _quoted(subgoal: Subgoal, known: dict[str, Evidence]) -> DraftSentence:
    """The quote that holds the answer of a solved subgoal, or else the last one accepted."""
    ids = sorted(subgoal["evidence_ids"], key=lambda one: known[one].get("use", "USE") != "USE")
    answer = comparable(subgoal["answer"])
    last = subgoal["evidence_ids"][-1]
    best = next((one for one in ids if answer in comparable(known[one]["quote"])), last)
    return DraftSentence(text=f"“{known[best]['quote']}”", evidence_ids=[best])


def _left_out(
    kept: list[DraftSentence], known: dict[str, Evidence], state: RunState
) -> list[DraftSentence]:
    """Quotes for the solved parts of the question that no kept sentence rests on.

    A part that another one was built on (a hop) need not be in the answer.
    """
    cited = {_span(known[one]) for sentence in kept for one in sentence.evidence_ids}
    found = solved(state["subgoals"])
    hops = {one for item in found for one in item.get("depends_on", [])}
    return [
        _quoted(item, known)
        for item in found
        if item.get("required", True)
        and item["id"] not in hops
        and cited.isdisjoint(_span(known[one]) for one in item["evidence_ids"])
    ]


def _span(evidence: Evidence) -> tuple[str, int, int]:
    return evidence["document_id"], evidence["start"], evidence["end"]


def _supported(draft: Draft, known: dict[str, Evidence]) -> tuple[list[DraftSentence], list[str]]:
    kept: list[DraftSentence] = []
    dropped: list[str] = []
    for sentence in draft.sentences:
        ids = [one for one in dict.fromkeys(sentence.evidence_ids) if one in known]
        evidence = [known[one] for one in ids]
        if ids and sentence.text.strip() and not unsupported(sentence.text, evidence):
            kept.append(DraftSentence(text=sentence.text.strip(), evidence_ids=ids))
        elif sentence.text.strip():
            dropped.append(sentence.text.strip()[:300])
    return kept, dropped


def _numbered(
    sentence: DraftSentence,
    known: dict[str, Evidence],
    numbers: dict[tuple[str, int, int], int],
    citations: list[Citation],
) -> str:
    marks = [_cite(known[one], numbers, citations) for one in sentence.evidence_ids]
    return f"{sentence.text} {''.join(dict.fromkeys(marks))}"


def _cite(
    evidence: Evidence,
    numbers: dict[tuple[str, int, int], int],
    citations: list[Citation],
) -> str:
    """The mark of a piece of evidence; the same span of the same document has one number."""
    span = _span(evidence)
    if span not in numbers:
        numbers[span] = len(numbers) + 1
        citations.append(_citation(evidence, numbers[span]))
    return f"[{numbers[span]}]"


def _citation(evidence: Evidence, number: int) -> Citation:
    citation: Citation = {
        "number": number,
        "evidence_id": evidence["id"],
        "source": evidence["source"],
        "title": evidence["title"],
        "heading": evidence["heading"],
        "page": evidence["page"],
        "start": evidence["start"],
        "end": evidence["end"],
        "quote": evidence["quote"],
        "version": evidence["version"],
    }
    if evidence["kind"] != "passage":
        for name in ("kind", "statement", "parameters", "rows", "retrieved_at"):
            if name in evidence:
                citation[name] = evidence[name]
    return citation


def _disagreements(
    kept: list[DraftSentence],
    known: dict[str, Evidence],
    numbers: dict[tuple[str, int, int], int],
    citations: list[Citation],
    question: str,
    as_of: str,
) -> list[str]:
    """One line for each piece of used evidence that another piece contradicts."""
    used = {one for sentence in kept for one in sentence.evidence_ids}
    lines = []
    for item in known.values():
        for other in item["contradicts"]:
            if other in known and (item["id"] in used or other in used):
                name, pair = _ranked(known[other], item, question, as_of)
                first, second = (
                    f"“{one['quote']}” {_cite(one, numbers, citations)}" for one in pair
                )
                lines.append(say(question, name, first=first, second=second))
    return lines


def _ranked(
    one: Evidence, other: Evidence, question: str, as_of: str
) -> tuple[str, tuple[Evidence, Evidence]]:
    """The wording for two that disagree, and both, the one that counts more first."""
    day = as_of or max(one["retrieved_at"], other["retrieved_at"])[:10]
    if outranks(one, other, question, day):
        return "disagree_ranked", (one, other)
    if outranks(other, one, question, day):
        return "disagree_ranked", (other, one)
    return "disagree", (one, other)


def _claims(
    state: RunState, numbers: dict[tuple[str, int, int], int], citations: list[Citation]
) -> tuple[list[str], set[str]]:
    """A line for each open part that too few sources answer, and the questions of those parts."""
    lines, parts = [], set()
    for item, saying in claimed(state):
        part = fill_in(item["question"], state["subgoals"])
        if saying:
            marks = "".join(dict.fromkeys(_cite(one, numbers, citations) for one in saying))
            quote = f"“{saying[0]['quote']}” {marks}"
            lines.append(say(state["original_question"], "too_few", part=part, quote=quote))
            parts.add(part)
    return lines, parts


def claimed(state: RunState) -> list[tuple[Subgoal, list[Evidence]]]:
    """The required parts left open for want of independent sources, with what says so."""
    known = {item["id"]: item for item in usable(state.get("evidence", []))}
    found = []
    for item in state["subgoals"]:
        if item.get("claim") and item["status"] != "solved" and item.get("required", True):
            own = [known[one] for one in item["evidence_ids"] if one in known]
            found.append((item, [one for one in own if says(item["claim"], one)] or own))
    return found
