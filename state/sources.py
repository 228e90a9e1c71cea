"""Judging sources: what a piece of accepted evidence counts for, and whether that is enough.

Relevance is the policy's verdict, which made a passage evidence. The rest follows from what
is known of the source: recency, authority, completeness, independence.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from state.anchors import contains_anchor, hard_anchors
from state.independence import independent, is_copy
from state.recency import (
    asks_for_today,
    begins,
    in_force,
    of_year,
    same_subject,
    superseded_by,
    years_asked,
)
from state.standing import standing
from state.text import comparable
from state.types import Evidence, Use

USUAL_AUTHORITY, OUTSIDE_AUTHORITY = 0.5, 0.2
"""Of a source of which nothing is stated: kept by the operator, or by somebody else."""
_COUNTS_MORE = 0.1
"""The difference in authority from which one source counts more than another."""


class Judged(NamedTuple):
    """What a piece of evidence counts for, and why.

    `better` is the id of the evidence that stands in its place where it was set aside for one:
    a newer version, or a source that contradicts it and counts more.
    """

    use: Use
    reason: str
    better: str = ""


def authority_of(stated: object, tool: str, trusted: bool, weights: Mapping[str, float]) -> float:
    """How much a source counts, 0 to 1.

    `stated` is what its document says: a number, or a name that `weights` gives one. Nobody but
    the operator says it of a tool that is not trusted, by the tool's name in `weights`.
    """
    usual = weights.get(tool, USUAL_AUTHORITY if trusted else OUTSIDE_AUTHORITY)
    if not trusted or stated in (None, ""):
        return usual
    if (name := str(stated)) in weights:
        return weights[name]
    try:
        number = float(name)
    except ValueError:
        return usual
    return number if 0 <= number <= 1 else usual


def usable(evidence: Sequence[Evidence]) -> list[Evidence]:
    """The evidence that is still believed and was not discarded: what may be cited."""
    return [item for item in standing(list(evidence)) if item.get("use") != "DISCARD"]


def judge_sources(
    evidence: Sequence[Evidence], question: str, answer: str, day: str
) -> dict[str, Judged]:
    """What each piece of a subgoal's evidence counts for, by id.

    `question` is all that was asked, `answer` the one that the grader took from the evidence
    (or ""), `day` the ISO date on which a source is to be in force.
    """
    saying = [item for item in evidence if says(answer, item)] or list(evidence)
    stating = {item["id"] for item in saying}
    return {item["id"]: _judge(item, evidence, question, stating, day) for item in evidence}


def says(answer: str, item: Evidence) -> bool:
    """Whether a quote holds an answer: its words, or all names, codes and numbers in it."""
    if not answer.strip():
        return False
    if comparable(answer).rstrip(" .") in comparable(item["quote"]):
        return True
    anchors = hard_anchors(answer)
    if not anchors:
        return bool(item.get("supports"))
    return all(contains_anchor(item["quote"], one) for one in anchors)


def sources_of(answer: str, evidence: Sequence[Evidence]) -> list[list[Evidence]]:
    """The evidence that is of use and holds an answer, in groups of one independent source."""
    used = [item for item in evidence if item.get("use", "USE") == "USE"]
    return independent([item for item in used if says(answer, item)] or used)


def outranks(one: Evidence, other: Evidence, question: str, day: str) -> str:
    """Why one of two sources that disagree counts more, or ""."""
    first, second = (item.get("authority", USUAL_AUTHORITY) for item in (one, other))
    if abs(first - second) >= _COUNTS_MORE - 1e-9:
        return f"authority {first:g} against {second:g}" if first > second else ""
    if _asked_instead(one, other, question):
        return f"of {years_asked(question)[0]}"
    newer = bool(begins(other)) and begins(one) > begins(other) and in_force(one, day)
    if newer and asks_for_today(question):
        return f"newer: {begins(one)} against {begins(other)}"
    return ""


def _judge(
    item: Evidence, evidence: Sequence[Evidence], question: str, stating: set[str], day: str
) -> Judged:
    others = [one for one in evidence if one["id"] != item["id"]]
    if asks_for_today(question) and (newer := superseded_by(item, others, day)):
        return Judged("DISCARD", f"superseded: {_named(newer)} is in force", newer["id"])
    for one in others:
        why = disagree(item, one) and outranks(one, item, question, day)
        if why:
            reason = f"{one['id']} says something else and counts more ({why})"
            return Judged("SUPPLEMENT", reason, one["id"])
        if _asked_instead(one, item, question):
            return Judged("SUPPLEMENT", "of another year than the one asked for", one["id"])
    if item["id"] not in stating:
        return Judged("SUPPLEMENT", "relevant, but does not state the answer")
    original = _original(item, [one for one in evidence if one["id"] in stating])
    if original is not item:
        return Judged("SUPPLEMENT", f"a copy of {original['id']}: no source of its own")
    if asks_for_today(question) and begins(item) > day:
        return Judged("SUPPLEMENT", f"not in force before {begins(item)}")
    return Judged("USE", f"relevant; authority {item.get('authority', USUAL_AUTHORITY):g}")


def disagree(one: Evidence, other: Evidence) -> bool:
    """Whether either of two pieces of evidence was judged to contradict the other."""
    return other["id"] in one.get("contradicts", []) or one["id"] in other.get("contradicts", [])


def _asked_instead(one: Evidence, item: Evidence, question: str) -> bool:
    """Whether a question asks for the year of the one and not for that of the other version."""
    years = years_asked(question)
    if len(years) != 1 or not same_subject(one, item):
        return False
    return of_year(one, years[0]) and not of_year(item, years[0])


def _original(item: Evidence, evidence: Sequence[Evidence]) -> Evidence:
    """Of copies in several documents the one that counts: of authority, newer, accepted first."""
    copies = [one for one in evidence if one is item or _repeats(one, item)]
    return max(copies, key=lambda one: (one.get("authority", USUAL_AUTHORITY), begins(one)))


def _repeats(one: Evidence, item: Evidence) -> bool:
    """Whether two documents hold one text; its versions, and what disagrees, are no copies."""
    if one["document_id"] == item["document_id"] or disagree(one, item):
        return False
    versions = same_subject(one, item) and begins(one) != begins(item)
    return not versions and is_copy(one, item)


def _named(item: Evidence) -> str:
    version = item.get("version", "")
    title = item.get("title") or item.get("source", "")
    return title if not version or version in title else f"{title} ({version})"
