"""What must not be read, written or waited for: refused or contained, each with a sentence."""

import contextlib
import os
import re
import socket
import sqlite3
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import sqlalchemy as sa

from retrieval.access import Identity
from retrieval.errors import ToolError
from retrieval.tools.database_reading import Reader
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


ENDLESS = (
    "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT COUNT(*) AS c FROM n"
)
MILLIONS = (
    "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 4000) "
    "SELECT a.x AS x FROM n a, n b"
)


def test_a_statement_that_would_run_for_minutes_is_stopped(
    ask_of: Callable[..., Ask], url: str
) -> None:
    ask = ask_of(url, timeout=0.3, more=[{"name": "endless", "sql": ENDLESS}])
    begun = time.monotonic()
    with pytest.raises(ToolError, match=r"stopped after 0\.3 s"):
        ask(query="endless")
    assert time.monotonic() - begun < 5
    assert ask(query="leave_left").passages


def test_a_select_that_joins_everything_with_everything_is_stopped(
    ask_of: Callable[..., Ask], url: str
) -> None:
    names = ", ".join(f"names n{n}" for n in range(28))
    ask = ask_of(url, timeout=0.3)
    with pytest.raises(ToolError, match=r"stopped after 0\.3 s"):
        ask(sql=f"SELECT COUNT(n0.id) AS n FROM {names}")


def test_of_ten_million_rows_the_first_are_read_and_the_rest_never_fetched(
    ask_of: Callable[..., Ask], url: str
) -> None:
    ask = ask_of(url, rows=5, more=[{"name": "millions", "sql": MILLIONS}])
    result = ask(query="millions")
    assert len(result.passages[0]["rows"]) == 5
    assert result.degraded == ["only the first 5 rows were read"]
    names = ", ".join(f"names n{n}" for n in range(24))
    result = ask(sql=f"SELECT n0.id FROM {names}")
    assert len(result.passages[0]["rows"]) == 5


def test_a_value_of_forty_megabytes_is_refused_by_sqlite(
    ask_of: Callable[..., Ask], sqlite_company: str
) -> None:
    huge = {"name": "huge", "sql": "SELECT HEX(ZEROBLOB(20000000)) AS x"}
    with pytest.raises(ToolError, match="too big"):
        ask_of(sqlite_company, more=[huge])(query="huge")


def test_texts_that_a_with_doubles_again_and_again_stay_bounded(ask: Ask) -> None:
    steps = ", ".join(f"a{n} AS (SELECT x || x AS x FROM a{n - 1})" for n in range(1, 9))
    sql = f"WITH a0 AS (SELECT name AS x FROM names), {steps} SELECT x FROM a8"
    (passage,) = ask(sql=sql).passages
    assert max(len(row["x"]) for row in passage["rows"]) <= 2_001


