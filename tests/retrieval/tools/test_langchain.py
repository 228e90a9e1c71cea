"""LangChain tools as tools of ours."""

import time
from typing import Any

import pytest
from langchain_core.tools import StructuredTool, ToolException, tool
from langgraph.errors import GraphInterrupt
from pydantic import BaseModel

from retrieval.access import Identity
from retrieval.errors import ToolError
from retrieval.tools.external import Text, passages_of
from retrieval.tools.langchain import as_tools, wrap
from retrieval.tools.registry import ToolResult, call, registry


@tool
def weather(city: str, days: int = 1) -> str:
    """The weather of a city for some days. Not for the past."""
    return f"Thời tiết {city}: {days} ngày nắng."


def asked(given: Any, arguments: Any, **traits: Any) -> ToolResult:
    wrapped = wrap(given, **traits)
    return call(registry(wrapped), wrapped.name, arguments, Identity("lan"), 6)


def replying(value: Any, **fields: Any) -> Any:
    def reply(query: str) -> Any:
        """Replies."""
        return value

    return StructuredTool.from_function(reply, **fields)


def raising(error: BaseException) -> Any:
    def fail(query: str) -> str:
        """Fails."""
        raise error

    return StructuredTool.from_function(fail)


def test_name_description_and_schema_are_those_of_the_tool() -> None:
    wrapped = wrap(weather)
    assert wrapped.name == "weather"
    assert wrapped.description == "The weather of a city for some days. Not for the past."
    assert wrapped.parameters["properties"]["days"]["type"] == "integer"
    assert wrapped.parameters["required"] == ["city"]


def test_nothing_good_is_believed_that_is_not_said() -> None:
    wrapped = wrap(weather)
    assert (wrapped.trusted, wrapped.reaches_outside) == (False, True)
    assert (wrapped.read_only, wrapped.needs_approval) == (False, True)
    harmless = wrap(weather, read_only=True, trusted=True, reaches_outside=False)
    assert (harmless.needs_approval, harmless.trusted, harmless.reaches_outside) == (
        False,
        True,
        False,
    )
    assert wrap(weather, read_only=True, needs_approval=True).needs_approval


def test_what_it_says_is_an_external_passage() -> None:
    (passage,) = asked(weather, {"city": "Huế", "days": 3}).passages
    assert (passage["kind"], passage["source"]) == ("external", "weather")
    assert passage["text"] == "Thời tiết Huế: 3 ngày nắng."


@pytest.mark.parametrize(
    ("value", "texts"),
    [
        ("", []),
        (None, []),
        (["Huế", "Vinh"], ["Huế", "Vinh"]),
        ({"nhiệt độ": 30}, ['{"nhiệt độ": 30}']),
        (30, ["30"]),
        (
            [{"type": "text", "text": "Huế"}, {"type": "image", "base64": "aGk="}],
            ["Huế"],
        ),
        (b"\xff", ["\"b'\\\\xff'\""]),
    ],
)
def test_any_value_becomes_texts(value: Any, texts: list[str]) -> None:
    found = asked(replying(value), {"query": "x"})
    assert [one["text"] for one in found.passages] == texts


def test_an_artifact_is_no_part_of_the_result() -> None:
    given = replying(("Nắng.", {"raw": "x" * 10}), response_format="content_and_artifact")
    assert [one["text"] for one in asked(given, {"query": "x"}).passages] == ["Nắng."]


def test_a_long_reply_is_cut_and_says_so() -> None:
    found = asked(replying("nắng " * 100_000), {"query": "x"})
    assert len(found.passages) <= 6
    assert any("more than 20,000" in one for one in found.degraded)
    many = passages_of([Text("nắng " * 3_000, "mưa", "Mưa")] * 9, "thời_tiết", 100)[0]
    assert 19_000 < sum(len(one["text"]) for one in many) <= 20_000


@pytest.mark.parametrize(
    "error", [ValueError("hết hạn mức"), ToolException("hết hạn mức"), SystemExit("hết hạn mức")]
)
def test_an_exception_is_a_tool_error_that_names_the_tool(error: BaseException) -> None:
    with pytest.raises(ToolError, match=r"fail failed \(\w+: hết hạn mức\)"):
        asked(raising(error), {"query": "x"})


def test_a_question_to_a_person_gets_through() -> None:
    with pytest.raises(GraphInterrupt):
        asked(raising(GraphInterrupt()), {"query": "x"})


@pytest.mark.parametrize(
    "arguments", [{}, {"city": 7}, {"city": "Huế", "days": "ba"}, {"city": "Huế", "thành": 1}]
)
def test_wrong_arguments_do_not_reach_the_tool(arguments: Any) -> None:
    with pytest.raises(ToolError):
        asked(weather, arguments)


def test_rules_of_the_schema_that_code_does_not_know_are_checked_by_the_tool() -> None:
    class Asked(BaseModel):
        city: str
        days: int = 1

    def forecast(city: str, days: int = 1) -> str:
        """Forecast."""
        if days > 7:
            raise ToolException("nhiều nhất 7 ngày")
        return city

    given = StructuredTool.from_function(forecast, args_schema=Asked)
    with pytest.raises(ToolError, match=r"forecast failed \(ToolException: nhiều nhất 7 ngày\)"):
        asked(given, {"city": "Huế", "days": 8})


def test_a_tool_that_hangs_is_left_alone() -> None:
    def sleep(query: str) -> str:
        """Sleeps."""
        time.sleep(3)
        return query

    with pytest.raises(ToolError, match=r"sleep did not answer within 0\.2 seconds"):
        asked(StructuredTool.from_function(sleep), {"query": "x"}, timeout=0.2)


def test_a_tool_that_only_async_code_can_call_says_so() -> None:
    async def later(query: str) -> str:
        """Later."""
        return query

    with pytest.raises(ToolError, match="later can only be called by async code"):
        asked(StructuredTool.from_function(coroutine=later), {"query": "x"})


def test_tools_of_both_kinds_can_be_given_in_code() -> None:
    ours = wrap(weather, read_only=True)
    first, second = as_tools([ours, replying("x")])
    assert first is ours
    assert (second.name, second.trusted) == ("reply", False)
