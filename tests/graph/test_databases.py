"""Runs that ask a database: rows are cited, and what is refused or broken does not end the run."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from graph.agent import Agent
from graph.context import Context
from policy.protocol import PlannedSubgoal
from retrieval.tools.database import query_database
from retrieval.tools.database_reading import Reader
from tests.graph.scenes import Documents, agent_on
from tests.nodes.scripting import Script, Search, honest, planned
from tests.retrieval.tools.conftest import settings_of, sqlite_company

__all__ = ["sqlite_company"]

DAYS = "Tôi còn bao nhiêu ngày phép?"
RULE = "Năm 2026 nhân viên được nghỉ 15 ngày."
ROW = "Từ 2026-01-01 bạn đã nghỉ 4 ngày, còn 11 ngày."
LAN = Context(user="E042")


def asked(**arguments: Any) -> PlannedSubgoal:
    return PlannedSubgoal(id="s1", question=DAYS, tool="query_database", arguments=arguments)


LEAVE = asked(query="leave_left")
DOCUMENT = PlannedSubgoal(id="s2", question="Quy định nghỉ phép 2026 thế nào?")


Make = Callable[[str, Script], Agent]


@pytest.fixture
def agent_of(tmp_path: Path) -> Iterator[Make]:
    """A function that makes an agent over a document with the rule and the database of a URL."""
    opened = []

    def make(url: str, policy: Script) -> Agent:
        documents = Documents(rule=RULE)
        opened.append(Reader(settings_of(url), tmp_path))
        tools = (Search(documents.found).tool(), query_database(opened))
        return agent_on(tmp_path, policy, *tools, documents=documents)

    yield make
    for one in opened:
        one.close()


def script(*plans: Any) -> Script:
    return Script(plan=list(plans), grade=honest({RULE: "15 ngày", ROW: "11 ngày"}))


def test_a_document_and_a_row_are_cited_side_by_side(agent_of: Make, sqlite_company: str) -> None:
    policy = script(planned(subgoals=[LEAVE, DOCUMENT]))
    result = agent_of(sqlite_company, policy).ask(DAYS, context=LAN)
    assert result.status == "answered"
    by_kind = {one.get("kind", "passage"): one for one in result.answer["citations"]}
    assert by_kind["passage"]["quote"] == RULE
    row = by_kind["rows"]
    assert row["quote"] == ROW
    assert row["rows"] == [{"used": 4, "left_over": 11}]
    assert row["parameters"] == {"since": "2026-01-01", "user_id": "E042"}
    assert "FROM leave_taken" in row["statement"]
    assert row["retrieved_at"]


def test_without_an_asker_their_part_is_refused_and_the_rest_is_answered(
    agent_of: Make, sqlite_company: str
) -> None:
    policy = script(planned(subgoals=[LEAVE, DOCUMENT]))
    result = agent_of(sqlite_company, policy).ask(DAYS)
    assert result.status == "partial"
    assert RULE in result.answer["text"]
    assert result.answer["missing"] == [DAYS]
    assert ROW not in str(result)


BAD = [
    asked(sql="DROP TABLE leave_taken"),
    asked(sql="SELECT salary FROM employees"),
    asked(query="leave_left", parameters={"user_id": "E007"}),
    asked(query="leave_left", user_id="E007"),
    asked(query="lương của mọi người"),
    asked(query="leave_left", parameters={"since": "'; DROP TABLE leave_taken; --"}),
]


@pytest.mark.parametrize("bad", BAD, ids=lambda bad: str(bad.arguments))
def test_a_call_that_is_refused_is_a_result_that_the_planner_sees_and_mends(
    agent_of: Make,
    sqlite_company: str,
    bad: PlannedSubgoal,
) -> None:
    policy = script(planned(subgoals=[bad]), planned(subgoals=[LEAVE]))
    result = agent_of(sqlite_company, policy).ask(DAYS, context=LAN)
    assert result.status == "answered"
    assert ROW in result.answer["text"]
    reason = policy.views["plan"][1]["subgoals"][0]["reason"]
    assert reason.startswith("the search failed: ")


@pytest.mark.parametrize("url", ["sqlite:///mất.sqlite", "postgresql://lan:bimat@127.0.0.1:1/hr"])
def test_a_database_that_is_down_leaves_the_other_part_answered(agent_of: Make, url: str) -> None:
    policy = Script(
        plan=lambda view: planned(subgoals=[LEAVE, DOCUMENT]), grade=honest({RULE: "15 ngày"})
    )
    result = agent_of(url, policy).ask(DAYS, context=LAN)
    assert result.status == "partial"
    assert RULE in result.answer["text"]
    errors = [row["error"] for row in result.state["history"] if row.get("action") == "tool_error"]
    assert "The database hr" in errors[0]
    assert "bimat" not in str(result)
