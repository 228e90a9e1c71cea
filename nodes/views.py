"""What a policy is shown of a state."""

from nodes.services import Services
from policy.protocol import Fact, PassageView, ToolView
from state.standing import standing
from state.types import Candidate, RunState


def facts(state: RunState) -> list[Fact]:
    """The accepted evidence that still stands."""
    return [
        {
            "id": item["id"],
            "subgoal_id": item["subgoal_id"],
            "quote": item["quote"],
            "title": item["title"],
            "source": item["source"],
            "version": item["version"],
        }
        for item in standing(state.get("evidence", []))
    ]


def passage_views(candidates: list[Candidate]) -> list[PassageView]:
    """Candidates without scores and offsets, which would only tempt a judge."""
    return [
        {
            "id": item["id"],
            "text": item["text"],
            "title": item["title"],
            "heading": item["heading"],
            "source": item["source"],
            "version": item["version"],
            "language": item["language"],
            "columns": item.get("columns", ""),
        }
        for item in candidates
    ]


def tried_queries(state: RunState) -> list[str]:
    """Every query that was searched or proposed in vain."""
    refused = [row["query"] for row in state.get("history", []) if row.get("action") == "refused"]
    return [*(row["query"] for row in state.get("seen_queries", [])), *refused]


def tool_views(services: Services) -> list[ToolView]:
    """The tools that a subgoal may name."""
    return [
        {"name": tool.name, "description": tool.description} for tool in services.tools.values()
    ]
