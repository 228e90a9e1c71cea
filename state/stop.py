"""When a run ends: the stop rules, in their order, read off the state alone.

A *round* is one attempt to learn something: a fan-out of searches and its grading, or a
proposal that could not be searched because it repeated an earlier query. `grade` and
`rewrite` each close a round with a history row ``{"action": "round", ...}``. One marked
"corrective" asked the web in vain and is no attempt of its own.
"""

from typing import Literal, TypedDict

from state.budget import exhausted
from state.coverage import coverage, pending, solved
from state.types import Json, RunState

StopRule = Literal[
    "solved",
    "budget_exhausted",
    "repeated_query",
    "no_progress",
    "insufficient_evidence",
    "tools_failed",
]


class Stop(TypedDict):
    """The rule that fired, and what it saw."""

    rule: StopRule
    detail: str


def round_row(
    *, accepted: int, solved: list[str], searched: int, failed: int, repeated: bool = False
) -> Json:
    """The history row that closes a round.

    `accepted` counts new evidence, `solved` names newly solved subgoals, `searched` counts
    tool calls and `failed` those of them that ended in an error.
    """
    return {
        "action": "round",
        "accepted": accepted,
        "solved": solved,
        "searched": searched,
        "failed": failed,
        "repeated": repeated,
    }


def stop(state: RunState) -> Stop | None:
    """The first stop rule that fires, or None while the run may go on."""
    subgoals = state.get("subgoals", [])
    if subgoals and coverage(subgoals) == 1.0:
        return {"rule": "solved", "detail": "every required part is answered"}
    limit = exhausted(state["budget"])
    if limit:
        allowed = state["budget"]["limits"].get(limit)
        return {"rule": "budget_exhausted", "detail": f"{limit}: {allowed} allowed, all used"}
    fruitless = _fruitless(state)
    if fruitless:
        return fruitless
    if subgoals and not pending(subgoals):
        return {"rule": "insufficient_evidence", "detail": "every open part used its rewrites"}
    return None


def _fruitless(state: RunState) -> Stop | None:
    """Whether the last rounds brought nothing, and for which reason."""
    allowed = state["budget"]["limits"].get("barren_rounds", 2)
    rounds = [
        row
        for row in state.get("history", [])
        if row.get("action") == "round" and not row.get("corrective")
    ]
    last = rounds[-allowed:]
    if len(last) < allowed or any(row["accepted"] or row["solved"] for row in last):
        return None
    if all(row["searched"] and row["failed"] == row["searched"] for row in last):
        return {"rule": "tools_failed", "detail": f"every tool call of {allowed} rounds failed"}
    if all(row["repeated"] for row in last):
        return {"rule": "repeated_query", "detail": f"{allowed} proposals repeated a search"}
    return {"rule": "no_progress", "detail": f"{allowed} rounds without new evidence"}


def final_status(state: RunState, rule: StopRule) -> str:
    """answered, partial, gave_up or failed: what a run that this rule ended has to say.

    A run none of whose tool calls came back has failed, whichever rule ended it.
    """
    if rule == "solved":
        return "answered"
    if solved(state.get("subgoals", [])):
        return "partial"
    calls = {row.get("action") for row in state.get("history", [])}
    broken = "tool_error" in calls and "searched" not in calls
    return "failed" if broken or rule == "tools_failed" else "gave_up"