class TestAPlaceThatIsNoDatabase:
    """Said in one sentence that names the database and where it is, without a password."""

    def said(self, ask_of: Callable[..., Ask], url: str, **fields: object) -> str:
        with pytest.raises(ToolError) as caught:
            ask_of(url, **fields)(query="leave_left")
        return str(caught.value)

    def test_a_missing_file_is_named_and_not_made(
        self, ask_of: Callable[..., Ask], tmp_path: Path
    ) -> None:
        said = self.said(ask_of, "sqlite:///không-có.sqlite")
        assert "The database hr" in said
        assert "không-có.sqlite) cannot be read: there is no such file." in said
        assert list(tmp_path.iterdir()) == []

    def test_a_folder_is_no_database(self, ask_of: Callable[..., Ask], tmp_path: Path) -> None:
        (tmp_path / "folder").mkdir()
        assert "there is no such file" in self.said(ask_of, "sqlite:///folder")

    def test_memory_is_no_file(self, ask_of: Callable[..., Ask]) -> None:
        assert "must be like sqlite:///hr.sqlite" in self.said(ask_of, "sqlite://")

    def test_a_foreign_file_is_said_to_be_one(
        self, ask_of: Callable[..., Ask], tmp_path: Path
    ) -> None:
        (tmp_path / "notes.sqlite").write_text("Biên bản họp, không phải cơ sở dữ liệu. " * 99)
        assert "is no SQLite database" in self.said(ask_of, "sqlite:///notes.sqlite")

    def test_a_damaged_file_is_said_to_be_one(
        self, ask_of: Callable[..., Ask], sqlite_company: str, tmp_path: Path
    ) -> None:
        path = tmp_path / "company.sqlite"
        path.write_bytes(path.read_bytes()[:100] + b"\xff" * 8000)
        assert "The database hr" in self.said(ask_of, sqlite_company)

    def test_a_database_of_something_else_lacks_the_table(
        self, ask_of: Callable[..., Ask], tmp_path: Path
    ) -> None:
        sqlite3.connect(tmp_path / "other.sqlite").execute("CREATE TABLE x (a)").connection.close()
        assert "no such table: leave_taken" in self.said(ask_of, "sqlite:///other.sqlite")

    def test_a_locked_file_is_waited_for_as_long_as_a_statement_may_take(
        self, ask_of: Callable[..., Ask], sqlite_company: str, tmp_path: Path
    ) -> None:
        holder = sqlite3.connect(tmp_path / "company.sqlite", isolation_level=None)
        holder.execute("BEGIN EXCLUSIVE")
        assert "another process holds it" in self.said(ask_of, sqlite_company, timeout=0.2)
        holder.execute("ROLLBACK")
        holder.close()

    def test_a_server_that_is_down_is_told_without_its_password(
        self, ask_of: Callable[..., Ask]
    ) -> None:
        said = self.said(ask_of, "postgresql://lan:bimat@127.0.0.1:1/hr?password=bimat2")
        assert "The database hr (postgresql://lan@127.0.0.1:1/hr) cannot be read" in said
        assert "bimat" not in said

    def test_a_url_of_another_kind_is_not_shown(self, ask_of: Callable[..., Ask]) -> None:
        for url in ("mysql://lan:bimat@host/hr", "bimat", "postgresql://lan:bimat@[::1", "file:x"):
            said = self.said(ask_of, url)
            assert "postgresql://user@host:5432/name" in said
            assert "bimat" not in said

    def test_a_variable_that_is_not_set_is_named(
        self, ask_of: Callable[..., Ask], monkeypatch: pytest.MonkeyPatch, sqlite_company: str
    ) -> None:
        with pytest.raises(ToolError, match="set the environment variable HR_URL"):
            ask_of("", url_env="HR_URL")(query="leave_left")
        monkeypatch.setenv("HR_URL", sqlite_company)
        assert ask_of("", url_env="HR_URL")(query="leave_left").passages

    def test_a_server_that_forgets_its_connections_is_asked_again(
        self, ask_of: Callable[..., Ask], postgres_company: str
    ) -> None:
        ask = ask_of(postgres_company)
        assert ask(query="leave_left").passages
        engine = sa.create_engine(
            sa.make_url(postgres_company).set(drivername="postgresql+psycopg")
        )
        with engine.connect() as connection:
            connection.exec_driver_sql(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        engine.dispose()
        assert ask(query="leave_left").passages


class Hanging:
    """A way to a server on which nothing comes through any more once it is `held`."""

    def __init__(self, port: int) -> None:
        self.held = threading.Event()
        self._target = port
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = self._listening.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listening.accept()
            except OSError:
                return
            far = socket.create_connection(("127.0.0.1", self._target))
            for ends in ((near, far), (far, near)):
                threading.Thread(target=self._pass, args=ends, daemon=True).start()

    def _pass(self, source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):  # the other direction may have closed the socket
            while data := source.recv(65536):
                if not self.held.is_set():
                    target.sendall(data)
        target.close()

    def close(self) -> None:
        self._listening.close()


def test_a_server_that_hangs_in_the_middle_is_hung_up_on(
    ask_of: Callable[..., Ask], postgres_company: str
) -> None:
    url = sa.make_url(postgres_company)
    way = Hanging(url.port or 5432)
    through = url.set(host="127.0.0.1", port=way.port).render_as_string(hide_password=False)
    ask = ask_of(through, timeout=0.3)
    assert ask(query="leave_left").passages
    way.held.set()
    begun = time.monotonic()
    with pytest.raises(ToolError, match="cannot be read: the connection failed"):
        ask(query="leave_left")
    assert time.monotonic() - begun < 10
    way.held.clear()
    assert ask(query="leave_left").passages
    way.close()


def test_the_role_of_postgresql_is_told_where_it_may_not_read(
    ask_of: Callable[..., Ask], postgres_company: str
) -> None:
    url = sa.make_url(postgres_company).set(drivername="postgresql+psycopg")
    engine = sa.create_engine(url, isolation_level="AUTOCOMMIT")
    role = f"groundhop_poor_{os.getpid()}"
    with engine.connect() as connection:
        connection.exec_driver_sql(f"CREATE ROLE {role} LOGIN")
    poor = sa.make_url(postgres_company).set(username=role).render_as_string()
    try:
        with pytest.raises(ToolError, match="is only read, in what is allowed: permission denied"):
            ask_of(poor)(query="leave_left")
    finally:
        with engine.connect() as connection:
            connection.exec_driver_sql(f"DROP ROLE {role}")
        engine.dispose()


def test_reading_leaves_a_file_as_it_was(
    reader_of: Callable[..., Reader], sqlite_company: str, tmp_path: Path
) -> None:
    path = tmp_path / "company.sqlite"
    before = path.read_bytes(), path.stat().st_mtime_ns
    path.chmod(stat.S_IRUSR)
    reader = reader_of(sqlite_company)
    assert reader.read("SELECT name FROM projects", {}).rows
    reader.close()
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before
    assert list(tmp_path.iterdir()) == [path]


def test_without_sqlglot_named_queries_work_and_a_select_names_the_extra(
    sqlite_company: str, tmp_path: Path
) -> None:
    program = f"""
import sys
sys.modules["sqlglot"] = None
from pathlib import Path
from retrieval.access import Identity
from retrieval.tools.database import query_database
from retrieval.tools.database_reading import Reader
from tests.retrieval.tools.conftest import settings_of
tool = query_database([Reader(settings_of({sqlite_company!r}), Path({str(tmp_path)!r}))])
print(tool.run({{"query": "leave_left"}}, Identity("E042"), 5).passages[0]["answer"])
try:
    tool.run({{"sql": "SELECT id FROM names"}}, Identity("E042"), 5)
except Exception as error:
    print(error)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert "11 ngày" in done.stdout
    assert "pip install 'groundhop[sql]'" in done.stdout
