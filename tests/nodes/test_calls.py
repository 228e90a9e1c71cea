from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from langgraph.runtime import ExecutionInfo, Runtime

from graph.context import Context
from graph.ledger import SqliteLedger
from nodes.calls import judge, total, use_tool
from nodes.services import Services
from policy.protocol import Allowance, Plan
from state.types import QueuedSearch
from tests.nodes.scripting import Script, Search, finds, passage, planned

SEARCH: QueuedSearch = {"subgoal_id": "s1", "query": "nghỉ phép", "tool": "search_documents"}
PLACE = {"question": 1, "at": 4}


class Calls:
    """Makes one call after another, each with something changed."""

    def __init__(self, home: Path) -> None:
        self.search: Search = finds(passage("Nghỉ 6 ngày."))
        self.policy = Script(plan=lambda view: planned("Nghỉ mấy ngày?"))
        self.ledger = SqliteLedger(home / "runs.sqlite")
        self.generation = 1
        self.saved: ExecutionInfo | None = ExecutionInfo(
            checkpoint_id="c", checkpoint_ns="", task_id="t", thread_id="thread"
        )

    @property
    def services(self) -> Services:
        tool = self.search.tool()
        return Services(self.policy, {tool.name: tool}, self.ledger, lambda: self.generation)

    def tool(self, place: Any = PLACE, search: Any = SEARCH, **context: Any) -> Any:
        runtime = Runtime(context=Context(**context), execution_info=self.saved)
        return use_tool(self.services, runtime, place, search)

    def plan(self, view: Any, **context: Any) -> Any:
        runtime = Runtime(context=Context(**context), execution_info=self.saved)
        return judge(self.services, runtime, PLACE, "plan", view, Plan, Allowance())


@pytest.fixture
def calls(tmp_path: Path) -> Calls:
    return Calls(tmp_path)


def test_the_same_tool_call_at_the_same_place_is_made_once(calls: Calls) -> None:
    first, again = calls.tool(), calls.tool()
    assert len(calls.search.calls) == 1
    assert first[0].result == again[0].result
    assert again[0].replayed
    assert first[1]["tool_calls"] == again[1]["tool_calls"] == 1


def test_a_graph_that_saves_nothing_replays_nothing(calls: Calls) -> None:
    calls.saved = None
    calls.tool()
    entry, spent = calls.tool()
    assert len(calls.search.calls) == 2
    assert not entry.replayed
    assert spent["tool_calls"] == 1


@pytest.mark.parametrize(
    "other",
    [
        {"user": "binh"},
        {"groups": ["hr"]},
        {"depth": 3},
        {"place": {"question": 2, "at": 4}},
        {"place": {"question": 1, "at": 5}},
        {"search": {**SEARCH, "query": "nghi phep"}},
        {"search": {**SEARCH, "subgoal_id": "s2"}},
    ],
)
def test_a_tool_call_that_differs_in_anything_it_depends_on_is_made_again(
    calls: Calls, other: dict[str, Any]
) -> None:
    calls.tool(user="an")
    assert not calls.tool(**{"user": "an", **other})[0].replayed
    assert len(calls.search.calls) == 2


def test_a_changed_index_is_searched_again(calls: Calls) -> None:
    calls.tool()
    calls.generation = 2
    assert not calls.tool()[0].replayed


def test_a_tool_of_another_version_is_called_again(calls: Calls) -> None:
    tool = calls.search.tool()
    calls.search.tool = lambda: replace(tool, version="1")  # type: ignore[method-assign]
    calls.tool()
    assert calls.tool()[0].replayed
    calls.search.tool = lambda: replace(tool, version="2")  # type: ignore[method-assign]
    assert not calls.tool()[0].replayed


def test_a_call_that_a_crash_repeated_is_paid_for_twice(calls: Calls) -> None:
    tool = calls.search.tool()

    def dies(*_: Any) -> Any:
        raise KeyboardInterrupt

    calls.search.tool = lambda: replace(tool, cost=0.5, run=dies)  # type: ignore[method-assign]
    with pytest.raises(KeyboardInterrupt):
        calls.tool()
    calls.search.tool = lambda: replace(tool, cost=0.5)  # type: ignore[method-assign]
    assert calls.tool()[1]["money"] == 1.0


def test_the_order_of_groups_does_not_matter(calls: Calls) -> None:
    calls.tool(groups=["hr", "it"])
    assert calls.tool(groups=["it", "hr"])[0].replayed


def test_a_judgement_is_asked_once_and_comes_back_validated(calls: Calls) -> None:
    first = calls.plan({"original_question": "Nghỉ mấy ngày?"})
    again = calls.plan({"original_question": "Nghỉ mấy ngày?"})
    assert first.judgement == again.judgement == planned("Nghỉ mấy ngày?")
    spent = again.spent
    assert len(calls.policy.views["plan"]) == 1
    assert (spent["model_calls"], spent["tokens"], spent["money"]) == (1, 50, 0.25)


def test_another_view_version_or_asker_is_another_judgement(calls: Calls) -> None:
    calls.plan({"original_question": "A"})
    calls.plan({"original_question": "B"})
    calls.plan({"original_question": "A"}, user="an")
    calls.policy.version = "2"
    calls.plan({"original_question": "A"})
    assert len(calls.policy.views["plan"]) == 4


def test_costs_add_up() -> None:
    assert total([]) == {}
    assert total([{"tool_calls": 1}, {"tool_calls": 2, "tokens": 5}]) == {
        "tool_calls": 3,
        "tokens": 5,
    }


def test_a_call_with_other_filters_is_another_call(calls: Calls) -> None:
    """Only of a tool that reads documents: to others filters mean nothing."""
    calls.tool()
    calls.tool(collections=["nhân sự"])
    assert len(calls.search.calls) == 1
    calls.search.filtered = True
    calls.tool()
    assert len(calls.search.calls) == 1
    for context in ({"collections": ["nhân sự"]}, {"as_of": "2025-01-31"}, {"versions": ["2025"]}):
        calls.tool(**context)
        calls.tool(**context)
    assert len(calls.search.calls) == 4
