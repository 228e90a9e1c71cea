"""`grade`: believe a passage only for a reason, and only with a quote that stands in it."""

from dataclasses import dataclass, field
from typing import Any

from langgraph.runtime import Runtime
from langgraph.types import Overwrite

from nodes.calls import Judged, total
from nodes.conclude import Conclusion, conclude, source_row
from nodes.corrective import only_corrective, web_steps
from nodes.evidence import sort_out, unsupported
from nodes.judging import judge_again, judge_all
from nodes.services import Services
from nodes.subgoals import follow_lead
from policy.protocol import Grade, Lead
from state.coverage import hopeless
from state.reducers import merge_by_id
from state.sources import usable
from state.standing import judged_since, standing
from state.stop import round_row
from state.types import Candidate, Evidence, Json, RunState, Spent, Subgoal


@dataclass
class Round:
    """What grading one round has brought so far."""

    evidence: list[Evidence] = field(default_factory=list)
    subgoals: list[Subgoal] = field(default_factory=list)
    changed: dict[str, Evidence] = field(default_factory=dict)
    """Earlier evidence that counts for something else by now, by id."""
    history: list[Json] = field(default_factory=list)
    spent: list[Spent] = field(default_factory=list)


def grade(services: Services, state: RunState, runtime: Runtime[Any]) -> Json:
    """Grade the new passages of every subgoal, then close what can no longer be solved."""
    found = Round()
    waiting = [
        (subgoal, fresh)
        for subgoal in state["subgoals"]
        if subgoal["status"] == "pending" and (fresh := _not_judged_before(state, subgoal["id"]))
    ]
    judgements = judge_all(services, state, runtime, waiting)
    found.spent += [one.spent for one in judgements if one]
    for (subgoal, fresh), judged in zip(waiting, judgements, strict=True):
        _take_in(services, state, runtime, subgoal, fresh, judged, found)
    solved = [item["id"] for item in found.subgoals if item.get("status") == "solved"]
    found.history.append(_round(state, found, solved))
    subgoals: list[Subgoal] = merge_by_id(state["subgoals"], found.subgoals)  # type: ignore
    asks_web = web_steps(services, {**state, "subgoals": subgoals}, runtime)
    tried = _tried(state) - {search["subgoal_id"] for search in asks_web}
    closed = hopeless(subgoals, tried, state["budget"]["limits"]["rewrites"])
    return {
        "candidates": Overwrite([]),
        "queue": [],
        "evidence": _all_evidence(state, found),
        "subgoals": merge_by_id(found.subgoals, closed),  # type: ignore[arg-type]
        "history": found.history,
        "budget": {"spent": total(found.spent)},
    }


def _all_evidence(state: RunState, found: Round) -> Any:
    """The update of the evidence: what is new, or all of it where earlier pieces have changed."""
    old = state.get("evidence", [])
    kept = [found.changed.get(item["id"], item) for item in old]
    return Overwrite([*kept, *found.evidence]) if kept != old else found.evidence


def _take_in(
    services: Services,
    state: RunState,
    runtime: Runtime[Any],
    subgoal: Subgoal,
    candidates: list[Candidate],
    judged: Judged[Grade] | None,
    found: Round,
) -> None:
    if judged is None:
        row = {"node": "grade", "action": "not_graded", "subgoal_id": subgoal["id"]}
        found.history.append({**row, "reason": "no budget left for judging"})
        return
    earlier = [*state.get("evidence", []), *found.evidence]
    accepted, rejected = sort_out(judged.judgement, candidates, earlier)
    found.evidence.extend(accepted)
    fresh = {item["id"] for item in accepted}
    own = [item for item in _believed(state, found) if item["subgoal_id"] == subgoal["id"]]
    done = conclude(subgoal, judged.judgement, own, fresh, state, runtime.context.as_of)
    cost: Json = {}
    if done.set_aside:
        kept = {item["chunk_id"] for item in accepted if item["id"] not in done.set_aside}
        spent = total(found.spent)
        again = judge_again(services, state, runtime, subgoal, candidates, kept, spent)
        if again:
            found.spent.append(again.spent)
            cost = again.cost
            done = conclude(subgoal, again.judgement, own, fresh, state, runtime.context.as_of)
    _write_down(subgoal, judged, done, fresh, rejected, found)
    _follow(judged.judgement.lead, subgoal, done, fresh, state, found)
    if own:
        found.history.append({**source_row(subgoal["id"], done), **cost})
    _tell(runtime, done, fresh, found)


def _believed(state: RunState, found: Round) -> list[Evidence]:
    """All evidence that stands, with what this round has made of it so far."""
    earlier = [found.changed.get(item["id"], item) for item in state.get("evidence", [])]
    return standing([*earlier, *found.evidence])


