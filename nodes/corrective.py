"""The corrective step: a part of the question for which nothing was found inside asks the web."""

from typing import Any

from langgraph.runtime import Runtime

from nodes.calls import tools_of
from nodes.services import Services
from nodes.subgoals import search_for
from retrieval.tools.registry import Tool
from state.coverage import ready
from state.queries import was_seen
from state.standing import judged_since
from state.types import Json, QueuedSearch, RunState, Subgoal

WEB_SEARCH = "web_search"


def web_steps(services: Services, state: RunState, runtime: Runtime[Any]) -> list[QueuedSearch]:
    """The same queries for the web, of the parts that came out at the lowest level.

    Once a subgoal, before its query is rewritten, and only in a run that allows the web.
    """
    tools = tools_of(services, runtime)
    web = tools.get(WEB_SEARCH)
    if web is None or web.off or not runtime.context.web:
        return []
    searched = [(item, search_for(item, state["subgoals"])) for item in ready(state["subgoals"])]
    return [
        {"subgoal_id": item["id"], "query": search["query"], "tool": WEB_SEARCH}
        for item, search in searched
        if _by_words(tools.get(search["tool"])) and _came_to_nothing(item, search, state)
    ]


def web_row(search: QueuedSearch) -> Json:
    """The history row of a corrective step."""
    reason = "nothing that was found inside supports an answer"
    return {"node": "rewrite", "action": "web_step", **search, "reason": reason}


def only_corrective(rows: list[Json]) -> bool:
    """Whether all calls of a round were corrective steps; it then costs no attempt."""
    calls = [row["tool"] for row in rows if row.get("action") in ("searched", "tool_error")]
    steps = [row for row in rows if row.get("action") == "web_step"]
    return bool(steps) and all(tool == WEB_SEARCH for tool in calls)


def _by_words(tool: Tool | None) -> bool:
    """Whether a tool searches inside by words; what a database is asked must not go outside."""
    if tool is None or tool.reaches_outside or not tool.trusted:
        return False
    return list(tool.parameters.get("properties", {})) == ["query"]


def _came_to_nothing(item: Subgoal, search: QueuedSearch, state: RunState) -> bool:
    """Whether a search by words was answered, and none of what it found became evidence."""
    if item.get("arguments") or item.get("evidence_ids"):
        return False
    history = judged_since(state.get("history", []), item["id"])
    asked = [row["subgoal_id"] for row in history if row.get("action") == "web_step"]
    seen = state.get("seen_queries", [])
    return item["id"] not in asked and was_seen(search["query"], search["tool"], item["id"], seen)
