"""The offer to extend a budget that is used up, where the asker may be asked."""

from typing import Any

from langgraph.runtime import Runtime

from nodes.pauses import extension
from state.budget import exhausted, extended
from state.stop import stop
from state.types import Json, RunState


def offer_more(state: RunState, runtime: Runtime[Any]) -> Json | None:
    """The update that extends the budget, or None where it is not used up or not wanted."""
    fired = stop(state)
    if exhausted(state["budget"], ("money",)):
        return None  # steps cost money: more of them do not help
    if not runtime.context.pause or not fired or fired["rule"] != "budget_exhausted":
        return None
    steps = extension(fired["detail"])
    if not steps:
        return None
    row = {"node": "resume", "action": "extended", "steps": steps}
    return {"budget": {"limits": extended(state["budget"], steps)}, "history": [row]}