def _write_down(
    subgoal: Subgoal,
    judged: Judged[Grade],
    done: Conclusion,
    fresh: set[str],
    rejected: list[Json],
    found: Round,
) -> None:
    """The subgoal's update, its evidence with what it counts for, and the row of the round."""
    by_id = {item["id"]: item for item in done.evidence}
    found.evidence[:] = [by_id.get(item["id"], item) for item in found.evidence]
    found.changed |= {name: item for name, item in by_id.items() if name not in fresh}
    update: Subgoal = {
        "id": subgoal["id"],
        "status": "solved" if done.solved else "pending",
        "answer": done.answer,
        "reason": done.reason[:300],
        "evidence_ids": [item["id"] for item in usable(done.evidence)],
    }
    if done.claim or subgoal.get("claim"):
        update["claim"] = done.claim
    found.subgoals.append(update)
    unknown = judged.judgement.covered == "unknown"
    found.history.append(
        {
            "node": "grade",
            "action": "graded",
            "subgoal_id": subgoal["id"],
            "accepted": sorted(fresh, key=lambda name: int(name[1:])),
            "rejected": rejected,
            "covered": "yes" if done.solved else "unknown" if unknown else "no",
            "level": "solid" if done.solved else "some" if fresh else "nothing",
            "reason": done.reason[:300],
            **judged.cost,
        }
    )


def _follow(
    lead: Lead | None,
    subgoal: Subgoal,
    done: Conclusion,
    fresh: set[str],
    state: RunState,
    found: Round,
) -> None:
    """The told part of a subgoal solved and the rest asked in its place, where a lead is believed.

    None where an answer was found, or where its name stands in no accepted quote.
    """
    told = [item for item in usable(done.evidence) if item["id"] in fresh]
    if lead is None or done.solved or not told or unsupported(lead.answer, told):
        return
    known: list[Subgoal] = merge_by_id(state["subgoals"], found.subgoals)  # type: ignore
    updates = follow_lead(lead, subgoal, known, [item["id"] for item in told])
    if not updates:
        return
    names = {item["id"] for item in told}
    found.evidence[:] = [
        {**item, "subgoal_id": updates[0]["id"]} if item["id"] in names else item
        for item in found.evidence
    ]
    found.subgoals[-1] |= {"evidence_ids": []}
    found.subgoals.extend(updates)
    row = next(row for row in reversed(found.history) if row["action"] == "graded")
    row["reason"] = f"a passage leads on to {lead.answer}"[:300]


def _tell(runtime: Runtime[Any], done: Conclusion, fresh: set[str], found: Round) -> None:
    row = next(row for row in reversed(found.history) if row["action"] == "graded")
    accepted = [item for item in done.evidence if item["id"] in fresh]
    event = {"event": "graded", **row, "evidence": accepted, "answer": done.answer}
    runtime.stream_writer(event)
    if found.history[-1] is not row:
        runtime.stream_writer({"event": "judged_sources", **found.history[-1]})


def _not_judged_before(state: RunState, subgoal_id: str) -> list[Candidate]:
    """The candidates of a subgoal that no earlier round of this question has judged for it."""
    judged = {
        row["chunk_id"]
        for graded in judged_since(state.get("history", []), subgoal_id)
        if graded.get("action") == "graded" and graded["subgoal_id"] == subgoal_id
        for row in graded["rejected"]
        if row["verdict"] != "unknown"  # a reply that could not be read, or no budget: judge anew
    }
    judged |= {
        item["chunk_id"]
        for item in standing(state.get("evidence", []))
        if item["subgoal_id"] == subgoal_id
    }
    return [
        item
        for item in state.get("candidates", [])
        if item["subgoal_id"] == subgoal_id and item["chunk_id"] not in judged
    ]


def _tried(state: RunState) -> set[str]:
    """Subgoals that had a search answered, or two that failed."""
    failures = [row["subgoal_id"] for row in state["history"] if row.get("action") == "tool_error"]
    answered = {row["subgoal_id"] for row in state.get("seen_queries", [])}
    return answered | {one for one in failures if failures.count(one) >= 2}


def _round(state: RunState, found: Round, solved: list[str]) -> Json:
    """The row that closes the round: all calls since the last such row belong to it."""
    calls: list[Json] = []
    for row in reversed(state["history"]):
        if row.get("action") == "round":
            break
        calls.append(row)
    failed = sum(row.get("action") == "tool_error" for row in calls)
    searched = failed + sum(row.get("action") == "searched" for row in calls)
    row = round_row(accepted=len(found.evidence), solved=solved, searched=searched, failed=failed)
    free = {"corrective": True} if only_corrective(calls) and not found.evidence else {}
    return {"node": "grade", **row, **free}
