"""Named queries and SELECTs of a real database, in SQLite and in PostgreSQL."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest

from retrieval.access import Identity
from retrieval.errors import ToolError
from retrieval.tools import database_reading
from retrieval.tools.database import query_database
from retrieval.tools.database_reading import Reader
from state.types import Candidate
from tests.retrieval.tools.conftest import BINH, HR, LAN, Ask

GIVEN_BY_THE_RUN = {"subgoal_id", "query", "tool", "authority"}
OF_DOCUMENTS = {"effective_from", "effective_to"}


def test_a_named_query_answers_with_one_passage_of_rows(ask: Ask) -> None:
    result = ask(query="leave_left")
    (passage,) = result.passages
    assert result.degraded == []
    assert passage["text"] == "Từ 2026-01-01 bạn đã nghỉ 4 ngày, còn 11 ngày."
    assert (passage["answer"], passage["kind"], passage["language"]) == ("11 ngày", "rows", "vi")
    assert passage["rows"] == [{"used": 4, "left_over": 11}]
    assert passage["parameters"] == {"since": "2026-01-01", "user_id": "E042"}
    assert passage["statement"].startswith("SELECT SUM(days) AS used")
    assert (passage["source"], passage["document_id"]) == ("hr database", "database:hr")
    assert (passage["start"], passage["end"]) == (0, len(passage["text"]))
    assert set(passage) == set(Candidate.__annotations__) - GIVEN_BY_THE_RUN - OF_DOCUMENTS
    assert json.loads(json.dumps(passage)) == passage


def test_the_same_rows_are_told_in_english_where_that_is_asked_for(ask: Ask) -> None:
    (passage,) = ask(query="leave_left", language="en").passages
    assert passage["text"] == "Since 2026-01-01 you have taken 4 days and have 11 left."
    assert (passage["answer"], passage["language"]) == ("11 days", "en")
    with pytest.raises(ToolError, match="vi or en, not 'fr'"):
        ask(query="leave_left", language="fr")


def test_each_asker_gets_rows_of_their_own(ask: Ask) -> None:
    (mine,), (other,) = (ask(one, query="leave_left").passages for one in (LAN, BINH))
    assert other["text"] == "Từ 2026-01-01 bạn đã nghỉ 2,5 ngày, còn 12,5 ngày."
    assert mine["chunk_id"] != other["chunk_id"]


def test_without_an_asker_what_is_about_the_asker_is_refused(ask: Ask) -> None:
    for identity in (Identity(), Identity(""), Identity(groups=frozenset({"nhân sự"}))):
        for arguments in ({"query": "leave_left"}, {"sql": "SELECT day FROM leave_taken"}):
            result = ask(identity, **arguments)
            assert result.passages == []
            assert "needs to know who asks: say it with --as" in result.refused


def test_a_parameter_is_converted_to_its_type(ask: Ask) -> None:
    (passage,) = ask(query="leave_left", parameters={"since": "02/03/2026"}).passages
    assert passage["parameters"]["since"] == "2026-03-02"
    assert passage["rows"] == [{"used": 1, "left_over": 14}]


def test_a_text_may_be_one_that_the_database_lists_however_it_is_typed(ask: Ask) -> None:
    (passage,) = ask(query="project_budget", parameters={"project": " sơn  trà "}).passages
    assert passage["parameters"] == {"project": "Sơn Trà"}
    assert passage["text"] == "name: Sơn Trà; budget: 1200000000"
    with pytest.raises(ToolError, match="cannot be 'Tam Giang': it must be one of: Hải Vân, Sơn"):
        ask(query="project_budget", parameters={"project": "Tam Giang"})


def test_what_the_database_lists_is_read_again_after_a_minute(
    ask_of: Callable[..., Ask],
    sqlite_company: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 100.0
    monkeypatch.setattr(database_reading, "time", SimpleNamespace(monotonic=lambda: now))
    ask = ask_of(sqlite_company)
    asked = {"query": "project_budget", "parameters": {"project": "Tam Giang"}}
    with pytest.raises(ToolError, match="must be one of"):
        ask(**asked)
    with closing(sqlite3.connect(tmp_path / "company.sqlite")) as opened, opened:
        opened.execute("INSERT INTO projects (name, budget) VALUES ('Tam Giang', 5)")
    now += 59.0
    with pytest.raises(ToolError, match="must be one of"):
        ask(**asked)
    now += 2.0
    assert ask(**asked).passages[0]["text"] == "name: Tam Giang; budget: 5"


def test_nothing_found_is_a_result(ask: Ask) -> None:
    result = ask(sql="SELECT name FROM employees WHERE name = 'Không Ai'")
    assert (result.passages, result.refused, result.degraded) == ([], "", [])


def test_a_query_for_a_group_is_refused_to_others_and_not_shown_to_them(
    ask: Ask, reader_of: Callable[..., Reader], url: str
) -> None:
    assert "open to some groups only" in ask(query="salaries").refused
    (passage,) = ask(HR, query="salaries").passages
    assert passage["text"].splitlines() == [
        "Trần Văn Bình: 55000000 đồng",
        "Nguyễn Thị Lan: 30000000 đồng",
    ]
    assert passage["answer"] == ""
    tool = query_database([reader_of(url)])
    assert [one["name"] for one in tool.ready_calls(LAN)] == ["leave_left", "project_budget"]
    assert [one["name"] for one in tool.ready_calls(HR)][-1] == "salaries"
    with pytest.raises(ToolError, match=r"the queries are: leave_left, project_budget\."):
        ask(query="salary")


def test_what_is_open_to_some_groups_only_is_described_to_them_alone(
    reader_of: Callable[..., Reader], url: str
) -> None:
    tool = query_database([reader_of(url)])
    assert tool.described
    for name in ("salaries", "projects(name, budget)"):
        assert name not in tool.described(LAN)
        assert name in tool.described(HR)
        assert name in tool.description
    assert "leave_left" in tool.described(LAN)


def test_ready_calls_tell_their_parameters_and_whether_they_are_about_the_asker(
    reader_of: Callable[..., Reader], url: str
) -> None:
    leave, project = query_database([reader_of(url)]).ready_calls(LAN)
    assert (leave["own"], project["own"]) == (True, False)
    assert leave["arguments"] == {"query": "leave_left"}
    assert leave["parameters"]["since"] == {
        "type": "string",
        "format": "date",
        "default": "2026-01-01",
        "minimum": "2000-01-01",
    }
    assert project["parameters"]["project"]["enum"] == ["Hải Vân", "Sơn Trà"]
    assert leave["asks"][0] == "Tôi còn bao nhiêu ngày phép?"


def test_a_select_sees_the_allowed_columns_and_rows_alone(ask: Ask) -> None:
    (passage,) = ask(sql="SELECT * FROM leave_taken ORDER BY day").passages
    assert [set(row) for row in passage["rows"]] == [{"day", "days"}] * 3
    assert passage["rows"][0] == {"day": "2025-05-05", "days": 2}
    assert passage["parameters"] == {"user_id": "E042"}
    (passage,) = ask(BINH, sql="SELECT SUM(days) AS total FROM leave_taken").passages
    assert (passage["rows"], passage["answer"]) == ([{"total": 2.5}], "2,5")


@pytest.mark.parametrize(
    ("sql", "rows"),
    [
        (
            "SELECT b.name FROM employees e JOIN employees b ON b.id = e.boss WHERE e.id = 'E042'",
            [{"name": "Trần Văn Bình"}],
        ),
        (
            "WITH months AS (SELECT day, days FROM leave_taken WHERE day >= '2026-01-01') "
            "SELECT COUNT(*) AS n, MAX(m.days) AS most FROM months m",
            [{"n": 2, "most": 3}],
        ),
        (
            "SELECT id FROM names UNION ALL SELECT id FROM employees ORDER BY id LIMIT 3",
            [{"id": "E007"}, {"id": "E007"}, {"id": "E042"}],
        ),
        (
            "SELECT UPPER(name) AS loud FROM Employees WHERE EMPLOYEES.boss IS NULL -- 1:1 50%",
            [{"loud": "TRẦN VĂN BÌNH"}],
        ),
        (
            "SELECT name FROM names WHERE name LIKE '%:user_id%' OR name LIKE 'Nguyễn%'",
            [{"name": "Nguyễn Thị Lan"}],
        ),
        (
            "SELECT id FROM names n WHERE NOT EXISTS (SELECT 1 FROM employees WHERE boss = n.id)",
            [{"id": "E042"}],
        ),
        (
            "SELECT id, ROW_NUMBER() OVER (ORDER BY id DESC) AS place FROM names WHERE id = "
            ":user_id",
            [{"id": "E042", "place": 1}],
        ),
    ],
)
def test_a_select_of_the_usual_kinds_runs(ask: Ask, sql: str, rows: list[object]) -> None:
    (passage,) = ask(sql=sql).passages
    expected = rows
    if "UPPER" in sql and passage["rows"][0]["loud"] != "TRẦN VĂN BÌNH":
        expected = [{"loud": "TRầN VăN BìNH"}]  # SQLite knows the case of ASCII alone
    assert passage["rows"] == expected


def test_the_statement_that_ran_is_written_anew_without_comments(ask: Ask) -> None:
    (passage,) = ask(sql="SELECT id /* drop */ FROM names -- DROP TABLE names").passages
    assert "drop" not in passage["statement"].lower()
    assert passage["statement"].endswith("LIMIT 101")


def test_rows_beyond_the_limit_are_left_out_and_that_is_said(
    ask_of: Callable[..., Ask], url: str
) -> None:
    ask = ask_of(url, rows=1)
    for arguments in ({"query": "salaries"}, {"sql": "SELECT id FROM names"}):
        result = ask(HR, **arguments)
        assert len(result.passages[0]["rows"]) == 1
        assert result.degraded == ["only the first 1 rows were read"]


def test_long_texts_are_cut_and_that_is_said(ask_of: Callable[..., Ask], url: str) -> None:
    result = ask_of(
        url,
        more=[
            {
                "name": "long_texts",
                "sql": "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n "
                f"WHERE x < 50) SELECT x, '{'ắ' * 3000}' AS words FROM n",
            }
        ],
    )(query="long_texts")
    (passage,) = result.passages
    assert len(passage["text"]) <= 20_100
    assert len(passage["rows"]) == len(passage["text"].splitlines()) == 9
    assert result.degraded == [
        "values were cut after 2000 characters",
        "only the first 9 rows are shown",
    ]


def test_values_of_every_kind_become_json(ask_of: Callable[..., Ask], url: str) -> None:
    ask = ask_of(
        url,
        more=[
            {
                "name": "kinds",
                "sql": "SELECT day, days, NULL AS gap, 'a' AS same, 'b' AS same "
                "FROM leave_taken WHERE employee_id = 'E007'",
            },
            {"name": "photos", "sql": "SELECT name, photo FROM projects"},
        ],
    )
    (passage,) = ask(query="kinds").passages
    assert passage["rows"] == [
        {"day": "2026-02-02", "days": 2.5, "gap": None, "same": "a", "same_2": "b"}
    ]
    assert "gap: không có" in passage["text"]
    with pytest.raises(ToolError, match="column 'photo' holds bytes"):
        ask(query="photos")


def test_nothing_is_connected_to_before_the_first_call(
    reader_of: Callable[..., Reader], tmp_path: Path
) -> None:
    tool = query_database([reader_of("postgresql://lan:bimat@127.0.0.1:1/none")])
    assert "leave_left" in tool.description
    assert tool.ready_calls(Identity())[1]["parameters"]["project"] == {"type": "string"}
    assert tool.private
    assert tool.read_only


def test_a_database_in_which_anybody_writes_is_not_trusted(
    reader_of: Callable[..., Reader], url: str
) -> None:
    assert query_database([reader_of(url)]).trusted
    assert not query_database([reader_of(url), reader_of(url, trusted=False)]).trusted


def test_the_description_tells_queries_and_tables_within_a_length(
    reader_of: Callable[..., Reader], url: str
) -> None:
    reader = reader_of(url, description="Nhân sự")
    described = query_database([reader]).description
    assert "Database hr: Nhân sự." in described
    assert "leave_left: Days of leave of the asker" in described
    assert "employees(id, name, boss)" in described
    many = [
        {"name": f"q{n}", "sql": "SELECT 1 AS one", "description": "x" * 100} for n in range(90)
    ]
    assert len(query_database([reader_of(url, more=many)]).description) == 4_000


def test_a_changed_statement_is_another_version_of_the_tool(
    reader_of: Callable[..., Reader], url: str
) -> None:
    first, same = (query_database([reader_of(url)]).version for _ in range(2))
    other = query_database([reader_of(url, tables=[])]).version
    assert first == same != other


def test_another_place_of_the_same_name_is_another_version_of_the_tool(
    reader_of: Callable[..., Reader], tmp_path: Path
) -> None:
    one, other = (f"sqlite:///{tmp_path}/{name}.sqlite" for name in ("năm-2025", "năm-2026"))
    versions = {query_database([reader_of(url)]).version for url in (one, one, other)}
    assert len(versions) == 2
