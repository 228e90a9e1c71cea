"""`decide`: take up a new question, and plan the next hop."""

from datetime import UTC, datetime
from typing import Any

from langgraph.runtime import Runtime
from langgraph.types import Overwrite

from nodes.calls import Judged, allowance, identity_of, judge, position, total
from nodes.pauses import MAX_OPTIONS, choice
from nodes.recheck import join, recheck
from nodes.services import Services
from nodes.subgoals import accept_plan, next_round
from nodes.views import facts, tool_views, tried_queries
from policy.protocol import Plan, PlanView
from state.budget import can_judge, new_budget
from state.reducers import merge_budget, merge_by_id
from state.stop import round_row
from state.text import clean
from state.types import SCHEMA_VERSION, Json, RunState

MAX_QUESTION_CHARACTERS = 4_000
MAX_REPLY_CHARACTERS = 500
_RESET = (
    "conversation",
    "subgoals",
    "candidates",
    "evidence",
    "seen_queries",
    "history",
    "budget",
)


def decide(services: Services, state: RunState, runtime: Runtime[Any]) -> Json:
    """Plan with the policy, cut the plan to something sane, and queue the next searches."""
    entered = bool(state.get("question")) or state.get("status") != "running"
    if not entered:
        place = position(state)
        state, stale = recheck(services, state, runtime, "decide")
        return join(stale, _plan(services, state, runtime, place))
    fresh = begin(state, runtime)
    here: RunState = {**state, **fresh}  # type: ignore[typeddict-item]
    update = _plan(services, here, runtime, position(here))
    merged = {**fresh, **update, "history": [*fresh["history"], *update["history"]]}
    merged["budget"] = merge_budget(fresh["budget"], update.get("budget"))
    for field in _RESET:
        merged[field] = Overwrite(merged[field])
    return merged


def begin(state: RunState, runtime: Runtime[Any]) -> Json:
    """The clean start of a question: nothing of an earlier one but the conversation.

    A conversation is not handed on to another identity.
    """
    context = runtime.context
    identity = identity_of(runtime)
    asker = {"user": identity.user, "groups": sorted(identity.groups)}
    conversation = state.get("conversation", []) if state.get("asked_as") == asker else []
    return {
        "question": "",
        "asked_as": asker,
        "asked_on": context.today or datetime.now(UTC).astimezone().date().isoformat(),
        "conversation": conversation,
        "original_question": _as_text(state.get("question")).strip(),
        "resolved_question": "",
        "question_number": state.get("question_number", 0) + 1,
        "subgoals": [],
        "queue": [],
        "candidates": [],
        "evidence": [],
        "seen_queries": [],
        "history": _dropped(state, asker),
        "budget": new_budget(context.limits()),
        "status": "running",
        "stop_reason": "",
        "answer": {},
        "schema_version": SCHEMA_VERSION,
    }


def _as_text(given: Any) -> str:
    """The question; anything but a text, as a server lets through, is none."""
    return clean(given) if isinstance(given, str) else ""


def _dropped(state: RunState, asker: Json) -> list[Json]:
    """A row for an unfinished question that this one takes the place of, as servers allow."""
    if state.get("status") != "running" or not state.get("original_question"):
        return []
    same = state.get("asked_as") == asker
    question = state["original_question"][:300] if same else "(of another identity)"
    return [{"node": "decide", "action": "dropped_question", "question": question}]


def why_not_a_question(question: str) -> str | None:
    """The sentence that turns down an input that is no question, or None."""
    question = clean(question)
    if not any(letter.isalnum() for letter in question):
        return "The question is empty: ask something in words."
    if len(question) > MAX_QUESTION_CHARACTERS:
        return (
            f"The question has {len(question):,} characters; at most "
            f"{MAX_QUESTION_CHARACTERS:,} are accepted. Ask one question, and put long texts "
            "into documents."
        )
    return None


def _plan(services: Services, state: RunState, runtime: Runtime[Any], place: Json) -> Json:
    refused = why_not_a_question(state["original_question"])
    if refused:
        row = {"node": "decide", "action": "refused_question", "reason": refused}
        return {"queue": [], "stop_reason": refused, "history": [row]}
    if not can_judge(state["budget"]):
        return {"queue": [], "history": [{"node": "decide", "action": "no_budget"}]}
    view, within = _view(services, state, runtime), allowance(state["budget"])
    judged = judge(services, runtime, place, "plan", view, Plan, within)
    if judged.judgement.clarify and runtime.context.pause and not state.get("subgoals"):
        return _clarified(services, state, runtime, place, judged)
    if is_direct(judged.judgement, state):
        return _direct(services, judged)
    return _hop(services, state, judged, runtime)


