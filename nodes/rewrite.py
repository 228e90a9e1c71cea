"""`rewrite`: ask for an unsolved subgoal in another way, without losing what it asks."""

from typing import Any

from langgraph.runtime import Runtime

from nodes.calls import allowance, judge, position, total
from nodes.corrective import web_row, web_steps
from nodes.services import Services
from nodes.subgoals import MAX_QUERY_CHARACTERS, accept_plan, next_round, renamed
from nodes.views import tool_views, tried_queries
from policy.protocol import Rewrite, RewriteView, ToolView
from state.anchors import lost_anchors
from state.budget import affordable_searches, can_judge
from state.coverage import fill_in, hopeless, ready
from state.queries import was_seen
from state.reducers import merge_budget, merge_by_id
from state.stop import round_row
from state.types import Json, RunState, Spent, Subgoal


def rewrite(services: Services, state: RunState, runtime: Runtime[Any]) -> Json:
    """One new query for every ready subgoal that its searches did not solve.

    Where nothing was found inside, the web is asked the old one first, if the run allows it.
    """
    updates: list[Subgoal] = []
    history: list[Json] = []
    spent: list[Spent] = []
    subgoals = state["subgoals"]
    limit = state["budget"]["limits"]["rewrites"]
    outside = web_steps(services, state, runtime)[: affordable_searches(state["budget"])]
    corrected = {search["subgoal_id"] for search in outside}
    for search in outside:
        history.append(web_row(search))
        runtime.stream_writer({"event": "web_step", **history[-1]})
    for subgoal in ready(state["subgoals"]):
        if subgoal["id"] in corrected:
            continue
        budget = merge_budget(state["budget"], {"spent": total(spent)})  # type: ignore[arg-type]
        if subgoal["rewrites"] >= limit or not can_judge(budget):  # type: ignore[arg-type]
            continue
        place = {**position(state), "subgoal": subgoal["id"]}
        view = _view(state, subgoal, tool_views(services, runtime))
        within = allowance(budget)  # type: ignore[arg-type]
        judged = judge(services, runtime, place, "rewrite", view, Rewrite, within)
        spent.append(judged.spent)
        changed, row = _apply(judged.judgement, subgoal, {**state, "subgoals": subgoals})
        row |= judged.cost
        updates = merge_by_id(updates, changed)  # type: ignore[assignment, arg-type]
        subgoals = merge_by_id(state["subgoals"], updates)  # type: ignore[assignment, arg-type]
        history.append(row)
        runtime.stream_writer({"event": "rewritten", **row})
    budget = merge_budget(state["budget"], {"spent": total(spent)})  # type: ignore[arg-type]
    inside = next_round(subgoals, state["seen_queries"], budget)  # type: ignore[arg-type]
    queue = [*outside, *inside][: max(len(outside), affordable_searches(budget))]  # type: ignore
    if queue:
        spent.append({"steps": 1})
    else:
        closed = hopeless(subgoals, {item["id"] for item in ready(subgoals)}, limit)
        updates = merge_by_id(updates, closed)  # type: ignore[assignment, arg-type]
        history.append(
            {
                "node": "rewrite",
                **round_row(accepted=0, solved=[], searched=0, failed=0, repeated=True),
            }
        )
    return {
        "subgoals": updates,
        "queue": queue,
        "history": history,
        "budget": {"spent": total(spent)},
    }


def _view(state: RunState, subgoal: Subgoal, tools: list[ToolView]) -> RewriteView:
    graded = [
        row
        for row in state["history"]
        if row.get("action") == "graded" and row["subgoal_id"] == subgoal["id"]
    ]
    titles = [one["title"] for row in graded for one in row["rejected"]]
    return {
        "original_question": state["original_question"],
        "subgoal": {**subgoal, "question": fill_in(subgoal["question"], state["subgoals"])},
        "reason": subgoal.get("reason") or "no passage was found",
        "tried": tried_queries(state),
        "turned_down": list(dict.fromkeys(titles)),
        "tools": tools,
    }


def _apply(proposal: Rewrite, subgoal: Subgoal, state: RunState) -> tuple[list[Subgoal], Json]:
    """Updates of subgoals and the history row; a refused proposal still counts as a rewrite."""
    row: Json = {
        "node": "rewrite",
        "action": "rewritten",
        "subgoal_id": subgoal["id"],
        "strategy": proposal.strategy,
        "query": proposal.query.strip()[:MAX_QUERY_CHARACTERS],
        "reason": proposal.reason[:300],
        "abstraction": proposal.abstraction,
    }
    counted: Subgoal = {"id": subgoal["id"], "rewrites": subgoal["rewrites"] + 1}
    if proposal.strategy == "decompose" and proposal.subgoals:
        known, parent = state["subgoals"], subgoal["id"]
        planned = renamed(proposal.subgoals, parent, len(known))
        parts, notes = accept_plan(planned, known, subgoal["question"], parent)
        children = [part["id"] for part in parts]
        if children:
            counted["depends_on"] = list(dict.fromkeys([*subgoal["depends_on"], *children]))
            answers = " ".join(f"{{{child}}}" for child in children)
            counted["query"] = f"{subgoal['question']} {answers}"
            updates: list[Subgoal] = merge_by_id(parts, [counted])  # type: ignore
            return updates, {**row, "subgoals": children, "notes": notes}
    refusal = _refusal(row["query"], proposal, subgoal, state)
    if refusal:
        return [counted], {**row, "action": "refused", "refusal": refusal}
    return [{**counted, "query": row["query"]}], row


def _refusal(query: str, proposal: Rewrite, subgoal: Subgoal, state: RunState) -> str | None:
    if not query:
        return "no query was proposed"
    if was_seen(query, subgoal["tool"], subgoal["id"], state["seen_queries"]):
        return "this was searched before"
    lost = lost_anchors(fill_in(subgoal["question"], state["subgoals"]), query)
    if lost and not proposal.abstraction:
        return f"it lost {', '.join(lost)}"
    return None
