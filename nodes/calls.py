"""Every tool call and every policy call of a node goes through here, and so through the ledger."""

import hashlib
import uuid
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Generic, TypeVar

from langgraph.runtime import Runtime
from pydantic import BaseModel

from nodes.services import Entry, Json, RunContext, Services
from policy.errors import PolicyError
from policy.protocol import Allowance, Bounded, Policy
from retrieval.access import Identity
from retrieval.errors import GroundhopError
from retrieval.filters import EVERYTHING
from retrieval.tools import registry
from retrieval.tools.registry import Tool
from state.budget import add, remaining
from state.text import clean_all
from state.types import Budget, QueuedSearch, RunState, Spent

_NO_WEB = "{} may be called only by a run that allows the web (--web)."

Judgement = TypeVar("Judgement", bound=BaseModel)


class JudgementError(GroundhopError):
    """No model can judge until something is changed; the run can be resumed afterwards."""


@dataclass(frozen=True)
class Judged(Generic[Judgement]):
    """A validated judgement, what it adds to the budget, and its cost for the history."""

    judgement: Judgement
    spent: Spent
    cost: Json
    """Model, requests, tokens and money under the key "cost"; empty where no model was asked."""


def identity_of(runtime: Runtime[Any]) -> Identity:
    """The asker: whom a server has authenticated, else whom the run's context names."""
    user = runtime.server_info.user if runtime.server_info else None
    if user is None:
        context: RunContext = runtime.context
        return Identity(user=context.user, groups=frozenset(context.groups))
    try:
        groups = frozenset(str(group) for group in user["groups"])
    except (KeyError, TypeError):
        groups = frozenset()
    return Identity(user=user.identity, groups=groups)


def position(state: RunState) -> Json:
    """Where in a run a call is made: the same after a crash, different for a later call.

    `asked` tells the runs of one thread apart that a parent graph starts from nothing each time.
    """
    asked = hashlib.sha256(state["original_question"].encode()).hexdigest()[:16]
    return {
        "question": state["question_number"],
        "asked": asked,
        "at": len(state.get("history", [])),
    }


def judge(
    services: Services,
    runtime: Runtime[Any],
    place: Json,
    role: str,
    view: Any,
    reply: type[Judgement],
    allowance: Allowance,
) -> Judged[Judgement]:
    """One policy call within an allowance; raises JudgementError where no model can be had.

    What the allowance leaves is no part of the ledger's key: after a crash more is spent.
    """
    policy = services.policy
    key = _key(services, runtime, place, kind="policy", name=f"{policy.name}.{role}")
    key.update(version=policy.version, arguments=view)
    bounded: Policy = policy.within(allowance) if isinstance(policy, Bounded) else policy

    def work() -> Json:
        judgement, usage = getattr(bounded, role)(view)
        return {"result": clean_all(judgement.model_dump()), "usage": dict(usage)}

    try:
        entry = services.ledger.call(key, work)
    except PolicyError as error:
        thread = _saved_thread(runtime)
        resume = f" Then go on with `groundhop resume {thread}`." if thread else ""
        raise JudgementError(f"{error}{resume}") from None
    assert entry.result is not None  # the ledger raises what a policy raises
    usage = entry.result["usage"]
    judgement = reply.model_validate(entry.result["result"])
    return Judged(judgement, _spent_on(entry, usage), _cost(usage))


def allowance(
    budget: Budget, *, share: int = 1, say: Callable[[str], None] | None = None
) -> Allowance:
    """What one of `share` policy calls that run side by side may use of a budget."""
    return Allowance(
        tokens=remaining(budget, "tokens") // share,
        calls=max(1, remaining(budget, "model_calls") // share),
        seconds=remaining(budget, "seconds") / share,
        money=remaining(budget, "money") / share,
        say=say,
    )


def _spent_on(entry: Entry, usage: Json) -> Spent:
    """An attempt that a crash or an error ended counts as one call."""
    spent = _spent(entry, "model_calls")
    spent["model_calls"] = entry.attempts - 1 + usage.get("calls", 1)
    if usage.get("one_token_calls"):
        spent["one_token_calls"] = usage["one_token_calls"]
    return spent


def _cost(usage: Json) -> Json:
    if not usage.get("model"):
        return {}
    names = ("model", "calls", "one_token_calls", "input_tokens", "output_tokens", "money")
    cost = {name: usage[name] for name in names if usage.get(name)}
    return {"cost": {**cost, "estimated": True} if usage.get("estimated") else cost}


def tools_of(services: Services, runtime: Runtime[Any]) -> Mapping[str, Tool]:
    """The tools as they are for a run: those of the web are off where it does not allow the web."""
    if runtime.context.web:
        return services.tools
    return {
        name: replace(tool, off=tool.off or _NO_WEB.format(name)) if tool.web else tool
        for name, tool in services.tools.items()
    }


def arguments_of(search: QueuedSearch) -> Json:
    """What a queued search calls its tool with."""
    return search.get("arguments") or {"query": search["query"]}


def use_tool(
    services: Services, runtime: Runtime[Any], place: Json, search: QueuedSearch
) -> tuple[Entry, Spent]:
    """One tool call with the asker's rights: its entry (a failure is an entry too), its cost."""
    identity = identity_of(runtime)
    arguments = arguments_of(search)
    depth, filters = runtime.context.depth, runtime.context.filters()
    tools = tools_of(services, runtime)
    tool = tools.get(search["tool"])
    key = _key(services, runtime, place, kind="tool", name=search["tool"])
    key.update(arguments=arguments, depth=depth, subgoal=search["subgoal_id"])
    if tool and tool.filtered and filters != EVERYTHING:
        key["filters"] = asdict(filters)
    if tool and tool.version:
        key["version"] = tool.version

    def work() -> Json:
        found = registry.call(tools, search["tool"], arguments, identity, depth, filters)
        refused = {"refused": found.refused} if found.refused else {}
        return {"passages": found.passages, "degraded": found.degraded, **refused}

    entry = services.ledger.call(key, work)
    spent = _spent(entry, "tool_calls")
    if tool and tool.cost and not tool.off:
        spent["money"] = spent.get("money", 0) + tool.cost * entry.attempts
    return entry, spent


def total(parts: list[Spent]) -> Spent:
    """What several calls cost together."""
    spent: Spent = {}
    for part in parts:
        spent = add(spent, part)
    return spent


def _key(services: Services, runtime: Runtime[Any], place: Json, *, kind: str, name: str) -> Json:
    identity = identity_of(runtime)
    return {
        "thread": _saved_thread(runtime) or f"unsaved-{uuid.uuid4()}",
        **place,
        "kind": kind,
        "name": name,
        "user": identity.user,
        "groups": sorted(identity.groups),
        "generation": services.generation(),
    }


def _saved_thread(runtime: Runtime[Any]) -> str | None:
    """The thread's id; a graph without a checkpointer has none, and nothing of it is replayed."""
    return runtime.execution_info.thread_id if runtime.execution_info else None


def _spent(entry: Entry, counter: str) -> Spent:
    spent: dict[str, float] = {counter: entry.attempts, "seconds": round(entry.seconds, 4)}
    if entry.tokens:
        spent["tokens"] = entry.tokens
    if entry.money:
        spent["money"] = entry.money
    return spent  # type: ignore[return-value]
