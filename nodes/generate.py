"""`generate`: write the answer from evidence, and let nothing leave that evidence does not hold."""

from typing import Any

from langgraph.runtime import Runtime

from nodes.answers import claimed, compose, from_quotes
from nodes.calls import allowance, judge, position
from nodes.extend import offer_more
from nodes.recheck import join, recheck
from nodes.services import Services
from nodes.subgoals import accept_plan
from nodes.views import facts
from nodes.wording import missing_parts
from policy.protocol import Draft, Fact, PlannedSubgoal, WriteView
from state.budget import can_judge, can_search
from state.coverage import coverage, solved
from state.stop import final_status, stop
from state.types import Answer, Json, RunState, Spent


def generate(services: Services, state: RunState, runtime: Runtime[Any]) -> Json:
    """The checked answer; or, once, new subgoals for parts of the question nobody had seen."""
    if not state.get("subgoals"):
        return _finish(state, runtime, _small_talk(state), "answered", "direct", {}, {})
    place = position(state)
    state, stale = recheck(services, state, runtime, "generate")
    if stale and can_search(state["budget"]):
        return stale
    if more := offer_more(state, runtime):
        return join(stale, more)
    return join(stale, _answer(services, state, runtime, place))


def _answer(services: Services, state: RunState, runtime: Runtime[Any], place: Json) -> Json:
    fired = stop(state) or {"rule": "no_progress", "detail": "nothing is left to try"}
    missing = missing_parts(state)
    spent: Spent = {}
    cost: Json = {}
    if can_judge(state["budget"]):
        view: WriteView = {
            "original_question": state["original_question"],
            "subgoals": state["subgoals"],
            "facts": _facts(state),
            "missing": missing,
        }
        within = allowance(
            state["budget"],
            say=lambda text: runtime.stream_writer({"event": "writing", "text": text}),
        )
        judged = judge(services, runtime, place, "write", view, Draft, within)
        draft, spent, cost = judged.judgement, judged.spent, judged.cost
        if forgotten := _forgotten(draft, state):
            forgotten["history"][0] |= cost
            return {**forgotten, "budget": {"spent": spent}}
    else:
        draft = from_quotes(state)
    answer = compose(draft, state, missing, runtime.context.as_of or state.get("asked_on", ""))
    status = final_status(state, fired["rule"])
    return _finish(state, runtime, answer, status, fired["rule"], spent, cost)


def _facts(state: RunState) -> list[Fact]:
    """What may be stated: not what too few sources say, which code reports as such."""
    unconfirmed = {item["id"] for item, _ in claimed(state)}
    return [fact for fact in facts(state) if fact["subgoal_id"] not in unconfirmed]


def _small_talk(state: RunState) -> Answer:
    return {
        "text": state["answer"]["text"],
        "short": "",
        "citations": [],
        "missing": [],
        "coverage": coverage([]),
        "dropped": [],
    }


def _forgotten(draft: Draft, state: RunState) -> Json | None:
    """New subgoals for parts that the plan forgot: once a question, and within the budget."""
    asked = any(row.get("action") == "completeness" for row in state["history"])
    if not draft.unaddressed or asked or not can_search(state["budget"]):
        return None
    first = len(state["subgoals"]) + 1
    planned = [
        PlannedSubgoal(id=f"s{first + offset}", question=part)
        for offset, part in enumerate(draft.unaddressed)
    ]
    updates, notes = accept_plan(planned, state["subgoals"], state["original_question"])
    if not updates:
        return None
    row = {
        "node": "generate",
        "action": "completeness",
        "subgoals": [{"id": item["id"], "question": item["question"]} for item in updates],
        "notes": notes,
    }
    return {"subgoals": updates, "history": [row]}


def _finish(
    state: RunState,
    runtime: Runtime[Any],
    answer: Answer,
    status: str,
    rule: str,
    spent: Spent,
    cost: Json,
) -> Json:
    row = {
        "node": "generate",
        "action": status,
        "rule": rule,
        "citations": len(answer["citations"]),
        "dropped": answer["dropped"],
        **cost,
    }
    runtime.stream_writer({"event": "finished", "status": status, "answer": answer})
    turn = {
        "question": state.get("resolved_question") or state["original_question"],
        "answer": answer["short"] or answer["text"][:500],
    }
    facts_known = bool(solved(state.get("subgoals", [])))
    return {
        "answer": answer,
        "status": status,
        "stop_reason": rule,
        "queue": [],
        "history": [row],
        "conversation": [turn] if facts_known else [],
        "budget": {"spent": spent},
    }