def _clarified(
    services: Services, state: RunState, runtime: Runtime[Any], place: Json, asked: Judged[Plan]
) -> Json:
    """Plan again with the reading that the asker chose; asked once a question.

    The first plan costs nothing when this node runs again for the reply: it is in the ledger.
    """
    question = state["original_question"]
    chosen = choice(question, asked.judgement.clarify[:MAX_OPTIONS])
    view: PlanView = {**_view(services, state, runtime), "clarified": chosen, "may_ask": False}
    budget = merge_budget(state["budget"], {"spent": asked.spent})  # type: ignore[arg-type]
    within = allowance(budget)  # type: ignore[arg-type]
    place = {**place, "clarified": True}
    again = judge(services, runtime, place, "plan", view, Plan, within)
    plan = again.judgement
    if plan.route == "direct" or not plan.question.strip():
        plan = plan.model_copy(update={"route": "retrieve", "question": chosen})
    spent = total([asked.spent, again.spent])
    update = _hop(services, state, Judged(plan, spent, again.cost), runtime)
    row = {"node": "decide", "action": "clarified", "chosen": chosen}
    return join({"history": [row]}, update)


def _view(services: Services, state: RunState, runtime: Runtime[Any]) -> PlanView:
    return {
        "original_question": state["original_question"],
        "conversation": state.get("conversation", []),
        "subgoals": state.get("subgoals", []),
        "facts": facts(state),
        "tried": tried_queries(state),
        "tools": tool_views(services, runtime),
        "may_ask": runtime.context.pause and not state.get("subgoals"),
        "today": state.get("asked_on", ""),
    }


def is_direct(plan: Plan, state: RunState) -> bool:
    """Whether the reply may leave without a source: small talk, at the start, without figures."""
    reply = plan.reply.strip()
    return (
        plan.route == "direct"
        and not state.get("subgoals")
        and 0 < len(reply) <= MAX_REPLY_CHARACTERS
        and not any(letter.isdigit() for letter in reply)
    )


def _direct(services: Services, judged: Judged[Plan]) -> Json:
    plan = judged.judgement
    row = {
        "node": "decide",
        "action": "direct",
        "reason": plan.reason[:300],
        "policy": services.policy.name,
        "policy_version": services.policy.version,
        **judged.cost,
    }
    return {
        "queue": [],
        "answer": {"text": plan.reply.strip()},
        "history": [row],
        "budget": {"spent": judged.spent},
    }


def _hop(services: Services, state: RunState, judged: Judged[Plan], runtime: Runtime[Any]) -> Json:
    plan, spent = judged.judgement, judged.spent
    question = plan.question.strip() or state.get("resolved_question") or ""
    updates, notes = accept_plan(
        plan.subgoals, state.get("subgoals", []), question or state["original_question"]
    )
    subgoals = merge_by_id(state.get("subgoals", []), updates)  # type: ignore[arg-type]
    budget = merge_budget(state["budget"], {"spent": spent})  # type: ignore[arg-type]
    queue = next_round(subgoals, state.get("seen_queries", []), budget)  # type: ignore[arg-type]
    row = {
        "node": "decide",
        "action": "plan",
        "reason": plan.reason[:300],
        "subgoals": [{"id": item["id"], "question": item["question"]} for item in updates],
        "queries": [search["query"] for search in queue],
        "notes": notes,
        "policy": services.policy.name,
        "policy_version": services.policy.version,
        **judged.cost,
    }
    hops = sum(bool(one.get("queries")) for one in state["history"] if one.get("action") == "plan")
    runtime.stream_writer({"event": "planned", "hop": hops + 1, **row})
    history = [row]
    if queue:
        spent = {**spent, "steps": 1}
    else:
        history.append(round_row(accepted=0, solved=[], searched=0, failed=0, repeated=True))
    return {
        "resolved_question": question,
        "subgoals": updates,
        "queue": queue,
        "history": history,
        "budget": {"spent": spent},
    }
