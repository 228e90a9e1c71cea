"""A policy and a tool that say what a test wants, to run commands without a model or an index."""

from pathlib import Path
from typing import Any

from graph.agent import Agent
from graph.database import runs_path
from graph.ledger import SqliteLedger
from nodes.services import Services
from policy.protocol import (
    NO_USAGE,
    Draft,
    DraftSentence,
    Grade,
    PassageVerdict,
    Plan,
    PlannedSubgoal,
    Rewrite,
    Usage,
)
from retrieval.tools.registry import Tool, ToolResult

TEXT = "Lab Delta do Minh Tran sáng lập năm 2019."
SOURCE = "labs/delta.md"


class Scripted:
    """Believes every passage, or turns every one down with `refusal` as the reason."""

    name = "scripted"
    version = "1"

    def __init__(self, refusal: str = "") -> None:
        self.refusal = refusal

    def plan(self, view: Any) -> tuple[Plan, Usage]:
        subgoal = PlannedSubgoal(id="s1", question=view["original_question"])
        return Plan(reason="one search", route="retrieve", subgoals=[subgoal]), NO_USAGE

    def grade(self, view: Any) -> tuple[Grade, Usage]:
        verdicts = [
            PassageVerdict(
                passage_id=item["id"],
                reason=self.refusal or "states it",
                relevant="no" if self.refusal else "yes",
                quote=item["text"],
            )
            for item in view["passages"]
        ]
        reason = self.refusal or "found"
        if self.refusal:
            return Grade(verdicts=verdicts, reason=reason, covered="no"), NO_USAGE
        answer = view["passages"][0]["text"]
        return Grade(verdicts=verdicts, reason=reason, covered="yes", answer=answer), NO_USAGE

    def rewrite(self, view: Any) -> tuple[Rewrite, Usage]:
        query = f"{view['subgoal']['question']} {'chi tiết ' * len(view['tried'])}"
        return Rewrite(reason=view["reason"], strategy="expand", query=query), NO_USAGE

    def write(self, view: Any) -> tuple[Draft, Usage]:
        sentences = [
            DraftSentence(text=fact["quote"], evidence_ids=[fact["id"]]) for fact in view["facts"]
        ]
        return Draft(sentences=sentences), NO_USAGE


def finding(text: str, **changes: Any) -> Tool:
    """A tool that always finds one passage."""

    def run(arguments: dict[str, Any], identity: Any, top_k: int) -> ToolResult:
        passage = {
            "document_id": "d1",
            "chunk_id": f"c{len(arguments['query'])}",
            "source": SOURCE,
            "title": "Lab Delta",
            "heading": "Lab Delta > Lịch sử",
            "page": None,
            "text": text,
            "start": 100,
            "end": 100 + len(text),
            "sha256": "0" * 64,
            "version": "2026",
            "language": "vi",
            "scores": {},
        }
        return ToolResult(passages=[{**passage, **changes}], degraded=[])

    return _tool(run)


def refusing(reason: str) -> Tool:
    """A tool that nobody may use."""

    def run(arguments: dict[str, Any], identity: Any, top_k: int) -> ToolResult:
        return ToolResult(refused=reason)

    return _tool(run)


def failing() -> Tool:
    """A tool that is down."""

    def run(arguments: dict[str, Any], identity: Any, top_k: int) -> ToolResult:
        raise TimeoutError("máy chủ không trả lời")

    return _tool(run)


def _tool(run: Any) -> Tool:
    parameters = {
        "type": "object",
        "properties": {"query": {"type": "string"}},
        "required": ["query"],
    }
    return Tool(name="search_documents", description="Finds.", parameters=parameters, run=run)


def agent_on(home: Path, policy: Scripted, tool: Tool) -> Agent:
    """An agent whose runs are kept in `home`."""
    ledger = SqliteLedger(runs_path(home))
    tools = {tool.name: tool}
    return Agent(Services(policy=policy, tools=tools, ledger=ledger, generation=lambda: 1), home)
