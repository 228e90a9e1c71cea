"""A policy that says what it is told, a tool that finds what it is told, and runs of both."""

import hashlib
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from langgraph.checkpoint.memory import InMemorySaver

from graph.build import build_graph, recursion_limit
from graph.context import Context
from graph.ledger import SqliteLedger
from nodes.services import Services
from policy.protocol import (
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
from state.types import RunState

USAGE: Usage = {"input_tokens": 40, "output_tokens": 10, "money": 0.25, "estimated": False}
QUESTION = "Nhân viên thử việc năm 2026 được nghỉ phép mấy ngày?"


def nfd(text: str) -> str:
    return unicodedata.normalize("NFD", text)


class Script:
    """A policy; each role is a list of judgements, used up in turn, or a function of the view."""

    name = "script"
    version = "1"

    def __init__(
        self, *, plan: Any = None, grade: Any = None, rewrite: Any = None, write: Any = None
    ):
        self.views: dict[str, list[Any]] = {"plan": [], "grade": [], "rewrite": [], "write": []}
        self._turns = {
            "plan": plan or (lambda view: planned(view["original_question"])),
            "grade": grade or honest({}),
            "rewrite": rewrite or [],
            "write": write or quoting,
        }

    def _say(self, role: str, view: Any) -> Any:
        self.views[role].append(view)
        turns = self._turns[role]
        if callable(turns):
            return turns(view), USAGE
        number = len(self.views[role])
        assert number <= len(turns), f"{role} was asked {number} times, with {view}"
        return turns[number - 1], USAGE

    def plan(self, view: Any) -> tuple[Plan, Usage]:
        return self._say("plan", view)

    def grade(self, view: Any) -> tuple[Grade, Usage]:
        return self._say("grade", view)

    def rewrite(self, view: Any) -> tuple[Rewrite, Usage]:
        return self._say("rewrite", view)

    def write(self, view: Any) -> tuple[Draft, Usage]:
        return self._say("write", view)


def planned(*questions: str, **fields: Any) -> Plan:
    """A plan of independent subgoals s1, s2, and so on."""
    parts = [PlannedSubgoal(id=f"s{n}", question=one) for n, one in enumerate(questions, 1)]
    return Plan(**{"reason": "next", "route": "retrieve", "subgoals": parts, **fields})


def verdict(passage: Any, relevant: str = "no", quote: str = "", **fields: Any) -> PassageVerdict:
    identifier = passage if isinstance(passage, str) else passage["id"]
    return PassageVerdict(
        **{
            "passage_id": identifier,
            "reason": f"because {relevant}",
            "relevant": relevant,
            "quote": quote,
            **fields,
        }
    )


def graded(*verdicts: PassageVerdict, covered: Any = "no", answer: str = "") -> Grade:
    return Grade(
        verdicts=list(verdicts), reason=f"covered: {covered}", covered=covered, answer=answer
    )


def honest(answers: dict[str, str]) -> Callable[[Any], Grade]:
    """A grader that takes a passage whose text holds one of the quotes, which give the answers."""

    def grade(view: Any) -> Grade:
        verdicts, answer = [], ""
        for item in view["passages"]:
            quote = next((one for one in answers if one in item["text"]), None)
            answer = answers[quote] if quote else answer
            verdicts.append(verdict(item, "yes", quote) if quote else verdict(item))
        return graded(*verdicts, covered="yes" if answer else "no", answer=answer)

    return grade


def rewritten(query: str = "", **fields: Any) -> Rewrite:
    return Rewrite(**{"reason": "try again", "strategy": "expand", "query": query, **fields})


def quoting(view: Any) -> Draft:
    """A writer that only quotes."""
    return draft(*((fact["quote"], [fact["id"]]) for fact in view["facts"]))


def draft(*sentences: tuple[str, list[str]], **fields: Any) -> Draft:
    parts = [DraftSentence(text=text, evidence_ids=ids) for text, ids in sentences]
    return Draft(sentences=parts, **fields)


def passage(text: str, chunk: str = "c1", **fields: Any) -> dict[str, Any]:
    """What document search returns for one chunk, which begins at character 100."""
    return {
        "id": chunk,
        "document_id": f"d-{chunk}",
        "chunk_id": chunk,
        "source": f"{chunk}.md",
        "title": f"Tài liệu {chunk}",
        "heading": "",
        "page": None,
        "text": text,
        "start": 100,
        "end": 100 + len(text),
        "sha256": hashlib.sha256(text.encode()).hexdigest(),
        "version": "",
        "language": "vi",
        "scores": {"fused": 0.5},
        "retrieved_at": "2026-01-01T00:00:00+00:00",
        **fields,
    }


@dataclass
class Search:
    """A search tool that finds what `find` says of a query, and remembers who asked what."""

    find: Callable[[str], Iterable[dict[str, Any]]]
    name: str = "search_documents"
    calls: list[tuple[str, Any, int]] = field(default_factory=list)
    degraded: Sequence[str] = ()
    filtered: bool = False
    """Whether it takes filters, which it then obeys by finding the same."""

    @property
    def queries(self) -> list[str]:
        return [query for query, _, _ in self.calls]

    def tool(self) -> Tool:
        def run(arguments: dict[str, Any], identity: Any, top_k: int) -> ToolResult:
            self.calls.append((arguments["query"], identity, top_k))
            return ToolResult(list(self.find(arguments["query"])), list(self.degraded))

        fields = {"query": {"type": "string"}}
        schema = {"type": "object", "properties": fields, "required": ["query"]}
        filtered = (lambda filters: self.tool()) if self.filtered else None
        return Tool(self.name, "Finds passages.", schema, run, filtered=filtered)


def finds(*passages: dict[str, Any]) -> Search:
    """A search that finds the same passages whatever is asked."""
    return Search(lambda query: passages)


def raises(error: BaseException) -> Search:
    def find(query: str) -> Iterable[dict[str, Any]]:
        raise error

    return Search(find)


class World:
    """A graph over one script and its tools, with a checkpointer and a ledger."""

    def __init__(self, home: Path, policy: Script, *searches: Search | Tool) -> None:
        tools = [one if isinstance(one, Tool) else one.tool() for one in searches]
        self.policy = policy
        self.ledger = SqliteLedger(home / "runs.sqlite")
        services = Services(
            policy=policy,
            tools={tool.name: tool for tool in tools},
            ledger=self.ledger,
            generation=lambda: 1,
        )
        self.graph = build_graph(services).compile(checkpointer=InMemorySaver())

    def ask(self, question: str = QUESTION, *, thread: str = "t", **context: Any) -> RunState:
        """Run a question to its end, or to an interrupt, and return the whole state."""
        return self.go({"question": question}, thread, **context)

    def go(self, given: Any, thread: str = "t", **context: Any) -> RunState:
        asker = Context(**context)
        config: Any = {
            "configurable": {"thread_id": thread},
            "recursion_limit": recursion_limit(asker),
        }
        self.graph.invoke(given, config, context=asker, durability="sync")
        return self.graph.get_state(config).values  # type: ignore[return-value]

    def waiting(self, thread: str = "t") -> Any:
        """The interrupts that a thread waits at."""
        return self.graph.get_state({"configurable": {"thread_id": thread}}).interrupts


def rows(state: RunState, action: str) -> list[dict[str, Any]]:
    """The history rows of one action."""
    return [row for row in state["history"] if row.get("action") == action]
