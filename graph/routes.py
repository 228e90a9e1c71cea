"""Where a run goes next: every edge of the graph that depends on the state."""

from collections.abc import Sequence
from typing import Literal

from langgraph.types import Send

from nodes.calls import position
from nodes.subgoals import untried
from state.budget import remaining
from state.coverage import ready, solved
from state.stop import stop
from state.types import SCHEMA_VERSION, RunState

End = Literal["generate", "give_up"]


def after_decide(state: RunState) -> End | Sequence[Send]:
    """Small talk is answered; queued searches run side by side; else the run is over."""
    if state.get("queue"):
        return fan_out(state)
    if not state.get("subgoals") and state.get("answer"):
        return "generate"
    return _end(state)


def after_grade(state: RunState) -> Literal["decide", "rewrite"] | End:
    """A stop rule ends the run; a new hop goes to `decide`; the rest is asked in another way."""
    if stop(state):
        return _end(state)
    if untried(state["subgoals"], state.get("seen_queries", [])):
        return "decide"
    if ready(state["subgoals"]):
        return "rewrite"
    return _end(state)


def after_rewrite(state: RunState) -> Literal["decide", "rewrite"] | End | Sequence[Send]:
    """Queued searches run; without any, a stop rule decides whether to try once more."""
    if state.get("queue"):
        return fan_out(state)
    return after_grade(state)


def after_end(
    state: RunState,
) -> Literal["decide", "rewrite", "generate", "give_up", "__end__"]:
    """The run is over, unless a part of the question turned out to be open and can be paid for.

    `generate` finds parts that were forgotten and evidence that no longer stands; both it and
    `give_up` offer to extend a budget.
    """
    return after_grade(state) if state["status"] == "running" else "__end__"


def fan_out(state: RunState) -> list[Send]:
    """One `retrieve` for each queued search, which knows what may be paid for before it."""
    place, queue = position(state), state["queue"]
    money = state["budget"]["limits"].get("money")
    left = None if money is None else remaining(state["budget"], "money")
    return [
        Send(
            "retrieve",
            {
                "search": search,
                "place": place,
                "money": left,
                "ahead": [one["tool"] for one in queue[:number]],
                "asked_as": state.get("asked_as"),
                "schema_version": state.get("schema_version", SCHEMA_VERSION),
            },
        )
        for number, search in enumerate(queue)
    ]


def _end(state: RunState) -> End:
    return "generate" if solved(state.get("subgoals", [])) else "give_up"
