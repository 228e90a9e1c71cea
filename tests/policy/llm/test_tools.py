"""A model may name a tool with arguments; code checks them and says who asks."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from graph.build import build_graph
from graph.context import Context
from graph.ledger import SqliteLedger
from nodes.services import Services
from policy.llm import LLM
from retrieval.access import Identity
from retrieval.tools.registry import Tool, ToolResult
from tests.nodes.scripting import passage
from tests.policy.llm.server import Request, Say, Server, as_json
from tests.policy.llm.views import plan_view
from tests.policy.llm.world import library

Make = Callable[..., LLM]
QUESTION = "Project Aurora do ai phát triển, và năm 2026 tôi còn mấy ngày phép?"
SCHEMA = {
    "type": "object",
    "properties": {
        "query": {"type": "string"}, "parameters": {"type": "object"},
        "sql": {"type": "string"}, "language": {"type": "string"},
    },
}  # fmt: skip
READY = {
    "name": "leave_left", "description": "Days of leave", "asks": ["Tôi còn mấy ngày phép?"],
    "arguments": {"query": "leave_left"}, "own": True,
    "parameters": {"year": {"type": "integer", "default": 2026}},
}  # fmt: skip
DATABASE = {
    "name": "query_database", "description": "Figures. " + "x" * 300, "parameters": SCHEMA,
    "ready": [READY],
}  # fmt: skip
DOCUMENTS = {"name": "search_documents", "description": "Documents."}
KEYWORDS = {"name": "search_keywords", "description": "Exact words."}


def planned(arguments: Any, **fields: Any) -> Say:
    part = {"id": "s1", "question": "Năm 2026 tôi còn mấy ngày phép?", "tool": "query_database"}
    whole = {"reason": "r", "route": "search", "subgoals": [{**part, "arguments": arguments}]}
    return Say(text=json.dumps({**whole, **fields}, ensure_ascii=False))


def view(*tools: Any, question: str = "Năm 2026 tôi còn mấy ngày phép?") -> Any:
    return {**plan_view(question), "tools": list(tools), "today": "2026-02-28"}


def test_tools_that_take_arguments_are_shown_with_their_named_queries(
    llm: Make, server: Server
) -> None:
    server.turns(planned('{"query": "leave_left", "parameters": {"year": 2026}}'))
    plan, _ = llm().plan(view(DOCUMENTS, DATABASE))
    shown = server.requests[0].sections["tools"]
    assert '- leave_left(year: integer = 2026) "Tôi còn mấy ngày phép?"' in shown
    assert "one JSON object as text" in server.requests[0].system
    (part,) = plan.subgoals
    assert part.tool == "query_database"
    assert part.arguments == {
        "query": "leave_left", "parameters": {"year": 2026}, "language": "vi",
    }  # fmt: skip


@pytest.mark.parametrize("tools", [(DOCUMENTS,), (DOCUMENTS, KEYWORDS)])
def test_a_plan_over_documents_alone_is_asked_without_arguments(
    llm: Make, server: Server, tools: tuple[Any, ...]
) -> None:
    server.turns(
        planned("", subgoals=[{"id": "s1", "question": "Năm 2026 tôi còn mấy ngày phép?"}])
    )
    llm().plan(view(*tools))
    request = server.requests[0]
    assert "arguments" not in request.system
    assert "arguments" not in json.dumps(request.body.get("response_format", {}))
    assert "today" not in request.sections


def test_the_day_of_asking_is_shown_only_where_the_question_counts_from_it(
    llm: Make, server: Server
) -> None:
    server.turns(planned("", subgoals=[{"id": "s1", "question": "Phép năm nay thế nào?"}]))
    llm().plan(view(DOCUMENTS, question="Phép năm nay thế nào?"))
    assert server.requests[0].sections["today"] == "2026-02-28"


@pytest.mark.parametrize(
    "written",
    ["not json", "[1]", '"leave_left"', "{", "[" * 9_999, '{"năm": 1e999}', f'{{"năm": {10**30}}}'],
    ids=["words", "list", "text", "half", "deep", "infinite", "large"],
)
def test_arguments_that_cannot_be_read_are_none_and_said_so(
    llm: Make, server: Server, written: str
) -> None:
    server.turns(planned(written))
    plan, _ = llm().plan(view(DOCUMENTS, DATABASE))
    assert plan.subgoals[0].arguments == {}
    assert "no JSON object" in plan.reason


def test_an_object_in_the_place_of_text_is_taken_all_the_same(llm: Make, server: Server) -> None:
    server.turns(planned({"query": "leave_left"}))
    plan, _ = llm().plan(view(DOCUMENTS, DATABASE))
    assert plan.subgoals[0].arguments["query"] == "leave_left"


def test_a_select_may_be_written_and_answers_of_other_parts_stand_in_it(
    llm: Make, server: Server
) -> None:
    statement = "SELECT count(*) FROM orders WHERE customer = '{a}'"
    first = {"id": "a", "question": "Khách hàng nào ở Hà Tĩnh?"}
    second = {
        "id": "b", "question": "{a} đã đặt mấy đơn năm 2026?", "tool": "query_database",
        "arguments": json.dumps({"sql": statement}), "depends_on": ["a"],
    }  # fmt: skip
    server.turns(planned("", subgoals=[first, second]))
    question = "Khách hàng ở Hà Tĩnh đã đặt mấy đơn năm 2026?"
    plan, _ = llm().plan(view(DOCUMENTS, DATABASE, question=question))
    assert plan.subgoals[1].arguments["sql"] == statement.replace("{a}", "{s1}")


class Database:
    """The tool that is called; it remembers with what, and by whom."""

    def __init__(self) -> None:
        self.calls: list[tuple[dict[str, Any], Identity]] = []

    def tool(self) -> Tool:
        def run(arguments: dict[str, Any], identity: Identity, top_k: int) -> ToolResult:
            self.calls.append((arguments, identity))
            if identity.user is None:
                return ToolResult(refused="it needs to know who asks")
            text = f"Năm 2026 {identity.user} còn 11 ngày."
            row = passage(text, "r1", kind="rows", source="hr database", rows=[{"left": 11}],
                          statement="SELECT 11", parameters={"user_id": identity.user},
                          answer="11 ngày", start=0)  # fmt: skip
            return ToolResult([row])

        return Tool("query_database", "Figures.", SCHEMA, run, ready_calls=lambda one: [READY])


def script(request: Request) -> Say:
    if request.role == "plan":
        return as_json(
            reason="two", route="search",
            subgoals=[
                {"id": "s1", "question": "Project Aurora do ai phát triển?"},
                {"id": "s2", "question": "Năm 2026 tôi còn mấy ngày phép?",
                 "tool": "query_database",
                 "arguments": '{"query": "leave_left", "parameters": {"user_id": "E042"}}'},
            ],
        )  # fmt: skip
    if request.role == "write":
        evidence = request.sections["evidence"]
        row = next((one for one in evidence.splitlines() if "11 ngày" in one), "")
        said = f"Bạn còn 11 ngày. [{row.split(' ')[0]}]" if row else ""
        return Say(text=f"Lab Delta phát triển. [e1]\n{said}\nSHORT: Lab Delta")
    facts = {"Project Aurora was developed by Lab Delta.": "Lab Delta", "còn 11 ngày": "11 ngày"}
    judged, answer = [], ""
    for label, text in request.sections.items():
        quote = next((one for one in facts if one in text), "") if label.startswith("P") else ""
        answer = facts.get(quote, answer)
        if label.startswith("P"):
            said = "yes" if quote else "no"
            judged.append({"passage": label, "reason": "r", "relevant": said, "quote": quote,
                           "supports": said})  # fmt: skip
    covered = "yes" if answer else "no"
    return as_json(passages=judged, reason="r", covered=covered, answer=answer)


@pytest.mark.parametrize("user", ["E051", None])
def test_a_run_calls_what_the_model_named_as_the_asker_and_nobody_else(
    llm: Make, server: Server, tmp_path: Path, user: str | None
) -> None:
    server.script = script
    database = Database()
    tools = {one.name: one for one in (library().tool(), database.tool())}
    ledger = SqliteLedger(tmp_path / "runs.sqlite")
    graph = build_graph(Services(llm(), tools, ledger, lambda: 1)).compile()
    state: Any = graph.invoke({"question": QUESTION}, context=Context(user=user, tokens=60_000))
    ledger.close()
    assert {identity.user for _, identity in database.calls} == {user}
    answer = state["answer"]
    if user is None:
        assert (state["status"], answer["denied"]) == (
            "partial",
            ["Năm 2026 tôi còn mấy ngày phép?"],
        )
        assert "11 ngày" not in answer["text"]
        return
    assert state["status"] == "answered"
    (row,) = [item for item in answer["citations"] if item.get("kind") == "rows"]
    assert row["parameters"] == {"user_id": "E051"}
    assert "còn 11 ngày" in row["quote"]
