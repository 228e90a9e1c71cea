"""Groundhop as one node of your own LangGraph graph.

    python examples/embed/parent_graph.py "Who founded Lab Delta?"

The graph is compiled without a checkpointer and added as a node: it saves and resumes through
the parent's. Fields of the same name are shared (question, answer, status); progress comes out
of the parent's stream with `subgraphs=True`; a pause of ours pauses the parent.
"""

import sys
from typing import Any

from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from typing_extensions import TypedDict

from groundhop import Context, build_graph, open_services


class Letter(TypedDict, total=False):
    """What the parent knows; `question`, `answer` and `status` are Groundhop's names."""

    topic: str
    question: str
    answer: dict[str, Any]
    status: str
    text: str


def ask(state: Letter) -> Letter:
    """Turn the parent's task into a question."""
    return {"question": state["topic"].rstrip("?") + "?"}


def write(state: Letter) -> Letter:
    """Use the answer and its sources."""
    answer = state["answer"]
    sources = ", ".join(dict.fromkeys(item["source"] for item in answer["citations"]))
    if state["status"] != "answered":
        return {"text": f"Dear reader, this is not in our documents. {answer['text']}"}
    return {"text": f"Dear reader, {answer['text']} (from {sources})"}


def build(services: Any, checkpointer: Any) -> Any:
    """The parent graph; its context is handed on to ours."""
    parent = StateGraph(Letter, context_schema=Context)
    parent.add_node("ask", ask)
    parent.add_node("research", build_graph(services).compile())
    parent.add_node("write", write)
    parent.add_edge(START, "ask")
    parent.add_edge("ask", "research")
    parent.add_edge("research", "write")
    parent.add_edge("write", END)
    return parent.compile(checkpointer=checkpointer)


def main(topic: str) -> None:
    """Write a letter about the topic."""
    services = open_services()
    try:
        graph = build(services, InMemorySaver())
        config: Any = {"configurable": {"thread_id": "letter-1"}}
        for _, event in graph.stream(
            {"topic": topic},
            config,
            context=Context(steps=4),
            stream_mode="custom",
            subgraphs=True,
            durability="sync",
        ):
            print(f"… {event['event']}", file=sys.stderr)
        print(graph.get_state(config).values["text"])
    finally:
        services.close()


if __name__ == "__main__":
    main(" ".join(sys.argv[1:]) or "Who founded Lab Delta?")
