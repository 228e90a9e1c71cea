"""Asking the policy about the passages of subgoals, within what the budget leaves."""

from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Any

from langgraph.runtime import Runtime

from nodes.calls import Judged, allowance, judge, position
from nodes.services import Services
from nodes.views import facts, parts, passage_views
from policy.protocol import Bounded, Grade, GradeView
from state.budget import MAX_PARALLEL, can_judge, remaining
from state.reducers import merge_budget
from state.types import Candidate, RunState, Spent, Subgoal


def judge_all(
    services: Services,
    state: RunState,
    runtime: Runtime[Any],
    waiting: list[tuple[Subgoal, list[Candidate]]],
) -> list[Judged[Grade] | None]:
    """One judgement a subgoal, in their order; None where the budget does not reach.

    Calls of a policy that waits for a server run side by side, each with its share of the
    budget; what one of them finds is not shown to the others.
    """
    affordable = min(len(waiting), int(min(remaining(state["budget"], "model_calls"), 10_000)))
    if not can_judge(state["budget"]):
        affordable = 0
    within = allowance(state["budget"], share=max(1, affordable))

    def work(number: int) -> Judged[Grade]:
        subgoal, candidates = waiting[number]
        view = _view(state, subgoal, candidates)
        place = {**position(state), "subgoal": subgoal["id"]}
        return judge(services, runtime, place, "grade", view, Grade, within)

    side_by_side = MAX_PARALLEL if isinstance(services.policy, Bounded) else 1
    with ThreadPoolExecutor(side_by_side) as pool:
        calls = [pool.submit(copy_context().run, work, number) for number in range(affordable)]
    judged: list[Judged[Grade] | None] = [call.result() for call in calls]
    return judged + [None] * (len(waiting) - affordable)


def judge_again(
    services: Services,
    state: RunState,
    runtime: Runtime[Any],
    subgoal: Subgoal,
    candidates: list[Candidate],
    kept: set[str],
    spent: Spent,
) -> Judged[Grade] | None:
    """One more judgement of a subgoal, on some of its passages alone (by chunk).

    `spent` is what this round has used so far; None where there is nothing to judge, or no budget.
    """
    budget = merge_budget(state["budget"], {"spent": spent})  # type: ignore[arg-type]
    passages = [item for item in candidates if item["chunk_id"] in kept]
    if not passages or not can_judge(budget):  # type: ignore[arg-type]
        return None
    view = _view(state, subgoal, passages)
    place = {**position(state), "subgoal": subgoal["id"], "again": True}
    within = allowance(budget)  # type: ignore[arg-type]
    return judge(services, runtime, place, "grade", view, Grade, within)


def _view(state: RunState, subgoal: Subgoal, passages: list[Candidate]) -> GradeView:
    view: GradeView = {
        "original_question": state["original_question"],
        "subgoal": subgoal,
        "passages": passage_views(passages),
        "facts": facts(state),
    }
    if any(item.get("arguments") for item in state["subgoals"]):
        view["parts"] = parts(state["subgoals"])
    return view
