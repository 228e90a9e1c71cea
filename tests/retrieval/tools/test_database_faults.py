"""What must not be waited for, and databases that are broken: contained, each with a sentence."""

import contextlib
import os
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

from retrieval.errors import ToolError
from retrieval.tools.database_reading import Reader
from tests.retrieval.tools.conftest import Ask

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
