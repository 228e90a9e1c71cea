"""What the evidence of a subgoal adds up to: which sources count, and whether they are enough."""

from dataclasses import dataclass

from nodes.evidence import unsupported
from policy.protocol import Grade
from state.coverage import fill_in
from state.sources import Judged, judge_sources, says, sources_of, usable
from state.types import Evidence, Json, RunState, Subgoal

MOST_REASON = 160
_NUMBERS = {2: "two", 3: "three"}


@dataclass(frozen=True)
class Conclusion:
    """A judged subgoal: its update, its evidence with `use`, the answer and why it is not solved.

    `claim` is an answer that too few sources give. `set_aside` are the ids of evidence that
    another piece stands in the place of, where nothing else holds the grader's answer.
    """

    evidence: list[Evidence]
    answer: str
    reason: str
    claim: str
    sources: int
    needed: int
    set_aside: frozenset[str] = frozenset()

    @property
    def solved(self) -> bool:
        """Whether the subgoal is answered."""
        return bool(self.answer)


def conclude(
    subgoal: Subgoal,
    grade: Grade,
    own: list[Evidence],
    fresh: set[str],
    state: RunState,
    as_of: str,
) -> Conclusion:
    """Judge the sources of a subgoal, and decide whether they answer it.

    `own` is all evidence of the subgoal that stands, `fresh` the ids of what this round brought,
    `as_of` the day on which sources have to be in force ("": the day of asking).
    An answer that one round heard of too few sources is confirmed by later ones that say it too.
    """
    claim = subgoal.get("claim", "")
    needed, question = needed_sources(subgoal, state), _asked(subgoal, state)
    answers, day = (
        _answers(grade, claim, own, fresh, needed),
        as_of or state.get("asked_on") or _day(own),
    )
    weighed = [_weigh(one, own, question, day) for one in answers]
    answer, judged, own, groups = max(weighed, key=lambda one: len(one[-1]))
    reason = _why_not(grade, answer, own)
    if not reason and len(groups) < needed and needed > 1:
        reason = _too_few(groups, needed)
        return Conclusion(own, "", reason, answer, len(groups), needed)
    return Conclusion(
        own,
        "" if reason else answer,
        reason or grade.reason,
        claim if reason else "",
        len(groups),
        needed,
        _set_aside(answer, own, judged),
    )


def _answers(
    grade: Grade, claim: str, own: list[Evidence], fresh: set[str], needed: int
) -> list[str]:
    """The answers that may hold, the earlier one first: of equal support that one is kept."""
    given = grade.answer.strip() if grade.covered == "yes" else ""
    if not claim or needed < 2:
        return [given]
    confirmed = any(says(claim, item) for item in own if item["id"] in fresh)
    return [claim, given] if given else [claim if confirmed else ""]


def _weigh(
    answer: str, own: list[Evidence], question: str, day: str
) -> tuple[str, dict[str, Judged], list[Evidence], list[list[Evidence]]]:
    """What the evidence counts for where an answer is asked about, and its independent sources."""
    judged = judge_sources(own, question, answer, day)
    marked = [_marked(item, judged[item["id"]]) for item in own]
    return answer, judged, marked, sources_of(answer, usable(marked)) if answer else []


def needed_sources(subgoal: Subgoal, state: RunState) -> int:
    """How many independent sources have to give the answer of a subgoal."""
    asked = state["budget"]["limits"].get("independent", 1) if subgoal.get("required", True) else 1
    return max(asked, 2 if subgoal.get("important") else 1)


def source_row(subgoal_id: str, conclusion: Conclusion) -> Json:
    """The history row that says what each source counts for, and why more search is needed."""
    return {
        "node": "grade",
        "action": "judged_sources",
        "subgoal_id": subgoal_id,
        "judged": [
            {"id": item["id"], "use": item["use"], "reason": item["use_reason"]}
            for item in conclusion.evidence
        ],
        "sources": conclusion.sources,
        "needed": conclusion.needed,
        "more": "" if conclusion.solved else conclusion.reason[:300],
    }


def _asked(subgoal: Subgoal, state: RunState) -> str:
    return f"{state['original_question']}\n{fill_in(subgoal['question'], state['subgoals'])}"


def _day(own: list[Evidence]) -> str:
    """The day of the last retrieval, for runs begun before the day of asking was kept."""
    return max((item.get("retrieved_at", "") for item in own), default="")[:10]


def _marked(item: Evidence, judged: Judged) -> Evidence:
    return {**item, "use": judged.use, "use_reason": judged.reason[:MOST_REASON]}


def _why_not(grade: Grade, answer: str, own: list[Evidence]) -> str:
    """Why a subgoal is not answered, or ""."""
    if grade.covered != "yes" and not answer:
        return grade.reason or "no passage covers it"
    if not own:
        return grade.reason or "no passage covers it"
    if not answer:
        return "said to be covered, but without an answer"
    if missing := unsupported(answer, own):
        return f"the answer names {', '.join(missing)}, which no quote holds"
    if not (cited := usable(own)) or unsupported(answer, cited):
        gone = next(item for item in own if item["use"] == "DISCARD")
        return f"the answer stands only in what does not count: {gone['use_reason']}"
    return ""


def _too_few(groups: list[list[Evidence]], needed: int) -> str:
    named = "; ".join(dict.fromkeys(group[0]["source"] for group in groups)) or "none that counts"
    heard = {0: "no source says so", 1: "one source says so"}.get(
        len(groups), f"{len(groups)} sources say so"
    )
    return f"{heard}: {named}; {_NUMBERS.get(needed, needed)} independent ones are asked for"


def _set_aside(answer: str, own: list[Evidence], judged: dict[str, Judged]) -> frozenset[str]:
    """What gives an answer only where it was set aside for a better source."""
    saying = [item for item in own if says(answer, item)]
    aside = {item["id"] for item in saying if judged[item["id"]].better}
    return frozenset(aside) if aside and len(aside) == len(saying) else frozenset()
