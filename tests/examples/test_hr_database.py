"""The HR database of the sample agrees with its handbook, and its questions with both."""

import re
import runpy
import sqlite3
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from graph.tool_settings import ToolSettings
from retrieval.access import Identity
from retrieval.tools.database import query_database
from retrieval.tools.database_reading import Reader
from retrieval.tools.registry import Tool
from state.text import nfc
from tests.examples.test_samples import EXAMPLES, folded, questions, text_of

SAMPLE = EXAMPLES / "handbook-vi"
ROWS = questions("handbook-vi", "questions-hr.jsonl")
TOOL = "query_database"


def make(path: Path) -> None:
    runpy.run_path(str(SAMPLE / "make_hr_database.py"))["make"](path)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("hr") / "hr.sqlite"
    make(path)
    return path


@pytest.fixture
def database(file: Path) -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(file)
    yield connection
    connection.close()


@pytest.fixture(scope="module")
def tool(file: Path) -> Iterator[Tool]:
    settings = tomllib.loads((SAMPLE / "groundhop.toml").read_text("utf-8"))["tools"]
    readers = [Reader(one, file.parent) for one in ToolSettings(**settings).databases]
    yield query_database(readers)
    for reader in readers:
        reader.close()


def handbook() -> str:
    texts = (text_of(path) for path in sorted((SAMPLE / "documents").rglob("*.*")))
    return " ".join(texts)


def test_the_same_file_is_made_every_time(file: Path, tmp_path: Path) -> None:
    make(tmp_path / "again.sqlite")
    assert (tmp_path / "again.sqlite").read_bytes() == file.read_bytes()


def test_everybody_in_it_stands_in_the_handbook(database: sqlite3.Connection) -> None:
    text = handbook()
    names = [name for (name,) in database.execute("select name from employees")]
    assert len(names) >= 30
    assert [name for name in names if nfc(name) not in text] == []


def test_managers_and_first_days_are_those_of_the_directory(database: sqlite3.Connection) -> None:
    table = (SAMPLE / "documents" / "to-chuc" / "danh-ba-nhan-vien.md").read_text("utf-8")
    listed = re.findall(r"^\| (E\d+) \| (.+?) \| .+? \| .+? \| (.+?) \| (.+?) \|$", table, re.M)
    found = database.execute(
        "select e.employee_id, e.name, m.name, substr(e.joined, 9, 2) || '/' || "
        "substr(e.joined, 6, 2) || '/' || substr(e.joined, 1, 4) "
        "from employees as e join employees as m on m.employee_id = e.manager_id"
    )
    known = {row[0]: row for row in found}
    assert len(listed) == 11
    assert [known[row[0]] for row in listed] == listed


def test_revenue_by_month_adds_up_to_the_quarters_of_the_handbook(
    database: sqlite3.Connection,
) -> None:
    sums = database.execute(
        "select (month + 2) / 3, sum(amount) from revenue where year = 2025 group by 1 order by 1"
    )
    assert [total for _, total in sums] == [38_400, 45_700, 61_200, 52_900]


def test_budgets_and_leads_of_projects_are_those_of_the_handbook(
    database: sqlite3.Connection,
) -> None:
    text = handbook()
    rows = database.execute(
        "select p.name, p.budget, p.spent, e.name from projects as p "
        "left join employees as e on e.employee_id = p.lead_id"
    ).fetchall()
    for name, budget, spent, lead in rows:
        stated = f"Ngân sách {name} là {budget / 1000} tỷ đồng".replace(".", ",")
        assert stated in text
        assert spent <= budget
        assert lead is None or lead in text


def test_e042_has_used_4_of_15_days_and_leave_follows_the_rules(
    database: sqlite3.Connection,
) -> None:
    used = database.execute(
        "select sum(days) from leave_taken where employee_id = 'E042' and first_day >= '2026'"
    ).fetchone()
    own = database.execute(
        "select entitled, seniority from leave_accounts where employee_id = 'E042' and year = 2026"
    ).fetchone()
    assert (used, own) == ((4.0,), (15, 1))
    entitled = database.execute("select year, entitled from leave_accounts group by 1, 2")
    assert sorted(entitled) == [(2025, 12), (2026, 0), (2026, 15)]


@pytest.mark.parametrize("language", ["vi", "en"])
def test_every_named_query_is_worded_in_both_languages(tool: Tool, language: str) -> None:
    identity = Identity("E042", frozenset({"hr", "ke-toan"}))
    values: dict[str, Any] = {
        "year": 2026, "month": 2, "employee": "E051", "project": "Dự án Hải Vân",
        "customer": "Kho lạnh Đèo Ngang", "order": "DH-2026-0012",
    }  # fmt: skip
    ready = tool.ready_calls(identity)
    assert len(ready) >= 8
    for one in ready:
        given = {name: values[name] for name in one["parameters"]}
        arguments = {**one["arguments"], "parameters": given, "language": language}
        (found,) = tool.run(arguments, identity, 6).passages
        assert "{" not in found["text"] + found["answer"]
        assert found["language"] == language


def test_queries_about_others_are_not_offered_to_everybody(tool: Tool) -> None:
    offered = {one["name"] for one in tool.ready_calls(Identity("E042", frozenset()))}
    assert not offered & {"leave_of_employee", "claims_waiting"}
    for name in ("leave_of_employee", "claims_waiting"):
        assert tool.run({"query": name}, Identity("E042", frozenset()), 6).refused


def test_at_least_thirty_questions_mix_documents_and_database_in_both_languages() -> None:
    assert len(ROWS) >= 30
    assert len({row["id"] for row in ROWS}) == len(ROWS)
    halves, languages = (Counter(row[name] for row in ROWS) for name in ("split", "lang"))
    assert halves["dev"] == halves["heldout"] == len(ROWS) // 2
    assert min(languages["vi"], languages["en"]) >= 10
    both = [row for row in ROWS if {hop["tool"] for hop in row["expected_path"]} > {TOOL}]
    assert len(both) >= 15


def test_what_the_questions_quote_stands_in_the_documents() -> None:
    wrong = [
        row["id"]
        for row in ROWS
        for support in row["supporting"]
        if "quote" in support
        and folded(support["quote"]) not in text_of(SAMPLE / support["document"])
    ]
    assert wrong == []


def test_steps_that_a_tool_answers_name_it_and_its_source() -> None:
    for row in ROWS:
        read = {one["document"] for one in row["supporting"] if "tool" in one}
        path = {hop["document"] for hop in row["expected_path"] if hop["tool"] == TOOL}
        assert read == path - {None}, row["id"]
