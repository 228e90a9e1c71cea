"""`retrieve`: one tool call for one subgoal. Parallel subgoals are parallel runs of this node."""

from datetime import UTC, datetime
from typing import Any, cast

from langgraph.runtime import Runtime

from nodes.calls import use_tool
from nodes.pauses import approval
from nodes.services import Entry, Services
from state.queries import normal_query
from state.types import Candidate, Json, QueuedSearch, SeenQuery, Spent, Subgoal


def retrieve(services: Services, task: dict, runtime: Runtime[Any]) -> Json:
    """Call the tool that the task names; a failure is recorded, and is not "nothing found".

    `task` is what the route sends: the queued search and its place in the run.
    """
    search: QueuedSearch = task["search"]
    tool = services.tools.get(search["tool"])
    if tool is not None and tool.needs_approval:
        allowed = approval(tool, search)
        if isinstance(allowed, str):
            return _refused(search, allowed)
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
    candidates = _candidates(entry, search)
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


def _refused(search: QueuedSearch, reason: str) -> Json:
    """A search that a person turned down: not made, not paid for, and not proposed again."""
    row: Json = {"node": "retrieve", "action": "refused_by_person", **search, "reason": reason}
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


def _candidates(entry: Entry, search: QueuedSearch) -> list[Candidate]:
    """The passages found, once each, tied to the subgoal that asked."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    asked = {name: search[name] for name in ("subgoal_id", "query", "tool")}
    found: dict[str, Candidate] = {}
    for passage in (entry.result or {}).get("passages", []):
        identifier = f"{search['subgoal_id']}:{passage['chunk_id']}"
        found.setdefault(
            identifier,
            cast(Candidate, {"retrieved_at": now, **passage, "id": identifier, **asked}),
        )
    return list(found.values())
