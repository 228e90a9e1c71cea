"""A scripted run of any number of steps, of the weight that real ones have.

Every search finds six new passages of about 900 characters; the grader believes one of them and
turns five down with a reason; a part of the question is solved by its last rewrite.
"""

import random
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from graph.agent import Agent
from graph.context import Context
from graph.ledger import Ledger
from graph.store import Store
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

USAGE: Usage = {"input_tokens": 900, "output_tokens": 120, "money": 0.0001, "estimated": False}
PASSAGES, LENGTH = 6, 900
PER_SUBGOAL = 10


class Long:
    """A policy whose run takes `steps` rounds: chained parts that need `PER_SUBGOAL` searches."""

    name = "long"
    version = "1"

    def __init__(self, steps: int, per_subgoal: int, work: Callable[[], None]) -> None:
        self._parts = -(-steps // per_subgoal)
        self._per_subgoal, self._work = per_subgoal, work

    def plan(self, view: Any) -> tuple[Plan, Usage]:
        self._work()
        parts = [
            PlannedSubgoal(
                id=f"s{number}",
                question=f"Phần {number} của câu hỏi?",
                depends_on=[f"s{number - 1}"] if number > 1 else [],
            )
            for number in range(1, self._parts + 1)
        ]
        known = [] if view["subgoals"] else parts
        return Plan(reason="một phần sau một phần", route="retrieve", subgoals=known), USAGE

    def grade(self, view: Any) -> tuple[Grade, Usage]:
        self._work()
        last = view["subgoal"]["rewrites"] + 1 >= self._per_subgoal
        verdicts = [
            PassageVerdict(
                passage_id=item["id"],
                reason=f"nói về {item['text'][100:150]}, {'đúng' if number == 0 else 'không phải'} "
                "điều được hỏi",
                relevant="yes" if number == 0 else "no",
                quote=item["text"][:180] if number == 0 else "",
            )
            for number, item in enumerate(view["passages"])
        ]
        answer = view["passages"][0]["text"][:60] if last else ""
        covered = "yes" if last else "no"
        return Grade(verdicts=verdicts, reason="đã xem", covered=covered, answer=answer), USAGE

    def rewrite(self, view: Any) -> tuple[Rewrite, Usage]:
        self._work()
        query = f"{view['subgoal']['question']} lần thứ {len(view['tried'])}"
        return Rewrite(reason="chưa đủ", strategy="expand", query=query, abstraction=True), USAGE

    def write(self, view: Any) -> tuple[Draft, Usage]:
        self._work()
        sentences = [
            DraftSentence(text=fact["quote"], evidence_ids=[fact["id"]])
            for fact in view["facts"][:8]
        ]
        return Draft(sentences=sentences), USAGE


def search(work: Callable[[], None]) -> Tool:
    """Six new passages for every query."""

    def run(arguments: dict[str, Any], identity: Any, top_k: int) -> ToolResult:
        work()
        query = arguments["query"]
        return ToolResult([_passage(f"{query} {number}") for number in range(PASSAGES)])

    fields = {"query": {"type": "string"}}
    schema = {"type": "object", "properties": fields, "required": ["query"]}
    return Tool("search_documents", "Finds passages.", schema, run)


def _passage(name: str) -> dict[str, Any]:
    """A passage of the samples' text, whose entropy is that of real documents."""
    chosen = random.Random(name)
    corpus = _corpus()
    start = chosen.randrange(len(corpus) - LENGTH)
    text = corpus[start : start + LENGTH]
    source = chosen.randrange(500)
    digest = f"{chosen.getrandbits(256):064x}"
    return {
        "id": digest[:24],
        "document_id": digest[24:48],
        "chunk_id": digest[:24],
        "source": f"documents/bao-cao/{source}.md",
        "title": f"Báo cáo {source}",
        "heading": f"Báo cáo {source} > {text[40:70].strip()}",
        "page": None,
        "text": text,
        "start": start,
        "end": start + LENGTH,
        "sha256": digest,
        "version": "2026",
        "language": "vi",
        "scores": {
            "dense": chosen.random(),
            "dense_rank": float(chosen.randrange(50)),
            "bm25": 20 * chosen.random(),
            "bm25_rank": float(chosen.randrange(50)),
            "fused": chosen.random(),
        },
    }


@cache
def _corpus() -> str:
    folder = Path(__file__).parent.parent / "examples"
    files = sorted(folder.glob("*/documents/**/*.md"))
    return "\n".join(" ".join(file.read_text().split()) for file in files)


def long_agent(
    store: Store,
    steps: int,
    *,
    per_subgoal: int = PER_SUBGOAL,
    model: Callable[[], None] = lambda: None,
    tool: Callable[[], None] = lambda: None,
) -> Agent:
    """An agent whose every question takes `steps` rounds."""
    found = search(tool)
    policy = Long(steps, per_subgoal, model)
    services = Services(
        policy=policy, tools={found.name: found}, ledger=Ledger(store), generation=lambda: 1
    )
    return Agent(services, store)


def generous(steps: int, per_subgoal: int = PER_SUBGOAL) -> Context:
    """A context that such a run fits in; more rewrites than a person may ask for."""
    return Context.model_construct(
        **{
            **Context().model_dump(),
            "steps": steps + 1,
            "tool_calls": steps + 1,
            "model_calls": 3 * steps + 5,
            "tokens": 10**9,
            "seconds": 10**6,
            "rewrites": per_subgoal,
            "barren_rounds": 50,
        }
    )
