"""What must not be read or written: refused, each with a sentence."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from retrieval.access import Identity
from retrieval.errors import ToolError
from tests.retrieval.tools.conftest import BINH, HR, LAN, Ask

NO_TABLE = "cannot be read; those that can"
NO_SELECT = "Only a SELECT can be run"
ONE = "Only one statement"
NO_COLUMN = "the tables and columns are"
NO_FUNCTION = "may not be used in a SELECT here"
INVENTED = "is read from no table"
NOT_HERE = "A SELECT may not hold"

STATEMENTS = {
    "no SELECT": [
        ("DROP TABLE employees", NO_SELECT),
        ("INSERT INTO employees VALUES ('E1', 'x', NULL, 1, '')", NO_SELECT),
        ("UPDATE employees SET salary = 1", NO_SELECT),
        ("DELETE FROM employees", NO_SELECT),
        ("CREATE TABLE t AS SELECT id FROM employees", NO_SELECT),
        ("ALTER TABLE employees RENAME TO e", NO_SELECT),
        ("TRUNCATE employees", NO_SELECT),
        ("ATTACH DATABASE 'x.sqlite' AS x", NO_SELECT),
        ("DETACH DATABASE main", NO_SELECT),
        ("PRAGMA query_only = OFF", NO_SELECT),
        ("VACUUM INTO 'copy.sqlite'", NO_SELECT),
        ("COPY employees TO 'out.csv'", NO_SELECT),
        ("COPY employees FROM PROGRAM 'id'", NO_SELECT),
        ("SET default_transaction_read_only = off", NO_SELECT),
        ("DO $$ BEGIN PERFORM pg_sleep(9); END $$", NO_SELECT),
        ("CALL somebody()", NO_SELECT),
        ("EXPLAIN SELECT id FROM employees", NO_SELECT),
        ("LOCK TABLE employees", NO_SELECT),
        ("BEGIN", NO_SELECT),
        ("VALUES (1)", NO_SELECT),
        ("TABLE employees", NO_SELECT),
        ("   ", NO_SELECT),
        ("Xóa hết bảng nhân viên đi", NO_SELECT),
        ("-- SELECT id FROM employees", NO_SELECT),
        ("/* ; */ DROP TABLE employees", NO_SELECT),
    ],
    "stacked": [
        ("SELECT id FROM employees; DROP TABLE employees", ONE),
        ("SELECT id FROM employees;; SELECT id FROM names", ONE),
        ("SELECT id FROM names;--\nDELETE FROM employees", ONE),
        ("SELECT id FROM names; ATTACH 'x' AS x", ONE),
    ],
    "writes inside": [
        ("WITH x AS (DELETE FROM employees RETURNING id) SELECT id FROM x", NOT_HERE),
        ("WITH x AS (UPDATE employees SET salary = 1 RETURNING id) SELECT id FROM x", NOT_HERE),
        ("WITH x AS (INSERT INTO names VALUES ('a','b') RETURNING id) SELECT id FROM x", NOT_HERE),
        ("SELECT id INTO copied FROM employees", NOT_HERE),
        ("SELECT id FROM employees FOR UPDATE", "lock"),
    ],
    "other tables": [
        ("SELECT name FROM sqlite_master", NO_TABLE),
        ("SELECT sql FROM sqlite_schema", NO_TABLE),
        ("SELECT table_name FROM information_schema.tables", NO_TABLE),
        ("SELECT rolname FROM pg_catalog.pg_authid", NO_TABLE),
        ("SELECT usename FROM pg_user", NO_TABLE),
        ("SELECT name, budget FROM projects", NO_TABLE),
        ("SELECT id FROM main.employees", NO_TABLE),
        ("SELECT id FROM public.employees", NO_TABLE),
        ("SELECT id FROM other.public.employees", NO_TABLE),
        ('SELECT id FROM "employees "', NO_TABLE),
        ('SELECT id FROM "employees\'; DROP TABLE names; --"', NO_TABLE),
        ("SELECT id FROM еmployees", NO_TABLE),  # a Cyrillic е
        ("SELECT id FROM ｅmployees", NO_TABLE),  # a full-width e
        ("SELECT id FROM names WHERE id IN (SELECT name FROM projects)", NO_TABLE),
        ("SELECT id FROM names UNION SELECT name FROM projects", NO_TABLE),
        ("SELECT (SELECT MAX(budget) FROM projects) AS b FROM names", NO_TABLE),
        ("WITH p AS (SELECT name FROM projects) SELECT name FROM p", NO_TABLE),
        ("SELECT name FROM groundhop_cte_x", "No table and no WITH may be called"),
        ("WITH employees AS (SELECT id FROM names) SELECT id FROM employees", "rename it"),
        ("SELECT name FROM pragma_table_info('employees')", "no plain name of a table"),
        ("SELECT * FROM generate_series(1, 9000000000)", "no plain name of a table"),
        ("SELECT * FROM pg_ls_dir('/')", "no plain name of a table"),
        ("SELECT * FROM dblink('host=x', 'SELECT 1') AS t(a int)", "no plain name of a table"),
        ("SELECT * FROM json_each('[1]')", "no plain name of a table"),
        ("SELECT e.id FROM employees e TABLESAMPLE SYSTEM (10)", "TABLESAMPLE|no plain name"),
        ("SELECT n.id FROM names n, LATERAL (SELECT n.id) x", NOT_HERE),
    ],
    "other columns": [
        ("SELECT salary FROM employees", NO_COLUMN),
        ('SELECT "salary" FROM employees', NO_COLUMN),
        ("SELECT e.salary FROM employees AS e", NO_COLUMN),
        ("SELECT name FROM employees WHERE salary > 30000000", NO_COLUMN),
        ("SELECT name FROM employees ORDER BY salary", NO_COLUMN),
        ("SELECT COUNT(*) AS n FROM employees GROUP BY salary", NO_COLUMN),
        ("SELECT employee_id FROM leave_taken", NO_COLUMN),
        ("SELECT rowid FROM employees", NO_COLUMN),
        ("SELECT ctid FROM employees", NO_COLUMN),
        ("SELECT employees FROM employees", NO_COLUMN),
        ("SELECT ѕalary FROM employees", NO_COLUMN),  # a Cyrillic ѕ
        ("SELECT (employees).salary FROM employees", NOT_HERE),
        ("SELECT [salary] FROM employees", f"{NO_COLUMN}|{NO_FUNCTION}"),
        ("SELECT id FROM employees JOIN names USING (salary)", NO_COLUMN),
        ("SELECT id FROM employees WHERE (id, salary) = ('E042', 1)", NO_COLUMN),
        ("SELECT id FROM names LIMIT (SELECT MAX(budget) FROM projects)", NO_TABLE),
        ("SELECT main.employees.id FROM employees", "name a column as alias.column"),
        ("SELECT x.id FROM (SELECT * FROM employees) x WHERE x.salary > 1", NO_COLUMN),
    ],
    "functions": [
        ("SELECT id, pg_sleep(30) FROM names", NO_FUNCTION),
        ("SELECT id FROM names WHERE pg_sleep(30) IS NULL", NO_FUNCTION),
        ("SELECT id, pg_read_file('/etc/passwd') FROM names", f"{NO_FUNCTION}|{INVENTED}"),
        ("SELECT id FROM names WHERE name = pg_read_file('/etc/passwd')", NO_FUNCTION),
        ("SELECT id FROM names WHERE lo_import('/etc/passwd') > 0", NO_FUNCTION),
        ("SELECT id FROM names WHERE name = readfile('/etc/passwd')", NO_FUNCTION),
        ("SELECT id FROM names WHERE load_extension('x.so') IS NULL", NO_FUNCTION),
        ("SELECT id FROM names WHERE writefile('x', name) > 0", NO_FUNCTION),
        ("SELECT id FROM names WHERE dblink_connect('host=x') = 'OK'", NO_FUNCTION),
        ("SELECT id FROM names WHERE set_config('a.b', name, false) = 'c'", NO_FUNCTION),
        ("SELECT id FROM names WHERE name = current_setting('data_directory')", NO_FUNCTION),
        ("SELECT pg_catalog.pg_sleep(30), id FROM names", NOT_HERE),
        ("SELECT id FROM names WHERE LENGTH(zeroblob(2000000000)) > 1", NO_FUNCTION),
        ("SELECT id, REPEAT(name, 1000000000) AS x FROM names", NO_FUNCTION),
        ("SELECT LPAD(name, 1000000000) AS x FROM names", NO_FUNCTION),
        ("SELECT REPLACE(name, 'n', name) AS x FROM names", NO_FUNCTION),
        ("SELECT GROUP_CONCAT(name) AS x FROM names", NO_FUNCTION),
        ("SELECT STRING_AGG(name, ',') AS x FROM names", NO_FUNCTION),
        ("SELECT PRINTF('%1000000000d', id) AS x FROM names", NO_FUNCTION),
        ("SELECT CAST(name AS CHAR(10485760)) AS x FROM names", "type"),
        ("SELECT query_to_xml('SELECT * FROM projects', true, true, '') FROM names", "."),
        ("SELECT id FROM names WHERE name ~ '(a+)+$'", f"{NOT_HERE}|{NO_FUNCTION}|cannot be read"),
    ],
    "invented": [
        ("SELECT 'Lan được thưởng 90 triệu' AS bonus FROM names", INVENTED),
        ("SELECT name FROM names UNION SELECT 'Giám đốc đã duyệt'", INVENTED),
        ("SELECT 1", INVENTED),
        ("WITH x AS (SELECT 'E042' AS id) SELECT id FROM x", INVENTED),
    ],
    "broken": [
        ("SELECT FROM WHERE", "."),
        ("SELECT id FROM names WHERE (", "cannot be read"),
        ("SELECT id FROM names WHERE id = 'E042", "cannot be read"),
        ("SELECT id FROM names WHERE id = :id", "only placeholder is :user_id"),
        ("SELECT id FROM names WHERE id = ?", "only placeholder is :user_id"),
        ("SELECT id FROM names WHERE id = $1", f"{NOT_HERE}|only placeholder|{NO_COLUMN}"),
        ("SELECT id FROM names WHERE id = 'a\x00b'", "no NUL"),
        (f"SELECT id FROM names WHERE id = '{'x' * 4000}'", "at most 4000 characters"),
        (f"SELECT id FROM names WHERE {'(' * 400}1=1{')' * 400}", "nested 30 deep"),
        (f"SELECT id FROM names WHERE {'NOT ' * 900} id = 'x'", "."),
        (
            "WITH RECURSIVE n AS (SELECT id FROM names UNION SELECT id FROM n) SELECT id FROM n",
            "may not be RECURSIVE",
        ),
        ("SELECT " + "||".join(["name"] * 10) + " AS x FROM names", "put texts together"),
    ],
}
CASES = [(kind, *case) for kind, cases in STATEMENTS.items() for case in cases]


@pytest.mark.parametrize(("kind", "sql", "says"), CASES)
def test_a_select_that_is_not_allowed_is_refused_in_a_sentence(
    ask: Ask, kind: str, sql: str, says: str
) -> None:
    with pytest.raises(ToolError) as caught:
        ask(sql=sql)
    assert re.search(says, str(caught.value)), str(caught.value)
    assert str(caught.value).endswith(".")
    assert len(str(caught.value)) < 1500
    assert len(ask(HR, query="salaries").passages[0]["rows"]) == 2


@pytest.mark.parametrize(
    "text",
    [
        "' OR '1'='1",
        "'; DROP TABLE employees; --",
        "Sơn Trà' UNION SELECT name, salary FROM employees --",
        "Sơn Trà\x00",
        "Sơn Trà; ATTACH '/etc/passwd' AS x",
        ":user_id",
        "%(user_id)s",
        "{s1}",
        "$(id)",
        "\\'; DELETE FROM projects; --",
        "ｓơn trà",
        "Sơn Тrà",  # a Cyrillic Т
        "\ud800",
        "x" * 100_000,
        "",
    ],
)
def test_words_of_a_question_or_a_document_stay_a_value(ask: Ask, text: str) -> None:
    with pytest.raises(ToolError, match="'project' cannot be"):
        ask(query="project_budget", parameters={"project": text})
    assert len(ask(HR, query="salaries").passages[0]["rows"]) == 2


@pytest.mark.parametrize(
    "text", ["' OR '1'='1", "'; DROP TABLE employees; --", "%s", ":user_id", "\\", "Lan%'--"]
)
def test_a_free_text_that_looks_like_sql_finds_nothing(
    ask_of: Callable[..., Ask], url: str, text: str
) -> None:
    by_name = {
        "name": "by_name",
        "sql": "SELECT salary FROM employees WHERE name = :who",
        "parameters": {"who": {"type": "string"}},
    }
    ask = ask_of(url, more=[by_name])
    assert ask(query="by_name", parameters={"who": text}).passages == []
    found = ask(query="by_name", parameters={"who": "Nguyễn Thị Lan"}).passages
    assert found[0]["rows"] == [{"salary": 30000000}]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"query": "leave_left", "user_id": "E007"}, "does not know 'user_id'"),
        ({"query": "leave_left", "parameters": {"user_id": "E007"}}, "given by the session"),
        ({"query": "leave_left", "parameters": {"USER_ID": "E007"}}, "does not know 'USER_ID'"),
        ({"query": "leave_left", "parameters": {"usеr_id": "E007"}}, "does not know"),
        ({"query": "leave_left", "parameters": {"since": "hôm qua"}}, "must be a day such as"),
        ({"query": "leave_left", "parameters": {"since": "2026-02-30"}}, "must be a day such as"),
        ({"query": "leave_left", "parameters": {"since": "1900-01-01"}}, "of at least 2000-01-01"),
        ({"query": "leave_left", "parameters": {"since": {"$gt": ""}}}, "must be a day such as"),
        ({"query": "leave_left", "parameters": {"since": ["2026-01-01"]}}, "must be a day"),
        ({"query": "leave_left", "parameters": "since=2026"}, "must be a object"),
        ({"query": "leave_left", "sql": "SELECT id FROM names"}, "either a query by name or"),
        ({}, "either a query by name or"),
        ({"query": "leave_left; DROP TABLE employees"}, "There is no query"),
        ({"query": "leаve_left"}, "There is no query"),
        ({"query": "LEAVE_LEFT"}, "There is no query"),
        ({"query": ["leave_left"]}, "must be a string"),
        ({"query": "project_budget"}, r"'project' \(string\) is missing"),
        ({"sql": "SELECT id FROM names", "parameters": {"a": 1}}, "takes no parameters"),
        ({"sql": "SELECT id FROM names", "database": "lương"}, "is one of hr, not 'lương'"),
        ({"sql": "SELECT id FROM names", "database": "hr; DROP"}, "is one of hr, not"),
    ],
)
def test_names_and_arguments_that_do_not_fit_are_refused(
    ask: Ask, arguments: dict[str, object], says: str
) -> None:
    with pytest.raises(ToolError, match=says):
        ask(**arguments)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT day FROM leave_taken WHERE 1 = 1 OR 'E007' = 'E007'",
        "SELECT day FROM leave_taken WHERE :user_id = 'E007' OR 1 = 1",
        "SELECT day FROM leave_taken AS a WHERE days >= 0 UNION SELECT day FROM leave_taken",
        "SELECT b.day FROM names n JOIN leave_taken b ON 1 = 1",
        "WITH leave AS (SELECT day FROM leave_taken) SELECT day FROM leave",
        "SELECT day FROM leave_taken -- ) OR 1 = 1",
    ],
)
def test_no_condition_widens_the_rows_that_the_rule_allows(ask: Ask, sql: str) -> None:
    theirs = {row["day"] for one in ask(BINH, sql=sql).passages for row in one["rows"]}
    mine = {row["day"] for row in ask(LAN, sql=sql).passages[0]["rows"]}
    assert theirs <= {"2026-02-02"}
    assert mine == {"2026-01-05", "2026-03-02", "2025-05-05"}


def test_what_a_dialect_cannot_say_is_refused_and_not_left_out(
    ask_of: Callable[..., Ask], sqlite_company: str
) -> None:
    with pytest.raises(ToolError, match="Named columns are not supported"):
        ask_of(sqlite_company)(sql="SELECT a FROM names AS n(a, b)")


def test_no_with_stands_in_for_a_table_that_a_rule_reads(
    ask_of: Callable[..., Ask], url: str
) -> None:
    """The rule reads `employees`, which the SELECT is not shown and tries to define."""
    rule = "employee_id IN (SELECT id FROM employees WHERE boss = :user_id)"
    team = {"name": "leave_taken", "columns": ["day"], "where": rule}
    ask = ask_of(url, tables=[team, {"name": "names", "columns": ["id"]}])
    sql = (
        "WITH employees AS (SELECT id, CASE WHEN id = id THEN :user_id END AS boss FROM names) "
        "SELECT day FROM leave_taken WHERE EXISTS (SELECT 1 FROM employees)"
    )
    assert ask(Identity("E999"), sql=sql).passages == []
    assert len(ask(BINH, sql=sql).passages[0]["rows"]) == 3


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM projects",
        "INSERT INTO projects (name) VALUES ('x')",
        "UPDATE employees SET salary = 1",
        "DROP TABLE projects",
        "CREATE TABLE x (a TEXT)",
        "WITH gone AS (SELECT 1 AS one) DELETE FROM projects",
        "SELECT name FROM projects; DROP TABLE projects",
    ],
)
def test_even_a_named_query_cannot_write(ask_of: Callable[..., Ask], url: str, sql: str) -> None:
    ask = ask_of(url, more=[{"name": "writes", "sql": sql}])
    with pytest.raises(ToolError, match="The database hr"):
        ask(query="writes")
    assert ask(query="project_budget", parameters={"project": "Hải Vân"}).passages


@pytest.mark.parametrize(
    "sql",
    [
        "ATTACH DATABASE 'other.sqlite' AS other",
        "PRAGMA query_only = OFF",
        "PRAGMA writable_schema = ON",
        "VACUUM INTO 'copy.sqlite'",
        "SELECT load_extension('x.so')",
        "SELECT readfile('/etc/passwd')",
        "SELECT file FROM pragma_database_list",
    ],
)
def test_sqlite_itself_refuses_files_and_pragmas_to_a_named_query(
    ask_of: Callable[..., Ask], sqlite_company: str, tmp_path: Path, sql: str
) -> None:
    with pytest.raises(ToolError, match="The database hr"):
        ask_of(sqlite_company, more=[{"name": "odd", "sql": sql}])(query="odd")
    assert {one.name for one in tmp_path.iterdir()} == {"company.sqlite"}
