"""Databases in `groundhop.toml`."""

import sqlite3
from pathlib import Path

import pytest

from graph.settings import load_settings
from graph.tools import database_readers
from retrieval.access import Identity
from retrieval.errors import UsageError
from retrieval.tools.database import query_database

DATABASE = """
[[tools.databases]]
name = "hr"
url = "sqlite:///hr.sqlite"
"""
QUERY = """
[[tools.databases.queries]]
name = "leave_left"
asks = ["Tôi còn bao nhiêu ngày phép?"]
sql = "SELECT 15 - SUM(days) AS rest FROM leave_taken WHERE who = :user_id AND year = :year"
says.vi = "Năm {year} bạn còn {rest} ngày."
answer.vi = "{rest} ngày"
[tools.databases.queries.parameters.year]
type = "integer"
default = 2026
"""
SEARCH = """
[tools.documents.{}]
description = "Quy định"
collections = ["a"]
"""
TABLE = """
[[tools.databases.tables]]
name = "leave_taken"
columns = ["days"]
"""


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "work").mkdir()
    (tmp_path / "home").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    monkeypatch.delenv("GROUNDHOP_HOME", raising=False)


def said(text: str) -> str:
    """What is said of settings that are not right."""
    Path("groundhop.toml").write_text(text, encoding="utf-8")
    with pytest.raises(UsageError) as caught:
        load_settings()
    return str(caught.value)


def test_a_table_of_databases_in_single_brackets_is_told_how_to_be_written() -> None:
    told = said('[tools.databases]\nname = "nhân sự"\n')
    assert "in TOML each begins with [[tools.databases]]" in told


def test_a_database_is_found_beside_the_settings_that_name_it(tmp_path: Path) -> None:
    home = tmp_path / "home"
    (home / "groundhop.toml").write_text(DATABASE + QUERY, encoding="utf-8")
    with sqlite3.connect(home / "hr.sqlite") as opened:
        opened.execute("CREATE TABLE leave_taken AS SELECT 'E042' who, 2026 year, 4 days")
    opened.close()
    readers = database_readers(load_settings(home))
    result = query_database(readers).run({"query": "leave_left"}, Identity("E042"), 5)
    assert result.passages[0]["text"] == "Năm 2026 bạn còn 11 ngày."
    assert result.passages[0]["answer"] == "11 ngày"


def test_the_example_of_the_documentation_holds() -> None:
    text = (Path(__file__).parents[2] / "docs/databases.md").read_text("utf-8")
    Path("groundhop.toml").write_text(text.split("```")[1].removeprefix("toml"), encoding="utf-8")
    (database,) = load_settings().tools.databases
    leave, budget = database.queries
    assert (leave.own, budget.own) == (True, False)
    assert leave.parameters["year"].default == 2026
    assert budget.groups == ["finance"]
    assert database.tables[0].where == "employee_id = :user_id"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (DATABASE + DATABASE, "two databases are called hr"),
        (DATABASE + QUERY + QUERY, "two queries are called leave_left"),
        (DATABASE + QUERY + DATABASE.replace('"hr"', '"b"') + QUERY, "two queries are called"),
        (DATABASE + TABLE + TABLE, "two tables are called leave_taken"),
        (DATABASE + QUERY.replace(":year", "2026"), "its SQL and its parameters differ in: year"),
        (DATABASE + QUERY.replace("AND year", "AND m = :month AND year"), "differ in: month"),
        (DATABASE + QUERY.replace("parameters.year", "parameters.user_id"), "bound by code"),
        (DATABASE + QUERY.replace("2026\n", '"năm nay"\n'), "cannot be 'năm nay'"),
        (DATABASE + QUERY.replace('"integer"', '"year"'), "parameters.year.type"),
        (DATABASE + QUERY.replace("default", "fallback"), "parameters.year.fallback"),
        (DATABASE + QUERY.replace("says.vi", "says.fr"), "says.fr"),
        (DATABASE + QUERY.replace('"leave_left"', '"leave left; DROP"'), "queries.0.name"),
        (DATABASE + TABLE + 'where = "who = :boss"', "can only use :user_id"),
        (DATABASE + TABLE.replace('["days"]', "[]"), "tables.0.columns"),
        (DATABASE.replace('url = "sqlite:///hr.sqlite"', ""), "either url or url_env"),
        (DATABASE + QUERY + "minimum = 2026-01-01\n", "cannot be datetime.date(2026, 1, 1)"),
        (DATABASE + QUERY + "maximum = 2100.5\n", "'maximum' cannot be 2100.5"),
        (DATABASE + QUERY.replace('"integer"\ndefault = 2026', '"date"\nminimum = 5'), "a day"),
        (DATABASE + QUERY + "minimum = 2100\nmaximum = 2000\n", "2100 is over the maximum 2000"),
        (DATABASE + QUERY.replace("bao nhiêu ngày", "{số} ngày"), "asks names số"),
        (SEARCH.format("web_search"), "web_search is the name of another tool"),
        (SEARCH.format('"chính sách"'), "tools.documents.chính sách"),
        (SEARCH.format("rules").replace('["a"]', '[""]'), "tools.documents.rules.collections"),
        (DATABASE + "timeout = 0", "timeout"),
        (DATABASE + "rows = 100000", "rows"),
    ],
)
def test_settings_that_are_not_right_name_what_is_wrong(text: str, says: str) -> None:
    assert says in said(text)


@pytest.mark.parametrize("wrong", ['url_env = "HR"', "rows = 0", "url = 7", "unknown = 1"])
def test_a_password_is_not_shown_whatever_is_wrong_with_its_database(wrong: str) -> None:
    secret = DATABASE.replace("sqlite:///hr.sqlite", "postgresql://lan:bimat@host/hr")
    assert "bimat" not in said(f"{secret}\n{wrong}\n")


def test_a_password_is_not_shown_where_settings_are_printed() -> None:
    secret = DATABASE.replace("sqlite:///hr.sqlite", "postgresql://lan:bimat@host/hr")
    Path("groundhop.toml").write_text(secret, encoding="utf-8")
    assert "bimat" not in repr(load_settings())
