import pytest

from retrieval.access import Identity
from retrieval.errors import ToolError
from retrieval.tools.registry import Tool, ToolResult, call, registry

SCHEMA = {
    "type": "object",
    "properties": {
        "query": {"type": "string"},
        "limit": {"type": "integer"},
        "exact": {"type": "boolean"},
        "anything": {},
    },
    "required": ["query"],
}
LAN = Identity("lan")


def echo(arguments, identity, top_k):
    return ToolResult([{"arguments": arguments, "user": identity.user, "top_k": top_k}])


TOOLS = registry(Tool("search_documents", "Tìm", SCHEMA, echo), Tool("sql", "Tìm", SCHEMA, echo))


def test_a_tool_gets_its_arguments_and_the_identity_of_the_run():
    result = call(TOOLS, "search_documents", {"query": "nghỉ phép"}, LAN, 7)
    assert result.passages == [{"arguments": {"query": "nghỉ phép"}, "user": "lan", "top_k": 7}]
    assert result.degraded == []


@pytest.mark.parametrize("name", ["serach", "", None, "Search_Documents", "tìm kiếm", 7, ["sql"]])
def test_an_unknown_tool_is_answered_with_the_known_ones(name):
    with pytest.raises(ToolError, match=r"search_documents, sql"):
        call(TOOLS, name, {"query": "nghỉ phép"}, LAN, 5)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({}, "needs query"),
        ({"query": None}, "'query' .* must be a string, not None"),
        ({"query": 12}, "must be a string, not 12"),
        ({"query": ["nghỉ phép"]}, "must be a string"),
        ({"query": "x", "limit": "5"}, "'limit' .* must be a integer"),
        ({"query": "x", "limit": True}, "'limit' .* must be a integer"),
        ({"query": "x", "exact": 1}, "'exact' .* must be a boolean"),
        ({"query": "x", "user": "giám đốc"}, "does not know 'user'; it takes query, limit"),
        ("nghỉ phép", "no object"),
        (None, "no object"),
    ],
)
def test_arguments_that_do_not_fit_are_answered_with_what_is_wrong(arguments, complaint):
    with pytest.raises(ToolError, match=complaint):
        call(TOOLS, "sql", arguments, LAN, 5)


def test_a_field_without_a_type_takes_anything():
    assert call(TOOLS, "sql", {"query": "x", "anything": [None]}, LAN, 5).passages


def test_two_tools_of_one_name_are_refused():
    with pytest.raises(ValueError, match="same name"):
        registry(Tool("a", "", SCHEMA, echo), Tool("a", "", SCHEMA, echo))


def test_without_tools_the_error_says_there_are_none():
    with pytest.raises(ToolError, match="the tools are: none"):
        call({}, "sql", {}, LAN, 5)
