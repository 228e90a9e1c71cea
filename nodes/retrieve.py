"""`retrieve`: one tool call for one subgoal. Parallel subgoals are parallel runs of this node."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from typing import Any, cast

from langgraph.runtime import Runtime

from nodes.calls import arguments_of, tools_of, use_tool
from nodes.pauses import approval
from nodes.services import Entry, Services
from retrieval.errors import ToolError
from retrieval.tools.registry import Tool, check_arguments
from state.queries import normal_query
from state.sources import authority_of
from state.types import Candidate, Json, QueuedSearch, SeenQuery, Spent, Subgoal


def retrieve(services: Services, task: dict, runtime: Runtime[Any]) -> Json:
    """Call the tool that the task names; a failure is recorded, and is not "nothing found".

    `task` is what the route sends: the queued search and its place in the run.
    """
    search: QueuedSearch = task["search"]
    tools = tools_of(services, runtime)
    tool = tools.get(search["tool"])
    if tool is not None and (short := _too_dear(tool, task, tools)):
        return _left_out("not_affordable", search, short)
    if tool is not None and _asks_a_person(tool, search):
        allowed = approval(tool, search)
        if isinstance(allowed, str):
            return _left_out("refused_by_person", search, allowed)
        search = allowed
    runtime.stream_writer({"event": "searching", **search})
    entry, spent = use_tool(services, runtime, task["place"], search)
    row: Json = {"node": "retrieve", "action": "searched", **search, "replayed": entry.replayed}
    if entry.error is not None:
        row |= {"action": "tool_error", "error": entry.error[:300]}
        runtime.stream_writer({"event": "tool_failed", **row})
        why: Subgoal = {"id": search["subgoal_id"], "reason": f"the search failed: {row['error']}"}
        return {"subgoals": [why], "history": [row], "budget": {"spent": spent}}
    if refused := (entry.result or {}).get("refused"):
        return _not_allowed(search, row, refused, runtime, spent)
    weigh = partial(
        authority_of,
        tool=search["tool"],
        trusted=tool is not None and tool.trusted,
        weights=services.authority,
    )
    candidates = _candidates(entry, search, weigh)
    row["hits"] = len(candidates)
    row["degraded"] = (entry.result or {}).get("degraded", [])
    runtime.stream_writer({"event": "found", **row})
    return {
        "candidates": candidates,
        "seen_queries": [_seen(search, len(candidates)), *_also_seen(task["search"], search)],
        "history": [row],
        "budget": {"spent": spent},
    }


def _not_allowed(
    search: QueuedSearch, row: Json, reason: str, runtime: Runtime[Any], spent: Spent
) -> Json:
    """A call that the asker's rights do not allow: its subgoal is closed, and nothing repeated."""
    row |= {"action": "not_allowed", "hits": 0, "reason": reason[:300]}
    runtime.stream_writer({"event": "not_allowed", **row})
    closed: Subgoal = {
        "id": search["subgoal_id"],
        "status": "unanswerable",
        "reason": row["reason"],
    }
    return {
        "subgoals": [closed],
        "seen_queries": [_seen(search, 0)],
        "history": [row],
        "budget": {"spent": spent},
    }


def _asks_a_person(tool: Tool, search: QueuedSearch) -> bool:
    """Whether a call needs approval; nobody is asked about one that cannot be made."""
    if not tool.needs_approval or tool.off:
        return False
    with suppress(ToolError):
        check_arguments(tool, arguments_of(search))
        return True
    return False


def _too_dear(tool: Tool, task: dict, tools: Mapping[str, Tool]) -> str:
    """Why the run cannot pay for a call, after the calls that are made beside it; "" if it can."""
    if not tool.cost or task.get("money") is None:
        return ""
    ahead = sum(tools[name].cost for name in task["ahead"] if name in tools)
    left = max(0.0, task["money"] - ahead)
    return "" if tool.cost <= left else f"{tool.name} costs {tool.cost:g}, and {left:g} is left"


def _left_out(action: str, search: QueuedSearch, reason: str) -> Json:
    """A search that a person or the budget turned down: not made, not paid for, not repeated."""
    row: Json = {"node": "retrieve", "action": action, **search, "reason": reason}
    why: Subgoal = {"id": search["subgoal_id"], "reason": reason}
    return {"subgoals": [why], "seen_queries": [_seen(search, 0)], "history": [row]}


def _seen(search: QueuedSearch, hits: int) -> SeenQuery:
    return {
        "normal": normal_query(search["query"]),
        "query": search["query"],
        "subgoal_id": search["subgoal_id"],
        "tool": search["tool"],
        "hits": hits,
    }


def _also_seen(proposed: QueuedSearch, made: QueuedSearch) -> list[SeenQuery]:
    """The query that a person put another one in the place of counts as tried."""
    return [] if proposed == made else [_seen(proposed, 0)]


def _candidates(
    entry: Entry, search: QueuedSearch, weigh: Callable[[Any], float]
) -> list[Candidate]:
    """The passages found, once each, tied to the subgoal that asked."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    asked = {name: search[name] for name in ("subgoal_id", "query", "tool")}
    found: dict[str, Candidate] = {}
    for passage in (entry.result or {}).get("passages", []):
        identifier = f"{search['subgoal_id']}:{passage['chunk_id']}"
        given = {"id": identifier, "authority": weigh(passage.get("authority")), **asked}
        found.setdefault(identifier, cast(Candidate, {"retrieved_at": now, **passage, **given}))
    return list(found.values())
