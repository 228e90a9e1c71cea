"""What a policy is shown of a state."""

from typing import Any, cast

from langgraph.runtime import Runtime

from nodes.calls import identity_of, tools_of
from nodes.services import Services
from policy.protocol import Fact, Part, PassageView, ReadyCall, ToolView
from retrieval.access import Identity
from retrieval.tools.registry import Tool
from state.sources import usable
from state.types import Candidate, RunState, Subgoal


def facts(state: RunState) -> list[Fact]:
    """The accepted evidence that still stands and was not discarded."""
    return [
        {
            "id": item["id"],
            "subgoal_id": item["subgoal_id"],
            "quote": item["quote"],
            "title": item["title"],
            "source": item["source"],
            "version": item["version"],
        }
        for item in usable(state.get("evidence", []))
    ]


def parts(subgoals: list[Subgoal]) -> list[Part]:
    """The parts of the question without what was found for them."""
    return [
        {"id": one["id"], "question": one["question"], "depends_on": one["depends_on"]}
        for one in subgoals
    ]


def passage_views(candidates: list[Candidate]) -> list[PassageView]:
    """Candidates without scores and offsets, which would only tempt a judge."""
    return [_passage_view(item) for item in candidates]


def _passage_view(item: Candidate) -> PassageView:
    view: PassageView = {
        "id": item["id"],
        "text": item["text"],
        "title": item["title"],
        "heading": item["heading"],
        "source": item["source"],
        "version": item["version"],
        "language": item["language"],
        "columns": item.get("columns", ""),
    }
    kind = item.get("kind", "passage")
    if kind != "passage":
        view["kind"] = kind
        view["answer"] = item.get("answer", "")
    return view


def tried_queries(state: RunState) -> list[str]:
    """Every query that was searched or proposed in vain."""
    refused = [row["query"] for row in state.get("history", []) if row.get("action") == "refused"]
    return [*(row["query"] for row in state.get("seen_queries", [])), *refused]


def tool_views(services: Services, runtime: Runtime[Any]) -> list[ToolView]:
    """The tools that a subgoal may name, with the calls that are prepared for the asker."""
    identity, tools = identity_of(runtime), tools_of(services, runtime)
    return [_tool_view(tool, identity) for tool in tools.values() if not tool.off]


def _tool_view(tool: Tool, identity: Identity) -> ToolView:
    description = tool.described(identity) if tool.described else tool.description
    view: ToolView = {"name": tool.name, "description": description}
    if list(tool.parameters.get("properties", {})) != ["query"]:
        view["parameters"] = tool.parameters
    if ready := tool.ready_calls(identity):
        view["ready"] = cast(list[ReadyCall], ready)
    return view
