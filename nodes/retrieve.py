"""`retrieve`: one tool call for one subgoal. Parallel subgoals are parallel runs of this node."""

from datetime import UTC, datetime
from typing import Any, cast

from langgraph.runtime import Runtime

from nodes.calls import use_tool
from nodes.services import Entry, Services
from state.queries import normal_query
from state.types import Candidate, Json, QueuedSearch, Subgoal


def retrieve(services: Services, task: dict, runtime: Runtime[Any]) -> Json:
    """Call the tool that the task names; a failure is recorded, and is not "nothing found".

    `task` is what the route sends: the queued search and its place in the run.
    """
    search: QueuedSearch = task["search"]
    runtime.stream_writer({"event": "searching", **search})
    entry, spent = use_tool(services, runtime, task["place"], search)
    row: Json = {"node": "retrieve", "action": "searched", **search, "replayed": entry.replayed}
    if entry.error is not None:
        row |= {"action": "tool_error", "error": entry.error[:300]}
        runtime.stream_writer({"event": "tool_failed", **row})
        why: Subgoal = {"id": search["subgoal_id"], "reason": f"the search failed: {row['error']}"}
        return {"subgoals": [why], "history": [row], "budget": {"spent": spent}}
    candidates = _candidates(entry, search)
    row["hits"] = len(candidates)
    row["degraded"] = (entry.result or {}).get("degraded", [])
    runtime.stream_writer({"event": "found", **row})
    seen = {
        "normal": normal_query(search["query"]),
        "query": search["query"],
        "subgoal_id": search["subgoal_id"],
        "tool": search["tool"],
        "hits": len(candidates),
    }
    return {
        "candidates": candidates,
        "seen_queries": [seen],
        "history": [row],
        "budget": {"spent": spent},
    }


def _candidates(entry: Entry, search: QueuedSearch) -> list[Candidate]:
    """The passages found, once each, tied to the subgoal that asked."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    found: dict[str, Candidate] = {}
    for passage in (entry.result or {}).get("passages", []):
        identifier = f"{search['subgoal_id']}:{passage['chunk_id']}"
        found.setdefault(
            identifier,
            cast(Candidate, {"retrieved_at": now, **passage, "id": identifier, **search}),
        )
    return list(found.values())
