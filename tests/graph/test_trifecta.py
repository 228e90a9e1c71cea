"""Private data, untrusted content and a way out may not stand together, unless allowed by name."""

from dataclasses import replace
from typing import Any

import pytest

from graph.build import build_graph
from graph.trifecta import legs, refuse_trifecta
from nodes.services import Services
from retrieval.errors import UsageError
from retrieval.tools.registry import Tool, ToolResult


def tool(name: str, **traits: Any) -> Tool:
    return Tool(name, "Đọc.", {"type": "object"}, lambda *_: ToolResult(), **traits)


DOCUMENTS = tool("search_documents", private=True)
DATABASE = tool("query_database", private=True)
WEB = tool("web_search", trusted=False, reaches_outside=True)
MAIL_BOX = tool("thư_đến", trusted=False)
SENDER = tool("gửi_thư", read_only=False)
FETCHER = tool("fetch", reaches_outside=True)


@pytest.mark.parametrize(
    "tools",
    [
        [DOCUMENTS, WEB],
        [DATABASE, WEB],
        [DOCUMENTS, MAIL_BOX, SENDER],
        [DOCUMENTS, MAIL_BOX, FETCHER],
        [tool("all_in_one", private=True, trusted=False, reaches_outside=True)],
    ],
    ids=lambda tools: "+".join(one.name for one in tools),
)
def test_all_three_together_are_refused(tools: list[Tool]) -> None:
    with pytest.raises(UsageError, match="must not stand together"):
        refuse_trifecta(tools)


@pytest.mark.parametrize(
    "tools",
    [
        [],
        [DOCUMENTS],
        [DOCUMENTS, DATABASE],
        [WEB],
        [WEB, SENDER],
        [DOCUMENTS, MAIL_BOX],
        [DOCUMENTS, SENDER, FETCHER],
    ],
    ids=lambda tools: "+".join(one.name for one in tools) or "none",
)
def test_two_of_the_three_are_not(tools: list[Tool]) -> None:
    refuse_trifecta(tools)


def test_the_error_names_the_tools_of_each_leg_and_what_to_do() -> None:
    with pytest.raises(UsageError) as refused:
        refuse_trifecta([DOCUMENTS, DATABASE, MAIL_BOX, SENDER])
    said = str(refused.value)
    assert "Private data: search_documents, query_database;" in said
    assert "text of others: thư_đến;" in said
    assert "a way out: gửi_thư." in said
    assert 'allow = ["gửi_thư"]' in said
    assert "needs_approval" in said


def test_a_way_out_is_allowed_by_its_name_and_no_other_with_it() -> None:
    refuse_trifecta([DOCUMENTS, WEB], ["web_search"])
    with pytest.raises(UsageError, match="a way out: fetch"):
        refuse_trifecta([DOCUMENTS, WEB, FETCHER], ["web_search"])
    with pytest.raises(UsageError):
        refuse_trifecta([DOCUMENTS, WEB], ["search_documents", "Web_Search"])


def test_a_call_that_a_person_approves_is_no_way_out() -> None:
    refuse_trifecta([DOCUMENTS, replace(WEB, needs_approval=True)])
    assert legs([replace(SENDER, needs_approval=True)]).ways_out == []


def test_a_tool_that_is_off_counts_for_it_may_be_switched_on_while_the_graph_runs() -> None:
    with pytest.raises(UsageError):
        refuse_trifecta([DOCUMENTS, replace(WEB, off="Its description changed.")])


def test_the_graph_is_not_built_with_all_three() -> None:
    nothing: Any = None
    tools = {one.name: one for one in (DOCUMENTS, WEB)}
    services = Services(policy=nothing, tools=tools, ledger=nothing, generation=lambda: 1)
    with pytest.raises(UsageError, match="web_search"):
        build_graph(services)
    build_graph(replace(services, allow=frozenset({"web_search"})))
