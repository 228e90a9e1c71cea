"""Every tool call and every policy call of a node goes through here, and so through the ledger."""

from typing import Any, TypeVar

from langgraph.runtime import Runtime
from pydantic import BaseModel

from nodes.services import Entry, Json, RunContext, Services
from policy.protocol import Draft, Grade, Plan, Rewrite
from retrieval.access import Identity
from retrieval.tools import registry
from state.budget import add
from state.types import QueuedSearch, RunState, Spent

Judgement = TypeVar("Judgement", bound=BaseModel)
_REPLIES: dict[str, type[BaseModel]] = {
    "plan": Plan,
    "grade": Grade,
    "rewrite": Rewrite,
    "write": Draft,
}


def identity_of(context: RunContext) -> Identity:
    """The asker, from the run's context and from nowhere else."""
    return Identity(user=context.user, groups=frozenset(context.groups))


def position(state: RunState) -> Json:
    """Where in a run a call is made: the same after a crash, different for a later call."""
    return {"question": state["question_number"], "at": len(state.get("history", []))}


def judge(
    services: Services,
    runtime: Runtime[Any],
    place: Json,
    role: str,
    view: Any,
    reply: type[Judgement],
) -> tuple[Judgement, Spent]:
    """One policy call: its validated judgement and what it cost."""
    policy = services.policy
    key = _key(services, runtime, place, kind="policy", name=f"{policy.name}.{role}")
    key.update(version=policy.version, arguments=view)

    def work() -> Json:
        judgement, usage = getattr(policy, role)(view)
        return {"result": judgement.model_dump(), "usage": dict(usage)}

    entry = services.ledger.call(key, work)
    assert entry.result is not None  # the ledger raises what a policy raises
    return reply.model_validate(entry.result["result"]), _spent(entry, "model_calls")


def use_tool(
    services: Services, runtime: Runtime[Any], place: Json, search: QueuedSearch
) -> tuple[Entry, Spent]:
    """One tool call with the asker's rights: its entry (a failure is an entry too), its cost."""
    identity = identity_of(runtime.context)
    arguments = {"query": search["query"]}
    depth = runtime.context.depth
    key = _key(services, runtime, place, kind="tool", name=search["tool"])
    key.update(arguments=arguments, depth=depth, subgoal=search["subgoal_id"])

    def work() -> Json:
        found = registry.call(services.tools, search["tool"], arguments, identity, depth)
        return {"passages": found.passages, "degraded": found.degraded}

    entry = services.ledger.call(key, work)
    return entry, _spent(entry, "tool_calls")


def total(parts: list[Spent]) -> Spent:
    """What several calls cost together."""
    spent: Spent = {}
    for part in parts:
        spent = add(spent, part)
    return spent


def _key(services: Services, runtime: Runtime[Any], place: Json, *, kind: str, name: str) -> Json:
    identity = identity_of(runtime.context)
    info = runtime.execution_info
    return {
        "thread": (info.thread_id if info else None) or "",
        **place,
        "kind": kind,
        "name": name,
        "user": identity.user,
        "groups": sorted(identity.groups),
        "generation": services.generation(),
    }


def _spent(entry: Entry, counter: str) -> Spent:
    spent: dict[str, float] = {counter: entry.attempts, "seconds": round(entry.seconds, 4)}
    if entry.tokens:
        spent["tokens"] = entry.tokens
    if entry.money:
        spent["money"] = entry.money
    return spent  # type: ignore[return-value]
